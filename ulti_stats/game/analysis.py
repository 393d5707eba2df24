"""A hand card by card with open cards: what each card gave away, and which one decided the contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from ulti_stats.game.replay import who_played
from ulti_stats.game.rule_table import IntArray, rule_table
from ulti_stats.game.rulesets import Ruleset
from ulti_stats.game.solver.position import Position, Positions, as_arrays
from ulti_stats.game.solver.solve import Measure, Solver, card_values, solver_for, take


@dataclass(frozen=True, slots=True)
class CardError:
    """A card that gave units away: number of the play, seat, card, the first of the best cards, and what it cost.

    `cost` is in units per defender, the mean of the two, above 0.
    """

    ply: int
    seat: int
    card: int
    best_card: int
    cost: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """What open cards say of a hand that was played.

    `par` and `paid` are units per defender (the mean of the two) before the first card and after the last one that was
    played; `errors` explain their difference exactly. `decided_ply` is the last card that changed what open cards make
    of a named part, -1 where none did: from the next card on, each named part ended as open cards say.
    """

    par: float
    paid: float
    errors: tuple[CardError, ...]
    decided_ply: int

    def cost_of(self, ply: int) -> float:
        """Return what a card cost, 0 where it gave nothing away."""
        return next((error.cost for error in self.errors if error.ply == ply), 0.0)


def analyse(position: Position) -> Analysis:
    """Return the analysis of a played hand; `position` is the one after its last card."""
    return analyse_all(position.rules, [position])[0]


def analyse_all(rules: Ruleset, positions: Sequence[Position]) -> list[Analysis]:
    """Return the analyses of played hands, all under these rules."""
    solver = solver_for(rules)
    units, decided = prefix_units(solver, positions), prefix_decisions(solver, positions)
    found = []
    for position, values, decided_ply in zip(positions, units, decided, strict=True):
        errors = tuple(_errors(position, values))
        found.append(Analysis(values[0] / 2, values[-1] / 2, errors, decided_ply))
    return found


def prefix_units(solver: Solver, positions: Sequence[Position]) -> list[list[int]]:
    """Return for each hand the units of both defenders together before the first card and after each one."""
    prefixes, lengths = _prefixes(solver.rules, positions)
    values = solver.values(prefixes, Measure.UNITS).tolist()
    return [values[start:end] for start, end in lengths]


def prefix_decisions(solver: Solver, positions: Sequence[Position]) -> list[int]:
    """Return for each hand the last card that changed what open cards make of a named part, -1 where none did."""
    found = [-1] * len(positions)
    by_bid = sorted(range(len(positions)), key=lambda place: positions[place].contract.bid.number)
    for _, group in groupby(by_bid, key=lambda place: positions[place].contract.bid.number):
        places = list(group)
        some = [positions[place] for place in places]
        prefixes, lengths = _prefixes(solver.rules, some)
        for part in some[0].contract.bid.form.parts:
            made = solver.made(prefixes, part)
            for place, (start, end) in zip(places, lengths, strict=True):
                changed = np.flatnonzero(np.diff(made[start:end]))
                if len(changed):
                    found[place] = max(found[place], int(changed[-1]))
    return found


def _prefixes(rules: Ruleset, positions: Sequence[Position]) -> tuple[Positions, list[tuple[int, int]]]:
    """Return every position of some hands, from the first lead to the last card, and where each hand begins and ends."""
    whole = as_arrays(rules, positions)
    counts = whole.n_plays + 1
    ends = np.cumsum(counts)
    index = np.repeat(np.arange(len(counts)), counts)
    prefixes = take(whole, index)
    n_plays: IntArray = np.arange(len(index)) - (ends - counts)[index]
    starts = (ends - counts).tolist()
    return prefixes._replace(n_plays=n_plays), list(zip(starts, ends.tolist(), strict=True))


def _errors(position: Position, values: list[int]) -> Iterator[CardError]:
    """Yield the cards of a hand after which the other side stood better than before."""
    seats = who_played(rule_table(position.rules), position.contract, position.leader, position.plays)
    for ply, card in enumerate(position.plays):
        cost = values[ply] - values[ply + 1]
        if seats[ply] != position.contract.declarer:
            cost = -cost
        if cost > 0:
            before = replace(position, plays=position.plays[:ply])
            yield CardError(ply, seats[ply], card, _best_card(before, seats[ply]), cost / 2)


def _best_card(position: Position, seat: int) -> int:
    values = card_values(position, Measure.UNITS)
    best = max(values.values()) if seat == position.contract.declarer else min(values.values())
    return next(card for card, value in values.items() if value == best)
