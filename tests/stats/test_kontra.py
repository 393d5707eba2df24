"""What a kontra earned its maker, in hands counted by hand."""

from __future__ import annotations

import pytest

from tests.stats.ten_hands import hand, said
from ulti_stats.stats.kontra import kontra_gain
from ulti_stats.stats.selection import Selection


@pytest.fixture(scope="module")
def report(ten):
    return kontra_gain(ten)


def rates(table, figure):
    """The figure of every row as (k, n), by keys."""
    place = [one.name for one in table.figures].index(figure)
    return {row.keys: (row.cells[place].interval.k, row.cells[place].interval.n) for row in table.rows}


def test_the_gain_of_six_kontras_per_defender(report):
    gained = report.table("gains").cell("decision_gain", "all", 1).interval
    assert gained.value == 2.0
    assert gained.n == 6
    assert gained.standard_error == pytest.approx(2.068, abs=1e-3)
    assert gained.method == "95 % t, clustered by session"


def test_the_fixed_ulti_penalty_is_no_gain_of_the_kontra(report):
    assert report.table("gains").cell("step_gain", "ulti", 1).interval.value == 4.0


def test_the_side_gains_twice_where_kontra_binds_both(report):
    assert report.table("gains").cell("side_gain", "all", 1).interval.value == 4.0


def test_gains_by_who_said_it(ten):
    report = kontra_gain(ten, Selection(by=("kontra_role",)))
    table = report.table("gains")
    assert table.cell("decision_gain", "all", 1, "defender_1").interval.value == 10 / 4
    assert table.cell("decision_gain", "all", 1, "defender_2").interval.value == 2 / 2
    assert [one.name for one in report.tables] == ["gains"]
    assert "How often a kontra is said is left out" in report.notes[-1]


def test_failures_against_the_break_even_rate(report):
    table = report.table("gains")
    assert rates(table, "failed")["all", 1] == (4, 6)
    assert table.cell("break_even", "all", 1).interval.value == pytest.approx(1 / 3)
    assert rates(table, "failed")["simple", 1] == (1, 3)
    assert table.cell("break_even", "simple", 1).interval.value == pytest.approx(2 / 3)
    assert table.cell("decision_gain", "simple", 1).interval.value == -1.0


def test_no_break_even_where_every_part_failed(report):
    assert report.table("gains").cell("break_even", "ulti", 1).interval.value is None


def test_how_often_a_kontra_is_said(report):
    said_rates = rates(report.table("said"), "said")
    assert {keys: found for keys, found in said_rates.items() if keys[1] == 1} == {
        ("simple", 1): (3, 7),
        ("ulti", 1): (1, 4),
        ("betli", 1): (1, 1),
        ("durchmars", 1): (1, 1),
        ("forty_hundred", 1): (0, 1),
        ("all", 1): (6, 14),
    }
    assert said_rates["all", 2] == (0, 6)


def test_a_conceded_hand_is_no_opportunity(report):
    assert "conceded 1, played 9; counted: played" in report.captions()[0]
    assert report.populations[0].counted == 9


def test_a_chain_pays_each_step_and_each_decision(store_of):
    # Simple made at level 4: -1 +2 -4 +8 by steps, from the sayers' sides.
    steps = tuple(
        said(0 if level % 2 == 0 else 1, "simple", gain, declarer=0, level=level, decision=decision)
        for level, gain, decision in ((1, -1, -15), (2, 2, 14), (3, -4, -12), (4, 8, 8))
    )
    table = kontra_gain(store_of([hand(declarer=0, contract="simple", outcome={"simple": True}, units=16, kontras=steps)])).table(
        "gains"
    )
    assert [row.keys for row in table.rows] == [("simple", level) for level in (1, 2, 3, 4)]
    assert [row.cells[1].interval.value for row in table.rows] == [-1, 2, -4, 8]
    assert [row.cells[0].interval.value for row in table.rows] == [-15, 14, -12, 8]
    assert sum(sign * row.cells[1].interval.value for sign, row in zip((-1, 1, -1, 1), table.rows, strict=True)) == 15  # 16 - 1


def test_an_individual_kontra_gains_its_sayer_only(store_of):
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
    table = kontra_gain(store_of(rows)).table("gains")
    assert table.cell("decision_gain", "betli", 1).interval.value == -5
    assert table.cell("side_gain", "betli", 1).interval.value == -5


def test_two_individual_kontras_of_one_hand_are_one_cluster(store_of):
    def both(made, gain):
        steps = (said(1, "betli", gain, declarer=0), said(2, "betli", gain, declarer=0))
        return hand(
            rules="hungarian", declarer=0, contract="betli", outcome={"betli": made}, units=5 if made else -5, kontras=steps
        )

    table = kontra_gain(store_of([both(True, -5), both(False, 5), both(False, 5)])).table("gains")
    gained = table.cell("decision_gain", "betli", 1).interval
    assert (gained.n, gained.clusters, gained.df) == (6, 3, 2)
    failed = table.cell("failed", "betli", 1).interval
    assert (failed.k, failed.n, failed.clusters) == (4, 6, 3)
    assert failed.method == "95 % Wilson, clustered by hand"


def test_kontras_on_two_parts_of_one_hand_are_one_cluster_in_the_total(store_of):
    def hand_with(ulti, simple):
        steps = (said(1, "ulti", -4 if ulti else 4, declarer=0), said(2, "simple", -1 if simple else 1, declarer=0))
        return hand(declarer=0, contract="ulti", outcome={"ulti": ulti, "simple": simple}, units=1, kontras=steps)

    rows = [hand_with(True, True), hand_with(False, False), hand_with(False, True), hand_with(True, True)]
    table = kontra_gain(store_of(rows)).table("gains")
    total = table.cell("decision_gain", "all", 1).interval
    assert (total.n, total.clusters) == (8, 4)
    sums = [-5, 5, 3, -5]
    r = sum(sums) / 8
    variance = 4 / 3 * sum((y - 2 * r) ** 2 for y in sums) / 64
    assert total.standard_error == pytest.approx(variance**0.5)
    assert table.cell("decision_gain", "ulti", 1).interval.clusters == 4


def test_a_part_of_unknown_outcome_is_left_out_and_counted(store_of):
    step = said(1, "betli", 0, declarer=0) | {"step_gain": None, "decision_gain": None}
    rows = [
        hand(declarer=0, contract="betli", outcome={"betli": None}, level="deal", kontras=(step,)),
        hand(declarer=0, contract="betli", outcome={"betli": False}, units=-10, kontras=(said(1, "betli", 5, declarer=0),)),
    ]
    report = kontra_gain(store_of(rows))
    assert report.table("gains").cell("decision_gain", "betli", 1).interval.n == 1
    assert "kontras on parts without a known outcome 1" in report.captions()[0]
    assert rates(report.table("said"), "said")["betli", 1] == (2, 2)


def test_score_sheets_count_in_the_rate_and_their_missing_steps_are_named(store_of):
    rows = [
        hand(
            declarer=0,
            contract="betli",
            outcome={"betli": False},
            units=-10,
            level="sheet",
            kontra_max=1,
            levels={"betli": (1, 1)},
        )
    ]
    report = kontra_gain(store_of(rows))
    assert report.table("gains").rows == ()
    assert rates(report.table("said"), "said")["betli", 1] == (1, 1)
    assert "score sheets, which keep no steps (K1, K3) 1" in report.captions()[0]


def test_no_level_is_asked_for_that_the_rules_do_not_know(store_of):
    steps = (said(1, "betli", -5, declarer=0, decision=-15), said(0, "betli", 10, declarer=0, level=2))
    rows = [hand(rules="ultiarena", declarer=0, contract="betli", outcome={"betli": True}, units=20, kontras=steps)]
    assert [row.keys for row in kontra_gain(store_of(rows)).table("said").rows] == [("betli", 1), ("betli", 2)]
