"""Recorded cards of many hands checked in step: `play_out` without branches, in the blocks of `lanes.py`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game import batch as b
from ulti_stats.game import lanes as ln
from ulti_stats.game import verdicts as v
from ulti_stats.game.batch import Batch
from ulti_stats.game.batch_result import note_facts
from ulti_stats.game.cards import N_CARDS
from ulti_stats.game.jit import fused, inlined, lean
from ulti_stats.game.lanes import LANES
from ulti_stats.game.play import SEVEN_HOLDER, SEVEN_TRICK, TRICKS, roles_that_stop
from ulti_stats.game.rule_table import MUST_OVERTAKE, MUST_OVERTRUMP, OVERTAKE_WHEN_TRUMPED, PARTS, IntArray, RuleTable

Small = NDArray[np.int8]

_ALL = 30  # cards of a whole play


@lean
def check_plays(
    rules: RuleTable,
    first: int,
    end: int,
    facts: IntArray,
    block: IntArray,
    batch: Batch,
    codes: Small,
    places: NDArray[np.int16],
) -> None:
    """Check the cards of hands `first` to `end - 1` that are PLAYED and note the facts of their tricks.

    A hand that is refused, or whose cards do not tell the result, is marked ABANDONED with its verdict and place.
    `facts` [20] is room to work in.
    """
    for start in range(first, end, LANES):
        n_lanes = min(LANES, end - start)
        for i in range(n_lanes):
            ln.set_lane(rules, batch, start + i, block, i)
        ln.open_play(n_lanes, block)
        for trick in range(10):
            _check_trick(rules.flags, trick, n_lanes, block, batch.plays, start)
        for i in range(n_lanes):
            n = start + i
            if batch.meta[b.TERMINATION, n] != b.PLAYED:
                continue
            codes[n], places[n] = block[ln.ERROR + i], block[ln.PLACE + i] if block[ln.ERROR + i] != 0 else -1
            if block[ln.ERROR + i] == 0:
                _look_back(rules.flags, block, i, batch, n, facts)
                if not _is_finished(rules, batch, n):
                    codes[n] = v.OPEN
            if codes[n] != v.SETTLED:
                batch.meta[b.TERMINATION, n] = b.ABANDONED


@inlined
def _refused(number: int, card: int, own: int, legal: int) -> int:
    """Return 0 for a legal card, else why it is refused; what is no card number is no legal card."""
    why = v.AGAINST_DUTY if own >> card & 1 != 0 else v.NOT_HELD
    return 0 if legal >> card & int(number < N_CARDS) != 0 else why


@fused
def _check_trick(flags: IntArray, trick: int, n: int, block: IntArray, plays: Small, first: int) -> None:
    """Check one trick of each hand of a block; the first refusal of a hand stays, and what follows it is of no account."""
    overtake, overtrump, top_trumped = -flags[MUST_OVERTAKE], -flags[MUST_OVERTRUMP], -flags[OVERTAKE_WHEN_TRUMPED]
    until_last = -1 if trick < 9 else 0
    for place in range(3):
        for i in range(n):
            block[ln.CARD + place * LANES + i] = plays[3 * trick + place, first + i]
    for i in range(n):
        role, trumps, low = block[ln.ROLE + i], block[ln.TRUMPS + i], block[ln.LOW + i]
        own_0, own_1, own_2 = block[ln.OWN + i], block[ln.OWN + LANES + i], block[ln.OWN + 2 * LANES + i]
        card_1, card_2, card_3 = block[ln.CARD + i], block[ln.CARD + LANES + i], block[ln.CARD + 2 * LANES + i]
        # All ones where the card was played: behind the last card of a hand stands -1.
        is_1, is_2, is_3 = ~(card_1 >> 63), ~(card_2 >> 63), ~(card_3 >> 63)
        led, follower, last = ln.of_card(card_1 & 31, low), ln.of_card(card_2 & 31, low), ln.of_card(card_3 & 31, low)
        seven = block[ln.SEVEN + i] & until_last
        own = ln.in_turn(role, 0, own_0, own_1, own_2)
        why_1 = _refused(card_1, led, own, ln.keeping(own, ln.in_turn(role, 0, seven, 0, 0))) & is_1
        own = ln.in_turn(role, 1, own_0, own_1, own_2)
        legal = ln.follows(own, led, led, trumps, overtake, overtrump, top_trumped)
        why_2 = _refused(card_2, follower, own, ln.keeping(legal, ln.in_turn(role, 1, seven, 0, 0))) & is_2
        second = ln.takes(follower, led, trumps)
        best = follower if second != 0 else led
        own = ln.in_turn(role, 2, own_0, own_1, own_2)
        legal = ln.follows(own, led, best, trumps, overtake, overtrump, top_trumped)
        why_3 = _refused(card_3, last, own, ln.keeping(legal, ln.in_turn(role, 2, seven, 0, 0))) & is_3
        third = ln.takes(last, best, trumps)
        gone = 1 << led & is_1 | 1 << follower & is_2 | 1 << last & is_3
        block[ln.OWN + i], block[ln.OWN + LANES + i], block[ln.OWN + 2 * LANES + i] = own_0 & ~gone, own_1 & ~gone, own_2 & ~gone
        fell = trumps & ln.SEVENS & gone != 0
        block[ln.SEVEN_TRICK + i] = trick if fell else block[ln.SEVEN_TRICK + i]
        why = why_1 if why_1 != 0 else why_2 if why_2 != 0 else why_3
        place = 3 * trick + (0 if why_1 != 0 else 1 if why_2 != 0 else 2)
        before = block[ln.ERROR + i]
        block[ln.ERROR + i] = before if before != 0 else why
        block[ln.PLACE + i] = block[ln.PLACE + i] if before != 0 else place
        block[ln.LIVE + i] = is_3
        ln.end_trick(block, i, trick, card_1 & 31, card_2 & 31, card_3 & 31, second, third)


@fused
def _look_back(flags: IntArray, block: IntArray, i: int, batch: Batch, n: int, facts: IntArray) -> None:
    """Note the facts of the play and the number of cards in it."""
    ln.look_back(flags, block, i, batch, n, facts)
    if facts[SEVEN_TRICK] < 0:
        facts[SEVEN_HOLDER] = -1  # the hand broke off before it fell
    note_facts(facts, batch, n)
    n_played = block[ln.N_PLAYED + i]
    while n_played < _ALL and batch.plays[n_played, n] >= 0:
        n_played += 1
    batch.meta[b.N_PLAYED, n] = n_played


@inlined
def _is_finished(rules: RuleTable, batch: Batch, n: int) -> bool:
    """Return whether the cards tell the result: all of them, or a trick that decides a game which may stop there."""
    stops = roles_that_stop(rules.flags, rules.bids[np.int64(batch.meta[b.BID, n]), PARTS], np.int64(batch.meta[b.TRUMP, n]))
    is_decided = False
    for role in range(3):
        is_decided = is_decided or (stops >> role & 1 != 0 and batch.facts[TRICKS + role, n] > 0)
    return batch.meta[b.N_PLAYED, n] == _ALL or is_decided
