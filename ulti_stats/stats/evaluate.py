"""What a hand is worth: the chance of each part of each bid, and its units, over layouts of the cards that one cannot see.

Every layout is solved with open cards. The discard and trump of a bid are chosen on some layouts, by halving the field
again and again, and valued on others: what is picked as the best of many noisy means would look better than it is.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ulti_stats.errors import UltiError
from ulti_stats.game.cards import ACES, SUIT_MASKS, TENS, Suit, cards_of
from ulti_stats.game.layouts import CHOOSING, VALUING, Known
from ulti_stats.game.parts import parts_of, rules_out, trumps_of
from ulti_stats.game.rule_table import NO_TRUMP
from ulti_stats.game.rulesets import Bid, Ruleset
from ulti_stats.stats.estimates import Interval, mean, wilson, wilson_bounds
from ulti_stats.stats.part_chances import Need, PartChances, units_of
from ulti_stats.stats.quantiles import Z95

# Layouts on which candidates are compared, and how many go on from there.
ROUNDS = ((12, 40), (48, 12), (160, 4), (320, 1))
LEAST_LAYOUTS = 200
EXACT_LAYOUTS = 200


@dataclass(frozen=True, slots=True)
class PartValue:
    """The chance that a part is made with open cards; `is_ruled_out` where the cards lack what it needs."""

    component: str
    made: Interval
    is_ruled_out: bool = False


@dataclass(frozen=True, slots=True)
class BidValue:
    """A bid with its best trump and discard, and what they are worth.

    `units` are per defender: the named and implied parts, each solved apart, an upper bound of what the contract pays
    for them. `exact` is the whole contract, silent bonuses included, where asked for. `n_screened` are the layouts on
    which the last candidates were compared, `n_candidates` all pairs of trump and discard.
    """

    bid: str
    value: int
    trump: str | None
    discard: int
    parts: tuple[PartValue, ...]
    units: Interval
    n_screened: int
    n_candidates: int
    exact: Interval | None = None

    @property
    def is_ruled_out(self) -> bool:
        """Return whether a part lacks its marriage or its trump seven."""
        return any(part.is_ruled_out for part in self.parts)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The value of a hand under a ruleset, bid by bid, lowest first; `n_solved` counts positions solved."""

    rules: Ruleset
    own: int
    seat: int
    n_passed: int
    precision: float
    seed: int
    bids: tuple[BidValue, ...]
    n_ruled_out: int
    n_solved: int

    def bid(self, name: str) -> BidValue:
        """Return the value of one bid; raises `UltiError` where it is not shown."""
        for found in self.bids:
            if found.bid == name:
                return found
        raise UltiError(f"bid '{name}' is not among those that these cards allow; ask for all of them")

    @property
    def best(self) -> BidValue:
        """Return the bid of most units."""
        return max(self.bids, key=lambda found: -math.inf if found.units.value is None else found.units.value)


@dataclass(frozen=True, slots=True)
class _Field:
    """A bid with the pairs of trump and discard (number into the list) that come into question."""

    bid: Bid
    pairs: tuple[tuple[int, int], ...]


def evaluate(
    own: int,
    rules: Ruleset,
    *,
    seat: int = 0,
    n_passed: int = 0,
    show_all: bool = False,
    is_exact: bool = False,
    precision: float = 0.02,
    seed: int = 1,
    workers: int | None = None,
    bids: Sequence[str] = (),
    ready: Callable[[], None] | None = None,
) -> Evaluation:
    """Return what a hand of ten or twelve cards (a mask) is worth to a declarer at `seat` (0 forehand, 1, 2).

    With twelve cards the best two are laid; ten are played as they stand, with two unknown cards in the talon. `bids`
    picks some, else every bid is valued that the cards do not rule out, with `show_all` the others too. `precision` is
    half the width of a 95 % interval of a chance. `ready` is called when all arguments are found right, before anything is
    solved. Raises `UltiError` for wrong arguments.
    """
    known = Known(own, n_passed)
    if seat not in (0, 1, 2):
        raise UltiError(f"seat {seat} is not possible; right is 0 (forehand), 1 or 2")
    if not 0.001 <= precision <= 0.25:
        raise UltiError(f"precision {precision:g} is not possible; right is 0.001 to 0.25, as 0.02 for ±2 %")
    discards = _discards(own)
    asked = [rules.bid(name) for name in bids] or list(rules.ladder)
    fields = [_field(rules, bid, own, discards, show_all=show_all) for bid in asked]
    shown = [field for field in fields if field.pairs]
    if ready is not None:
        ready()
    # Seats are turned so that the declarer sits at 0.
    place = {"forehand": (3 - seat) % 3, "seed": seed, "workers": workers or os.cpu_count() or 1}
    choosing = PartChances(rules, known, discards, purpose=CHOOSING, n_layouts=ROUNDS[-1][0], **place)
    chosen = _choose(choosing, shown)
    sizes = [_layouts_needed(choosing, field, pair, precision) for field, pair in zip(shown, chosen, strict=True)]
    valuing = PartChances(rules, known, discards, purpose=VALUING, n_layouts=max([*sizes, EXACT_LAYOUTS]), **place)
    for field, pair, n_layouts in zip(shown, chosen, sizes, strict=True):
        valuing.solve(_needs(rules, field.bid, [pair]), n_layouts)
    found = tuple(
        _value(valuing, field, pair, n_layouts, is_exact=is_exact)
        for field, pair, n_layouts in zip(shown, chosen, sizes, strict=True)
    )
    return Evaluation(
        rules=rules,
        own=own,
        seat=seat,
        n_passed=n_passed,
        precision=precision,
        seed=seed,
        bids=found,
        n_ruled_out=len(fields) - len(shown),
        n_solved=choosing.n_solved + valuing.n_solved,
    )


# what can be bid --------------------------------------------------------------------------------------------------


def _discards(own: int) -> tuple[int, ...]:
    """Return every pair that twelve cards may lay; ten lay nothing."""
    if own.bit_count() == 10:
        return (0,)
    return tuple(1 << first | 1 << second for first, second in combinations(cards_of(own), 2))


def _field(rules: Ruleset, bid: Bid, own: int, discards: Sequence[int], *, show_all: bool) -> _Field:
    pairs = [(trump, number) for trump in trumps_of(rules, bid) for number in range(len(discards))]
    # Of equal ones the first is chosen: no trumps laid, no points, low cards.
    pairs.sort(key=lambda pair: _worth_keeping(discards[pair[1]], pair[0]))
    allowed = [
        (trump, number)
        for trump, number in pairs
        if not any(rules_out(component, trump, own & ~discards[number]) for component in bid.components)
    ]
    return _Field(bid, tuple(allowed or (pairs if show_all else ())))


def _worth_keeping(cards: int, trump: int) -> tuple[int, int, int]:
    """Return what sorts discards where open cards make no difference: trumps, aces and tens, ranks."""
    trumps = cards & SUIT_MASKS[trump] if trump != NO_TRUMP else 0
    return trumps.bit_count(), (cards & (ACES | TENS)).bit_count(), sum(card & 7 for card in cards_of(cards))


def _needs(rules: Ruleset, bid: Bid, pairs: Iterable[tuple[int, int]]) -> list[Need]:
    by_trump: dict[int, list[int]] = {}
    for trump, number in pairs:
        by_trump.setdefault(trump, []).append(number)
    return [Need(part, bid.number, tuple(numbers)) for trump, numbers in by_trump.items() for part in parts_of(rules, bid, trump)]


# choosing ---------------------------------------------------------------------------------------------------------


def _choose(chances: PartChances, fields: Sequence[_Field]) -> list[tuple[int, int]]:
    """Return trump and discard for each bid: in every round those of most units so far go on."""
    left = {field.bid.name: list(field.pairs) for field in fields}
    for n_layouts, n_kept in ROUNDS:
        open_fields = [field for field in fields if len(left[field.bid.name]) > 1]
        chances.solve(
            (need for field in open_fields for need in _needs(chances.rules, field.bid, left[field.bid.name])), n_layouts
        )
        for field in open_fields:
            pairs = left[field.bid.name]
            worth = [_mean_units(chances, field.bid, pair, n_layouts) for pair in pairs]
            order = sorted(range(len(pairs)), key=lambda place: -worth[place])
            left[field.bid.name] = [pairs[place] for place in order[:n_kept]]
    return [left[field.bid.name][0] for field in fields]


def _mean_units(chances: PartChances, bid: Bid, pair: tuple[int, int], n_layouts: int) -> float:
    trump, number = pair
    rates = {part.component: chances.made(part)[number, :n_layouts].mean() for part in parts_of(chances.rules, bid, trump)}
    return float(units_of(chances.rules, bid, rates))


def _layouts_needed(chances: PartChances, field: _Field, pair: tuple[int, int], precision: float) -> int:
    """Return how many layouts give every part of a bid the precision asked for, by what choosing saw of it."""
    trump, number = pair
    needed = LEAST_LAYOUTS
    for part in parts_of(chances.rules, field.bid, trump):
        seen = chances.made(part)[number]
        seen = seen[seen >= 0]
        low, high = wilson_bounds(float(seen.mean()), len(seen)) if len(seen) else (0.0, 1.0)
        needed = max(needed, layouts_for(min(max(0.5, low), high), precision))
    return needed


def layouts_for(rate: float, precision: float) -> int:
    """Return how many layouts put a chance within ± `precision` at 95 %.

    >>> layouts_for(0.5, 0.02), layouts_for(0.9, 0.02)
    (2401, 865)
    """
    return math.ceil(rate * (1 - rate) * (Z95 / precision) ** 2 - 1e-9)


# valuing ----------------------------------------------------------------------------------------------------------


def _value(chances: PartChances, field: _Field, pair: tuple[int, int], n_layouts: int, *, is_exact: bool) -> BidValue:
    trump, number = pair
    bid, discard = field.bid, chances.discards[number]
    hand = chances.known.own & ~discard
    made = {part.component: chances.made(part)[number, :n_layouts] for part in parts_of(chances.rules, bid, trump)}
    parts = tuple(
        PartValue(component.text, wilson(int(seen.sum()), len(seen)), rules_out(component, trump, hand))
        for component, seen in made.items()
    )
    return BidValue(
        bid=bid.name,
        value=bid.value,
        trump=None if trump == NO_TRUMP else Suit(trump).text,
        discard=discard,
        parts=parts,
        units=mean(units_of(chances.rules, bid, made)),
        n_screened=ROUNDS[-1][0] if len(field.pairs) > 1 else 0,
        n_candidates=len(field.pairs),
        exact=_exact(chances, field.bid, pair) if is_exact else None,
    )


def _exact(chances: PartChances, bid: Bid, pair: tuple[int, int]) -> Interval:
    """Return what the whole contract pays a defender, over fewer of the layouts."""
    trump, number = pair
    places = np.column_stack([np.full(EXACT_LAYOUTS, number), np.arange(EXACT_LAYOUTS)])
    return mean(chances.units(bid.number, trump, places) / 2)
