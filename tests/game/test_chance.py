"""Deals at random: every card, marriage and number of trumps as often as an honest shuffle gives them."""

from math import comb, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from ulti_stats.game.cards import FULL_DECK, KING, OVER
from ulti_stats.game.chance import deal_cards

N_DEALS = 200_000
# Of honest frequencies one in two million lies outside of so many deviations; some 200 are looked at.
WIDE = 5.0


@pytest.fixture(scope="module")
def deals() -> NDArray[np.int64]:
    """Return [n, 4]: the three hands and the talon of each deal of seed 2026."""
    hands = np.empty(3, np.int64)
    found = np.empty((N_DEALS, 4), np.int64)
    for index in range(N_DEALS):
        found[index, 3] = deal_cards(2026, index, hands)
        found[index, :3] = hands
    return found


def near(n_found: int, chance: float) -> bool:
    """Return whether a number of successes is what `N_DEALS` independent deals of this chance give."""
    return abs(n_found - N_DEALS * chance) <= WIDE * sqrt(N_DEALS * chance * (1 - chance))


def test_every_deal_is_32_cards_in_one_place_each(deals: NDArray[np.int64]):
    assert (deals.sum(axis=1) == FULL_DECK).all()
    assert (np.bitwise_or.reduce(deals, axis=1) == FULL_DECK).all()
    assert (np.bitwise_count(deals) == [10, 10, 10, 2]).all()


def test_every_card_lies_in_every_place_as_often_as_it_should(deals: NDArray[np.int64]):
    for place, size in enumerate((10, 10, 10, 2)):
        for card in range(32):
            assert near(int((deals[:, place] >> card & 1).sum()), size / 32), (place, card)


def test_every_hand_holds_a_given_marriage_in_45_of_496_deals(deals: NDArray[np.int64]):
    pair = 1 << KING | 1 << OVER
    for place in range(3):
        for suit in range(4):
            assert near(int((deals[:, place] >> (8 * suit) & pair == pair).sum()), 45 / 496), (place, suit)


@pytest.mark.parametrize("suit", range(4))
def test_the_number_of_trumps_in_a_hand_is_hypergeometric(deals: NDArray[np.int64], suit: int):
    n_trumps = np.bitwise_count(deals[:, 0] & 0xFF << (8 * suit))
    for n in range(9):
        assert near(int((n_trumps == n).sum()), comb(8, n) * comb(24, 10 - n) / comb(32, 10)), n


def test_two_hands_are_as_dependent_as_one_deck_makes_them(deals: NDArray[np.int64]):
    # All four aces in the first hand, and two in each of the first two.
    aces = sum(1 << (8 * suit + 7) for suit in range(4))
    first, second = (np.bitwise_count(deals[:, place] & aces) for place in (0, 1))
    assert near(int((first == 4).sum()), comb(10, 4) / comb(32, 4))
    assert near(int(((first == 2) & (second == 2)).sum()), comb(10, 2) * comb(10, 2) / comb(32, 4))


def test_consecutive_deals_and_seeds_have_nothing_to_do_with_each_other(deals: NDArray[np.int64]):
    # A card that lies in the first hand lies there again in the next deal in 10 of 32 cases.
    again = np.bitwise_count(deals[1:, 0] & deals[:-1, 0])
    assert abs(again.mean() - 100 / 32) < 0.02
    hands = np.empty(3, np.int64)
    shared = []
    for seed in range(20_000):
        deal_cards(seed, 0, hands)
        shared.append((int(hands[0]) & int(deals[0, 0])).bit_count())
    assert abs(np.mean(shared) - 100 / 32) < 0.06


def test_no_deal_comes_twice(deals: NDArray[np.int64]):
    assert len(np.unique(deals, axis=0)) == N_DEALS


def test_the_first_deal_of_a_seed_is_always_the_same():
    hands = np.empty(3, np.int64)
    talon = deal_cards(1, 0, hands)
    again = np.empty(3, np.int64)
    assert deal_cards(1, 0, again) == talon
    assert hands.tolist() == again.tolist()
