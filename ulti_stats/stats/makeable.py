"""Makeable (B4): what was made in play beside what could be made with open cards, on the same hands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ulti_stats.game.bids import PART_TEXTS
from ulti_stats.stats.answer import Cell, Figure, Measure, Report, Row, Table, cell, sortable
from ulti_stats.stats.contracts import Contracts, outcome_of
from ulti_stats.stats.estimates import Interval, Moments, paired_difference
from ulti_stats.stats.population import Population, Stratum, stratum_of
from ulti_stats.stats.selection import Query, Selection, Warehouse, compose, fetch, split_columns, split_of
from ulti_stats.stats.tally import Session, Tally, session_of

Key = tuple[Stratum, tuple[Any, ...]]

B4 = Measure("B4 makeable", "Could it be made with open cards, every card played at its best by all three?")
ALL_NAMED = "all named parts"
NOTE = (
    "○ Makeable is with open cards: from the first lead, with the real discard and trump, all three see every card. That "
    "helps both sides, the defence of betli, ulti and the 100-games more than people can use: defenders who see all cards "
    "defend better than people. It is no 'should have', and it does not say who erred."
)
_FIGURES = (
    Figure("made", "made in play", "rate", B4),
    Figure("makeable", "makeable", "rate", B4),
    Figure("gap", "gap", "difference", B4),
)
_CELLS = ("both", "made only", "makeable only", "neither")
_COUNTS = (*_CELLS, "not solved")
_OWN = ("component", "part")


@dataclass(slots=True)
class _Pairs:
    """One row of the table: the two rates and their difference by session, and the four cells."""

    made: Tally = field(default_factory=Tally)
    makeable: Tally = field(default_factory=Tally)
    gap: Tally = field(default_factory=Tally)
    cells: dict[tuple[bool, bool], int] = field(default_factory=lambda: defaultdict(int))
    unsolved: int = 0

    def count(self, session: Session, *, made: bool, makeable: bool, hands: int) -> None:
        """Add hands of one outcome and one open-card result."""
        self.made.count(session, k=hands * made, n=hands)
        self.makeable.count(session, k=hands * makeable, n=hands)
        difference = int(made) - int(makeable)
        self.gap.add(session, Moments(hands, hands * difference, hands, hands * abs(difference), hands * difference, hands))
        self.cells[made, makeable] += hands

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the four cells (both, made only, makeable only, neither) and the hands not solved."""
        seen = self.cells
        return seen[True, True], seen[True, False], seen[False, True], seen[False, False], self.unsolved

    def difference(self) -> Interval:
        """Return made less makeable, paired; clustered where hands are of recorded sessions (E5, E3)."""
        if self.gap.sessions:
            return self.gap.mean()
        both, made_only, makeable_only, neither, _ = self.counts
        return paired_difference(both=both, first_only=made_only, second_only=makeable_only, neither=neither)


def with_makeable(
    report: Report,
    warehouse: Warehouse,
    selection: Selection,
    populations: Mapping[Stratum, Population],
    digests: tuple[str, ...] | None,
) -> Report:
    """Return the report with the open-card table, where `ulti solve` has solved anything; else as it is."""
    if not fetch(warehouse, Query("SELECT count(*) AS n FROM raw.solved_parts", {}))[0]["n"]:
        return report
    query = compose("makeable", selection, digests=digests, lone=warehouse.lone_values)
    pairs: dict[Key, _Pairs] = defaultdict(_Pairs)
    unsolved: dict[Stratum, int] = defaultdict(int)
    contracts = Contracts(populations)
    for row in fetch(warehouse, query):
        stratum = stratum_of(row)
        if not row["is_solved"]:
            unsolved[stratum] += row["hands"]
        outcome = outcome_of(row, contracts.bid(stratum, row["contract"]))
        by, session = split_of(row, selection, own=_OWN), session_of(row)
        for part, ended in (("named", outcome.named), ("implied", outcome.implied)):
            for component, made in ended.items():
                _count(pairs[stratum, (component, part, *by)], session, made, row[f"makeable_{component}"], row["hands"])
        if len(outcome.named) > 1:
            _count(pairs[stratum, (ALL_NAMED, "named", *by)], session, outcome.is_made, row["makeable_all"], row["hands"])
    left_out = {stratum: dict(found) for stratum, found in report.left_out.items()}
    for stratum, number in unsolved.items():
        left_out.setdefault(stratum, {})["from B4, hands not solved"] = number
    return replace(
        report,
        tables=(*report.tables, _table(pairs, selection)),
        queries=(*report.queries, query),
        left_out=left_out,
        notes=(*report.notes, NOTE),
    )


def _count(pairs: _Pairs, session: Session, made: bool | None, makeable: bool | None, hands: int) -> None:
    if makeable is None:
        pairs.unsolved += hands
    elif made is not None:
        pairs.count(session, made=made, makeable=makeable, hands=hands)


def _table(pairs: Mapping[Key, _Pairs], selection: Selection) -> Table:
    rows = [Row(stratum, keys, found.counts, _cells(found)) for (stratum, keys), found in pairs.items()]
    rows.sort(key=lambda row: (row.stratum, _order(row.keys[0]), sortable(row.keys[2:]), row.keys[1] == "implied"))
    keys = (*_OWN, *split_columns(selection, own=_OWN))
    return Table("makeable", keys, _COUNTS, _FIGURES, tuple(rows), charted=("made", "makeable"))


def _order(component: str) -> int:
    return PART_TEXTS.index(component) if component in PART_TEXTS else len(PART_TEXTS)


def _cells(found: _Pairs) -> tuple[Cell, ...]:
    makeable = cell("rate", found.makeable.rate(found.makeable.deff))
    gap = cell("difference", found.difference())
    return (
        cell("rate", found.made.rate(found.made.deff)),
        replace(makeable, marks=makeable.marks + "○"),
        replace(gap, marks=gap.marks + "○"),
    )
