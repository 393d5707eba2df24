"""Rescore (C2): the same decisions under other rules, paired hand by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from ulti_stats.game.bids import COMPONENT_TEXTS, N_PARTS
from ulti_stats.game.history import HandHistory
from ulti_stats.game.result import ComponentResult, Replay
from ulti_stats.game.rulesets import Ruleset
from ulti_stats.stats.answer import Cell, Figure, Measure, Report, Row, Table, cell
from ulti_stats.stats.estimates import Moments
from ulti_stats.stats.population import Stratum, count_population
from ulti_stats.stats.rescoring import Pair, rescore_hands
from ulti_stats.stats.selection import Query, Selection, Warehouse, check_selection
from ulti_stats.stats.tally import Tally

COUNTED = ("played", "conceded", "passed_out")
ALL = "all"
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
Session = tuple[str | None, str] | None


class Histories(Warehouse, Protocol):
    """What a rescore needs of the store: the connection, and the recorded histories of hands."""

    def histories(self, where: str | None = None) -> Iterable[HandHistory]:
        """Return the histories of the hands that meet a condition."""
        ...


@dataclass(slots=True)
class _Sums:
    """Tallies of one stratum, by contract and by component."""

    units: dict[str, dict[str, Tally]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Tally)))
    parts: dict[str, dict[str, Tally]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Tally)))
    seen: set[str] = field(default_factory=set)
    reasons: Counter[str] = field(default_factory=Counter)
    hands: int = 0
    # Hands that are legal under both rules, and those of them in which a component was in play, by session.
    legal: Counter[Session] = field(default_factory=Counter)
    in_play: dict[str, Counter[Session]] = field(default_factory=lambda: defaultdict(Counter))
    sessions: set[Session] = field(default_factory=set)


def rescore(warehouse: Histories, rules: Ruleset, selection: Selection | None = None) -> Report:
    """Return how payoffs, success and the order of contracts by mean units change under other rules, hand by hand.

    Units are on the declarer's account. Hands whose decisions are illegal under `rules` are counted by reason. The play
    is held still: people would play otherwise. Raises `QueryError` for a selection that cannot be answered.
    """
    selection = selection or Selection()
    check_selection(warehouse, Selection(selection.where, (), selection.rules), ("hands",))
    populations, counting = count_population(warehouse, selection, counted=COUNTED)
    unknown: Counter[tuple[Stratum, str]] = Counter()
    sums: dict[Stratum, _Sums] = defaultdict(_Sums)
    for pair in rescore_hands(iter(warehouse.histories(selection.where)), rules, unknown):
        if pair.stratum in populations:
            _count(pair, sums[pair.stratum])
    left_out: dict[Stratum, dict[str, int]] = defaultdict(dict)
    for (stratum, reason), number in unknown.items():
        left_out[stratum][reason] = number
    return Report(
        name="rescore",
        title=f"Rescore: the same hands under {rules.id} {rules.digest[:8]}",
        selection=selection,
        populations=tuple(populations.values()),
        tables=(_unit_table(sums), _part_table(sums), _reason_table(sums)),
        queries=(counting, Query(_histories_sql(selection), {})),
        counted=COUNTED,
        sessions={stratum: len(found.sessions) for stratum, found in sums.items()},
        left_out=left_out,
        notes=(
            "Units are on the declarer's account, 0 in a passed-out deal; a difference is the other rules less the own.",
            "The play is held still: how people would bid and play under the other rules is another question.",
        ),
    )


def _histories_sql(selection: Selection) -> str:
    condition = f" WHERE {selection.where}" if selection.where else ""
    return f"SELECT * FROM hands{condition}"


def _count(pair: Pair, sums: _Sums) -> None:
    sums.hands += 1
    if pair.session is not None:
        sums.sessions.add(pair.session)
    if pair.other is None:
        sums.reasons[pair.reason] += 1
        return
    sums.legal[pair.session] += 1
    own, other = _account(pair.own), _account(pair.other)
    contract = pair.own.contract.name if pair.own.contract else "passed out"
    for key in (contract, ALL):
        tallies = sums.units[key]
        for name, units in (("units_a", own), ("units_b", other), ("difference", other - own)):
            _add(tallies[name], pair.session, units)
        tallies["changed"].count(pair.session, k=int(pair.own.payoffs != pair.other.payoffs), n=1)
    _count_parts(pair.own, pair.other, pair.session, sums)


def _account(replay: Replay) -> int:
    return 0 if replay.declarer is None or replay.payoffs is None else replay.payoffs[replay.declarer]


def _add(tally: Tally, session: Session, units: float) -> None:
    tally.add(session, Moments(1, units, 1, units * units, units, 1), magnitude=abs(units), largest=abs(units))


def _count_parts(own: Replay, other: Replay, session: Session, sums: _Sums) -> None:
    """Count every component in every hand: one that is not in play pays nothing there."""
    pair = [{part.component: part for part in replay.components} for replay in (own, other)]
    sums.seen |= pair[0].keys() | pair[1].keys()
    for name in COMPONENT_TEXTS:
        if name not in pair[0] and name not in pair[1]:
            continue
        tallies = sums.parts[name]
        sums.in_play[name][session] += 1
        for side, found in zip("ab", pair, strict=True):
            part = found.get(name)
            if part is not None:
                tallies[f"made_{side}"].count(session, k=int(bool(part.made)), n=1)
        first, second = _declarer_units(pair[0].get(name)), _declarer_units(pair[1].get(name))
        for key, units in (("per_hand_a", first), ("per_hand_b", second), ("per_hand_difference", second - first)):
            _add(tallies[key], session, units)


def _declarer_units(part: ComponentResult | None) -> int:
    return 0 if part is None or part.units is None else sum(part.units)


def _cells(figures: tuple[Figure, ...], tallies: dict[str, Tally]) -> tuple[Cell, ...]:
    cells = []
    for figure in figures:
        tally = tallies[figure.name]
        if figure.kind == "rate":
            cells.append(cell("rate", tally.rate()))
        else:
            cells.append(cell("units", tally.mean(), one_hand_rules=tally.one_hand_rules))
    return tuple(cells)


def _unit_table(sums: dict[Stratum, _Sums]) -> Table:
    """Return contracts with their place by mean units under both rules, best first under the own rules."""
    rows = []
    for stratum, found in sorted(sums.items()):
        places = [_places(found, name) for name in ("units_a", "units_b")]
        contracts = sorted((key for key in found.units if key != ALL), key=lambda key: places[0][key])
        for key in (ALL, *contracts) if contracts else ():
            ranks = (0, 0) if key == ALL else (places[0][key], places[1][key])
            rows.append(Row(stratum, (key,), ranks, _cells(_UNIT_FIGURES, found.units[key])))
    return Table("units", ("contract",), ("place, own", "place, other"), _UNIT_FIGURES, tuple(rows), charted=("difference",))


def _places(sums: _Sums, figure: str) -> dict[str, int]:
    means = {key: tallies[figure].mean().value or 0.0 for key, tallies in sums.units.items() if key != ALL}
    ordered = sorted(means, key=lambda key: (-means[key], key))
    return {key: place for place, key in enumerate(ordered, 1)}


def _part_table(sums: dict[Stratum, _Sums]) -> Table:
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


def _reason_table(sums: dict[Stratum, _Sums]) -> Table:
    rows = []
    for stratum, found in sorted(sums.items()):
        for reason, number in [("legal under both", found.hands - sum(found.reasons.values())), *found.reasons.most_common()]:
            share = Tally()
            share.count(None, k=number, n=found.hands)
            rows.append(Row(stratum, (reason,), (number,), (cell("rate", share.rate()),)))
    return Table("legal", ("under the other rules",), ("hands",), _REASON_FIGURES, tuple(rows))
