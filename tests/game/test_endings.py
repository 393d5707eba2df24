"""How a hand ends: conceded, stopped early, broken off, passed out; forehand's twelve cards; claims that differ."""

from dataclasses import replace
from typing import Any

import pytest

from tests.game.hands import HANDS, TALON, history, kontra, played, results
from ulti_stats.errors import ClaimError, IllegalBid, IllegalCard, IllegalDeal, IllegalDecision, IllegalKontra, RulesetError
from ulti_stats.game.cards import parse_cards
from ulti_stats.game.history import HandHistory
from ulti_stats.game.replay import replay
from ulti_stats.game.rulesets import PRESETS, ruleset

SIMPLE = (f"0 simple {TALON}", "1 pass", "2 pass", "0 pass")


# --- the deal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"hands": (HANDS[0], HANDS[1], HANDS[2][3:])}, "seat 2 was dealt 9 cards; 10 are right"),
        ({"talon": "L7"}, "the talon has 1 cards; 2 are right"),
        ({"talon": "L7 AA"}, "AA lies in two places"),
        ({"hands": (HANDS[0].replace("AA", "L7"), *HANDS[1:])}, "L7 lies in two places"),
        ({"forehand": None}, "dealer or forehand is needed"),
        ({"dealer": 1}, "forehand 0 does not fit dealer 1: under rablo it is 2"),
    ],
)
def test_a_wrong_deal_is_named(given: dict[str, Any], says: str):
    with pytest.raises(IllegalDeal, match=says):
        replay(history(*SIMPLE, **given))


@pytest.mark.parametrize(("preset", "forehand"), [("rablo", 1), ("ladder", 1), ("ultimato", 2), ("hungarian", 1)])
def test_forehand_follows_from_the_dealer_and_the_direction(preset: str, forehand: int):
    rules = ruleset(preset)
    assert [rules.first_speaker(dealer) for dealer in range(3)] == [(dealer + forehand) % 3 for dealer in range(3)]
    other = ruleset(preset, {"forehand": "dealer_left"})
    assert [other.first_speaker(dealer) for dealer in range(3)] == [(dealer + 3 - forehand) % 3 for dealer in range(3)]


def test_dealer_and_forehand_are_derived_from_each_other():
    found = replay(history(*SIMPLE))
    assert (found.dealer, found.forehand) == (2, 0)
    found = replay(history(*SIMPLE, forehand=None, dealer=2))
    assert (found.dealer, found.forehand) == (2, 0)


def test_where_a_fourth_deals_there_is_no_dealers_seat():
    assert replay(history(*SIMPLE, sitting_out="Dora")).dealer is None


# --- forehand's twelve ------------------------------------------------------------------------------------------------

TWELVE = {"hands": (f"{HANDS[0]} {TALON}", *HANDS[1:]), "talon": ""}


def test_a_source_may_know_only_forehands_twelve_cards():
    found = replay(history("0 simple B9 B8", *SIMPLE[1:], **TWELVE))
    assert found.hands is not None
    assert found.hands[0] == parse_cards(HANDS[0].replace("B9 B8", TALON))
    assert (found.laid, found.pickup) == (parse_cards("B9 B8"), None)


def test_a_later_pickup_is_known_again():
    calls = ("0 simple B9 B8", "1 betli B9 B8", "2 pass", "0 pass", "1 pass")
    assert replay(history(*calls, **TWELVE)).pickup == parse_cards("B9 B8")


@pytest.mark.parametrize("preset", ["ladder", "ultimato"])
def test_twelve_cards_need_a_forehand_who_must_open(preset: str):
    with pytest.raises(IllegalDeal, match="only a forehand who must open holds twelve"):
        replay(history("0 simple B9 B8", "1 pass", "2 pass", preset=preset, **TWELVE))
    free = {"opening_bid_forced": False, "all_pass": "redeal_next"}
    with pytest.raises(IllegalDeal, match="the talon is empty"):
        replay(history("0 pass", "1 simple BA BU", "2 pass", "0 pass", "1 pass", options=free, **TWELVE))


def test_the_twelve_are_forehands():
    hands = (HANDS[0], f"{HANDS[1]} {TALON}", HANDS[2])
    with pytest.raises(IllegalDeal, match="seat 0 was dealt 10 cards; 12 are right"):
        replay(history(*SIMPLE, hands=hands, talon=""))


# --- the auction must be whole ----------------------------------------------------------------------------------------


def test_an_auction_that_breaks_off_says_who_has_to_speak():
    with pytest.raises(IllegalBid, match="breaks off after 2 calls; seat 2 has to speak"):
        replay(history(*SIMPLE[:2]))


def test_the_closing_pass_may_be_missing():
    assert replay(history(*SIMPLE[:3])).contract == replay(history(*SIMPLE)).contract


def test_the_first_illegal_call_is_named_by_its_number():
    with pytest.raises(IllegalBid, match="call 2, seat 1: simple does not overbid simple; lowest: simple@hearts"):
        replay(history(SIMPLE[0], "1 simple B9 B8"))


# --- trumps -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bid", "trump", "preset", "says"),
    [
        ("simple", "hearts", "rablo", "simple is played in acorns or leaves or bells, not hearts"),
        ("simple@hearts", "bells", "rablo", "simple@hearts is played in hearts, not bells"),
        ("betli", "bells", "rablo", "betli is played without trumps; no suit is named"),
        ("simple", None, "rablo", "simple is played, so its suit must be written"),
    ],
)
def test_a_wrong_trump_is_named(bid: str, trump: str | None, preset: str, says: str):
    hand = played(bid, "AA", trump=None, finish=False, preset=preset)
    suit = None if trump is None else ("acorns", "leaves", "hearts", "bells").index(trump)
    with pytest.raises(IllegalDecision, match=f"trump: {says}"):
        replay(replace(hand, trump=suit))


def test_hearts_may_be_trumps_under_a_plain_bid_where_they_do_not_double():
    assert replay(played("simple", trump="hearts", preset="ultimato")).trump == 2
    assert replay(played("simple", trump="hearts", options={"hearts_multiplier": 1})).trump == 2
    assert replay(played("simple", trump="hearts", options={"hearts_under_plain": True})).trump == 2


def test_a_hearts_bid_needs_no_word_of_its_suit():
    assert replay(played("simple@hearts", trump=None)).trump == 2


def test_a_suit_named_with_the_bid_is_the_trump_and_must_agree_with_the_key():
    calls = ("0 simple in bells", "1 pass", "2 pass")
    assert replay(history(*calls, preset="ladder")).trump == 3
    with pytest.raises(IllegalDecision, match="leaves is written, but bells was named with the bid"):
        replay(history(*calls, preset="ladder", trump="leaves"))
    # A later bid of another seat names another suit.
    calls = ("0 simple in bells", "1 betli", "2 ulti in leaves", "0 pass", "1 pass")
    assert replay(history(*calls, preset="ladder")).trump == 1


# --- the winner's exchange --------------------------------------------------------------------------------------------


def test_the_winner_of_an_ultimato_auction_lays_two_cards():
    calls = ("0 pass", "1 simple", "2 pass")
    found = replay(history(*calls, preset="ultimato", discard="BA L7"))
    assert (found.pickup, found.laid) == (parse_cards(TALON), parse_cards("BA L7"))
    with pytest.raises(IllegalDecision, match="the winner of the auction takes the talon and lays two cards"):
        replay(history(*calls, preset="ultimato"))
    with pytest.raises(IllegalDecision, match="discard: AA L7; two cards of these are right: AU A8"):
        replay(history(*calls, preset="ultimato", discard="AA L7"))


def test_elsewhere_no_cards_are_laid_after_the_auction():
    with pytest.raises(IllegalDecision, match="cards are laid in a call, not after the auction"):
        replay(history(*SIMPLE, discard=TALON))


# --- concession -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["rablo", "hungarian", "ultiarena"])
def test_a_conceded_simple_game_costs_2_to_each(preset: str):
    found = replay(history(*SIMPLE, preset=preset, conceded=True))
    assert (found.termination, found.level, found.payoffs, found.trump) == ("conceded", "full", (-4, 2, 2), None)
    assert results(found) == {"simple": "failed"}


@pytest.mark.parametrize("preset", ["ladder", "ultimato"])
def test_nothing_is_conceded_in_ladder_and_ultimato(preset: str):
    discard = {"discard": TALON} if preset == "ultimato" else {}
    with pytest.raises(IllegalDecision, match=f"nothing is conceded under {preset} .concede_simple=off.; play it out"):
        replay(history("0 simple", "1 pass", "2 pass", preset=preset, conceded=True, **discard))


def test_only_a_simple_game_in_a_plain_suit_is_conceded():
    for bid in ("simple@hearts", "ulti", "betli"):
        with pytest.raises(IllegalDecision, match=f"only a simple game in a plain suit is conceded, not {bid}"):
            replay(history(f"0 {bid} {TALON}", *SIMPLE[1:], conceded=True))


def test_a_concession_has_no_kontra_and_no_cards():
    with pytest.raises(IllegalKontra, match="a conceded game has none"):
        replay(history(*SIMPLE, conceded=True, kontras=(kontra("1 simple"),)))
    with pytest.raises(IllegalCard, match="no card is played"):
        replay(history(*SIMPLE, conceded=True, plays="AA", trump="acorns"))


def test_where_conceding_is_a_duty_a_simple_game_is_not_played():
    with pytest.raises(IllegalDecision, match="a plain simple game must be conceded under rablo"):
        replay(played("simple", options={"concede_simple": "mandatory"}))
    assert replay(played("simple@hearts", trump=None, options={"concede_simple": "mandatory"})).level == "full"


def test_a_conceded_game_of_the_five_card_round_costs_its_factor():
    options = {"two_round_auction": True}
    five = tuple(parse_cards(hand[:14]) for hand in HANDS)
    round_1 = ("0 simple round 1", "1 pass round 1", "2 pass round 1", "0 pass round 1")
    found = replay(history(*round_1, *SIMPLE, options=options, five=five, conceded=True))
    assert found.payoffs == (-8, 4, 4)


# --- early end --------------------------------------------------------------------------------------------------------


def _betli(n_cards: int, preset: str) -> HandHistory:
    hand = played("betli", preset=preset, trump=None)  # seat 0 takes the first trick with AA
    assert hand.plays is not None
    return replace(hand, plays=hand.plays[:n_cards])


@pytest.mark.parametrize("preset", ["ultimato", "hungarian"])
def test_a_betli_ends_with_the_trick_that_loses_it(preset: str):
    whole = replay(_betli(30, preset))
    assert results(whole) == {"betli": "failed"}
    lost = next(number for number, seat in enumerate(whole.winners, 1) if seat == 0)
    found = replay(_betli(3 * lost, preset))
    assert (found.level, found.payoffs) == ("full", whole.payoffs)
    assert replay(_betli(3 * lost - 1, preset)).level == "deal"


@pytest.mark.parametrize("extra", [1, 2, 3, 4])
def test_cards_behind_the_deciding_trick_change_nothing_but_must_be_legal(extra: int):
    whole = replay(_betli(30, "hungarian"))
    lost = next(number for number, seat in enumerate(whole.winners, 1) if seat == 0)
    hand = _betli(3 * lost + extra, "hungarian")
    assert replay(hand).level == "full"
    assert replay(hand).payoffs == whole.payoffs
    assert hand.plays is not None
    with pytest.raises(IllegalCard):
        replay(replace(hand, plays=(*hand.plays[:-1], hand.plays[0])))


def test_a_durchmars_ends_with_the_first_lost_trick():
    hand = played("durchmars_nt", preset="hungarian", trump=None)
    whole = replay(hand)
    lost = next(number for number, seat in enumerate(whole.winners, 1) if seat != 0)
    assert hand.plays is not None
    assert replay(replace(hand, plays=hand.plays[: 3 * lost])).payoffs == whole.payoffs


def test_elsewhere_ten_tricks_make_a_full_record():
    for n_cards in (3, 27):
        found = replay(_betli(n_cards, "rablo"))
        assert (found.level, found.payoffs, found.components[0].made) == ("deal", None, None)
    trump_game = played("simple", preset="hungarian")
    assert trump_game.plays is not None
    assert replay(replace(trump_game, plays=trump_game.plays[:27])).level == "deal"


# --- without a result -------------------------------------------------------------------------------------------------


def test_an_abandoned_hand_is_kept_without_a_result():
    found = replay(replace(_betli(6, "rablo"), abandoned=True))
    assert (found.termination, found.payoffs, found.components) == ("abandoned", None, ())
    assert len(found.winners) == 2
    with pytest.raises(ClaimError, match="an abandoned hand has no result"):
        replay(replace(_betli(6, "rablo"), abandoned=True, payoffs=(10, -5, -5)))


def test_a_deal_without_plays_has_its_result_from_the_claims():
    hand = history(*SIMPLE, trump="acorns")
    assert replay(hand).payoffs is None
    claimed = replay(replace(hand, outcome={"simple": "made"}, payoffs=(2, -1, -1)))
    assert (claimed.level, claimed.payoffs, results(claimed)) == ("deal", (2, -1, -1), {"simple": "made"})
    with pytest.raises(ClaimError, match="fit no outcome of simple"):
        replay(replace(hand, payoffs=(1000, -500, -500)))
    with pytest.raises(ClaimError, match="betli is no part of simple"):
        replay(replace(hand, outcome={"betli": "made"}))


def test_a_passed_out_deal_pays_nothing():
    hand = history("0 pass", "1 pass", "2 pass", preset="ladder")
    found = replay(hand)
    assert (found.termination, found.level, found.payoffs, found.declarer) == ("passed_out", "full", (0, 0, 0), None)
    assert found.defenders is None
    for given, says in (
        ({"kontras": (kontra("1 simple"),)}, "kontras: nobody bid"),
        ({"plays": (0,)}, "plays: nobody bid"),
        ({"trump": 1}, "no trump, discard or concession"),
        ({"conceded": True}, "no trump, discard or concession"),
    ):
        with pytest.raises(IllegalDecision, match=says):
            replay(replace(hand, **given))
    assert replay(replace(hand, payoffs=(2, -1, -1))).disagreements == ("payoffs: claimed [2, -1, -1], replay gives [0, 0, 0]",)


# --- claims -----------------------------------------------------------------------------------------------------------


def test_claims_that_differ_are_listed_not_raised():
    hand = played("ulti")
    true = replay(hand)
    assert true.payoffs is not None
    good = replace(hand, payoffs=true.payoffs, outcome=results(true))
    assert replay(good).disagreements == ()
    wrong = replace(hand, payoffs=(0, 0, 0), outcome={"ulti": "failed", "silent_durchmars": "made", "simple": "made"})
    assert replay(wrong).disagreements == (
        f"payoffs: claimed [0, 0, 0], replay gives {list(true.payoffs)}",
        "ulti: claimed failed, replay gives made",
        "silent_durchmars: claimed made, replay gives not scored",
    )
    assert replay(wrong).payoffs == true.payoffs


def test_an_ulti_whose_seven_lies_in_the_talon_is_legal_and_lost():
    found = replay(played("ulti", discard="A7 B7"))
    assert found.component("ulti").units == (-8, -8)  # pyright: ignore[reportOptionalMemberAccess]


def test_a_hand_can_be_replayed_under_other_rules():
    hand = played("simple")
    assert replay(hand, rules=PRESETS["hungarian"]).payoffs is not None
    # With the ten low in side suits the same cards break a duty.
    with pytest.raises(IllegalCard, match="trick 2, seat 1: H7 does not beat HT"):
        replay(hand, rules=ruleset("rablo", {"ten_rank": "high_trump_suit_only"}))
    with pytest.raises(IllegalBid, match="nobody takes the talon during this auction"):
        replay(hand, rules=PRESETS["ultimato"])
    with pytest.raises(RulesetError, match="unknown ruleset 'rabló'; did you mean 'rablo'"):
        replay(replace(hand, ruleset="rabló"))
