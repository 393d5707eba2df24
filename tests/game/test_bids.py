"""The 54 bids and the other ladders: ranks, values, parts and the silent bonuses beside them."""

import csv
from itertools import pairwise, product
from pathlib import Path

import pytest

from ulti_stats.errors import NotationError, RulesetError
from ulti_stats.game.bids import BID_FORMS, BID_IDS, LADDER_RUNGS, RABLO_TABLE, ULTIARENA_RUNGS, Component
from ulti_stats.game.cards import (
    CARD_TEXTS,
    FULL_DECK,
    Suit,
    cards_of,
    format_cards,
    marriages_in,
    parse_card,
    parse_cards,
    parse_suit,
)
from ulti_stats.game.claims import eligible_silent
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import LADDER, PRESETS, RABLO, ULTIARENA, ULTIMATO, ruleset
from ulti_stats.game.scoring import silent_base

DATA = Path(__file__).parent.parent / "data"
TABLE = list(csv.DictReader((DATA / "bids_rablo.csv").read_text(encoding="utf-8").splitlines()))


# --- cards ------------------------------------------------------------------------------------------------------------


def test_32_cards_are_written_and_read_the_same():
    assert len(set(CARD_TEXTS)) == 32
    assert [parse_card(text) for text in CARD_TEXTS] == list(range(32))
    assert parse_cards(format_cards(FULL_DECK)) == FULL_DECK


def test_a_card_set_is_sorted_by_suit_and_from_the_ace_down():
    assert format_cards(parse_cards("B7 HT A7 HA AK")) == "AK A7 HA HT B7"


@pytest.mark.parametrize(
    ("text", "says"),
    [("XA", "unknown suit 'X'"), ("H1", "unknown rank '1'"), ("HA7", "is no card"), ("", "is no card")],
)
def test_a_text_that_is_no_card_is_named(text: str, says: str):
    with pytest.raises(NotationError, match=says):
        parse_card(text)


def test_a_card_that_stands_twice_in_a_set_is_named():
    with pytest.raises(NotationError, match="HA stands twice"):
        parse_cards("HA BA HA")


def test_an_unknown_suit_is_answered_with_the_four():
    with pytest.raises(NotationError, match="acorns, leaves, hearts, bells"):
        parse_suit("spades")


def test_king_and_over_of_a_suit_are_a_marriage():
    assert marriages_in(parse_cards("HK HO LK LU BO BK A7")) == (Suit.HEARTS, Suit.BELLS)
    assert [len(list(cards_of(parse_cards(text)))) for text in ("", "A7", "A7 BA")] == [0, 1, 2]


# --- the 54 bids ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["id"])
def test_a_bid_of_the_table_has_its_rank_value_and_parts(row: dict[str, str]):
    bid = RABLO.bid(row["id"])
    assert RABLO.order_key(bid) == (int(row["rank"]),)
    assert bid.value == int(row["total_value"])
    written = zip(row["component_keys"].split("+"), row["components"].split("+"), strict=True)
    assert dict(zip((part.text for part in bid.components), bid.values, strict=True)) == {
        name: int(value) for name, value in written
    }
    trump = {"acorns/leaves/bells": "plain", "hearts": "hearts", "none": "none"}[row["trump_class"]]
    assert bid.form.trump_class.value == trump
    assert (bid.form.is_hearts, bid.form.is_open) == (row["hearts_value"] == "1", row["open"] == "1")


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["id"])
def test_the_silent_bonuses_beside_a_bid_are_those_of_the_table(row: dict[str, str]):
    table, bid = rule_table(RABLO), RABLO.bid(row["id"]).number
    paid = {Component(silent).text: silent_base(table, bid, silent) for silent in eligible_silent(table, bid)}
    columns = {"silent_hundred": "silent_100", "silent_ulti": "silent_ulti", "silent_durchmars": "silent_durchmarsch"}
    expected = {name: int(row[column]) for name, column in columns.items() if row[column]}
    if row["id"] == "open_durchmars@hearts":
        assert "silent_ulti" not in expected  # the table's blank, taken for a slip (rules page, section 2.3)
        expected["silent_ulti"] = 4
    assert {name: units for name, units in paid.items() if name != "silent_four_aces"} == expected


def test_the_table_has_54_bids_of_42_ranks_and_19_values_and_no_other():
    assert [(rank, value, name) for rank, value, name in RABLO_TABLE] == [
        (int(row["rank"]), int(row["total_value"]), row["id"]) for row in TABLE
    ]
    assert {bid.name for bid in RABLO.ladder} == {row["id"] for row in TABLE}
    assert [RABLO.order_key(bid) for bid in RABLO.ladder] == [(rank,) for rank, _, _ in RABLO_TABLE]
    assert len({rank for rank, _, _ in RABLO_TABLE}) == 42
    assert len({value for _, value, _ in RABLO_TABLE}) == 19


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_bid_is_worth_the_sum_of_its_parts(rules):
    for bid in rules.ladder:
        assert bid.value == sum(bid.values)
        assert len(bid.values) == len(bid.components)
        assert set(bid.form.parts) <= set(bid.components)


def test_the_stated_rule_and_the_table_disagree_on_three_pairs():
    literal = ruleset("rablo", {"bid_order": "literal"})
    pairs = [(low, high) for low, high in product(RABLO.ladder, repeat=2) if low.number < high.number]
    assert len(pairs) == 1431
    differ = {
        frozenset((one.name, other.name))
        for one, other in pairs
        if (RABLO.overbids(one, other), RABLO.overbids(other, one))
        != (literal.overbids(one, other), literal.overbids(other, one))
    }
    assert differ == {
        frozenset(("forty_hundred+four_aces@hearts", "forty_hundred+ulti@hearts")),
        frozenset(("ulti+four_aces@hearts", "twenty_hundred+ulti+durchmars")),
        frozenset(("forty_hundred+ulti+four_aces@hearts", "twenty_hundred+ulti+open_durchmars")),
    }


def test_no_bid_overbids_itself_and_of_two_at_most_one_is_higher():
    for rules in (*PRESETS.values(), ruleset("rablo", {"bid_order": "literal"})):
        for one, other in product(rules.ladder, repeat=2):
            assert not (rules.overbids(one, other) and rules.overbids(other, one))


# --- the other ladders ------------------------------------------------------------------------------------------------


def test_the_ladder_has_ten_rungs_that_do_not_follow_value():
    rungs = [name for rung, name in LADDER_RUNGS if rung % 10 == 0]
    values = [LADDER.bid(name).value for name in rungs]
    assert rungs == [
        *("simple", "betli", "forty_hundred", "twenty_hundred", "betli@hearts", "open_betli"),
        *("durchmars_nt", "ulti", "durchmars_nt@hearts", "open_durchmars_nt"),
    ]
    assert values == [1, 5, 4, 8, 10, 20, 6, 4, 12, 24]
    assert all(LADDER.overbids(LADDER.bid(high), LADDER.bid(low)) for low, high in pairwise(rungs))


@pytest.mark.parametrize("name", ["simple", "forty_hundred", "twenty_hundred", "ulti"])
def test_a_hearts_form_stands_just_above_its_suit_form(name: str):
    rungs = {name for _, name in LADDER_RUNGS}
    singles = [bid.name for bid in LADDER.ladder if bid.name in rungs]
    assert singles.index(f"{name}@hearts") == singles.index(name) + 1


def test_any_two_parts_beat_any_single_on_the_ladder():
    combined = [bid for bid in LADDER.ladder if len(bid.form.parts) > 1]
    singles = [bid for bid in LADDER.ladder if len(bid.form.parts) == 1]
    assert {bid.name for bid in combined} >= {"simple+ulti", "forty_hundred+ulti", "ulti+durchmars@hearts"}
    assert all(LADDER.overbids(high, low) for high in combined for low in singles)
    assert LADDER.bid("simple+ulti").value == 5


def test_ultimato_has_seven_bids_by_value():
    assert [(bid.name, bid.value) for bid in ULTIMATO.ladder] == [
        *(("simple", 1), ("ulti", 5), ("betli", 5), ("durchmars_nt", 6)),
        *(("forty_hundred+ulti", 8), ("open_betli", 20), ("open_durchmars_nt", 24)),
    ]
    assert ULTIMATO.overbids(ULTIMATO.bid("betli"), ULTIMATO.bid("ulti"))


def test_the_live_site_orders_its_rungs_by_value_then_squares_then_plain_above_hearts():
    place = {name: number for number, rung in enumerate(ULTIARENA_RUNGS) for name in rung}
    assert len(place) == len(ULTIARENA.ladder) == 37
    for one, other in product(ULTIARENA.ladder, repeat=2):
        assert ULTIARENA.overbids(one, other) == (place[one.name] > place[other.name])


def test_hungarian_has_the_table_without_four_aces_in_the_same_order():
    ranks = {name: rank for rank, _, name in RABLO_TABLE if "four_aces" not in name}
    ladder = PRESETS["hungarian"].ladder
    assert {bid.name for bid in ladder} == set(ranks)
    assert [ranks[bid.name] for bid in ladder] == sorted(ranks.values())


def test_every_bid_keeps_its_number():
    # Numbers are stored in compiled tables by place, so a new form goes to the end.
    assert [BID_IDS[name] for name in ("simple", "betli", "open_durchmars_nt", "simple+ulti@hearts")] == [0, 48, 53, 57]
    assert len(BID_FORMS) == 58


@pytest.mark.parametrize(
    ("preset", "word", "says"),
    [
        ("rablo", "ullti", "did you mean 'ulti'"),
        ("rablo", "open_ulti", "unknown bid 'open_ulti' under rablo"),
        ("ultimato", "forty_hundred", "unknown bid"),
        ("ladder", "durchmars", "did you mean"),
    ],
)
def test_an_unknown_bid_is_answered_with_the_nearest(preset: str, word: str, says: str):
    with pytest.raises(RulesetError, match=says):
        PRESETS[preset].bid(word)
