"""The solver against a plain minimax: random endings for every goal, under every preset and under house rules."""

import random

import numpy as np
import pytest

from tests.game import plain_minimax as plain
from tests.game.solver_positions import ending_sizes, random_position
from tests.variants import random_rules
from ulti_stats.game.bids import Component
from ulti_stats.game.rulesets import PRESETS, Ruleset
from ulti_stats.game.solver.position import Position, as_arrays
from ulti_stats.game.solver.solve import NOT_AT_STAKE, solver_for


def differences(position: Position) -> list[str]:
    """Return the goals on which solver and plain minimax disagree; what is not at stake is never made."""
    right = plain.plain_values(position)
    arrays, solver = as_arrays(position.rules, [position]), solver_for(position.rules)
    found = []
    for goal in Component:
        value = int(solver.made(arrays, goal)[0])
        if max(value, 0) != right[goal] or (value == NOT_AT_STAKE and right[goal]):
            found.append(f"{goal.text}: {value}, right is {right[goal]}")
    if (points := int(solver.points(arrays)[0])) != right[plain.POINTS]:
        found.append(f"points: {points}, right is {right[plain.POINTS]}")
    for defender, place in ((None, plain.BOTH), (0, plain.FIRST), (1, plain.SECOND)):
        if (units := int(solver.units(arrays, defender=defender)[0])) != right[place]:
            found.append(f"units from {defender}: {units}, right is {right[place]}")
    return found


def compare(rules: Ruleset, seed: int, n: int, n_cards: tuple[int, ...]) -> None:
    """Compare n random endings, the goals in turn."""
    rng = random.Random(seed)
    for number in range(n):
        goal = Component(number % len(Component))
        position = random_position(rng, rules, ending_sizes(rng, rng.choice(n_cards)), goal=goal)
        assert differences(position) == [], (position, number)


@pytest.mark.parametrize("preset", PRESETS)
def test_endings_are_worth_what_a_plain_minimax_says(preset):
    compare(PRESETS[preset], seed=1, n=210, n_cards=(1, 2, 3, 3))


def test_endings_under_house_rules_are_worth_what_a_plain_minimax_says():
    rng = random.Random(2)
    for seed in range(60):
        compare(random_rules(rng)[2], seed=seed, n=3, n_cards=(2, 3))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(100, 110))
def test_thousands_of_endings_are_worth_what_a_plain_minimax_says(preset, seed):
    compare(PRESETS[preset], seed=seed, n=420, n_cards=(3, 4, 4))


@pytest.mark.slow
def test_thousands_of_endings_under_house_rules_are_worth_what_a_plain_minimax_says():
    rng = random.Random(3)
    for seed in range(1000):
        compare(random_rules(rng)[2], seed=1000 + seed, n=5, n_cards=(3, 4))


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
