"""What the `club` player can do with a hand: for a goal and a trump suit, the best cards to lay and the score left.

A plan is worked out the same way before and after laying: with twelve cards two are laid, with ten none, and the score
of a plan is the score of the ten cards kept.
"""

from __future__ import annotations

from ulti_stats.game.cards import TEN
from ulti_stats.game.jit import fused, inlined, inner
from ulti_stats.game.rule_table import NO_TRUMP, STRENGTH, TALON_SIDE, IntArray, RuleTable
from ulti_stats.sources.players.club_tables import SIDE_LAID, SIDE_VALUES, TRUMP_VALUES

SUIT = 0xFF
# Places of a rank in all four suits.
_UPPER, _TENS, _REST = 0x38383838, 0x40404040, 0x87878787


@inlined
def ten_is_low(cards: IntArray, suit: int, trump: int) -> bool:
    """Return whether the ten of a suit ranks under the under."""
    return cards[STRENGTH, trump, 8 * suit + TEN] & 7 != TEN


@inlined
def lower_tens(mask: int) -> int:
    """Return a card mask with the ten of every suit in its low place, under the under."""
    return (mask & _REST) | (mask & _UPPER) << 1 | (mask & _TENS) >> 3


@inlined
def raise_tens(mask: int) -> int:
    """Undo `lower_tens`."""
    return (mask & _REST) | (mask & 0x70707070) >> 1 | (mask & 0x08080808) << 3


@inlined
def side_table(rules: RuleTable, goal: int) -> int:
    """Return which table of side suits a goal is scored by under these rules."""
    is_low = 1 if ten_is_low(rules.cards, 0, 1) else 0
    return 4 * goal + (2 if rules.flags[TALON_SIDE] == 1 else 0) + is_low


@inlined
def side_order(rules: RuleTable, hand: int, trump: int) -> int:
    """Return a hand in the order of its side suits (of all suits without trumps)."""
    is_low = ten_is_low(rules.cards, 0, 4) if trump == NO_TRUMP else ten_is_low(rules.cards, (trump + 1) & 3, trump)
    return lower_tens(hand) if is_low else hand


@inlined
def _best_pair(values: IntArray, table: int, a: int, b: int, c: int) -> tuple[int, int]:
    """Return the value of three side suits after the best two cards are laid, and how many go from each (2 bits)."""
    a0, b0, c0 = values[table, 0, a], values[table, 0, b], values[table, 0, c]
    a1, b1, c1 = values[table, 1, a], values[table, 1, b], values[table, 1, c]
    value, taken = values[table, 2, a] + b0 + c0, 2
    other = a0 + values[table, 2, b] + c0
    if other > value:
        value, taken = other, 2 << 2
    other = a0 + b0 + values[table, 2, c]
    if other > value:
        value, taken = other, 2 << 4
    other = a1 + b1 + c0
    if other > value:
        value, taken = other, 1 | 1 << 2
    other = a1 + b0 + c1
    if other > value:
        value, taken = other, 1 | 1 << 4
    other = a0 + b1 + c1
    if other > value:
        value, taken = other, 1 << 2 | 1 << 4
    return value, taken


@fused
def score_sides(side: int, trump: int, table: int, lays: bool) -> int:
    """Return what the side suits are worth under `table`, after the best two cards are laid if `lays`."""
    a = side >> (8 * ((trump + 1) & 3)) & SUIT
    b = side >> (8 * ((trump + 2) & 3)) & SUIT
    c = side >> (8 * ((trump + 3) & 3)) & SUIT
    if not lays:
        return SIDE_VALUES[table, 0, a] + SIDE_VALUES[table, 0, b] + SIDE_VALUES[table, 0, c]
    return _best_pair(SIDE_VALUES, table, a, b, c)[0]


@inner
def lay_sides(side: int, trump: int, table: int) -> int:
    """Return the mask of the two side cards that are best laid, in the order of `side`."""
    p, q, r = (trump + 1) & 3, (trump + 2) & 3, (trump + 3) & 3
    a, b, c = side >> (8 * p) & SUIT, side >> (8 * q) & SUIT, side >> (8 * r) & SUIT
    taken = _best_pair(SIDE_VALUES, table, a, b, c)[1]
    laid = SIDE_LAID[table, taken & 3, a] << (8 * p)
    laid |= SIDE_LAID[table, taken >> 2 & 3, b] << (8 * q)
    return laid | SIDE_LAID[table, taken >> 4 & 3, c] << (8 * r)


@inlined
def score_trumps(goal: int, hand: int, trump: int) -> int:
    """Return what the trump suit is worth for a goal."""
    return TRUMP_VALUES[goal, hand >> (8 * trump) & SUIT]


@fused
def lay_without_trumps(side: int, table: int) -> int:
    """Return the mask of the two cards that are best laid in a game without trumps, in the order of `side`."""
    best, laid = -1000000, 0
    for first in range(4):
        for second in range(first, 4):
            value, cards = 0, 0
            for suit in range(4):
                pattern = side >> (8 * suit) & SUIT
                n = (1 if suit == first else 0) + (1 if suit == second else 0)
                value += SIDE_VALUES[table, n, pattern]
                cards |= SIDE_LAID[table, n, pattern] << (8 * suit)
            if value > best:
                best, laid = value, cards
    return laid
