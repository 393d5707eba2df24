"""Chance for simulated hands: numbers that depend on (seed, hand, purpose, count) alone.

Every draw is splitmix64's finaliser of a stream key and a counter, so neither worker, batch nor order matters, and a
hand's deal does not depend on who plays it. Words are uint64 throughout; mixing them with int64 would make floats.
"""

from __future__ import annotations

import numpy as np

from ulti_stats.game.jit import inlined, kernel

# One stream for each purpose, so that one more draw in the auction does not change the cards.
DEAL, AUCTION, PLAY, KONTRA = range(4)

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


@kernel
def deal_cards(seed: int, index: int, deck: np.ndarray, hands: np.ndarray) -> int:
    """Deal hand `index` of a seed: fill `hands` [3] with masks of ten cards and return the talon's mask.

    `deck` [32] is working space and holds the shuffled cards afterwards, ten a seat in the order dealt. A Fisher-Yates
    shuffle; only the first thirty places are drawn.
    """
    key = stream(seed, index, DEAL)
    for card in range(32):
        deck[card] = card
    hands[:] = 0
    for place in range(30):
        other = place + draw(key, place, 32 - place)
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card
        hands[place // 10] |= np.int64(1) << card
    return (np.int64(1) << deck[30]) | (np.int64(1) << deck[31])
