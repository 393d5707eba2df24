"""The solver against a plain minimax: random endings for every goal, under every preset and under house rules."""

import random

import numpy as np
import pytest

from tests.game import many_endings, plain_whole
from tests.game import plain_minimax as plain
from tests.game.reference_minimax import reference_values
from tests.game.solver_positions import ending_sizes, random_position
from tests.variants import random_rules
from ulti_stats.game.bids import N_PARTS, Component
from ulti_stats.game.rulesets import PRESETS, Ruleset
from ulti_stats.game.solver.position import Positions, as_arrays
from ulti_stats.game.solver.solve import NOT_AT_STAKE, Solver, solver_for, take

# Shares of endings of 1, 2, 3 … cards a hand.
SHORT, LONG = (0.1, 0.3, 0.6), (0.0, 0.1, 0.495, 0.4, 0.005)
# Endings made for each goal; silent bonuses are at stake in the others' too.
HUNDREDS = dict.fromkeys(Component, 150) | {Component.DURCHMARS: 250}
PARTS = [goal for goal in Component if goal < N_PARTS]
THOUSANDS = {goal: 21_000 if goal in PARTS else 3_000 for goal in Component}


def compare(rules: Ruleset, seed: int, n: dict[Component, int], sizes: tuple[float, ...]) -> many_endings.Counts:
    """Compare n random endings made for each goal; every goal at stake is compared on each of them."""
    rng, solver, counts = np.random.default_rng(seed), Solver(rules), many_endings.new_counts()
    for goal, number in n.items():
        positions = many_endings.endings(rng, rules, number, goal, sizes)
        assert many_endings.compare(solver, positions, counts) == []
    return counts


@pytest.mark.parametrize("preset", PRESETS)
def test_the_plain_minimax_says_what_the_slow_reference_says(preset):
    rng = random.Random(5)
    for number in range(56):
        position = random_position(rng, PRESETS[preset], ending_sizes(rng, rng.choice((1, 2, 2, 3))), goal=Component(number % 14))
        assert plain.plain_value(position).tolist() == reference_values(position), position


def test_the_plain_minimax_says_what_the_slow_reference_says_under_house_rules():
    rng = random.Random(6)
    for number in range(100):
        position = random_position(rng, random_rules(rng)[2], ending_sizes(rng, 2), goal=Component(number % 14))
        assert plain.plain_value(position).tolist() == reference_values(position), position


@pytest.mark.parametrize("preset", PRESETS)
def test_endings_are_worth_what_a_plain_minimax_says(preset):
    counts = compare(PRESETS[preset], seed=1, n=HUNDREDS, sizes=SHORT)
    at_stake = {name: count for name, count in counts.items() if count.n_compared}
    assert len(at_stake) >= 11
    assert min(count.n_compared for count in at_stake.values()) >= 100
    assert min(count.n_open for count in at_stake.values()) >= 1


def test_endings_under_house_rules_are_worth_what_a_plain_minimax_says():
    rng = random.Random(2)
    for seed in range(40):
        compare(random_rules(rng)[2], seed=seed, n=dict.fromkeys(Component, 10), sizes=SHORT)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_tens_of_thousands_of_endings_are_worth_what_a_plain_minimax_says(preset):
    offered = {component for bid in PRESETS[preset].ladder for component in bid.components}
    wanted = {goal: n for goal, n in THOUSANDS.items() if goal in offered or goal not in PARTS}
    kinds = {bid.has_trumps for bid in PRESETS[preset].ladder if Component.DURCHMARS in bid.components}
    wanted[Component.DURCHMARS] *= len(kinds)
    counts = compare(PRESETS[preset], seed=100, n=wanted, sizes=LONG)
    print(many_endings.table({preset: counts}))
    for name, count in counts.items():
        least = 10_000 if name.startswith("silent") else 20_000
        assert count.n_compared == 0 or count.n_compared >= least, name


@pytest.mark.slow
def test_hundreds_of_house_rules_are_played_as_a_plain_minimax_says():
    rng, total = random.Random(3), many_endings.new_counts()
    for seed in range(200):
        for name, count in compare(random_rules(rng)[2], seed=1000 + seed, n=dict.fromkeys(Component, 15), sizes=LONG).items():
            total[name].add(count)
    print(many_endings.table({"house rules": total}))


def whole_deals(rules: Ruleset, goal: Component, n: int, seed: int) -> Positions:
    """Return n deals of ten cards a hand with a goal at stake."""
    positions = many_endings.random_deals(np.random.default_rng(seed), rules, n, goal)
    return take(positions, np.flatnonzero(solver_for(rules).made(positions, goal) != NOT_AT_STAKE))


def compare_whole(preset: str, goal: Component, n: int) -> None:
    """Compare whole deals with the minimax that keeps a dictionary."""
    positions = whole_deals(PRESETS[preset], goal, n, seed=7)
    right, sizes = plain_whole.whole_values(PRESETS[preset], positions, plain_whole.GOALS[goal])
    found = solver_for(PRESETS[preset]).made(positions, goal)
    assert found.tolist() == right.tolist()
    for name, where in many_endings.names_of(goal, positions):
        if not where.any():
            continue
        print(f"{preset} {name}: {where.sum()} deals, {right[where].sum()} made, up to {sizes[where].max()} trick starts")


@pytest.mark.parametrize("goal", plain_whole.GOALS)
def test_whole_deals_are_worth_what_a_plain_minimax_with_a_dictionary_says(goal):
    compare_whole("rablo", goal, n=20)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("goal", plain_whole.GOALS)
def test_hundreds_of_whole_deals_are_worth_what_a_plain_minimax_with_a_dictionary_says(preset, goal):
    compare_whole(preset, goal, n=1_000 if goal is Component.DURCHMARS else 200 if goal is Component.BETLI else 300)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_points_of_seven_cards_are_what_a_plain_minimax_with_a_dictionary_says(preset):
    rules = PRESETS[preset]
    positions = many_endings.endings(np.random.default_rng(8), rules, 100, Component.SIMPLE, (0, 0, 0, 0, 0, 0, 1))
    right, _ = plain_whole.whole_values(rules, positions, plain_whole.MOST_POINTS)
    assert solver_for(rules).points(positions).tolist() == right.tolist()
    print(f"{preset} points of seven cards: {len(right)} endings")


def test_a_warm_solver_says_the_same_as_a_new_one():
    rng = random.Random(4)
    rules = PRESETS["rablo"]
    positions = [random_position(rng, rules, 15) for _ in range(40)]
    warm = solver_for(rules)
    arrays = as_arrays(rules, positions)
    for goal in Component:
        once, again = warm.made(arrays, goal), warm.made(arrays, goal)
        alone = [int(type(warm)(rules).made(as_arrays(rules, [position]), goal)[0]) for position in positions]
        assert np.array_equal(once, again)
        assert once.tolist() == alone
