"""Layouts of the cards that a declarer does not see: drawn alike, the same ones for every question about his hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ulti_stats.errors import UltiError
from ulti_stats.game.cards import ACE, FULL_DECK, TEN
from ulti_stats.game.chance import draw, mix, stream
from ulti_stats.game.jit import kernel, popcount
from ulti_stats.game.rule_table import IntArray

# Purposes of streams beside those of `chance`: worlds to choose by, and others to value the choice with.
CHOOSING, VALUING = 8, 9
# A layout is drawn at most so often until those who passed hold hands on which one passes.
MOST_TRIES = 1000


@dataclass(frozen=True, slots=True)
class Known:
    """What a declarer knows of the cards: the ten or twelve that he holds, and how many spoke before him and passed.

    With twelve cards the two that he will lay are among them; with ten, two unknown ones lie in the talon.
    """

    own: int
    n_passed: int = 0

    def __post_init__(self) -> None:
        if self.own.bit_count() not in (10, 12):
            raise UltiError(f"{self.own.bit_count()} cards; a hand to evaluate has 10, or 12 with the talon taken up")
        if not 0 <= self.n_passed <= 2:
            raise UltiError(f"after {self.n_passed} passes is not possible; right is 0, 1 or 2")

    @property
    def unseen(self) -> int:
        """Return the cards that lie elsewhere, a mask."""
        return FULL_DECK & ~self.own


def sample_layouts(known: Known, n_worlds: int, *, seed: int, first: int = 0, purpose: int = VALUING) -> IntArray:
    """Return layouts `first` to `first + n_worlds - 1` as masks [n, 3]: first defender, second defender, talon.

    A layout depends on seed, own cards, purpose and its number alone. The talon is 0 where the declarer holds twelve.
    Raises `UltiError` where no layout fits the passes.
    """
    layouts = np.zeros((n_worlds, 3), np.int64)
    drawn = _sample(seed, purpose, first, known.own, known.unseen, known.n_passed, layouts)
    if drawn < n_worlds:
        raise UltiError(f"no layout in {MOST_TRIES} fits {known.n_passed} passes; ask without them")
    return layouts


@kernel
def _sample(seed: int, purpose: int, first: int, own: int, unseen: int, n_passed: int, layouts: IntArray) -> int:
    deck = np.empty(22, np.int64)
    n = popcount(unseen)
    for world in range(layouts.shape[0]):
        key = mix(stream(seed, first + world, purpose) ^ np.uint64(own))
        count = 0
        fits = False
        for _ in range(MOST_TRIES):
            place = 0
            for card in range(32):
                if unseen >> card & 1:
                    deck[place] = card
                    place += 1
            layouts[world, :] = 0
            for place in range(n):
                other = place + draw(key, count, n - place)
                count += 1
                card = deck[other]
                deck[other] = deck[place]
                deck[place] = card
                layouts[world, place // 10] |= np.int64(1) << card
            # Who spoke last before him is the second defender.
            fits = (n_passed < 1 or not _opens(layouts[world, 1])) and (n_passed < 2 or not _opens(layouts[world, 0]))
            if fits:
                break
        if not fits:
            return world
    return layouts.shape[0]


@kernel
def _opens(hand: int) -> bool:
    """Return whether ten cards are worth a simple game: four trumps with three tops, or five with two.

    Tops are ace and ten of trumps and the other aces.
    """
    aces = 0
    for suit in range(4):
        aces += hand >> (8 * suit + ACE) & 1
    for suit in range(4):
        trumps = popcount(hand >> (8 * suit) & 0xFF)
        tops = aces + (hand >> (8 * suit + TEN) & 1)
        if (trumps >= 4 and tops >= 3) or (trumps >= 5 and tops >= 2):
            return True
    return False
