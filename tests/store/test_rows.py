import json
from pathlib import Path

import pyarrow as pa
import pytest

from tests.store.hands_by_hand import ROBBED_TALON, SHEET, hand, history, rows, shown, simulated
from ulti_stats.errors import StoreError
from ulti_stats.game.cards import parse_cards
from ulti_stats.game.history import HandHistory
from ulti_stats.game.identity import identity_hash
from ulti_stats.game.notation import parse_history
from ulti_stats.game.replay import replay
from ulti_stats.game.rulesets import RABLO
from ulti_stats.store.rows import decode, encode
from ulti_stats.store.schema import COLUMNS, given_bit, hands_schema

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("preset", ["rablo", "ladder", "ultimato", "hungarian"])
def test_every_recorded_hand_comes_back_as_it_went_in(preset: str) -> None:
    lines = (DATA / f"{preset}.jsonl").read_text(encoding="utf-8").splitlines()
    histories = [parse_history(line, place=preset) for line in lines]
    hands = [(each, replayed := replay(each), identity_hash(each, replayed)) for each in histories]

    table = encode(hands, sources=[f"{preset}.jsonl"])

    assert table.schema == hands_schema()
    assert decode(table) == histories
    assert decode(table.slice(100, 7)) == histories[100:107]


@pytest.mark.parametrize(
    "changes",
    [
        {"id": ...},
        {"dealer": ..., "forehand": 0},
        {"dealer": ..., "forehand": 0, "sitting_out": "Dora"},
        {"forehand": 0},
        {"players": ..., "session": ..., "deal_no": ..., "played_at": ...},
        {"options": {}},
        {
            "options": {"kontra_max_level": 4, "silent_set": ["ulti"], "silent_values": {"ulti": 3}},
            "outcome": ...,
            "payoffs": ...,
        },
        {"kontras": [], "outcome": ..., "payoffs": ...},
        {"kontras": ..., "outcome": ..., "payoffs": ...},
        {"marriages": ..., "outcome": ..., "payoffs": ...},
        {"marriages": [], "outcome": ..., "payoffs": ...},
        {"conceded": False, "abandoned": False},
        {"plays": "BA B8 B7 HA", "payoffs": ..., "outcome": ..., "abandoned": True},
        {"plays": "", "payoffs": ..., "outcome": ...},
        {"plays": ..., "kontras": ..., "marriages": ..., "payoffs": ..., "outcome": {"ulti": "made"}},
        {"outcome": {}},
        {"payoffs": [0, 0, 0]},
        {"extra": {}},
        {"extra": {"note": "őszi parti", "n": [1, {"a": None}], "simulated": {"seed": 1}}},
        {"source": "simulate", "extra": {"simulated": {"seed": 3, "index": 9, "version": "1"}, "note": "kept"}},
        {"talon": "", "hands": ["AU L9 HT L8 H7 B8 HU BU HO B9 LO LA", *ROBBED_TALON["hands"][1:]]},
    ],
    ids=lambda changes: " ".join(changes),
)
def test_what_a_record_states_and_leaves_out_is_kept_apart(changes: dict) -> None:
    given = history(**changes)
    assert decode(rows(hand(**changes))) == [given]


def test_a_trump_written_as_null_stays_null_where_hearts_are_implied() -> None:
    auction = [{"seat": 0, "bid": "simple@hearts", "discard": "LO LA"}, {"seat": 1, "bid": "pass"}, {"seat": 2, "bid": "pass"}]
    shorter = {"auction": auction, "kontras": ..., "marriages": ..., "plays": ..., "payoffs": ..., "outcome": ...}
    with_null, without = hand(trump=None, **shorter), hand(trump=..., **shorter)

    table = rows(with_null, without)

    assert decode(table) == [with_null[0], without[0]]
    assert [each.trump_given for each in decode(table)] == [True, False]
    assert table.column("trump").to_pylist() == ["hearts", "hearts"]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"dealer": 2, "trump": "acorns", "conceded": False, "players": ["A", "B", "C"]},
        {"kontra_levels": {}, "outcome": ..., "payoffs": [-8, 16, -8]},
        {"ruleset": "hungarian", "contract": "betli", "kontra_levels": {"betli": [0, 2]}, "outcome": {"betli": "made"}},
        {"contract": "simple", "kontra_levels": ..., "conceded": True, "outcome": {"simple": "failed"}},
    ],
)
def test_score_sheets_come_back_too(changes: dict) -> None:
    table = rows(hand(SHEET, **changes))
    assert decode(table) == [history(SHEET, **changes)]
    assert table.column("level").to_pylist() == ["sheet"]
    assert table.column("hand_0").to_pylist() == [None]


def test_no_hands_make_an_empty_table() -> None:
    assert encode([]).schema == hands_schema()
    assert decode(encode([])) == []


def test_the_columns_say_what_happened(tmp_path: Path) -> None:
    row = shown(tmp_path, hand())[0]

    assert (row["level"], row["termination"], row["ruleset_digest"]) == ("full", "played", RABLO.digest)
    assert (row["dealer"], row["forehand"], row["declarer"]) == (2, 0, 2)
    assert (row["contract"], row["trump"], row["trump_class"]) == ("forty_hundred+ulti+four_aces", "leaves", "plain")
    assert (row["n_calls"], row["n_bids"], row["n_pickups"]) == (5, 2, 2)  # the closing pass is not counted
    assert row["pickup"] == parse_cards("LO HO")
    assert row["laid"] == parse_cards("BK A9")
    assert row["play_declarer"] == parse_cards("BA AA HA BO LT LK LO LU L7 HO")
    assert row["hand_2"] == parse_cards("BA AA HA L7 BO LU LT LK A9 BK")
    assert row["play_defender_1"] == parse_cards("AU L9 HT L8 H7 B8 HU BU B9 LA")
    assert row["play_defender_2"] == parse_cards("B7 H9 A7 BT A8 H8 AK HK AO AT")
    assert (row["payoff_0"], row["payoff_1"], row["payoff_2"], row["declarer_units"]) == (20, 20, -40, -40)
    assert (row["units_per_defender"], row["kontra_units"]) == (-20.0, -24.0)  # without kontra 4 + 4 - 4
    assert (row["n_tricks"], row["declarer_tricks"]) == (10, 7)
    assert [row["winners"] >> 2 * trick & 3 for trick in range(10)] == [2, 2, 2, 0, 0, 2, 2, 2, 1, 2]
    assert (row["declarer_points"], row["defender_points"], row["talon_points"]) == (60, 30, 0)
    assert (row["declarer_marriage_points"], row["kontra_max"], row["claim_differs"]) == (40, 3, None)
    assert (row["forty_hundred_made"], row["forty_hundred_units_1"], row["forty_hundred_kontra_2"]) == (True, 8, 1)
    assert (row["four_aces_made"], row["four_aces_units_2"], row["four_aces_kontra_1"]) == (False, -32, 3)
    assert (row["simple_made"], row["simple_units_1"], row["simple_kontra_1"]) == (None, None, None)
    assert row["kontras"].split()[:2] == ["1:four_aces::1:1:4:28", "2:four_aces::1:2:-8:-24"]
    assert row["marriages"] == "2:1:0"


def test_marriages_and_levels_that_the_record_leaves_out_are_derived() -> None:
    row = rows(hand(marriages=..., kontras=..., payoffs=..., outcome=...)).to_pylist()[0]
    assert row["marriages"].split() == ["2:1:0", "1:0:2"]  # the declarer's leaves, then AK AO of seat 1
    assert row["kontras"] == ""
    assert not row["given"] & given_bit("marriages")


def test_a_claim_that_differs_is_written_down() -> None:
    row = rows(hand(payoffs=[-20, -20, 40])).to_pylist()[0]
    assert (row["claimed_2"], row["declarer_units"]) == (40, -40)
    assert "payoffs" in row["claim_differs"]


def test_seed_and_index_of_a_simulated_hand_are_columns_and_its_extra_is_not_stored() -> None:
    table = rows(simulated(41, seed=7))
    row = table.to_pylist()[0]
    assert (row["seed"], row["hand_index"], row["engine"], row["extra"]) == (7, 41, "1", None)
    assert decode(table)[0].extra == {"simulated": {"seed": 7, "index": 41, "version": "1"}}


def test_a_passed_out_deal_has_no_declarer_and_pays_nothing(tmp_path: Path) -> None:
    passes = [{"seat": seat, "bid": "pass"} for seat in (0, 1, 2)]
    without = dict.fromkeys(("kontras", "marriages", "plays", "payoffs", "outcome", "trump"), ...)
    row = shown(tmp_path, hand(ruleset="ladder", auction=passes, **without))[0]
    assert (row["termination"], row["declarer"], row["contract"], row["play_declarer"]) == ("passed_out", None, None, None)
    assert (row["payoff_0"], row["units_per_defender"], row["n_calls"]) == (0, None, 3)


def test_a_value_that_no_column_holds_is_refused_by_name() -> None:
    made, replayed, identity = hand()
    too_far = HandHistory(ruleset="rablo", deal_no=2**40)
    with pytest.raises(StoreError, match="deal_no"):
        encode([(too_far, replayed, identity)])
    assert made.deal_no == 4


def test_options_are_stored_in_one_spelling() -> None:
    options = {"silent_set": ["ulti"], "kontra_max_level": 4}
    table = rows(hand(options=options, payoffs=..., outcome=...))
    assert table.column("options").to_pylist() == [json.dumps(options, sort_keys=True, separators=(",", ":"))]


def test_each_column_has_a_name_of_its_own_and_a_meaning() -> None:
    assert len({column.name for column in COLUMNS}) == len(COLUMNS)
    assert all(column.meaning for column in COLUMNS)
    assert isinstance(hands_schema(), pa.Schema)
