"""What a hand is worth, and solved hands, as a user asks for them."""

import csv
import json

LAYDOWN = "AA AT AK AO AU A7 LA LT HA HT"
FAST = ("--precision", "0.1", "--workers", "1")


def test_a_hand_is_evaluated_as_a_table_with_its_caveat(ulti):
    ran = ulti("evaluate", LAYDOWN, "--bid", "ulti", "--bid", "durchmars", *FAST)
    assert ran.code == 0
    assert "100.0 %" in ran.out
    assert "+6.00" in ran.out
    assert "○ open-card" in ran.out
    assert "upper bound" in ran.out


def test_json_and_chart_hold_the_same_figures(ulti, tmp_path):
    ran = ulti("evaluate", LAYDOWN, "--bid", "ulti", "--format", "json", "--chart", "worth.svg", *FAST)
    found = json.loads(ran.out)
    assert [record["part"] for record in found["bids"]] == ["ulti", "simple"]
    assert found["bids"][0]["chance"] == 1.0
    assert (tmp_path / "worth.svg").read_text().startswith("<?xml")
    with (tmp_path / "worth.csv").open() as file:
        assert [row["part"] for row in csv.DictReader(file)] == ["ulti", "simple"]


def test_wrong_cards_and_seats_are_refused_in_one_line(ulti):
    ran = ulti("evaluate", "AA AT XX", *FAST)
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "unknown suit 'X'" in ran.err
    assert "right is forehand, middle or rear" in ulti("evaluate", LAYDOWN, "--seat", "north", *FAST).err
