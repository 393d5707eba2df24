"""Deal, auction, contract and kontras of hands in a batch, checked in the order in which `replay.py` checks one hand.

Each check returns a verdict of `verdicts.py` and its place; the first refusal ends the hand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game import auction_steps as a
from ulti_stats.game import batch as b
from ulti_stats.game import verdicts as v
from ulti_stats.game.batch import Batch
from ulti_stats.game.batch_result import Scratch, note_levels
from ulti_stats.game.bids import Component
from ulti_stats.game.cards import Suit
from ulti_stats.game.jit import fused, inlined, lean, popcount
from ulti_stats.game.kontra import LAST_MOMENT, is_individual, may_step
from ulti_stats.game.rule_table import (
    CONCEDE,
    HEARTS,
    KNOWN,
    NAMED,
    NO_TRUMP,
    OPENING_FORCED,
    PARTS,
    PLAIN,
    PLAIN_SUITS,
    ROB,
    ROB_OPTIONAL,
    SELF_RAISE,
    TALON_MODE,
    TRUMP_AT_BID,
    TRUMP_CLASS,
    TWO_ROUNDS,
    WINNER_TAKES,
    WITHOUT,
    IntArray,
    RuleTable,
)

_HEARTS_SUIT, _SIMPLE = int(Suit.HEARTS), int(Component.SIMPLE)


@lean
def check_decisions(
    rules: RuleTable, first: int, end: int, scratch: Scratch, batch: Batch, codes: NDArray[np.int8], places: NDArray[np.int16]
) -> None:
    """Check hands `first` to `end - 1` up to the first lead and note their contracts, cards at play and kontra levels.

    A hand that is refused or open is marked ABANDONED: its cards are not looked at.
    """
    for n in range(first, end):
        code, place = _check_deal(rules.flags, batch, n)
        if code == v.SETTLED:
            code, place = _hold_auction(rules, scratch, batch, n)
        if code == v.SETTLED:
            code, place = _settle(rules, scratch, batch, n)
        codes[n], places[n] = code, place
        if code != v.SETTLED:
            batch.meta[b.TERMINATION, n] = b.ABANDONED


@fused
def _check_deal(flags: IntArray, batch: Batch, n: int) -> tuple[int, int]:
    masks, forehand = batch.masks, np.int64(batch.meta[b.FOREHAND, n])
    talon = masks[b.TALON, n]
    has_five = masks[b.FIVE, n] | masks[b.FIVE + 1, n] | masks[b.FIVE + 2, n] != 0
    holds_twelve = flags[TALON_MODE] == ROB and flags[OPENING_FORCED] != 0 and flags[TWO_ROUNDS] == 0
    if talon == 0 and not holds_twelve:
        return v.TALON_EMPTY, -1
    if has_five:
        for seat in range(3):
            five = masks[b.FIVE + seat, n]
            if popcount(five) != 5 or five & ~masks[b.HAND + seat, n] != 0:
                return v.FIVE_WRONG, seat
    for seat in range(3):
        right = 12 if seat == forehand and talon == 0 else 10
        if popcount(masks[b.HAND + seat, n]) != right:
            return v.HAND_COUNT, seat
    if talon != 0 and popcount(talon) != 2:
        return v.TALON_COUNT, -1
    seen = np.int64(0)
    for place in range(4):
        cards = masks[b.HAND + place, n]  # the talon stands behind the hands
        if seen & cards != 0:
            return v.CARD_TWICE, -1
        seen |= cards
    if flags[TWO_ROUNDS] != 0 and not has_five:
        return v.FIVE_MISSING, -1
    return v.SETTLED, -1


@fused
def _hold_auction(rules: RuleTable, scratch: Scratch, batch: Batch, n: int) -> tuple[int, int]:
    """Check the calls one by one and note what they come to; `scratch.hands` are exchanged."""
    flags, state, hands, meta, masks = rules.flags, scratch.auction, scratch.hands, batch.meta, batch.masks
    for seat in range(3):
        hands[seat] = masks[b.HAND + seat, n]
    a.open_auction(flags, np.int64(meta[b.FOREHAND, n]), masks[b.TALON, n], state)
    for row in range(np.int64(batch.call_start[n]), np.int64(batch.call_start[n + 1])):
        if state[a.FIVE] != 0 and batch.calls[b.CALL_ROUND, row] == 2 and _is_closing(state):
            a.make_pass(flags, state)  # the holder's closing pass may be missing in either round
        code = _check_call(rules, state, hands, batch, row)
        if code != v.SETTLED:
            return code, state[a.N_CALLS]
        bid = np.int64(batch.calls[b.CALL_BID, row])
        if bid >= 0:
            a.make_bid(flags, state, hands, bid, batch.laid[row])
        else:
            a.make_pass(flags, state)
    if _is_closing(state):
        a.make_pass(flags, state)
    if state[a.TURN] >= 0:
        return v.BREAKS_OFF, state[a.N_CALLS]
    meta[b.BID, n], meta[b.DECLARER, n], meta[b.FACTOR, n] = state[a.STANDING], state[a.HOLDER], state[a.FACTOR]
    meta[b.N_BIDS, n], meta[b.N_PICKUPS, n] = state[a.N_BIDS], state[a.N_PICKUPS]
    masks[b.LAID, n], masks[b.PICKUP, n] = state[a.TALON], state[a.PICKUP]
    return v.SETTLED, -1


@inlined
def _is_closing(state: IntArray) -> bool:
    """Return whether only the holder's own closing pass or self-raise is left."""
    return state[a.TURN] >= 0 and state[a.TURN] == state[a.HOLDER] and state[a.CONFIRMING] == 0


@fused
def _check_call(rules: RuleTable, state: IntArray, hands: IntArray, batch: Batch, row: int) -> int:
    flags, calls = rules.flags, batch.calls
    seat, bid = np.int64(calls[b.CALL_SEAT, row]), np.int64(calls[b.CALL_BID, row])
    trump, laid, holds = np.int64(calls[b.CALL_TRUMP, row]), batch.laid[row], calls[b.CALL_HOLD, row] != 0
    if state[a.TURN] < 0:
        return v.AUCTION_OVER
    if seat != state[a.TURN]:
        return v.WRONG_TURN
    if calls[b.CALL_ROUND, row] != (1 if state[a.FIVE] != 0 else 2):
        return v.WRONG_ROUND
    if bid < 0:
        if state[a.CONFIRMING] != 0:
            return v.MUST_CONFIRM
        if a.must_bid(flags, state):
            return v.MUST_BID
        return v.PASS_AND_MORE if laid != 0 or trump >= 0 or holds else v.SETTLED
    if bid >= len(rules.bids) or rules.bids[bid, KNOWN] == 0:
        return v.UNKNOWN_BID
    standing = state[a.STANDING]
    if holds:
        if not a.may_hold(flags, state):
            return v.MAY_NOT_HOLD
        if bid != standing:
            return v.HOLDS_ANOTHER
    else:
        if _is_closing(state) and flags[SELF_RAISE] == 0:
            return v.NO_SELF_RAISE
        if a.follow_ups(rules, standing, state[a.FACTOR] != 1, state[a.CONFIRMING] != 0, False) >> bid & 1 == 0:
            return v.TOO_LOW
    code = _check_talon(flags[TALON_MODE], state, hands[seat], laid)
    if code == v.SETTLED and trump >= 0:
        if flags[TRUMP_AT_BID] == 0:
            return v.TRUMP_LATER
        if not _may_be_trumps(rules, bid, trump):
            return v.TRUMP_OF_CALL
    return code


@inlined
def _check_talon(mode: int, state: IntArray, hand: int, laid: int) -> int:
    if state[a.FIVE] != 0:
        return v.NO_TALON_YET if laid != 0 else v.SETTLED
    if laid == 0:
        return v.LAYS_NOTHING if mode == ROB else v.SETTLED
    if mode not in (ROB, ROB_OPTIONAL):
        return v.NO_TALON_NOW
    return v.LAYS_OTHERS if popcount(laid) != 2 or laid & ~(hand | state[a.TALON]) != 0 else v.SETTLED


@inlined
def _may_be_trumps(rules: RuleTable, bid: int, suit: int) -> bool:
    """Return whether a suit may be trumps under a bid, as `trump_problem` says."""
    kind = rules.bids[bid, TRUMP_CLASS]
    suits = 0 if kind == WITHOUT else 1 << _HEARTS_SUIT if kind == HEARTS else rules.flags[PLAIN_SUITS]
    return suits >> suit & 1 != 0


@fused
def _settle(rules: RuleTable, scratch: Scratch, batch: Batch, n: int) -> tuple[int, int | np.int64]:
    """Check what stands between the auction and the first lead, and note contract, cards at play and kontra levels."""
    flags, hands, meta, masks = rules.flags, scratch.hands, batch.meta, batch.masks
    declarer, bid, laid = np.int64(meta[b.DECLARER, n]), np.int64(meta[b.BID, n]), masks[b.LAID_AFTER, n]
    is_conceded, has_plays = meta[b.TERMINATION, n] == b.CONCEDED, batch.plays[0, n] >= 0
    has_kontras = batch.kontra_start[n + 1] != batch.kontra_start[n]
    if declarer < 0:
        return _pass_out(batch, n, has_kontras, has_plays, is_conceded)
    if flags[TALON_MODE] == WINNER_TAKES:
        twelve = hands[declarer] | masks[b.LAID, n]
        if laid == 0:
            return v.DISCARD_MISSING, -1
        if popcount(laid) != 2 or laid & ~twelve != 0:
            return v.DISCARD_WRONG, -1
        masks[b.PICKUP, n], masks[b.LAID, n] = masks[b.LAID, n], laid
        hands[declarer] = twelve & ~laid
        meta[b.N_PICKUPS, n] += 1
    elif laid != 0:
        return v.DISCARD_IN_CALL, -1
    for role in range(3):
        masks[b.AT_PLAY + role, n] = hands[(declarer + role) % 3]
    code = _name_trumps(rules, batch, n, has_plays and not is_conceded)
    if code != v.SETTLED:
        return code, -1
    is_simple = rules.bids[bid, TRUMP_CLASS] == PLAIN and rules.bids[bid, NAMED] == 1 << _SIMPLE
    if is_conceded:
        if flags[CONCEDE] == 0 or not is_simple:
            return v.NOT_CONCEDED, -1
        if has_kontras:
            return v.CONCEDED_KONTRA, -1
        return (v.CONCEDED_PLAYS if has_plays else v.SETTLED), -1
    if flags[CONCEDE] == 2 and is_simple and has_plays:
        return v.MUST_CONCEDE, -1
    meta[b.TERMINATION, n] = b.PLAYED
    code, place = _say_kontras(rules, scratch.levels, batch, n)
    if code == v.SETTLED and meta[b.TRUMP, n] < 0:
        return v.OPEN, -1
    return code, place


@inlined
def _pass_out(batch: Batch, n: int, has_kontras: bool, has_plays: bool, is_conceded: bool) -> tuple[int, int]:
    if has_kontras:
        return v.NO_KONTRA_HERE, -1
    if has_plays:
        return v.NO_PLAYS_HERE, -1
    if _is_suit(batch.meta[b.TRUMP, n]) or batch.masks[b.LAID_AFTER, n] != 0 or is_conceded:
        return v.NOTHING_HERE, -1
    batch.meta[b.TRUMP, n], batch.meta[b.TERMINATION, n] = -1, b.PASSED_OUT
    return v.SETTLED, -1


@inlined
def _is_suit(trump: int) -> bool:
    return trump >= 0 and trump != NO_TRUMP


@fused
def _name_trumps(rules: RuleTable, batch: Batch, n: int, is_needed: bool) -> int:
    """Check the suit that is written and put the trump number in its place; -1 while none is named."""
    meta, calls = batch.meta, batch.calls
    bid, written = np.int64(meta[b.BID, n]), np.int64(meta[b.TRUMP, n])
    kind = rules.bids[bid, TRUMP_CLASS]
    if kind == WITHOUT:
        meta[b.TRUMP, n] = NO_TRUMP
        return v.TRUMP_OF_NONE if _is_suit(written) else v.SETTLED
    in_call = np.int64(-1)
    for row in range(np.int64(batch.call_start[n]), np.int64(batch.call_start[n + 1])):
        if calls[b.CALL_BID, row] == bid and calls[b.CALL_SEAT, row] == meta[b.DECLARER, n]:
            in_call = np.int64(calls[b.CALL_TRUMP, row])
    trump = written if _is_suit(written) else in_call
    if in_call >= 0 and trump != in_call:
        return v.TRUMP_DIFFERS
    if trump < 0 and (kind == HEARTS or rules.flags[PLAIN_SUITS] == 1 << _HEARTS_SUIT):
        trump = np.int64(_HEARTS_SUIT)
    if trump < 0 and is_needed:
        return v.TRUMP_MISSING
    if trump >= 0 and not _may_be_trumps(rules, bid, trump):
        return v.TRUMP_WRONG
    meta[b.TRUMP, n] = trump
    return v.SETTLED


@fused
def _say_kontras(rules: RuleTable, levels: IntArray, batch: Batch, n: int) -> tuple[int, np.int64]:
    """Check the kontras and note the level of each and what they come to."""
    kontras, first = batch.kontras, np.int64(batch.kontra_start[n])
    declarer, bid = np.int64(batch.meta[b.DECLARER, n]), np.int64(batch.meta[b.BID, n])
    individual = is_individual(rules.flags, np.int64(batch.meta[b.TRUMP, n]))
    last = np.int64(0)
    levels[:] = 0
    for row in range(first, np.int64(batch.kontra_start[n + 1])):
        after, part = np.int64(kontras[b.KONTRA_AFTER, row]), np.int64(kontras[b.KONTRA_PART, row])
        seat, against = np.int64(kontras[b.KONTRA_SEAT, row]), np.int64(kontras[b.KONTRA_AGAINST, row])
        if after > LAST_MOMENT:
            return v.KONTRA_LATE, row - first
        if after < last:
            return v.KONTRA_ORDER, row - first
        last = after
        if rules.bids[bid, PARTS] >> part & 1 == 0:
            return v.KONTRA_PART, row - first
        answers = individual and seat == declarer
        if (against >= 0) != answers or against == declarer:
            return v.KONTRA_AGAINST, row - first
        d = ((against if answers else seat) - declarer + 2) % 3 if individual else 0
        if not may_step(rules.flags, levels[part, d], seat == declarer):
            return v.KONTRA_STEP, row - first
        levels[part, d] += 1
        if not individual:
            levels[part, 1] = levels[part, 0]
        kontras[b.KONTRA_LEVEL, row] = levels[part, d]
    note_levels(levels, batch, n)
    return v.SETTLED, np.int64(-1)
