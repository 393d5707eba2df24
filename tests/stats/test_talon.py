"""What the pickup brought, in the ten hands: L7 B7, AA LT, A7 B8, HA HT, AT A7; five declarers took nothing up."""

from __future__ import annotations

import pytest

from tests.stats.ten_hands import hand
from ulti_stats.stats.selection import Selection
from ulti_stats.stats.talon import talon_observed


@pytest.fixture(scope="module")
def report(ten):
    return talon_observed(ten)


def by_cards(report, figure):
    """The figure's interval of every row of the table of pickups, by keys."""
    table = report.table("pickups")
    place = [one.name for one in table.figures].index(figure)
    return {row.keys: row.cells[place].interval for row in table.rows}


def test_hands_without_a_pickup_stand_apart(report):
    units = by_cards(report, "units")
    assert (units["no pickup", ""].n, units["no pickup", ""].value) == (5, -1.0)
    assert (units["pickup", "any"].n, units["pickup", "any"].value) == (5, -1.4)


@pytest.mark.parametrize(
    ("feature", "cards", "hands", "units"),
    [
        ("cards kept", "0", 1, -10),  # HA HT laid again under betli
        ("cards kept", "1", 1, 2),  # A7 kept, B8 laid
        ("cards kept", "2", 3, (-1 + 6 - 4) / 3),
        ("aces", "0", 3, (-1 + 2 - 4) / 3),
        ("aces", "1", 2, (6 - 10) / 2),
        ("tens", "0", 2, (-1 + 2) / 2),
        ("tens", "1", 3, (6 - 10 - 4) / 3),
        ("trumps", "0", 1, -1),
        ("trumps", "1", 2, (6 + 2) / 2),
        ("trumps", "2", 1, -4),
        ("trump seven", "no", 2, (-1 + 6) / 2),
        ("trump seven", "yes", 2, (2 - 4) / 2),
    ],
)
def test_units_by_what_the_two_cards_were(report, feature, cards, hands, units):
    found = by_cards(report, "units")[feature, cards]
    assert (found.n, found.value) == (hands, pytest.approx(units))


def test_trumps_are_counted_in_trump_games_only(report):
    units = by_cards(report, "units")
    assert sum(found.n for keys, found in units.items() if keys[0] == "trumps") == 4
    assert sum(found.n for keys, found in units.items() if keys[0] == "aces") == 5


def test_made_means_every_named_part(report):
    made = by_cards(report, "made")
    assert (made["pickup", "any"].k, made["pickup", "any"].n) == (2, 5)  # hand 7 made its ulti, hand 4 its simple
    assert (made["no pickup", ""].k, made["no pickup", ""].n) == (3, 5)


def test_how_many_of_the_two_were_kept(report):
    table = report.table("kept")
    shares = {row.keys: (row.cells[0].interval.k, row.cells[0].interval.n) for row in table.rows}
    assert shares == {("0",): (1, 5), ("1",): (1, 5), ("2",): (3, 5)}


def test_two_cards_kept_of_a_worthless_pickup(store_of):
    rows = [
        hand(
            declarer=1,
            contract="simple",
            outcome={"simple": True},
            units=1,
            trump="acorns",
            pickup="L7 B7",
            laid="B9 B8",
            cards="AA AT AK AO A9 LA LT L9 L7 B7",
        )
    ]
    assert talon_observed(store_of(rows)).table("kept").cell("share", "2").interval.k == 1


def test_hands_of_unknown_cards_are_named(store_of):
    rows = [
        hand(declarer=1, contract="simple", outcome={"simple": True}, units=1, level="sheet"),
        hand(
            declarer=0,
            contract="simple",
            outcome={"simple": True},
            units=1,
            trump="acorns",
            cards="AA AT AK AO A7 LA LT L9 H8 H7",
        ),
    ]
    report = talon_observed(store_of(rows))
    assert by_cards(report, "units")["no pickup", ""].n == 1
    assert "cards unknown 1" in report.captions()[0]


def test_the_report_claims_no_worth(report):
    assert report.notes[0].startswith("Association among those who declared")
    assert report.notes[1].startswith("A talon as dealt that forehand opened with is a pickup too (--by pickup_from).")


def test_a_split_by_contract_and_by_what_was_laid(ten):
    units = by_cards(talon_observed(ten, Selection(by=("contract",))), "units")
    assert units["aces", "1", "simple"].value == 6
    laid = by_cards(talon_observed(ten, Selection(by=("laid_aces",))), "units")
    assert laid["pickup", "any", 1].value == -10
