"""Parts of contracts over sampled layouts, each solved once whatever asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from ulti_stats.game.bids import Component
from ulti_stats.game.layouts import Known, sample_layouts
from ulti_stats.game.parts import Part
from ulti_stats.game.rule_table import IntArray
from ulti_stats.game.rulesets import Bid, Ruleset
from ulti_stats.game.solver.position import Positions, deals
from ulti_stats.game.solver.solve import solver_for

Made = NDArray[np.int8]
UNKNOWN = -1
# Positions that a thread solves before it takes up the next.
_AT_ONCE, _EXACT_AT_ONCE = 250, 25


@dataclass(frozen=True, slots=True)
class Need:
    """A part, a bid that has it, and the discards (numbers into the list of discards) for which it is wanted."""

    part: Part
    bid: int
    discards: tuple[int, ...]


class PartChances:
    """Whether each part is made in each sampled layout, for each discard: solved when asked for, and then remembered.

    The declarer sits at seat 0, the defenders at 1 and 2; `forehand` is the seat that speaks first. Every part and every
    discard meets the same layouts, so that differences are paired.
    """

    def __init__(
        self,
        rules: Ruleset,
        known: Known,
        discards: Sequence[int],
        *,
        forehand: int,
        seed: int,
        purpose: int,
        n_layouts: int,
        workers: int,
    ):
        self.rules = rules
        self.known = known
        self.discards = tuple(discards)
        self.forehand = forehand
        self.layouts = sample_layouts(known, n_layouts, seed=seed, purpose=purpose)
        self.workers = workers
        self.n_solved = 0
        self._made: dict[Part, Made] = {}

    def made(self, part: Part) -> Made:
        """Return [discards, layouts]: 1 made, 0 not, `UNKNOWN` where nobody asked."""
        if part not in self._made:
            self._made[part] = np.full((len(self.discards), len(self.layouts)), UNKNOWN, np.int8)
        return self._made[part]

    def solve(self, needs: Iterable[Need], n_layouts: int) -> None:
        """Solve parts over the first `n_layouts` layouts where that was not done yet, on all workers."""
        wanted: dict[Part, dict[int, int]] = {}
        for need in needs:
            row = wanted.setdefault(need.part, {})
            row.update(dict.fromkeys(need.discards, need.bid))
        tasks = []
        for part, discards in wanted.items():
            made = self.made(part)
            rows = np.array(sorted(discards), np.int64)
            places = np.argwhere(made[rows, :n_layouts] == UNKNOWN)
            places[:, 0] = rows[places[:, 0]]
            bid = next(iter(discards.values()))
            tasks += [(part, bid, places[start : start + _AT_ONCE]) for start in range(0, len(places), _AT_ONCE)]
        with ThreadPoolExecutor(self.workers) as pool:
            for part, places, found in pool.map(self._solve, tasks):
                self._made[part][places[:, 0], places[:, 1]] = found
                self.n_solved += len(found)

    def _solve(self, task: tuple[Part, int, IntArray]) -> tuple[Part, IntArray, IntArray]:
        part, bid, places = task
        positions = self.positions(bid, part.trump, places)
        return part, places, np.maximum(solver_for(self.rules).made(positions, part.component), 0)

    def units(self, bid: int, trump: int, places: IntArray) -> IntArray:
        """Return [n] the exact units of both defenders together for (discard, layout) pairs [n, 2], on all workers."""

        def solve(some: IntArray) -> IntArray:
            return solver_for(self.rules).units(self.positions(bid, trump, some))

        chunks = [places[start : start + _EXACT_AT_ONCE] for start in range(0, len(places), _EXACT_AT_ONCE)]
        with ThreadPoolExecutor(self.workers) as pool:
            return np.concatenate(list(pool.map(solve, chunks)))

    def positions(self, bid: int, trump: int, places: IntArray) -> Positions:
        """Return the deals of (discard, layout) pairs [n, 2] under a bid and trump."""
        laid = np.array(self.discards, np.int64)[places[:, 0]]
        layouts = self.layouts[places[:, 1]]
        hands = np.column_stack([self.known.own & ~laid, layouts[:, 0], layouts[:, 1]])
        talon = laid | layouts[:, 2]
        return deals(self.rules, hands=hands, laid=talon, bid=bid, trump=trump, declarer=0, forehand=self.forehand)


def units_of(rules: Ruleset, bid: Bid, made: Mapping[Component, npt.ArrayLike]) -> NDArray[np.float64]:
    """Return what each defender pays for a bid whose parts are made so often, silent bonuses apart.

    `made` holds 0 and 1, or chances, by component. Parts solved apart may each be made in a line of play that loses
    another, so this is at least what the whole contract pays for its parts.
    """
    total = np.zeros(())
    for component, value in zip(bid.components, bid.values, strict=True):
        lost = -value - (rules.ulti_fail_penalty * bid.multiplier if component is Component.ULTI else 0)
        total = total + lost + (value - lost) * np.asarray(made[component], np.float64)
    return np.asarray(total)
