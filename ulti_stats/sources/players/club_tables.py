"""What the `club` player thinks of a suit: one number for each of its 256 patterns, as trumps and as a side suit.

A hand's score for a goal is the number of its trump suit plus those of its side suits, in hundredths of a logit; `CHANCE`
turns a score into the chance to make it. The weights below were fitted to the results of club play (docs/players.md).
Because scores add up suit by suit, the best two cards to lay are found by adding as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game.cards import ACE, TEN
from ulti_stats.sources.players.club_data import BETLI_RISK_BEAT, BETLI_RISK_FREE, RUNS

# Goals that are scored by weights.
SIMPLE, FORTY, TWENTY, ULTI = range(4)
N_GOALS = 4
# Tables of side suits: 4 x goal + 2 x (laid points are the declarer's) + (the ten is low), and three of exact odds.
BETLI_BEAT, BETLI_FREE, RUN = 4 * N_GOALS, 4 * N_GOALS + 1, 4 * N_GOALS + 2
N_TABLES = 4 * N_GOALS + 3
HOPELESS = -2000

# fmt: off
# A side suit: what is true of its pattern -> weight for simple, 40-100, 20-100, ulti.
SIDE_WEIGHTS: dict[str, tuple[int, int, int, int]] = {
    "one card":               ( -71, -134, -210,    7),
    "two cards":              (-104, -214, -335,  -88),
    "three cards":            ( -47, -154, -222, -112),
    "four cards":             ( -70, -138, -225, -102),
    "five cards or more":     ( -72,  -92, -116, -146),
    "ace":                    ( 137,  228,  324,   67),
    "ace and ten":            (  69,  123,  175,   41),
    "ace with three or more": (  -1,   19,    3,  -30),
    "bare ten":               (-115, -182,  -94,   32),
    "ten with one card":      (  74,  124,  175,   28),
    "ten with two or more":   (  73,  152,  319,    8),
    "king with the ace":      (  40,    2,  -34,    7),
    "king without the ace":   (  47,   19, -105,   22),
    "marriage":               ( 128,    6,  -17,   15),
    "ace with four or more":  (  28,   -8,  123,   27),
    "an ace or ten laid":     (-110,  -22, -183,    2),
}
# The trump suit; the base goes to every hand.
TRUMP_WEIGHTS: dict[str, tuple[int, int, int, int]] = {
    "base":                  (-449, -369, -836,   27),
    "one or two cards":      (   0, -346,  -97, -389),
    "three cards":           (-111, -233, -249, -178),
    "five cards":            ( 117,  140,   98,  148),
    "six cards":             ( 187,  238,  214,  390),
    "seven cards or more":   ( 161,  281,  228,  339),
    "ace":                   ( 206,  278,  262,   41),
    "ten":                   ( 153,  212,  192,   16),
    "ace and ten":           ( -34,  -58,   13,  -18),
    "king":                  ( 127,   -1,   23,    3),
    "over":                  ( 113,   -1,   10,    4),
    "marriage":              ( 176,   -1,   11,    0),
    "seven":                 (  -4,   -4,    5,    0),
    "ace with five or more": ( -14,    1,   68,   24),
}
# fmt: on


def side_features(pattern: int, ten: int) -> list[bool]:
    """Return which rows of `SIDE_WEIGHTS` (but for the last) hold of a side suit whose ten is bit `ten`."""
    n = pattern.bit_count()
    king = 6 if ten < 6 else 5
    has_ace, has_ten = bool(pattern >> 7 & 1), bool(pattern >> ten & 1)
    has_king, has_over = bool(pattern >> king & 1), bool(pattern >> (king - 1) & 1)
    return [
        n == 1,
        n == 2,
        n == 3,
        n == 4,
        n >= 5,
        has_ace,
        has_ace and has_ten,
        has_ace and n >= 3,
        has_ten and not has_ace and n == 1,
        has_ten and not has_ace and n == 2,
        has_ten and not has_ace and n >= 3,
        has_king and has_ace,
        has_king and not has_ace and n >= 2,
        has_king and has_over,
        has_ace and n >= 4,
    ]


def trump_features(pattern: int) -> list[bool]:
    """Return which rows of `TRUMP_WEIGHTS` hold of a trump suit."""
    n = pattern.bit_count()
    has_ace, has_ten, has_king, has_over = (bool(pattern >> bit & 1) for bit in (7, 6, 5, 4))
    return [
        True,
        n <= 2,
        n == 3,
        n == 5,
        n == 6,
        n >= 7,
        has_ace,
        has_ten,
        has_ace and has_ten,
        has_king,
        has_over,
        has_king and has_over,
        bool(pattern & 1),
        has_ace and n >= 5,
    ]


def _trump_values() -> NDArray[np.int64]:
    weights = np.array(list(TRUMP_WEIGHTS.values()), np.int64)
    features = np.array([trump_features(pattern) for pattern in range(256)], np.int64)
    return (features @ weights).T.copy()


def _after_laying(kept: NDArray[np.int64], cost: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return values and masks of the best 0, 1 and 2 cards to lay, each [3, 256], from the value of what is kept."""
    patterns = np.arange(256)
    values = np.full((3, 256), 4 * HOPELESS, np.int64)
    laid = np.zeros((3, 256), np.int64)
    values[0] = kept
    for n in (1, 2):
        for bit in range(8):
            rest = patterns ^ (1 << bit)
            value = np.where(patterns >> bit & 1, values[n - 1][rest] + cost[bit], 4 * HOPELESS)
            # Of equal cards the lower goes: later bits must be better.
            better = value > values[n]
            values[n] = np.where(better, value, values[n])
            laid[n] = np.where(better, laid[n - 1][rest] | 1 << bit, laid[n])
    return values, laid


def _log(chance: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.where(chance > 0, np.round(100 * np.log(np.maximum(chance, 1e-9))), HOPELESS).astype(np.int64)


def _side_tables() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    values, laid = np.zeros((N_TABLES, 3, 256), np.int64), np.zeros((N_TABLES, 3, 256), np.int64)
    weights = np.array(list(SIDE_WEIGHTS.values()), np.int64)
    for is_low in range(2):
        ten = 3 if is_low else TEN
        features = np.array([side_features(pattern, ten) for pattern in range(256)], np.int64)
        for goal in range(N_GOALS):
            kept = features @ weights[:-1, goal]
            for is_own in range(2):
                cost = np.zeros(8, np.int64)
                cost[[ten, ACE]] = weights[-1, goal] if not is_own else 0
                table = 4 * goal + 2 * is_own + is_low
                values[table], laid[table] = _after_laying(kept, cost)
    free = np.zeros(8, np.int64)
    for table, chance in ((BETLI_BEAT, 1 - BETLI_RISK_BEAT), (BETLI_FREE, 1 - BETLI_RISK_FREE), (RUN, RUNS)):
        values[table], laid[table] = _after_laying(_log(chance), free)
    return values, laid


def _first_lead() -> NDArray[np.int64]:
    """Return what one lead can add to the value of a suit in betli: a card goes that somebody has to beat."""
    values = _log(1 - BETLI_RISK_BEAT)
    gain = np.full(256, HOPELESS, np.int64)
    for pattern in range(256):
        outstanding = 255 ^ pattern
        for bit in range(8):
            if pattern >> bit & 1 and outstanding >> bit:
                gain[pattern] = max(gain[pattern], values[pattern ^ (1 << bit)] - values[pattern])
    return gain


def _chances() -> NDArray[np.int64]:
    score = np.arange(-LIMIT, LIMIT + 1) / 100
    return np.round(1000 / (1 + np.exp(-score))).astype(np.int64)


def _curve(points: tuple[tuple[float, int], ...]) -> NDArray[np.int64]:
    """Return permille by -100 x the logarithm of a product of odds, 0 to `LIMIT`, straight between the points."""
    product = np.exp(-np.arange(LIMIT + 1) / 100)
    return np.round(np.interp(product, [x for x, _ in points], [y for _, y in points])).astype(np.int64)


LIMIT = 600
CHANCE = _chances()  # permille by score + LIMIT
# Made in play by the product of exact odds: defenders do not see the cards.
BETLI_MADE = _curve(((0, 150), (0.05, 250), (0.15, 370), (0.3, 490), (0.5, 570), (0.7, 730), (0.9, 780), (1, 940)))
RUN_MADE = _curve(((0, 20), (0.2, 250), (0.5, 560), (0.8, 830), (1, 990)))
TRUMP_VALUES = _trump_values()  # [goal, pattern]
SIDE_VALUES, SIDE_LAID = _side_tables()  # [table, cards laid, pattern]
FIRST_LEAD = _first_lead()
