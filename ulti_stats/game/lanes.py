"""Deals and tricks of many hands in step: the rules of `play.py` without branches, so that the machine's wide registers fill.

A block holds up to `LANES` hands. Its state is one flat array, a row of `LANES` numbers for each quantity: with one base
address and constant distances the compiler can prove that rows do not overlap. Inner loops run over hands and call nothing
that branches. Measured: eight times the speed of one hand after the other. `tests/game/test_lanes.py` holds the two equal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch
from ulti_stats.game.chance import DEAL, dealt_to, draw, stream
from ulti_stats.game.jit import fused, inlined, lean, popcount
from ulti_stats.game.play import (
    HELD,
    TALON_POINTS,
    card_points,
    first_leader,
    kept_seven,
    pairs_held,
    roles_that_stop,
    strengths_of,
    sum_up,
)
from ulti_stats.game.rule_table import LOW_TENS, NO_TRUMP, PARTS, IntArray, RuleTable

LANES = 256

# Rows of a block, by the place of their first number.
HAND = 0 * LANES  # +0, +1, +2 rows: hands as dealt, card masks by seat
LEFT = 3 * LANES  # +0, +1, +2 rows: cards that each seat still gets
OWN = 6 * LANES  # +0, +1, +2 rows: cards in hand, strength masks by role
ROLE = 9 * LANES  # role that leads to the trick
DECLARER = 10 * LANES
TRUMPS = 11 * LANES  # strength mask of the trump suit; bits that no card has where there are none
SEVEN = 12 * LANES  # strength mask of the trump seven where the declarer must keep it, else 0
LOW = 13 * LANES  # cards of the suits in which the ten is low
STOP = 14 * LANES  # bit set of the roles whose trick ends the hand
LIVE = 15 * LANES  # -1 while the hand goes on, then 0
WON = 16 * LANES  # +0, +1, +2 rows: cards in each role's tricks, card masks
ACE_TRICKS = 19 * LANES  # tricks with an ace, 8 bits a role
WINNERS = 20 * LANES  # seats, 2 bits a trick
LAST = 21 * LANES  # role that won the last trick played
SEVEN_TRICK = 22 * LANES  # trick in which the trump seven fell, -1
N_PLAYED = 23 * LANES
ERROR = 24 * LANES  # of a play that is checked: 0, or what is wrong
PLACE = 25 * LANES  # and with which card
CARD = 26 * LANES  # +0, +1, +2 rows: cards of the trick under way, card numbers or -1
BLOCK_SIZE = 29 * LANES

_ACES, SEVENS = 0x80808080, 0x01010101
# Rank by strength and strength by rank where the ten is low, four bits each.
_RANKS, _STRENGTHS = 0x75436210, 0x73654210

Words = NDArray[np.uint64]


def new_block() -> tuple[IntArray, Words]:
    """Return room for a block: its rows, and a key of chance for each hand."""
    return np.zeros(BLOCK_SIZE, np.int64), np.zeros(LANES, np.uint64)


@lean
def deal_lanes(seed: int, first: int, n: int, block: IntArray, keys: Words) -> None:
    """Deal hands `first` to `first + n - 1` of a seed, n at most `LANES`, as `deal_cards` does one by one."""
    for i in range(n):
        keys[i] = stream(seed, first + i, DEAL)
        block[HAND + i], block[HAND + LANES + i], block[HAND + 2 * LANES + i] = 0, 0, 0
        block[LEFT + i], block[LEFT + LANES + i], block[LEFT + 2 * LANES + i] = 10, 10, 10
    for start in range(0, 32, 4):
        for i in range(n):
            hand_0, hand_1, hand_2 = block[HAND + i], block[HAND + LANES + i], block[HAND + 2 * LANES + i]
            left_0, left_1, left_2 = block[LEFT + i], block[LEFT + LANES + i], block[LEFT + 2 * LANES + i]
            for step in range(4):
                card = start + step
                to_0, to_1, to_2 = dealt_to(draw(keys[i], card, 32 - card), left_0, left_1, left_2)
                hand_0, hand_1, hand_2 = hand_0 | to_0 << card, hand_1 | to_1 << card, hand_2 | to_2 << card
                left_0, left_1, left_2 = left_0 - to_0, left_1 - to_1, left_2 - to_2
            block[HAND + i], block[HAND + LANES + i], block[HAND + 2 * LANES + i] = hand_0, hand_1, hand_2
            block[LEFT + i], block[LEFT + LANES + i], block[LEFT + 2 * LANES + i] = left_0, left_1, left_2


@inlined
def take_hands(block: IntArray, i: int, hands: IntArray) -> None:
    """Fill in the three hands as dealt to a lane."""
    hands[0], hands[1], hands[2] = block[HAND + i], block[HAND + LANES + i], block[HAND + 2 * LANES + i]


@lean
def open_play(n: int, block: IntArray) -> None:
    """Make the rows ready for trick 1: what a lane needs beside its cards is set by `set_lane`."""
    for i in range(n):
        block[WON + i], block[WON + LANES + i], block[WON + 2 * LANES + i] = 0, 0, 0
        block[ACE_TRICKS + i], block[WINNERS + i], block[LAST + i], block[SEVEN_TRICK + i] = 0, 0, -1, -1
        block[N_PLAYED + i], block[ERROR + i], block[PLACE + i] = 0, 0, 0


@inlined
def follows(own: int, led: int, best: int, trumps: int, overtake: int, overtrump: int, top_trumped: int) -> int:
    """Return the cards that may follow, as `legal_mask` does; the last three are -1 where the duty holds, else 0."""
    in_suit = own & 0xFF << (led & 24)
    is_led_suit = best >> 3 == led >> 3
    over = in_suit & -(2 << (best if is_led_suit else led)) & (overtake if is_led_suit else top_trumped)
    in_trumps = own & trumps
    over_trump = in_trumps & -(2 << best) & (overtrump if trumps >> best & 1 != 0 else 0)
    trumping = over_trump if over_trump != 0 else in_trumps
    following = over if over != 0 else in_suit
    discarding = trumping if in_trumps != 0 else own
    return following if in_suit != 0 else discarding


@inlined
def keeping(legal: int, seven: int) -> int:
    """Return the legal cards without a trump seven that must be kept, unless there is no other."""
    rest = legal & ~seven
    return rest if rest != 0 else legal


@inlined
def takes(card: int, best: int, trumps: int) -> int:
    """Return 1 where a card takes the trick from the best one, else 0, as `beats` does."""
    higher = int(card > best)
    return higher if card >> 3 == best >> 3 else trumps >> card & 1


@inlined
def nth_of_ten(mask: int, n: int) -> int:
    """Return the number of the n-th lowest set bit of at most ten, from 0."""
    for step in range(9):
        mask = mask & (mask - 1) if step < n else mask
    return popcount((mask & -mask) - 1)


@inlined
def to_card(strength: int, low: int) -> int:
    """Return the card number of a strength number; `low` are the cards of the suits in which the ten is low."""
    moved = strength & 24 | _RANKS >> 4 * (strength & 7) & 7
    return moved if low >> strength & 1 != 0 else strength


@inlined
def of_card(card: int, low: int) -> int:
    """Return the strength number of a card number."""
    moved = card & 24 | _STRENGTHS >> 4 * (card & 7) & 7
    return moved if low >> card & 1 != 0 else card


@inlined
def in_turn(role: int, place: int, of_0: int, of_1: int, of_2: int) -> int:
    """Return which of three values by role belongs to the player at a place (0 to 2) after the role that leads."""
    at = role + place
    at = at - 3 if at > 2 else at
    return of_0 if at == 0 else of_1 if at == 1 else of_2


@inlined
def end_trick(block: IntArray, i: int, trick: int, card_1: int, card_2: int, card_3: int, second: int, third: int) -> None:
    """Give a trick to its winner; `card_*` are card numbers, `second` and `third` are 1 where that card took the trick."""
    role, live = block[ROLE + i], block[LIVE + i]
    winner = role + (2 if third != 0 else second)
    winner = winner - 3 if winner > 2 else winner
    cards = (1 << card_1 | 1 << card_2 | 1 << card_3) & live
    block[WON + i] |= cards if winner == 0 else 0
    block[WON + LANES + i] |= cards if winner == 1 else 0
    block[WON + 2 * LANES + i] |= cards if winner == 2 else 0
    block[ACE_TRICKS + i] += int(cards & _ACES != 0) << 8 * winner
    seat = block[DECLARER + i] + winner
    seat = seat - 3 if seat > 2 else seat
    block[WINNERS + i] |= (seat & live) << 2 * trick
    block[LAST + i] = winner if live != 0 else block[LAST + i]
    block[N_PLAYED + i] -= 3 * live
    block[LIVE + i] = live & ((block[STOP + i] >> winner & 1) - 1)
    block[ROLE + i] = winner


@fused
def set_lane(rules: RuleTable, batch: Batch, n: int, block: IntArray, i: int) -> None:
    """Set lane `i` for the play of hand `n`; the lane of a hand that is not played runs along and is not looked at."""
    flags = rules.flags
    is_played = batch.meta[b.TERMINATION, n] == b.PLAYED
    declarer = np.int64(batch.meta[b.DECLARER, n]) if is_played else 0
    trump = np.int64(batch.meta[b.TRUMP, n]) if is_played else NO_TRUMP
    parts = rules.bids[np.int64(batch.meta[b.BID, n]), PARTS] if is_played else 0
    for role in range(3):
        cards = batch.masks[(b.AT_PLAY if is_played else b.HAND) + role, n]
        block[OWN + role * LANES + i] = strengths_of(flags, cards, trump)
    block[ROLE + i] = (first_leader(flags, declarer, np.int64(batch.meta[b.FOREHAND, n])) - declarer + 3) % 3
    block[DECLARER + i] = declarer
    block[TRUMPS + i] = 0xFF << 8 * trump
    block[SEVEN + i] = kept_seven(flags, parts, trump)
    block[LOW + i] = flags[LOW_TENS + trump]
    block[STOP + i] = roles_that_stop(flags, parts, trump)
    block[LIVE + i] = -1 if is_played else 0


@fused
def look_back(flags: IntArray, block: IntArray, i: int, batch: Batch, n: int, facts: IntArray) -> None:
    """Fill in the facts of the play of hand `n` in lane `i`, except for marriages."""
    trump = np.int64(batch.meta[b.TRUMP, n])
    last = block[LAST + i] if block[N_PLAYED + i] == 30 else -1
    holder = -1
    if trump != NO_TRUMP:
        for role in range(3):
            if batch.masks[b.AT_PLAY + role, n] >> 8 * trump & 1:
                holder = role
    sum_up(
        flags,
        block[WON + i],
        block[WON + LANES + i],
        block[WON + 2 * LANES + i],
        block[ACE_TRICKS + i],
        block[WINNERS + i],
        last,
        holder,
        block[SEVEN_TRICK + i],
        facts,
    )
    facts[TALON_POINTS] = card_points(flags, batch.masks[b.LAID, n])
    facts[HELD] = pairs_held(batch.masks[b.AT_PLAY, n], trump)
