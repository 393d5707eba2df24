"""Which policy decides: one branch a policy for each kind of decision."""

from __future__ import annotations

import numpy as np

from ulti_stats.game.jit import inlined
from ulti_stats.game.rule_table import IntArray, RuleTable
from ulti_stats.sources.players import club, random_player

CLUB = 1


@inlined
def takes(policy: int, rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Return whether the seat bids (and takes the talon where bidding means that)."""
    if policy == CLUB:
        return club.takes(rules, view, key, count)
    return random_player.takes(rules, view, key, count)


@inlined
def bids(policy: int, rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> int:
    """Return the bid number chosen, -1 for none."""
    if policy == CLUB:
        return club.bids(rules, view, key, count)
    return random_player.bids(rules, view, key, count)


@inlined
def lays(policy: int, rules: RuleTable, view: IntArray, bid: int, key: np.uint64, count: int) -> int:
    """Return the mask of the two cards laid down."""
    if policy == CLUB:
        return club.lays(rules, view, bid, key, count)
    return random_player.lays(rules, view, bid, key, count)


@inlined
def names_trump(policy: int, rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> int:
    """Return the suit named under a plain bid."""
    if policy == CLUB:
        return club.names_trump(rules, view, key, count)
    return random_player.names_trump(rules, view, key, count)


@inlined
def concedes(policy: int, rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Return whether the declarer gives up a plain simple game."""
    if policy == CLUB:
        return club.concedes(rules, view, key, count)
    return random_player.concedes(rules, view, key, count)


@inlined
def kontras(policy: int, rules: RuleTable, view: IntArray, key: np.uint64, count: int) -> bool:
    """Return whether the seat says the next step on the component in `view[PART]`."""
    if policy == CLUB:
        return club.kontras(rules, view, key, count)
    return random_player.kontras(rules, view, key, count)


@inlined
def plays(policy: int, rules: RuleTable, view: IntArray, legal: int, key: np.uint64, count: int) -> int:
    """Return the strength number of the card played."""
    if policy == CLUB:
        return club.plays(rules, view, legal, key, count)
    return random_player.plays(rules, view, legal, key, count)
