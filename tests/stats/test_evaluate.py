"""What a hand is worth, on hands of which one can say it without counting."""

import numpy as np
import pytest

from ulti_stats.errors import NotationError, UltiError
from ulti_stats.game.bids import Component
from ulti_stats.game.cards import FULL_DECK, format_cards, parse_cards
from ulti_stats.game.layouts import CHOOSING, VALUING, Known, sample_layouts
from ulti_stats.game.parts import parts_of
from ulti_stats.game.rulesets import ruleset
from ulti_stats.solving import evaluate
from ulti_stats.stats.evaluate import layouts_for
from ulti_stats.stats.part_chances import Need, PartChances, units_of

RABLO = ruleset()
# Six trumps from the top with all three other suits headed by the ace or void: nothing can go wrong in acorns.
LAYDOWN = "AA AT AK AO AU A7 LA LT HA HT"
# Every suit has its seven and eight, and no gap above them that a defender could lead under.
BETLI = "A7 A8 A9 L7 L8 L9 H7 H8 H9 B7"
NO_SEVEN = "AA AT AK A9 A8 LA LT HA H9 B8 B9 BU"


def value(cards, *bids, **options):
    options = {"precision": 0.1, "workers": 1, "bids": bids, **options}
    return evaluate(cards, **options)


def chances(found, bid):
    return {part.component: part.made.value for part in found.bid(bid).parts}


# layouts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [LAYDOWN, NO_SEVEN])
def test_a_layout_holds_every_unseen_card_once(cards):
    known = Known(parse_cards(cards))
    for first, second, talon in sample_layouts(known, 50, seed=1).tolist():
        assert first.bit_count() == second.bit_count() == 10
        assert talon.bit_count() == (2 if known.own.bit_count() == 10 else 0)
        assert first | second | talon | known.own == FULL_DECK


def test_layouts_depend_on_seed_cards_purpose_and_number_alone():
    known = Known(parse_cards(NO_SEVEN))
    whole = sample_layouts(known, 40, seed=5)
    assert np.array_equal(sample_layouts(known, 15, seed=5, first=25), whole[25:])
    assert not np.array_equal(sample_layouts(known, 40, seed=6), whole)
    assert not np.array_equal(sample_layouts(known, 40, seed=5, purpose=CHOOSING), whole)
    assert not np.array_equal(sample_layouts(Known(parse_cards(NO_SEVEN.replace("B9", "B7"))), 40, seed=5), whole)


def test_every_unseen_card_is_as_likely_in_either_hand():
    known = Known(parse_cards(NO_SEVEN))
    layouts = sample_layouts(known, 2000, seed=1, purpose=VALUING)
    for card in ("A7", "LK", "BA"):
        share = np.mean(layouts[:, 0] >> parse_cards(card).bit_length() - 1 & 1)
        assert share == pytest.approx(0.5, abs=0.045)


def test_who_passed_holds_no_five_trumps_with_two_tops():
    known = Known(parse_cards("A9 A8 L9 L8 L7 H9 H8 B9 B8 B7"), n_passed=2)
    for layout in sample_layouts(known, 200, seed=1).tolist():
        for hand in layout[:2]:
            for suit in range(4):
                aces = sum(hand >> (8 * other + 7) & 1 for other in range(4))
                tops, trumps = aces + (hand >> (8 * suit + 6) & 1), (hand >> (8 * suit) & 0xFF).bit_count()
                assert not (trumps >= 5 and tops >= 2), format_cards(hand)
                assert not (trumps >= 4 and tops >= 3), format_cards(hand)


# worth --------------------------------------------------------------------------------------------------------------


def test_a_laydown_durchmars_is_made_in_every_layout():
    found = value(LAYDOWN, "durchmars", "ulti+durchmars")
    assert chances(found, "durchmars") == {"durchmars": 1.0}
    assert found.bid("durchmars").trump == "acorns"
    assert found.bid("durchmars").units.value == 6.0
    assert chances(found, "ulti+durchmars") == {"ulti": 1.0, "durchmars": 1.0}


def test_betli_is_lost_with_an_ace_that_is_alone_and_made_with_the_lowest_cards():
    assert chances(value(BETLI, "betli"), "betli") == {"betli": 1.0}
    assert chances(value("AA AT AK A9 LA LT HA H9 B8 B9", "betli"), "betli") == {"betli": 0.0}
    assert value("AA AT AK A9 LA LT HA H9 B8 B9", "betli").bid("betli").units.value == -5.0


def test_a_bid_without_its_seven_or_marriage_is_ruled_out_and_shown_on_demand():
    cards = "AA AT AK A9 A8 LA LT HA H9 B8"
    with pytest.raises(UltiError, match="not among those that these cards allow"):
        value(cards, "ulti", "betli").bid("ulti")
    assert value(cards, "ulti", "betli").n_ruled_out == 1
    every = value(cards, "ulti", "forty_hundred", all_bids=True)
    assert every.n_ruled_out == 0
    assert every.bid("ulti").is_ruled_out
    assert chances(every, "ulti")["ulti"] == 0.0
    assert chances(every, "forty_hundred")["forty_hundred"] == 0.0


def test_the_discard_keeps_what_the_bid_needs():
    found = value("AA AT AK AO A7 HA HT LA B9 B8", "forty_hundred+ulti", talon="L7 B7").bid("forty_hundred+ulti")
    assert found.trump == "acorns"
    assert not found.discard & parse_cards("AK AO A7 AA AT LA HA HT")
    # 66 discards in acorns, bells and leaves: those that keep the marriage and the seven.
    assert found.n_candidates == 36
    assert found.units.value == pytest.approx(8.0, abs=0.5)


def test_ten_cards_are_played_as_they_stand():
    found = value("AA AT AK AO A7 HA HT LA B9 B8", "ulti").bid("ulti")
    assert found.discard == 0
    assert found.n_candidates == 1


def test_a_chance_comes_with_its_layouts_and_interval():
    found = value("AA AK A9 A8 HA HT LK LT B9 B8", "simple", precision=0.05).bid("simple")
    made = found.parts[0].made
    assert made.n >= 200
    assert made.high - made.low <= 0.105
    assert found.units.value == pytest.approx(2 * made.value - 1)
    assert (layouts_for(0.5, 0.02), layouts_for(0.9, 0.02)) == (2401, 865)


def test_the_same_cards_give_the_same_answer_on_any_number_of_workers():
    cards = "AA AK A9 A8 HA HT LK LT B9 B8 B7 L9"
    assert value(cards, "simple", workers=1, precision=0.2) == value(cards, "simple", workers=2, precision=0.2)


def test_the_whole_contract_is_worth_its_parts_and_what_comes_unbid():
    found = value(LAYDOWN, "ulti", exact=True).bid("ulti")
    # Every trick is taken: 5 for the parts, 3 for the silent durchmars, at most 2 each for four aces and hundred.
    assert found.units.value == 5.0
    assert found.exact.n == 200
    assert 8.0 <= found.exact.value <= 12.0
    assert value(LAYDOWN, "ulti").bid("ulti").exact is None


def test_a_part_is_solved_once_for_every_bid_that_has_it():
    known = Known(parse_cards(LAYDOWN))
    chances = PartChances(RABLO, known, [0], forehand=0, seed=1, purpose=VALUING, n_layouts=20, workers=1)
    plain, aces, ulti = (parts_of(RABLO, RABLO.bid(name), 0) for name in ("simple", "four_aces", "ulti"))
    chances.solve([Need(part, RABLO.bid("simple").number, (0,)) for part in plain], 20)
    assert chances.n_solved == 20
    chances.solve([Need(part, RABLO.bid("four_aces").number, (0,)) for part in aces], 20)
    assert chances.n_solved == 40
    # Whoever bids ulti must keep the seven, which is another simple game.
    assert [part.component for part in set(ulti) & set(plain)] == []


def test_units_add_the_parts_with_the_penalty_of_a_lost_ulti():
    made = {Component.ULTI: np.array([1, 0, 0]), Component.SIMPLE: np.array([1, 1, 0])}
    assert units_of(RABLO, RABLO.bid("ulti"), made).tolist() == [5.0, -7.0, -9.0]
    hearts = units_of(RABLO, RABLO.bid("ulti@hearts"), made)
    assert hearts.tolist() == [10.0, -14.0, -18.0]


def test_forehand_leads_where_the_rules_say_so():
    # In the ladder forehand leads: a durchmars without trumps that is headed everywhere is made from any seat, one that
    # is void in a suit can be cut off.
    void = "AA AK AT AO LA LK LT LO HA HK"
    rules = ruleset("ladder")
    own = value(void, "durchmars_nt", rules=rules, seat=0)
    rear = value(void, "durchmars_nt", rules=rules, seat=2)
    assert chances(own, "durchmars_nt")["durchmars"] > chances(rear, "durchmars_nt")["durchmars"]


def test_wrong_cards_and_seats_are_refused():
    with pytest.raises(UltiError, match="9 cards; a hand to evaluate has 10, or 12"):
        value("AA AT AK AO A7 HA HT LA B9")
    with pytest.raises(NotationError, match="talon 'AA B7' does not fit"):
        value("AA AT AK AO A7 HA HT LA B9 B8", talon="AA B7")
    with pytest.raises(UltiError, match="seat 3 is not possible"):
        value(LAYDOWN, seat=3)
    with pytest.raises(UltiError, match="precision 0 is not possible"):
        value(LAYDOWN, precision=0)
    with pytest.raises(UltiError, match="unknown bid 'ultii'"):
        value(LAYDOWN, "ultii")
