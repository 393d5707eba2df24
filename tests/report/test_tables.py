"""Reports and query answers as text, of the ten hands counted by hand."""

from __future__ import annotations

import csv
import io
import json
import re
from decimal import Decimal

import pyarrow as pa
import pytest
from rich.console import Console

from tests.stats.ten_hands import hand, ten_hands, warehouse_of
from ulti_stats.errors import UltiError
from ulti_stats.report.numbers import format_bounds, format_value
from ulti_stats.report.tables import _rich_report, arrow_text, print_report, report_text
from ulti_stats.stats.answer import Report
from ulti_stats.stats.bids import bid_success
from ulti_stats.stats.kontra import kontra_gain
from ulti_stats.stats.selection import Selection


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    return warehouse_of(ten_hands(), tmp_path_factory.mktemp("ten") / "store")


@pytest.fixture(scope="module")
def report(warehouse) -> Report:
    return bid_success(warehouse)


def line_of(text, start):
    return next(line for line in text.splitlines() if line.startswith(start)).split()


def test_a_row_shows_made_over_bid_its_rate_and_its_interval(report):
    found = " ".join(line_of(report_text(report), "simple          both"))
    assert found == "simple both 5/8 62.5 %†‡ 12.4–95.2 71.4 %†‡ (n 7) 2.1–99.7 1"


def test_units_have_a_sign_and_two_decimals(report):
    found = line_of(report_text(report).split("B3 mean units.")[1], "all")
    assert found[:5] == ["all", "10", "−1.20†‡", "−10.56", "…"]


def test_fewer_than_five_show_counts_only(report):
    assert line_of(report_text(report), "betli           named") == ["betli", "named", "0/1", "†‡", "†‡"]


def test_the_caption_says_what_was_counted(report):
    text = " ".join(report_text(report).split())
    assert "rablo 01e7b720 · recorded · conceded 1, played 9; counted: played, conceded · levels full 10" in text
    assert "10 hands, 3 sessions · 95 % Wilson for rates, 95 % t for units, clustered by session · † fewer than 20" in text


@pytest.mark.parametrize("width", [60, 110, 160])
@pytest.mark.parametrize("question", [bid_success, kontra_gain])
def test_plain_text_is_laid_out_as_on_a_terminal(warehouse, question, width):
    report = question(warehouse)
    file = io.StringIO()
    Console(file=file, width=width, force_terminal=True, color_system=None).print(_rich_report(report, width))
    on_terminal = "\n".join(line.rstrip() for line in re.sub("\x1b\\[[0-9;]*m", "", file.getvalue()).splitlines())
    assert report_text(report, width=width) == on_terminal + "\n"


def test_plain_text_has_no_control_characters_and_no_blank_ends(report):
    text = report_text(report)
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_a_narrow_page_has_a_table_for_every_figure_and_loses_no_number(report):
    wide, narrow = report_text(report), report_text(report, width=80)
    assert wide.count("B3 mean units. What does") == 1
    assert narrow.count("B3 mean units. What does") == 3
    assert "…" not in narrow.replace(" … ", "")
    assert all(len(line) <= 80 for line in narrow.splitlines())
    assert line_of(narrow.split("B3 mean units.")[2], "all")[:3] == ["all", "10", "−2.40†‡"]


def test_each_ruleset_stands_under_its_own_heading(tmp_path):
    rows = [
        hand(declarer=0, contract="betli", outcome={"betli": True}, units=5),
        hand(declarer=0, contract="betli", outcome={"betli": True}, units=5, rules="ladder"),
    ]
    text = report_text(bid_success(warehouse_of(rows, tmp_path / "store")))
    headings = [line for line in text.splitlines() if line.endswith(" · recorded · 1 hands")]
    assert [heading.split()[0] for heading in headings] == ["ladder", "rablo"]
    assert all(len(heading.split()[1]) == 8 for heading in headings)
    assert text.count("B1 component success. How often") == 2


def test_csv_has_a_record_for_every_figure_with_its_sums(report):
    records = list(csv.DictReader(io.StringIO(report_text(report, "csv"))))
    simple = next(record for record in records if record["component"] == "simple" and record["part"] == "both")
    assert {name: simple[name] for name in ("report", "figure", "k", "n", "x", "y", "G", "df", "marks", "method")} == {
        "report": "bids", "figure": "made", "k": "5", "n": "8", "x": "8", "y": "5", "G": "3", "df": "2", "marks": "†‡",
        "method": "95 % Wilson, clustered by session",
    }  # fmt: skip
    assert float(simple["value"]) == 0.625
    assert round(float(simple["low"]), 3) == 0.124
    assert simple["shown"] == "62.5 % (12.4–95.2)"
    units = next(record for record in records if record["figure"] == "units" and record["contract"] == "all")
    assert (units["y"], units["x"], units["k"], units["shown"]) == ("-12", "10", "", "−1.20 (−10.56 … +8.16)")


def test_json_holds_captions_and_every_row(report):
    document = json.loads(report_text(report, "json"))
    assert document["measures"][0] == "B1 component success"
    assert [table["name"] for table in document["tables"]] == ["components", "contracts", "failures"]
    assert document["tables"][0]["rows"][0]["value"] == 0.6
    assert "conceded 1" in document["captions"][0]


def test_markdown_is_a_table_with_escaped_marks(warehouse):
    text = report_text(kontra_gain(warehouse), "md")
    assert "| component | level | failed/n | failed | 95 % | break-even q\\* |" in text
    assert "| all | 1 | 4/6 | 66.7 %†‡ | 3.3–99.2 | 33.3 %† |" in text


def test_an_unknown_format_is_refused_with_the_nearest(report):
    with pytest.raises(UltiError, match="unknown format 'jsn'; did you mean 'json'"):
        report_text(report, "jsn")


def test_marked_rows_are_pale_on_a_terminal(report):
    file = io.StringIO()
    print_report(report, Console(file=file, force_terminal=True, color_system="standard", width=160))
    assert "\x1b[2m" in file.getvalue()


def test_without_a_terminal_the_text_is_plain(report):
    file = io.StringIO()
    print_report(report, Console(file=file))
    assert file.getvalue() == report_text(report)


def test_no_hands_are_said_so(warehouse):
    assert "No hands meet the selection." in report_text(bid_success(warehouse, Selection(where="contract = 'four_aces'")))


def test_a_report_is_a_data_frame_and_an_arrow_table(report):
    frame = report.to_pandas("components")
    assert list(frame["figure"].unique()) == ["made", "made_played"]
    assert "contract" not in frame.columns
    assert report.to_arrow().num_rows == len(report.to_pandas()) == len(report.records())
    assert report.to_arrow("contracts").column("value").type == pa.float64()
    with pytest.raises(UltiError, match="no table 'contract'; did you mean 'contracts'"):
        report.to_pandas("contract")


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [("rate", 1.0, "100.0 %"), ("units", 0.001, "0.00"), ("units", -0.001, "0.00"), ("units", 2, "+2.00"), ("rate", None, "–")],
)
def test_how_figures_are_written(kind, value, text):
    assert format_value(kind, value) == text


def test_an_interval_that_cannot_be_had_is_a_dash():
    assert format_bounds("units", None, None) == "–"


ANSWER = pa.table(
    {
        "contract": ["ulti", None],
        "n": pa.array([3, 4], pa.int64()),
        "mean": [0.123456789, -2.0],
        "made": [True, None],
        "hand_hash": pa.array([b"\x01\xff", None], pa.binary(2)),
        "total": pa.array([Decimal(7), None], pa.decimal128(38, 0)),
        "cards": [["AA", "A7"], []],
    }
)


def test_an_answer_to_sql_in_every_format():
    assert arrow_text(ANSWER, "csv").splitlines()[1] == "ulti,3,0.123456789,True,01ff,7,\"['AA', 'A7']\""
    assert json.loads(arrow_text(ANSWER, "json"))[0] == {
        "contract": "ulti", "n": 3, "mean": 0.123456789, "made": True, "hand_hash": "01ff", "total": 7, "cards": ["AA", "A7"]
    }  # fmt: skip
    assert arrow_text(ANSWER, "md").splitlines()[2].startswith("| ulti | 3 | 0.123457 | true | 01ff | 7 |")
    assert "contract" in arrow_text(ANSWER).splitlines()[0]


def test_a_wide_answer_is_not_cropped():
    wide = pa.table({f"column_{number}": [10**12] for number in range(60)})
    assert arrow_text(wide).count("1000000000000") == 60


def test_an_answer_without_rows_or_columns():
    assert arrow_text(ANSWER.slice(0, 0), "csv") == "contract,n,mean,made,hand_hash,total,cards\n"
    assert arrow_text(ANSWER.slice(0, 0), "json") == "[]\n"


def test_house_rules_are_named_as_the_command_line_takes_them(tmp_path):
    options = '{"four_aces": false, "silent_set": ["ulti"]}'
    one = hand(declarer=0, contract="betli", outcome={"betli": True}, units=5, options=options)
    text = report_text(bid_success(warehouse_of([one], tmp_path / "store")))
    assert 'four_aces=false, silent_set=["ulti"] · recorded' in text
