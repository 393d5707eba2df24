"""Batch replay: check every decision of many hands under any rules, and derive everything else, as `replay.py` does for one.

Three kernels take turns: what comes before the first lead hand by hand, the cards in step, then the result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch, new_batch
from ulti_stats.game.batch_checks import check_decisions
from ulti_stats.game.batch_result import finish_hands, new_scratch
from ulti_stats.game.lane_checks import check_plays
from ulti_stats.game.lanes import new_block
from ulti_stats.game.rule_table import RuleTable

# Hands that each of the kernels takes in turn: they then are still in the processor's cache.
STRIDE = 2048
MOST_MARRIAGES_OF_A_HAND = 4


class Replayed(NamedTuple):
    """What a batch comes to: the batch with everything derived, a verdict for each hand (`verdicts.py`) and its place.

    What a hand that is not `SETTLED` came to is not filled in: its TERMINATION is ABANDONED.
    """

    batch: Batch
    verdicts: NDArray[np.int8]
    places: NDArray[np.int16]


def replay_batch(rules: RuleTable, batch: Batch, n_hands: int) -> Replayed:
    """Return the first `n_hands` of a batch replayed under rules; never raises for what a hand decides.

    Of the batch only decisions are read: forehand and dealer, the trump suit that is written (0 to 3, anything else where
    none is), CONCEDED as TERMINATION, the cards dealt (`HAND`, `TALON`, `FIVE`) and laid after the auction (`LAID_AFTER`),
    calls with the cards laid in them, kontras without their levels, and plays (a prefix of the rows, -1 behind it).
    Marriages are those that each seat may declare, at the first moment that the rules allow. The batch that is returned
    shares calls and plays with the one given, which stays as it was.
    """
    derived = _with_decisions_of(batch, n_hands)
    verdicts, places = np.zeros(n_hands, np.int8), np.zeros(n_hands, np.int16)
    scratch, (block, _) = new_scratch(), new_block()
    for first in range(0, n_hands, STRIDE):
        end = min(first + STRIDE, n_hands)
        check_decisions(rules, first, end, scratch, derived, verdicts, places)
        check_plays(rules, first, end, scratch.facts, block, derived, verdicts, places)
        finish_hands(rules, first, end, scratch, derived)
    return Replayed(derived, verdicts, places)


def _with_decisions_of(batch: Batch, n: int) -> Batch:
    """Return a batch that has the decisions of another and nothing else."""
    n_kontras = int(batch.kontra_start[n])
    fresh = new_batch(n, n_calls=0, n_kontras=n_kontras)
    for row in (b.FOREHAND, b.DEALER, b.TRUMP, b.TERMINATION):
        fresh.meta[row] = batch.meta[row, :n]
    for first, end in ((b.HAND, b.LAID), (b.LAID_AFTER, b.N_MASKS)):
        fresh.masks[first:end] = batch.masks[first:end, :n]
    fresh.kontras[: b.KONTRA_LEVEL] = batch.kontras[: b.KONTRA_LEVEL, :n_kontras]
    fresh.kontra_start[:] = batch.kontra_start[: n + 1]
    return fresh._replace(
        plays=np.ascontiguousarray(batch.plays[:, :n]),
        calls=batch.calls,
        laid=batch.laid,
        call_start=batch.call_start,
        marriages=np.zeros((3, n * MOST_MARRIAGES_OF_A_HAND), np.int8),
    )
