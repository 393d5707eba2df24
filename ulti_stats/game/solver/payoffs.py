"""What every way to end a hand pays, as tables that are made by asking the judge and the paymaster.

A hand's units are a sum of three: what points and tricks decide, what ace tricks decide, and what the trump seven
decides. The search adds them up from what it has seen so far, and bounds what is still open.
"""

from __future__ import annotations

import numpy as np

from ulti_stats.game.bids import N_COMPONENTS, N_PARTS, Component
from ulti_stats.game.jit import inner
from ulti_stats.game.play import (
    ACE_TRICKS,
    DECLARED,
    HELD,
    LAST_WINNER,
    MARRIAGE_POINTS,
    MARRIAGE_SUITS,
    N_FACTS,
    SEVEN_HOLDER,
    SEVEN_TRICK,
    TALON_POINTS,
    TRICK_POINTS,
    TRICKS,
    count_marriages,
)
from ulti_stats.game.rule_table import IntArray, RuleTable
from ulti_stats.game.scoring import judge, settle
from ulti_stats.game.solver.position import Positions
from ulti_stats.game.solver.workspace import STEP, TABLE

# Components by what decides them.
BY_ACES = 1 << int(Component.FOUR_ACES) | 1 << int(Component.SILENT_FOUR_ACES)
BY_SEVEN = 1 << int(Component.ULTI) | 1 << int(Component.SILENT_ULTI) | 1 << int(Component.SILENT_ULTI_DEFENDER)
BY_POINTS = (1 << N_COMPONENTS) - 1 & ~BY_ACES & ~BY_SEVEN

# Places in a workspace of units, in front of its table. Bits of `has` and `aces`: 1 declarer, 2 and 4 the defenders.
N_POINTS = 256  # sums of points, counted in steps
POINTS_PAY = TABLE  # [points, has]: what it pays to end with so many points, these roles having taken tricks
POINTS_MOST = POINTS_PAY + 8 * N_POINTS  # [points, has]: most that can come of at most so many, and more takers
POINTS_LEAST = POINTS_MOST + 8 * N_POINTS  # [points, has]: least that can come of at least so many, and more takers
POINTS_OPEN = POINTS_LEAST + 8 * N_POINTS  # [points, has]: sum of points below which nothing is open any more
HAS_LIKE = POINTS_OPEN + 8 * N_POINTS  # [has]: the first that pays the same whatever follows
ACES_PAY = HAS_LIKE + 8  # [aces]
ACES_MOST = ACES_PAY + 8
ACES_LEAST = ACES_MOST + 8
ACES_LIKE = ACES_LEAST + 8
SEVEN_PAY = ACES_LIKE + 8  # 0 nobody in trick 10, else 1 + 2 x holder + (1 if he wins)
GENERATION = SEVEN_PAY + 8  # changes whenever the tables do: what the search remembers is marked with it
TOP = GENERATION + 1  # the highest sum of points, in steps
ASKED = TOP + 1  # for what the tables were made
BOUNDS = ASKED + 32  # of the position just looked at: most and least by points and tricks, by aces, by the seven
UNIT_TABLE = BOUNDS + 8


@inner
def set_payoffs(
    rules: RuleTable,
    ws: IntArray,
    positions: Positions,
    i: int,
    facts: IntArray,
    rest: int,
    defender: int,
    trial: IntArray,
    outcome: IntArray,
    units: IntArray,
) -> None:
    """Fill in the tables for a position; those that stand are kept where nothing changed that matters to them.

    `defender` is 0 or 1 for what the first or the second defender pays, 2 for both together.
    """
    total = facts[TRICK_POINTS] + facts[TRICK_POINTS + 1] + rest
    if not _is_new(ws, positions, i, facts, total, defender):
        return
    ws[GENERATION] = (ws[GENERATION] + 1) & 0x7FFFFFFF
    for place in range(N_FACTS):
        trial[place] = 0
    for place in (MARRIAGE_SUITS, TALON_POINTS, HELD):
        trial[place] = facts[place]
    step = ws[STEP]
    top = total // step
    ws[TOP] = top
    trial[SEVEN_HOLDER] = trial[SEVEN_TRICK] = trial[LAST_WINNER] = -1
    for points in range(top + 1):
        for has in range(7, -1, -1):
            # Without a trick there are no points, with all of them there are all; other pairs never come up.
            if has < 7 and ((has & 1 == 0 and points > 0) or (has & 6 == 0 and points < top)):
                ws[POINTS_PAY + 8 * points + has] = ws[POINTS_PAY + 8 * points + 7]
                continue
            ws[POINTS_PAY + 8 * points + has] = _pay(
                rules, positions, i, trial, points * step, total, has, BY_POINTS, defender, outcome, units
            )
    for aces in range(8):
        for role in range(3):
            trial[ACE_TRICKS + role] = aces >> role & 1
        ws[ACES_PAY + aces] = _pay(rules, positions, i, trial, 0, total, 7, BY_ACES, defender, outcome, units)
    ws[SEVEN_PAY] = _pay(rules, positions, i, trial, 0, total, 7, BY_SEVEN, defender, outcome, units)
    trial[SEVEN_TRICK] = 9
    for holder in range(3):
        for wins in range(2):
            trial[SEVEN_HOLDER] = holder
            trial[LAST_WINNER] = holder if wins else (holder + 1) % 3
            ws[SEVEN_PAY + 1 + 2 * holder + wins] = _pay(
                rules, positions, i, trial, 0, total, 7, BY_SEVEN, defender, outcome, units
            )
    _bound(ws, top)


@inner
def _is_new(ws: IntArray, positions: Positions, i: int, facts: IntArray, total: int, defender: int) -> bool:
    """Note for what the tables are made; return whether that differs from before."""
    is_new = False
    for place in range(9 + 2 * N_PARTS):
        if place == 0:
            value = positions.bid[i] + 1
        elif place == 1:
            value = positions.trump[i]
        elif place == 2:
            value = positions.declarer[i]
        elif place == 3:
            value = positions.factor[i]
        elif place == 4:
            value = facts[MARRIAGE_SUITS]
        elif place == 5:
            value = facts[TALON_POINTS]
        elif place == 6:
            value = facts[HELD]
        elif place == 7:
            value = total
        elif place == 8:
            value = np.int64(defender)
        else:
            value = positions.levels[i, (place - 9) // 2, (place - 9) % 2]
        if ws[ASKED + place] != value:
            ws[ASKED + place] = value
            is_new = True
    return is_new


@inner
def _pay(
    rules: RuleTable,
    positions: Positions,
    i: int,
    trial: IntArray,
    points: int,
    total: int,
    has: int,
    wanted: int,
    defender: int,
    outcome: IntArray,
    units: IntArray,
) -> int:
    """Return what the wanted components pay at the end of a play with these facts."""
    bid = positions.bid[i]
    trial[TRICK_POINTS] = points
    trial[TRICK_POINTS + 1] = total - points
    for role in range(3):
        trial[TRICKS + role] = has >> role & 1
    for side in range(2):
        trial[MARRIAGE_POINTS + side] = 0
        trial[DECLARED + side] = 0
    count_marriages(rules.flags, trial, positions.trump[i], positions.declarer[i], trial[MARRIAGE_SUITS])
    judge(rules, bid, trial, outcome)
    settle(rules, bid, outcome, positions.levels[i], positions.factor[i], units)
    result = 0
    for component in range(N_COMPONENTS):
        if wanted >> component & 1:
            for d in range(2):
                if defender in (d, 2):
                    result += units[component, d]
    return result


@inner
def _bound(ws: IntArray, top: int) -> None:
    """Fill in what the tables leave open: most, least, and which facts come to the same."""
    for has in range(8):
        most, least = -(1 << 40), 1 << 40
        for points in range(top + 1):
            for more in range(8):
                if more & has == has:
                    most = max(most, ws[POINTS_PAY + 8 * points + more])
            ws[POINTS_MOST + 8 * points + has] = most
        opens = top + 1
        for points in range(top, -1, -1):
            differs = points < top and ws[POINTS_PAY + 8 * points + 7] != ws[POINTS_PAY + 8 * (points + 1) + 7]
            if differs:
                opens = points + 1
            for more in range(8):
                if more & has == has:
                    pays = ws[POINTS_PAY + 8 * points + more]
                    least = min(least, pays)
                    if pays != ws[POINTS_PAY + 8 * points + 7]:
                        opens = points
            ws[POINTS_LEAST + 8 * points + has] = least
            ws[POINTS_OPEN + 8 * points + has] = opens
        ws[HAS_LIKE + has] = has
        for other in range(has - 1, -1, -1):
            alike = True
            for points in range(top + 1):
                for more in range(8):
                    if ws[POINTS_PAY + 8 * points + (has | more)] != ws[POINTS_PAY + 8 * points + (other | more)]:
                        alike = False
            if alike:
                ws[HAS_LIKE + has] = other
    for aces in range(8):
        ws[ACES_MOST + aces], ws[ACES_LEAST + aces], ws[ACES_LIKE + aces] = -(1 << 40), 1 << 40, aces
        for more in range(8):
            if more & aces == aces:
                ws[ACES_MOST + aces] = max(ws[ACES_MOST + aces], ws[ACES_PAY + more])
                ws[ACES_LEAST + aces] = min(ws[ACES_LEAST + aces], ws[ACES_PAY + more])
        for other in range(aces - 1, -1, -1):
            alike = True
            for more in range(8):
                if ws[ACES_PAY + (aces | more)] != ws[ACES_PAY + (other | more)]:
                    alike = False
            if alike:
                ws[ACES_LIKE + aces] = other
