"""The solver as it is called: many positions at once, one position, every legal card, one best line."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from enum import StrEnum

import numpy as np

from ulti_stats.errors import IllegalDecision
from ulti_stats.game.bids import Component
from ulti_stats.game.rule_table import HOLD_TRUMP_SEVEN, NO_TRUMP, PARTS, SILENT_HUNDRED_BETTER, IntArray, rule_table
from ulti_stats.game.rulesets import Ruleset
from ulti_stats.game.solver import contracts, goals
from ulti_stats.game.solver.memory import Family, Memory, check_table_bits, new_memory
from ulti_stats.game.solver.position import ILLEGAL, Boards, Position, Positions, as_arrays, lay_out

NOT_AT_STAKE = -1  # in place of a value: the goal cannot be made under the contract


class Measure(StrEnum):
    """What can be solved for beside a component: numbers in place of yes or no."""

    POINTS = "points"  # the declarer's trick points, last-trick bonus included
    UNITS = "units"  # what both defenders together pay the declarer, all components and kontra levels at once


Goal = Component | Measure

POINT_GOALS = frozenset(
    (
        Component.SIMPLE,
        Component.FORTY_HUNDRED,
        Component.TWENTY_HUNDRED,
        Component.SILENT_HUNDRED,
        Component.SILENT_FORTY_HUNDRED,
        Component.SILENT_TWENTY_HUNDRED,
    )
)


def take(positions: Positions, index: IntArray) -> Positions:
    """Return some of the positions."""
    return Positions(*(column[index] for column in positions))


class Solver:
    """The searches under one ruleset, with what they remember. One thread uses a solver at a time.

    Kernels release the interpreter lock, so that threads with a solver each run side by side. `table_bits` (16 to 28) is
    the size of its tables as a power of two; it changes speed and memory, never a result. Raises `UltiError` for others.
    """

    def __init__(self, rules: Ruleset, *, table_bits: int | None = None):
        check_table_bits(table_bits)
        self.rules = rules
        self.table = rule_table(rules)
        self.table_bits = table_bits
        self._memories: dict[tuple[Family, bool, bool], Memory] = {}

    def memory(self, family: Family, *, has_trumps: bool, keeps_seven: bool) -> Memory:
        """Return the memory of one search, made when it is first asked for."""
        key = (family, has_trumps, keeps_seven)
        if key not in self._memories:
            self._memories[key] = new_memory(
                self.table, family, has_trumps=has_trumps, keeps_seven=keeps_seven, table_bits=self.table_bits
            )
        return self._memories[key]

    def made(self, positions: Positions, goal: Component) -> IntArray:
        """Return [n] whether the goal can be forced: 1 yes, 0 no, `NOT_AT_STAKE` where the contract does not have it.

        The declarer's side plays for every component but `silent_ulti_defender`, which is the defenders'. Raises
        `IllegalDecision` where the cards played are not a legal play.
        """
        at_stake = np.empty(len(positions.bid), np.int64)
        table = self._reading(goal)
        goals.at_stake(table, positions, int(goal), at_stake)
        values = np.full(len(at_stake), NOT_AT_STAKE, np.int64)
        for index, has_trumps, keeps_seven in self._kinds(positions, at_stake != 0):
            some = take(positions, index)
            found = np.empty(len(index), np.int64)
            self._solve(some, goal, found, has_trumps=has_trumps, keeps_seven=keeps_seven)
            values[index] = found
            _refuse_illegal(index, found)
        return values

    def points(self, positions: Positions) -> IntArray:
        """Return [n] the most trick points that the declarer can force in the whole hand, those already won included."""
        values = np.empty(len(positions.bid), np.int64)
        for index, has_trumps, keeps_seven in self._kinds(positions, np.ones(len(values), bool)):
            found = np.empty(len(index), np.int64)
            some = take(positions, index)
            laid_out = lay_out(self.table, some)
            self._solve_points(some, laid_out, goals.CARD_POINTS, found, has_trumps=has_trumps, keeps_seven=keeps_seven)
            values[index] = found
            _refuse_illegal(index, found)
        return values

    def units(self, positions: Positions, *, defender: int | None = None) -> IntArray:
        """Return [n] the units that the declarer can force: every component, silent bonus and kontra level at once.

        Both defenders' payments are added up, or those of one counted (0 the first after the declarer, 1 the second).
        """
        values = np.empty(len(positions.bid), np.int64)
        for index, has_trumps, keeps_seven in self._kinds(positions, np.ones(len(values), bool)):
            found = np.empty(len(index), np.int64)
            families = (Family.UNITS, Family.POINTS, Family.ACES, Family.SEVEN, Family.TRICKS)
            memories = [self.memory(family, has_trumps=has_trumps, keeps_seven=keeps_seven) for family in families]
            arrays = [part for memory in memories for part in memory]
            whose = contracts.BOTH_DEFENDERS if defender is None else defender
            some = take(positions, index)
            contracts.solve_units(self.table, *arrays, some, lay_out(self.table, some), whose, found)
            values[index] = found
            _refuse_illegal(index, found)
        return values

    def values(self, positions: Positions, goal: Goal) -> IntArray:
        """Return [n] the value of each position for a goal, as `made`, `points` or `units` do."""
        if goal is Measure.POINTS:
            return self.points(positions)
        if goal is Measure.UNITS:
            return self.units(positions)
        return self.made(positions, Component(goal))

    def _reading(self, goal: int) -> goals.RuleTable:
        """Return the rules by which a goal is judged: a silent 40-100 is reached even where the better 20-100 is paid."""
        if goal != Component.SILENT_FORTY_HUNDRED:
            return self.table
        flags = self.table.flags.copy()
        flags[SILENT_HUNDRED_BETTER] = 0
        flags.flags.writeable = False  # as in the table, or all that reads it would be compiled a second time
        return self.table._replace(flags=flags)

    def _kinds(self, positions: Positions, wanted: np.ndarray) -> Iterator[tuple[IntArray, bool, bool]]:
        """Yield (index, has trumps, seven must be kept) for the positions that one memory serves."""
        has_trumps = positions.trump != NO_TRUMP
        keeps = has_trumps & (self.table.bids[positions.bid, PARTS] >> Component.ULTI & 1 != 0)
        if not self.table.flags[HOLD_TRUMP_SEVEN]:
            keeps &= False
        for trumps, keep in ((False, False), (True, False), (True, True)):
            index = np.flatnonzero(wanted & (has_trumps == trumps) & (keeps == keep))
            if len(index):
                yield index, trumps, keep

    def _solve(self, positions: Positions, goal: Component, found: IntArray, *, has_trumps: bool, keeps_seven: bool) -> None:
        def memory(family: Family) -> Memory:
            return self.memory(family, has_trumps=has_trumps, keeps_seven=keeps_seven)

        laid_out = lay_out(self.table, positions)
        match goal:
            case Component.FOUR_ACES | Component.SILENT_FOUR_ACES:
                goals.solve_aces(*memory(Family.ACES), laid_out, found)
            case Component.ULTI | Component.SILENT_ULTI:
                goals.solve_seven(*memory(Family.SEVEN), laid_out, True, found)
            case Component.SILENT_ULTI_DEFENDER:
                goals.solve_seven(*memory(Family.SEVEN), laid_out, False, found)
            case Component.DURCHMARS | Component.SILENT_DURCHMARS:
                goals.solve_tricks(*memory(Family.TRICKS), laid_out, True, found)
            case Component.BETLI:
                goals.solve_tricks(*memory(Family.TRICKS), laid_out, False, found)
            case _:
                self._solve_points(positions, laid_out, goal, found, has_trumps=has_trumps, keeps_seven=keeps_seven)

    def _solve_points(
        self, positions: Positions, laid_out: Boards, goal: int, found: IntArray, *, has_trumps: bool, keeps_seven: bool
    ) -> None:
        points, sweep, count = (
            self.memory(family, has_trumps=has_trumps, keeps_seven=keeps_seven)
            for family in (Family.POINTS, Family.TRICKS, Family.COUNT)
        )
        goals.solve_points(
            self._reading(goal),
            *points,
            sweep.workspace,
            count.workspace,
            count.classes,
            positions,
            laid_out,
            int(goal),
            found,
        )


def _refuse_illegal(index: IntArray, found: IntArray) -> None:
    bad = np.flatnonzero(found == ILLEGAL)
    if len(bad):
        raise IllegalDecision(f"position {index[bad[0]]}: the cards played are not a legal play of these hands; replay says why")


_own = threading.local()


def solver_for(rules: Ruleset) -> Solver:
    """Return this thread's solver for a ruleset; it keeps the four used last."""
    kept: dict[str, Solver] = _own.__dict__.setdefault("solvers", {})
    found = kept.pop(rules.digest, None) or Solver(rules)
    kept[rules.digest] = found
    while len(kept) > 4:
        kept.pop(next(iter(kept)))
    return found


def solve_goal(position: Position, goal: Component) -> bool:
    """Return whether the goal can be forced with open cards, by the side that scores it.

    Raises `IllegalDecision` where the goal is not at stake under the contract.
    """
    return bool(_value(position, goal))


def solve_points(position: Position) -> int:
    """Return the most trick points, last-trick bonus included, that the declarer can force in the whole hand."""
    return int(_value(position, Measure.POINTS))


def solve_units(position: Position, *, defender: int | None = None) -> int:
    """Return the units that the declarer can force from both defenders together, or from one (0 first, 1 second)."""
    arrays = as_arrays(position.rules, [position])
    return int(solver_for(position.rules).units(arrays, defender=defender)[0])


def card_values(position: Position, goal: Goal) -> dict[int, int]:
    """Return the value of the position after each legal card: what the card is worth."""
    cards = position.legal
    if not cards:
        return {}
    after = as_arrays(position.rules, [position.after(card) for card in cards])
    values = solver_for(position.rules).values(after, goal)
    _check_at_stake(position, goal, int(values[0]))
    return dict(zip(cards, (int(value) for value in values), strict=True))


def best_line(position: Position, goal: Goal) -> tuple[int, ...]:
    """Return the rest of the play with best cards by everybody: of equal ones the lowest number."""
    line: tuple[int, ...] = ()
    while (seat := position.turn) is not None:
        values = card_values(position, goal)
        plays_for_it = (seat == position.contract.declarer) != (goal is Component.SILENT_ULTI_DEFENDER)
        best = max(values.values()) if plays_for_it else min(values.values())
        card = next(card for card, value in values.items() if value == best)
        line += (card,)
        position = position.after(card)
    return line


def goals_at_stake(position: Position) -> tuple[Component, ...]:
    """Return the components that can be made under the contract: its parts, and the silent bonuses beside them."""
    positions = as_arrays(position.rules, [position])
    solver = solver_for(position.rules)
    found = np.zeros(1, np.int64)
    result = []
    for goal in Component:
        goals.at_stake(solver._reading(goal), positions, int(goal), found)
        if found[0]:
            result.append(goal)
    return tuple(result)


def _value(position: Position, goal: Goal) -> int:
    value = int(solver_for(position.rules).values(as_arrays(position.rules, [position]), goal)[0])
    _check_at_stake(position, goal, value)
    return value


def _check_at_stake(position: Position, goal: Goal, value: int) -> None:
    if isinstance(goal, Component) and value == NOT_AT_STAKE:
        known = ", ".join(component.text for component in goals_at_stake(position))
        raise IllegalDecision(f"{goal.text} is not at stake under {position.contract.bid.name}; at stake: {known}")
