"""The duties of play one by one, who wins a trick, and what the refusal of the first wrong card says."""

from dataclasses import replace

import pytest

from tests.game.hands import finished, history, played
from ulti_stats.errors import IllegalCard
from ulti_stats.game.cards import SUIT_NAMES, format_cards, parse_card, parse_card_list, parse_cards
from ulti_stats.game.play import check_card, explain_card, legal_cards, trick_winner
from ulti_stats.game.replay import replay
from ulti_stats.game.rule_table import NO_TRUMP, rule_table
from ulti_stats.game.rulesets import HUNGARIAN, LADDER, PRESETS, RABLO, ULTIMATO, Ruleset, ruleset


def _legal(
    rules: Ruleset,
    hand: str,
    on_table: str = "",
    *,
    trump: str | None = "hearts",
    bid: str = "simple",
    is_declarer: bool = False,
    trick: int = 1,
) -> str:
    number = NO_TRUMP if trump is None else SUIT_NAMES.index(trump)
    cards = parse_card_list(on_table)
    mask = legal_cards(
        rule_table(rules), rules.bid(bid).number, number, parse_cards(hand), cards, is_declarer=is_declarer, trick=trick - 1
    )
    return format_cards(mask)


# --- the duties, in trump games of every preset ------------------------------------------------------------------------


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_the_leader_may_lead_any_card(rules: Ruleset):
    assert _legal(rules, "HA L9 B7") == "L9 HA B7"


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_suit_must_be_followed(rules: Ruleset):
    assert _legal(rules, "L9 L8 HA B7", "LA") == "L9 L8"


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_who_is_void_must_trump(rules: Ruleset):
    assert _legal(rules, "HA H7 B7 A9", "LA") == "HA H7"


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_who_has_neither_the_suit_nor_trumps_is_free(rules: Ruleset):
    assert _legal(rules, "BA B7 A9", "LA") == "A9 BA B7"


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_the_trick_is_beaten_within_the_suit_except_in_ultimato(rules: Ruleset):
    beaten = "LA" if rules.must_overtake else "LA L9"
    assert _legal(rules, "LA L9 HA", "LK") == beaten
    assert _legal(rules, "L9 L8 HA", "LK") == "L9 L8"  # who cannot is free within the suit
    assert rules.must_overtake is (rules.id != "ultimato")


def test_the_best_card_on_the_table_is_to_be_beaten_not_the_one_led():
    assert _legal(RABLO, "LA LU L9", "L8 LK") == "LA"
    assert _legal(RABLO, "LO LU L9", "L8 LK") == "LO LU L9"


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_no_card_must_be_beaten_once_the_trick_is_trumped(rules: Ruleset):
    assert _legal(rules, "LA L9 BA", "LK H7") == "LA L9"


def test_unless_the_rules_ask_for_it():
    rules = ruleset("rablo", {"overtake_when_trumped": True})
    assert _legal(rules, "LA L9 BA", "LK H7") == "LA"
    assert _legal(rules, "LO L9 BA", "LK H7") == "LO L9"


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_trump_is_overtrumped_except_in_ultimato(rules: Ruleset):
    assert _legal(rules, "HA H7 B7", "LA HK") == ("HA" if rules.must_overtrump else "HA H7")
    assert _legal(rules, "HU H7 B7", "LA HK") == "HU H7"  # who cannot still trumps


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_trump_led_is_followed_and_beaten_like_any_suit(rules: Ruleset):
    assert _legal(rules, "HA H7 B7", "HK") == ("HA" if rules.must_overtake else "HA H7")


def test_without_trumps_the_same_duties_hold_but_trumping():
    assert _legal(RABLO, "LA L9 HA", "LK", trump=None, bid="betli") == "LA"
    assert _legal(RABLO, "HA B7", "LK", trump=None, bid="betli") == "HA B7"


# --- the ten ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "side", "without"),
    [(RABLO, True, False), (LADDER, False, False), (ULTIMATO, True, True), (HUNGARIAN, True, False)],
    ids=lambda value: getattr(value, "id", None),
)
def test_where_the_ten_beats_the_king(rules: Ruleset, side: bool, without: bool):
    table, cards, in_hearts = rule_table(rules), parse_card_list("LK LT"), parse_card_list("HK HT")
    assert trick_winner(table, 2, in_hearts) == 1  # of trumps always
    assert trick_winner(table, 2, cards) == side
    assert trick_winner(table, NO_TRUMP, cards) == without
    assert trick_winner(table, NO_TRUMP, parse_card_list("L9 LT")) == 1
    assert trick_winner(table, NO_TRUMP, parse_card_list("LU LT")) == without


# --- who wins ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [
        ("L9 LA LT", 2, 1),
        ("L9 BA AA", 2, 0),
        ("LA H7 BA", 2, 1),
        ("LA H7 H8", 2, 2),
        ("LA H7 BA", NO_TRUMP, 0),
        ("H7 H9 LA", 2, 1),
    ],
)
def test_the_highest_trump_wins_else_the_highest_of_the_suit_led(trick: str, trump: int, winner: int):
    assert trick_winner(rule_table(RABLO), trump, parse_card_list(trick)) == winner


# --- the trump seven of an ulti ---------------------------------------------------------------------------------------


def _ulti(hand: str, on_table: str = "", *, rules: Ruleset = RABLO, trick: int = 1, is_declarer: bool = True) -> str:
    return _legal(rules, hand, on_table, bid="ulti", trick=trick, is_declarer=is_declarer)


def test_the_declarer_of_an_ulti_keeps_the_trump_seven():
    assert _ulti("HA H7 LA") == "LA HA"
    assert _ulti("H8 H7 LA", "HK") == "H8"
    assert _ulti("H8 H7 BA", "L9") == "H8"


def test_he_plays_it_where_he_must_and_in_the_last_trick():
    assert _ulti("H7 LA", "HK") == "H7"
    assert _ulti("H7 BA", "L9") == "H7"
    assert _ulti("H7", trick=10) == "H7"


def test_nobody_else_keeps_it_and_in_no_other_game():
    assert _ulti("HA H7 LA", is_declarer=False) == "LA HA H7"
    assert _legal(RABLO, "HA H7 LA", bid="simple", is_declarer=True) == "LA HA H7"
    assert _legal(RABLO, "HA H7 LA", bid="forty_hundred+ulti", is_declarer=True) == "LA HA"


@pytest.mark.parametrize("rules", [LADDER, ULTIMATO], ids=lambda rules: rules.id)
def test_where_the_seven_is_free_it_may_be_led(rules: Ruleset):
    assert _ulti("HA H7 LA", rules=rules) == "LA HA H7"


# --- what a refusal says ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "on_table", "card", "says"),
    [
        ("L9 HA", "LK", "BA", "BA is not held; legal: L9"),
        ("L9 HA", "LK", "HA", "HA does not follow leaves; legal: L9"),
        ("LA L9", "LK", "L9", "L9 does not beat LK; legal: LA"),
        ("HA BA", "LK", "BA", "BA does not trump; legal: HA"),
        ("HA H8", "LK HO", "H8", "H8 does not overtrump HO; legal: HA"),
        ("HA H7 LA", "", "H7", "H7 must be kept for trick 10; legal: LA HA"),
        ("H8 H7 LA", "HK", "H7", "H7 must be kept for trick 10; legal: H8"),
        ("H8 H7 BA", "LK", "H7", "H7 must be kept for trick 10; legal: H8"),
    ],
)
def test_a_refused_card_is_explained(hand: str, on_table: str, card: str, says: str):
    table, bid = rule_table(RABLO), RABLO.bid("ulti").number
    given = (table, bid, 2, parse_cards(hand), parse_card_list(on_table), parse_card(card))
    assert explain_card(*given, is_declarer=True, trick=3) == says
    with pytest.raises(IllegalCard, match=f"trick 4, seat 2: {says}"):
        check_card(*given, is_declarer=True, trick=3, seat=2)


def test_overtaking_a_trumped_trick_is_explained_by_the_card_led():
    rules = ruleset("rablo", {"overtake_when_trumped": True})
    given = (rule_table(rules), rules.bid("simple").number, 2, parse_cards("LA L9"), parse_card_list("LK H7"), parse_card("L9"))
    assert explain_card(*given, is_declarer=False, trick=0) == "L9 does not beat LK; legal: LA"


@pytest.mark.parametrize(
    ("plays", "says"),
    [
        ("BA", "trick 1, seat 0: BA is not held; legal: "),
        ("AA HK", "trick 1, seat 1: HK does not follow acorns; legal: AU A8"),
        ("AA A8 H9", "trick 1, seat 2: H9 does not follow acorns; legal: A9"),
        ("B9 BA BO LO L9", "trick 2, seat 2: L9 does not beat LO; legal: LK"),
    ],
)
def test_the_first_illegal_card_of_a_record_is_named_with_trick_and_seat(plays: str, says: str):
    with pytest.raises(IllegalCard) as error:
        replay(played("simple", plays, finish=False))
    assert str(error.value).startswith(f"plays: {says}")


def test_a_card_that_was_played_is_not_held_any_more():
    hand = played("simple")
    assert hand.plays is not None
    again = replace(hand, plays=(*hand.plays[:3], hand.plays[0], *hand.plays[4:]))
    with pytest.raises(IllegalCard, match="is not held"):
        replay(again)


def test_more_than_thirty_cards_are_refused():
    hand = played("simple")
    assert hand.plays is not None
    with pytest.raises(IllegalCard, match="31 cards; a hand has 30"):
        replay(replace(hand, plays=(*hand.plays, 0)))


# --- what a play comes to ---------------------------------------------------------------------------------------------


def test_the_winner_of_a_trick_leads_the_next():
    found = replay(played("simple", "LA L8 L9 B9 BA BO"))
    assert found.winners[:2] == (0, 1)
    assert len(found.winners) == 10


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("bid", ["simple", "ulti"])
def test_trick_points_and_talon_points_add_up(preset: str, bid: str):
    options = {"concede_simple": "off"} if preset == "ultiarena" else None
    found = replay(played(bid, preset=preset, options=options, discard="B9 AT"))
    # Ten points lie in the talon, unless nobody exchanged and only L7 and B7 do.
    total = 120 if preset == "ultimato" else 90
    assert found.declarer_points is not None
    assert found.declarer_points + (found.defender_points or 0) + (found.talon_points or 0) == total
    assert found.talon_points == 10


@pytest.mark.parametrize(("preset", "leader"), [("rablo", 1), ("hungarian", 1), ("ladder", 0), ("ultimato", 0)])
def test_who_leads_to_the_first_trick(preset: str, leader: int):
    rules = ruleset(preset)
    lays = " BA BU" if rules.talon_mode == "rob" else ""
    calls = ["0 simple L7 B7"] if rules.opening_bid_forced else ["0 pass"]
    calls += [f"1 betli{lays}", "2 pass", *([] if rules.pass_final else ["0 pass"])]
    after = {"discard": "BA BU"} if rules.talon_mode == "winner_takes" else {}
    hand = history(*calls, preset=preset, **after)
    cards = finished(hand, rules, [])
    found = replay(replace(hand, plays=parse_card_list(" ".join(cards))))
    assert (found.level, found.declarer) == ("full", 1)
    assert found.hands is not None
    assert [seat for seat in range(3) if found.hands[seat] >> parse_card(cards[0]) & 1] == [leader]
