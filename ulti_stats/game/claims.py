"""Claims: which outcomes fit what a record says about the result, and how claims differ from a replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from ulti_stats.errors import ClaimError
from ulti_stats.game.bids import COMPONENT_TEXTS, N_COMPONENTS, N_PARTS
from ulti_stats.game.result import ComponentResult
from ulti_stats.game.rule_table import (
    PARTS,
    SILENT_DEFENDER,
    SILENT_UNDER_DURCHMARS,
    SILENT_VALUES,
    TRUMP_CLASS,
    WITHOUT,
    IntArray,
    RuleTable,
)
from ulti_stats.game.rulesets import Bid, nearest
from ulti_stats.game.scoring import (
    DURCHMARS,
    FAILED,
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
    ULTI,
    score,
)

Payoffs = tuple[int, int, int]


def eligible_silent(table: RuleTable, bid: int) -> tuple[int, ...]:
    """Return the silent bonuses that the ruleset may pay beside a contract (RULES.md, rows 72 to 81)."""
    flags, parts = table.flags, int(table.bids[bid, PARTS])
    if table.bids[bid, TRUMP_CLASS] == WITHOUT:
        return ()
    durchmars = bool(parts >> DURCHMARS & 1)
    beside = {
        S_HUNDRED: bool(parts >> SIMPLE & 1),
        S_FOUR_ACES: not durchmars and not parts >> FOUR_ACES & 1,
        S_ULTI: not parts >> ULTI & 1 and (not durchmars or bool(flags[SILENT_UNDER_DURCHMARS])),
        S_DURCHMARS: not durchmars,
        S_FORTY: not parts & HUNDREDS,
        S_TWENTY: not parts & HUNDREDS,
    }
    found = [silent for silent, fits in beside.items() if fits and flags[SILENT_VALUES + silent - N_PARTS] > 0]
    if flags[SILENT_DEFENDER] and beside[S_ULTI]:
        found.append(S_ULTI_DEFENDER)
    return tuple(found)


def check_outcome_names(table: RuleTable, bid: Bid, outcome: Mapping[str, str]) -> None:
    """Raise `ClaimError` where a claimed component is neither a part of the contract nor a silent bonus beside it."""
    parts = int(table.bids[bid.number, PARTS])
    known = [name for number, name in enumerate(COMPONENT_TEXTS[:N_PARTS]) if parts >> number & 1]
    known += [COMPONENT_TEXTS[silent] for silent in eligible_silent(table, bid.number)]
    for name in outcome:
        if name not in known:
            raise ClaimError(f"outcome: {name} is no part of {bid.name} and no silent bonus beside it{nearest(name, known)}")


def _outcomes(table: RuleTable, bid: Bid, claimed: Mapping[str, str]) -> Iterator[IntArray]:
    """Yield every outcome array that contains the claimed one."""
    parts = int(table.bids[bid.number, PARTS])
    silent = eligible_silent(table, bid.number)
    choices: list[tuple[int, ...]] = []
    for component in range(N_COMPONENTS):
        said = claimed.get(COMPONENT_TEXTS[component])
        if said is not None:
            choices.append((MADE if said == "made" else FAILED,))
        elif component < N_PARTS and parts >> component & 1:
            choices.append((MADE, FAILED))
        elif component == S_ULTI_DEFENDER and component in silent:
            choices.append((OUT, MADE))
        elif component in silent:
            choices.append((OUT, MADE, FAILED))
        else:
            choices.append((OUT,))
    for choice in product(*choices):
        roles = (1, 2) if choice[S_ULTI_DEFENDER] == MADE else (0,)
        for role in roles:
            outcome = np.full(N_OUTCOME, OUT, np.int64)
            outcome[:N_COMPONENTS] = choice
            outcome[N_COMPONENTS:] = 0
            outcome[SEVEN_ROLE] = role
            yield outcome


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
    if number >= N_PARTS:
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
