"""Many hands as columns: what a simulation kernel fills in and the store writes out as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game.bids import N_COMPONENTS, N_PARTS
from ulti_stats.game.cards import SUIT_NAMES
from ulti_stats.game.play import N_FACTS
from ulti_stats.game.rulesets import Ruleset

# Rows of Batch.meta.
FOREHAND = 0
DEALER = 1  # -1 where a fourth dealt
DECLARER = 2  # -1 in a passed-out deal
BID = 3  # bid number, -1
TRUMP = 4  # suit, 4 without trumps, -1 where none was named
TERMINATION = 5  # in the order of TERMINATIONS
N_PLAYED = 6
N_BIDS = 7
N_PICKUPS = 8
FACTOR = 9  # what parts are multiplied by: 1, or that of a bid kept from the five-card round
N_META = 10
TERMINATIONS = ("played", "conceded", "passed_out", "abandoned")
PLAYED, CONCEDED, PASSED_OUT, ABANDONED = 0, 1, 2, 3

# Rows of Batch.masks.
HAND = 0  # +0, +1, +2: as dealt
TALON = 3
LAID = 4
PICKUP = 5  # 0 without a pickup
AT_PLAY = 6  # +0 declarer, +1, +2 defenders after him
LAID_AFTER = 9  # laid after the auction where its winner takes the talon, else 0
FIVE = 10  # +0, +1, +2: the first five cards of each seat in the two-round auction, else 0
N_MASKS = 13

# Rows of the ragged arrays, of which each hand has some columns.
CALL_SEAT, CALL_BID, CALL_TRUMP, CALL_HOLD, CALL_ROUND = range(5)  # bid number or -1 for a pass; trump -1 where not named
KONTRA_SEAT, KONTRA_PART, KONTRA_AGAINST, KONTRA_AFTER, KONTRA_LEVEL = range(5)  # against -1 where nobody is named
STEP_GAIN, DECISION_GAIN = range(2)
MARRIAGE_SEAT, MARRIAGE_SUIT, MARRIAGE_PLAY = range(3)

# Room for ragged columns a hand; a batch that runs out of it ends early.
CALLS_PER_HAND, KONTRAS_PER_HAND, MARRIAGES_PER_HAND = 12, 4, 3
MOST_CALLS, MOST_KONTRAS, MOST_MARRIAGES = 200, 64, 12


class Batch(NamedTuple):
    """Columns of n hands, a row for each quantity: `meta` [10, n], `masks` [13, n], `plays` [30, n] (-1 not played), `facts`
    [20, n] in the order of `play.py`, `outcome` [14, n] (-1 not in play), `units` [14, 2, n], `levels` [7, 2, n] and
    `payoffs` [3, n].

    Calls (`calls` [5, m] and the cards laid in each, `laid` [m], 0 without), kontras (`kontras` [5, m], `gains` [2, m]) and
    `marriages` [3, m] stand one hand behind the other; `*_start` [n + 1] says where each hand's begin.
    """

    meta: NDArray[np.int8]
    masks: NDArray[np.int64]
    plays: NDArray[np.int8]
    facts: NDArray[np.int32]
    outcome: NDArray[np.int8]
    units: NDArray[np.int32]
    levels: NDArray[np.int8]
    payoffs: NDArray[np.int32]
    calls: NDArray[np.int8]
    laid: NDArray[np.int64]
    call_start: NDArray[np.int32]
    kontras: NDArray[np.int8]
    gains: NDArray[np.int32]
    kontra_start: NDArray[np.int32]
    marriages: NDArray[np.int8]
    marriage_start: NDArray[np.int32]


def clear_hands(batch: Batch, first: int, end: int) -> None:
    """Make columns `first` to `end - 1` of a batch that was filled as good as new."""
    for rows in (batch.meta, batch.masks, batch.facts, batch.units, batch.levels, batch.payoffs):
        rows[..., first:end] = 0
    batch.plays[:, first:end] = -1
    batch.outcome[:, first:end] = -1


def new_batch(n_hands: int, *, n_calls: int | None = None, n_kontras: int | None = None) -> Batch:
    """Return empty columns for `n_hands` hands, with room for that many calls and kontras or for what hands need on average."""
    n_calls = n_hands * CALLS_PER_HAND + MOST_CALLS if n_calls is None else n_calls
    n_kontras = n_hands * KONTRAS_PER_HAND + MOST_KONTRAS if n_kontras is None else n_kontras
    return Batch(
        meta=np.zeros((N_META, n_hands), np.int8),
        masks=np.zeros((N_MASKS, n_hands), np.int64),
        plays=np.full((30, n_hands), -1, np.int8),
        facts=np.zeros((N_FACTS, n_hands), np.int32),
        outcome=np.full((N_COMPONENTS, n_hands), -1, np.int8),
        units=np.zeros((N_COMPONENTS, 2, n_hands), np.int32),
        levels=np.zeros((N_PARTS, 2, n_hands), np.int8),
        payoffs=np.zeros((3, n_hands), np.int32),
        calls=np.zeros((5, n_calls), np.int8),
        laid=np.zeros(n_calls, np.int64),
        call_start=np.zeros(n_hands + 1, np.int32),
        kontras=np.zeros((5, n_kontras), np.int8),
        gains=np.zeros((2, n_kontras), np.int32),
        kontra_start=np.zeros(n_hands + 1, np.int32),
        marriages=np.zeros((3, n_hands * MARRIAGES_PER_HAND + MOST_MARRIAGES), np.int8),
        marriage_start=np.zeros(n_hands + 1, np.int32),
    )


class Seating(NamedTuple):
    """Who sits where in one deal: names by seat, that of the fourth who sits out, the seats of dealer and forehand."""

    players: tuple[str, str, str]
    sitting_out: str | None
    dealer: int | None
    forehand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What all hands of a simulation share: rules as preset and options, policies by person, seed, engine version.

    `contract` is a bid id where forehand is given one, `trump` its suit where that is given too.
    """

    rules: Ruleset
    preset: str
    options: Mapping[str, Any] | None
    players: tuple[str, ...]
    seed: int
    engine: str
    contract: str | None = None
    trump: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the people: their policies, with the contract that is given. Hands with one are no others'."""
        if self.contract is None:
            return self.players
        suit = "" if self.trump is None else f" in {SUIT_NAMES[self.trump]}"
        return tuple(f"{policy} given {self.contract}{suit}" for policy in self.players)

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """Return the seating by dealer; the deal passes round the table, so hand i has number i mod their number.

        Of three, each keeps a seat. Of four, the dealer sits out and the others sit in order of play from his neighbour on.
        """
        first, people = self.rules.first_speaker, self.names
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
        return f"simulate/{self.engine}/{self.rules.digest}/{self.preset}/{','.join(self.names)}/{self.seed}"
