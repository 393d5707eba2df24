"""The sums behind a rescore, by contract and by component: of hands one by one, and of many at once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game.bids import BID_NAMES, COMPONENT_TEXTS
from ulti_stats.game.result import ComponentResult, Replay
from ulti_stats.game.verdicts import SETTLED
from ulti_stats.stats.estimates import Moments
from ulti_stats.stats.rescoring import Pair
from ulti_stats.stats.rescoring_rows import REASONS, Rescored
from ulti_stats.stats.tally import Session, Tally

ALL, PASSED_OUT = "all", "passed out"
_CONTRACTS = (*BID_NAMES, PASSED_OUT)
Array = NDArray[Any]


@dataclass(slots=True)
class Sums:
    """Tallies of one stratum, by contract and by component."""

    units: dict[str, dict[str, Tally]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Tally)))
    parts: dict[str, dict[str, Tally]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Tally)))
    reasons: Counter[str] = field(default_factory=Counter)
    hands: int = 0
    # Hands that are legal under both rules, and those of them in which a component was in play, by session.
    legal: Counter[Session] = field(default_factory=Counter)
    in_play: dict[str, Counter[Session]] = field(default_factory=lambda: defaultdict(Counter))
    sessions: set[Session] = field(default_factory=set)


# --- one hand ---------------------------------------------------------------------------------------------------------


def count_hand(pair: Pair, sums: Sums) -> None:
    """Add one hand under both rules."""
    sums.hands += 1
    if pair.session is not None:
        sums.sessions.add(pair.session)
    if pair.other is None:
        sums.reasons[pair.reason] += 1
        return
    sums.legal[pair.session] += 1
    own, other = _account(pair.own), _account(pair.other)
    contract = pair.own.contract.name if pair.own.contract else PASSED_OUT
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


def _count_parts(own: Replay, other: Replay, session: Session, sums: Sums) -> None:
    """Count every component in every hand: one that is not in play pays nothing there."""
    pair = [{part.component: part for part in replay.components} for replay in (own, other)]
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


# --- many hands -------------------------------------------------------------------------------------------------------


def count_hands(found: Rescored, sums: Sums) -> None:
    """Add the hands of one stratum under both rules, the same as `count_hand` one by one."""
    sums.hands += len(found.verdicts)
    sums.sessions |= {found.sessions[number] for number in np.unique(found.session).tolist() if number >= 0}
    refused = found.verdicts[found.verdicts != SETTLED]
    for verdict, number in zip(*(values.tolist() for values in np.unique(refused, return_counts=True)), strict=True):
        sums.reasons[REASONS[verdict]] += number
    if not len(found.legal):
        return
    session = found.session[found.legal]
    for one, _, number in _Groups(session, found.sessions).counts():
        sums.legal[one] += number
    own, other = found.own, found.other
    groups = _Groups(session, found.sessions, found.contract)
    values = {"units_a": own.units, "units_b": other.units, "difference": other.units - own.units}
    for name, units in values.items():
        groups.add(units, lambda key, name=name: (sums.units[_CONTRACTS[key]][name], sums.units[ALL][name]))
    changed = (own.payoffs != other.payoffs).any(axis=0)
    groups.add(changed, lambda key: (sums.units[_CONTRACTS[key]]["changed"], sums.units[ALL]["changed"]), is_rate=True)
    for component in range(len(COMPONENT_TEXTS)):
        _count_component(component, found, session, sums)


def _count_component(component: int, found: Rescored, session: Array, sums: Sums) -> None:
    own, other = found.own, found.other
    name = COMPONENT_TEXTS[component]
    rows = np.flatnonzero(own.in_play[component] | other.in_play[component])
    if not len(rows):
        return
    tallies = sums.parts[name]
    for key, side in (("made_a", own), ("made_b", other)):
        tried = np.flatnonzero(side.in_play[component])
        is_made = side.outcome[component, tried] == 1
        _Groups(session[tried], found.sessions).add(is_made, lambda _, key=key: (tallies[key],), is_rate=True)
    groups = _Groups(session[rows], found.sessions)
    for one, _, number in groups.counts():
        sums.in_play[name][one] += number
    first, second = own.paid[component, rows], other.paid[component, rows]
    for key, units in (("per_hand_a", first), ("per_hand_b", second), ("per_hand_difference", second - first)):
        groups.add(units, lambda _, key=key: (tallies[key],))


class _Groups:
    """Hands by session and by key (one key for all where none is given), each sum over them one scan."""

    def __init__(self, session: Array, sessions: tuple[Session, ...], keys: Array | None = None) -> None:
        width = len(sessions) + 1
        codes = session + 1 if keys is None else keys.astype(np.int64) * width + session + 1
        self._order = None if not len(codes) or codes.min() == codes.max() else np.argsort(codes, kind="stable")
        ordered = codes if self._order is None else codes[self._order]
        self._starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(codes) else np.zeros(0, np.int64)
        places = [divmod(code, width) for code in ordered[self._starts].tolist()]
        self._groups = [(None if place == 0 else sessions[place - 1], key) for key, place in places]
        self._sizes = np.diff(np.r_[self._starts, len(codes)]).tolist()

    def counts(self) -> Iterator[tuple[Session, int, int]]:
        """Yield each group as session, key and number of hands."""
        for (session, key), n in zip(self._groups, self._sizes, strict=True):
            yield session, key, n

    def add(self, values: Array, tallies: Callable[[int], tuple[Tally, ...]], *, is_rate: bool = False) -> None:
        """Add values, one a hand, to the tallies of each key; of a rate they are successes, which have no magnitude."""
        if not self._groups:
            return
        y = values.astype(np.int64)
        y = y if self._order is None else y[self._order]
        size = np.abs(y)
        sums = [np.add.reduceat(one, self._starts).tolist() for one in (y, y * y, size)]
        largest = np.maximum.reduceat(size, self._starts).tolist()
        for (session, key, n), total, squares, magnitude, most in zip(self.counts(), *sums, largest, strict=True):
            moments = Moments(n, total, n, squares, total, n)
            for tally in tallies(key):
                if is_rate:
                    tally.add(session, moments)
                else:
                    tally.add(session, moments, magnitude=magnitude, largest=most)
