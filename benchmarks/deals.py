"""Deals for the benchmarks, the same on every machine: random ones, and ones that a player would bid on.

A biddable deal: forehand's twelve random cards, trumps by length and tops, two plain cards laid to shorten side suits;
of many such deals the share with the best score for the goal.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game.cards import ACE, KING, OVER, SEVEN, TEN, cards_of
from ulti_stats.game.chance import deal_cards

NO_TRUMP = 4


class Deals(NamedTuple):
    """Deals as arrays: `hands` [n, 3] card masks by seat, seat 0 the declarer, `laid` [n] and `trump` [n]."""

    hands: NDArray[np.int64]
    laid: NDArray[np.int64]
    trump: NDArray[np.int64]


def _deal(seed: int, index: int) -> tuple[list[int], int]:
    hands = np.empty(3, np.int64)
    talon = deal_cards(seed, index, hands)
    return [int(hand) for hand in hands], int(talon)


def _suit(hand: int, suit: int) -> int:
    return hand >> (8 * suit) & 0xFF


def _lay(twelve: int, trump: int, held: int = 0) -> int:
    """Return two cards to lay: plain side cards without points from the shortest suits, lowest first."""

    def cost(card: int) -> tuple[int, ...]:
        suit, rank = card >> 3, card & 7
        return (bool(held >> card & 1), suit == trump, rank in (ACE, TEN), _suit(twelve, suit).bit_count(), rank)

    laid = sorted(cards_of(twelve), key=cost)[:2]
    return sum(1 << card for card in laid)


def _tops(hand: int, trump: int) -> int:
    tops = sum(_suit(hand, suit) >> ACE & 1 for suit in range(4))
    return tops + (_suit(hand, trump) >> TEN & 1)


def _trump_score(twelve: int, goal: str, suit: int) -> float:
    """Return how good a suit is as trumps for a goal; -1 where it does not allow the bid."""
    own = _suit(twelve, suit)
    if goal == "forty_hundred" and own & (1 << KING | 1 << OVER) != (1 << KING | 1 << OVER):
        return -1
    if goal == "ulti" and not own >> SEVEN & 1:
        return -1
    return 10 * own.bit_count() + 4 * (own >> ACE & 1) + 3 * (own >> TEN & 1) + 2 * (own >> KING & 1) + (own >> OVER & 1)


def _betli_risk(hand: int) -> float:
    """Return how far the hand is from safe: by suit, the gaps below each card (ten low)."""
    return sum(_suit_risk(_suit(hand, suit)) for suit in range(4))


@cache
def _suit_risk(own: int) -> float:
    ranks = sorted((0, 1, 2, 4, 5, 6, 3, 7)[rank] for rank in cards_of(own))
    return sum(max(0, rank - place) ** 1.5 / (1 + place) for place, rank in enumerate(ranks))


_LOW_TEN = (ACE, KING, OVER, 3, TEN, 2, 1, 0)
_HIGH_TEN = (ACE, TEN, KING, OVER, 3, 2, 1, 0)


def _durchmars_losers(hand: int, trump: int) -> int:
    order = _LOW_TEN if trump == NO_TRUMP else _HIGH_TEN
    return sum(_suit_losers(_suit(hand, suit), order) for suit in range(4))


@cache
def _suit_losers(own: int, order: tuple[int, ...]) -> int:
    """Return the cards of a suit below its run from the top, none where the run draws all the others."""
    run = 0
    for rank in order:
        if not own >> rank & 1:
            break
        run += 1
    length = own.bit_count()
    return length - run if run < 8 - length else 0


def _best_pair(twelve: int, risk) -> tuple[float, int]:
    cards = list(cards_of(twelve))
    pairs = [1 << x | 1 << y for i, x in enumerate(cards) for y in cards[:i]]
    return min((risk(twelve & ~pair), pair) for pair in pairs)


def _plan(twelve: int, goal: str) -> tuple[float, int, int]:
    """Return (score, laid, trump) of forehand's twelve cards for a goal; the higher the score the better."""
    if goal == "betli":
        risk, laid = _best_pair(twelve, _betli_risk)
        return -risk, laid, NO_TRUMP
    if goal == "durchmars_nt":
        losers, laid = _best_pair(twelve, lambda hand: _durchmars_losers(hand, NO_TRUMP))
        return -losers, laid, NO_TRUMP
    if goal == "durchmars":
        trump = max(range(4), key=lambda suit: _trump_score(twelve, "", suit))
        losers, laid = _best_pair(twelve, lambda hand: _durchmars_losers(hand, trump))
        return -losers + 0.3 * _suit(twelve, trump).bit_count(), laid, trump
    trump = max(range(4), key=lambda suit: _trump_score(twelve, goal, suit))
    if _trump_score(twelve, goal, trump) < 0:
        return -np.inf, 0, trump
    held = 1 << (8 * trump + SEVEN) if goal == "ulti" else 0
    if goal == "forty_hundred":
        held = (1 << KING | 1 << OVER) << (8 * trump)
    laid = _lay(twelve, trump, held)
    hand = twelve & ~laid
    return _suit(hand, trump).bit_count() + 1.2 * _tops(hand, trump), laid, trump


def biddable_deals(seed: int, n: int, goal: str, share: float) -> Deals:
    """Return the best `share` of the deals that allow a goal, n of them, in the order dealt."""
    wanted = round(n / share)
    found = []
    index = 0
    while len(found) < wanted:
        hands, talon = _deal(seed, index)
        index += 1
        score, laid, trump = _plan(hands[0] | talon, goal)
        if score > -np.inf:
            found.append((score, len(found), hands[0] | talon, hands, laid, trump))
    best = sorted(found, key=lambda row: (-row[0], row[1]))[:n]
    best.sort(key=lambda row: row[1])
    hands = np.array([[row[2] & ~row[4], row[3][1], row[3][2]] for row in best], np.int64)
    return Deals(hands, np.array([row[4] for row in best], np.int64), np.array([row[5] for row in best], np.int64))


def random_deals(seed: int, n: int) -> Deals:
    """Return n random deals with random trumps; the talon lies as it was dealt."""
    rows = [_deal(seed, index) for index in range(n)]
    trump = np.arange(n, dtype=np.int64) % 4
    return Deals(np.array([hands for hands, _ in rows], np.int64), np.array([talon for _, talon in rows], np.int64), trump)
