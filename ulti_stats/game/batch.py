"""Many hands as arrays: what a simulation kernel fills in and the store turns into columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game.bids import N_COMPONENTS, N_PARTS
from ulti_stats.game.play import N_FACTS
from ulti_stats.game.rulesets import Ruleset
from ulti_stats.game.scoring import N_OUTCOME

# Columns of Batch.meta.
FOREHAND = 0
DEALER = 1  # -1 where a fourth dealt
DECLARER = 2  # -1 in a passed-out deal
BID = 3  # bid number, -1
TRUMP = 4  # suit, 4 without trumps, -1 where none was named
TERMINATION = 5  # in the order of TERMINATIONS
N_PLAYED = 6
N_BIDS = 7
N_PICKUPS = 8
PICKUP_IS_DEALT = 9
FACTOR = 10  # what named parts are multiplied by: 1, or that of a bid kept from the five-card round
N_META = 11
TERMINATIONS = ("played", "conceded", "passed_out", "abandoned")
PLAYED, CONCEDED, PASSED_OUT = 0, 1, 2

# Columns of Batch.masks.
HAND = 0  # +0, +1, +2: as dealt
TALON = 3
LAID = 4
PICKUP = 5  # 0 without a pickup
AT_PLAY = 6  # +0 declarer, +1, +2 defenders after him
LAID_AFTER = 9  # laid after the auction where its winner takes the talon, else 0
FIVE = 10  # +0, +1, +2: the first five cards of each seat in the two-round auction, else 0
N_MASKS = 13

# Columns of the ragged rows.
CALL_COLUMNS = 5  # seat, bid number (-1 a pass), discard (0 none), hold, round
KONTRA_COLUMNS = 7  # seat, part, against (-1), after_play, level, step gain, decision gain
MARRIAGE_COLUMNS = 3  # seat, suit, play

# Room for ragged rows per hand; a batch that runs out of it ends early.
CALLS_PER_HAND, KONTRAS_PER_HAND, MARRIAGES_PER_HAND = 16, 6, 4
MOST_CALLS, MOST_KONTRAS, MOST_MARRIAGES = 200, 64, 12


class Batch(NamedTuple):
    """Arrays over n hands: `meta` [n, 11], `masks` [n, 13], `plays` [n, 30], `facts` [n, 20], `outcome` [n, 16],
    `units` [n, 14, 2], `levels` [n, 7, 2], `payoffs` [n, 3], and calls, kontras and marriages as rows with the place
    of each hand's first row in `*_start` [n + 1]."""

    meta: NDArray[np.int8]
    masks: NDArray[np.int64]
    plays: NDArray[np.int8]
    facts: NDArray[np.int32]
    outcome: NDArray[np.int8]
    units: NDArray[np.int16]
    levels: NDArray[np.int8]
    payoffs: NDArray[np.int32]
    calls: NDArray[np.int64]
    call_start: NDArray[np.int64]
    kontras: NDArray[np.int64]
    kontra_start: NDArray[np.int64]
    marriages: NDArray[np.int64]
    marriage_start: NDArray[np.int64]


def new_batch(n_hands: int) -> Batch:
    """Return empty arrays for `n_hands` hands."""
    return Batch(
        meta=np.zeros((n_hands, N_META), np.int8),
        masks=np.zeros((n_hands, N_MASKS), np.int64),
        plays=np.zeros((n_hands, 30), np.int8),
        facts=np.zeros((n_hands, N_FACTS), np.int32),
        outcome=np.zeros((n_hands, N_OUTCOME), np.int8),
        units=np.zeros((n_hands, N_COMPONENTS, 2), np.int16),
        levels=np.zeros((n_hands, N_PARTS, 2), np.int8),
        payoffs=np.zeros((n_hands, 3), np.int32),
        calls=np.zeros((n_hands * CALLS_PER_HAND + MOST_CALLS, CALL_COLUMNS), np.int64),
        call_start=np.zeros(n_hands + 1, np.int64),
        kontras=np.zeros((n_hands * KONTRAS_PER_HAND + MOST_KONTRAS, KONTRA_COLUMNS), np.int64),
        kontra_start=np.zeros(n_hands + 1, np.int64),
        marriages=np.zeros((n_hands * MARRIAGES_PER_HAND + MOST_MARRIAGES, MARRIAGE_COLUMNS), np.int64),
        marriage_start=np.zeros(n_hands + 1, np.int64),
    )


class Seating(NamedTuple):
    """Who sits where in one deal: policies by seat, that of the fourth who sits out, the seats of dealer and forehand."""

    players: tuple[str, str, str]
    sitting_out: str | None
    dealer: int | None
    forehand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What all hands of a simulation share: rules as preset and options, policies by person, seed, engine version."""

    rules: Ruleset
    preset: str
    options: Mapping[str, Any] | None
    players: tuple[str, ...]
    seed: int
    engine: str

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """Return the seating by dealer; the deal passes round the table, so hand i has number i mod their number.

        Of three, each keeps a seat. Of four, the dealer sits out and the others sit in order of play from his neighbour on.
        """
        first, people = self.rules.first_speaker, self.players
        if len(people) == 3:
            three = (people[0], people[1], people[2])
            return tuple(Seating(three, None, dealer, first(dealer)) for dealer in range(3))
        after = [tuple(people[(dealer + place) % 4] for place in (1, 2, 3)) for dealer in range(4)]
        # Forehand sits on one side of the dealer or the other: first or last in the order of play.
        forehand = 0 if first(0) == 1 else 2
        return tuple(Seating((a, b, c), people[dealer], None, forehand) for dealer, (a, b, c) in enumerate(after))

    @property
    def source(self) -> str:
        """Return the text that names this run among the sources of a hand."""
        return f"simulate seed {self.seed}"

    @property
    def app_id(self) -> str:
        """Return the text that names the family of runs that differ only in their number of hands."""
        return f"simulate/{self.engine}/{self.rules.digest}/{self.preset}/{','.join(self.players)}/{self.seed}"
