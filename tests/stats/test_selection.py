"""Conditions and splits as an analyst writes them, right and wrong."""

from __future__ import annotations

import pytest

from tests.stats.ten_hands import hand
from ulti_stats.errors import QueryError
from ulti_stats.stats import selection as selections
from ulti_stats.stats.bids import bid_success
from ulti_stats.stats.kontra import kontra_gain
from ulti_stats.stats.selection import Selection, check_selection, compose, sql

VIEWS = ("hands", "components")


@pytest.mark.parametrize(
    ("where", "complaint"),
    [
        ("contrct = 'ulti'", "--where: unknown column 'contrct'; did you mean 'contract'?"),
        ("contract = ", "--where: syntax error"),
        ("", "--where: syntax error"),
        ("true; DROP VIEW hands", "--where: a second statement"),
        ("true LIMIT 1", "--where: more than a condition"),
        ("true GROUP BY contract", "--where: more than a condition"),
        ("true UNION SELECT 1", "--where: more than a condition"),
        ("true) OR (true", "--where: syntax error"),
        ("declarer", "--where: 'declarer' is of type TINYINT, not true or false"),
        ("count(*) > 1", "--where: WHERE clause cannot contain aggregates"),
        ("declarer = 'ulti'", "Could not convert string 'ulti'"),
        ("declarer = $seat", "--where: Values were not provided"),
        ("nonsense(declarer)", "--where: Scalar Function with name nonsense does not exist"),
        ("/* open", "--where: unterminated"),
    ],
)
def test_a_broken_condition_is_explained_in_one_line(ten, where, complaint):
    with pytest.raises(QueryError) as raised:
        bid_success(ten, Selection(where=where))
    assert complaint in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_condition_may_ask_other_views(ten):
    asked = "hand_id IN (SELECT hand_id FROM kontras WHERE component = 'simple')"
    assert bid_success(ten, Selection(where=asked)).populations[0].hands == 3


def test_an_unknown_column_to_split_by_is_answered_with_the_nearest(ten):
    with pytest.raises(QueryError, match="--by: unknown column 'trump_clas'; did you mean 'trump_class'"):
        bid_success(ten, Selection(by=("trump_clas",)))


def test_a_column_name_is_never_taken_as_sql(ten):
    with pytest.raises(QueryError, match="unknown column"):
        bid_success(ten, Selection(by=('contract" FROM hands --',)))


def test_columns_of_other_views_are_refused(ten):
    with pytest.raises(QueryError, match="unknown column 'kontra_role'"):
        bid_success(ten, Selection(by=("kontra_role",)))
    assert kontra_gain(ten, Selection(by=("kontra_role",))).table("gains").rows


def test_a_selection_says_which_views_can_answer(ten):
    assert check_selection(ten, Selection(), VIEWS).views == VIEWS
    assert check_selection(ten, Selection(by=("contract",)), VIEWS).views == VIEWS
    fit = check_selection(ten, Selection(where="contract = 'ulti'", by=("part",)), VIEWS)
    assert fit.views == ("components",)
    assert fit.condition_view == "hands"


def test_a_split_into_thousands_of_rows_is_refused(ten, monkeypatch):
    monkeypatch.setattr(selections, "MAX_SPLITS", 5)
    with pytest.raises(QueryError, match="--by hand_id splits into more than 5 rows"):
        bid_success(ten, Selection(by=("hand_id",)))


def test_the_statement_names_its_question_and_runs_as_it_is_cited(ten):
    query = compose("bids", Selection(where="contract = 'ulti'", by=("trump_class",)), digests=("00ff",))
    assert query.text.startswith("-- How often is each contract made")
    assert '"trump_class" AS by_0' in query.text
    assert "(SELECT unnest(['00ff']::VARCHAR[]))" in query.written_out()
    for query in kontra_gain(ten, Selection(rules="rablo", where="declarer = 0")).queries:
        assert "$" not in query.written_out()
        assert ten.sql(query.written_out()).num_rows > 0


@pytest.mark.parametrize("question", ["population", "bids", "components", "kontra_gain", "kontra_steps", "kontra_said", "talon"])
def test_every_question_opens_with_its_words_and_runs_as_it_stands(ten, question):
    text = sql(question)
    assert text.startswith("-- ")
    assert "?" in text.splitlines()[0] + text.splitlines()[1]
    scopes = {"individual": [], "individual_notrump": []} if "$individual" in text else None
    assert ten.query(text, scopes).num_rows >= 0


def test_bytes_and_times_split_as_text(ten, store_of):
    keys = [row.keys[-1] for row in bid_success(ten, Selection(by=("hand_hash",))).table("components").rows]
    assert all(len(key) == 32 for key in keys)
    rows = [hand(declarer=0, contract="betli", outcome={"betli": True}, units=5, played_at="2026-05-01T20:15:00+02:00")]
    table = bid_success(store_of(rows), Selection(by=("played_at_utc",))).table("components")
    assert table.rows[0].keys[-1] == "2026-05-01 18:15:00"


def test_unknown_values_of_a_split_come_last(store_of):
    rows = [
        hand(declarer=0, contract="betli", outcome={"betli": True}, units=5, session=None),
        hand(declarer=0, contract="betli", outcome={"betli": True}, units=5, session="s1"),
    ]
    table = bid_success(store_of(rows), Selection(by=("session",))).table("components")
    assert [row.keys for row in table.rows] == [("betli", "named", "s1"), ("betli", "named", None)]
