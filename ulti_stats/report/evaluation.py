"""What a hand is worth, in print: a row for each bid and part, and a chart."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pyarrow as pa
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from ulti_stats.errors import UltiError
from ulti_stats.game.cards import format_cards
from ulti_stats.report import theme
from ulti_stats.report.charts import check_chart, title_of_bid
from ulti_stats.report.numbers import NOTHING, format_bounds, format_value
from ulti_stats.report.tables import arrow_text
from ulti_stats.stats.estimates import Interval
from ulti_stats.stats.evaluate import BidValue, Evaluation

_WIDTH = 110
# Bids of most units that a chart shows.
MAX_BIDS = 16
_SEATS = ("forehand", "middle", "rear")


def evaluation_text(evaluation: Evaluation, format: str = "table") -> str:
    """Return an evaluation as text in one of the formats of tables; JSON and CSV hold figures, the others what is shown."""
    if format == "json":
        records = evaluation_records(evaluation)
        return json.dumps({"caption": caption(evaluation), "bids": records}, indent=1, ensure_ascii=False) + "\n"
    if format == "csv":
        return arrow_text(pa.Table.from_pylist(evaluation_records(evaluation)), "csv")
    rows = arrow_text(pa.Table.from_pylist(list(_shown(evaluation)) or [{"bid": "none"}]), format)
    head = f"What {format_cards(evaluation.own)} is worth ○"
    words = "\n".join(textwrap.wrap(caption(evaluation), _WIDTH)) if format == "table" else f"*{caption(evaluation)}*"
    return f"{head}\n\n{rows}\n{words}\n"


def evaluation_records(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return one record for each bid and part: the chance with its interval and layouts, and the units of the bid."""
    records = []
    for found in evaluation.bids:
        for part in found.parts:
            records.append(
                {
                    "bid": found.bid,
                    "value": found.value,
                    "trump": found.trump,
                    "discard": format_cards(found.discard) or None,
                    "part": part.component,
                    "ruled_out": part.is_ruled_out,
                    **_estimate("chance", part.made),
                    "layouts": part.made.n,
                    **_estimate("units_upper_bound", found.units),
                    **_estimate("units_exact", found.exact),
                    "exact_layouts": None if found.exact is None else found.exact.n,
                    "layouts_screened": found.n_screened,
                    "candidates": found.n_candidates,
                }
            )
    return records


def _estimate(name: str, interval: Interval | None) -> dict[str, float | None]:
    found = (None, None, None) if interval is None else (interval.value, interval.low, interval.high)
    return dict(zip((name, f"{name}_low", f"{name}_high"), found, strict=True))


def _shown(evaluation: Evaluation) -> Iterator[dict[str, str]]:
    """Yield the printed rows: what belongs to the bid stands in the row of its first part only."""
    is_exact = any(found.exact is not None for found in evaluation.bids)
    for found in evaluation.bids:
        for number, part in enumerate(found.parts):
            first = number == 0
            row = {
                "bid": found.bid if first else "",
                "trump": (found.trump or NOTHING) if first else "",
                "lay": (format_cards(found.discard) or NOTHING) if first else "",
                "part": part.component + (" (ruled out)" if part.is_ruled_out else ""),
                "makeable ○": f"{format_value('rate', part.made.value)}",
                "95 %": format_bounds("rate", part.made.low, part.made.high),
                "layouts": f"{part.made.n:,}",
                "units ≤": format_value("units", found.units.value) if first else "",
                "± 95 %": _half(found.units) if first else "",
            }
            if is_exact:
                row["exact"] = format_value("units", found.exact.value) if first and found.exact else ""
                row["± exact"] = _half(found.exact) if first and found.exact else ""
            yield row


def _half(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return NOTHING
    return f"{(interval.high - interval.low) / 2:.2f}"


def caption(evaluation: Evaluation) -> str:
    """Return what a reader must know of the figures."""
    twelve = evaluation.own.bit_count() == 12
    screened = max((found.n_screened for found in evaluation.bids), default=0)
    passes = f", {evaluation.n_passed} passed before" if evaluation.n_passed else ""
    parts = [
        f"{evaluation.rules.id} {evaluation.rules.digest[:8]}",
        f"{_SEATS[evaluation.seat]} declares{passes}",
        "○ open-card: all three see every card, so defenders defend better than people; bid on what is made in play",
        f"layouts drawn alike from the unseen cards (seed {evaluation.seed}), the same for every bid and discard; "
        f"as many as put each chance within ±{100 * evaluation.precision:g} % at 95 %",
        f"trump and two cards to lay chosen on {screened:,} other layouts, after rounds on fewer, out of all 66 discards"
        if twelve
        else "ten cards as they stand, two unknown cards in the talon",
        "units a defender pays: parts solved apart and added, silent bonuses left out, an upper bound of what the parts pay",
    ]
    if any(found.exact is not None for found in evaluation.bids):
        layouts = max(found.exact.n for found in evaluation.bids if found.exact is not None)
        parts.append(f"exact: the whole contract with its silent bonuses, on {layouts:,} layouts")
    if evaluation.n_ruled_out:
        bids = "1 bid" if evaluation.n_ruled_out == 1 else f"{evaluation.n_ruled_out} bids"
        parts.append(
            f"{bids} ruled out by the cards (a 100 without its marriage, an ulti without the seven); --all shows them too"
        )
    if evaluation.bids:
        best = evaluation.best
        parts.append(f"most units: {best.bid}" + (f" in {best.trump}" if best.trump else ""))
    return " · ".join(parts)


# chart ------------------------------------------------------------------------------------------------------------


def save_evaluation_chart(evaluation: Evaluation, path: Path | str) -> tuple[Path, Path]:
    """Write the chart of an evaluation, and its figures as CSV beside it; return both paths.

    Raises `UltiError` for a suffix other than .svg and .png and where a file cannot be written.
    """
    path = Path(path)
    check_chart(path)
    drawing, beside = draw_evaluation(evaluation), path.with_suffix(".csv")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with mpl.rc_context(theme.SETTINGS):
            if path.suffix.lower() == ".svg":
                drawing.savefig(path, format="svg", metadata={"Date": None, "Creator": "ulti_stats"})
            else:
                drawing.savefig(path, format="png", dpi=theme.DPI, metadata={"Software": "ulti_stats"})
        beside.write_text(evaluation_text(evaluation, "csv"), encoding="utf-8")
    except OSError as error:
        raise UltiError(f"chart {path} cannot be written: {error.strerror or error}") from None
    return path, beside


def draw_evaluation(evaluation: Evaluation) -> Drawing:
    """Return a chart of the bids of most units: the chance of each part on the left, units on the right."""
    ranked = sorted(evaluation.bids, key=lambda found: -(found.units.value or 0.0))[:MAX_BIDS]
    rows = [(found, number) for found in ranked for number in range(len(found.parts))]
    lines = textwrap.wrap(caption(evaluation), theme.CAPTION_CHARACTERS - 12)
    panel = max(1, len(rows)) * theme.ROW_HEIGHT + theme.GROUP_GAP * len(ranked)
    height = theme.TITLE_HEIGHT + theme.HEAD_HEIGHT + panel + theme.AXIS_HEIGHT + theme.LINE_HEIGHT * len(lines) + theme.MARGIN
    with mpl.rc_context(theme.SETTINGS):
        drawing = Drawing(figsize=(theme.WIDTH, height))
        _write(drawing, 0.3, f"What {format_cards(evaluation.own)} is worth", size=theme.TITLE_SIZE, weight="bold")
        top = theme.TITLE_HEIGHT + theme.HEAD_HEIGHT
        left = 3.0
        width = (theme.WIDTH - left - theme.MARGIN - theme.PANEL_GAP) / 2
        chances = _panel(drawing, left, top, width, panel, "makeable with open cards ○, %")
        units = _panel(drawing, left + width + theme.PANEL_GAP, top, width, panel, "units a defender pays, at most")
        units.axvline(0, color=theme.INK, linewidth=0.8, zorder=1)
        down, last = 0.0, None
        for found, number in rows:
            down += theme.GROUP_GAP if found is not last else 0.0
            middle = down + theme.ROW_HEIGHT / 2
            _write(drawing, top + middle, _label(found, number), size=theme.LABEL_SIZE)
            _point(chances, found.parts[number].made, middle, 100.0, theme.SERIES[0])
            if number == 0:
                _point(units, found.units, middle, 1.0, theme.SERIES[1])
            down, last = down + theme.ROW_HEIGHT, found
        for number, line in enumerate(lines):
            place = top + panel + theme.AXIS_HEIGHT + theme.LINE_HEIGHT * (number + 0.6)
            _write(drawing, place, line, size=theme.SMALL_SIZE, color=theme.GREY)
    return drawing


def _label(found: BidValue, number: int) -> str:
    part = title_of_bid(found.parts[number].component)
    if number:
        return f"    {part}"
    trump = f" in {found.trump}" if found.trump and not found.bid.endswith("@hearts") else ""
    text = title_of_bid(found.bid) + trump
    return text if len(found.parts) == 1 else f"{text}: {part}"


def _panel(drawing: Drawing, left: float, top: float, width: float, height: float, title: str) -> Axes:
    total = drawing.get_figheight()
    axes = drawing.add_axes((left / theme.WIDTH, 1 - (top + height) / total, width / theme.WIDTH, height / total))
    axes.set_ylim(height, 0)
    axes.set_yticks([])
    axes.grid(axis="x", zorder=0)
    axes.set_axisbelow(True)
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    axes.set_title(title, fontsize=theme.LABEL_SIZE, loc="left", pad=7)
    return axes


def _point(axes: Axes, interval: Interval, middle: float, scale: float, colour: str) -> None:
    axes.axhline(middle, color=theme.FAINT, linewidth=0.5, zorder=0)
    if interval.value is None or interval.low is None or interval.high is None:
        return
    low, high = scale * interval.low, scale * interval.high
    axes.plot([low, high], [middle, middle], color=colour, linewidth=1.4, solid_capstyle="butt", zorder=3)
    axes.plot([scale * interval.value], [middle], marker="o", markersize=3.8, color=colour, markeredgewidth=0, zorder=4)


def _write(drawing: Drawing, down: float, text: str, **style: Any) -> None:
    place = theme.MARGIN / theme.WIDTH, 1 - down / drawing.get_figheight()
    drawing.text(*place, text, va="center_baseline", ha="left", **style)
