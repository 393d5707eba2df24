"""Which bids a seat may call, as players and table ask it."""

from __future__ import annotations

from ulti_stats.game.auction_steps import follow_ups
from ulti_stats.game.jit import fused, inlined, lowest
from ulti_stats.game.rule_table import RANK, IntArray, RuleTable
from ulti_stats.sources.players import view as v


@inlined
def callable_bids(rules: RuleTable, view: IntArray) -> int:
    """Return the set of bids that may be called, with the bit of each bid's number."""
    return follow_ups(rules, view[v.STANDING], view[v.KEPT] != 0, view[v.CONFIRMING] != 0, view[v.MAY_HOLD] != 0)


@fused
def lowest_call(rules: RuleTable, view: IntArray) -> int:
    """Return the lowest bid that may be called, -1 where there is none."""
    rest = callable_bids(rules, view)
    found = -1
    while rest != 0:
        bid = lowest(rest)
        rest &= rest - 1
        if found < 0 or rules.bids[bid, RANK] < rules.bids[found, RANK]:
            found = bid
    return found
