"""The `random` player: every call, card and kontra is drawn from the legal ones."""

from __future__ import annotations

import numpy as np

from ulti_stats.game.chance import draw
from ulti_stats.game.jit import fused, inlined, lowest, popcount
from ulti_stats.game.rule_table import PLAIN_SUITS, IntArray, RuleTable
from ulti_stats.sources.players import view as v
from ulti_stats.sources.players.calls import callable_bids

# Chances out of 1000. With these an auction ends after about two bids.
PASSES = 790
PASSES_UNOPENED = 200
CONCEDES = 250
SAYS_KONTRA = 120


@inlined
def nth_card(mask: int, n: int) -> int:
    """Return the number of the n-th lowest set bit, from 0."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


@inlined
def nth_bid(bids: int, n: int) -> int:
    """Return the number of the n-th lowest bid of a set, from 0: the set may be large, so it is halved, not walked through."""
    place = 0
    for half in (32, 16, 8, 4):
        below = popcount(bids & ((1 << half) - 1))
        if n >= below:
            n -= below
            bids >>= half
            place += half
        else:
            bids &= (1 << half) - 1
    return place + nth_card(bids, n)


@fused
def takes(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Decide whether to bid at all (and so to take the talon where bidding means that)."""
    passes = PASSES if view[v.STANDING] >= 0 else PASSES_UNOPENED
    return draw(key, count, 1000) >= passes


@fused
def bids(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> int:
    """Choose a bid that may follow the standing one (a confirmation or a hold repeats it); -1 where there is none."""
    may = callable_bids(rules, view)
    return nth_bid(may, draw(key, count + 1, popcount(may))) if may != 0 else -1


@fused
def lays(rules: RuleTable, view: IntArray, bid: int, key: np.uint64, count: int) -> int:
    """Choose two of twelve cards to lay; returns their mask."""
    first = draw(key, count + 2, 12)
    second = draw(key, count + 3, 11)
    if second >= first:
        second += 1
    return (1 << nth_card(view[v.OWN], first)) | (1 << nth_card(view[v.OWN], second))


@fused
def names_trump(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> int:
    """Name one of the suits that a plain bid may be played in."""
    suits = rules.flags[PLAIN_SUITS]
    return nth_card(suits, draw(key, count + 4, popcount(suits)))


@fused
def concedes(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Decide whether to give up a plain simple game."""
    return draw(key, count + 5, 1000) < CONCEDES


@fused
def kontras(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Decide whether to say the next step on a component."""
    return draw(key, count, 1000) < SAYS_KONTRA


@fused
def plays(rules: RuleTable, view: IntArray, legal: int, key: np.uint64, count: int) -> int:
    """Choose one of the legal cards; returns a strength number."""
    return nth_card(legal, draw(key, count, popcount(legal)))
