"""A hand as a log: what a score keeper would want to read is there."""

import json
from pathlib import Path

import pytest

from ulti_stats.game.notation import parse_history
from ulti_stats.game.replay import replay
from ulti_stats.report.hand_log import hand_log
from ulti_stats.sources.importing import import_files


def record(name, number):
    line = Path(f"tests/data/{name}.jsonl").read_text(encoding="utf-8").splitlines()[number]
    return json.loads(line), parse_history(line, place=name)


def log_of(history):
    return hand_log(history, replay(history), hand_id="abc")


@pytest.mark.parametrize("name", ["rablo", "ladder", "ultimato", "hungarian"])
def test_every_recorded_hand_can_be_shown(name):
    for line in Path(f"tests/data/{name}.jsonl").read_text(encoding="utf-8").splitlines():
        text = log_of(parse_history(line, place=name))
        assert text.startswith("Hand abc (")
        assert text.endswith("\n")
        assert "None" not in text


def test_the_log_shows_auction_contract_kontra_tricks_and_payoffs():
    given, history = record("rablo", 3)
    text = log_of(history)
    assert "forty_hundred" in text
    assert "four_aces" in text
    assert given["kontras"]
    assert "kontra on simple by" in text
    assert text.count("\n      ") >= 9  # tricks 1 to 9, and 10 behind them
    for units in given["payoffs"]:
        assert f"{units:+d}" in text


def test_a_marriage_stands_beside_the_card_that_declared_it():
    games = {hand.history.id: hand.history for hand in import_files(["data/samples/ultiarena_games.jsonl"]).histories}
    assert "HT (20)" in log_of(games["ea82827c72ac"])


def test_a_play_that_stops_early_says_so():
    games = {hand.history.id: hand.history for hand in import_files(["data/samples/ultiarena_games.jsonl"]).histories}
    text = log_of(games["5d933c8e487c"])
    assert "play stops" in text
    assert "rekontra on betli" in text
    assert "against frontier" in text


def test_a_conceded_and_a_passed_out_hand_say_so():
    games = {hand.history.id: hand.history for hand in import_files(["data/samples/ultiarena_games.jsonl"]).histories}
    conceded = next(history for history in games.values() if history.conceded)
    assert "conceded before the first lead" in log_of(conceded)
    passed = next(
        history
        for line in Path("tests/data/ladder.jsonl").read_text(encoding="utf-8").splitlines()
        if (history := parse_history(line, place="x")).payoffs == (0, 0, 0) and not history.plays
    )
    assert "Nobody bid" in log_of(passed)


def test_a_score_sheet_has_no_cards_to_show():
    sheet = {
        "format": "ulti-hand/1",
        "ruleset": "rablo",
        "declarer": 1,
        "contract": "ulti",
        "kontra_levels": {"ulti": 1},
        "outcome": {"ulti": "made", "simple": "made"},
        "players": ["Anna", "Bea", "Cili"],
    }
    text = log_of(parse_history(json.dumps(sheet), place="x"))
    assert "Deal" not in text
    assert "Contract: ulti by Bea [1], worth 5 per defender" in text
    assert "ulti at kontra level 1" in text
