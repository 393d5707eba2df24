"""The auction: whose turn it is, what may be called, who holds the talon, and what a refusal says."""

import pytest

from tests.game.hands import HANDS, MASKS, TALON, auction, call
from ulti_stats.errors import IllegalBid
from ulti_stats.game.auction import check_call, close, legal_bids, make_call, may_hold, must_bid
from ulti_stats.game.cards import format_cards, parse_cards
from ulti_stats.game.history import PASS, Call
from ulti_stats.game.rulesets import HUNGARIAN, LADDER, PRESETS, RABLO, ULTIMATO, Ruleset, ruleset


def _refused(rules: Ruleset, *calls: str) -> str:
    """Return why the last of these calls is refused."""
    state = auction(rules, *calls[:-1])
    with pytest.raises(IllegalBid) as error:
        check_call(state, call(calls[-1]))
    with pytest.raises(IllegalBid):
        make_call(state, call(calls[-1]))
    text = str(error.value)
    assert "\n" not in text
    assert text.startswith(f"call {len(calls)}, seat {calls[-1][0]}: ")
    return text


# --- the opening ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [RABLO, HUNGARIAN, PRESETS["ultiarena"]], ids=lambda rules: rules.id)
def test_forehand_must_bid(rules: Ruleset):
    assert must_bid(auction(rules))
    assert _refused(rules, "0 pass").endswith("forehand must bid; lowest bid: simple")
    assert not must_bid(auction(rules, f"0 simple {TALON}"))


@pytest.mark.parametrize("rules", [LADDER, ULTIMATO], ids=lambda rules: rules.id)
def test_forehand_may_pass_and_three_passes_end_it_without_a_bid(rules: Ruleset):
    state = auction(rules, "0 pass", "1 pass", "2 pass")
    assert state.is_over
    assert state.standing is None


def test_a_forced_opening_obeys_the_number_of_parts():
    rules = ruleset("rablo", {"min_components": 2})
    assert _refused(rules, "0 pass").endswith("forehand must bid; lowest bid: forty_hundred+four_aces")
    assert "unknown bid 'ulti'" in _refused(rules, f"0 ulti {TALON}")


def test_speaking_out_of_turn_is_refused_with_the_right_seat():
    assert "it is seat 0's turn" in _refused(RABLO, f"1 simple {TALON}")
    assert "it is seat 1's turn" in _refused(RABLO, f"0 simple {TALON}", "2 pass")


# --- overbidding and the end ------------------------------------------------------------------------------------------


def test_each_bid_must_be_higher_and_the_message_names_the_lowest():
    text = _refused(RABLO, f"0 betli {TALON}", f"1 ulti {TALON}")
    assert text.endswith("ulti does not overbid betli; lowest: durchmars")
    assert "betli does not overbid betli" in _refused(RABLO, f"0 betli {TALON}", f"1 betli {TALON}")


def test_bids_of_one_rank_do_not_overbid_each_other():
    assert "does not overbid" in _refused(RABLO, f"0 durchmars {TALON}", f"1 durchmars_nt {TALON}")


def test_above_the_highest_bid_there_is_only_a_pass():
    top = "twenty_hundred+ulti+open_durchmars@hearts"
    assert _refused(RABLO, f"0 {top} {TALON}", f"1 {top} {TALON}").endswith("nothing is higher; pass")
    state = auction(RABLO, f"0 {top} {TALON}")
    assert legal_bids(state) == ()
    assert make_call(make_call(state, call("1 pass")), call("2 pass")).is_closing


def test_a_player_who_passed_may_come_back_where_a_pass_is_not_final():
    state = auction(RABLO, f"0 simple {TALON}", "1 pass", f"2 betli {TALON}", "0 pass")
    assert state.turn == 1
    final = auction(ruleset("rablo", {"pass_final": True}), f"0 simple {TALON}", "1 pass", f"2 betli {TALON}")
    assert final.turn == 0
    assert make_call(final, call("0 pass")).turn == 2  # seat 1 is out, the holder closes


def test_the_holder_speaks_last_and_his_pass_ends_it():
    state = auction(RABLO, f"0 simple {TALON}", "1 pass", "2 pass")
    assert (state.turn, state.is_closing, state.is_over) == (0, True, False)
    assert make_call(state, call("0 pass")).is_over
    assert "the auction is over" in _refused(RABLO, f"0 simple {TALON}", "1 pass", "2 pass", "0 pass", "1 pass")


def test_a_missing_closing_pass_is_added():
    closed = close(auction(RABLO, f"0 simple {TALON}", "1 pass", "2 pass"))
    assert closed.is_over
    assert closed.calls[-1] == Call(0, PASS)
    assert close(auction(RABLO, f"0 simple {TALON}", "1 pass")).turn == 2  # somebody else has to speak first


@pytest.mark.parametrize("rules", [LADDER, ULTIMATO], ids=lambda rules: rules.id)
def test_two_passes_after_a_bid_end_it_where_the_holder_does_not_close(rules: Ruleset):
    assert auction(rules, "0 simple", "1 pass", "2 pass").is_over
    assert auction(rules, "0 pass", "1 simple", "2 pass").is_over is rules.pass_final
    assert auction(rules, "0 pass", "1 pass", "2 simple").is_over is rules.pass_final


def test_the_holder_may_raise_himself_and_then_the_others_speak_again():
    state = auction(RABLO, f"0 simple {TALON}", "1 pass", "2 pass", f"0 betli {TALON}")
    assert (state.holder, state.turn) == (0, 1)


def test_without_self_raise_the_holder_only_passes():
    rules = ruleset("rablo", {"self_raise": False})
    calls = (f"0 simple {TALON}", "1 pass", "2 pass")
    assert legal_bids(auction(rules, *calls)) == ()
    assert "the holder may not raise himself; he passes" in _refused(rules, *calls, f"0 betli {TALON}")


# --- the talon --------------------------------------------------------------------------------------------------------


def test_every_bid_robs_the_talon_and_lays_two_cards():
    state = auction(RABLO, "0 simple B9 B8")
    assert state.hands[0] == parse_cards("AA AT AK AO A7 HA HT LA L7 B7")
    assert state.talon == parse_cards("B9 B8")
    state = make_call(state, call("1 betli BA BU"))
    assert state.hands[1] == parse_cards("A8 AU LT LO L8 HK HO H7 B9 B8")
    assert (format_cards(state.talon), format_cards(state.pickup or 0)) == ("BA BU", "B9 B8")


def test_32_cards_lie_in_one_place_each_after_every_call():
    calls = ["0 simple B9 B8", "1 betli BA BU", "2 pass", "0 ulti@hearts BA AA", "1 pass", "2 pass", "0 pass"]
    state = auction(RABLO)
    for words in calls:
        state = make_call(state, call(words))
        assert sum((*state.hands, state.talon)) == 2**32 - 1
        assert [hand.bit_count() for hand in state.hands] == [10, 10, 10]


def test_a_bid_without_a_discard_is_refused_where_the_talon_is_robbed():
    assert "discard is missing" in _refused(RABLO, "0 simple")


def test_only_cards_of_the_twelve_may_be_laid():
    text = _refused(RABLO, "0 simple B9 BA")
    assert text.endswith(f"laid BA B9; two cards of these are right: {format_cards(MASKS[0] | parse_cards(TALON))}")


def test_taking_the_talon_is_a_choice_in_ladder():
    left = auction(LADDER, "0 simple", "1 pass", "2 pass")
    assert (left.hands, left.talon, left.pickup) == (MASKS, parse_cards(TALON), None)
    swapped = auction(LADDER, "0 simple B9 B8")
    assert (swapped.talon, swapped.pickup) == (parse_cards("B9 B8"), parse_cards(TALON))


def test_a_pickup_belongs_to_its_bidder():
    rules = ruleset("ladder", {"self_raise": True, "auction_end": "all_incl_holder"})
    raised = auction(rules, "0 simple B9 B8", "1 pass", "2 pass", "0 betli")
    assert raised.pickup == parse_cards(TALON)  # raised without another look: the last pickup stands
    overbid = auction(rules, "0 simple B9 B8", "1 betli")
    assert overbid.pickup is None


@pytest.mark.parametrize(("preset", "options"), [("ultimato", {}), ("ladder", {"talon_mode": "none"})])
def test_where_nobody_robs_no_cards_are_laid(preset: str, options: dict[str, str]):
    rules = ruleset(preset, options)
    assert "no discard" in _refused(rules, "0 simple B9 B8")
    assert auction(rules, "0 simple").hands == MASKS


# --- hold -------------------------------------------------------------------------------------------------------------

HOLD = ruleset("rablo", {"hold": "forehand"})


def test_forehand_holds_the_bid_of_another_and_takes_the_talon_with_it():
    state = auction(HOLD, f"0 simple {TALON}", "1 betli BA BU", "2 pass")
    assert may_hold(state)
    held = make_call(state, call("0 hold betli BA BU"))
    assert (held.holder, held.turn, held.standing.name if held.standing else "") == (0, 1, "betli")
    with pytest.raises(IllegalBid, match="betli does not overbid betli"):
        make_call(held, call("1 betli BA BU"))


def test_only_forehand_holds_and_only_where_the_rules_allow_it():
    assert "only forehand may hold" in _refused(RABLO, f"0 simple {TALON}", f"1 betli {TALON}", "2 pass", f"0 hold betli {TALON}")
    assert "only forehand may hold" in _refused(HOLD, f"0 simple {TALON}", f"1 hold simple {TALON}")
    assert "only forehand may hold" in _refused(HOLD, f"0 simple {TALON}", "1 pass", "2 pass", f"0 hold simple {TALON}")


def test_a_hold_repeats_the_standing_bid():
    calls = (f"0 simple {TALON}", f"1 betli {TALON}", "2 pass")
    assert "a hold repeats the standing bid betli" in _refused(HOLD, *calls, f"0 hold durchmars {TALON}")
    assert "does not overbid" in _refused(HOLD, *calls, f"0 betli {TALON}")  # without the word it is a bid


# --- words ------------------------------------------------------------------------------------------------------------


def test_an_unknown_bid_is_answered_with_the_nearest_of_the_ladder():
    assert "unknown bid 'ultti' under rablo; did you mean 'ulti'?" in _refused(RABLO, f"0 ultti {TALON}")


def test_a_pass_takes_names_and_holds_nothing():
    for words in (f"1 pass {TALON}", "1 pass in bells", "1 hold pass"):
        assert "a pass takes no talon, names no trump and holds nothing" in _refused(RABLO, f"0 simple {TALON}", words)


def test_a_suit_is_named_with_the_bid_only_where_the_rules_say_so():
    assert "the suit is named after the auction" in _refused(RABLO, f"0 simple {TALON} in bells")
    assert auction(LADDER, "0 simple in bells").calls[0].trump == 3


def test_a_suit_named_with_the_bid_must_fit_it():
    assert "simple is played in acorns or leaves or bells, not hearts" in _refused(LADDER, "0 simple in hearts")
    assert "betli is played without trumps" in _refused(LADDER, "0 betli in bells")
    assert "simple@hearts is played in hearts, not bells" in _refused(LADDER, "0 simple@hearts in bells")


# --- two rounds -------------------------------------------------------------------------------------------------------

TWO = ruleset("rablo", {"two_round_auction": True})
ROUND_1 = ("0 ulti round 1", "1 pass round 1", "2 pass round 1", "0 pass round 1")


def test_the_winner_of_the_five_card_round_confirms_at_its_factor():
    state = auction(TWO, *ROUND_1)
    assert (state.round, state.turn, state.is_confirming, must_bid(state)) == (2, 0, True, True)
    confirmed = make_call(state, call(f"0 ulti {TALON}"))
    assert (confirmed.factor, confirmed.turn) == (2, 1)


def test_or_he_raises_in_the_same_trump_class_at_factor_1():
    state = auction(TWO, *ROUND_1)
    assert make_call(state, call(f"0 twenty_hundred+ulti {TALON}")).factor == 1  # 12 beats 5 x 2
    names = [bid.name for bid in legal_bids(state)]
    assert "ulti" in names
    assert "forty_hundred+ulti" not in names  # 8 does not beat 10
    assert not any(name.endswith("@hearts") or "_nt" in name or "betli" in name for name in names)


def test_what_he_may_not_do_is_said():
    assert "confirms ulti or raises; no pass" in _refused(TWO, *ROUND_1, "0 pass")
    low = _refused(TWO, *ROUND_1, f"0 forty_hundred+ulti {TALON}")
    assert "does not overbid ulti at factor 2 in the same trump class; lowest: ulti" in low
    assert "the talon is not dealt yet" in _refused(TWO, f"0 ulti {TALON} round 1")
    assert "this is the five-card round" in _refused(TWO, f"0 ulti {TALON}")
    assert "the five-card round is over" in _refused(TWO, *ROUND_1, "0 ulti round 1")


def test_after_him_others_overbid_his_effective_value():
    calls = (*ROUND_1, f"0 ulti {TALON}")
    assert "does not overbid ulti at factor 2" in _refused(TWO, *calls, f"1 betli {TALON}")
    state = auction(TWO, *calls, f"1 betli@hearts {TALON}")  # 10 with fewer parts than 5 x 2
    assert (state.holder, state.factor) == (1, 1)


def test_passes_of_the_five_card_round_are_forgotten():
    rules = ruleset("rablo", {"two_round_auction": True, "pass_final": True})
    assert auction(rules, *ROUND_1, f"0 ulti {TALON}").turn == 1


def test_the_shared_deal_is_a_deal():
    assert sum(MASKS) + parse_cards(TALON) == 2**32 - 1
    assert all(len(hand.split()) == 10 for hand in HANDS)
