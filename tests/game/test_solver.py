"""The solver as it is called: published positions, values of cards, best lines, and what it refuses."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.game.many_endings import random_deals
from tests.game.solver_vectors import FOLDER, UNITS, read_vector
from ulti_stats.errors import IllegalDecision, UltiError
from ulti_stats.game.bids import BID_IDS, Component
from ulti_stats.game.cards import parse_card, parse_cards
from ulti_stats.game.contract import Contract
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import PRESETS, ruleset
from ulti_stats.game.solver.memory import Family, new_memory
from ulti_stats.game.solver.position import Position, as_arrays, deals
from ulti_stats.game.solver.solve import (
    NOT_AT_STAKE,
    Measure,
    Solver,
    best_line,
    card_values,
    goals_at_stake,
    solve_goal,
    solve_points,
    solve_units,
    solver_for,
)

RABLO = ruleset("rablo")
LAYDOWN = tuple(
    parse_cards(text)
    for text in ("AA AT AK AO AU A9 A8 A7 HA HT", "LA LT LK LO LU L9 L8 L7 H9 H8", "BA BT BK BO BU B9 B8 B7 HK HO")
)


def laydown(bid: str) -> Position:
    """Return the deal in which seat 0 holds every trump and the two top hearts."""
    contract = Contract(RABLO.bid(bid), 0, 0, 0, (LAYDOWN[0], LAYDOWN[1], LAYDOWN[2]), parse_cards("HU H7"), None)
    return Position(rules=RABLO, contract=contract)


@pytest.mark.parametrize("preset", PRESETS)
def test_published_positions_have_their_published_values(preset):
    for line in (FOLDER / f"{preset}.jsonl").read_text().splitlines():
        row = json.loads(line)
        position = read_vector(row)
        found = {goal.text: int(solve_goal(position, goal)) for goal in goals_at_stake(position)}
        found["points"] = solve_points(position)
        found |= {name: solve_units(position, defender=d) for name, d in zip(UNITS, (None, 0, 1), strict=True)}
        assert found == row["values"]


def test_every_trump_and_two_top_hearts_make_an_ulti_and_every_silent_bonus_beside_it():
    position = laydown("ulti")
    assert solve_goal(position, Component.ULTI)
    assert solve_goal(position, Component.SILENT_DURCHMARS)
    assert solve_points(position) == 90
    # Ulti 4, simple 1, silent hundred 2 (90 and 40), durchmars 3 and four aces 2, from each of two defenders.
    assert solve_units(position) == 2 * (4 + 1 + 2 + 3 + 2)
    assert solve_units(position, defender=1) == 12


def test_a_kontra_multiplies_what_can_be_forced():
    position = laydown("ulti")
    ulti = [(0, 0)] * 7
    ulti[Component.ULTI] = (1, 1)
    assert solve_units(replace(position, levels=tuple(ulti))) == 2 * (8 + 1 + 2 + 3 + 2)


def test_the_best_card_keeps_the_value_and_a_line_of_best_cards_ends_with_it():
    position = laydown("ulti")
    values = card_values(position, Measure.UNITS)
    assert max(values.values()) == solve_units(position)
    assert parse_card("A7") not in values
    line = best_line(position, Measure.UNITS)
    assert len(line) == 30
    assert solve_units(position.after(*line)) == solve_units(position)


def test_a_goal_that_is_not_at_stake_is_refused_by_name():
    with pytest.raises(IllegalDecision, match="betli is not at stake under ulti; at stake: simple, ulti"):
        solve_goal(laydown("ulti"), Component.BETLI)


def test_an_illegal_play_is_refused():
    with pytest.raises(IllegalDecision, match="not a legal play"):
        solve_points(laydown("ulti").after(parse_card("LA")))


@pytest.mark.parametrize("bits", [0, 8, 15, 29, 64])
def test_a_table_too_small_to_be_exact_is_refused(bits):
    with pytest.raises(UltiError, match=f"table_bits {bits} is not possible; right is 16 to 28"):
        Solver(RABLO, table_bits=bits)


def test_the_size_of_a_table_changes_no_result():
    rng = np.random.default_rng(1)
    for goal in (Component.SIMPLE, Component.ULTI, Component.BETLI):
        positions = random_deals(rng, RABLO, 20, goal)
        small, large = Solver(RABLO, table_bits=16), Solver(RABLO, table_bits=18)
        assert small.made(positions, goal).tolist() == large.made(positions, goal).tolist()
        assert small.points(positions).tolist() == large.points(positions).tolist()


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("points", ["tens10", "ace11", "full"])
def test_the_key_of_a_position_fits_its_word_whatever_cards_count(preset, points):
    table = rule_table(ruleset(preset, {"card_points": points}))
    for family in Family:
        for has_trumps, keeps_seven in ((False, False), (True, False), (True, True)):
            classes = new_memory(table, family, has_trumps=has_trumps, keeps_seven=keeps_seven).classes
            assert 3 * classes.n_trump * classes.n_side**3 <= 1 << 64


def test_many_deals_are_solved_at_once_and_mixed_contracts_keep_their_places():
    hands = np.array([LAYDOWN, LAYDOWN])
    bids = [BID_IDS["ulti"], BID_IDS["durchmars"]]
    positions = deals(RABLO, hands=hands, laid=parse_cards("HU H7"), bid=bids, trump=0, declarer=0)
    solver = solver_for(RABLO)
    assert solver.made(positions, Component.ULTI).tolist() == [1, NOT_AT_STAKE]
    assert solver.made(positions, Component.DURCHMARS).tolist() == [NOT_AT_STAKE, 1]
    one = as_arrays(RABLO, [laydown("ulti")])
    assert solver.units(one)[0] == solver.units(positions)[0]
