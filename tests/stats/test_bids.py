"""Bid success and mean units of hands counted by hand."""

from __future__ import annotations

import pytest

from tests.stats.ten_hands import hand, said
from ulti_stats.errors import QueryError
from ulti_stats.stats.bids import bid_success
from ulti_stats.stats.kontra import kontra_gain
from ulti_stats.stats.selection import Selection
from ulti_stats.stats.talon import talon_observed


@pytest.fixture(scope="module")
def report(ten):
    return bid_success(ten)


def shares(table, figure):
    """The figure of every row as (k, n), by keys."""
    place = [one.name for one in table.figures].index(figure)
    return {row.keys: (row.cells[place].interval.k, row.cells[place].interval.n) for row in table.rows}


def test_components_are_made_as_counted_by_hand(report):
    assert shares(report.table("components"), "made") == {
        ("simple", "named"): (3, 5),
        ("simple", "implied"): (2, 3),
        ("simple", "both"): (5, 8),
        ("forty_hundred", "named"): (1, 1),
        ("ulti", "named"): (3, 4),
        ("durchmars", "named"): (0, 1),
        ("betli", "named"): (0, 1),
    }


def test_a_conceded_simple_counts_as_failed_and_is_named(report):
    table = report.table("components")
    assert shares(table, "made_played")["simple", "named"] == (3, 4)
    assert {row.keys: row.counts for row in table.rows}["simple", "named"] == (1,)
    assert "conceded 1, played 9" in report.captions()[0]


def test_the_interval_of_all_simples_is_clustered_by_session(report):
    found = report.table("components").cell("made", "simple", "both")
    assert (round(found.interval.low, 3), round(found.interval.high, 3)) == (0.124, 0.952)
    assert (found.interval.clusters, found.interval.df) == (3, 2)
    assert found.marks == "†‡"
    assert "3 sessions" in report.captions()[0]


def test_contracts_are_made_clean_and_won_as_counted_by_hand(report):
    table = report.table("contracts")
    assert [shares(table, figure)["ulti",] for figure in ("made", "clean", "won")] == [(2, 3), (1, 3), (2, 3)]
    assert shares(table, "made")["all",] == (5, 10)
    assert shares(table, "made")["forty_hundred+ulti+durchmars",] == (0, 1)


def test_mean_units_per_defender_and_for_the_declarer(report):
    table = report.table("contracts")
    paid = table.cell("units", "all").interval
    assert paid.value == pytest.approx(-1.2)
    assert paid.standard_error == pytest.approx(2.176, abs=1e-3)
    assert paid.high - paid.value == pytest.approx(9.36, abs=5e-3)
    assert table.cell("declarer_units", "all").interval.value == pytest.approx(-2.4)


def test_units_with_the_kontra_taken_out(report):
    # 1 -1 1 3, 5 -7 3 -5, -2 2
    found = report.table("contracts").cell("units_without_kontra", "all").interval
    assert found.value == pytest.approx(0.0)
    assert found.n == 10
    assert report.table("contracts").cell("units_without_kontra", "ulti").interval.value == pytest.approx(1 / 3)


def test_one_hand_that_rules_a_mean_is_marked(report):
    table = report.table("contracts")
    assert "!" in table.cell("units", "ulti").marks  # -11 of 5 + 11 + 2
    assert "!" not in table.cell("units", "all").marks  # 11 of 44 is a quarter, not more


def test_what_failed_where_an_ulti_was_not_clean(report):
    found = shares(report.table("failures"), "share")
    assert found["ulti", "simple"] == found["ulti", "ulti"] == (1, 2)
    assert found["forty_hundred+ulti+durchmars", "durchmars"] == (1, 1)


def test_a_split_does_not_change_the_population(ten, report):
    split = bid_success(ten, Selection(by=("trump_class",))).table("contracts")
    by_class = {row.keys: row.cells[3].interval for row in split.rows if row.keys[0] == "all"}
    assert by_class["all", "plain"].value == pytest.approx(-2 / 9)
    assert by_class["all", "none"].value == -10
    assert sum(found.n for found in by_class.values()) == report.table("contracts").cell("units", "all").interval.n


def test_the_declarers_seat_as_counted_by_hand(ten):
    made = shares(bid_success(ten, Selection(by=("declarer",))).table("components"), "made")
    assert [made["simple", which, seat] for which, seat in (("both", 0), ("both", 1), ("named", 2))] == [(4, 5), (0, 2), (1, 1)]


def test_a_condition_picks_hands(ten):
    report = bid_success(ten, Selection(where="session = 's2' -- the second sitting"))
    assert shares(report.table("components"), "made")["ulti", "named"] == (2, 3)
    assert "where session = 's2' -- the second sitting" in report.captions()[0]


def test_a_split_by_a_column_of_components_leaves_contracts_out(ten):
    report = bid_success(ten, Selection(by=("kontra_level",)))
    made = shares(report.table("components"), "made")
    assert made["simple", "named", 0] == (1, 3)
    assert made["simple", "named", 1] == (2, 2)
    assert made["ulti", "named", 1] == (0, 1)
    assert [table.name for table in report.tables] == ["components"]
    assert "Contracts and units are left out" in report.notes[0]


def test_components_by_contract(ten):
    report = bid_success(ten, Selection(by=("contract",)))
    assert shares(report.table("components"), "made")["ulti", "named", "ulti"] == (2, 3)
    assert report.table("contracts").keys == ("contract",)
    assert shares(report.table("contracts"), "made")["all",] == (5, 10)


def test_a_condition_on_components_counts_the_hands_that_meet_it(ten):
    report = bid_success(ten, Selection(where="component = 'simple' AND part = 'implied'"))
    assert shares(report.table("components"), "made") == {("simple", "implied"): (2, 3)}
    assert report.populations[0].hands == 3


def test_silent_components_are_no_bids(ten):
    report = bid_success(ten, Selection(by=("made",)))
    assert all(not row.keys[0].startswith("silent") for row in report.table("components").rows)


def test_passed_out_and_abandoned_hands_are_named_and_not_counted(store_of):
    report = bid_success(
        store_of(
            [
                hand(declarer=0, contract="betli", outcome={"betli": True}, units=5, record_id="1"),
                hand(declarer=None, contract=None, termination="passed_out"),
                hand(declarer=0, contract="betli", outcome={"betli": None}, termination="abandoned"),
            ]
        )
    )
    assert shares(report.table("components"), "made") == {("betli", "named"): (1, 1)}
    assert report.populations[0].counted == 1
    assert "abandoned 1, passed out 1, played 1" in report.captions()[0]


def test_an_unknown_outcome_is_not_a_failure(store_of):
    report = bid_success(
        store_of(
            [
                hand(declarer=0, contract="ulti", outcome={"ulti": True, "simple": None}, units=None, level="deal"),
                hand(declarer=0, contract="ulti", outcome={"ulti": True, "simple": True}, units=5),
            ]
        )
    )
    assert shares(report.table("components"), "made") == {("ulti", "named"): (2, 2), ("simple", "implied"): (1, 1)}
    assert shares(report.table("contracts"), "clean")["ulti",] == (1, 1)
    caption = report.captions()[0]
    assert "components without a known outcome 1" in caption
    assert "hands without known units 1" in caption
    assert "levels deal 1, full 1" in caption


def test_claims_that_differ_are_counted(store_of):
    rows = [hand(declarer=0, contract="betli", outcome={"betli": True}, units=5, claim_differs="payoffs")]
    assert "claims that differ 1" in bid_success(store_of(rows)).captions()[0]


def test_rulesets_are_reported_apart_and_never_pooled(store_of):
    rows = [
        hand(declarer=0, contract="betli", outcome={"betli": True}, units=5),
        hand(declarer=0, contract="betli", outcome={"betli": False}, units=-5, rules="ladder"),
        hand(declarer=0, contract="betli", outcome={"betli": False}, units=-5, rules="ladder"),
    ]
    warehouse = store_of(rows)
    report = bid_success(warehouse)
    seen = [(row.stratum.ruleset, row.cells[0].interval.n) for row in report.table("components").rows]
    assert seen == [("ladder", 2), ("rablo", 1)]
    only = bid_success(warehouse, Selection(rules="rablo"))
    assert [population.stratum.ruleset for population in only.populations] == ["rablo"]
    assert [row.stratum.ruleset for row in only.table("contracts").rows] == ["rablo"]
    by_digest = bid_success(warehouse, Selection(rules=only.populations[0].stratum.digest[:6]))
    assert by_digest.table("components").rows == only.table("components").rows


@pytest.mark.parametrize("question", [bid_success, kontra_gain, talon_observed])
def test_rules_of_which_the_condition_leaves_no_hand_have_an_empty_report(store_of, question):
    rows = [hand(declarer=0, contract="betli", outcome={"betli": True}, units=5, rules=rules) for rules in ("rablo", "ladder")]
    report = question(store_of(rows), Selection(rules="ladder", where="ruleset = 'rablo'"))
    assert report.populations == ()
    assert [row for table in report.tables for row in table.rows] == []


def test_an_unknown_ruleset_is_refused_with_the_nearest(ten):
    with pytest.raises(QueryError, match="--rules: no hands under 'rabo'; did you mean 'rablo'"):
        bid_success(ten, Selection(rules="rabo"))


def test_recorded_and_simulated_hands_are_apart_and_policies_too(store_of):
    def simulated(index, *players):
        return hand(
            declarer=0,
            contract="betli",
            outcome={"betli": True},
            units=5,
            seed=7,
            hand_index=index,
            source="simulate",
            session="x",
            **{f"player_{seat}": player for seat, player in enumerate(players)},
        )

    rows = [
        hand(declarer=0, contract="betli", outcome={"betli": True}, units=5, session="x"),
        simulated(0, "club", "club", "club"),
        simulated(1, "random", "club", "club"),
        simulated(2, "club", "random", "club"),
    ]
    report = bid_success(store_of(rows))
    seen = {row.stratum.source: row.cells[0].interval for row in report.table("components").rows}
    assert {source: found.n for source, found in seen.items()} == {
        "recorded": 1,
        "simulated club": 1,
        "simulated club + random": 2,
    }
    assert seen["simulated club + random"].method == "95 % Wilson"
    assert "simulated club, seed 7" in report.captions()[1]
    assert "hands independent" in report.captions()[1]


def test_an_individual_kontra_moves_half_of_the_mean_without_it(store_of):
    # Hungarian betli, made, kontra by the first defender only: he pays 10, the other 5.
    rows = [
        hand(
            rules="hungarian",
            declarer=0,
            contract="betli",
            outcome={"betli": True},
            levels={"betli": (1, 0)},
            kontras=(said(1, "betli", -5, declarer=0),),
            units_per_defender=7.5,
            declarer_units=15,
        )
    ]
    table = bid_success(store_of(rows)).table("contracts")
    assert table.cell("units", "betli").interval.value == 7.5
    assert table.cell("units_without_kontra", "betli").interval.value == 5.0


def test_a_rekontra_goes_out_with_its_kontra(store_of):
    # Betli made at level 2 pays 20: kontra cost its sayer 5, rekontra brought 10.
    steps = (said(1, "betli", -5, declarer=0, decision=-15), said(0, "betli", 10, declarer=0, level=2))
    rows = [hand(declarer=0, contract="betli", outcome={"betli": True}, units=20, kontras=steps)]
    assert bid_success(store_of(rows)).table("contracts").cell("units_without_kontra", "betli").interval.value == 5.0


def test_score_sheets_stay_out_of_units_without_kontra(store_of):
    rows = [
        hand(
            declarer=0, contract="betli", outcome={"betli": True}, units=10, level="sheet", kontra_max=1, levels={"betli": (1, 1)}
        ),
        hand(declarer=0, contract="betli", outcome={"betli": True}, units=5),
    ]
    table = bid_success(store_of(rows)).table("contracts")
    assert table.cell("units", "betli").interval.n == 2
    found = table.cell("units_without_kontra", "betli").interval
    assert (found.value, found.n) == (5.0, 1)


def test_no_hands_give_a_report_without_rows(ten):
    report = bid_success(ten, Selection(where="contract = 'four_aces'"))
    assert report.populations == ()
    assert report.table("components").rows == ()
    assert report.to_pandas().empty
