"""The auction on integers: the steps that simulation and batch replay share. `auction.py` says the same for one hand, in words.

The state is one array; `hands` [3] are card masks and change when a bid takes the talon.
"""

from __future__ import annotations

from ulti_stats.game.auction import next_turn
from ulti_stats.game.jit import fused, inlined
from ulti_stats.game.rule_table import (
    FOLLOWS,
    FOLLOWS_KEPT,
    HOLD,
    OPENING_FORCED,
    ROUND1_FACTOR,
    SAME_CLASS,
    TWO_ROUNDS,
    IntArray,
    RuleTable,
)

# Places in the state.
FOREHAND = 0
TURN = 1  # seat to speak, -1 when the auction is over
STANDING = 2  # bid number, -1
HOLDER = 3  # seat, -1
PASSED = 4  # bit set of seats that passed since the standing bid
OUT = 5  # bit set of seats that passed for good
TALON = 6  # the two cards that lie in it now, mask
PICKUP = 7  # what the holder's last pickup brought, mask; 0 without one
FACTOR = 8  # what the standing bid is multiplied by: 1, or more where it is kept from the five-card round
FIVE = 9  # 1 in the five-card round
CONFIRMING = 10  # 1 while the winner of the five-card round has to speak
N_CALLS = 11
N_BIDS = 12
N_PICKUPS = 13
N_STATE = 14


@fused
def open_auction(flags: IntArray, forehand: int, talon: int, state: IntArray) -> None:
    """Fill in the state [14] before the first call."""
    state[:] = 0
    state[FOREHAND], state[TURN], state[STANDING], state[HOLDER] = forehand, forehand, -1, -1
    state[TALON], state[FACTOR], state[FIVE] = talon, 1, flags[TWO_ROUNDS]


@inlined
def must_bid(flags: IntArray, state: IntArray) -> bool:
    """Return whether the seat to speak may not pass: a forced opening, or the winner of the five-card round."""
    return state[CONFIRMING] != 0 or (flags[OPENING_FORCED] != 0 and state[N_CALLS] == 0)


@inlined
def may_hold(flags: IntArray, state: IntArray) -> bool:
    """Return whether the seat to speak, forehand, may match the standing bid of another."""
    at_forehand = state[TURN] == state[FOREHAND] and state[HOLDER] != state[FOREHAND]
    return flags[HOLD] != 0 and state[STANDING] >= 0 and at_forehand


@inlined
def follow_ups(rules: RuleTable, standing: int, is_kept: bool, is_confirming: bool, is_held: bool) -> int:
    """Return the set of bids that may follow a standing bid (-1: none), the same bid where it is confirmed or held."""
    bids = rules.calls[FOLLOWS_KEPT if is_kept else FOLLOWS, standing + 1]
    if is_confirming:
        bids &= rules.calls[SAME_CLASS, standing + 1]
    if standing >= 0 and (is_confirming or is_held):
        bids |= 1 << standing
    return bids


@fused
def make_bid(flags: IntArray, state: IntArray, hands: IntArray, bid: int, laid: int) -> None:
    """Let the seat to speak bid; `laid` are the two cards that it lays where it takes the talon, else 0."""
    seat = state[TURN]
    if laid != 0:
        hands[seat] = (hands[seat] | state[TALON]) & ~laid
        state[PICKUP], state[TALON] = state[TALON], laid
        state[N_PICKUPS] += 1
    elif state[HOLDER] != seat:
        state[PICKUP] = 0
    if bid != state[STANDING]:
        state[FACTOR] = 1
    state[STANDING], state[HOLDER], state[PASSED], state[CONFIRMING] = bid, seat, 0, 0
    state[N_CALLS] += 1
    state[N_BIDS] += 1
    state[TURN] = next_turn(flags, seat, seat, 0, state[OUT])
    _end_first_round(flags, state)


@fused
def make_pass(flags: IntArray, state: IntArray) -> None:
    """Let the seat to speak pass."""
    seat = state[TURN]
    state[PASSED] |= 1 << seat
    state[OUT] |= 1 << seat
    state[N_CALLS] += 1
    is_closing = seat == state[HOLDER]
    state[TURN] = -1 if is_closing else next_turn(flags, seat, state[HOLDER], state[PASSED], state[OUT])
    _end_first_round(flags, state)


@inlined
def _end_first_round(flags: IntArray, state: IntArray) -> None:
    """Give the winner of the five-card round the word: he takes the talon, everybody has ten cards, passes are forgotten."""
    if state[TURN] < 0 and state[FIVE] != 0 and state[HOLDER] >= 0:
        state[TURN], state[FIVE], state[CONFIRMING] = state[HOLDER], 0, 1
        state[FACTOR], state[PASSED], state[OUT] = flags[ROUND1_FACTOR], 0, 0
