"""`ulti report session`, as a user types it."""

import json

ROWS = [
    {"deal_no": 1, "declarer": 0, "payoffs": [2, -1, -1]},
    {"deal_no": 2, "declarer": 2, "payoffs": [-1, -1, 2]},
    {"deal_no": 3, "declarer": 2, "payoffs": [-1, -1, 2]},
]


def friday(ulti, tmp_path):
    same = {"format": "ulti-hand/1", "ruleset": "rablo", "session": "friday", "contract": "simple"}
    people = {"players": ["Anna", "Bea", "Cili"]}
    file = tmp_path / "friday.jsonl"
    file.write_text("".join(json.dumps(same | people | row) + "\n" for row in ROWS))
    assert ulti("import", file).code == 0


def test_a_sitting_is_shown_with_its_totals_and_winner_in_forints(ulti, tmp_path):
    friday(ulti, tmp_path)
    shown = ulti("report", "session", "--session", "friday")
    assert shown.code == 0
    assert "   3  simple    Cili         -1       0     -1      -3     +2       3" in shown.out
    assert "    1  Cili        +3  +30 forints" in shown.out
    assert "Cili leads after 3 deals; the rules set no end." in shown.out


def test_a_sitting_is_settled_by_a_length_of_ones_own(ulti, tmp_path):
    friday(ulti, tmp_path)
    shown = ulti("report", "session", "--session", "friday", "--option", "session_deals=2", "--option", "unit=chip")
    assert "Over after 2 deals: Anna and Cili share the win. 1 later deal does not count." in shown.out
    assert "+1 chip" in shown.out


def test_a_sitting_is_printed_as_csv_with_a_row_for_each_deal_and_player(ulti, tmp_path):
    friday(ulti, tmp_path)
    shown = ulti("report", "session", "--session", "friday", "--format", "csv")
    assert len(shown.out.splitlines()) == 1 + 9
    assert shown.out.startswith("session,ruleset,ruleset_digest,deal,deal_no,hand_id,contract,declarer,player,units,total,")


def test_an_unknown_session_is_one_line_with_the_nearest_name(ulti, tmp_path):
    friday(ulti, tmp_path)
    refused = ulti("report", "session", "--session", "fridays")
    assert refused.code == 1
    assert refused.err == "ulti: --session: no session 'fridays'; did you mean 'friday'?\n"
