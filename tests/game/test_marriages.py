"""Marriages: who may declare which, when, and what they count for."""

from dataclasses import replace

import pytest

from tests.game.hands import HANDS, history, marriage, played, results
from ulti_stats.errors import IllegalMarriage
from ulti_stats.game.history import HandHistory
from ulti_stats.game.replay import replay
from ulti_stats.game.result import Replay

# On the shared deal seat 0 holds the pair in acorns, seat 1 in hearts, seat 2 in bells.
LAYS = "B9 B8"


def _declared(found: Replay) -> list[tuple[int, int, int]]:
    return [(each.seat, each.suit, each.play) for each in found.marriages]


def _with(hand: HandHistory, *marriages: str) -> HandHistory:
    return replace(hand, marriages=tuple(marriage(words) for words in marriages))


def _refused(hand: HandHistory, *marriages: str) -> str:
    with pytest.raises(IllegalMarriage) as error:
        replay(_with(hand, *marriages))
    text = str(error.value)
    assert text.startswith(f"marriage {len(marriages)}, seat {marriages[-1][0]}, ")
    return text


# --- when -------------------------------------------------------------------------------------------------------------


def test_silence_means_every_marriage_at_the_first_trick():
    found = replay(played("simple", "AA A8 A9"))
    assert _declared(found) == [(0, 0, 0), (1, 2, 1), (2, 3, 2)]
    assert (found.declarer_marriage_points, found.defender_marriage_points) == (40, 40)


def test_an_empty_list_means_that_none_was_declared():
    found = replay(replace(played("simple"), marriages=()))
    assert found.marriages == ()
    assert (found.declarer_marriage_points, found.defender_marriage_points) == (0, 0)


def test_after_trick_1_it_is_too_late():
    hand = played("simple", "AA A8 A9")
    assert "marriages are declared in trick 1 (cards 0 to 2)" in _refused(hand, "0 acorns 3")
    assert "card 1 is seat 1's" in _refused(hand, "0 acorns 1")


# The leader is seat 0 with AK as the first and AO as the second card of the pair.
PAIR = "AK A8 A9 AO AU L9"


@pytest.mark.parametrize(
    ("timing", "silent", "right", "wrong"),
    [
        ("first_trick", 0, ("0 acorns 0",), "0 acorns 3"),
        ("either_card", 0, ("0 acorns 0", "0 acorns 3"), "0 acorns 6"),
        ("first_card", 0, ("0 acorns 0",), "0 acorns 3"),
        ("second_card", 3, ("0 acorns 3",), "0 acorns 0"),
    ],
)
def test_the_moment_is_the_one_that_the_rules_name(timing: str, silent: int, right: tuple[str, ...], wrong: str):
    hand = played("simple", PAIR, options={"marriage_timing": timing})
    assert (0, 0, silent) in _declared(replay(hand))
    for words in right:
        assert _declared(replay(_with(hand, words))) == [(0, 0, int(words[-1]))]
    _refused(hand, wrong)


def test_a_pair_card_is_declared_when_it_is_played_in_ladder_and_ultimato():
    for preset, says in (("ladder", "one of the two"), ("ultimato", "the first of the two")):
        hand = played("simple", "AA A8 A9 AK", preset=preset)
        assert (0, 0, 3) in _declared(replay(hand))
        assert f"declared with AA (card 0); it is declared when playing {says}" in _refused(hand, "0 acorns 0")


def test_what_play_has_not_reached_is_not_declared():
    hand = played("simple", "AA A8 A9", preset="ladder", finish=False)
    assert replay(hand).marriages == ()


# --- who and which ----------------------------------------------------------------------------------------------------


def test_both_cards_must_be_held_when_play_starts():
    hand = played("simple", discard="AO B9")
    assert "king and over are not both held" in _refused(hand, "0 acorns 0")
    assert [each.seat for each in replay(hand).marriages] == [1, 2]
    ladder = played("simple", preset="ladder", discard="AO B9")
    assert [each.seat for each in replay(ladder).marriages] == [1, 2]


def test_a_marriage_is_declared_once():
    assert "declared twice" in _refused(played("simple"), "0 acorns 0", "0 acorns 0")


def test_there_are_none_without_trumps():
    hand = played("betli", trump=None)
    assert replay(hand).marriages == ()
    assert "betli is played without trumps; marriages have no place" in _refused(hand, "0 acorns 0")


def test_in_a_40_100_the_declarer_declares_the_trump_pair_only():
    in_trumps = replay(played("forty_hundred", "AA A8 A9"))
    assert (in_trumps.declarer_marriage_points, in_trumps.defender_marriage_points) == (40, 40)
    in_leaves = played("forty_hundred", trump="leaves")
    assert [each.seat for each in replay(in_leaves).marriages] == [1, 2]
    assert "in a 40-100 the declarer declares only the trump pair" in _refused(in_leaves, "0 acorns 0")


TWO_PAIRS = ("AA AT AK AO HK HO LA B9 B8 L8", "A8 AU LT LO A7 HA HT H7 BA BU", "A9 LK LU L9 HU H9 H8 BT BK BO")


def test_in_a_20_100_the_declarer_declares_one_side_pair():
    hand = played("twenty_hundred", trump="bells", hands=TWO_PAIRS, discard="L7 B7")
    assert _declared(replay(hand)) == [(0, 0, 0), (2, 3, 2)]  # the first in the order acorns, leaves, hearts, bells
    assert (0, 2, 0) in _declared(replay(_with(hand, "0 hearts 0")))
    assert "only one side pair" in _refused(hand, "0 acorns 0", "0 hearts 0")
    assert "only one side pair" in _refused(replace(hand, trump=0), "0 acorns 0")


@pytest.mark.parametrize(("ban", "declarer", "defenders"), [("none", 60, 20), ("declarer", 20, 20), ("all", 20, 0)])
def test_who_is_banned_beside_a_hundred(ban: str, declarer: int, defenders: int):
    options = {"hundred_marriage_ban": ban}
    hands = ("AA AT AK AO HK HO LA B9 B8 L8", "A8 AU LT A9 A7 HA HT H7 BA BU", "LO LK LU L9 HU H9 H8 BT BK BO")
    found = replay(played("twenty_hundred", trump="acorns", hands=hands, options=options))
    assert found.declarer_marriage_points == declarer
    assert found.defender_marriage_points == {20: 40, 0: 0}[defenders]


def test_the_ban_on_all_names_itself():
    hand = played("forty_hundred", options={"hundred_marriage_ban": "all"})
    assert "defenders declare none in a 100-game (hundred_marriage_ban=all)" in _refused(hand, "1 hearts 1")


# --- what they count for ----------------------------------------------------------------------------------------------


def test_a_promised_marriage_that_is_not_declared_loses_the_game():
    hand = played("forty_hundred", "AA A8 A9 AT AU")
    points = replay(hand).declarer_points
    assert points is not None
    assert points >= 60
    assert results(replay(hand))["forty_hundred"] == "made"
    assert results(replay(replace(hand, marriages=())))["forty_hundred"] == "failed"


def test_a_dropped_hundred_needs_a_missing_pair_not_a_silent_one():
    options = {"missing_marriage": "dropped"}
    held = replay(replace(played("forty_hundred", options=options), marriages=()))
    assert results(held)["forty_hundred"] == "failed"
    assert held.component("forty_hundred").units == (-4, -4)  # pyright: ignore[reportOptionalMemberAccess]
    missing = replay(played("forty_hundred", trump="leaves", options=options))
    assert missing.component("forty_hundred").units == (0, 0)  # pyright: ignore[reportOptionalMemberAccess]
    assert "simple" in results(missing)


def test_further_marriages_never_help_the_bid_hundred():
    hands = ("AA AT AK AO HK HO LA B9 B8 L8", "A8 AU LT A9 A7 HA HT H7 BA BU", "LO LK LU L9 HU H9 H8 BT BK BO")
    found = replay(
        played("twenty_hundred", trump="acorns", hands=hands, options={"hundred_marriage_ban": "none", "silent_set": ["hundred"]})
    )
    assert found.declarer_points is not None
    assert found.declarer_points < 80 <= found.declarer_points + 60
    assert results(found) == {"twenty_hundred": "failed"}


# Seat 0 plays a simple game in bells, in which seats 1 and 2 take every trick.
POOR = ("A8 A7 A9 L8 L9 H8 H7 H9 HK HO", "AA AT AK L7 LT LA HA HT BA BT", "AU AO LK LO LU HU BK BO BU B9")


@pytest.mark.parametrize(("needs", "points"), [(False, 20), (True, 0)])
def test_where_a_side_without_a_trick_loses_its_marriages(needs: bool, points: int):
    hand = played("simple", trump="bells", hands=POOR, talon="B8 B7", discard="B8 B7", options={"marriage_needs_trick": needs})
    found = replay(hand)
    assert set(found.winners) <= {1, 2}
    assert found.declarer_marriage_points == points
    assert found.defender_marriage_points == 60
    assert _declared(found)[0] == (0, 2, 0)  # declared it is, all the same


def test_listed_or_absent_the_same_marriages_are_the_same_result():
    for preset in ("rablo", "ladder", "ultimato", "hungarian"):
        hand = played("simple", preset=preset)
        absent = replay(hand)
        listed = replay(replace(hand, marriages=absent.marriages))
        assert listed.marriages == absent.marriages
        assert listed.payoffs == absent.payoffs
        assert len(absent.marriages) == 3


def test_a_conceded_game_has_none():
    hand = history(f"0 simple {LAYS}", "1 pass", "2 pass", "0 pass", conceded=True, marriages=(marriage("0 acorns 0"),))
    with pytest.raises(IllegalMarriage, match="conceded before the first lead"):
        replay(hand)


def test_the_shared_deal_holds_these_pairs():
    assert [suit for hand in HANDS for suit in "ALHB" if f"{suit}K" in hand and f"{suit}O" in hand] == ["A", "H", "B"]
