"""Comparison with an older run: costs in rounds of the calibration loop, and counts."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.measuring import Row

# Times vary with what else the machine does and with its kind, even as ratios; counts do not vary.
MOST_COST, MOST_COUNT = 6.0, 1.1
_COUNTS = ("B", "nodes")


def regressions(rows: Sequence[Row], old: Sequence[Row]) -> list[str]:
    """Return a line for each row that takes `MOST_COST` times as many rounds as in the older run, or a larger count."""
    before = {(row.group, row.name): row for row in old}
    worse = []
    for row in rows:
        was = before.get((row.group, row.name))
        if was is None:
            continue
        if row.cost is not None and was.cost and row.cost > MOST_COST * was.cost:
            worse.append(f"{row.group}: {row.name}: {row.cost:,.0f} rounds of the loop, {was.cost:,.0f} before")
        if row.unit in _COUNTS and row.value > MOST_COUNT * was.value:
            worse.append(f"{row.group}: {row.name}: {row.value:,.1f} {row.unit}, {was.value:,.1f} before")
    return worse
