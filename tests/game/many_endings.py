"""Random endings by the thousand, as arrays, and how often the solver differs from the plain minimax on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numba
import numpy as np

from tests.game import plain_minimax as plain
from tests.game.solver_positions import ANY, BUT_10, BUT_30, SEVEN, STILL_OPEN, random_play
from ulti_stats.game.bids import Component, TrumpClass
from ulti_stats.game.rule_table import NO_TRUMP, plain_suits
from ulti_stats.game.rulesets import Ruleset
from ulti_stats.game.solver.position import Positions, deals
from ulti_stats.game.solver.solve import NOT_AT_STAKE, Solver, take

TWENTIES = (Component.TWENTY_HUNDRED, Component.SILENT_TWENTY_HUNDRED)
HUNDREDS = (*TWENTIES, Component.FORTY_HUNDRED, Component.SILENT_FORTY_HUNDRED, Component.SILENT_HUNDRED)
WANTED = STILL_OPEN | {
    Component.FORTY_HUNDRED: BUT_30,
    Component.SILENT_FORTY_HUNDRED: BUT_30,
    Component.TWENTY_HUNDRED: BUT_10,
    Component.SILENT_TWENTY_HUNDRED: BUT_10,
}
TILTS = np.array((-2, -1, 0, 0, 1, 2, 4))
NUMBERS = {"points": plain.POINTS, "units": plain.BOTH, "units_first": plain.FIRST, "units_second": plain.SECOND}


def random_deals(rng: np.random.Generator, rules: Ruleset, n: int, goal: Component | None = None) -> Positions:
    """Return n deals before the first lead; where the ladder offers it, the contract has the goal among its parts.

    Cards are tilted at random: a declarer of high cards, of low ones, or neither. Kontras and marriages are random.
    """
    ladder = [bid for bid in rules.ladder if goal is None or goal >= 7 or goal in bid.components] or list(rules.ladder)
    kinds = [some for some in ([bid for bid in ladder if bid.has_trumps is kind] for kind in (True, False)) if some]
    if goal is not Component.DURCHMARS:
        kinds = [ladder]
    bids = [
        kinds[kind][int(share * len(kinds[kind]))]
        for kind, share in zip(rng.integers(len(kinds), size=n), rng.random(n), strict=True)
    ]
    suits = [suit for suit in range(4) if plain_suits(rules) >> suit & 1]
    trumps = {TrumpClass.NONE: (NO_TRUMP,), TrumpClass.HEARTS: (2,), TrumpClass.PLAIN: suits}
    trump = [rng.choice(trumps[bid.form.trump_class]) for bid in bids]
    high = rng.uniform(0, 7, (n, 32)) - rng.choice(TILTS, n)[:, None] * (np.arange(32) & 7)
    order = np.argsort(high, axis=1)
    order[:, 10:] = rng.permuted(order[:, 10:], axis=1)
    if goal is not None:
        hold(rng, order, goal, np.array(trump))
    masks = [np.sum(1 << order[:, start : start + 10], axis=1) for start in (0, 10, 20)]
    declarer, forehand = rng.integers(3, size=n), rng.integers(3, size=n)
    by_role = np.column_stack([masks[0], masks[1], np.sum(1 << order[:, 20:30], axis=1)])
    hands = by_role[np.arange(n)[:, None], (np.arange(3) - declarer[:, None]) % 3]
    laid = np.sum(1 << order[:, 30:], axis=1)
    numbers = [bid.number for bid in bids]
    found = deals(rules, hands=hands, laid=laid, bid=numbers, trump=trump, declarer=declarer, forehand=forehand)
    levels = rng.choice((0, 1, 2, 3), (n, 7, 1), p=(0.5, 0.2, 0.15, 0.15))
    others = rng.integers(3, size=(n, 7, 1))
    differ = rng.random((n, 1, 1)) < 0.3
    found.levels[:] = np.concatenate([levels, np.where(differ, others, levels)], axis=2)
    found.marriages[:] &= np.where(rng.random(n) < 0.4, rng.integers(1 << 12, size=n), (1 << 12) - 1)
    found.factor[:] = rng.choice((1, 1, 1, 2), n)
    return found


def hold(rng: np.random.Generator, order: np.ndarray, goal: Component, trump: np.ndarray) -> None:
    """Swap into a hand, four times of five, what the goal needs: a trump seven, or a marriage."""
    rows = np.flatnonzero((rng.random(len(order)) < 0.8) & (trump != NO_TRUMP))
    suit = trump[rows]
    if goal in TWENTIES:
        suit = (suit + rng.integers(1, 4, size=len(rows))) % 4
    cards, start = [plain.KING, plain.OVER], 0
    if STILL_OPEN.get(goal) == SEVEN:
        cards, start = [0], 10 if goal is Component.SILENT_ULTI_DEFENDER else 0
    elif goal not in HUNDREDS:
        return
    for place, card in enumerate(cards, start):
        column = np.argmax(order[rows] == (8 * suit + card)[:, None], axis=1)
        order[rows, column], order[rows, place] = order[rows, place], 8 * suit + card


@numba.njit
def play_on(page, positions, wanted, seeds, is_found):
    """Play a random number of random cards in each deal; `is_found` says where what is wanted is still open."""
    for i in range(len(seeds)):
        s = plain.setting_at(page, positions, i)
        is_found[i] = random_play(s, positions.n_plays[i], wanted[i], seeds[i], positions.plays[i], 40)


def endings(rng: np.random.Generator, rules: Ruleset, n: int, goal: Component, sizes: tuple[float, ...]) -> Positions:
    """Return n endings of 1, 2, 3 … cards a hand, drawn by their shares `sizes`, or one or two cards less."""
    found, n_found = [], 0
    while n_found < n:
        found.append(_some_endings(rng, rules, n, goal, sizes))
        n_found += len(found[-1].bid)
    return Positions(*(np.concatenate(columns)[:n] for columns in zip(*found, strict=True)))


def _some_endings(rng: np.random.Generator, rules: Ruleset, n: int, goal: Component, sizes: tuple[float, ...]) -> Positions:
    positions = random_deals(rng, rules, n, goal)
    n_cards = rng.choice(np.arange(1, len(sizes) + 1), n, p=sizes)
    positions.n_plays[:] = 30 - 3 * n_cards + rng.integers(3, size=n)
    wanted = np.where(rng.random(n) < 0.8, WANTED.get(goal, ANY), ANY)
    is_found = np.zeros(n, np.bool_)
    play_on(plain.page_of(rules), positions, wanted, rng.integers(1 << 30, size=n), is_found)
    return take(positions, np.flatnonzero(is_found))


@dataclass
class Count:
    """Positions compared, those decided by what was left to play, and those on which solver and plain minimax differ."""

    n_compared: int = 0
    n_open: int = 0
    n_made: int = 0
    n_different: int = 0

    def add(self, other: Count) -> None:
        self.n_compared += other.n_compared
        self.n_open += other.n_open
        self.n_made += other.n_made
        self.n_different += other.n_different


Counts = dict[str, Count]


def names_of(goal: Component, positions: Positions) -> Iterator[tuple[str, np.ndarray]]:
    """Yield a goal's name and the positions counted under it: the durchmars with and without trumps apart."""
    has_trumps = positions.trump != NO_TRUMP
    if goal is Component.DURCHMARS:
        yield "durchmars", has_trumps
        yield "durchmars without trumps", ~has_trumps
    else:
        yield goal.text, np.ones(len(has_trumps), bool)


def compare(solver: Solver, positions: Positions, counts: Counts) -> list[str]:
    """Solve positions in both ways, count, and return what differs in words."""
    right, is_open = plain.plain_values(solver.rules, positions)
    found = []

    def count(name: str, values: np.ndarray, place: int, where: np.ndarray) -> None:
        bad = np.flatnonzero(where & (values != right[:, place]))
        of = counts[name]
        of.n_compared += int(where.sum())
        of.n_open += int((where & is_open[:, place]).sum())
        of.n_made += int((where & (right[:, place] > 0)).sum())
        of.n_different += len(bad)
        found.extend(f"{name}: {values[i]}, right is {right[i, place]}: {take(positions, np.array([i]))}" for i in bad[:3])

    for goal in Component:
        values = solver.made(positions, goal)
        at_stake = values != NOT_AT_STAKE
        never = np.flatnonzero(~at_stake & (right[:, goal] > 0))
        found.extend(f"{goal.text}: not at stake, yet made: {take(positions, never[:1])}" for _ in never[:1])
        for name, where in names_of(goal, positions):
            count(name, values, int(goal), where & at_stake)
    all_of_them = np.ones(len(right), bool)
    count("points", solver.points(positions), plain.POINTS, all_of_them)
    for defender, name in ((None, "units"), (0, "units_first"), (1, "units_second")):
        count(name, solver.units(positions, defender=defender), NUMBERS[name], all_of_them)
    return found


def new_counts() -> Counts:
    return defaultdict(Count)


def table(rows: dict[str, Counts]) -> str:
    """Return counts as text: a line a goal, and compared, open and different for each ruleset."""
    names = list(dict.fromkeys(name for counts in rows.values() for name in counts))
    lines = ["goal," + ",".join(f"{ruleset},open,different" for ruleset in rows)]
    for name in names:
        cells = (counts.get(name, Count()) for counts in rows.values())
        lines.append(name + "".join(f",{c.n_compared},{c.n_open},{c.n_different}" for c in cells))
    return "\n".join(lines)
