"""From the facts of a play to what was made, and from what was made and the kontra levels to units.

`judge` reads facts, `settle` pays. Both are kernels that simulation, replay and solver share; claims of a score sheet
go to `settle` directly.
"""

from __future__ import annotations

import numpy as np

from ulti_stats.game.bids import COMPONENT_TEXTS, N_COMPONENTS, N_PARTS, Component
from ulti_stats.game.jit import fused, inlined, lean, lowest
from ulti_stats.game.play import (
    ACE_TRICKS,
    DECLARED,
    HELD,
    LAST_WINNER,
    MARRIAGE_POINTS,
    SEVEN_HOLDER,
    SEVEN_TRICK,
    TALON_POINTS,
    TRICK_POINTS,
    TRICKS,
)
from ulti_stats.game.result import ComponentResult
from ulti_stats.game.rule_table import (
    DURCHMARS_REPLACES,
    HUNDRED_REPLACES,
    MISSING_MARRIAGE_DROPS,
    MULTIPLIER,
    MULTIPLIERS,
    NAMED,
    PARTS,
    PENALTY_DOUBLED,
    SETTLEMENT,
    SILENT_DEFENDER,
    SILENT_DEFENDER_LOSS,
    SILENT_DURCHMARS_SIMPLE,
    SILENT_DURCHMARS_TEAM,
    SILENT_HUNDRED_BETTER,
    SILENT_HUNDRED_BOTH,
    SILENT_KONTRA,
    SILENT_LOSS,
    SILENT_SET,
    SILENT_UNDER_DURCHMARS,
    SILENT_VALUES,
    SIMPLE_THRESHOLD,
    TALON_SIDE,
    TRUMP_CLASS,
    ULTI_PENALTY,
    VALUES,
    WITHOUT,
    IntArray,
    RuleTable,
)

# Numba reads these as constants; the enum would be a Python object in compiled code.
SIMPLE, FORTY, TWENTY = int(Component.SIMPLE), int(Component.FORTY_HUNDRED), int(Component.TWENTY_HUNDRED)
ULTI, FOUR_ACES, DURCHMARS, BETLI = (
    int(Component.ULTI),
    int(Component.FOUR_ACES),
    int(Component.DURCHMARS),
    int(Component.BETLI),
)
S_HUNDRED, S_ULTI, S_FOUR_ACES = int(Component.SILENT_HUNDRED), int(Component.SILENT_ULTI), int(Component.SILENT_FOUR_ACES)
S_DURCHMARS, S_FORTY, S_TWENTY = (
    int(Component.SILENT_DURCHMARS),
    int(Component.SILENT_FORTY_HUNDRED),
    int(Component.SILENT_TWENTY_HUNDRED),
)
S_ULTI_DEFENDER = int(Component.SILENT_ULTI_DEFENDER)
HUNDREDS = 1 << FORTY | 1 << TWENTY

# An outcome array: MADE, FAILED or OUT by component, and behind them two notes.
MADE, FAILED, OUT = 1, 0, -1
SEVEN_ROLE = 14  # the defender (1 or 2) whose silent ulti it is, 0 nobody
DROPPED = 15  # 1 where the 100 part fell out because its marriage was not held
N_OUTCOME = 16


@inlined
def won(condition: bool) -> int:
    """Return MADE or FAILED."""
    return MADE if condition else FAILED


@lean
def judge(rules: RuleTable, bid: int, facts: IntArray, outcome: IntArray) -> None:
    """Fill in `outcome` [16] from the `facts` of a complete play (RULES.md, sections 1.5 and 1.7)."""
    flags = rules.flags
    parts = rules.bids[bid, PARTS]
    outcome[:] = OUT
    outcome[SEVEN_ROLE] = 0
    outcome[DROPPED] = 0
    talon = facts[TALON_POINTS]
    own = facts[TRICK_POINTS] + (talon if flags[TALON_SIDE] == 1 else 0)
    theirs = facts[TRICK_POINTS + 1] + (talon if flags[TALON_SIDE] == 0 else 0)
    if parts & HUNDREDS != 0:
        forty = parts >> FORTY & 1 == 1
        pair = 1 if forty else 2
        declared = facts[DECLARED] & pair != 0
        outcome[FORTY if forty else TWENTY] = won(declared and own + (40 if forty else 20) >= 100)
        if facts[HELD] & pair == 0 and flags[MISSING_MARRIAGE_DROPS] != 0:
            outcome[DROPPED] = 1
            parts &= ~HUNDREDS
            if parts >> DURCHMARS & 1 == 0:
                parts |= 1 << SIMPLE
    if parts >> SIMPLE & 1:
        if flags[SIMPLE_THRESHOLD] > 0:
            outcome[SIMPLE] = won(own >= flags[SIMPLE_THRESHOLD])
        else:
            outcome[SIMPLE] = won(own + facts[MARRIAGE_POINTS] > theirs + facts[MARRIAGE_POINTS + 1])
    seven_last = facts[SEVEN_TRICK] == 9
    if parts >> ULTI & 1:
        outcome[ULTI] = won(seven_last and facts[SEVEN_HOLDER] == 0 and facts[LAST_WINNER] == 0)
    if parts >> FOUR_ACES & 1:
        outcome[FOUR_ACES] = won(facts[ACE_TRICKS + 1] + facts[ACE_TRICKS + 2] == 0)
    if parts >> DURCHMARS & 1:
        outcome[DURCHMARS] = won(facts[TRICKS + 1] + facts[TRICKS + 2] == 0)
    if parts >> BETLI & 1:
        outcome[BETLI] = won(facts[TRICKS] == 0)
    if rules.bids[bid, TRUMP_CLASS] != WITHOUT:
        _judge_silent(flags, parts, facts, own, theirs, outcome)


@fused
def _judge_silent(flags: IntArray, parts: int, facts: IntArray, own: int, theirs: int, outcome: IntArray) -> None:
    if flags[SILENT_SET] >> S_HUNDRED & 1 and parts >> SIMPLE & 1:
        if own + facts[MARRIAGE_POINTS] >= 100:
            outcome[S_HUNDRED] = MADE
        elif theirs + facts[MARRIAGE_POINTS + 1] >= 100:
            outcome[S_HUNDRED] = FAILED
    if flags[SILENT_SET] >> S_FOUR_ACES & 1 and parts & (1 << FOUR_ACES | 1 << DURCHMARS) == 0:
        first, second = facts[ACE_TRICKS + 1], facts[ACE_TRICKS + 2]
        if first + second == 0:
            outcome[S_FOUR_ACES] = MADE
        elif facts[ACE_TRICKS] == 0 and (first == 0 or second == 0):
            outcome[S_FOUR_ACES] = FAILED
    beside_durchmars = parts >> DURCHMARS & 1 == 0 or flags[SILENT_UNDER_DURCHMARS] != 0
    if parts >> ULTI & 1 == 0 and beside_durchmars and facts[SEVEN_TRICK] == 9:
        if flags[SILENT_SET] >> S_ULTI & 1 and facts[SEVEN_HOLDER] == 0:
            outcome[S_ULTI] = won(facts[LAST_WINNER] == 0)
        if flags[SILENT_DEFENDER] > 0 and facts[SEVEN_HOLDER] > 0:
            wins = facts[LAST_WINNER] == facts[SEVEN_HOLDER]
            if wins or flags[SILENT_DEFENDER_LOSS] != 0:
                outcome[S_ULTI_DEFENDER] = won(wins)
                outcome[SEVEN_ROLE] = facts[SEVEN_HOLDER]
    if flags[SILENT_SET] >> S_DURCHMARS & 1 and parts >> DURCHMARS & 1 == 0:
        if facts[TRICKS + 1] + facts[TRICKS + 2] == 0:
            outcome[S_DURCHMARS] = MADE
        elif facts[TRICKS] == 0:
            alone = facts[TRICKS + 1] == 0 or facts[TRICKS + 2] == 0
            if alone or flags[SILENT_DURCHMARS_TEAM] != 0:
                outcome[S_DURCHMARS] = FAILED
    _judge_csendes(flags, parts, facts, own, theirs, outcome)


@fused
def _judge_csendes(flags: IntArray, parts: int, facts: IntArray, own: int, theirs: int, outcome: IntArray) -> None:
    """Judge the silent 40-100 and 20-100: one declared marriage and the side's tricks, as in the bid game."""
    forty_paid = flags[SILENT_SET] >> S_FORTY & 1 != 0
    twenty_paid = flags[SILENT_SET] >> S_TWENTY & 1 != 0
    standing = parts & HUNDREDS != 0
    defenders_too = flags[SILENT_HUNDRED_BOTH] != 0 and not standing
    if twenty_paid and parts >> TWENTY & 1 == 0:
        if facts[DECLARED] & 2 != 0 and own >= 80:
            outcome[S_TWENTY] = MADE
        elif defenders_too and facts[DECLARED + 1] & 2 != 0 and theirs >= 80:
            outcome[S_TWENTY] = FAILED
    if forty_paid and parts >> FORTY & 1 == 0:
        if facts[DECLARED] & 1 != 0 and own >= 60:
            outcome[S_FORTY] = MADE
        elif defenders_too and facts[DECLARED + 1] & 1 != 0 and theirs >= 60:
            outcome[S_FORTY] = FAILED
    if flags[SILENT_HUNDRED_BETTER] != 0 and outcome[S_TWENTY] != OUT:
        outcome[S_FORTY] = OUT


@inlined
def _carrier(flags: IntArray, parts: int, silent: int) -> int:
    """Return the part whose kontra multiplies a silent bonus too, or -1 (RULES.md, row 79; 5.1, point 10)."""
    mode = flags[SILENT_KONTRA]
    carrier = -1
    if mode == 2:
        if silent not in (S_ULTI, S_ULTI_DEFENDER) and parts >> SIMPLE & 1:
            carrier = SIMPLE
    elif mode == 1:
        carriers = parts & (1 << SIMPLE | HUNDREDS | 1 << DURCHMARS)
        if carriers != 0:
            carrier = lowest(carriers)
    return carrier


@inlined
def _loss_factor(loss: int, silent: int) -> int:
    """Return how many times its value a lost silent bonus costs (5.1, point 17)."""
    if loss == 1:
        return 1
    if loss == 2:
        return 2
    if loss == 3:
        return 2 if silent == S_ULTI else 1
    if loss == 4:
        return 1 if silent == S_ULTI else 0
    return 0


@inlined
def silent_base(rules: RuleTable, bid: int, silent: int) -> int:
    """Return the units of a silent bonus before kontra, hearts included."""
    value = rules.flags[SILENT_VALUES + silent - N_PARTS]
    if silent == S_DURCHMARS and rules.bids[bid, NAMED] == 1 << SIMPLE:
        value = rules.flags[SILENT_DURCHMARS_SIMPLE]
    return value * rules.bids[bid, MULTIPLIER]


@inlined
def _parts_played(row: IntArray, outcome: IntArray) -> int:
    """Return the parts that are paid: a simple game stands in for a 100 part that fell out, except beside a durchmars."""
    parts = row[PARTS]
    if outcome[DROPPED] != 0:
        parts &= ~HUNDREDS
        if parts >> DURCHMARS & 1 == 0:
            parts |= 1 << SIMPLE
    return parts


@fused
def _part_units(flags: IntArray, row: IntArray, outcome: IntArray, part: int, factor: int, times: int) -> int:
    """Return what a defender pays the declarer for a named part whose kontra multiplies by `times`."""
    value = row[VALUES + part] * factor
    if part == SIMPLE and row[PARTS] >> SIMPLE & 1 == 0:
        value = row[MULTIPLIER] * factor  # the simple game in place of a dropped 100
    if outcome[part] == MADE:
        return value * times
    penalty = 0
    if part == ULTI:
        penalty = flags[ULTI_PENALTY] * row[MULTIPLIER] * (times if flags[PENALTY_DOUBLED] != 0 else 1)
    return -value * times - penalty


@fused
def _silent_units(rules: RuleTable, bid: int, outcome: IntArray, silent: int, d: int, times: int) -> int:
    """Return what defender `d` pays the declarer for a silent bonus that is multiplied by `times`."""
    value = silent_base(rules, bid, silent) * times
    if silent == S_ULTI_DEFENDER:
        if outcome[silent] == FAILED:
            return 2 * value
        return -value if rules.flags[SILENT_DEFENDER] == 1 or outcome[SEVEN_ROLE] == d + 1 else 0
    if outcome[silent] == MADE:
        return value
    return -value * _loss_factor(rules.flags[SILENT_LOSS], silent)


@inlined
def _in_place_of_simple(flags: IntArray, outcome: IntArray) -> bool:
    """Return whether a silent bonus is paid in place of the simple game."""
    hundred = outcome[S_HUNDRED] != OUT or outcome[S_FORTY] != OUT or outcome[S_TWENTY] != OUT
    durchmars = outcome[S_DURCHMARS] != OUT
    return (hundred and flags[HUNDRED_REPLACES] != 0) or (durchmars and flags[DURCHMARS_REPLACES] != 0)


@lean
def settle(rules: RuleTable, bid: int, outcome: IntArray, levels: IntArray, factor: int, units: IntArray) -> None:
    """Fill in `units` [14, 2]: what each defender pays the declarer for each component.

    `levels` [7, 2] are kontra levels against the two defenders in order of play after the declarer; `factor`
    multiplies parts (a bid kept from the five-card round), never the ulti penalty or silent bonuses.
    """
    flags, row = rules.flags, rules.bids[bid]
    units[:] = 0
    parts = _parts_played(row, outcome)
    rest = parts
    while rest != 0:
        part = lowest(rest)
        rest &= rest - 1
        if outcome[part] != OUT:
            for d in range(2):
                units[part, d] = _part_units(flags, row, outcome, part, factor, flags[MULTIPLIERS + levels[part, d]])
    for silent in range(S_HUNDRED, S_ULTI_DEFENDER + 1):
        if outcome[silent] != OUT:
            carrier = _carrier(flags, parts, silent)
            for d in range(2):
                times = flags[MULTIPLIERS + levels[carrier, d]] if carrier >= 0 else 1
                units[silent, d] = _silent_units(rules, bid, outcome, silent, d, times)
    if _in_place_of_simple(flags, outcome):
        units[SIMPLE, 0] = 0
        units[SIMPLE, 1] = 0


@lean
def pay(rules: RuleTable, bid: int, outcome: IntArray, units: IntArray, declarer: int, payoffs: IntArray) -> None:
    """Fill in `payoffs` [3] by seat from the `units` of every component (RULES.md, row 82)."""
    first, second = 0, 0
    for component in range(units.shape[0]):
        first += units[component, 0]
        second += units[component, 1]
    left, right = (declarer + 1) % 3, (declarer + 2) % 3
    settlement = rules.flags[SETTLEMENT]
    if settlement == 0:
        payoffs[declarer] = first + second
        payoffs[left] = -first
        payoffs[right] = -second
    elif settlement == 1:
        payoffs[declarer] = first
        payoffs[left] = 0
        payoffs[right] = 0
    else:
        payoffs[declarer] = first
        payoffs[left] = -first
        payoffs[right] = -second
    if outcome[S_ULTI_DEFENDER] == MADE and rules.flags[SILENT_DEFENDER] == 2:
        # Individual: the other defender pays the one whose silent ulti it is, and the declarer's single account pays once.
        role = outcome[SEVEN_ROLE]
        value = -units[S_ULTI_DEFENDER, role - 1]
        if settlement != 0 and role == 2:
            payoffs[declarer] -= value
        if settlement != 1:
            payoffs[(declarer + role) % 3] += value
            payoffs[(declarer + 3 - role) % 3] -= value


@lean
def settle_concession(rules: RuleTable, bid: int, factor: int, outcome: IntArray, units: IntArray) -> None:
    """Fill in outcome and units of a conceded simple game: it counts as kontra'd once (row 65)."""
    outcome[:] = OUT
    outcome[SEVEN_ROLE] = 0
    outcome[DROPPED] = 0
    outcome[SIMPLE] = FAILED
    units[:] = 0
    for d in range(2):
        units[SIMPLE, d] = -2 * rules.bids[bid, VALUES + SIMPLE] * factor


def score(
    table: RuleTable, bid: int, outcome: IntArray, levels: IntArray, *, declarer: int, factor: int = 1
) -> tuple[tuple[ComponentResult, ...], tuple[int, int, int]]:
    """Return the result of each component in play and the payoffs by seat, for an outcome array and kontra levels."""
    units = np.zeros((N_COMPONENTS, 2), np.int64)
    payoffs = np.zeros(3, np.int64)
    settle(table, bid, outcome, levels, factor, units)
    pay(table, bid, outcome, units, declarer, payoffs)
    return component_results(table, bid, outcome, levels, units), as_payoffs(payoffs)


def as_payoffs(payoffs: IntArray) -> tuple[int, int, int]:
    """Return an array of three payoffs as plain integers."""
    return (int(payoffs[0]), int(payoffs[1]), int(payoffs[2]))


def component_results(
    table: RuleTable, bid: int, outcome: IntArray, levels: IntArray, units: IntArray
) -> tuple[ComponentResult, ...]:
    """Return one result for each part of the contract and each silent bonus won or lost."""
    parts = int(table.bids[bid, PARTS])
    results = []
    for component in range(N_COMPONENTS):
        if outcome[component] == OUT and not (component < N_PARTS and parts >> component & 1):
            continue
        made = None if outcome[component] == OUT else bool(outcome[component] == MADE)
        level = (int(levels[component, 0]), int(levels[component, 1])) if component < N_PARTS else (0, 0)
        paid = None if made is None else (int(units[component, 0]), int(units[component, 1]))
        results.append(ComponentResult(COMPONENT_TEXTS[component], made, level, paid))
    return tuple(results)


def conceded_score(
    table: RuleTable, bid: int, *, declarer: int, factor: int = 1
) -> tuple[tuple[ComponentResult, ...], tuple[int, int, int]]:
    """Return result and payoffs of a conceded simple game."""
    outcome, units = np.zeros(N_OUTCOME, np.int64), np.zeros((N_COMPONENTS, 2), np.int64)
    payoffs = np.zeros(3, np.int64)
    settle_concession(table, bid, factor, outcome, units)
    pay(table, bid, outcome, units, declarer, payoffs)
    return component_results(table, bid, outcome, np.zeros((N_PARTS, 2), np.int64), units), as_payoffs(payoffs)


@lean
def raised_by_kontra(rules: RuleTable, bid: int, outcome: IntArray, part: int, defender: int, factor: int) -> int:
    """Return what a kontra on `part` adds to the declarer's pay from one defender (0 first, 1 second after him).

    The same outcome is paid at level 1 and at level 0 of the part: whatever the rules, a step from multiplier m to
    m' then moves the pay by (m' - m) times this.
    """
    flags, row = rules.flags, rules.bids[bid]
    parts = _parts_played(row, outcome)
    once, twice = flags[MULTIPLIERS], flags[MULTIPLIERS + 1]
    raised = 0
    if parts >> part & 1 and outcome[part] != OUT and not (part == SIMPLE and _in_place_of_simple(flags, outcome)):
        raised = _part_units(flags, row, outcome, part, factor, twice) - _part_units(flags, row, outcome, part, factor, once)
    for silent in range(S_HUNDRED, S_ULTI_DEFENDER + 1):
        if outcome[silent] != OUT and _carrier(flags, parts, silent) == part:
            raised += _silent_units(rules, bid, outcome, silent, defender, twice)
            raised -= _silent_units(rules, bid, outcome, silent, defender, once)
    return raised
