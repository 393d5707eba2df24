"""Kontra: what it changed on the same play (K1), how often it is said (K2), and when it breaks even (K3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ulti_stats.game.bids import PART_TEXTS
from ulti_stats.stats.answer import Cell, Figure, Measure, Report, Row, Table, cell, sortable
from ulti_stats.stats.contracts import Contracts
from ulti_stats.stats.estimates import Interval, Moments, break_even
from ulti_stats.stats.population import (
    Population,
    Stratum,
    chosen_digests,
    count_beside,
    count_population,
    individual_digests,
    stratum_of,
)
from ulti_stats.stats.selection import (
    Selection,
    Warehouse,
    check_selection,
    compose,
    fetch,
    of_one_version,
    split_columns,
    split_of,
)
from ulti_stats.stats.tally import Session, Tally, session_of
from ulti_stats.store.schema import LEVEL_BITS

COUNTED = ("played",)
ALL = "all"
K1 = Measure("K1 kontra gain", "What did it change on the same play: with its answers (decision), alone (step)?")
K2 = Measure("K2 kontra rate", "How often is it said, of all parts on which it could be?")
K3 = Measure("K3 failure against break-even", "How often did the part fail, and from which rate on does it pay?")
_GAIN_FIGURES = (
    Figure("decision_gain", "decision gain", "units", K1),
    Figure("step_gain", "step gain", "units", K1),
    Figure("side_gain", "its side", "units", K1),
    Figure("failed", "failed", "rate", K3),
    Figure("break_even", "break-even q*", "break_even", K3),
)
_SAID_FIGURES = (Figure("said", "said", "rate", K2),)
_OWN_KEYS = ("component", "level")
Key = tuple[Stratum, tuple[Any, ...]]


@dataclass(slots=True)
class _Gains:
    """One row of K1 and K3: gains by step and by decision, failures, and the sums that q* needs."""

    step: Tally = field(default_factory=Tally)
    decision: Tally = field(default_factory=Tally)
    side: Tally = field(default_factory=Tally)
    failed: Tally = field(default_factory=Tally)
    n: int = 0
    n_failed: int = 0
    when_failed: float = 0.0
    when_made: float = 0.0


@of_one_version
def kontra_gain(warehouse: Warehouse, selection: Selection | None = None) -> Report:
    """Return what each kontra step gained its sayer per defender that it binds, and how often it is said.

    A defender's step pays above the break-even failure rate q*, a declarer's below it. Where the selection speaks of
    columns that only the view `kontras` has, the rate is left out. Raises `QueryError` for a selection that cannot be
    answered.
    """
    selection = selection or Selection()
    fit = check_selection(warehouse, selection, ("hands", "kontras"))
    left_out: dict[Stratum, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    sessions: dict[Stratum, set[Any]] = defaultdict(set)
    if "hands" in fit.views:
        populations, counting, said = count_beside(warehouse, selection, "kontra_said", view=fit.condition_view, counted=COUNTED)
    else:
        (populations, counting), said = count_population(warehouse, selection, view=fit.condition_view, counted=COUNTED), None
    query = compose(
        "kontra_gain",
        selection,
        digests=chosen_digests(selection, populations),
        values=individual_digests(populations),
        said="" if said else "kontra_steps",
        lone=warehouse.lone_values,
    )
    gains: dict[Key, _Gains] = defaultdict(_Gains)
    for row in fetch(warehouse, query):
        _count_gain(row, selection, gains, left_out)
        sessions[stratum_of(row)].add(session_of(row))
    tables, notes = [_gain_table(gains, selection)], [_LEVELS, _BOTH_SIDES, _SAME_PLAY]
    if said:
        ends = _Ends(Contracts(populations))
        for row in said.rows():
            ends.add(row, selection, left_out)
            sessions[stratum_of(row)].add(session_of(row))
        tables.append(_said_table(ends.said(), selection, populations))
    else:
        notes.append("How often a kontra is said is left out: the condition or split is on columns of single kontras.")
    return Report(
        name="kontra",
        title="Kontra: what it earned its maker",
        selection=selection,
        populations=tuple(populations.values()),
        tables=tuple(tables),
        queries=(counting, query, *([said.query] if said else ())),
        counted=COUNTED,
        sessions={stratum: len(found - {None}) for stratum, found in sessions.items()},
        left_out={stratum: dict(found) for stratum, found in left_out.items()},
        notes=tuple(notes),
    )


_BOTH_SIDES = (
    "Units per defender that the step binds, positive for its maker; a defender's step pays above q*, a declarer's below."
)
_LEVELS = "Level 1 is the kontra, 2 the rekontra, and so on: odd levels are the defenders', even ones the declarer's."
_SAME_PLAY = "The play is held still: what the cards paid with the kontra less what the same cards had paid without it."


# adding up --------------------------------------------------------------------------------------------------------


def _count_gain(
    row: Mapping[str, Any], selection: Selection, gains: dict[Key, _Gains], left_out: dict[Stratum, dict[str, int]]
) -> None:
    stratum, session = stratum_of(row), session_of(row)
    by = split_of(row, selection, own=("component", "step_level"))
    if row["component"] == ALL:
        left_out[stratum]["kontras on parts without a known outcome"] += row["said"] - row["n"]
    if not row["n"]:
        return
    found = gains[stratum, (row["component"], row["step_level"], *by)]
    hands, n, square, binds = row["hands"], row["n"], row["n_squared"], row["binds"]
    step = Moments(hands, row["step"], n, row["step_squared"], row["n_step"], square)
    decision = Moments(hands, row["decision"], n, row["decision_squared"], row["n_decision"], square)
    side = Moments(hands, binds * decision.y, n, binds * binds * decision.yy, binds * decision.xy, square)
    found.step.add(session, step)
    found.decision.add(session, decision, magnitude=row["moved"], largest=row["largest"])
    found.side.add(session, side)
    found.failed.add(session, Moments(hands, row["failed"], n, row["failed_squared"], row["n_failed"], square))
    found.n += n
    found.n_failed += row["failed"]
    found.when_failed += row["when_failed"] or 0.0
    found.when_made += row["decision"] - (row["when_failed"] or 0.0)


class _Ends:
    """How many hands ended at which levels, part by part and all parts of a hand together, which is all that K2 needs.

    Thousands of kinds of hands have few of them.
    """

    def __init__(self, contracts: Contracts):
        self._contracts = contracts
        self._parts: dict[tuple[Stratum, Session, tuple[Any, ...], str, int], int] = defaultdict(int)
        self._together: dict[tuple[Stratum, Session, tuple[Any, ...], tuple[int, ...]], int] = defaultdict(int)

    def add(self, row: Mapping[str, Any], selection: Selection, left_out: dict[Stratum, dict[str, int]]) -> None:
        stratum, session, hands = stratum_of(row), session_of(row), row["hands"]
        by = split_of(row, selection, own=("component", "step_level"))
        components = self._contracts.bid(stratum, row["contract"]).components
        levels = [_level_reached(row, part) for part in components]
        left_out[stratum]["parts of unknown kontra level"] += hands * levels.count(None)
        if row["is_sheet"]:
            on_sheets = sum(level > 0 for level in levels if level is not None)
            left_out[stratum]["parts with kontra on score sheets, which keep no steps (K1, K3)"] += hands * on_sheets
        for part, level in zip(components, levels, strict=True):
            if level is not None:
                self._parts[stratum, session, by, part.text, level] += hands
        self._together[stratum, session, by, tuple(sorted(level for level in levels if level is not None))] += hands

    def said(self) -> dict[Key, Tally]:
        """Return how often each step was said, of all parts on which it could be: those that ended at most one level below."""
        said: dict[Key, Tally] = defaultdict(Tally)
        for (stratum, session, by, name, level), hands in self._parts.items():
            for step in range(1, level + 2):
                said[stratum, (name, step, *by)].count(session, k=hands * (level >= step), n=hands)
        for (stratum, session, by, levels), hands in self._together.items():
            for step in range(1, max(levels, default=-1) + 2):
                x, y = sum(level >= step - 1 for level in levels), sum(level >= step for level in levels)
                sums = Moments(hands, hands * y, hands * x, hands * y * y, hands * x * y, hands * x * x)
                said[stratum, (ALL, step, *by)].add(session, sums)
        return said


def _level_reached(row: Mapping[str, Any], part: int) -> int | None:
    """Return the higher level on a part against the two defenders; None where it is not known."""
    first = row["levels"]
    if first is None:
        return 0
    top = max(levels >> LEVEL_BITS * part & 15 for levels in (first, first ^ row["differ"]))
    return top - 1 if top else None


# tables -----------------------------------------------------------------------------------------------------------


def _gain_table(gains: dict[Key, _Gains], selection: Selection) -> Table:
    total = {(stratum, keys[1:]): found.failed.deff for (stratum, keys), found in gains.items() if keys[0] == ALL}
    rows = [Row(stratum, keys, (), _gain_cells(found, total[stratum, keys[1:]])) for (stratum, keys), found in gains.items()]
    keys = (*_OWN_KEYS, *split_columns(selection, own=("component", "step_level")))
    rows = sorted(_without_lone_total(rows), key=_place)
    return Table("gains", keys, (), _GAIN_FIGURES, tuple(rows), charted=("decision_gain", "failed"))


def _gain_cells(found: _Gains, deff: float) -> tuple[Cell, ...]:
    return (
        cell("units", found.decision.mean(), one_hand_rules=found.decision.one_hand_rules),
        cell("units", found.step.mean()),
        cell("units", found.side.mean(), one_hand_rules=found.decision.one_hand_rules),
        cell("rate", found.failed.rate(deff)),
        cell("break_even", _break_even(found)),
    )


def _break_even(found: _Gains) -> Interval:
    """Return q* without an interval; without a value where no part failed, or none was made."""
    made = found.n - found.n_failed
    value = None
    if made and found.n_failed:
        value = break_even(gain_failed=found.when_failed / found.n_failed, gain_made=found.when_made / made)
    return Interval(value, None, None, found.n, "b/(a+b), exact for these hands")


def _said_table(said: dict[Key, Tally], selection: Selection, populations: Mapping[Stratum, Population]) -> Table:
    rows = []
    for (stratum, keys), tally in said.items():
        if keys[1] <= populations[stratum].rules.kontra_max_level:
            total = said[stratum, (ALL, *keys[1:])]
            rows.append(Row(stratum, keys, (), (cell("rate", tally.rate(total.deff)),)))
    keys = (*_OWN_KEYS, *split_columns(selection, own=("component", "step_level")))
    return Table("said", keys, (), _SAID_FIGURES, tuple(sorted(_without_lone_total(rows), key=_place)))


def _without_lone_total(rows: list[Row]) -> list[Row]:
    """Return the rows without totals that repeat the only row beside them."""
    beside: dict[Any, int] = defaultdict(int)
    for row in rows:
        beside[row.stratum, row.keys[1:]] += row.keys[0] != ALL
    return [row for row in rows if row.keys[0] != ALL or beside[row.stratum, row.keys[1:]] > 1]


def _place(row: Row) -> tuple[Any, ...]:
    component, level, *by = row.keys
    number = len(PART_TEXTS) if component == ALL else PART_TEXTS.index(component)
    return row.stratum, number, level, sortable(by)
