"""Rescore (C2): the same decisions under other rules, paired hand by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable
from typing import Protocol

import pyarrow as pa

from ulti_stats.game.bids import COMPONENT_TEXTS, N_PARTS
from ulti_stats.game.history import HandHistory
from ulti_stats.game.rulesets import Ruleset
from ulti_stats.stats.answer import Cell, Figure, Measure, Report, Row, Table, cell
from ulti_stats.stats.estimates import Moments
from ulti_stats.stats.population import Stratum, count_population
from ulti_stats.stats.rescore_sums import ALL, Sums, count_hand, count_hands
from ulti_stats.stats.rescoring import UNKNOWN, rescore_hands
from ulti_stats.stats.rescoring_rows import COLUMNS, IN_BULK, rescore_rows
from ulti_stats.stats.selection import Query, Selection, Warehouse, check_selection
from ulti_stats.stats.tally import Session, Tally

COUNTED = ("played", "conceded", "passed_out")
C2 = Measure("C2 rescore", "What do the same decisions pay under the other rules?")
MADE = Measure("C2 parts made", "How often is a component made, where it is in play under these rules and under those?")
WORTH = Measure("C2 worth of parts", "What does a component bring the declarer, over all hands?")
LEGAL = Measure("C2 legal", "Which hands can be played under the other rules, and what is illegal there?")
_UNIT_FIGURES = (
    Figure("units_a", "own rules", "units", C2),
    Figure("units_b", "other rules", "units", C2),
    Figure("difference", "difference", "units", C2),
    Figure("changed", "pay otherwise", "rate", C2),
)
_PART_FIGURES = (
    Figure("made_a", "own rules", "rate", MADE),
    Figure("made_b", "other rules", "rate", MADE),
    Figure("per_hand_a", "own rules", "units", WORTH),
    Figure("per_hand_b", "other rules", "units", WORTH),
    Figure("per_hand_difference", "difference", "units", WORTH),
)
_REASON_FIGURES = (Figure("share", "share", "rate", LEGAL),)


class Histories(Warehouse, Protocol):
    """What a rescore needs of the store: the connection, and the recorded histories of hands."""

    def histories(self, where: str | None = None) -> Iterable[HandHistory]:
        """Return the histories of the hands that meet a condition."""
        ...

    def stored(self, columns: tuple[str, ...], where: str | None = None) -> Iterable[pa.Table]:
        """Return stored columns of the hands that meet a condition, some rows at a time."""
        ...


def rescore(warehouse: Histories, rules: Ruleset, selection: Selection | None = None) -> Report:
    """Return how payoffs, success and the order of contracts by mean units change under other rules, hand by hand.

    Units are on the declarer's account. Hands whose decisions are illegal under `rules` are counted by reason. The play
    is held still: people would play otherwise. Raises `QueryError` for a selection that cannot be answered.
    """
    selection = selection or Selection()
    check_selection(warehouse, Selection(selection.where, (), selection.rules), ("hands",))
    populations, counting = count_population(warehouse, selection, counted=COUNTED)
    sums, unknown = _count(warehouse, rules, selection, populations)
    return Report(
        name="rescore",
        title=f"Rescore: the same hands under {rules.id} {rules.digest[:8]}",
        selection=selection,
        populations=tuple(populations.values()),
        tables=(_unit_table(sums), _part_table(sums), _reason_table(sums)),
        queries=(counting, Query(_histories_sql(selection), {})),
        counted=COUNTED,
        sessions={stratum: len(found.sessions) for stratum, found in sums.items()},
        left_out={stratum: {UNKNOWN: number} for stratum, number in unknown.items()},
        notes=(
            "Units are on the declarer's account, 0 in a passed-out deal; a difference is the other rules less the own.",
            "The play is held still: how people would bid and play under the other rules is another question.",
        ),
    )


def _count(
    warehouse: Histories, rules: Ruleset, selection: Selection, populations: Container[Stratum]
) -> tuple[dict[Stratum, Sums], Counter[Stratum]]:
    """Return the sums of each stratum, and the hands of which the own result is not known; most hands are counted in bulk."""
    sums: dict[Stratum, Sums] = defaultdict(Sums)
    unknown: Counter[Stratum] = Counter()
    for found in rescore_rows(warehouse.stored(COLUMNS, _both(selection.where, IN_BULK)), rules):
        if found.stratum in populations:
            unknown[found.stratum] += found.n_open
            count_hands(found, sums[found.stratum])
    for pair in rescore_hands(iter(warehouse.histories(_both(selection.where, f"NOT {IN_BULK}"))), rules, unknown):
        if pair.stratum in populations:
            count_hand(pair, sums[pair.stratum])
    return sums, Counter({stratum: number for stratum, number in unknown.items() if number and stratum in populations})


def _both(where: str | None, condition: str) -> str:
    return f"(\n{where}\n) AND {condition}" if where else condition


def _histories_sql(selection: Selection) -> str:
    condition = f" WHERE {selection.where}" if selection.where else ""
    return f"SELECT * FROM hands{condition}"


def _cells(figures: tuple[Figure, ...], tallies: dict[str, Tally]) -> tuple[Cell, ...]:
    cells = []
    for figure in figures:
        tally = tallies[figure.name]
        if figure.kind == "rate":
            cells.append(cell("rate", tally.rate()))
        else:
            cells.append(cell("units", tally.mean(), one_hand_rules=tally.one_hand_rules))
    return tuple(cells)


def _unit_table(sums: dict[Stratum, Sums]) -> Table:
    """Return contracts with their place by mean units under both rules, best first under the own rules."""
    rows = []
    for stratum, found in sorted(sums.items()):
        places = [_places(found, name) for name in ("units_a", "units_b")]
        contracts = sorted((key for key in found.units if key != ALL), key=lambda key: places[0][key])
        for key in (ALL, *contracts) if contracts else ():
            ranks = (0, 0) if key == ALL else (places[0][key], places[1][key])
            rows.append(Row(stratum, (key,), ranks, _cells(_UNIT_FIGURES, found.units[key])))
    return Table("units", ("contract",), ("place, own", "place, other"), _UNIT_FIGURES, tuple(rows), charted=("difference",))


def _places(sums: Sums, figure: str) -> dict[str, int]:
    means = {key: tallies[figure].mean().value or 0.0 for key, tallies in sums.units.items() if key != ALL}
    ordered = sorted(means, key=lambda key: (-means[key], key))
    return {key: place for place, key in enumerate(ordered, 1)}


def _part_table(sums: dict[Stratum, Sums]) -> Table:
    rows = []
    for stratum, found in sorted(sums.items()):
        for name in COMPONENT_TEXTS:
            if name not in found.parts:
                continue
            tallies = found.parts[name]
            _fill(tallies, found.legal - found.in_play[name])
            rows.append(
                Row(
                    stratum,
                    (name, "silent" if COMPONENT_TEXTS.index(name) >= N_PARTS else "part"),
                    (),
                    _cells(_PART_FIGURES, tallies),
                )
            )
    return Table("components", ("component", "kind"), (), _PART_FIGURES, tuple(rows), charted=("per_hand_difference",))


def _fill(tallies: dict[str, Tally], absent: Counter[Session]) -> None:
    """Add the hands in which a component was in play under neither rules, each in its session: they pay 0."""
    for name in ("per_hand_a", "per_hand_b", "per_hand_difference"):
        for session, n in absent.items():
            tallies[name].add(session, Moments(n, 0, n, 0, 0, n))


def _reason_table(sums: dict[Stratum, Sums]) -> Table:
    rows = []
    for stratum, found in sorted(sums.items()):
        for reason, number in [("legal under both", found.hands - sum(found.reasons.values())), *_commonest(found.reasons)]:
            share = Tally()
            share.count(None, k=number, n=found.hands)
            rows.append(Row(stratum, (reason,), (number,), (cell("rate", share.rate()),)))
    return Table("legal", ("under the other rules",), ("hands",), _REASON_FIGURES, tuple(rows))


def _commonest(reasons: Counter[str]) -> list[tuple[str, int]]:
    return sorted(reasons.items(), key=lambda reason: (-reason[1], reason[0]))
