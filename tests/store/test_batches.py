"""Batches become the same rows as the histories that they hold, and every simulated hand is one that replay accepts."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest

from tests.variants import random_rules
from ulti_stats.game.history import HandHistory
from ulti_stats.game.identity import identity_hash
from ulti_stats.game.notation import format_history, parse_history
from ulti_stats.game.replay import replay
from ulti_stats.game.rulesets import PRESETS
from ulti_stats.sources.simulate import plan_run, play_run
from ulti_stats.store.batches import encode_batch
from ulti_stats.store.rows import decode, encode

N_HANDS = 150


def _rows(n_hands: int, *, first: int = 0, seed: int = 4, rules: str, options: Any = None, players: str = "random") -> pa.Table:
    run = plan_run(seed=seed, rules=rules, options=options, players=players)
    ((start, batch, played),) = play_run(run, first, first + n_hands)
    assert (start, played) == (first, n_hands)
    return encode_batch(batch, played, run, first=first)


def _check(rows: pa.Table, seed: int) -> list[HandHistory]:
    """Assert that the rows are those of their own histories, replayed one by one and hashed in plain Python."""
    histories = decode(rows)
    hands = [(history, found := replay(history), identity_hash(history, found)) for history in histories]
    assert all(found.disagreements == () and found.level == "full" for _, found, _ in hands)
    expected = encode(hands, sources=[f"simulate seed {seed}"])
    for name in rows.column_names:
        assert rows.column(name).to_pylist() == expected.column(name).to_pylist(), name
    return histories


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", ["random", "club,random,club"])
def test_a_batch_has_the_rows_of_its_hands(preset: str, players: str) -> None:
    histories = _check(_rows(N_HANDS, first=7, rules=preset, players=players), seed=4)
    assert [history.extra["simulated"]["index"] for history in histories if history.extra] == list(range(7, 7 + N_HANDS))


@pytest.mark.parametrize("number", range(16))
def test_a_batch_under_house_rules_has_the_rows_of_its_hands(number: int) -> None:
    preset, options, _ = random_rules(random.Random(1000 + number))
    _check(_rows(40, seed=number, rules=preset, options=options), seed=number)


@pytest.mark.parametrize("options", [{"two_round_auction": True}, {"hold": "forehand"}, {"talon_mode": "none"}])
def test_so_has_one_with_another_auction(options: dict[str, Any]) -> None:
    histories = _check(_rows(N_HANDS, rules="rablo", options=options), seed=4)
    calls = [call for history in histories for call in history.auction or ()]
    if "hold" in options:
        assert any(call.hold for call in calls)
    if "two_round_auction" in options:
        assert {call.round for call in calls} == {1, 2}
        assert all(history.five is not None for history in histories)
    if "talon_mode" in options:
        assert all(call.discard is None for call in calls)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_simulated_hand_is_written_and_read_back(preset: str) -> None:
    for history in decode(_rows(30, rules=preset)):
        assert parse_history(format_history(history), place="here") == history
