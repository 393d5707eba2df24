"""What is always true: 32 cards in one place each, legal moves as the reference has them, scores that add up."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import reference
from tests.game.hands import finished, texts
from tests.variants import random_rules
from ulti_stats.errors import IllegalBid
from ulti_stats.game.auction import Auction, check_call, legal_bids, make_call, may_hold, must_bid, start_auction
from ulti_stats.game.cards import (
    CARD_TEXTS,
    FULL_DECK,
    cards_of,
    format_card_list,
    format_cards,
    parse_card,
    parse_card_list,
    parse_cards,
)
from ulti_stats.game.history import PASS, Call, HandHistory
from ulti_stats.game.marriages import marriages_allowed
from ulti_stats.game.play import legal_cards, trick_winner
from ulti_stats.game.replay import replay
from ulti_stats.game.rule_table import NO_TRUMP, rule_table
from ulti_stats.game.rulesets import PRESETS, Ruleset

QUICK = settings(max_examples=40, deadline=None, derandomize=True)
NUMBERS = st.integers(0, 2**32)


def _deal(rng: random.Random) -> tuple[tuple[int, int, int], int]:
    deck = list(range(32))
    rng.shuffle(deck)
    masks = [sum(1 << card for card in deck[10 * seat : 10 * seat + 10]) for seat in range(3)]
    return (masks[0], masks[1], masks[2]), 1 << deck[30] | 1 << deck[31]


def _random_call(rng: random.Random, auction: Auction, *, eager: float = 0.4) -> Call:
    """Return a legal call: a pass where it may be, else a bid from the legal ones with two cards of the twelve."""
    assert auction.turn is not None
    bids = legal_bids(auction)
    if not bids or not (must_bid(auction) or rng.random() < eager):
        return Call(auction.turn, PASS, round=auction.round)
    lays = auction.rules.talon_mode == "rob" or (auction.rules.talon_mode == "rob_optional" and rng.random() < 0.5)
    twelve = list(cards_of(auction.hands[auction.turn] | auction.talon))
    discard = sum(1 << card for card in rng.sample(twelve, 2)) if lays and auction.round == 2 else None
    if may_hold(auction) and auction.standing is not None and rng.random() < 0.3:
        return Call(auction.turn, auction.standing.name, discard, hold=True, round=auction.round)
    return Call(auction.turn, rng.choice(bids).name, discard, round=auction.round)


def _finished_auction(rng: random.Random, rules: Ruleset) -> Auction:
    hands, talon = _deal(rng)
    auction = start_auction(rules, forehand=rng.randrange(3), hands=hands, talon=talon)
    while auction.turn is not None:
        auction = make_call(auction, _random_call(rng, auction))
    return auction


@QUICK
@given(NUMBERS)
def test_32_cards_lie_in_one_place_each_after_every_call(number: int):
    rng = random.Random(number)
    _, _, rules = random_rules(rng)
    hands, talon = _deal(rng)
    auction = start_auction(rules, forehand=rng.randrange(3), hands=hands, talon=talon)
    n_calls = 0
    while auction.turn is not None:
        assert sum((*auction.hands, auction.talon)) == FULL_DECK
        assert [hand.bit_count() for hand in auction.hands] == [10, 10, 10]
        standing = auction.standing
        auction = make_call(auction, _random_call(rng, auction))
        n_calls += 1
        assert n_calls < 200
        if standing is not None and auction.standing is not None:
            assert auction.standing.value >= standing.value or rules.bid_order == "ladder_b" or auction.round == 2


@QUICK
@given(NUMBERS)
def test_what_is_not_among_the_legal_bids_is_refused(number: int):
    rng = random.Random(number)
    _, _, rules = random_rules(rng)
    hands, talon = _deal(rng)
    auction = start_auction(rules, forehand=0, hands=hands, talon=talon)
    while auction.turn is not None:
        legal = {bid.name for bid in legal_bids(auction)}
        lays = rules.talon_mode == "rob" and auction.round == 2
        discard = (1 << next(cards_of(auction.talon))) | (1 << max(cards_of(auction.talon))) if lays else None
        for bid in rng.sample(rules.ladder, min(6, len(rules.ladder))):
            call = Call(auction.turn, bid.name, discard, round=auction.round)
            try:
                check_call(auction, call)
            except IllegalBid:
                assert bid.name not in legal
            else:
                assert bid.name in legal
        auction = make_call(auction, _random_call(rng, auction))


@QUICK
@given(NUMBERS)
def test_legal_cards_are_those_of_the_reference(number: int):
    rng = random.Random(number)
    _, _, rules = random_rules(rng)
    bid = rng.choice(rules.ladder)
    trump = rng.randrange(4) if bid.has_trumps else NO_TRUMP
    letter = None if trump == NO_TRUMP else "ALHB"[trump]
    told = reference.bid_of(rules, bid.name)
    deck = list(range(32))
    for _ in range(30):
        rng.shuffle(deck)
        n_held, n_lying = rng.randint(1, 10), rng.randint(0, 2)
        hand, trick = deck[:n_held], deck[n_held : n_held + n_lying]
        is_declarer, number_of_trick = rng.random() < 0.5, rng.randint(1, 10)
        mask = legal_cards(
            rule_table(rules),
            bid.number,
            trump,
            sum(1 << card for card in hand),
            tuple(trick),
            is_declarer=is_declarer,
            trick=number_of_trick - 1,
        )
        held, lying = {CARD_TEXTS[card] for card in hand}, [CARD_TEXTS[card] for card in trick]
        legal = reference.legal_cards(rules, told, letter, held, lying, is_declarer=is_declarer, number=number_of_trick)
        assert texts(mask) == legal
        if trick:
            assert CARD_TEXTS[trick[trick_winner(rule_table(rules), trump, tuple(trick))]] == reference.winning_card(
                rules, letter, lying
            )


@QUICK
@given(NUMBERS)
def test_marriages_that_may_be_declared_are_those_of_the_reference(number: int):
    rng = random.Random(number)
    _, _, rules = random_rules(rng)
    hands, _ = _deal(rng)
    for bid in rng.sample(rules.ladder, min(8, len(rules.ladder))):
        trump, declarer = rng.randrange(4) if bid.has_trumps else NO_TRUMP, rng.randrange(3)
        letter = None if trump == NO_TRUMP else "ALHB"[trump]
        allowed = int(marriages_allowed(rule_table(rules), bid.number, trump, declarer, np.array(hands, np.int64)))
        told = reference.bid_of(rules, bid.name)
        for seat in range(3):
            suits = reference.declarable(rules, told, letter, texts(hands[seat]), is_declarer=seat == declarer)
            assert ["ALHB"[suit] for suit in cards_of(allowed >> (4 * seat) & 15)] == suits


def _history(rng: random.Random, rules: Ruleset, preset: str, options: dict[str, Any]) -> HandHistory | None:
    """Return a whole hand at random, or None where nobody bid."""
    auction = _finished_auction(rng, rules)
    if auction.standing is None:
        return None
    bid, five = auction.standing, None
    dealt = _undo(auction)
    if rules.two_round_auction:
        five = tuple(sum(1 << card for card in rng.sample(list(cards_of(hand)), 5)) for hand in dealt[0])
    discard = None
    if rules.talon_mode == "winner_takes":
        twelve = list(cards_of(auction.hands[auction.holder] | auction.talon))
        discard = sum(1 << card for card in rng.sample(twelve, 2))
    suits = [2] if bid.form.is_hearts or rules.hearts_always_trump else [0, 1, 3]
    hand = HandHistory(
        ruleset=preset,
        options=options,
        forehand=auction.forehand,
        hands=dealt[0],
        five=five,  # pyright: ignore[reportArgumentType]
        talon=dealt[1],
        auction=auction.calls,
        discard=discard,
        trump=rng.choice(suits) if bid.has_trumps else None,
    )
    return replace(hand, plays=parse_card_list(" ".join(finished(replace(hand, conceded=False), rules, []))))


def _undo(auction: Auction) -> tuple[tuple[int, int, int], int]:
    """Return hands and talon as dealt: the exchanges taken back, last first."""
    hands, talon = list(auction.hands), auction.talon
    pickups = [call for call in auction.calls if call.discard is not None]
    for number in range(len(pickups) - 1, -1, -1):
        call = pickups[number]
        taken = pickups[number - 1].discard if number else None
        assert call.discard == talon
        if taken is None:
            # The first pickup brought the dealt talon, which may be any two of the bidder's twelve; take two that he kept.
            twelve = hands[call.seat] | talon
            taken = sum(1 << card for card in sorted(cards_of(twelve))[:2])
        hands[call.seat] = (hands[call.seat] | talon) & ~taken
        talon = taken
    return (hands[0], hands[1], hands[2]), talon


@pytest.mark.filterwarnings("ignore::ulti_stats.game.options.RulesetWarning")
@QUICK
@given(NUMBERS)
def test_points_add_up_and_payoffs_sum_to_zero_where_each_defender_pays(number: int):
    rng = random.Random(number)
    preset, options, rules = random_rules(rng)
    hand = _history(rng, rules, preset, options | {"concede_simple": "off"})
    if hand is None:
        return
    found = replay(hand)
    assert (found.level, found.disagreements) == ("full", ())
    assert found.payoffs is not None
    if found.rules.settlement == "per_defender":
        assert sum(found.payoffs) == 0
    if len(hand.plays or ()) == 30:
        dealt = reference.points(rules, set(CARD_TEXTS)) + rules.last_trick_bonus
        assert (found.declarer_points or 0) + (found.defender_points or 0) + (found.talon_points or 0) == dealt
        assert len(found.winners) == 10
    again = replay(replace(hand, payoffs=found.payoffs, outcome={c.component: _word(c.made) for c in found.components}))
    assert again.disagreements == ()
    assert replace(again, disagreements=()) == found


def _word(made: bool | None) -> str:
    return "made" if made else "failed"


@QUICK
@given(st.sets(st.integers(0, 31)), st.permutations(range(32)))
def test_what_is_written_is_read_back(cards: set[int], order: list[int]):
    mask = sum(1 << card for card in cards)
    assert parse_cards(format_cards(mask)) == mask
    assert parse_card_list(format_card_list(order)) == tuple(order)
    assert [parse_card(CARD_TEXTS[card]) for card in order] == order


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_all_cards_are_worth_what_the_preset_says(rules: Ruleset):
    total = reference.points(rules, set(CARD_TEXTS)) + rules.last_trick_bonus
    assert total == (120 if rules.id == "ultimato" else 90)
