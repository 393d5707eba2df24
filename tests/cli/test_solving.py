"""What a hand is worth, and solved hands, as a user asks for them."""

import csv
import json
from pathlib import Path

RABLO = Path("tests/data/rablo.jsonl").absolute()
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


def test_stored_hands_are_solved_once_and_shown_beside_what_was_made(ulti):
    ulti("import", RABLO)
    first = ulti("solve", "--limit", "10", "--workers", "2")
    assert "parts: 10 hands of data/store solved." in first.out
    n_rest = int(ulti("solve").out.split()[1])
    assert n_rest > 50
    assert "parts: 0 hands of data/store solved; none were left." in ulti("solve").out
    counted = ulti("sql", "SELECT count(*) AS n, count(DISTINCT hand_id) AS hands FROM makeable", "--format", "csv").out
    assert counted == f"n,hands\n{n_rest + 10},{n_rest + 10}\n"
    assert "B4 makeable" in ulti("report", "bids").out


def test_only_the_hands_asked_for_are_solved(ulti):
    ulti("import", RABLO)
    ulti("solve", "--where", "contract = 'betli'", "--rules", "rablo")
    assert ulti("sql", "SELECT DISTINCT contract FROM makeable", "--format", "csv").out == "contract\nbetli\n"
    assert ulti("solve", "--rules", "ladder").err == "ulti: --rules: no hands under 'ladder'; known: rablo\n"


def test_each_stage_has_its_view_and_a_hand_is_analysed_card_by_card(ulti):
    ulti("import", RABLO)
    ran = ulti("solve", "--par", "--errors", "--best", "--limit", "3")
    assert [line.split(" hands")[0] for line in ran.out.splitlines()] == ["par: 3", "best: 3", "errors: 3"]
    for view in ("par", "best"):
        assert ulti("sql", f"SELECT count(*) AS n FROM {view}", "--format", "csv").out == "n\n3\n"
    found = ulti("sql", "SELECT hand_id FROM hands WHERE level = 'full' AND termination = 'played' LIMIT 1", "--format", "csv")
    shown = ulti("show", found.out.split()[1], "--analyse")
    assert "With open cards" in shown.out
    assert "par " in shown.out
    assert "The contract was decided" in shown.out


def test_a_hand_without_cards_played_is_not_analysed(ulti):
    ulti("import", RABLO)
    found = ulti("sql", "SELECT hand_id FROM hands WHERE termination = 'conceded' LIMIT 1", "--format", "csv").out.split()
    ran = ulti("show", found[1], "--analyse")
    assert (ran.code, ran.err) == (1, "ulti: plays: no card was played, so there is nothing to analyse\n")
