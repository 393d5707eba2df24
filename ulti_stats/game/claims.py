"""Claims: which outcomes fit what a record says about the result, and how claims differ from a replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from ulti_stats.errors import ClaimError
from ulti_stats.game.bids import COMPONENT_TEXTS, N_COMPONENTS, N_PARTS
from ulti_stats.game.result import ComponentResult
from ulti_stats.game.rule_table import (
    HUNDRED_BAN,
    MISSING_MARRIAGE_DROPS,
    PARTS,
    SILENT_DEFENDER,
    SILENT_DEFENDER_LOSS,
    SILENT_SET,
    SILENT_UNDER_DURCHMARS,
    TRUMP_CLASS,
    WITHOUT,
    IntArray,
    RuleTable,
)
from ulti_stats.game.rulesets import Bid, nearest
from ulti_stats.game.scoring import (
    DROPPED,
    DURCHMARS,
    FAILED,
    FORTY,
    FOUR_ACES,
    HUNDREDS,
    MADE,
    N_OUTCOME,
    OUT,
    S_DURCHMARS,
    S_FORTY,
    S_FOUR_ACES,
    S_HUNDRED,
    S_TWENTY,
    S_ULTI,
    S_ULTI_DEFENDER,
    SEVEN_ROLE,
    SIMPLE,
    TWENTY,
    ULTI,
    score,
)

Payoffs = tuple[int, int, int]


def _played_parts(table: RuleTable, bid: int, *, dropped: bool) -> int:
    """Return the bit set of parts that are played: where the 100 part is dropped, the simple game stands in for it."""
    parts = int(table.bids[bid, PARTS])
    if not dropped:
        return parts
    rest = parts & ~HUNDREDS
    return rest if rest >> DURCHMARS & 1 else rest | 1 << SIMPLE


def _may_drop(table: RuleTable, bid: int) -> tuple[bool, ...]:
    """Return whether the 100 part of a contract may have been dropped: never, or perhaps."""
    may = table.flags[MISSING_MARRIAGE_DROPS] and int(table.bids[bid, PARTS]) & HUNDREDS
    return (False, True) if may else (False,)


def eligible_silent(table: RuleTable, bid: int, *, dropped: bool = False) -> tuple[int, ...]:
    """Return the silent bonuses that the ruleset may pay beside a contract (RULES.md, rows 72 to 81).

    `dropped`: beside what is left of it where the promised marriage of its 100 part was missing.
    """
    flags, parts = table.flags, _played_parts(table, bid, dropped=dropped)
    if table.bids[bid, TRUMP_CLASS] == WITHOUT:
        return ()
    durchmars = bool(parts >> DURCHMARS & 1)
    # Beside one 100-game the other is paid unbid only where the declarer may declare its marriage too.
    other_hundred = not parts & HUNDREDS or not flags[HUNDRED_BAN]
    beside = {
        S_HUNDRED: bool(parts >> SIMPLE & 1),
        S_FOUR_ACES: not durchmars and not parts >> FOUR_ACES & 1,
        S_ULTI: not parts >> ULTI & 1 and (not durchmars or bool(flags[SILENT_UNDER_DURCHMARS])),
        S_DURCHMARS: not durchmars,
        S_FORTY: other_hundred and not parts >> FORTY & 1,
        S_TWENTY: other_hundred and not parts >> TWENTY & 1,
    }
    found = [silent for silent, fits in beside.items() if fits and flags[SILENT_SET] >> silent & 1]
    if flags[SILENT_DEFENDER] and beside[S_ULTI]:
        found.append(S_ULTI_DEFENDER)
    return tuple(found)


def check_outcome_names(table: RuleTable, bid: Bid, outcome: Mapping[str, str]) -> None:
    """Raise `ClaimError` where a claimed component is neither a part of the contract nor a silent bonus beside it."""
    possible = 0
    for dropped in _may_drop(table, bid.number):
        possible |= int(table.bids[bid.number, PARTS]) | _played_parts(table, bid.number, dropped=dropped)
        possible |= sum(1 << silent for silent in eligible_silent(table, bid.number, dropped=dropped))
    known = [name for number, name in enumerate(COMPONENT_TEXTS) if possible >> number & 1]
    for name in outcome:
        if name not in known:
            raise ClaimError(f"outcome: {name} is no part of {bid.name} and no silent bonus beside it{nearest(name, known)}")


def _outcomes(table: RuleTable, bid: Bid, claimed: Mapping[str, str]) -> Iterator[IntArray]:
    """Yield every outcome array that contains the claimed one."""
    said = {COMPONENT_TEXTS.index(name): MADE if result == "made" else FAILED for name, result in claimed.items()}
    for dropped in _may_drop(table, bid.number):
        choices = [_results(table, bid.number, component, dropped=dropped) for component in range(N_COMPONENTS)]
        if any(result not in choices[component] for component, result in said.items()):
            continue
        for choice in product(*((said[n],) if n in said else results for n, results in enumerate(choices))):
            for role in (1, 2) if choice[S_ULTI_DEFENDER] == MADE else (0,):
                outcome = np.array((*choice, *[0] * (N_OUTCOME - N_COMPONENTS)), np.int64)
                outcome[SEVEN_ROLE], outcome[DROPPED] = role, dropped
                yield outcome


def _results(table: RuleTable, bid: int, component: int, *, dropped: bool) -> tuple[int, ...]:
    """Return what may have become of one component."""
    if dropped and (int(table.bids[bid, PARTS]) & HUNDREDS) >> component & 1:
        return (FAILED,)
    if _played_parts(table, bid, dropped=dropped) >> component & 1:
        return (MADE, FAILED)
    if component not in eligible_silent(table, bid, dropped=dropped):
        return (OUT,)
    if component == S_ULTI_DEFENDER and not table.flags[SILENT_DEFENDER_LOSS]:
        return (OUT, MADE)
    return (OUT, MADE, FAILED)


def claimed_result(
    table: RuleTable,
    bid: Bid,
    levels: IntArray,
    *,
    declarer: int,
    outcome: Mapping[str, str] | None,
    payoffs: Payoffs | None,
    factors: tuple[int, ...] = (1,),
) -> tuple[tuple[ComponentResult, ...], Payoffs | None]:
    """Return what a claimed outcome and payoffs settle about each component, and the payoffs where they are settled.

    A component is known when all outcomes that fit the claims agree on it; its units likewise. Raises `ClaimError`
    where nothing fits.
    """
    check_outcome_names(table, bid, outcome or {})
    fitting = []
    for found in _outcomes(table, bid, outcome or {}):
        for factor in factors:
            results, paid = score(table, bid.number, found, levels, declarer=declarer, factor=factor)
            if payoffs is None or paid == payoffs:
                fitting.append(({result.component: result for result in results}, paid))
    if not fitting:
        raise ClaimError(f"payoffs {list(payoffs or ())} fit no outcome of {bid.name} at these kontra levels")
    settled_payoffs = {paid for _, paid in fitting}
    names = [name for name in COMPONENT_TEXTS if any(name in results for results, _ in fitting)]
    merged = [_agreed(name, [results.get(name) for results, _ in fitting], levels) for name in names]
    kept = tuple(result for result in merged if result is not None)
    return kept, settled_payoffs.pop() if len(settled_payoffs) == 1 else payoffs


def _agreed(name: str, found: list[ComponentResult | None], levels: IntArray) -> ComponentResult | None:
    """Return what all fitting outcomes say of a component: its result, an open one for a part, or nothing."""
    if all(result == found[0] for result in found):
        return found[0]
    number = COMPONENT_TEXTS.index(name)
    if number >= N_PARTS or None in found:
        return None
    made = {result.made for result in found if result is not None}
    level = (int(levels[number, 0]), int(levels[number, 1]))
    return ComponentResult(name, made.pop() if len(made) == 1 else None, level, None)


def differences(
    components: tuple[ComponentResult, ...],
    payoffs: Payoffs | None,
    *,
    claimed_outcome: Mapping[str, str] | None,
    claimed_payoffs: Payoffs | None,
) -> tuple[str, ...]:
    """Return how claims differ from what was derived, one text each."""
    found = []
    if claimed_payoffs is not None and payoffs is not None and claimed_payoffs != payoffs:
        found.append(f"payoffs: claimed {list(claimed_payoffs)}, replay gives {list(payoffs)}")
    derived = {result.component: result.made for result in components}
    for name, said in (claimed_outcome or {}).items():
        made = derived.get(name)
        word = "not scored" if made is None else "made" if made else "failed"
        if word != said:
            found.append(f"{name}: claimed {said}, replay gives {word}")
    return tuple(found)
