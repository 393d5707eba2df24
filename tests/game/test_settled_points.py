"""The settled points of the rules page (section 5.1), each under its number."""

from dataclasses import replace

import pytest

from tests.game.hands import TALON, auction, history, judged, kontra, played, results
from ulti_stats.errors import IllegalDecision, IllegalKontra, RulesetError
from ulti_stats.game.auction import trump_problem
from ulti_stats.game.replay import replay
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import PRESETS, RABLO, ULTIMATO, ruleset
from ulti_stats.game.scoring import conceded_score

SEVEN_WINS, SEVEN_LOSES = {"seven": ("declarer", True)}, {"seven": ("declarer", False)}
ALL_TRICKS = {"points": (90, 0), "tricks": (10, 0, 0), "aces": (0, 0)}


def test_1_a_hundred_counts_own_tricks_and_the_promised_marriage_and_what_was_laid_only_in_ultimato():
    given = {"points": (55, 30), "pair": (1, 0), "talon": 5, **SEVEN_WINS}
    made = {
        preset: judged(PRESETS[preset], "forty_hundred+ulti", **given)[0]["forty_hundred"] for preset in ("rablo", "ultimato")
    }
    assert made == {"rablo": (-4, -4), "ultimato": (4, 4)}
    further = judged(RABLO, "forty_hundred", points=(50, 40), pair=(1, 0), side=(2, 0))[0]
    assert further["forty_hundred"] == (-4, -4)


def test_1_a_promised_marriage_that_is_not_declared_loses_it():
    hand = played("forty_hundred", "AA A8 A9 AT AU")
    assert results(replay(hand))["forty_hundred"] == "made"
    assert results(replay(replace(hand, marriages=())))["forty_hundred"] == "failed"


def test_2_in_ultimato_a_failed_silent_ulti_costs_its_value_and_a_defenders_silent_durchmars_nothing():
    assert judged(ULTIMATO, "simple", points=(61, 59), **SEVEN_LOSES)[0]["silent_ulti"] == (-2, -2)
    lost = judged(ULTIMATO, "simple", points=(0, 120), tricks=(0, 10, 0))[0]
    assert lost["silent_durchmars"] == (0, 0)


def test_3_where_hearts_are_always_trumps_suit_bids_are_played_in_them_undoubled():
    rules = ruleset("rablo", {"hearts_always_trump": True})
    assert trump_problem(rules, rules.bid("ulti"), 2) is None
    assert trump_problem(rules, rules.bid("ulti"), 3) == "ulti is played in hearts, not bells"
    assert (rules.bid("ulti").value, rules.bid("betli@hearts").value) == (5, 10)
    assert replay(played("simple", trump=None, options={"hearts_always_trump": True})).trump == 2


def test_4_a_defenders_silent_ulti_is_only_ever_made():
    rules = PRESETS["hungarian"]
    assert judged(rules, "simple", seven_of=(1, True))[0]["silent_ulti_defender"] == (-2, -2)
    assert "silent_ulti_defender" not in judged(rules, "simple", seven_of=(1, False))[0]
    assert "silent_ulti_defender" not in judged(rules, "ulti", seven_of=(1, True))[0]  # nobody's is silent beside a bid ulti


def test_5_later_cards_of_a_decided_game_change_nothing():
    hand = played("durchmars_nt", preset="hungarian", trump=None)
    whole = replay(hand)
    lost = next(number for number, seat in enumerate(whole.winners, 1) if seat != 0)
    assert hand.plays is not None
    payoffs = {replay(replace(hand, plays=hand.plays[:n])).payoffs for n in range(3 * lost, 31)}
    assert payoffs == {whole.payoffs}


def test_6_kontra_is_accepted_until_trick_2_is_led():
    assert replay(replace(played("betli", trump=None), kontras=(kontra("1 betli after 3"),))).levels == (1,)
    with pytest.raises(IllegalKontra):
        replay(replace(played("betli", trump=None), kontras=(kontra("1 betli after 4"),)))


def test_7_declarer_only_moves_one_account_once():
    rules = ruleset("rablo", {"settlement": "declarer_only"})
    assert judged(rules, "ulti@hearts", points=(50, 40), **SEVEN_WINS)[1] == (10, 0, 0)


def test_7_a_replacing_hundred_stands_in_for_the_simple_game():
    rules = ruleset("rablo", {"hundred_mode": "replace"})
    won, lost = {"points": (60, 30), "pair": (1, 0)}, {"points": (20, 70), "pair": (0, 1)}
    assert judged(rules, "simple", **won)[0] == {"simple": (0, 0), "silent_hundred": (2, 2)}
    assert judged(rules, "simple", **lost)[0] == {"simple": (0, 0), "silent_hundred": (-2, -2)}
    free = ruleset("rablo", {"hundred_mode": "replace", "silent_loss": "none"})
    assert judged(free, "simple", **lost)[0] == {"simple": (0, 0), "silent_hundred": (0, 0)}


def test_8_a_factor_multiplies_parts_and_what_kontra_raises_but_no_penalty_and_no_silent_bonus():
    kept = {"points": (50, 40), "factor": 2}
    assert judged(RABLO, "ulti", **kept, **SEVEN_WINS)[0] == {"simple": (2, 2), "ulti": (8, 8)}
    assert judged(RABLO, "ulti", {"ulti": (1, 1)}, **kept, **SEVEN_LOSES)[0]["ulti"] == (-20, -20)
    assert judged(RABLO, "simple", **kept, **SEVEN_WINS)[0] == {"simple": (2, 2), "silent_ulti": (2, 2)}


def test_8_with_one_factor_bids_compare_by_the_bid_order():
    rules = ruleset("rablo", {"two_round_auction": True})
    assert rules.overbids(rules.bid("ulti"), rules.bid("four_aces"))
    # Against a kept bid effective values decide, then fewer parts.
    assert rules.overbids(rules.bid("betli@hearts"), rules.bid("ulti"), factor=2)
    assert not rules.overbids(rules.bid("ulti@hearts"), rules.bid("ulti"), factor=2)


def test_9_a_csendes_hundred_counts_one_marriage_and_tricks():
    rules = ruleset("ladder", {"silent_set": ["forty_hundred", "twenty_hundred"]})
    assert "silent_forty_hundred" not in judged(rules, "simple", points=(50, 40), pair=(1, 0), side=(2, 0))[0]
    assert judged(rules, "simple", points=(60, 30), pair=(1, 0))[0]["silent_forty_hundred"] == (2, 2)
    assert judged(rules, "simple@hearts", points=(80, 10), side=(1, 0))[0]["silent_twenty_hundred"] == (8, 8)


@pytest.mark.parametrize(
    ("bid", "carrier", "silent", "facts"),
    [
        ("simple", "simple", "silent_ulti", SEVEN_WINS),
        ("ulti", "simple", "silent_durchmars", {**ALL_TRICKS, **SEVEN_WINS}),
        ("forty_hundred+ulti", "forty_hundred", "silent_durchmars", {**ALL_TRICKS, **SEVEN_WINS, "pair": (1, 0)}),
        ("twenty_hundred+durchmars", "twenty_hundred", "silent_ulti", {**ALL_TRICKS, **SEVEN_WINS, "side": (1, 0)}),
        ("durchmars", "durchmars", "silent_ulti", {**ALL_TRICKS, **SEVEN_WINS}),
    ],
)
def test_10_a_silent_bonus_rides_on_its_carrier_and_on_nothing_else(bid: str, carrier: str, silent: str, facts: dict):
    plain = judged(RABLO, bid, **facts)[0][silent][0]
    for part in RABLO.bid(bid).components:
        kontrad = judged(RABLO, bid, {part.text: (2, 2)}, **facts)[0][silent][0]
        assert kontrad == (4 * plain if part.text == carrier else plain)


def test_10_without_a_carrier_it_is_not_multiplied():
    rules = ruleset("rablo", {"implied_simple": False})
    assert judged(rules, "ulti", {"ulti": (2, 2)}, **ALL_TRICKS, **SEVEN_WINS)[0]["silent_durchmars"] == (3, 3)


def test_11_a_passed_out_deal_pays_nothing():
    assert replay(history("0 pass", "1 pass", "2 pass", preset="ladder")).payoffs == (0, 0, 0)


def test_12_a_concession_needs_no_trump_and_costs_2_to_each():
    found = replay(history(f"0 simple {TALON}", "1 pass", "2 pass", conceded=True))
    assert (found.trump, found.payoffs) == (None, (-4, 2, 2))


def test_13_forehands_twelve_leave_his_pickup_open():
    hands = (auction(RABLO).hands[0] | auction(RABLO).talon, *auction(RABLO).hands[1:])
    assert replay(history(f"0 simple {TALON}", "1 pass", "2 pass", hands=hands, talon=0)).pickup is None


def test_14_an_ulti_without_its_seven_is_legal_and_lost_penalty_included():
    for given in ({"seven_of": (1, True)}, {"seven_of": (2, False)}, {}):
        assert judged(RABLO, "ulti", **given)[0]["ulti"] == (-8, -8)


def test_15_a_no_trump_game_has_no_marriages_and_no_silent_bonus():
    found = replay(played("durchmars_nt", trump=None))
    assert (found.marriages, list(results(found))) == ((), ["durchmars"])
    given = {**ALL_TRICKS, **SEVEN_WINS, "pair": (1, 0), "talon": 20}
    assert judged(RABLO, "durchmars_nt", **given) == ({"durchmars": (6, 6)}, (12, -6, -6))


def test_16_hearts_are_named_by_the_hearts_form_alone_where_they_double():
    with pytest.raises(IllegalDecision, match="not hearts"):
        replay(history(f"0 simple {TALON}", "1 pass", "2 pass", trump="hearts"))
    assert not ULTIMATO.knows_bid("simple@hearts")
    assert trump_problem(ULTIMATO, ULTIMATO.bid("simple"), 2) is None


def test_17_where_both_sides_reach_100_the_declarers_counts():
    rules = ruleset("ultimato", {"silent_set": ["hundred"], "settlement": "per_defender"})
    found = judged(rules, "simple", points=(60, 60), pair=(1, 0), side=(0, 2))[0]
    assert found["silent_hundred"] == (2, 2)


def test_18_the_implied_simple_game_is_a_part_and_no_named_one():
    hand = replace(played("ulti"), kontras=(kontra("2 simple"),))
    assert replay(hand).component("simple").kontra_levels == (1, 1)  # pyright: ignore[reportOptionalMemberAccess]
    assert not ruleset("rablo", {"min_components": 2}).knows_bid("ulti")
    assert ruleset("rablo", {"min_components": 2}).knows_bid("ulti+four_aces")


def test_19_open_cards_change_no_score():
    for bid in ("open_betli", "open_durchmars_nt"):
        paid = [
            replay(played(bid, trump=None, options=options)).payoffs
            for options in (None, {"open_who": "declarer"}, {"open_when": "before_lead"})
        ]
        assert len(set(paid)) == 1


def test_20_of_two_side_pairs_the_first_counts_as_declared_where_nothing_is_listed():
    hands = ("AA AT AK AO HK HO LA B9 B8 L8", "A8 AU LT LO A7 HA HT H7 BA BU", "A9 LK LU L9 HU H9 H8 BT BK BO")
    found = replay(played("twenty_hundred", trump="bells", hands=hands))
    assert [each.suit for each in found.marriages if each.seat == 0] == [0]


def test_21_a_defenders_silent_ulti_is_multiplied_like_any_silent_bonus():
    found = judged(PRESETS["hungarian"], "simple@hearts", {"simple": (1, 1)}, seven_of=(1, True))[0]
    assert found["silent_ulti_defender"] == (-8, -8)


def test_21_a_conceded_simple_game_pays_twice_the_factor():
    table, bid = rule_table(RABLO), RABLO.bid("simple").number
    assert [conceded_score(table, bid, declarer=0, factor=factor)[1] for factor in (1, 2)] == [(-4, 2, 2), (-8, 4, 4)]


def test_21_both_csendes_hundreds_are_paid():
    rules = ruleset("ladder", {"silent_set": ["forty_hundred", "twenty_hundred"]})
    found = judged(rules, "simple", points=(80, 10), pair=(1, 0), side=(1, 0))[0]
    assert (found["silent_forty_hundred"], found["silent_twenty_hundred"]) == ((2, 2), (4, 4))


def test_21_a_threshold_looks_at_cards_and_never_at_marriages():
    rules = ruleset("ladder", {"simple_target": "threshold"})
    assert judged(rules, "simple", points=(50, 40), side=(0, 3))[0]["simple"] == (1, 1)
    assert judged(rules, "simple", points=(40, 50), pair=(1, 0))[0]["simple"] == (-1, -1)
    talon = ruleset("ladder", {"simple_target": "threshold", "talon_points": "declarer"})
    assert judged(talon, "simple", points=(40, 40), talon=10)[0]["simple"] == (1, 1)


def test_21_a_silent_durchmars_under_simple_has_its_own_value():
    rules = ruleset("rablo", {"silent_durch_simple": 4, "silent_values": {"durchmars": 7}})
    paid = {
        bid: judged(rules, bid, **ALL_TRICKS, **SEVEN_WINS)[0]["silent_durchmars"] for bid in ("simple", "simple@hearts", "ulti")
    }
    assert paid == {"simple": (4, 4), "simple@hearts": (8, 8), "ulti": (7, 7)}


def test_21_a_silent_hundred_turned_on_is_worth_2():
    rules = ruleset("ladder", {"silent_set": ["hundred"]})
    assert judged(rules, "simple", points=(60, 30), pair=(1, 0))[0]["silent_hundred"] == (2, 2)


def test_22_what_is_also_rejected():
    for preset, options in (
        ("rablo", {"bid_order": "ladder_b", "four_aces": False}),
        ("rablo", {"open_ulti": True}),
        ("ladder", {"bid_order": "table"}),
        ("rablo", {"settlement": "c_literal", "kontra_scope": "individual"}),
    ):
        with pytest.raises(RulesetError):
            ruleset(preset, options)
