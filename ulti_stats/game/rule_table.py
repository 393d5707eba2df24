"""A ruleset as arrays of integers, in the form in which kernels, replay and solver read the rules page."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game.bids import BID_FORMS, N_BIDS, N_PARTS, Component, TrumpClass
from ulti_stats.game.cards import ACE, KING, N_CARDS, OVER, TEN, UNDER
from ulti_stats.game.options import SILENT_KINDS
from ulti_stats.game.rulesets import Ruleset

NO_TRUMP = 4  # the trump number of a game without trumps; suits are 0 to 3

# Places in RuleTable.flags.
LAST_TRICK_BONUS = 0
TALON_SIDE = 1  # 0 defenders, 1 declarer, 2 nobody
SIMPLE_THRESHOLD = 2  # 0: compare totals
MUST_OVERTAKE = 3
MUST_OVERTRUMP = 4
OVERTAKE_WHEN_TRUMPED = 5
HOLD_TRUMP_SEVEN = 6
STOP_EARLY = 7
FOREHAND_LEADS = 8
MARRIAGE_NEEDS_TRICK = 9
HUNDRED_BAN = 10  # 0 none, 1 declarer, 2 all
MISSING_MARRIAGE_DROPS = 11
ULTI_PENALTY = 12
PENALTY_DOUBLED = 13
KONTRA_MAX = 14
KONTRA_SCOPE = 15  # 0 joint, 1 individual without trumps, 2 individual
SILENT_LOSS = 16  # in the order of SILENT_LOSSES
SILENT_DEFENDER = 17  # 0 none, 1 team, 2 individual
SILENT_DEFENDER_LOSS = 18
SILENT_DURCHMARS_TEAM = 19
SILENT_HUNDRED_BOTH = 20
SILENT_HUNDRED_BETTER = 21
SILENT_UNDER_DURCHMARS = 22
HUNDRED_REPLACES = 23
DURCHMARS_REPLACES = 24
SILENT_KONTRA = 25  # 0 never, 1 with the carrier, 2 with the simple game, ulti never
SETTLEMENT = 26  # 0 per defender, 1 declarer only, 2 literal
TALON_MODE = 27  # in the order of TALON_MODES
OPENING_FORCED = 28
PASS_FINAL = 29
SELF_RAISE = 30
HOLDER_CLOSES = 31
HOLD = 32
CONCEDE = 33  # 0 off, 1 allowed, 2 mandatory
PLAIN_SUITS = 34  # bit set of the suits that a plain bid may name
SILENT_DURCHMARS_SIMPLE = 35
ROUND1_FACTOR = 36
MARRIAGE_MOMENT = 37  # 0 trick 1, 1 with the first card of the pair, 2 with the second
TWO_ROUNDS = 38
SILENT_SET = 39  # bit set by component: which silent bonuses are judged and paid
MULTIPLIERS = 40  # m(level) for levels 0 to 6
SILENT_VALUES = 48  # base units by Component.SILENT_* - N_PARTS
OPEN_TO_ALL = 56  # 1: in open games all three show their cards, 0: the declarer does
OPEN_FROM = 57  # cards on the table from which an open game is open: 0 or 3
TRUMP_AT_BID = 58  # 1: the trump suit is named with the bid, 0: after the auction
POINT_BITS = 64  # card masks: the cards whose points have bit 0, 1, 2, 3
LOW_TENS = 68  # card masks by trump: the suits in which the ten ranks under the under
N_FLAGS = 80

SILENT_LOSSES = ("none", "same_per_defender", "double_per_defender", "double_ulti_only", "ulti_only")
TALON_MODES = ("rob", "rob_optional", "winner_takes", "none")
ROB, ROB_OPTIONAL, WINNER_TAKES, NO_TALON = range(4)
PLAIN, HEARTS, WITHOUT = range(3)  # trump classes

# Columns of RuleTable.bids.
KNOWN = 0
PARTS = 1  # bit set of components, an implied simple too
NAMED = 2  # bit set of named parts
TRUMP_CLASS = 3
MULTIPLIER = 4
IS_OPEN = 5
RANK = 6  # place in the ladder, for players that look for the lowest or highest bid
VALUES = 8  # units by component
N_BID_COLUMNS = 16

# Layers of RuleTable.calls, each [standing bid + 1] (first row: nobody has bid).
FOLLOWS = 0  # bids that may follow
FOLLOWS_KEPT = 1  # bids that may follow a bid kept from the five-card round with its factor
SAME_CLASS = 2  # bids of the same trump class

# Layers of RuleTable.cards, each [trump, card].
STRENGTH = 0  # card number -> number in which a higher rank is stronger
PHYSICAL = 1  # and back
POINTS = 2  # card points by strength number

IntArray = NDArray[np.int64]


class RuleTable(NamedTuple):
    """The rules page for kernels: `flags` [80], `cards` [3, 5, 32], `bids` [n bids, 16] and `calls` [3, n bids + 1], which
    holds sets of bids with the bit of each bid's number."""

    flags: IntArray
    cards: IntArray
    bids: IntArray
    calls: IntArray


_POINTS = {
    "tens10": {ACE: 10, TEN: 10},
    "ace11": {ACE: 11, TEN: 10},
    "full": {ACE: 11, TEN: 10, KING: 4, OVER: 3, UNDER: 2},
}
# Rank -> strength where the ten ranks between nine and under.
_TEN_LOW = {0: 0, 1: 1, 2: 2, TEN: 3, UNDER: 4, OVER: 5, KING: 6, ACE: 7}


def ten_is_low(rules: Ruleset, suit: int, trump: int) -> bool:
    """Return whether the ten of `suit` ranks under the under when `trump` is trumps (RULES.md, rows 3 and 4)."""
    match rules.ten_rank:
        case "high_always":
            return False
        case "high_trump_suit_only":
            return suit != trump
        case _:
            return trump == NO_TRUMP


def _cards(rules: Ruleset) -> IntArray:
    table = np.zeros((3, 5, N_CARDS), np.int64)
    points = _POINTS[rules.card_points]
    for trump in range(5):
        for card in range(N_CARDS):
            suit, rank = card >> 3, card & 7
            strength = 8 * suit + (_TEN_LOW[rank] if ten_is_low(rules, suit, trump) else rank)
            table[STRENGTH, trump, card] = strength
            table[PHYSICAL, trump, strength] = card
            table[POINTS, trump, strength] = points.get(rank, 0)
    return table


def _flags(rules: Ruleset) -> IntArray:
    flags = np.zeros(N_FLAGS, np.int64)
    flags[LAST_TRICK_BONUS] = rules.last_trick_bonus
    # Undealt cards (talon_mode=none) count for nobody.
    talon = "none" if rules.talon_mode == "none" else rules.talon_points
    flags[TALON_SIDE] = ("defenders", "declarer", "none").index(talon)
    flags[SIMPLE_THRESHOLD] = (rules.simple_threshold or 0) if rules.simple_target == "threshold" else 0
    flags[MUST_OVERTAKE] = rules.must_overtake
    flags[MUST_OVERTRUMP] = rules.must_overtrump
    flags[OVERTAKE_WHEN_TRUMPED] = rules.overtake_when_trumped
    flags[HOLD_TRUMP_SEVEN] = rules.hold_trump_seven
    flags[STOP_EARLY] = rules.stop_early
    flags[FOREHAND_LEADS] = rules.first_lead == "forehand"
    flags[MARRIAGE_NEEDS_TRICK] = rules.marriage_needs_trick
    flags[HUNDRED_BAN] = ("none", "declarer", "all").index(rules.hundred_marriage_ban)
    flags[MISSING_MARRIAGE_DROPS] = rules.missing_marriage == "dropped"
    flags[ULTI_PENALTY] = rules.ulti_fail_penalty
    flags[PENALTY_DOUBLED] = rules.penalty_under_kontra == "doubled"
    flags[KONTRA_MAX] = rules.kontra_max_level
    flags[KONTRA_SCOPE] = ("joint", "individual_notrump", "individual").index(rules.kontra_scope)
    flags[SILENT_LOSS] = SILENT_LOSSES.index(rules.silent_loss)
    flags[SILENT_DEFENDER] = ("none", "team", "individual").index(rules.silent_ulti_defender)
    flags[SILENT_DEFENDER_LOSS] = rules.silent_ulti_defender_loss == "double"
    flags[SILENT_DURCHMARS_TEAM] = rules.silent_durchmars_loss == "team"
    flags[SILENT_HUNDRED_BOTH] = rules.silent_hundred_sides == "both"
    flags[SILENT_HUNDRED_BETTER] = rules.silent_hundred_paid == "better"
    flags[SILENT_UNDER_DURCHMARS] = bool(rules.silent_under_durchmars)
    flags[HUNDRED_REPLACES] = rules.hundred_mode == "replace"
    flags[DURCHMARS_REPLACES] = rules.durchmars_mode == "replace"
    flags[SILENT_KONTRA] = ("never", "with_carrier", "with_simple_not_ulti").index(rules.silent_kontra)
    flags[SETTLEMENT] = ("per_defender", "declarer_only", "c_literal").index(rules.settlement)
    flags[TALON_MODE] = TALON_MODES.index(rules.talon_mode)
    flags[OPENING_FORCED] = rules.opening_bid_forced
    flags[PASS_FINAL] = rules.pass_final
    flags[SELF_RAISE] = rules.self_raise
    flags[HOLDER_CLOSES] = rules.auction_end == "all_incl_holder"
    flags[HOLD] = rules.hold == "forehand"
    flags[CONCEDE] = ("off", "allowed", "mandatory").index(rules.concede_simple)
    flags[PLAIN_SUITS] = plain_suits(rules)
    flags[SILENT_DURCHMARS_SIMPLE] = rules.silent_durch_simple
    flags[ROUND1_FACTOR] = rules.round1_factor
    flags[TWO_ROUNDS] = rules.two_round_auction
    flags[OPEN_TO_ALL] = rules.open_who == "all"
    flags[OPEN_FROM] = 0 if rules.open_when == "before_lead" else 3
    flags[TRUMP_AT_BID] = rules.trump_named == "at_bid"
    flags[MARRIAGE_MOMENT] = {"first_trick": 0, "either_card": 1, "first_card": 1, "second_card": 2}[rules.marriage_timing]
    for level in range(7):
        flags[MULTIPLIERS + level] = kontra_multiplier(rules, level)
    for kind in SILENT_KINDS:
        silent = Component[f"SILENT_{kind.upper()}"]
        flags[SILENT_VALUES + silent - N_PARTS] = rules.silent_value(kind)
        flags[SILENT_SET] |= (kind in rules.silent_set) << silent
    flags[SILENT_VALUES + Component.SILENT_ULTI_DEFENDER - N_PARTS] = rules.silent_value("ulti")
    points = _POINTS[rules.card_points]
    for card in range(N_CARDS):
        for bit in range(4):
            flags[POINT_BITS + bit] |= (points.get(card & 7, 0) >> bit & 1) << card
        for trump in range(5):
            flags[LOW_TENS + trump] |= int(ten_is_low(rules, card >> 3, trump)) << card
    return flags


def plain_suits(rules: Ruleset) -> int:
    """Return the bit set of suits that may be named under a plain bid (RULES.md, 5.1, points 3 and 16)."""
    if rules.hearts_always_trump:
        return 0b0100
    return 0b1111 if rules.hearts_multiplier == 1 or rules.hearts_under_plain else 0b1011


def kontra_multiplier(rules: Ruleset, level: int) -> int:
    """Return by what a component is multiplied at a kontra level (RULES.md, row 70).

    >>> from ulti_stats.game.rulesets import ruleset
    >>> [kontra_multiplier(ruleset("rablo", {"kontra_multipliers": "literal_b"}), level) for level in range(7)]
    [1, 2, 4, 4, 8, 16, 32]
    """
    if rules.kontra_multipliers == "literal_b":
        return (1, 2, 4, 4, 8, 16, 32)[level]
    return 1 << level


def _bids(rules: Ruleset) -> IntArray:
    table = np.zeros((N_BIDS, N_BID_COLUMNS), np.int64)
    classes = {TrumpClass.PLAIN: PLAIN, TrumpClass.HEARTS: HEARTS, TrumpClass.NONE: WITHOUT}
    for rank, bid in enumerate(rules.ladder):
        row = table[bid.number]
        row[KNOWN] = 1
        row[PARTS] = sum(1 << part for part in bid.components)
        row[NAMED] = sum(1 << part for part in BID_FORMS[bid.number].parts)
        row[TRUMP_CLASS] = classes[bid.form.trump_class]
        row[MULTIPLIER] = bid.multiplier
        row[IS_OPEN] = bid.form.is_open
        row[RANK] = rank
        for part, value in zip(bid.components, bid.values, strict=True):
            row[VALUES + part] = value
    return table


def _calls(rules: Ruleset) -> IntArray:
    assert N_BIDS < 63, "a set of bids is one whole number of 64 bits"
    table = np.zeros((3, N_BIDS + 1), np.int64)
    for bid in rules.ladder:
        bit = 1 << bid.number
        table[:, 0] |= bit
        for standing in rules.ladder:
            row = standing.number + 1
            table[FOLLOWS, row] |= bit * rules.overbids(bid, standing)
            table[FOLLOWS_KEPT, row] |= bit * rules.overbids(bid, standing, factor=rules.round1_factor)
            table[SAME_CLASS, row] |= bit * (bid.form.trump_class is standing.form.trump_class)
    return table


@lru_cache(maxsize=256)
def _table(digest: str, rules: Ruleset) -> RuleTable:
    arrays = (_flags(rules), _cards(rules), _bids(rules), _calls(rules))
    for array in arrays:
        array.setflags(write=False)
    return RuleTable(*arrays)


def rule_table(rules: Ruleset) -> RuleTable:
    """Return a ruleset as arrays; made once for each ruleset."""
    return _table(rules.digest, rules)
