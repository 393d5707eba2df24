"""The `random` player: every call, card and kontra is drawn from the legal ones."""

from __future__ import annotations

import numpy as np

from ulti_stats.game.bids import N_BIDS
from ulti_stats.game.chance import draw
from ulti_stats.game.jit import inlined, kernel, lowest, popcount
from ulti_stats.game.rule_table import PLAIN_SUITS, IntArray, RuleTable
from ulti_stats.sources.players import view as v
from ulti_stats.sources.players.calls import may_call

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


@kernel
def takes(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Decide whether to bid at all (and so to take the talon where bidding means that)."""
    passes = PASSES if view[v.STANDING] >= 0 else PASSES_UNOPENED
    return draw(key, count, 1000) >= passes


@kernel
def bids(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> int:
    """Choose a bid that may follow the standing one (a confirmation or a hold repeats it); -1 where there is none."""
    n = 0
    for bid in range(N_BIDS):
        if may_call(rules, view, bid):
            n += 1
    if n == 0:
        return -1
    chosen = draw(key, count + 1, n)
    for bid in range(N_BIDS):
        if may_call(rules, view, bid):
            if chosen == 0:
                return bid
            chosen -= 1
    return -1


@kernel
def lays(rules: RuleTable, view: IntArray, bid: int, key: np.uint64, count: int) -> int:
    """Choose two of twelve cards to lay; returns their mask."""
    first = draw(key, count + 2, 12)
    second = draw(key, count + 3, 11)
    if second >= first:
        second += 1
    return (1 << nth_card(view[v.OWN], first)) | (1 << nth_card(view[v.OWN], second))


@kernel
def names_trump(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> int:
    """Name one of the suits that a plain bid may be played in."""
    suits = rules.flags[PLAIN_SUITS]
    return nth_card(suits, draw(key, count + 4, popcount(suits)))


@kernel
def concedes(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Decide whether to give up a plain simple game."""
    return draw(key, count + 5, 1000) < CONCEDES


@kernel
def kontras(rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Decide whether to say the next step on a component."""
    return draw(key, count, 1000) < SAYS_KONTRA


@kernel
def plays(rules: RuleTable, view: IntArray, legal: int, key: np.uint64, count: int) -> int:
    """Choose one of the legal cards; returns a strength number."""
    return nth_card(legal, draw(key, count, popcount(legal)))
