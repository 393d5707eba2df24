"""The exact units of whole contracts, for many positions at once."""

from __future__ import annotations

import numpy as np

from ulti_stats.game.bids import N_COMPONENTS
from ulti_stats.game.jit import inner, kernel
from ulti_stats.game.play import ACE_TRICKS, LAST_WINNER, N_FACTS, SEVEN_HOLDER, SEVEN_TRICK, TRICK_POINTS, TRICKS
from ulti_stats.game.rule_table import IntArray, RuleTable
from ulti_stats.game.scoring import N_OUTCOME
from ulti_stats.game.solver.goals import roles_from
from ulti_stats.game.solver.payoffs import ACES_PAY, POINTS_PAY, SEVEN_PAY, set_payoffs
from ulti_stats.game.solver.position import FIRST, ILLEGAL, LEADER, N_LEFT, OWN, REST, SECOND, Boards, Positions
from ulti_stats.game.solver.units import can_force
from ulti_stats.game.solver.workspace import STEP, Classes, set_keys

BOTH_DEFENDERS = 2
_MOST_VALUES = 4096


@kernel
def solve_units(
    rules: RuleTable,
    ws: IntArray,
    classes: Classes,
    by_points: IntArray,
    points_classes: Classes,
    by_aces: IntArray,
    aces_classes: Classes,
    by_seven: IntArray,
    seven_classes: Classes,
    by_tricks: IntArray,
    plain: Classes,
    positions: Positions,
    laid_out: Boards,
    defender: int,
    values: IntArray,
) -> None:
    """Fill in `values` [n] with the units that the declarer can force from one defender (0, 1) or from both (2)."""
    trial, outcome = np.zeros(N_FACTS, np.int64), np.zeros(N_OUTCOME, np.int64)
    units, sums = np.zeros((N_COMPONENTS, 2), np.int64), np.zeros(_MOST_VALUES, np.int64)
    for i in range(len(values)):
        board, facts = laid_out.boards[i], laid_out.facts[i]
        own = board[OWN : OWN + 3]
        if board[N_LEFT] < 0:
            values[i] = ILLEGAL
            continue
        set_payoffs(rules, ws, positions, i, facts, board[REST], defender, trial, outcome, units)
        step = ws[STEP]
        points, rest = facts[TRICK_POINTS] // step, board[REST] // step
        has, aces = np.int64(0), np.int64(0)
        for role in range(3):
            has |= 1 << role if facts[TRICKS + role] > 0 else 0
            aces |= 1 << role if facts[ACE_TRICKS + role] > 0 else 0
        if board[N_LEFT] == 0:
            seven = np.int64(0)
            if facts[SEVEN_TRICK] == 9:
                seven = 1 + 2 * facts[SEVEN_HOLDER] + (1 if facts[LAST_WINNER] == facts[SEVEN_HOLDER] else 0)
            values[i] = ws[POINTS_PAY + 8 * points + has] + ws[ACES_PAY + aces] + ws[SEVEN_PAY + seven]
            continue
        set_keys(ws, classes, own)
        set_keys(by_points, points_classes, own)
        set_keys(by_aces, aces_classes, own)
        set_keys(by_seven, seven_classes, own)
        set_keys(by_tricks, plain, own)
        a, b, c = roles_from(board)
        leader, first, second = board[LEADER], board[FIRST], board[SECOND]
        low, high = 0, _possible(ws, points, rest, has, aces, sums) - 1
        while low < high:
            middle = (low + high + 1) // 2
            wanted = sums[middle]
            if can_force(
                ws, by_points, by_aces, by_seven, by_tricks, a, b, c, leader, wanted, points, has, aces, rest, first, second
            ):
                low = middle
            else:
                high = middle - 1
        values[i] = sums[low]


@kernel
def _possible(ws: IntArray, points: int, rest: int, has: int, aces: int, sums: IntArray) -> int:
    """Fill in `sums`, rising, with what the hand may come to; return how many there are."""
    n = 0
    seen = np.zeros(64, np.int64)
    n_seen = 0
    for gained in range(points, points + rest + 1):
        for more in range(8):
            if more & has == has:
                n_seen = _insert(seen, n_seen, ws[POINTS_PAY + 8 * gained + more])
    for place in range(n_seen):
        for more in range(8):
            if more & aces == aces:
                for seven in range(7):
                    n = _insert(sums, n, seen[place] + ws[ACES_PAY + more] + ws[SEVEN_PAY + seven])
    return n


@inner
def _insert(values: IntArray, n: int, value: int) -> int:
    """Insert a value into the first n, which rise, unless it is there; return how many there are then."""
    place = n
    while place > 0 and values[place - 1] > value:
        place -= 1
    if place > 0 and values[place - 1] == value:
        return n
    for other in range(n, place, -1):
        values[other] = values[other - 1]
    values[place] = value
    return n + 1
