"""Solved rows of hands, on recorded hands of every ruleset and on one that can be checked by eye."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from tests.store.hands_by_hand import hand, rows
from ulti_stats.game.bids import Component
from ulti_stats.game.solver.position import position_in
from ulti_stats.game.solver.solve import solve_goal
from ulti_stats.sources.importing import import_files
from ulti_stats.store.rows import encode
from ulti_stats.store.solving import PARTS_COLUMNS, parts_rows
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import open_warehouse

DATA = Path(__file__).parents[1] / "data"
SITE = Path(__file__).parents[2] / "data" / "samples" / "ultiarena_games.jsonl"

# Forehand has nine tricks from the top in acorns, leaves and hearts, and lays the bells: every card is a winner but L9.
LAYDOWN = {
    "format": "ulti-hand/1",
    "ruleset": "rablo",
    "dealer": 2,
    "hands": [
        "AA AT AK AO AU A7 LA LT HA HT",
        "A9 L9 L8 LU HO H9 H8 BA BT BO",
        "A8 LK LO L7 HK HU H7 BK BU B9",
    ],
    "talon": "B8 B7",
    "auction": [
        {"seat": 0, "bid": "ulti+durchmars", "discard": "B8 B7"},
        {"seat": 1, "bid": "pass"},
        {"seat": 2, "bid": "pass"},
        {"seat": 0, "bid": "pass"},
    ],
    "trump": "acorns",
}


def solved(tmp_path, table: pa.Table) -> list[dict]:
    """Return the solved rows of every hand with known cards, with the hand's own columns."""
    store = Store.create_or_open(tmp_path / "store")
    store.add(table)
    with open_warehouse(store.path) as warehouse:
        known = "play_declarer IS NOT NULL AND contract IS NOT NULL AND (trump IS NOT NULL OR trump_class = 'none')"
        hands = warehouse.query(f"SELECT {PARTS_COLUMNS} FROM hands WHERE {known}")
    return [one | result for one, result in zip(hands.to_pylist(), parts_rows(hands).to_pylist(), strict=True)]


def makeable(row: dict) -> dict[str, bool | None]:
    return {name.removeprefix("makeable_"): value for name, value in row.items() if name.startswith("makeable_")}


def test_a_laydown_makes_its_ulti_and_every_trick(tmp_path):
    (row,) = solved(tmp_path, rows(hand(LAYDOWN)))
    found = makeable(row)
    assert found["ulti"] is True
    assert found["durchmars"] is True
    assert found["simple"] is None
    assert found["betli"] is None


def test_a_part_that_cannot_be_made_rules_out_all_of_them_together(tmp_path):
    betrayed = [text.replace("LT", "B6").replace("L9", "LT").replace("B6", "L9") for text in LAYDOWN["hands"]]
    (row,) = solved(tmp_path, rows(hand({**LAYDOWN, "hands": betrayed})))
    found = makeable(row)
    assert found["durchmars"] is False
    assert found["all"] is False


@pytest.mark.parametrize("preset", ["rablo", "ladder", "ultimato", "hungarian"])
def test_many_hands_at_once_are_solved_as_each_by_itself(tmp_path, preset):
    read = import_files([DATA / f"{preset}.jsonl"])
    by_hash = {one.hand_hash: one.history for one in read.histories}
    table = encode(read.histories)
    checked = 0
    for row in solved(tmp_path, table)[::6]:
        # Which marriages were declared is a decision of the play; makeable is with all that may be.
        position = replace(position_in(by_hash[row["hand_hash"]], 0), marriages=None)
        for part, value in makeable(row).items():
            if part != "all" and value is not None:
                checked += 1
                free = Component[part.upper()]
                assert solve_goal(position, free) == value, (preset, part)
    assert checked > 15


def test_what_the_site_recorded_is_solved(tmp_path):
    read = import_files([SITE])
    found = solved(tmp_path, encode(read.histories))
    assert len(found) >= 20
    for row in found:
        assert any(value is not None for value in makeable(row).values())
