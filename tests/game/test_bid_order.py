"""Every row of bid_order_cases.csv, under the table and under the literal rule."""

import csv
from pathlib import Path

import pytest

from tests.game.hands import auction, call
from ulti_stats.errors import IllegalBid
from ulti_stats.game.auction import check_call, make_call
from ulti_stats.game.rulesets import RABLO, ULTIMATO, ruleset

DATA = Path(__file__).parent.parent / "data"
ROWS = list(csv.DictReader((DATA / "bid_order_cases.csv").read_text(encoding="utf-8").splitlines()))
PAIRS = [row for row in ROWS if row["standing_id"]]


def _says(row: dict[str, str], order: str) -> bool:
    """Return what a row says of an order: `yes`, `no`, or one answer for each of the two orders."""
    text = row["legal"]
    if "`" in text:
        text = text.split(f"`{order}`: ")[1]
    return text.startswith("yes")


@pytest.mark.parametrize("row", PAIRS, ids=[row["id"] for row in PAIRS])
def test_a_bid_may_follow_another_as_the_row_says(row: dict[str, str]):
    orders = ("table", "literal") if row["preset"] == "rablo" else ("",)
    for order in orders:
        rules = ruleset(row["preset"], {"bid_order": order} if order else None)
        assert rules.overbids(rules.bid(row["new_id"]), rules.bid(row["standing_id"])) is _says(row, order)


def test_the_cases_without_bids_are_these_three():
    assert {row["id"] for row in ROWS} - {row["id"] for row in PAIRS} == {"O15", "O16", "O23"}


def test_o15_a_player_who_passed_takes_the_talon_and_bids_higher():
    state = auction(RABLO, "0 simple L7 B7", "1 pass", "2 betli L7 B7", "0 pass", "1 durchmars_nt L7 B7")
    assert state.holder == 1


def test_o16_the_holder_raises_himself_but_only_higher():
    state = auction(RABLO, "0 betli L7 B7", "1 pass", "2 pass")
    assert make_call(state, call("0 durchmars L7 B7")).holder == 0
    with pytest.raises(IllegalBid, match="ulti does not overbid betli; lowest: durchmars"):
        check_call(state, call("0 ulti L7 B7"))


def test_o23_a_pass_is_final_in_ultimato():
    state = auction(ULTIMATO, "0 pass", "1 simple", "2 ulti")
    assert state.turn == 1
    with pytest.raises(IllegalBid, match="it is seat 1's turn"):
        check_call(state, call("0 betli"))
