"""Which bids a seat may call, as players and table ask it."""

from __future__ import annotations

from ulti_stats.game.bids import N_BIDS
from ulti_stats.game.jit import inlined, kernel
from ulti_stats.game.rule_table import KNOWN, RANK, TRUMP_CLASS, IntArray, RuleTable
from ulti_stats.sources.players import view as v


@inlined
def may_call(rules: RuleTable, view: IntArray, bid: int) -> bool:
    """Return whether a bid may follow the standing one: higher, or the same for a confirmation or a hold."""
    standing = view[v.STANDING]
    if rules.bids[bid, KNOWN] == 0:
        return False
    if standing < 0:
        return True
    if bid == standing:
        return view[v.CONFIRMING] != 0 or view[v.MAY_HOLD] != 0
    if view[v.CONFIRMING] != 0 and rules.bids[bid, TRUMP_CLASS] != rules.bids[standing, TRUMP_CLASS]:
        return False
    if view[v.KEPT] == 0:
        return rules.over[bid, standing] != 0
    return rules.over_kept[bid, standing] != 0


@kernel
def lowest_call(rules: RuleTable, view: IntArray) -> int:
    """Return the lowest bid that may be called, -1 where there is none."""
    found = -1
    for bid in range(N_BIDS):
        if may_call(rules, view, bid) and (found < 0 or rules.bids[bid, RANK] < rules.bids[found, RANK]):
            found = bid
    return found
