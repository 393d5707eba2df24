"""Hands at which all seats play at random: the same plays as `table_play.py`, with the tricks of many hands in step."""

from __future__ import annotations

import numpy as np

from ulti_stats.game import batch as b
from ulti_stats.game import lanes as ln
from ulti_stats.game.batch import Batch
from ulti_stats.game.batch_result import Scratch, note_facts, note_levels
from ulti_stats.game.chance import KONTRA, PLAY, draw, stream
from ulti_stats.game.jit import fused, lean, popcount
from ulti_stats.game.lanes import LANES, Words
from ulti_stats.game.play import first_leader
from ulti_stats.game.rule_table import MUST_OVERTAKE, MUST_OVERTRUMP, OVERTAKE_WHEN_TRUMPED, IntArray, RuleTable
from ulti_stats.sources.table_play import answer, speak


@lean
def play_in_step(
    rules: RuleTable,
    policies: IntArray,
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
    """Play columns `first` to `end - 1` of a batch as `play_hands` does; all policies must be `random`."""
    for start in range(first, end, LANES):
        n_lanes = min(LANES, end - start)
        for i in range(n_lanes):
            ln.set_lane(rules, batch, start + i, block, i)
            keys[i] = stream(seed, index + start - first + i, PLAY)
        ln.open_play(n_lanes, block)
        for trick in range(10):
            _play_trick(rules.flags, trick, n_lanes, block, keys, batch.plays, start)
        for i in range(n_lanes):
            n, number = start + i, index + start - first + i
            batch.kontra_start[n + 1] = batch.kontra_start[n]
            if batch.kontra_start[n] + b.MOST_KONTRAS > batch.kontras.shape[1]:
                return n
            if batch.meta[b.TERMINATION, n] == b.PLAYED:
                batch.meta[b.N_PLAYED, n] = block[ln.N_PLAYED + i]
                ln.look_back(rules.flags, block, i, batch, n, scratch.facts)
                note_facts(scratch.facts, batch, n)
                if given[0] < 0:
                    _say_kontras(rules, policies[number % len(policies)], stream(seed, number, KONTRA), view, scratch, batch, n)
    return end


@fused
def _say_kontras(
    rules: RuleTable, policies: IntArray, key: np.uint64, view: IntArray, scratch: Scratch, batch: Batch, n: int
) -> None:
    """Let the seats say what they do between the cards of trick 1 and after it; nobody looks at the cards."""
    declarer = np.int64(batch.meta[b.DECLARER, n])
    leader = first_leader(rules.flags, declarer, np.int64(batch.meta[b.FOREHAND, n]))
    scratch.levels[:] = 0
    n_draws = 0
    for play in range(1, 4):
        role = (leader + play - 1 - declarer + 3) % 3
        if role != 0:
            n_draws = speak(rules, policies, view, scratch.levels, key, n_draws, role, play, batch, n)
    answer(rules, policies, view, scratch.own, 0, 0, scratch.levels, key, n_draws, batch, n)
    note_levels(scratch.levels, batch, n)


@fused
def _play_trick(flags: IntArray, trick: int, n: int, block: IntArray, keys: Words, plays: np.ndarray, first: int) -> None:
    """Play one trick of each hand of a block at random; cards go to columns `first` to `first + n - 1` of `plays`."""
    overtake, overtrump, top_trumped = -flags[MUST_OVERTAKE], -flags[MUST_OVERTRUMP], -flags[OVERTAKE_WHEN_TRUMPED]
    until_last = -1 if trick < 9 else 0
    for i in range(n):
        key, role, trumps, low = keys[i], block[ln.ROLE + i], block[ln.TRUMPS + i], block[ln.LOW + i]
        own_0, own_1, own_2 = block[ln.OWN + i], block[ln.OWN + LANES + i], block[ln.OWN + 2 * LANES + i]
        seven = block[ln.SEVEN + i] & until_last
        legal = ln.keeping(ln.in_turn(role, 0, own_0, own_1, own_2), ln.in_turn(role, 0, seven, 0, 0))
        led = ln.nth_of_ten(legal, draw(key, 3 * trick, popcount(legal)))
        own = ln.in_turn(role, 1, own_0, own_1, own_2)
        legal = ln.follows(own, led, led, trumps, overtake, overtrump, top_trumped)
        legal = ln.keeping(legal, ln.in_turn(role, 1, seven, 0, 0))
        card_2 = ln.nth_of_ten(legal, draw(key, 3 * trick + 1, popcount(legal)))
        second = ln.takes(card_2, led, trumps)
        best = card_2 if second != 0 else led
        own = ln.in_turn(role, 2, own_0, own_1, own_2)
        legal = ln.follows(own, led, best, trumps, overtake, overtrump, top_trumped)
        legal = ln.keeping(legal, ln.in_turn(role, 2, seven, 0, 0))
        card_3 = ln.nth_of_ten(legal, draw(key, 3 * trick + 2, popcount(legal)))
        third = ln.takes(card_3, best, trumps)
        gone = ~(1 << led | 1 << card_2 | 1 << card_3)
        block[ln.OWN + i], block[ln.OWN + LANES + i], block[ln.OWN + 2 * LANES + i] = own_0 & gone, own_1 & gone, own_2 & gone
        fell = trumps & ln.SEVENS & ~gone != 0
        block[ln.SEVEN_TRICK + i] = trick if fell else block[ln.SEVEN_TRICK + i]
        over = ~block[ln.LIVE + i]
        led, card_2, card_3 = ln.to_card(led, low), ln.to_card(card_2, low), ln.to_card(card_3, low)
        block[ln.CARD + i], block[ln.CARD + LANES + i], block[ln.CARD + 2 * LANES + i] = led | over, card_2 | over, card_3 | over
        ln.end_trick(block, i, trick, led, card_2, card_3, second, third)
    for place in range(3):
        for i in range(n):
            plays[3 * trick + place, first + i] = block[ln.CARD + place * LANES + i]
