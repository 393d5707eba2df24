"""Values that the log tells need not be grouped by; the figures are the same with them and without."""

from __future__ import annotations

import re

import pytest

from ulti_stats.game.bids import BID_NAMES
from ulti_stats.report.tables import report_text
from ulti_stats.stats.bids import bid_success
from ulti_stats.stats.kontra import kontra_gain
from ulti_stats.stats.population import TERMINATIONS
from ulti_stats.stats.selection import Query, Selection, compose, fetch, of_one_version
from ulti_stats.stats.talon import talon_observed

QUESTIONS = (bid_success, kontra_gain, talon_observed)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    "selection",
    [
        Selection(),
        Selection(by=("ruleset", "contract")),
        Selection(where="ruleset = 'rablo' AND level = 'full'"),
        Selection(rules="rablo"),
    ],
)
def test_what_the_log_tells_changes_no_figure(ten, monkeypatch, question, selection):
    monkeypatch.setattr(ten, "lone_values", {})
    counted = report_text(question(ten, selection), "table")
    one = {
        name: fetch(ten, Query(f"SELECT DISTINCT {name} AS only FROM hands", {}))
        for name in ("ruleset", "ruleset_digest", "options", "policies", "is_simulated", "level", "source", "session")
    }
    lone = {name: rows[0]["only"] for name, rows in one.items() if len(rows) == 1}
    assert {"ruleset", "is_simulated", "policies"} <= set(lone)
    monkeypatch.setattr(ten, "lone_values", lone)
    told = question(ten, selection)
    assert report_text(told, "table") == counted
    assert any("'rablo' AS ruleset" in query.text for query in told.queries)


def test_a_value_is_written_as_sql_text():
    text = compose("population", Selection(), lone={"ruleset": "o'clock", "policies": None, "is_simulated": False}).text
    assert "'o''clock' AS ruleset," in text
    assert "NULL::VARCHAR AS policies," in text
    assert "false AS is_simulated," in text
    assert "    ruleset_digest,\n" in text


def test_no_two_kinds_of_hands_share_a_hash(ten):
    """Reports count contracts and how hands ended by their hash."""
    pairs = [(contract, ended) for contract in BID_NAMES for ended in (*TERMINATIONS, None)]
    values = {"contracts": [contract for contract, _ in pairs], "ended": [ended for _, ended in pairs]}
    text = """
        SELECT count(DISTINCT hash(contract)) AS contracts, count(DISTINCT hash(contract, ended)) AS pairs
        FROM (SELECT unnest($contracts) AS contract, unnest($ended) AS ended)
    """
    assert fetch(ten, Query(text, values)) == [{"contracts": len(BID_NAMES), "pairs": len(pairs)}]


def test_a_column_of_one_value_is_told_outside_of_every_grouping():
    lone = {"ruleset": "rablo", "source": "simulate", "level": "full"}
    text = compose("bids", Selection(), lone=lone).text
    within, outside = text.split("GROUP BY ALL", 1)
    assert not re.search(r"(?m)^ *(ruleset|source|level.*),$", within)
    assert "'rablo' AS ruleset, 'simulate' AS source, false AS is_sheet," in outside


def test_a_question_is_asked_again_where_the_store_changed_between_its_statements(ten):
    asked = []

    @of_one_version
    def question(warehouse):
        asked.append(warehouse.version)
        if len(asked) == 1:
            warehouse.refresh()
        return warehouse.version

    assert question(ten) == asked[1] > asked[0]


def test_the_rows_of_a_split_talon_report_lean_on_the_total_of_their_own_split(ten):
    """Not on that of whichever split the database happened to give last."""
    texts = {report_text(talon_observed(ten, Selection(by=("declarer_role",))), "json") for _ in range(3)}
    assert len(texts) == 1


def test_views_are_found_wherever_they_stand(ten):
    text = "SELECT count(*) AS n FROM (SELECT 1) AS one, kontras"
    assert fetch(ten, Query(text, {})) == fetch(ten, Query("SELECT count(*) AS n FROM kontras", {}))
