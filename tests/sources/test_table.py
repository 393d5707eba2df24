"""The table that simulates: its hands are legal, scored as the reference scores them, and depend on seed and number alone."""

import os
import pickle
import random
import subprocess
import sys
import textwrap
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.sources.against_reference import check_hand, hands_of, simulate
from tests.variants import random_rules
from ulti_stats.errors import UltiError
from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch, new_batch
from ulti_stats.game.bids import BID_IDS, BID_NAMES
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import PRESETS, Ruleset, ruleset
from ulti_stats.sources.players import parse_players
from ulti_stats.sources.players import view as v
from ulti_stats.sources.simulate import fill_batch, new_table, plan_run, play_run
from ulti_stats.sources.table_play import look, open_from

ROOT = Path(__file__).parents[2]
N_HANDS = 300
PLAYERS = ("random", "club,random,club")


# --- against the reference --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_preset_is_played_and_scored_as_the_reference_does(preset: str, players: str):
    rules = PRESETS[preset]
    batch, n_hands = simulate(N_HANDS, rules=preset, players=players)
    hands = list(hands_of(batch, n_hands, rules))
    assert len(hands) >= 0.9 * n_hands
    for hand in hands:
        check_hand(hand, rules)


@pytest.mark.parametrize("number", range(24))
def test_house_rules_are_played_and_scored_as_the_reference_does(number: int):
    preset, options, rules = random_rules(random.Random(number))
    batch, n_hands = simulate(N_HANDS, seed=number, rules=preset, options=options)
    for hand in hands_of(batch, n_hands, rules):
        check_hand(hand, rules)


# --- what is always true ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_32_cards_lie_in_one_place_each_as_dealt_and_at_the_first_lead(preset: str):
    batch, n_hands = simulate(N_HANDS, rules=preset)
    dealt = batch.masks[b.HAND : b.HAND + 4, :n_hands].T
    at_play = batch.masks[[b.AT_PLAY, b.AT_PLAY + 1, b.AT_PLAY + 2, b.LAID], :n_hands].T
    played = batch.meta[b.DECLARER, :n_hands] >= 0
    for masks in (dealt, at_play[played]):
        assert (masks.sum(axis=1) == 2**32 - 1).all()
        assert (np.bitwise_or.reduce(masks, axis=1) == 2**32 - 1).all()
        assert (np.bitwise_count(masks) == [10, 10, 10, 2]).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_payoffs_sum_to_zero_where_each_defender_pays(preset: str):
    batch, n_hands = simulate(N_HANDS, rules=preset)
    sums = batch.payoffs[:, :n_hands].sum(axis=0)
    assert (sums == 0).all() == (PRESETS[preset].settlement == "per_defender")


@pytest.mark.parametrize("number", range(6))
def test_payoffs_sum_to_zero_under_house_rules_too(number: int):
    preset, options, _ = random_rules(random.Random(100 + number))
    options |= {"settlement": "per_defender"}
    try:
        batch, n_hands = simulate(N_HANDS, seed=number, rules=preset, options=options)
    except UltiError:
        pytest.fail("per_defender goes with everything")
    assert not batch.payoffs[:, :n_hands].sum(axis=0).any()


def test_an_auction_has_about_two_bids_and_every_bid_is_made():
    batch, n_hands = simulate(6000)
    bids = batch.meta[b.N_BIDS, :n_hands]
    assert 1.5 < bids.mean() < 2.5
    said = set(batch.calls[b.CALL_BID, : batch.call_start[n_hands]].tolist()) - {-1}
    assert {BID_NAMES[bid] for bid in said} == {bid.name for bid in PRESETS["rablo"].ladder}


def test_every_level_of_kontra_is_reached_on_both_sides():
    batch, n_hands = simulate(20_000, rules="hungarian")
    rows = batch.kontras[:, : batch.kontra_start[n_hands]]
    assert set(rows[b.KONTRA_LEVEL].tolist()) >= {1, 2, 3}
    assert set(rows[b.KONTRA_AFTER].tolist()) <= {1, 2, 3}
    assert (rows[b.KONTRA_AGAINST] >= 0).any()  # the declarer answered one defender in a no-trump game


def test_hands_are_conceded_passed_out_and_stopped_early_where_the_rules_have_it():
    ends = {preset: simulate(2000, rules=preset)[0].meta for preset in PRESETS}
    conceded = {preset: int((meta[b.TERMINATION] == b.CONCEDED).sum()) for preset, meta in ends.items()}
    passed_out = {preset: int((meta[b.TERMINATION] == b.PASSED_OUT).sum()) for preset, meta in ends.items()}
    short = {preset: int(((meta[b.N_PLAYED] > 0) & (meta[b.N_PLAYED] < 30)).sum()) for preset, meta in ends.items()}
    assert {preset for preset, n in conceded.items() if n} == {"rablo", "hungarian", "ultiarena"}
    assert {preset for preset, n in passed_out.items() if n} == {"ladder", "ultimato"}
    assert {preset for preset, n in short.items() if n} == {"ultimato", "hungarian", "ultiarena"}


def test_a_duty_to_concede_leaves_no_plain_simple_game():
    meta = simulate(2000, options={"concede_simple": "mandatory"})[0].meta
    simple = meta[b.BID] == BID_IDS["simple"]
    assert simple.sum() > 5
    assert (meta[b.TERMINATION, simple] == b.CONCEDED).all()


# --- the same hand, however it is reached ------------------------------------------------------------------------------


def _picture(batch: Batch, n: int) -> tuple[Any, ...]:
    """Return all that a batch says of one hand."""
    n_played = int(batch.meta[b.N_PLAYED, n])
    fixed = (batch.meta, batch.masks, batch.outcome, batch.units, batch.levels, batch.payoffs)
    calls, kontras, marriages = (
        slice(start[n], start[n + 1]) for start in (batch.call_start, batch.kontra_start, batch.marriage_start)
    )
    return (
        *(array[..., n].tolist() for array in fixed),
        batch.plays[:n_played, n].tolist(),
        batch.facts[:, n].tolist() if n_played else None,
        batch.calls[:, calls].tolist(),
        batch.laid[calls].tolist(),
        batch.kontras[:, kontras].tolist(),
        batch.gains[:, kontras].tolist(),
        batch.marriages[:, marriages].tolist(),
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_a_hand_is_the_same_in_every_batch(preset: str):
    whole, n_hands = simulate(120, seed=9, rules=preset)
    pictures = [_picture(whole, n) for n in range(n_hands)]
    run = plan_run(seed=9, rules=preset, players="random")
    cuts = [0, 1, 2, 40, 41, 97, 120]
    for start, end in pairwise(cuts):
        for first, batch, played in play_run(run, start, end):
            assert [_picture(batch, n) for n in range(played)] == pictures[first : first + played]


def test_other_seeds_rules_and_players_make_other_hands_of_the_same_deal():
    one, n_hands = simulate(50, seed=1)
    other_seed = simulate(50, seed=2)[0]
    other_rules = simulate(50, seed=1, rules="hungarian")[0]
    deals = slice(b.HAND, b.HAND + 4)
    assert (one.masks[deals] == other_rules.masks[deals]).all()
    assert (one.masks[deals] != other_seed.masks[deals]).any(axis=0).all()
    assert [_picture(one, n) for n in range(n_hands)] != [_picture(other_rules, n) for n in range(n_hands)]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("room", [{"n_calls": b.MOST_CALLS + 10}, {"n_kontras": b.MOST_KONTRAS + 2}])
def test_a_full_batch_ends_early_and_the_rest_goes_on_where_it_stopped(room: dict[str, int], players: str):
    table = new_table(plan_run(seed=5, players=players))
    small = new_batch(40, **room)
    n_played = fill_batch(table, 0, 40, small)
    assert 1 <= n_played < 40
    rest = new_batch(40)
    assert fill_batch(table, n_played, 40 - n_played, rest) == 40 - n_played
    whole = simulate(40, seed=5, players=players)[0]
    found = [_picture(small, n) for n in range(n_played)] + [_picture(rest, n) for n in range(40 - n_played)]
    assert found == [_picture(whole, n) for n in range(40)]


def test_the_dealer_passes_round_the_table():
    meta = simulate(12, rules="ultimato")[0].meta
    assert meta[b.DEALER].tolist() == [0, 1, 2] * 4
    assert meta[b.FOREHAND].tolist() == [2, 0, 1] * 4


SCRIPT = """
    import pickle, sys, warnings
    n_hands = int(sys.argv[1])
    from tests.sources.test_table import _picture
    from tests.sources.against_reference import simulate
    from ulti_stats.game.jit import JIT_DISABLED
    # Plain Python says that 64-bit words run over, which is what they are meant to do.
    warnings.filterwarnings("ignore", message=".*overflow", category=RuntimeWarning)
    found = {}
    for preset, options in (("rablo", None), ("ladder", None), ("ultimato", None), ("hungarian", {"two_round_auction": True})):
        batch, n_hands = simulate(n_hands, seed=3, rules=preset, options=options)
        found[preset] = [_picture(batch, n) for n in range(n_hands)]
    sys.stdout.buffer.write(pickle.dumps((JIT_DISABLED, found)))
"""


@pytest.mark.parametrize("n_hands", [50, pytest.param(1000, marks=pytest.mark.slow)])
def test_compiled_and_plain_python_play_the_same_hands(n_hands: int):
    answers = []
    for disabled in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(SCRIPT), str(n_hands)],
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        answers.append(pickle.loads(done.stdout))
    (with_jit, compiled), (without_jit, plain) = answers
    assert (with_jit, without_jit) == (False, True)
    assert compiled == plain


# --- words ------------------------------------------------------------------------------------------------------------


def test_players_are_named_once_for_all_or_for_each_seat():
    assert parse_players("random") == ("random", "random", "random")
    with pytest.raises(UltiError, match="unknown players 'rand'; did you mean 'random'"):
        parse_players("rand")
    with pytest.raises(UltiError):
        parse_players("random,club")


def test_a_seed_out_of_range_is_refused():
    for seed in (-1, 2**63):
        with pytest.raises(UltiError, match="a seed is a whole number from 0"):
            plan_run(seed=seed)


def test_the_kernels_read_the_variant_not_the_preset():
    doubled = ruleset("rablo", {"hearts_multiplier": 1})
    batch, n_hands = simulate(500, options={"hearts_multiplier": 1})
    assert not any(hand.bid.endswith("@hearts") for hand in hands_of(batch, n_hands, doubled))
    assert {hand.trump for hand in hands_of(batch, n_hands, doubled)} == {"A", "L", "H", "B", None}


# --- what a seat sees -------------------------------------------------------------------------------------------------


def _seen(rules: Ruleset, bid: str, *, ply: int, role: int = 1) -> list[int]:
    """Return the cards that lie open for a seat, by role, when `ply` cards are on the table."""
    table, number = rule_table(rules), rules.bid(bid).number
    view, own = np.zeros(v.N_VIEW, np.int64), np.array([0b111, 0b111000, 0b111000000], np.int64)
    view[v.OPEN_FROM] = open_from(table, number)
    view[v.PLY] = ply
    look(table, view, own, 0, 0, role, 0)
    assert view[v.OWN_S] == own[role]
    return view[v.SHOWN_S : v.SHOWN_S + 3].tolist()


@pytest.mark.parametrize("bid", ["open_betli", "ulti+open_durchmars", "open_durchmars_nt"])
def test_an_open_game_is_open_for_those_and_from_then_on_as_the_rules_say(bid: str):
    everybody, declarer, nobody = [0b111, 0b111000, 0b111000000], [0b111, 0, 0], [0, 0, 0]
    later = {who: ruleset("rablo", {"open_who": who}) for who in ("all", "declarer")}
    assert [_seen(later["all"], bid, ply=ply) for ply in (0, 2, 3, 29)] == [nobody, nobody, everybody, everybody]
    assert [_seen(later["declarer"], bid, ply=ply) for ply in (0, 2, 3, 29)] == [nobody, nobody, declarer, declarer]
    at_once = ruleset("rablo", {"open_when": "before_lead"})
    assert [_seen(at_once, bid, ply=ply) for ply in (0, 29)] == [everybody, everybody]


def test_no_card_lies_open_in_a_closed_game():
    for bid in ("betli", "ulti", "durchmars_nt"):
        assert _seen(ruleset("rablo", {"open_when": "before_lead"}), bid, ply=29) == [0, 0, 0]
