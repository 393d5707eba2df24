"""The table: deals hands, lets policies decide, and fills in a batch. One compiled loop for every ruleset and every policy.

Hands are dealt in blocks, in step (`game/lanes.py`). Where all seats play at random, so are their cards.
"""

from __future__ import annotations

import numpy as np

from ulti_stats.game import auction_steps as a
from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch
from ulti_stats.game.batch_result import Scratch
from ulti_stats.game.bids import Component
from ulti_stats.game.cards import FULL_DECK, Suit
from ulti_stats.game.chance import AUCTION, first_five, stream
from ulti_stats.game.jit import fused, inlined, lean
from ulti_stats.game.lanes import LANES, Words, deal_lanes, take_hands
from ulti_stats.game.rule_table import (
    CONCEDE,
    HEARTS,
    NAMED,
    NO_TRUMP,
    PLAIN_SUITS,
    ROB,
    ROB_OPTIONAL,
    SELF_RAISE,
    TALON_MODE,
    TRUMP_CLASS,
    TWO_ROUNDS,
    WINNER_TAKES,
    WITHOUT,
    IntArray,
    RuleTable,
)
from ulti_stats.sources.players import dispatch
from ulti_stats.sources.players import view as v
from ulti_stats.sources.players.calls import callable_bids, lowest_call

SIMPLE = int(Component.SIMPLE)
# Draws set aside for one decision of the auction, so that the next decision starts at a fixed count.
DRAWS = 16
_HEARTS_SUIT = int(Suit.HEARTS)
_NAMES_TRUMP_AT, _CONCEDES_AT = 1 << 20, 1 << 21


@lean
def bid_hands(
    rules: RuleTable,
    policies: IntArray,
    dealers: IntArray,
    forehands: IntArray,
    given: IntArray,
    seed: int,
    index: int,
    first: int,
    end: int,
    view: IntArray,
    scratch: Scratch,
    block: IntArray,
    keys: Words,
    batch: Batch,
) -> int:
    """Deal hands of a seed from number `index` on, hold their auctions, and note both as columns `first` to `end - 1`.

    The deal passes round the table: hand i is dealt by person i mod n. `policies` [n, 3] are policy numbers by that person
    and by seat, `dealers` [n] his seat (-1 where he sits out), `forehands` [n] the forehand's. `given` [2] is the bid that
    forehand makes and nobody answers, and its suit; -1 where players decide. Returns the column behind the last one done:
    the batch ends early when its calls are full.
    """
    for start in range(first, end, LANES):
        n_lanes = min(LANES, end - start)
        deal_lanes(seed, index + start - first, n_lanes, block, keys)
        for i in range(n_lanes):
            n, number = start + i, index + start - first + i
            if batch.call_start[n] + b.MOST_CALLS > batch.calls.shape[1]:
                return n
            person = number % len(dealers)
            take_hands(block, i, scratch.hands)
            _open_hand(rules.flags, seed, number, dealers[person], forehands[person], scratch, batch, n)
            _hold_auction(rules, policies[person], given, seed, number, view, scratch, batch, n)
    return end


@fused
def _open_hand(
    flags: IntArray, seed: int, index: int, dealer: int, forehand: int, scratch: Scratch, batch: Batch, n: int
) -> None:
    """Note a deal in the batch; `scratch.hands` are the hands as dealt."""
    for seat in range(3):
        batch.masks[b.HAND + seat, n] = scratch.hands[seat]
        if flags[TWO_ROUNDS] != 0:
            batch.masks[b.FIVE + seat, n] = first_five(seed, index, seat, scratch.hands[seat])
    batch.masks[b.TALON, n] = FULL_DECK & ~(scratch.hands[0] | scratch.hands[1] | scratch.hands[2])
    batch.meta[b.DEALER, n], batch.meta[b.FOREHAND, n] = dealer, forehand


@inlined
def _hold_auction(
    rules: RuleTable,
    policies: IntArray,
    given: IntArray,
    seed: int,
    index: int,
    view: IntArray,
    scratch: Scratch,
    batch: Batch,
    n: int,
) -> None:
    """Run the auction up to the contract and note both in the batch; `scratch.hands` are exchanged in place."""
    flags, state, hands = rules.flags, scratch.auction, scratch.hands
    meta, masks, calls = batch.meta, batch.masks, batch.calls
    key = stream(seed, index, AUCTION)
    a.open_auction(flags, np.int64(meta[b.FOREHAND, n]), masks[b.TALON, n], state)
    view[:] = 0
    view[v.FOREHAND] = state[a.FOREHAND]
    row = np.int64(batch.call_start[n])
    while state[a.TURN] >= 0:
        turn, standing, count = state[a.TURN], state[a.STANDING], state[a.N_CALLS] * DRAWS
        held = a.may_hold(flags, state)
        _look_at_auction(state, held, masks[b.FIVE + turn, n] if state[a.FIVE] != 0 else hands[turn], view)
        calls[b.CALL_ROUND, row] = 1 if state[a.FIVE] != 0 else 2
        bid, laid = -1, np.int64(0)
        if turn != state[a.HOLDER] or state[a.CONFIRMING] != 0 or flags[SELF_RAISE] != 0:
            bid, laid = _call(rules, policies[turn], given[0], view, state[a.TALON], a.must_bid(flags, state), key, count)
        calls[b.CALL_SEAT, row], calls[b.CALL_BID, row], calls[b.CALL_TRUMP, row] = turn, bid, -1
        calls[b.CALL_HOLD, row] = held and bid == standing
        batch.laid[row] = laid
        row += 1
        if bid >= 0:
            a.make_bid(flags, state, hands, bid, laid)
        else:
            a.make_pass(flags, state)
    batch.call_start[n + 1] = row
    meta[b.BID, n], meta[b.DECLARER, n], meta[b.FACTOR, n] = state[a.STANDING], state[a.HOLDER], state[a.FACTOR]
    meta[b.N_BIDS, n], meta[b.N_PICKUPS, n], meta[b.TRUMP, n] = state[a.N_BIDS], state[a.N_PICKUPS], -1
    masks[b.LAID, n], masks[b.PICKUP, n] = state[a.TALON], state[a.PICKUP]
    meta[b.TERMINATION, n] = b.PASSED_OUT if state[a.HOLDER] < 0 else b.PLAYED
    if state[a.HOLDER] >= 0:
        _settle(rules, policies, given, key, view, scratch, batch, n)


@inlined
def _look_at_auction(state: IntArray, held: bool, own: int, view: IntArray) -> None:
    """Turn the view to the seat that has to speak."""
    view[v.SEAT], view[v.STANDING], view[v.HOLDER] = state[a.TURN], state[a.STANDING], state[a.HOLDER]
    view[v.N_CALLS], view[v.KEPT] = state[a.N_CALLS], state[a.FACTOR] != 1
    view[v.CONFIRMING], view[v.FIVE], view[v.MAY_HOLD] = state[a.CONFIRMING], state[a.FIVE], held
    view[v.OWN], view[v.HAS_TALON] = own, 0


@inlined
def _call(
    rules: RuleTable, policy: int, given: int, view: IntArray, talon: int, forced: bool, key: np.uint64, count: int
) -> tuple[int, np.int64]:
    """Let a seat call: return its bid (-1: pass) and the two cards that it lays (0: the talon stays)."""
    laid = np.int64(0)
    if given >= 0:
        if not forced and view[v.STANDING] >= 0:
            return -1, laid
    elif callable_bids(rules, view) == 0 or not (forced or dispatch.takes(policy, rules, view, key, count)):
        return -1, laid
    mode = rules.flags[TALON_MODE]
    if view[v.FIVE] == 0 and mode in (ROB, ROB_OPTIONAL):
        view[v.OWN], view[v.HAS_TALON] = view[v.OWN] | talon, 1
    bid = given if given >= 0 else dispatch.bids(policy, rules, view, key, count)
    if bid < 0 and (forced or view[v.HAS_TALON] != 0):
        bid = lowest_call(rules, view)  # who takes the talon must bid
    if bid >= 0 and view[v.HAS_TALON] != 0:
        laid = dispatch.lays(policy, rules, view, bid, key, count)
    return bid, laid


@inlined
def _settle(
    rules: RuleTable,
    policies: IntArray,
    given: IntArray,
    key: np.uint64,
    view: IntArray,
    scratch: Scratch,
    batch: Batch,
    n: int,
) -> None:
    """Let the declarer exchange (where the winner takes the talon), name trumps and concede, which a given contract is not."""
    flags, hands = rules.flags, scratch.hands
    meta, masks = batch.meta, batch.masks
    declarer, bid = np.int64(meta[b.DECLARER, n]), np.int64(meta[b.BID, n])
    policy = policies[declarer]
    view[v.SEAT], view[v.DECLARER], view[v.BID], view[v.STANDING], view[v.HOLDER] = declarer, declarer, bid, bid, declarer
    view[v.ROLE], view[v.KEPT], view[v.CONFIRMING], view[v.MAY_HOLD], view[v.FIVE] = 0, 0, 0, 0, 0
    if flags[TALON_MODE] == WINNER_TAKES:
        view[v.OWN], view[v.HAS_TALON] = hands[declarer] | masks[b.LAID, n], 1
        laid = dispatch.lays(policy, rules, view, bid, key, _NAMES_TRUMP_AT)
        hands[declarer] = view[v.OWN] & ~laid
        masks[b.PICKUP, n], masks[b.LAID, n], masks[b.LAID_AFTER, n] = masks[b.LAID, n], laid, laid
        meta[b.N_PICKUPS, n] = 1
    view[v.OWN], view[v.HAS_TALON] = hands[declarer], 0
    # The declarer knows what he laid; without an exchange he knows nothing of the talon.
    view[v.LAID] = masks[b.LAID, n] if masks[b.PICKUP, n] != 0 else 0
    for role in range(3):
        masks[b.AT_PLAY + role, n] = hands[(declarer + role) % 3]
    trump_class = rules.bids[bid, TRUMP_CLASS]
    trump = -1
    if trump_class == WITHOUT:
        trump = NO_TRUMP
    elif trump_class == HEARTS or flags[PLAIN_SUITS] == 1 << _HEARTS_SUIT:
        trump = _HEARTS_SUIT
    plain_simple = trump_class != HEARTS and rules.bids[bid, NAMED] == 1 << SIMPLE
    if plain_simple and flags[CONCEDE] != 0:
        must = flags[CONCEDE] == 2
        if must or (given[0] < 0 and dispatch.concedes(policy, rules, view, key, _CONCEDES_AT)):
            meta[b.TERMINATION, n] = b.CONCEDED
    if trump < 0 and meta[b.TERMINATION, n] != b.CONCEDED:
        trump = given[1] if given[1] >= 0 else dispatch.names_trump(policy, rules, view, key, _NAMES_TRUMP_AT)
    meta[b.TRUMP, n] = trump
