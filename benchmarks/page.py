"""The results of the benchmark as tables in Markdown: python -m benchmarks.page writes them into docs/performance.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.measuring import QUIET, Row, of_json

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "benchmarks" / "results.json", ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- results: python -m benchmarks.page -->", "<!-- end of results -->"
_SHOWN = ("numba", "numpy", "pyarrow", "duckdb")


def machine_line(found: dict[str, Any]) -> str:
    """Return in a sentence what was measured on."""
    versions = ", ".join(f"{name} {found[name]}" for name in _SHOWN)
    speed = found["loop_rounds_per_second"] / 1e6
    return (
        f"{found['processor']}, {found['processors']} processors, {found['memory_gb']} GB, {found['system']}; "
        f"Python {found['python']}, {versions}; load {found['load']}; calibration loop {speed:,.0f} M rounds/s."
    )


def _number(value: float, unit: str) -> str:
    if unit == "nodes":
        return f"{value:,.0f}"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 0.1 else 4
    return f"{value:,.{digits}f}"


def _goal(row: Row) -> str:
    if row.goal is None:
        return ""
    return f"{'≥' if row.more else '≤'} {row.goal:g} {'reached' if row.is_met else 'missed'}"


def _spread(row: Row) -> str:
    if row.spread is None:
        return ""
    return f"{row.spread:.0%}" + (" quiet" if row.spread <= QUIET and row.repeats >= 5 else "")


def table_lines(rows: Sequence[Row]) -> list[str]:
    """Return rows as tables, one a group."""
    lines: list[str] = []
    for group, found in groupby(rows, key=lambda row: row.group):
        members = list(found)
        lines += ["", f"### {group[0].upper()}{group[1:]}", ""]
        lines += _solver_lines(members) if members[0].name.endswith(": mean") else _plain_lines(members)
    return lines


def _plain_lines(rows: Sequence[Row]) -> list[str]:
    lines = ["| | median | goal | rounds of the loop | spread | n | remark |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        cost = "" if row.cost is None else f"{row.cost:,.0f}"
        cells = (row.name, f"{_number(row.value, row.unit)} {row.unit}", _goal(row), cost, _spread(row))
        times = "" if row.repeats == 1 else f"{row.repeats} × "
        lines.append(f"| {' | '.join(cells)} | {times}{row.n_items:,} | {row.remark} |")
    return lines


def _solver_lines(rows: Sequence[Row]) -> list[str]:
    """Return one line for mean, 99th percentile and nodes of the same positions."""
    lines = ["| | mean ms | p99 ms | goals | rounds of the loop | nodes | n | remark |", "|---|---|---|---|---|---|---|---|"]
    for mean, high, nodes in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
        goals = ", ".join(filter(None, (_goal(mean), _goal(high))))
        cells = (mean.name.removesuffix(": mean"), _number(mean.value, "ms"), _number(high.value, "ms"), goals)
        lines.append(f"| {' | '.join(cells)} | {mean.cost or 0:,.0f} | {nodes.value:,.0f} | {mean.n_items:,} | {mean.remark} |")
    return lines


def results_markdown(found: dict[str, Any]) -> str:
    """Return the section of the page that shows a file of results."""
    return "\n".join([BEGIN, machine_line(found["machine"]), *table_lines(of_json(found)), END])


def with_results(page: str, found: dict[str, Any]) -> str:
    """Return the page with its section of results written anew."""
    before, rest = page.split(BEGIN, 1)
    return before + results_markdown(found) + rest.split(END, 1)[1]


def main() -> None:
    """Write the section anew."""
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    PAGE.write_text(with_results(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()
