"""How many ways fixed endings can be played: counted by the kernels, by the reference, and pinned."""

import pytest

from tests import reference
from ulti_stats.game.cards import CARD_TEXTS, cards_of, parse_card, parse_cards
from ulti_stats.game.play import legal_cards, trick_winner
from ulti_stats.game.rule_table import NO_TRUMP, rule_table
from ulti_stats.game.rulesets import PRESETS, Ruleset

# Four cards each before trick 7: bid, trumps, the declarer's cards, those of the two after him.
ENDINGS = {
    "simple in hearts": ("simple@hearts", "hearts", ("HA H7 LT B9", "HT HK L9 BA", "LA LK BT B7")),
    "simple in acorns": ("simple", "acorns", ("AT A9 LK LT", "AK LA L9 HA", "AU A8 HK H7")),
    "ulti in bells": ("ulti", "bells", ("BA B7 LT HU", "BT B8 L9 HA", "BK LK LO H8")),
    "betli": ("betli", None, ("L7 L8 HT B7", "LT LU HK B8", "LA L9 HU BK")),
    "durchmars": ("durchmars_nt", None, ("LK L9 HA BT", "LT LO HK B8", "LA LU HT BA")),
}
# Rows as in ENDINGS, columns as in PRESETS.
COUNTS = {
    "simple in hearts": (348, 376, 472, 348, 348),
    "simple in acorns": (124, 124, 224, 124, 124),
    "ulti in bells": (28, 108, 116, 28, 28),
    "betli": (60, 60, 96, 60, 60),
    "durchmars": (63, 63, 96, 63, 63),
}
FIRST_TRICK = 7


def _bid(rules: Ruleset, name: str) -> str:
    """Return the bid, or its plain form where hearts do not double."""
    return name if rules.knows_bid(name) else name.removesuffix("@hearts")


def _by_kernels(rules: Ruleset, bid: int, trump: int, hands: list[int], seat: int, trick: tuple[int, ...], number: int) -> int:
    if len(trick) == 3:
        winner = (seat + trick_winner(rule_table(rules), trump, trick)) % 3
        return 1 if number == 10 else _by_kernels(rules, bid, trump, hands, winner, (), number + 1)
    legal = legal_cards(rule_table(rules), bid, trump, hands[seat], trick, is_declarer=seat == 0, trick=number - 1)
    total = 0
    for card in cards_of(legal):
        hands[seat] ^= 1 << card
        total += _by_kernels(rules, bid, trump, hands, (seat + 1) % 3, (*trick, card), number)
        hands[seat] ^= 1 << card
    return total


def _by_reference(
    rules: Ruleset, bid: reference.Bid, trump: str | None, hands: list[set[str]], seat: int, trick: list[str], number: int
) -> int:
    if len(trick) == 3:
        winner = (seat + trick.index(reference.winning_card(rules, trump, trick))) % 3
        return 1 if number == 10 else _by_reference(rules, bid, trump, hands, winner, [], number + 1)
    total = 0
    for card in reference.legal_cards(rules, bid, trump, hands[seat], trick, is_declarer=seat == 0, number=number):
        after = [hand - {card} for hand in hands]
        total += _by_reference(rules, bid, trump, after, (seat + 1) % 3, [*trick, card], number)
    return total


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_an_ending_can_be_played_in_so_many_ways(ending: str, preset: str):
    name, suit, hands = ENDINGS[ending]
    rules = PRESETS[preset]
    bid = _bid(rules, name)
    trump = NO_TRUMP if suit is None else ("acorns", "leaves", "hearts", "bells").index(suit)
    letter = None if suit is None else suit[0].upper()
    kernels = _by_kernels(rules, rules.bid(bid).number, trump, [parse_cards(hand) for hand in hands], 0, (), FIRST_TRICK)
    told = reference.bid_of(rules, bid)
    counted = _by_reference(rules, told, letter, [set(hand.split()) for hand in hands], 0, [], FIRST_TRICK)
    assert kernels == counted
    assert kernels == COUNTS[ending][list(PRESETS).index(preset)]


def test_the_endings_are_twelve_different_cards():
    for _, _, hands in ENDINGS.values():
        cards = " ".join(hands).split()
        assert len(set(cards)) == 12
        assert all(CARD_TEXTS[parse_card(card)] == card for card in cards)
