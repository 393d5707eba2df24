"""How figures are written: rates in per cent with one decimal, units with two, intervals beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ulti_stats.stats.answer import Cell, Figure, Kind

NOTHING = "–"
MINUS = "−"


def format_value(kind: Kind, value: float | None) -> str:
    """Return a figure as printed.

    >>> format_value("rate", 0.625), format_value("units", -1.2), format_value("units", 2), format_value("difference", -0.1)
    ('62.5 %', '−1.20', '+2.00', '−10.0 %')
    """
    if value is None:
        return NOTHING
    if kind == "difference":
        return f"{_sign(value, 1000)}{100 * abs(value):.1f} %"
    if kind != "units":
        return f"{100 * value:.1f} %"
    text = f"{abs(value):.2f}"
    if float(text) == 0.0:
        return text
    return f"{MINUS if value < 0 else '+'}{text}"


def _sign(value: float, scale: int) -> str:
    """Return the sign of a number that is printed in so many steps; none where it prints as 0."""
    return "" if round(scale * value) == 0 else MINUS if value < 0 else "+"


def format_bounds(kind: Kind, low: float | None, high: float | None) -> str:
    """Return an interval as printed, without a unit: it stands beside its figure.

    >>> format_bounds("rate", 0.3057, 0.8632), format_bounds("units", -10.564, 8.164)
    ('30.6–86.3', '−10.56 … +8.16')
    """
    if low is None or high is None:
        return NOTHING
    if kind == "difference":
        return f"{format_value(kind, low)} … {format_value(kind, high)}"
    if kind != "units":
        return f"{100 * low:.1f}–{100 * high:.1f}"
    return f"{format_value(kind, low)} … {format_value(kind, high)}"


def format_cell(figure: Figure, cell: Cell) -> tuple[str, str]:
    """Return a figure with its marks, and its interval; neither where n is so small that only counts are printed."""
    if cell.counts_only:
        return cell.marks, ""
    found = cell.interval
    bounds = "" if figure.kind == "break_even" else format_bounds(figure.kind, found.low, found.high)
    return format_value(figure.kind, found.value) + cell.marks, bounds


def format_key(key: Any) -> str:
    """Return a key of a row as printed.

    >>> format_key(None), format_key(True), format_key("ulti")
    ('unknown', 'yes', 'ulti')
    """
    if key is None:
        return "unknown"
    if isinstance(key, bool):
        return "yes" if key else "no"
    return str(key)


def format_record(kind: Kind, record: Mapping[str, Any]) -> str:
    """Return the figure of a long record with its interval as printed.

    >>> format_record("rate", {"value": 0.625, "low": 0.3057, "high": 0.8632})
    '62.5 % (30.6–86.3)'
    """
    value = format_value(kind, record["value"])
    return value if record["low"] is None else f"{value} ({format_bounds(kind, record['low'], record['high'])})"
