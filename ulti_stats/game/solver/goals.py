"""From a goal to a search: what the judge asks for is found by asking the judge."""

from __future__ import annotations

import numpy as np

from ulti_stats.game.bids import N_COMPONENTS, Component
from ulti_stats.game.jit import inlined, inner, kernel, popcount
from ulti_stats.game.play import (
    ACE_TRICKS,
    DECLARED,
    LAST_WINNER,
    MARRIAGE_POINTS,
    MARRIAGE_SUITS,
    N_FACTS,
    SEVEN_HOLDER,
    SEVEN_TRICK,
    TRICK_POINTS,
    TRICKS,
    count_marriages,
)
from ulti_stats.game.rule_table import NO_TRUMP, IntArray, RuleTable
from ulti_stats.game.scoring import MADE, N_OUTCOME, judge
from ulti_stats.game.solver.points import can_take
from ulti_stats.game.solver.position import FIRST, ILLEGAL, LEADER, N_LEFT, OWN, REST, SECOND, Boards, Positions
from ulti_stats.game.solver.seven import TRUMP_SEVEN, can_save
from ulti_stats.game.solver.tricks import can_avoid, can_sweep
from ulti_stats.game.solver.workspace import HOLDER, STEP, TRUMP, Classes, set_keys

BETLI = int(Component.BETLI)
SILENT_ULTI_DEFENDER = int(Component.SILENT_ULTI_DEFENDER)
CARD_POINTS = N_COMPONENTS  # the goal number of exact points
ACES = 0x80808080


@inner
def would_be_made(
    rules: RuleTable,
    positions: Positions,
    i: int,
    goal: int,
    facts: IntArray,
    rest: int,
    gained: int,
    takes_trick: bool,
    gives_trick: bool,
    trial: IntArray,
    outcome: IntArray,
) -> bool:
    """Ask the judge: is the goal made where the declarer's side gains `gained` of the `rest` points from here on?

    `takes_trick` and `gives_trick` say whether declarer and defenders take a trick from here on.
    """
    for place in range(N_FACTS):
        trial[place] = facts[place]
    trial[TRICK_POINTS] += gained
    trial[TRICK_POINTS + 1] += rest - gained
    trial[TRICKS] += 1 if takes_trick else 0
    trial[TRICKS + 1] += 1 if gives_trick else 0
    for side in range(2):
        trial[MARRIAGE_POINTS + side] = 0
        trial[DECLARED + side] = 0
    count_marriages(rules.flags, trial, positions.trump[i], positions.declarer[i], facts[MARRIAGE_SUITS])
    judge(rules, positions.bid[i], trial, outcome)
    return outcome[goal] == MADE


@inlined
def is_scored(rules: RuleTable, positions: Positions, i: int, goal: int) -> bool:
    """Return whether a goal can be made at all under the contract, with the best cards one can think of."""
    facts, outcome = np.zeros(N_FACTS, np.int64), np.zeros(N_OUTCOME, np.int64)
    bid = positions.bid[i]
    facts[SEVEN_TRICK] = 9
    if goal == SILENT_ULTI_DEFENDER:
        facts[SEVEN_HOLDER] = facts[LAST_WINNER] = 1
    if goal == BETLI:
        facts[TRICKS + 1] = 10
    else:
        facts[TRICKS] = 10
        facts[TRICK_POINTS] = 300
        facts[ACE_TRICKS] = 4
    for declared in range(1, 4):
        facts[DECLARED] = declared
        facts[MARRIAGE_POINTS] = 100
        judge(rules, bid, facts, outcome)
        if outcome[goal] == MADE:
            return True
    return False


@kernel
def at_stake(rules: RuleTable, positions: Positions, goal: int, found: IntArray) -> None:
    """Fill in `found` [n]: 1 where a goal can be made under the contract."""
    for i in range(len(found)):
        found[i] = 1 if is_scored(rules, positions, i, goal) else 0


@inner
def roles_from(board: IntArray) -> tuple[int, int, int]:
    """Return the cards of the leader and of the two after him."""
    leader = board[LEADER]
    return board[OWN + leader], board[OWN + (leader + 1) % 3], board[OWN + (leader + 2) % 3]  # pyright: ignore[reportReturnType]


@kernel
def solve_points(
    rules: RuleTable,
    ws: IntArray,
    classes: Classes,
    sweep: IntArray,
    count: IntArray,
    plain: Classes,
    positions: Positions,
    laid_out: Boards,
    goal: int,
    values: IntArray,
) -> None:
    """Fill in `values` [n] for a goal that is a number of points, or with the exact points (`CARD_POINTS`).

    `sweep` and `count` (with their classes `plain`) serve two cases in which the number is not enough: where marriages
    count only with a trick, all the tricks or a single one can be worth more than their points.
    """
    trial, outcome = np.zeros(N_FACTS, np.int64), np.zeros(N_OUTCOME, np.int64)
    for i in range(len(values)):
        board, facts = laid_out.boards[i], laid_out.facts[i]
        if board[N_LEFT] < 0:
            values[i] = ILLEGAL
            continue
        if goal == CARD_POINTS:
            values[i] = facts[TRICK_POINTS] + _most_points(ws, classes, board)
            continue
        own = board[OWN : OWN + 3]
        rest, leader, first, second = board[REST], board[LEADER], board[FIRST], board[SECOND]
        a, b, c = roles_from(board)
        need = np.int64(0)
        while need <= rest:
            if would_be_made(rules, positions, i, goal, facts, rest, need, True, True, trial, outcome):
                break
            need += ws[STEP]
        if board[N_LEFT] == 0:
            made = would_be_made(rules, positions, i, goal, facts, 0, 0, False, False, trial, outcome)
        elif need > rest:
            # Only where the defenders take no trick, if at all.
            made = facts[TRICKS + 1] + facts[TRICKS + 2] == 0 and would_be_made(
                rules, positions, i, goal, facts, rest, rest, True, False, trial, outcome
            )
            if made:
                set_keys(sweep, plain, own)
                made = can_sweep(sweep, a, b, c, leader, first, second)
        elif need > 0:
            set_keys(ws, classes, own)
            made = can_take(ws, a, b, c, leader, need, rest, first, second)
        else:
            made = facts[TRICKS] > 0 or would_be_made(rules, positions, i, goal, facts, rest, 0, False, True, trial, outcome)
            if not made:
                # One trick is wanted, whatever it holds: there every card counts one.
                set_keys(count, plain, own)
                made = can_take(count, a, b, c, leader, np.int64(1), 3 * board[N_LEFT], first, second)
        values[i] = 1 if made else 0


@inlined
def _most_points(ws: IntArray, classes: Classes, board: IntArray) -> int:
    """Return the most points that the declarer can take from here on."""
    step, rest, leader = ws[STEP], board[REST], board[LEADER]
    a, b, c = roles_from(board)
    low, high = np.int64(0), rest // step
    if low < high:
        set_keys(ws, classes, board[OWN : OWN + 3])
    while low < high:
        middle = (low + high + 1) // 2
        if can_take(ws, a, b, c, leader, middle * step, rest, board[FIRST], board[SECOND]):
            low = middle
        else:
            high = middle - 1
    return low * step


@kernel
def solve_aces(ws: IntArray, classes: Classes, laid_out: Boards, values: IntArray) -> None:
    """Fill in `values` [n]: whether the declarer can take every trick that holds an ace."""
    for i in range(len(values)):
        board, facts = laid_out.boards[i], laid_out.facts[i]
        if board[N_LEFT] < 0:
            values[i] = ILLEGAL
            continue
        a, b, c = roles_from(board)
        aces = popcount((a | b | c) & ACES)
        made = facts[ACE_TRICKS + 1] + facts[ACE_TRICKS + 2] == 0
        if made and aces > 0:
            set_keys(ws, classes, board[OWN : OWN + 3])
            made = can_take(ws, a, b, c, board[LEADER], aces, aces, board[FIRST], board[SECOND])
        values[i] = 1 if made else 0


@kernel
def solve_seven(ws: IntArray, classes: Classes, laid_out: Boards, by_declarer: bool, values: IntArray) -> None:
    """Fill in `values` [n]: whether trick 10 can be won with the trump seven, by the declarer or by a defender."""
    for i in range(len(values)):
        board, facts = laid_out.boards[i], laid_out.facts[i]
        if board[N_LEFT] < 0:
            values[i] = ILLEGAL
            continue
        holder = np.int64(-1)
        for role in range(3):
            if board[OWN + role] >> TRUMP_SEVEN & 1:
                holder = role
        made = False
        if board[N_LEFT] == 0:
            holder = facts[SEVEN_HOLDER]
            made = facts[SEVEN_TRICK] == 9 and facts[LAST_WINNER] == holder and (holder == 0) == by_declarer
        elif ws[TRUMP] != NO_TRUMP and holder >= 0 and (holder == 0) == by_declarer:
            a, b, c = roles_from(board)
            ws[HOLDER] = holder
            set_keys(ws, classes, board[OWN : OWN + 3])
            made = can_save(ws, a, b, c, board[LEADER], board[FIRST], board[SECOND])
        values[i] = 1 if made else 0


@kernel
def solve_tricks(ws: IntArray, classes: Classes, laid_out: Boards, takes_all: bool, values: IntArray) -> None:
    """Fill in `values` [n]: whether the declarer can take all the tricks, or else none of them."""
    for i in range(len(values)):
        board, facts = laid_out.boards[i], laid_out.facts[i]
        if board[N_LEFT] < 0:
            values[i] = ILLEGAL
            continue
        a, b, c = roles_from(board)
        leader, first, second = board[LEADER], board[FIRST], board[SECOND]
        made = (facts[TRICKS + 1] + facts[TRICKS + 2] if takes_all else facts[TRICKS]) == 0
        if made and board[N_LEFT] > 0:
            set_keys(ws, classes, board[OWN : OWN + 3])
            if takes_all:
                made = can_sweep(ws, a, b, c, leader, first, second)
            else:
                made = can_avoid(ws, a, b, c, leader, first, second)
        values[i] = 1 if made else 0
