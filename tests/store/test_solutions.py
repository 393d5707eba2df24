"""Open-card results beside the hands: appended batch by batch, once per hand, and read through views."""

from threading import Thread

import pyarrow as pa
import pytest

from tests.store.hands_by_hand import SHEET, hand, rows
from ulti_stats.errors import QueryError
from ulti_stats.game.cards import parse_card
from ulti_stats.store import solutions
from ulti_stats.store.solutions import SOLVER, STAGES, Solutions, stage_schema, unsolved
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import open_warehouse

DEALS = [hand(deal_no=number) for number in range(1, 5)]


@pytest.fixture
def store(tmp_path):
    """A store of four hands with cards and a score sheet."""
    made = Store.create_or_open(tmp_path / "store")
    made.add(rows(*DEALS, hand(SHEET)))
    return made


def solved(stage, *hashes, **values):
    """Return rows of a stage for these hands, every other column null."""
    rows = [{"hand_hash": one, "solver": SOLVER, **values} for one in hashes]
    return pa.Table.from_pylist(rows, stage_schema(stage))


def hashes(*places):
    return [DEALS[place][2] for place in places]


def left(warehouse, stage, where=None):
    """Return the hashes of the hands that a stage has not solved."""
    sql = f"SELECT hand_hash FROM hands WHERE {unsolved(stage, where)}"
    return sorted(warehouse.query(sql).column(0).to_pylist())


def ask(store, sql):
    with open_warehouse(store.path) as warehouse:
        return [tuple(row.values()) for row in warehouse.query(sql).to_pylist()]


def test_where_nothing_is_solved_every_hand_with_cards_is_left_and_the_views_are_empty(store):
    with open_warehouse(store.path) as warehouse:
        for stage in STAGES:
            assert len(left(warehouse, stage)) == 4
        for view in ("makeable", "par", "best", "errors"):
            assert warehouse.query(f"SELECT count(*) FROM {view}").column(0).to_pylist() == [0]


def test_what_is_solved_is_not_asked_for_again(store):
    made = Solutions(store.path)
    assert made.add("parts", solved("parts", *hashes(0, 1), makeable_ulti=True)) == 2
    with open_warehouse(store.path) as warehouse:
        assert left(warehouse, "parts") == sorted(hashes(2, 3))
        assert left(warehouse, "parts", "deal_no = 3") == hashes(2)
        assert len(left(warehouse, "par")) == 4
        assert len(list(warehouse.histories(unsolved("parts")))) == 2


def test_a_hand_that_another_writer_solved_meanwhile_is_not_doubled(store):
    made = Solutions(store.path)
    assert made.add("parts", solved("parts", *hashes(0, 1))) == 2
    assert made.add("parts", solved("parts", *hashes(1, 2))) == 1
    writers = [Thread(target=made.add, args=("parts", solved("parts", *hashes(2, 3)))) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert ask(store, "SELECT count(*), count(DISTINCT hand_hash) FROM makeable") == [(4, 4)]


def test_solved_hands_stand_beside_what_was_played(store):
    Solutions(store.path).add("parts", solved("parts", *hashes(0), makeable_ulti=True, makeable_all=False))
    Solutions(store.path).add("par", solved("par", *hashes(0), par_units=-5.0, par_declarer_units=-10))
    seen = "SELECT contract, ulti_made, makeable_ulti, makeable_four_aces, makeable_all FROM makeable"
    assert ask(store, seen) == [("forty_hundred+ulti+four_aces", True, True, None, False)]
    assert ask(store, "SELECT units_per_defender, par_units, over_par FROM par") == [(-20.0, -5.0, -15.0)]


def test_errors_have_a_row_each_and_a_hand_without_any_has_none_and_is_solved(store):
    error = {"ply": 4, "card": parse_card("H7"), "best_card": parse_card("HT"), "seat": 0, "cost": 3}
    made = Solutions(store.path)
    made.add("errors", solved("errors", *hashes(0), errors=[error], decided_ply=4))
    made.add("errors", solved("errors", *hashes(1), errors=[]))
    seen = "SELECT deal_no, trick, role, card_text, best_card_text, cost, decided_ply FROM errors"
    assert ask(store, seen) == [(1, 2, "defender_1", "H7", "HT", 3, 4)]
    with open_warehouse(store.path) as warehouse:
        assert len(left(warehouse, "errors")) == 2


def test_results_of_another_solver_count_as_not_solved(store, monkeypatch):
    Solutions(store.path).add("parts", solved("parts", *hashes(0)))
    monkeypatch.setattr(solutions, "SOLVER", SOLVER + 1)
    with open_warehouse(store.path) as warehouse:
        assert len(left(warehouse, "parts")) == 4


def test_solutions_do_not_touch_the_hands(store):
    Solutions(store.path).add("parts", solved("parts", *hashes(0, 1, 2)))
    store.compact()
    assert store.n_hands() == 5
    assert ask(store, "SELECT count(*) FROM hands") == [(5,)]
    assert ask(store, "SELECT count(*) FROM makeable") == [(3,)]


def test_an_unknown_stage_is_named_with_the_known_ones():
    with pytest.raises(QueryError, match="unknown stage 'bids'; stages are parts, par"):
        unsolved("bids")
