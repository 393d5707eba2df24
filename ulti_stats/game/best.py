"""The best contract of a hand with open cards: which bid, trump and discard pays the declarer most.

Parts solved apart bound what a contract pays from above. Whole contracts are solved only where the bound is above what
is found already, the most promising first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ulti_stats.game.auction import with_hand
from ulti_stats.game.bids import N_PARTS, SILENT_TEXTS, Component
from ulti_stats.game.cards import cards_of
from ulti_stats.game.history import HandHistory
from ulti_stats.game.parts import Part, parts_of, rules_out, trumps_of
from ulti_stats.game.rule_table import DURCHMARS_REPLACES, HUNDRED_REPLACES, SILENT_SET, IntArray
from ulti_stats.game.rulesets import Bid, Ruleset
from ulti_stats.game.scoring import silent_base
from ulti_stats.game.solver.position import Position, Positions, deals
from ulti_stats.game.solver.solve import Measure, Solver, solver_for

# Cheap searches first: what they rule out needs no dearer one.
_CHEAPEST = (
    Component.DURCHMARS,
    Component.BETLI,
    Component.ULTI,
    Component.FOUR_ACES,
    Component.FORTY_HUNDRED,
    Component.TWENTY_HUNDRED,
    Component.SIMPLE,
)
_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class BestContract:
    """A contract with its trump, the two cards to lay (0 where nothing is laid) and its par: units of both defenders."""

    bid: Bid
    trump: int
    discard: int
    both: int


@dataclass(frozen=True, slots=True)
class Table:
    """The cards of a deal by seat, the declarer with ten or twelve, the talon where he has ten, and who declares and begins."""

    hands: tuple[int, int, int]
    talon: int
    declarer: int
    forehand: int

    @property
    def discards(self) -> tuple[int, ...]:
        """Return what the declarer may lay: every pair of twelve cards, nothing of ten."""
        own = self.hands[self.declarer]
        if own.bit_count() == 10:
            return (0,)
        return tuple(1 << first | 1 << second for first, second in combinations(cards_of(own), 2))


def available(rules: Ruleset, standing: Bid | None) -> tuple[Bid, ...]:
    """Return the bids that may follow what others bid at last (None: nobody did)."""
    return tuple(bid for bid in rules.ladder if standing is None or rules.overbids(bid, standing))


def best_contract(rules: Ruleset, table: Table, bids: Iterable[Bid], *, first: Bid | None = None) -> BestContract | None:
    """Return the contract that pays the declarer most with open cards and no kontra; None where there is no bid.

    `first` is a bid to begin with: a good guess saves work and changes nothing else.
    """
    search = _Search(rules, table)
    ordered = sorted(bids, key=lambda bid: (bid != first, -bid.value))
    for bid in ordered:
        for trump in trumps_of(rules, bid):
            search.consider(bid, trump)
    return search.best


def best_of_hand(position: Position, history: HandHistory) -> BestContract | None:
    """Return the best contract that a hand's declarer could have had, over what the others bid at last.

    `position` is the hand's at its first lead. Where he held the talon he may lay any two of his twelve cards, else he
    keeps his ten.
    """
    contract, rules = position.contract, position.rules
    held_talon = rules.talon_mode in ("rob", "winner_takes") or (
        rules.talon_mode == "rob_optional" and contract.pickup is not None
    )
    hands, talon = contract.hands, contract.laid
    if held_talon:
        hands, talon = with_hand(hands, contract.declarer, hands[contract.declarer] | talon), 0
    table = Table(hands, talon, contract.declarer, contract.forehand)
    others = [call.bid for call in history.auction or () if not call.is_pass and call.seat != contract.declarer]
    standing = rules.bid(others[-1]) if others else None
    # A bid that was held or confirmed does not overbid what stood.
    bids = dict.fromkeys((contract.bid, *available(rules, standing)))
    return best_contract(rules, table, bids, first=contract.bid)


class _Search:
    """What is known so far of one deal: parts by discard, and the best contract."""

    def __init__(self, rules: Ruleset, table: Table):
        self.rules = rules
        self.table = table
        self.solver: Solver = solver_for(rules)
        self.discards = table.discards
        self.best: BestContract | None = None
        self._made: dict[Part, IntArray] = {}

    def consider(self, bid: Bid, trump: int) -> None:
        """Solve a bid in a trump for every discard by which it might pay more than the best so far."""
        own = self.table.hands[self.table.declarer]
        left = np.array(
            [
                place
                for place, discard in enumerate(self.discards)
                if not any(rules_out(component, trump, own & ~discard) for component in bid.components)
            ],
            np.int64,
        )
        bounds = np.full(len(left), self._silent_most(bid) + bid.value, np.int64)
        parts = sorted(parts_of(self.rules, bid, trump), key=lambda part: _CHEAPEST.index(part.component))
        for part in parts:
            left, bounds = self._above(left, bounds)
            if not len(left):
                return
            bounds = bounds - np.where(self._is_made(part, bid, left), 0, self._swing(bid, part.component))
        left, bounds = self._above(left, bounds)
        if len(left) and self._silent_most(bid):
            bounds = bounds - self._silent_most(bid) + self._silents(bid, trump, left)
        order = np.argsort(-bounds, kind="stable")
        for start in range(0, len(order), _AT_ONCE):
            some = order[start : start + _AT_ONCE]
            some = some[self._is_open(bounds[some])]
            if not len(some):
                return
            values = self.solver.values(self._positions(bid, trump, left[some]), Measure.UNITS)
            for place, both in zip(left[some].tolist(), values.tolist(), strict=True):
                if self.best is None or both > self.best.both:
                    self.best = BestContract(bid, trump, self.discards[place], both)

    def _above(self, left: IntArray, bounds: IntArray) -> tuple[IntArray, IntArray]:
        keep = self._is_open(bounds)
        return left[keep], bounds[keep]

    def _is_open(self, bounds: IntArray) -> np.ndarray:
        """Return which bounds, units per defender, are above the best so far."""
        if self.best is None:
            return np.ones(len(bounds), bool)
        return 2 * bounds > self.best.both

    def _swing(self, bid: Bid, component: Component) -> int:
        """Return by how much a bid pays less where a part is lost."""
        value = dict(zip(bid.components, bid.values, strict=True))[component]
        penalty = self.rules.ulti_fail_penalty * bid.multiplier if component is Component.ULTI else 0
        if component is Component.SIMPLE and self._replaces():
            return value  # a silent bonus may take the place of the lost simple game
        return 2 * value + penalty

    def _replaces(self) -> bool:
        flags = self.solver.table.flags
        return bool(flags[HUNDRED_REPLACES] or flags[DURCHMARS_REPLACES])

    def _is_made(self, part: Part, bid: Bid, places: IntArray) -> np.ndarray:
        """Return whether a part can be made for each discard, solved where nobody asked before."""
        made = self._made.setdefault(part, np.full(len(self.discards), -1, np.int64))
        new = places[made[places] < 0]
        if len(new):
            made[new] = np.maximum(self.solver.made(self._positions(bid, part.trump, new), part.component), 0)
        return made[places] == 1

    def _silent_values(self, bid: Bid) -> Iterator[tuple[Component, int]]:
        """Yield the silent bonuses that a bid can win, with their units."""
        if not bid.has_trumps:
            return
        flags = self.solver.table.flags
        for number in range(N_PARTS, N_PARTS + len(SILENT_TEXTS) - 1):
            if flags[SILENT_SET] >> number & 1:
                yield Component(number), int(silent_base(self.solver.table, bid.number, number))

    def _silent_most(self, bid: Bid) -> int:
        return sum(value for _, value in self._silent_values(bid))

    def _silents(self, bid: Bid, trump: int, places: IntArray) -> IntArray:
        """Return what silent bonuses can bring at most, each solved by itself."""
        positions = self._positions(bid, trump, places)
        total = np.zeros(len(places), np.int64)
        for component, value in self._silent_values(bid):
            total += np.where(self.solver.made(positions, component) == 1, value, 0)
        return total

    def _positions(self, bid: Bid, trump: int, places: IntArray) -> Positions:
        discards = np.array(self.discards, np.int64)[places]
        hands = np.repeat(np.array([self.table.hands], np.int64), len(places), axis=0)
        hands[:, self.table.declarer] &= ~discards
        return deals(
            self.rules,
            hands=hands,
            laid=discards | self.table.talon,
            bid=bid.number,
            trump=trump,
            declarer=self.table.declarer,
            forehand=self.table.forehand,
        )
