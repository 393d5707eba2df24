"""Bids: how often a component and a contract are made by those who bid them (B1, B2), and what they pay (B3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ulti_stats.game.bids import PART_TEXTS
from ulti_stats.stats.answer import Cell, Figure, Measure, Report, Row, Table, cell, sortable
from ulti_stats.stats.contracts import Contracts, Outcome, add_units, outcome_of
from ulti_stats.stats.estimates import Moments
from ulti_stats.stats.makeable import with_makeable
from ulti_stats.stats.population import Population, Stratum, chosen_digests, count_beside, stratum_of
from ulti_stats.stats.selection import (
    Selection,
    Warehouse,
    check_selection,
    of_one_version,
    split_columns,
    split_of,
)
from ulti_stats.stats.tally import Session, Tally, session_of

COUNTED = ("played", "conceded")
ALL = "all"
Key = tuple[Stratum, tuple[Any, ...]]

B1 = Measure("B1 component success", "How often is a component made by those who bid it?")
B2 = Measure("B2 contract success", "How often are all named parts made, the implied simple too (clean), and units won?")
B3 = Measure("B3 mean units", "What does a contract pay its declarer?")
WHY_FAILED = Measure("B2 why failed", "Where a contract was not clean, which parts failed? Shares may add to more than 100 %.")
_COMPONENT_FIGURES = (
    Figure("made", "made", "rate", B1),
    Figure("made_played", "made when played", "rate", B1),
)
_CONTRACT_FIGURES = (
    Figure("made", "made", "rate", B2),
    Figure("clean", "clean", "rate", B2),
    Figure("won", "won", "rate", B2),
    Figure("units", "per defender", "units", B3),
    Figure("declarer_units", "declarer", "units", B3),
    Figure("units_without_kontra", "kontra taken out", "units", B3),
)
_FAILURE_FIGURES = (Figure("share", "failed", "rate", WHY_FAILED),)


@dataclass(slots=True)
class _Sums:
    """What the rows of the tables are made from: one tally per row and figure."""

    components: dict[Key, tuple[Tally, Tally]] = field(default_factory=lambda: defaultdict(lambda: (Tally(), Tally())))
    conceded: dict[Key, int] = field(default_factory=lambda: defaultdict(int))
    contracts: dict[Key, dict[str, Tally]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Tally)))
    failures: dict[Key, Tally] = field(default_factory=lambda: defaultdict(Tally))
    totals: dict[tuple[Stratum, str], Tally] = field(default_factory=lambda: defaultdict(Tally))
    left_out: dict[Stratum, dict[str, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))


@of_one_version
def bid_success(warehouse: Warehouse, selection: Selection | None = None) -> Report:
    """Return how often components and contracts are made, and their mean units, per defender and for the declarer.

    Split by ruleset and source always, by `selection.by` too. Where the selection speaks of columns that only the view
    `components` has, contracts are left out. Raises `QueryError` for a selection that cannot be answered.
    """
    selection = selection or Selection()
    fit = check_selection(warehouse, selection, ("hands", "components"))
    counts_hands = "hands" in fit.views
    question = "bids" if counts_hands else "components"
    populations, counting, sent = count_beside(warehouse, selection, question, view=fit.condition_view, counted=COUNTED)
    sums, notes = _Sums(), []
    if counts_hands:
        _count_bids(sent.rows(), populations, selection, sums)
    else:
        _count_components(sent.rows(), selection, sums)
        notes.append("Contracts and units are left out: the condition or split is on columns of single components.")
    sessions = {stratum: len(tally.sessions) for (stratum, name), tally in sums.totals.items() if name == "components"}
    report = Report(
        name="bids",
        title="Bids: made and paid",
        selection=selection,
        populations=tuple(populations.values()),
        tables=tuple(table for table in _tables(sums, selection) if table.rows or table.name == "components"),
        queries=(counting, sent.query),
        counted=COUNTED,
        sessions=sessions,
        left_out={stratum: dict(found) for stratum, found in sums.left_out.items()},
        notes=tuple(notes),
    )
    if not counts_hands:
        return report
    return with_makeable(report, warehouse, selection, populations, chosen_digests(selection, populations))


# adding up --------------------------------------------------------------------------------------------------------


def _count_bids(
    rows: Iterable[Mapping[str, Any]], populations: Mapping[Stratum, Population], selection: Selection, sums: _Sums
) -> None:
    contracts = Contracts(populations)
    for row in rows:
        stratum, session = stratum_of(row), session_of(row)
        by, contract_by = split_of(row, selection), split_of(row, selection, own=("contract",))
        outcome = outcome_of(row, contracts.bid(stratum, row["contract"]))
        for part, ended in (("named", outcome.named), ("implied", outcome.implied)):
            for component, made in ended.items():
                _count_component(sums, stratum, session, component, part, by, made, row)
        for contract in (row["contract"], ALL):
            _count_contract(sums, (stratum, (contract, *contract_by)), session, outcome, row)


def _count_components(rows: Iterable[Mapping[str, Any]], selection: Selection, sums: _Sums) -> None:
    for row in rows:
        by = split_of(row, selection, own=("component", "part"))
        _count_component(sums, stratum_of(row), session_of(row), row["component"], row["part"], by, row["made"], row)


def _count_component(
    sums: _Sums, stratum: Stratum, session: Session, component: str, part: str, by: tuple[Any, ...], made: bool | None, row: Any
) -> None:
    hands = row["hands"]
    if made is None:
        sums.left_out[stratum]["components without a known outcome"] += hands
        return
    won = hands if made else 0
    sums.totals[stratum, "components"].count(session, k=won, n=hands)
    for which in (part, "both"):
        key = (stratum, (component, which, *by))
        every, played = sums.components[key]
        every.count(session, k=won, n=hands)
        if row["termination"] == "played":
            played.count(session, k=won, n=hands)
        else:
            sums.conceded[key] += hands


def _count_contract(sums: _Sums, key: Key, session: Session, outcome: Outcome, row: Mapping[str, Any]) -> None:
    stratum, (contract, *by) = key
    hands, tallies, parts = row["hands"], sums.contracts[key], outcome.parts
    if outcome.is_made is not None:
        tallies["made"].count(session, k=hands * outcome.is_made, n=hands)
    if outcome.is_clean is not None:
        tallies["clean"].count(session, k=hands * outcome.is_clean, n=hands)
    if outcome.is_clean is False and contract != ALL and len(parts) > 1:
        for component, made in parts.items():
            sums.failures[stratum, (contract, component, *by)].count(session, k=hands * (not made), n=hands)
    if row["termination"] == "conceded":
        sums.conceded[key] += hands
    if contract == ALL and row["paid"] < hands:
        sums.left_out[stratum]["hands without known units"] += hands - row["paid"]
    if row["paid"]:
        tallies["won"].count(session, k=row["won"], n=row["paid"])
        add_units(tallies["units"], session, row)
        add_units(tallies["declarer_units"], session, row, column="declarer_units")
    if row["known_without_kontra"] and not row["is_sheet"]:
        n, units = row["known_without_kontra"], row["units_without_kontra"]
        sums_without = Moments(n, units, n, row["units_without_kontra_squared"], units, n)
        tallies["units_without_kontra"].add(session, sums_without)


# tables -----------------------------------------------------------------------------------------------------------


def _tables(sums: _Sums, selection: Selection) -> tuple[Table, ...]:
    return _component_table(sums, selection), _contract_table(sums, selection), _failure_table(sums, selection)


def _component_table(sums: _Sums, selection: Selection) -> Table:
    rows = []
    for (stratum, keys), (every, played) in sums.components.items():
        component, part, *by = keys
        has = {which: (stratum, (component, which, *by)) in sums.components for which in ("named", "implied")}
        if part == "both" and not all(has.values()):
            continue
        deff = sums.totals[stratum, "components"].deff
        cells = (cell("rate", every.rate(deff)), cell("rate", played.rate(deff)))
        rows.append(Row(stratum, keys, (sums.conceded[stratum, keys],), cells))
    rows.sort(key=lambda row: (row.stratum, PART_TEXTS.index(row.keys[0]), sortable(row.keys[2:]), _PART_ORDER[row.keys[1]]))
    keys = ("component", "part", *split_columns(selection, own=("component", "part")))
    return Table("components", keys, ("conceded",), _COMPONENT_FIGURES, tuple(rows), charted=("made",))


_PART_ORDER = {"named": 0, "implied": 1, "both": 2}


def _contract_table(sums: _Sums, selection: Selection) -> Table:
    contracts: dict[Stratum, set[str]] = defaultdict(set)
    for stratum, (contract, *_) in sums.contracts:
        contracts[stratum].add(contract)
    rows = []
    for (stratum, keys), tallies in sums.contracts.items():
        if keys[0] == ALL and len(contracts[stratum]) == 2:
            continue
        total = sums.contracts.get((stratum, (ALL, *keys[1:])), {})
        cells = tuple(_contract_cell(figure, tallies[figure.name], total.get(figure.name)) for figure in _CONTRACT_FIGURES)
        rows.append(Row(stratum, keys, (sums.conceded[stratum, keys],), cells))
    # The commonest contract first: what one looks for, and an order that no figure decides.
    size = {(row.stratum, row.keys[0]): 0 for row in rows}
    for row in rows:
        size[row.stratum, row.keys[0]] += max(one.interval.n for one in row.cells)
    rows.sort(
        key=lambda row: (row.stratum, row.keys[0] == ALL, -size[row.stratum, row.keys[0]], row.keys[0], sortable(row.keys[1:]))
    )
    keys = ("contract", *split_columns(selection, own=("contract",)))
    return Table("contracts", keys, ("conceded",), _CONTRACT_FIGURES, tuple(rows), charted=("made", "units"))


def _contract_cell(figure: Figure, tally: Tally, total: Tally | None) -> Cell:
    if figure.kind == "rate":
        return cell("rate", tally.rate(total.deff if total else 1.0))
    is_paid = figure.name != "units_without_kontra"
    return cell("units", tally.mean(), one_hand_rules=is_paid and tally.one_hand_rules)


def _failure_table(sums: _Sums, selection: Selection) -> Table:
    rows = [Row(stratum, keys, (), (cell("rate", tally.rate()),)) for (stratum, keys), tally in sums.failures.items()]
    rows.sort(key=lambda row: (row.stratum, row.keys[0], sortable(row.keys[2:]), PART_TEXTS.index(row.keys[1])))
    return Table(
        "failures",
        ("contract", "component", *split_columns(selection, own=("contract",))),
        (),
        _FAILURE_FIGURES,
        tuple(rows),
    )
