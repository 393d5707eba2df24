"""The club player: what it bids, lays, kontras and plays, and how that ends over many hands."""

import numpy as np
import pytest

from ulti_stats.game import batch as b
from ulti_stats.game.bids import BID_IDS, PART_TEXTS, Component
from ulti_stats.game.cards import Suit, parse_cards
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import PRESETS, RABLO
from ulti_stats.sources.players import club
from ulti_stats.sources.players import view as v
from ulti_stats.sources.simulate import plan_run, play_run

TABLE = rule_table(RABLO)
KEY = np.uint64(1)


def seat(cards, *, standing=-1, has_talon=1, **fields):
    """Return what a forehand sees who holds these cards."""
    view = np.zeros(v.N_VIEW, np.int64)
    view[v.OWN], view[v.HAS_TALON], view[v.STANDING], view[v.HOLDER] = parse_cards(cards), has_talon, standing, -1
    for name, value in fields.items():
        view[getattr(v, name)] = value
    return view


def bid_of(cards):
    number = int(club.bids(TABLE, seat(cards), KEY, 0))
    return next(name for name, place in BID_IDS.items() if place == number)


def test_an_ulti_needs_the_trump_seven():
    with_seven = "AA AT AK A9 A7 HA HT LA L8 B9 B8 B7"
    assert "ulti" in bid_of(with_seven)
    assert "ulti" not in bid_of(with_seven.replace("A7", "A8").replace("B7", "BU"))


def test_a_40_100_needs_king_and_over_of_trumps():
    with_pair = "AA AT AK AO A9 HA HT LA L9 L8 B9 B8"
    assert "forty_hundred" in bid_of(with_pair)
    assert "forty_hundred" not in bid_of(with_pair.replace("AO", "AU"))


def test_a_hand_of_low_cards_is_bid_as_a_betli():
    assert "betli" in bid_of("A7 A8 A9 L7 L8 L9 H7 H8 H9 B7 B8 B9")


def test_ten_top_cards_are_bid_as_a_durchmars():
    assert "durchmars" in bid_of("AA AK AO AU AT LA LK LO HA HK HO BA")


def test_two_different_cards_of_the_twelve_are_laid_and_never_the_seven_of_an_ulti():
    cards = "AA AT AK A9 A7 HA HT LA L8 B9 B8 B7"
    laid = int(club.lays(TABLE, seat(cards), BID_IDS["ulti"], KEY, 0))
    assert laid.bit_count() == 2
    assert laid & ~parse_cards(cards) == 0
    assert laid & parse_cards("A7 AA AT AK A9 HA LA") == 0


@pytest.mark.parametrize(
    ("cards", "says"),
    [("HA H9 H8 A9 L8 L7 BK B9 B8", True), ("HA HT A9 A8 L8 L7 BK B9 B8", True), ("HK H9 AA A9 A8 L8 L7 B9 B8", False)],
)
def test_three_trumps_or_the_two_top_ones_say_kontra(cards, says):
    view = np.zeros(v.N_VIEW, np.int64)
    view[v.TRUMP], view[v.ROLE], view[v.PART], view[v.OWN_S] = Suit.HEARTS, 1, Component.SIMPLE, parse_cards(cards)
    assert bool(club.kontras(TABLE, view, KEY, 0)) is says


def played(preset, n):
    ((_, batch, done),) = play_run(plan_run(seed=3, rules=preset, players="club"), 0, n)
    assert done == n
    return batch


def test_over_20_000_hands_every_component_is_bid_and_ulti_and_40_100_are_mostly_made():
    outcome = played("rablo", 20_000).outcome[:7]
    for part, name in enumerate(PART_TEXTS):
        assert (outcome[part] >= 0).sum() > 50, name
    for part in (Component.ULTI, Component.FORTY_HUNDRED):
        assert (outcome[part] == 1).sum() >= 0.5 * (outcome[part] >= 0).sum()


@pytest.mark.parametrize("preset", PRESETS)
def test_club_players_play_every_preset(preset):
    batch = played(preset, 500)
    contracts = set(batch.meta[b.BID].tolist()) - {-1}
    assert len(contracts) >= 3
    if PRESETS[preset].settlement == "per_defender":
        assert not batch.payoffs.sum(axis=0).any()
