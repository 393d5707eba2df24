"""The talon as observed: how outcomes differ by what the declarer's last pickup brought and kept (T1, T8).

An association among those who declared, never the worth of a card: a good talon lets weak hands bid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ulti_stats.stats.answer import Figure, Measure, Report, Row, Table, cell, sortable
from ulti_stats.stats.contracts import Contracts, add_units, outcome_of
from ulti_stats.stats.population import Stratum, count_beside, stratum_of
from ulti_stats.stats.selection import (
    Selection,
    Warehouse,
    check_selection,
    of_one_version,
    split_columns,
    split_of,
)
from ulti_stats.stats.tally import Tally, session_of

COUNTED = ("played", "conceded")
T1 = Measure("T1 talon observed", "How did hands end by what the two cards of the last pickup were?")
T8 = Measure("T8 kept cards", "Of the two cards taken, how many stayed in the hand played?")
_OUTCOME_FIGURES = (
    Figure("made", "made", "rate", T1),
    Figure("won", "won", "rate", T1),
    Figure("units", "per defender", "units", T1),
    Figure("declarer_units", "declarer", "units", T1),
)
_KEPT_FIGURES = (Figure("share", "share", "rate", T8),)
NO_PICKUP = ("no pickup", "")
# What is counted among the two cards, in the order shown.
_FEATURES = {
    "cards kept": "kept",
    "aces": "pickup_aces",
    "tens": "pickup_tens",
    "trumps": "pickup_trumps",
    "trump seven": "pickup_trump_seven",
}
Key = tuple[Stratum, tuple[Any, ...]]
Tallies = dict[Key, dict[str, Tally]]


@of_one_version
def talon_observed(warehouse: Warehouse, selection: Selection | None = None) -> Report:
    """Return success and units by what the two cards of the declarer's last pickup brought, hands without one apart.

    Raises `QueryError` for a selection that cannot be answered.
    """
    selection = selection or Selection()
    fit = check_selection(warehouse, selection, ("hands", "talons"))
    populations, counting, sent = count_beside(warehouse, selection, "talon", view=fit.condition_view, counted=COUNTED)
    outcomes: Tallies = defaultdict(lambda: defaultdict(Tally))
    kept: Tallies = defaultdict(lambda: defaultdict(Tally))
    totals: dict[Stratum, Tally] = defaultdict(Tally)
    left_out = {stratum: {"cards unknown": one.counted} for stratum, one in populations.items()}
    for row in _folded(sent.rows(), Contracts(populations)):
        stratum = stratum_of(row)
        left_out[stratum]["cards unknown"] -= row["hands"]
        totals[stratum].count(session_of(row), k=0, n=row["hands"])
        _count(row, selection, outcomes)
        _count_kept(row, selection, kept)
    tables = (_outcome_table(outcomes, selection), _kept_table(kept, selection))
    return Report(
        name="talon",
        title="Talon: what the pickup brought, and what came of it",
        selection=selection,
        populations=tuple(populations.values()),
        tables=tables,
        queries=(counting, sent.query),
        counted=COUNTED,
        sessions={stratum: len(tally.sessions) for stratum, tally in totals.items()},
        left_out=left_out,
        notes=(
            "Association among those who declared, not what a card is worth: with a good talon weaker hands bid.",
            "A talon as dealt that forehand opened with is a pickup too (--by pickup_from). Trumps: games with trumps only.",
        ),
    )


def _folded(rows: Iterable[dict[str, Any]], contracts: Contracts) -> Iterable[dict[str, Any]]:
    """Return the rows with contracts and outcomes added up: how many hands of known outcome there are, and how many made."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        made = outcome_of(row, contracts.bid(stratum_of(row), row["contract"])).is_made
        row |= {"known": row["hands"] * (made is not None), "made": row["hands"] * bool(made)}
        key = tuple(str(value) for name, value in row.items() if name not in (*_SUMMED, "contract", "outcomes"))
        into = found.setdefault(key, row)
        if into is not row:
            into |= {name: (into[name] or 0) + (row[name] or 0) for name in _SUMMED if name != "units_largest"}
            into["units_largest"] = max(into["units_largest"] or 0, row["units_largest"] or 0)
    return found.values()


_SUMMED = ("hands", "known", "made", "paid", "won", "units", "units_squared", "units_moved", "units_largest")
_SUMMED += ("declarer_units", "declarer_units_squared")


def _places(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the rows of the table that a hand stands in."""
    if not row["had_pickup"]:
        yield NO_PICKUP
        return
    yield "pickup", "any"
    for feature, column in _FEATURES.items():
        value = row[column]
        if value is not None:
            yield feature, {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _count(row: Mapping[str, Any], selection: Selection, outcomes: Tallies) -> None:
    stratum, session, by = stratum_of(row), session_of(row), split_of(row, selection)
    for place in _places(row):
        tallies = outcomes[stratum, (*place, *by)]
        if row["known"]:
            tallies["made"].count(session, k=row["made"], n=row["known"])
        if row["paid"]:
            tallies["won"].count(session, k=row["won"], n=row["paid"])
            add_units(tallies["units"], session, row)
            add_units(tallies["declarer_units"], session, row, column="declarer_units")


def _count_kept(row: Mapping[str, Any], selection: Selection, kept: Tallies) -> None:
    if row["kept"] is None or row["termination"] != "played":
        return
    for number in range(3):
        key = stratum_of(row), (str(number), *split_of(row, selection))
        kept[key]["share"].count(session_of(row), k=row["hands"] * (row["kept"] == number), n=row["hands"])


def _outcome_table(outcomes: Tallies, selection: Selection) -> Table:
    total = {(stratum, keys[2:]): tallies for (stratum, keys), tallies in outcomes.items() if keys[0] == "pickup"}
    rows = []
    for (stratum, keys), tallies in outcomes.items():
        cells = []
        for figure in _OUTCOME_FIGURES:
            tally = tallies[figure.name]
            if figure.kind == "rate":
                beside = total.get((stratum, keys[2:]))
                deff = beside[figure.name].deff if beside else 1.0
                cells.append(cell("rate", tally.rate(deff)))
            else:
                cells.append(cell("units", tally.mean(), one_hand_rules=tally.one_hand_rules))
        rows.append(Row(stratum, keys, (), tuple(cells)))
    rows.sort(key=lambda row: (row.stratum, _ORDER[row.keys[0]], row.keys[1], sortable(row.keys[2:])))
    keys = ("pickup", "cards", *split_columns(selection))
    return Table("pickups", keys, (), _OUTCOME_FIGURES, tuple(rows), charted=("made", "units"))


_ORDER = {name: number for number, name in enumerate(("no pickup", "pickup", *_FEATURES))}


def _kept_table(kept: Tallies, selection: Selection) -> Table:
    rows = [Row(stratum, keys, (), (cell("rate", tallies["share"].rate()),)) for (stratum, keys), tallies in kept.items()]
    rows.sort(key=lambda row: (row.stratum, sortable(row.keys[1:]), row.keys[0]))
    return Table("kept", ("cards kept", *split_columns(selection)), (), _KEPT_FIGURES, tuple(rows))
