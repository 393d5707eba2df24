"""Rules in step are the rules: dealing, legal cards, tricks and points of `lanes.py` against those of one hand."""

import random

import numpy as np
import pytest

from ulti_stats.game import lanes
from ulti_stats.game.cards import cards_of
from ulti_stats.game.chance import deal_cards
from ulti_stats.game.jit import kernel
from ulti_stats.game.play import beats, card_points, keeping_seven, legal_mask, strengths_of, to_strength
from ulti_stats.game.rule_table import (
    MUST_OVERTAKE,
    MUST_OVERTRUMP,
    NO_TRUMP,
    OVERTAKE_WHEN_TRUMPED,
    PHYSICAL,
    POINTS,
    STRENGTH,
    rule_table,
)
from ulti_stats.game.rulesets import PRESETS

DUTIES = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]


@kernel
def differences(flags, hands, trump):
    """Return a situation in which the two disagree (hand, card led, best card), or three times -1."""
    trumps = 0xFF << 8 * trump
    for hand in hands:
        for led in range(32):
            for best in range(32):
                if hand >> led & 1 or hand >> best & 1 or (best != led and not beats(best, led, trump)):
                    continue
                found = lanes.follows(
                    hand, led, best, trumps, -flags[MUST_OVERTAKE], -flags[MUST_OVERTRUMP], -flags[OVERTAKE_WHEN_TRUMPED]
                )
                if found != legal_mask(flags, hand, led, best, trump):
                    return hand, led, best
                for card in range(32):
                    if hand >> card & 1 and lanes.takes(card, best, trumps) != beats(card, best, trump):
                        return hand, card, best
    return -1, -1, -1


def hands() -> np.ndarray:
    """Return every pattern of one suit and of two, and random hands of one to ten cards."""
    rng = random.Random(3)
    suits = [pattern << (8 * suit) for suit in range(4) for pattern in range(1, 256)]
    pairs = [
        rng.randrange(1, 256) << (8 * suit) | rng.randrange(1, 256) << (8 * (suit + 1)) for suit in range(3) for _ in range(400)
    ]
    some = [sum(1 << card for card in rng.sample(range(32), n)) for n in range(1, 11) for _ in range(150)]
    return np.array(suits + pairs + some, np.int64)


@pytest.mark.parametrize("trump", range(5))
@pytest.mark.parametrize("duties", DUTIES)
def test_the_same_cards_are_legal_and_win_in_step(duties, trump):
    flags = rule_table(PRESETS["rablo"]).flags.copy()
    flags[MUST_OVERTAKE], flags[MUST_OVERTRUMP], flags[OVERTAKE_WHEN_TRUMPED] = duties
    assert differences(flags, hands(), trump) == (-1, -1, -1)


def test_a_trump_seven_is_kept_in_step_as_one_by_one():
    for seven in (0, 1, 1 << 8):
        for legal in (1, 1 << 8, 1 | 1 << 8, 1 << 8 | 1 << 9, 1 << 20):
            assert lanes.keeping(legal, seven) == keeping_seven(legal, seven)


@pytest.mark.parametrize("preset", PRESETS)
def test_cards_have_the_strength_and_points_of_the_rules_table(preset):
    table, rng = rule_table(PRESETS[preset]), random.Random(5)
    for trump in (*range(4), NO_TRUMP):
        low = sum(1 << card for card in range(32) if table.cards[STRENGTH, trump, 8 * (card >> 3) + 6] & 7 != 6)
        for card in range(32):
            strength = int(table.cards[STRENGTH, trump, card])
            assert lanes.of_card(card, low) == strength
            assert lanes.to_card(strength, low) == int(table.cards[PHYSICAL, trump, strength]) == card
            assert card_points(table.flags, 1 << card) == table.cards[POINTS, trump, strength]
        for _ in range(50):
            mask = rng.getrandbits(32)
            assert strengths_of(table.flags, mask, trump) == to_strength(table.cards, mask, trump)


def test_the_nth_card_of_a_hand_is_found_without_a_loop():
    rng = random.Random(6)
    for _ in range(300):
        held = sorted(rng.sample(range(32), rng.randint(1, 10)))
        mask = sum(1 << card for card in held)
        assert [lanes.nth_of_ten(mask, n) for n in range(len(held))] == list(cards_of(mask)) == held


@pytest.mark.parametrize("n", [1, 7, lanes.LANES])
def test_hands_dealt_in_step_are_those_dealt_one_by_one(n):
    block, keys = lanes.new_block()
    lanes.deal_lanes(2026, 1000, n, block, keys)
    found, one = np.empty(3, np.int64), np.empty(3, np.int64)
    for i in range(n):
        lanes.take_hands(block, i, found)
        deal_cards(2026, 1000 + i, one)
        assert found.tolist() == one.tolist()
