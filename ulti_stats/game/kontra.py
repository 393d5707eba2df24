"""Kontra: who may say which step on which component, and the levels that come of it."""

from __future__ import annotations

import numpy as np

from ulti_stats.errors import IllegalKontra
from ulti_stats.game.bids import PART_TEXTS
from ulti_stats.game.history import Kontra
from ulti_stats.game.jit import inlined
from ulti_stats.game.rule_table import KONTRA_MAX, KONTRA_SCOPE, NO_TRUMP, IntArray, kontra_multiplier, rule_table
from ulti_stats.game.rulesets import Bid, Ruleset, nearest
from ulti_stats.game.scoring import raised_by_kontra

LAST_MOMENT = 3  # cards on the table: until trick 2 is led

_NAMES = {
    "hirs_then_mord": ("kontra", "rekontra", "szubkontra", "hirskontra", "mordkontra", "fedák sári"),
    "mord_then_hirs": ("kontra", "rekontra", "szubkontra", "mordkontra", "hirskontra", "fedák sári"),
}


@inlined
def is_individual(flags: IntArray, trump: int) -> bool:
    """Return whether a kontra binds its sayer only (RULES.md, row 69)."""
    return flags[KONTRA_SCOPE] == 2 or (flags[KONTRA_SCOPE] == 1 and trump == NO_TRUMP)


@inlined
def may_step(flags: IntArray, level: int, by_declarer: bool) -> bool:
    """Return whether the next step on a component at `level` is this side's: defenders say the odd levels."""
    return level < flags[KONTRA_MAX] and (level % 2 == 1) == by_declarer


def kontra_is_individual(rules: Ruleset, bid: Bid) -> bool:
    """Return whether kontra binds its sayer only under this bid."""
    return rules.kontra_scope == "individual" or (rules.kontra_scope == "individual_notrump" and not bid.has_trumps)


def level_name(rules: Ruleset, level: int) -> str:
    """Return what a kontra level is called under these rules.

    >>> from ulti_stats.game.rulesets import RABLO
    >>> level_name(RABLO, 2)
    'rekontra'
    """
    return _NAMES[rules.kontra_names][level - 1]


def say_kontras(rules: Ruleset, bid: Bid, declarer: int, kontras: tuple[Kontra, ...]) -> tuple[IntArray, tuple[int, ...]]:
    """Return the levels [7, 2] against each defender and the level of each step; raises `IllegalKontra`."""
    levels = np.zeros((7, 2), np.int64)
    reached = []
    last = 0
    for number, kontra in enumerate(kontras, 1):
        place = f"kontra {number}, seat {kontra.seat}"
        if kontra.after_play > LAST_MOMENT:
            raise IllegalKontra(f"{place}: said after {kontra.after_play} cards; at most {LAST_MOMENT}, until trick 2 is led")
        if kontra.after_play < last:
            raise IllegalKontra(f"{place}: said after {kontra.after_play} cards, yet the one before it after {last}")
        last = kontra.after_play
        reached.append(_step(rules, bid, declarer, kontra, levels, place))
    return levels, tuple(reached)


def _step(rules: Ruleset, bid: Bid, declarer: int, kontra: Kontra, levels: IntArray, place: str) -> int:
    names = [component.text for component in bid.components]
    if kontra.component not in names:
        raise IllegalKontra(f"{place}: {kontra.component} is no part of {bid.name}{nearest(kontra.component, names)}")
    part = PART_TEXTS.index(kontra.component)
    by_declarer = kontra.seat == declarer
    bound = _bound(rules, bid, declarer, kontra, place)
    level = int(levels[part, bound[0]])
    if level >= rules.kontra_max_level:
        raise IllegalKontra(f"{place}: {kontra.component} stands at level {level}, the highest under {rules.id}")
    if (level % 2 == 1) != by_declarer:
        whose = "the declarer's" if level % 2 else "a defender's"
        raise IllegalKontra(f"{place}: level {level + 1} on {kontra.component} is {whose} to say")
    for d in bound:
        levels[part, d] = level + 1
    return level + 1


def _bound(rules: Ruleset, bid: Bid, declarer: int, kontra: Kontra, place: str) -> tuple[int, ...]:
    """Return which defenders (0 first, 1 second after the declarer) a step binds."""
    defenders = ((declarer + 1) % 3, (declarer + 2) % 3)
    if not kontra_is_individual(rules, bid):
        if kontra.against is not None:
            raise IllegalKontra(f"{place}: kontra is joint here; 'against' has no place")
        return (0, 1)
    if kontra.seat != declarer:
        if kontra.against is not None:
            raise IllegalKontra(f"{place}: a defender speaks against the declarer; 'against' is for the declarer's answers")
        return (defenders.index(kontra.seat),)
    if kontra.against not in defenders:
        raise IllegalKontra(f"{place}: the declarer answers one defender; 'against' is seat {defenders[0]} or {defenders[1]}")
    return (defenders.index(kontra.against),)


def kontra_gains(
    rules: Ruleset,
    bid: Bid,
    declarer: int,
    kontras: tuple[Kontra, ...],
    reached: tuple[int, ...],
    levels: IntArray,
    outcome: IntArray,
    factor: int = 1,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what each step gained its sayer per defender that it binds: the step alone, and the decision.

    The decision counts every answer too, since without the step none could have been said.
    """
    table = rule_table(rules)
    steps, decisions = [], []
    for kontra, level in zip(kontras, reached, strict=True):
        part = PART_TEXTS.index(kontra.component)
        d = _bound(rules, bid, declarer, kontra, "kontra")[0]
        raised = int(raised_by_kontra(table, bid.number, outcome, part, d, factor))
        sign = 1 if kontra.seat == declarer else -1
        before = kontra_multiplier(rules, level - 1)
        steps.append(sign * (kontra_multiplier(rules, level) - before) * raised)
        decisions.append(sign * (kontra_multiplier(rules, int(levels[part, d])) - before) * raised)
    return tuple(steps), tuple(decisions)
