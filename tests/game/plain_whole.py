"""A plain minimax that reaches whole deals: card by card, and a dictionary of the tricks' beginnings already judged.

For goals that the tricks decide: betli, durchmars, the trump seven in trick 10, and for endings the most points. Duties of play
and winners are those of `plain_minimax`; there are no bounds, no equal cards, and a dictionary is made anew for each deal.
"""

from __future__ import annotations

import numba
import numpy as np
from numba.typed import Dict

from tests.game import plain_minimax as plain
from ulti_stats.game.bids import Component
from ulti_stats.game.rulesets import Ruleset
from ulti_stats.game.solver.position import Positions

BETLI, DURCHMARS, SEVEN_LAST, MOST_POINTS = range(4)
GOALS = {Component.BETLI: BETLI, Component.DURCHMARS: DURCHMARS, Component.ULTI: SEVEN_LAST}


@numba.njit
def is_lost(s, goal, plays, n, seat):
    """Return whether the goal is lost with the trick just ended, which `seat` has taken."""
    if goal == BETLI:
        return seat == s.declarer
    if goal == DURCHMARS:
        return seat != s.declarer
    if goal == SEVEN_LAST:
        lies = plays[n - 3] == 8 * s.trump or plays[n - 2] == 8 * s.trump or plays[n - 1] == 8 * s.trump
        if n < 30:
            return lies
        last = plays[n - 3 + plain.winner(s, plays, n - 3)]
        return last != 8 * s.trump or seat != s.declarer
    return False


@numba.njit
def worth_of_trick(s, plays, n):
    return s.worth[plays[n - 3]] + s.worth[plays[n - 2]] + s.worth[plays[n - 1]] + (s.duties[plain.BONUS] if n == 30 else 0)


@numba.njit
def judged(s, goal, hands, plays, n, seat, known):
    """Return the value from n plays on, `seat` to play: whether the goal is made, or the points that the declarer takes."""
    if n == 30:
        return 0 if goal == MOST_POINTS else 1
    key = (hands[0] | hands[1] | hands[2]) * 3 + seat
    if n % 3 == 0 and key in known:
        return known[key]
    start = n // 3 * 3
    hand, value, is_first = hands[seat], 0, True
    for card in range(32):
        if hand >> card & 1 == 0 or not plain.may_play(s, hand, plays[start:n], n - start, card, seat == s.declarer, n // 3):
            continue
        plays[n] = card
        hands[seat] = hand & ~(1 << card)
        then = (seat + 1) % 3
        if n % 3 == 2:
            then = (then + plain.winner(s, plays, start)) % 3
        if n % 3 == 2 and is_lost(s, goal, plays, n + 1, then):
            found = 0
        else:
            gain = worth_of_trick(s, plays, n + 1) if goal == MOST_POINTS and n % 3 == 2 and then == s.declarer else 0
            found = gain + judged(s, goal, hands, plays, n + 1, then, known)
        hands[seat] = hand
        if is_first or (found > value) == (seat == s.declarer):
            value = found
        is_first = False
        if goal != MOST_POINTS and value == (1 if seat == s.declarer else 0):
            break
    if n % 3 == 0:
        known[key] = value
    return value


@numba.njit
def judge_all(page, positions, goal, found, sizes):
    """Fill in `found` [n], and the positions in each dictionary."""
    plays = np.zeros(30, np.int64)
    for i in range(len(found)):
        s = plain.setting_at(page, positions, i)
        hands, seat, n, taken = s.hands.copy(), s.leader, positions.n_plays[i], 0
        plays[:] = positions.plays[i]
        lost = False
        for ply in range(n):
            hands[seat] &= ~(1 << plays[ply])
            seat = (seat + 1) % 3
            if ply % 3 == 2:
                seat = (seat + plain.winner(s, plays, ply - 2)) % 3
                lost = lost or is_lost(s, goal, plays, ply + 1, seat)
                taken += worth_of_trick(s, plays, ply + 1) if seat == s.declarer else 0
        known = Dict.empty(numba.int64, numba.int64)
        found[i] = 0 if lost else judged(s, goal, hands, plays, n, seat, known)
        found[i] += taken if goal == MOST_POINTS else 0
        sizes[i] = len(known)


def whole_values(rules: Ruleset, positions: Positions, goal: int) -> tuple[np.ndarray, np.ndarray]:
    """Return whether a goal can be forced (or the most points), and how many trick beginnings were looked at."""
    found, sizes = np.zeros(len(positions.bid), np.int64), np.zeros(len(positions.bid), np.int64)
    judge_all(plain.page_of(rules), positions, goal, found, sizes)
    return found, sizes
