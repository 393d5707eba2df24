"""Chance for simulated hands: numbers that depend on (seed, hand, purpose, count) alone.

Every draw is splitmix64's finaliser of a stream key and a counter, so neither worker, batch nor order matters, and a
hand's deal does not depend on who plays it. Words are uint64 throughout; mixing them with int64 would make floats.
"""

from __future__ import annotations

import numpy as np

from ulti_stats.game.jit import inlined, lean

# One stream for each purpose, so that one more draw in the auction does not change the cards.
DEAL, AUCTION, PLAY, KONTRA, FIVE = range(5)

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_ONE = np.uint64(1)


@inlined
def mix(word: np.uint64) -> np.uint64:
    """Return splitmix64's finaliser of a word."""
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@inlined
def stream(seed: int, index: int, purpose: int) -> np.uint64:
    """Return the key of a hand's stream for one purpose."""
    word = mix(np.uint64(seed) + _GAMMA)
    word = mix(word ^ (np.uint64(index) + _GAMMA))
    return mix(word ^ (np.uint64(purpose) + _GAMMA))


@inlined
def draw(key: np.uint64, count: int, n: int) -> int:
    """Return draw number `count` of a stream: a whole number from 0 to n - 1 (n at most 2^31)."""
    word = mix(key + (np.uint64(count) + _ONE) * _GAMMA)
    return np.int64(((word >> _S32) * np.uint64(n)) >> _S32)  # pyright: ignore[reportReturnType]


@inlined
def dealt_to(drawn: int, left_0: int, left_1: int, left_2: int) -> tuple[int, int, int]:
    """Return to whom a card goes, as three numbers of which at most one is 1; none is where it goes to the talon.

    `left_*` are the cards that each seat still gets, `drawn` a number below the cards that are still to be dealt.
    """
    to_0 = int(drawn < left_0)
    to_1 = int(drawn < left_0 + left_1) - to_0
    to_2 = int(drawn < left_0 + left_1 + left_2) - to_0 - to_1
    return to_0, to_1, to_2


@lean
def deal_cards(seed: int, index: int, hands: np.ndarray) -> int:
    """Deal hand `index` of a seed: fill `hands` [3] with masks of ten cards and return the talon's mask.

    Card by card it is drawn who gets it, each with the chance of the cards that he still lacks, so every deal is equally
    likely. There is no shuffled deck: many hands can be dealt in step.
    """
    key = stream(seed, index, DEAL)
    hand_0, hand_1, hand_2 = 0, 0, 0
    left_0, left_1, left_2 = 10, 10, 10
    for card in range(32):
        to_0, to_1, to_2 = dealt_to(draw(key, card, 32 - card), left_0, left_1, left_2)
        hand_0, hand_1, hand_2 = hand_0 | to_0 << card, hand_1 | to_1 << card, hand_2 | to_2 << card
        left_0, left_1, left_2 = left_0 - to_0, left_1 - to_1, left_2 - to_2
    hands[0], hands[1], hands[2] = hand_0, hand_1, hand_2
    return 0xFFFFFFFF & ~(hand_0 | hand_1 | hand_2)


@lean
def first_five(seed: int, index: int, seat: int, hand: int) -> int:
    """Return the mask of the five cards of a hand that its seat gets first where there is an auction on five cards."""
    key = stream(seed, index, FIVE)
    five, wanted, left = 0, 5, 10
    for card in range(32):
        if hand >> card & 1:
            if draw(key, 10 * seat + left, left) < wanted:
                five |= 1 << card
                wanted -= 1
            left -= 1
    return five
