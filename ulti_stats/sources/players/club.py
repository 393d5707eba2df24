"""The `club` player: bids by the chance of each part, lays what is least missed, kontras and plays by known maxims.

For each trump suit a hand has a score for the simple game, the 100-games and the ulti (`club_tables`), which stands for
a chance; games without trumps go by exact odds of each suit. A bid is worth the sum of its parts, and the best bid that
may be called is called.
"""

from __future__ import annotations

import numpy as np

from ulti_stats.game.bids import N_PARTS, Component
from ulti_stats.game.jit import fused, inlined, lean, lowest, popcount
from ulti_stats.game.rule_table import (
    FOREHAND_LEADS,
    HEARTS,
    IS_OPEN,
    KNOWN,
    MULTIPLIER,
    MUST_OVERTAKE,
    NAMED,
    NO_TRUMP,
    PARTS,
    PLAIN_SUITS,
    TRUMP_CLASS,
    ULTI_PENALTY,
    VALUES,
    WITHOUT,
    IntArray,
    RuleTable,
)
from ulti_stats.sources.players import view as v
from ulti_stats.sources.players.calls import callable_bids, lowest_call
from ulti_stats.sources.players.club_plan import (
    lay_sides,
    lay_without_trumps,
    raise_tens,
    score_sides,
    score_trumps,
    side_order,
    side_table,
)
from ulti_stats.sources.players.club_play import choose
from ulti_stats.sources.players.club_tables import (
    BETLI_BEAT,
    BETLI_FREE,
    BETLI_MADE,
    CHANCE,
    FIRST_LEAD,
    LIMIT,
    RUN,
    RUN_MADE,
    SIDE_VALUES,
)

SIMPLE, FORTY, TWENTY, ULTI = (
    int(Component.SIMPLE),
    int(Component.FORTY_HUNDRED),
    int(Component.TWENTY_HUNDRED),
    int(Component.ULTI),
)
FOUR_ACES, DURCHMARS, BETLI = int(Component.FOUR_ACES), int(Component.DURCHMARS), int(Component.BETLI)
_HEARTS_SUIT = 2
_PAIR, _ACES, _SUIT = 0x30, 0x80808080, 0xFF
_NOTHING = -1_000_000

# Thousandths of a unit per defender. What two cards of the talon add on average to a hand that may choose its bid.
PICKUP = 1_300
# What a seat that passes may expect: forehand gives up most plain simple games; a higher bid mostly succeeds.
PASS_OVER_SIMPLE, PASS_UNOPENED, PASS_SHARE = 1_100, 300, -450
CONCEDES_BELOW = 200  # permille
# By part, in hundredths of a logit (of a logarithm for durchmars and betli): what a chosen bid's score is too high by.
DOUBT = np.array([10, 40, 130, 45, 0, 70, 25], np.int64)


@fused
def trump_chances(rules: RuleTable, own: int, trump: int, lays: bool, leads: bool, chances: IntArray) -> None:
    """Fill in `chances` [7] with the permille of each part in this trump suit; 0 where it must not be bid."""
    side = side_order(rules, own, trump)
    pattern = own >> (8 * trump) & _SUIT
    n_trumps = popcount(pattern)
    chances[:] = 0
    # A bid is chosen because it looks best, so the chance of what is chosen is a little too high.
    for part, goal in ((SIMPLE, 0), (FORTY, 1), (TWENTY, 2), (ULTI, 3)):
        table = side_table(rules, goal)
        score = score_sides(side, trump, table, lays) + score_trumps(goal, own, trump)
        chances[part] = CHANCE[min(max(score - DOUBT[part], -LIMIT), LIMIT) + LIMIT]
    if pattern & _PAIR != _PAIR:
        chances[FORTY] = 0
    if side_marriage(own, trump) < 0:
        chances[TWENTY] = 0
    if pattern & 1 == 0 or n_trumps < 4:
        chances[ULTI] = 0
    if own & _ACES == _ACES and n_trumps >= 4:
        chances[FOUR_ACES] = 560 + 90 * (n_trumps - 4)
    if n_trumps >= 5 and (leads or pattern & 0xC0 == 0xC0):
        score = score_sides(side, trump, RUN, lays) + SIDE_VALUES[RUN, 0, pattern]
        chances[DURCHMARS] = RUN_MADE[min(max(DOUBT[DURCHMARS] - score, 0), LIMIT)]


@inlined
def side_marriage(own: int, trump: int) -> int:
    """Return the first side suit of which king and over are held, -1 for none."""
    for suit in range(4):
        if suit != trump and own >> (8 * suit) & _PAIR == _PAIR:
            return suit
    return -1


@fused
def open_chance(rules: RuleTable, own: int, part: int, lays: bool, leads: bool) -> int:
    """Return the permille of betli or of a durchmars without trumps."""
    side = side_order(rules, own, NO_TRUMP)
    table = RUN if part == DURCHMARS else BETLI_BEAT if rules.flags[MUST_OVERTAKE] != 0 else BETLI_FREE
    if lays:
        side &= ~lay_without_trumps(side, table)
    score, gain = 0, 0
    for suit in range(4):
        pattern = side >> (8 * suit) & _SUIT
        score += SIDE_VALUES[table, 0, pattern]
        gain = max(gain, FIRST_LEAD[pattern])
    if part == BETLI:
        if leads and table == BETLI_BEAT:
            score += gain
        return BETLI_MADE[min(max(DOUBT[BETLI] - score, 0), LIMIT)] - 120  # pyright: ignore[reportReturnType]
    return RUN_MADE[min(max(-score, 0), LIMIT)]


@fused
def worth(rules: RuleTable, bid: int, chances: IntArray) -> int:
    """Return what a bid is worth per defender, in thousandths of a unit, when its parts have these chances."""
    row = rules.bids[bid]
    value = 0
    for part in range(N_PARTS):
        if row[PARTS] >> part & 1 == 0:
            continue
        chance = chances[part]
        if part == DURCHMARS and row[PARTS] >> ULTI & 1 and chance < 900:
            return _NOTHING  # trumps cannot be both drawn and kept
        if chance == 0 and row[NAMED] >> part & 1 and part != SIMPLE:
            return _NOTHING
        value += row[VALUES + part] * (2 * chance - 1000)
        if part == ULTI:
            value -= rules.flags[ULTI_PENALTY] * row[MULTIPLIER] * (1000 - chance)
    return value


@lean
def best_plan(rules: RuleTable, view: IntArray, lays: bool, wanted: int) -> tuple[int, int, int]:
    """Return bid, trump and worth of the best call; `wanted` fixes the bid (-1: any that may be called)."""
    own = view[v.OWN]
    chances = view[v.ROOM : v.ROOM + 5 * N_PARTS]  # a row for each suit, and one without trumps
    leads = rules.flags[FOREHAND_LEADS] == 0 or view[v.SEAT] == view[v.FOREHAND]
    for trump in range(4):
        trump_chances(rules, own, trump, lays, leads, chances[N_PARTS * trump : N_PARTS * (trump + 1)])
    chances[4 * N_PARTS :] = 0
    chances[4 * N_PARTS + BETLI] = open_chance(rules, own, BETLI, lays, leads)
    chances[4 * N_PARTS + DURCHMARS] = open_chance(rules, own, DURCHMARS, lays, leads) if leads else 0
    best_bid, best_trump, best_value = -1, 4, 4 * _NOTHING
    may = 1 << wanted if wanted >= 0 else callable_bids(rules, view)
    while may != 0:
        bid = lowest(may)
        may &= may - 1
        if rules.bids[bid, KNOWN] == 0:
            continue
        trump_class = rules.bids[bid, TRUMP_CLASS]
        suits = 1 << _HEARTS_SUIT if trump_class == HEARTS else rules.flags[PLAIN_SUITS]
        if trump_class == WITHOUT:
            suits = 1 << 4
        while suits != 0:
            trump = lowest(suits)
            suits &= suits - 1
            value = worth(rules, bid, chances[N_PARTS * trump : N_PARTS * (trump + 1)])
            if rules.bids[bid, IS_OPEN] != 0:
                value -= 1500  # the defence sees the cards
            if value > best_value:
                best_bid, best_trump, best_value = bid, trump, value
    return best_bid, best_trump, best_value


@lean
def takes(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Decide whether to bid: the best bid with what the talon may add against what passing may bring."""
    if view[v.FIVE] != 0 or view[v.SEAT] == view[v.HOLDER]:
        return False
    standing = view[v.STANDING]
    value = best_plan(rules, view, False, -1)[2] + PICKUP
    if standing < 0:
        return value > PASS_UNOPENED
    if rules.bids[standing, NAMED] == 1 << SIMPLE and rules.bids[standing, TRUMP_CLASS] != HEARTS:
        return value > PASS_OVER_SIMPLE
    stake = 0
    for part in range(N_PARTS):
        stake += rules.bids[standing, VALUES + part]
    return value > PASS_SHARE * stake


@lean
def bids(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> int:
    """Call the bid that is worth most; without the talon in hand none that loses."""
    if view[v.FIVE] != 0:
        return lowest_call(rules, view)
    bid, _, value = best_plan(rules, view, view[v.HAS_TALON] != 0, -1)
    if view[v.CONFIRMING] != 0 and value < 0:
        return view[v.STANDING]
    low = lowest_call(rules, view)
    if bid < 0 or value <= 4 * _NOTHING // 2:
        return low
    # A plain simple game that looks lost is given up for two units, so nothing that costs more is called instead.
    if low >= 0 and rules.bids[low, NAMED] == 1 << SIMPLE and rules.bids[low, TRUMP_CLASS] != HEARTS and value < -1000:
        return low
    return bid


@lean
def lays(rules: RuleTable, view: IntArray, bid: int, key: np.uint64, count: int) -> int:
    """Lay the two cards that the bid misses least."""
    own = view[v.OWN]
    trump = best_plan(rules, view, True, bid)[1]
    parts = rules.bids[bid, NAMED]
    side = side_order(rules, own, trump)
    if trump == NO_TRUMP:
        table = RUN if parts >> DURCHMARS & 1 else BETLI_BEAT if rules.flags[MUST_OVERTAKE] != 0 else BETLI_FREE
        laid = lay_without_trumps(side, table)
    else:
        goal = 1 if parts >> FORTY & 1 else 2 if parts >> TWENTY & 1 else 3 if parts >> ULTI & 1 else 0
        laid = lay_sides(side, trump, RUN if parts >> DURCHMARS & 1 else side_table(rules, goal))
    if side != own:
        laid = raise_tens(laid)
    keep = 0 if trump == NO_TRUMP else _SUIT << (8 * trump)
    if parts >> TWENTY & 1 and trump != NO_TRUMP:
        suit = side_marriage(own, trump)
        if suit >= 0:
            keep |= _PAIR << (8 * suit)
    if parts >> FOUR_ACES & 1:
        keep |= _ACES
    if popcount(laid & own) == 2 and laid & keep == 0:
        return laid
    return lay_low(own, keep)


@lean
def lay_low(own: int, keep: int) -> int:
    """Return the two lowest cards of the shortest suits that need not be kept."""
    laid = 0
    for _ in range(2):
        best, card = 1000, -1
        for candidate in range(32):
            bit = 1 << candidate
            if own & bit == 0 or laid & bit != 0:
                continue
            length = popcount(own >> (candidate & 24) & _SUIT)
            cost = 10 * length + (candidate & 7) + (60 if candidate & 7 >= 6 else 0) + (500 if keep & bit else 0)
            if cost < best:
                best, card = cost, candidate
        laid |= 1 << card
    return laid


@lean
def names_trump(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> int:
    """Name the suit in which the bid is worth most."""
    return best_plan(rules, view, False, view[v.BID])[1]


@lean
def concedes(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Give up a plain simple game that hardly any suit would win."""
    chances = view[v.ROOM : v.ROOM + N_PARTS]
    best = 0
    for trump in range(4):
        if rules.flags[PLAIN_SUITS] >> trump & 1:
            trump_chances(rules, view[v.OWN], trump, False, True, chances)
            best = max(best, chances[SIMPLE])
    return best < CONCEDES_BELOW


@lean
def kontras(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Say Kontra with three trumps or the two top ones, and by what a hand stops; answer with a long trump suit."""
    trump, part, own = view[v.TRUMP], view[v.PART], view[v.OWN_S]
    if view[v.LEVEL] >= 2:
        return False
    if trump == NO_TRUMP:
        return _stops(own, part) if view[v.ROLE] != 0 else False
    trumps = own >> (8 * trump) & _SUIT
    # Trumps that this seat has played to trick 1 count too.
    n_trumps = popcount(trumps)
    has_tops = trumps & 0xC0 == 0xC0
    if view[v.ROLE] == 0:
        return part == ULTI and (n_trumps >= 6 or (n_trumps >= 5 and trumps >> 7 & 1 == 1))
    if part == ULTI:
        return n_trumps >= 4 or (n_trumps >= 3 and has_tops)
    if part == FOUR_ACES:
        return n_trumps >= 4
    return n_trumps >= 3 or has_tops


@inlined
def _stops(own: int, part: int) -> bool:
    """Return whether a defender's hand speaks against a game without trumps."""
    if part == DURCHMARS:
        return own & _ACES != 0
    low_suits, low_cards = 0, 0
    for suit in range(4):
        low = popcount(own >> (8 * suit) & 0x07)
        low_cards += low
        if low >= 2:
            low_suits += 1
    return low_suits >= 3 and low_cards >= 6


@inlined
def plays(rules: RuleTable, view: IntArray, legal: int, key: np.uint64, count: int) -> int:
    """Play by the maxims of the contract; returns a strength number."""
    if legal & (legal - 1) == 0:
        return lowest(legal)
    return choose(rules, view, legal)
