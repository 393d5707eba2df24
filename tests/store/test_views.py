import json
from pathlib import Path
from typing import Any

import pytest

from tests.store.hands_by_hand import SHEET, hand, rows, simulated
from ulti_stats.game.cards import FULL_DECK, N_CARDS, format_card, format_cards, parse_cards
from ulti_stats.store.docs import schema_markdown
from ulti_stats.store.table import Store
from ulti_stats.store.views import VIEWS
from ulti_stats.store.warehouse import Warehouse, open_warehouse

ROOT = Path(__file__).parents[2]


def asked(tmp_path: Path, sql: str, *hands: tuple) -> list[tuple[Any, ...]]:
    """Return the answer over a store of these hands, as tuples."""
    store = Store.create_or_open(tmp_path / "store")
    store.add(rows(*hands))
    with open_warehouse(store.path) as warehouse:
        return [tuple(row.values()) for row in warehouse.query(sql).to_pylist()]


def test_every_column_of_every_view_is_documented() -> None:
    with Warehouse(None) as warehouse:
        for view in VIEWS.values():
            described = warehouse.query(f"DESCRIBE {view.name}").column("column_name").to_pylist()
            assert described == list(view.columns)
            assert len(set(described)) == len(described)
            assert all(view.columns.values())


def test_the_page_of_columns_is_fresh() -> None:
    written = (ROOT / "docs" / "schema.md").read_text(encoding="utf-8")
    assert written == schema_markdown(), "run python -m ulti_stats.store.docs > docs/schema.md"


def test_cards_are_written_as_in_records() -> None:
    with Warehouse(None) as warehouse:
        written = warehouse.sql(f"SELECT card_text(n) FROM range({N_CARDS}) AS r(n)").column(0).to_pylist()
        assert written == [format_card(card) for card in range(N_CARDS)]
        for mask in (0, parse_cards("L7 AA LT"), FULL_DECK):
            assert warehouse.sql(f"SELECT cards_text({mask})").column(0).to_pylist() == [format_cards(mask)]
        assert warehouse.sql("SELECT cards_text(NULL), card_text(NULL)").to_pylist()[0].popitem()[1] is None


def test_hands_tell_who_declared_what_with_which_cards(tmp_path: Path) -> None:
    sql = """SELECT kind, is_simulated, policies, declarer_role, claimed, declarer_trumps, declarer_aces, declarer_tens,
             held_trump_seven, held_trump_marriage, first_source, n_sources FROM hands ORDER BY kind, level"""
    assert asked(tmp_path, sql, hand(), hand(SHEET), simulated(5, players=("club", "random", "club"))) == [
        ("recorded", False, None, "rear", True, 5, 3, 1, True, True, "friday.jsonl", 1),
        ("recorded", False, None, None, True, None, None, None, None, None, "friday.jsonl", 1),
        ("simulated", True, "club / random / club", "rear", True, 5, 3, 1, True, True, "friday.jsonl", 1),
    ]


def test_a_record_without_a_result_claims_nothing(tmp_path: Path) -> None:
    sql = "SELECT claimed FROM hands ORDER BY deal_no"
    claims = [{"payoffs": ..., "outcome": ...}, {"payoffs": ...}, {"outcome": ...}]
    hands = [hand(deal_no=number, **keys) for number, keys in enumerate(claims, 1)]
    assert asked(tmp_path, sql, *hands) == [(False,), (True,), (True,)]


def test_a_hand_is_found_by_the_digits_of_its_identity(tmp_path: Path) -> None:
    made = hand()
    assert asked(tmp_path, f"SELECT record_id FROM hands WHERE hand_id = '{made[2].hex()}'", made) == [("robbed",)]


def test_components_have_a_row_each_with_result_level_and_units(tmp_path: Path) -> None:
    sql = """SELECT component, part, made, kontra_1, kontra_2, kontra_level, units_1, units_2, units
             FROM components ORDER BY units, component"""
    assert asked(tmp_path, sql, hand()) == [
        ("four_aces", "named", False, 3, 3, 3, -32, -32, -32.0),
        ("ulti", "named", True, 0, 0, 0, 4, 4, 4.0),
        ("forty_hundred", "named", True, 1, 1, 1, 8, 8, 8.0),
    ]


def test_a_simple_game_beside_ulti_is_implied_and_a_silent_bonus_silent(tmp_path: Path) -> None:
    outcome = {"ulti": "made", "simple": "made", "silent_hundred": "made"}
    bids = [
        hand(SHEET, kontra_levels={}, outcome=outcome),
        hand(SHEET, contract="simple", kontra_levels={}, outcome={"simple": "made"}),
    ]
    sql = "SELECT contract, component, part, kontra_level FROM components ORDER BY ALL"
    assert asked(tmp_path, sql, *bids) == [
        ("simple", "simple", "named", 0),
        ("ulti", "silent_hundred", "silent", None),
        ("ulti", "simple", "implied", 0),
        ("ulti", "ulti", "named", 0),
    ]


def test_a_component_of_unknown_result_has_a_row_without_it(tmp_path: Path) -> None:
    unknown = hand(plays=..., marriages=..., payoffs=..., outcome=...)
    sql = "SELECT component, made, units FROM components ORDER BY 1"
    assert asked(tmp_path, sql, unknown) == [("forty_hundred", None, None), ("four_aces", None, None), ("ulti", None, None)]


def test_levels_of_individual_kontra_stand_apart_and_units_are_their_mean(tmp_path: Path) -> None:
    betli = hand(SHEET, ruleset="hungarian", contract="betli", kontra_levels={"betli": [0, 2]}, outcome={"betli": "made"})
    sql = "SELECT kontra_1, kontra_2, kontra_level, units_1, units_2, units FROM components"
    assert asked(tmp_path, sql, betli) == [(0, 2, 2, 5, 20, 12.5)]


def test_calls_stand_in_order_with_what_was_laid(tmp_path: Path) -> None:
    sql = "SELECT n, seat, role, seat_place, bid, is_pass, is_closing, call_discard_text FROM calls ORDER BY n"
    assert asked(tmp_path, sql, hand(), hand(SHEET)) == [
        (1, 0, "defender_1", "forehand", "forty_hundred+durchmars", False, False, "LO HO"),
        (2, 1, "defender_2", "middle", "pass", True, False, None),
        (3, 2, "declarer", "rear", "forty_hundred+ulti+four_aces", False, False, "A9 BK"),
        (4, 0, "defender_1", "forehand", "pass", True, False, None),
        (5, 1, "defender_2", "middle", "pass", True, False, None),
        (6, 2, "declarer", "rear", "pass", True, True, None),
    ]


def test_kontras_tell_who_said_what_and_what_it_brought(tmp_path: Path) -> None:
    sql = """SELECT step, kontra_seat, kontra_role, component, step_level, final_level, made, step_gain, decision_gain, after_play
             FROM kontras ORDER BY step"""
    # Four aces (4) fails: kontra brings the defenders 4, the declarer's rekontra costs him 8, level 3 brings them 16.
    assert asked(tmp_path, sql, hand()) == [
        (1, 1, "defender_2", "four_aces", 1, 3, False, 4, 28, 1),
        (2, 2, "declarer", "four_aces", 2, 3, False, -8, -24, 1),
        (3, 0, "defender_1", "forty_hundred", 1, 1, True, -4, -4, 1),
        (4, 0, "defender_1", "four_aces", 3, 3, False, 16, 16, 1),
    ]


def test_the_final_level_of_an_individual_kontra_is_that_of_the_defender_bound(tmp_path: Path) -> None:
    lines = (ROOT / "tests" / "data" / "hungarian.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    answered = [record for record in records if any("against" in kontra for kontra in record.get("kontras", ()))]
    sql = """SELECT count(*), bool_and(final_level >= step_level AND final_level IN (1, 2, 3, 4, 5, 6)),
             bool_and(against IS NULL OR kontra_role = 'declarer'), count(*) FILTER (final_level < kontra_max) > 0 FROM kontras"""
    said = sum(len(record["kontras"]) for record in answered)
    assert said > 0
    assert asked(tmp_path, sql, *(hand(record) for record in answered))[0][:3] == (said, True, True)


def test_tricks_tell_leader_winner_and_cards(tmp_path: Path) -> None:
    sql = """SELECT trick, leader, leader_role, card_1_text, card_2_text, card_3_text, winner, winner_role, trick_aces, trick_tens
             FROM tricks WHERE trick IN (1, 4, 5, 10) ORDER BY trick"""
    assert asked(tmp_path, sql, hand()) == [
        (1, 2, "declarer", "BA", "B8", "B7", 2, "declarer", 1, 0),
        (4, 2, "declarer", "LK", "LA", "A8", 0, "defender_1", 1, 0),
        (5, 0, "defender_1", "HT", "H9", "HO", 0, "defender_1", 0, 1),
        (10, 1, "defender_2", "AT", "L7", "HU", 2, "declarer", 0, 1),
    ]


def test_a_trick_that_broke_off_has_no_winner(tmp_path: Path) -> None:
    broken = hand(plays="BA B8 B7 HA", marriages=..., payoffs=..., outcome=...)
    sql = "SELECT trick, leader, card_1_text, card_2_text, winner, winner_role FROM tricks ORDER BY trick"
    assert asked(tmp_path, sql, broken) == [(1, 2, "BA", "B8", 2, "declarer"), (2, 2, "HA", None, None, None)]


def test_plays_have_a_row_per_card_with_the_seat_that_played_it(tmp_path: Path) -> None:
    made = hand()
    found = asked(tmp_path, "SELECT ply, trick, place, seat, role, card_text, card_suit, card_rank FROM plays ORDER BY ply", made)
    assert found[:2] == [
        (0, 1, 1, 2, "declarer", "BA", "bells", "A"),
        (1, 1, 2, 0, "defender_1", "B8", "bells", "8"),
    ]
    assert found[28] == (28, 10, 2, 2, "declarer", "L7", "leaves", "7")
    # Every card was in the hand of the seat that is said to have played it.
    assert made[1].hands is not None
    assert all(made[1].hands[seat] >> made[0].plays[ply] & 1 for ply, _, _, seat, *_ in found)


def test_the_talon_tells_what_the_last_pickup_brought_and_what_was_kept(tmp_path: Path) -> None:
    sql = """SELECT had_pickup, pickup_from, pickup_text, kept, pickup_aces, pickup_tens, pickup_trumps, pickup_trump_seven,
             pickup_marriage_half, laid_text, laid_aces, laid_tens, laid_trumps, laid_points FROM talons"""
    assert asked(tmp_path, sql, hand(), hand(SHEET)) == [
        (True, "laid", "LO HO", 2, 0, 0, 1, False, True, "A9 BK", 0, 0, 0, 0),
    ]


def test_forehand_takes_the_talon_as_dealt_and_twelve_unknown_cards_are_no_pickup(tmp_path: Path) -> None:
    opening = [{"seat": 0, "bid": "ulti", "discard": "HT LA"}, {"seat": 1, "bid": "pass"}, {"seat": 2, "bid": "pass"}]
    without = dict.fromkeys(("trump", "kontras", "marriages", "plays", "payoffs", "outcome"), ...)
    known = hand(auction=opening, **without)
    twelve = ["AU L9 HT L8 H7 B8 HU BU HO B9 LO LA", *known_hands()[1:]]
    unknown = hand(auction=opening, talon="", hands=twelve, **without)
    sql = "SELECT had_pickup, pickup_from, kept, pickup_aces, pickup_trumps, laid_aces, laid_points FROM talons ORDER BY 1 DESC"
    assert asked(tmp_path, sql, known, unknown) == [
        (True, "dealt", 1, 1, None, 1, None),
        (False, None, None, None, None, 1, None),
    ]


def known_hands() -> list[str]:
    return [format_cards(cards) for cards in hand()[0].hands or ()]


def test_seats_have_a_row_each_with_player_role_and_payoff(tmp_path: Path) -> None:
    sql = """SELECT seat, role, seat_place, player, payoff, dealt_aces, at_play_trumps, marriages_held, tricks_won
             FROM seats ORDER BY level, seat"""
    # Seat 1 holds AK without AO, seat 0 no pair.
    assert asked(tmp_path, sql, hand(), hand(SHEET, players=["Dora", "Erik", "Fanni"], dealer=2, payoffs=[-7, 14, -7])) == [
        (0, "defender_1", "forehand", "Anna", 20, 0, 3, 0, 2),
        (1, "defender_2", "middle", "Bea", 20, 0, 0, 1, 1),
        (2, "declarer", "rear", "Cili", -40, 3, 5, 1, 7),
        (0, "defender_2", "forehand", "Dora", -7, None, None, None, None),
        (1, "declarer", "middle", "Erik", 14, None, None, None, None),
        (2, "defender_1", "rear", "Fanni", -7, None, None, None, None),
    ]


def test_in_a_passed_out_deal_nobody_has_a_role(tmp_path: Path) -> None:
    passes = [{"seat": seat, "bid": "pass"} for seat in (0, 1, 2)]
    without = dict.fromkeys(("kontras", "marriages", "plays", "payoffs", "outcome", "trump"), ...)
    made = hand(ruleset="ladder", auction=passes, **without)
    assert asked(tmp_path, "SELECT role, payoff, at_play FROM seats", made) == [("none", 0, None)] * 3


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        ("SELECT contract, count(*) FROM components GROUP BY 1", {"contract"}),
        ("SELECT card, count(*) FROM plays WHERE ply = 0 GROUP BY 1", {"p00"}),
        ("SELECT kept, avg(declarer_units) FROM talons GROUP BY 1", {"declarer_units", "pickup", "play_declarer"}),
        ("SELECT component, avg(step_gain) FROM kontras GROUP BY 1", {"kontras"}),
        ("SELECT bid, count(*) FROM calls GROUP BY 1", {"calls"}),
    ],
)
def test_a_question_reads_only_the_columns_that_it_names(tmp_path: Path, question: str, columns: set[str]) -> None:
    store = Store.create_or_open(tmp_path / "store")
    store.add(rows(hand(), hand(SHEET)))
    with open_warehouse(store.path) as warehouse:
        plan = warehouse.connection.execute(f"EXPLAIN (FORMAT json) {question}").fetchall()[0][1]
    read: set[str] = set()
    waiting = json.loads(plan)
    while waiting:
        node = waiting.pop()
        waiting += node["children"]
        if "READ_PARQUET" in node["name"]:
            found = node["extra_info"].get("Projections", [])
            read |= {found} if isinstance(found, str) else set(found)
    # Beside them a branch of a union may read the column by which it finds its rows.
    assert read - {"outcomes", "kontra_levels"} == columns
