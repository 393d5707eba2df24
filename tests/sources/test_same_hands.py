"""The same hands, however they are made: in step or card by card, in any batch, by any number of workers, after a stop."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.sources.test_table import _picture
from ulti_stats import library
from ulti_stats.game.batch import new_batch
from ulti_stats.game.batch_result import finish_hands
from ulti_stats.game.rulesets import PRESETS
from ulti_stats.sources import simulate as simulation
from ulti_stats.sources.simulate import fill_batch, new_table, plan_run
from ulti_stats.sources.table import bid_hands
from ulti_stats.sources.table_play import play_hands
from ulti_stats.store.table import Store

OPTIONS: list[dict[str, Any]] = [
    {"two_round_auction": True},
    {"hold": "forehand", "overtake_when_trumped": True},
    {"stop_early": True, "marriage_timing": "second_card", "marriage_needs_trick": True},
    {"must_overtake": False, "must_overtrump": False, "hold_trump_seven": False, "kontra_scope": "individual"},
    {"players": 4, "card_points": "full", "ten_rank": "high_always"},
]


def in_step_and_card_by_card(n_hands: int, *, seed: int, rules: str, options: dict[str, Any] | None = None, **given: str):
    """Return the pictures of the same hands by both ways."""
    table = new_table(plan_run(seed=seed, rules=rules, options=options, players="random", **given))
    in_step, one_by_one = new_batch(n_hands), new_batch(n_hands)
    assert fill_batch(table, 0, n_hands, in_step) == n_hands
    people = (table.policies, table.dealers, table.forehands, table.given)
    room = (table.view, table.scratch)
    assert bid_hands(table.rules, *people, seed, 0, 0, n_hands, *room, table.block, table.keys, one_by_one) == n_hands
    assert play_hands(table.rules, table.policies, table.given, seed, 0, 0, n_hands, *room, one_by_one) == n_hands
    finish_hands(table.rules, 0, n_hands, table.scratch, one_by_one)
    return [[_picture(batch, n) for n in range(n_hands)] for batch in (in_step, one_by_one)]


@pytest.mark.parametrize("preset", PRESETS)
def test_random_hands_in_step_are_those_played_card_by_card(preset: str):
    in_step, one_by_one = in_step_and_card_by_card(1500, seed=8, rules=preset)
    assert in_step == one_by_one


@pytest.mark.parametrize("options", OPTIONS)
def test_so_are_those_under_house_rules(options: dict[str, Any]):
    in_step, one_by_one = in_step_and_card_by_card(600, seed=9, rules="rablo", options=options)
    assert in_step == one_by_one


@pytest.mark.parametrize("contract", ["simple", "forty_hundred+ulti@hearts", "betli", "open_durchmars_nt"])
def test_so_are_those_of_a_contract_that_is_given(contract: str):
    in_step, one_by_one = in_step_and_card_by_card(600, seed=9, rules="rablo", contract=contract)
    assert in_step == one_by_one


# --- as they lie in a store --------------------------------------------------------------------------------------------

N_HANDS = 2300


def stored(
    folder: Path, *, n_hands: int = N_HANDS, workers: int = 1, players: str = "random", **kwargs: Any
) -> dict[str, list[Any]]:
    """Return all stored columns of a run."""
    library.simulate(n_hands, seed=3, players=players, store=folder, workers=workers, **kwargs)
    with library.connect(folder) as warehouse:
        table = warehouse.sql("SELECT * FROM hands ORDER BY hand_index")
    assert table.column("hand_index").to_pylist() == list(range(n_hands))
    return {name: table.column(name).to_pylist() for name in table.column_names if name != "file"}


@pytest.fixture
def small_files(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let a run have several files of several batches each."""
    monkeypatch.setattr(library, "BATCH", 500)
    monkeypatch.setattr(simulation, "CHUNK", 130)
    return monkeypatch


@pytest.mark.parametrize("players", ["random", "club,random,club"])
def test_columns_are_the_same_for_any_number_of_workers_and_any_batch(players: str, tmp_path: Path, small_files):
    one = stored(tmp_path / "1", workers=1, players=players)
    assert stored(tmp_path / "2", workers=2, players=players) == one
    assert stored(tmp_path / "4", workers=4, players=players) == one
    small_files.setattr(library, "BATCH", 777)
    small_files.setattr(simulation, "CHUNK", 4096)
    small_files.setattr(simulation, "STRIDE", 100)
    assert stored(tmp_path / "other", workers=2, players=players) == one


def test_a_run_that_was_stopped_and_taken_up_again_has_the_same_columns(tmp_path: Path, small_files):
    whole = stored(tmp_path / "whole")

    class Stop(Exception):
        pass

    def stop_half_way(n_hands: int, done: list[int] = []) -> None:  # noqa: B006 - it counts
        done.append(n_hands)
        if sum(done) > N_HANDS // 2:
            raise Stop

    with pytest.raises(Stop):
        library.simulate(N_HANDS, seed=3, players="random", store=tmp_path / "stopped", workers=1, progress=stop_half_way)
    assert Store.open(tmp_path / "stopped").n_hands() == 0
    assert stored(tmp_path / "stopped", workers=2) == whole


KILLED = """
    import os, signal, sys
    from ulti_stats import library
    from ulti_stats.sources import simulate as simulation
    library.BATCH, simulation.CHUNK = 500, 130
    done = 0
    def kill_half_way(n_hands):
        global done
        done += n_hands
        if done > 1200:
            os.kill(os.getpid(), signal.SIGKILL)
    library.simulate(2300, seed=3, players="random", store=sys.argv[1], workers=1, progress=kill_half_way)
"""


def test_a_run_that_was_killed_and_taken_up_again_has_the_same_columns(tmp_path: Path, small_files):
    whole = stored(tmp_path / "whole")
    killed = subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), str(tmp_path / "killed")], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(list(tmp_path.glob("killed/_runs/*/*.hands"))) == 2  # of 500 hands each; the third batch was under way
    assert stored(tmp_path / "killed", workers=2) == whole


def test_a_longer_run_begins_with_the_hands_of_a_shorter_one(tmp_path: Path, small_files):
    short, longer = stored(tmp_path / "short", n_hands=700), stored(tmp_path / "long", n_hands=1300)
    assert {name: values[:700] for name, values in longer.items()} == short
