"""Hands a second of the kernels, on one core: deal, auction, play, score; columns, file; replay."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.measuring import Row, rate
from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch, Run, new_batch
from ulti_stats.game.batch_replay import replay_batch
from ulti_stats.game.batch_result import new_scratch
from ulti_stats.game.cards import FULL_DECK
from ulti_stats.game.jit import lean
from ulti_stats.game.lane_checks import check_plays
from ulti_stats.game.lanes import LANES, Words, deal_lanes, new_block
from ulti_stats.game.rule_table import IntArray, rule_table
from ulti_stats.sources import simulate as simulation
from ulti_stats.sources.lockstep import play_in_step
from ulti_stats.sources.simulate import fill_batch, new_table, plan_run
from ulti_stats.store.batches import encode_batch
from ulti_stats.store.files import write_hands

GROUP = "kernels, one core"


def kernel_rows(*, n_hands: int, repeats: int) -> Iterator[Row]:
    """Yield hands a second of each kernel."""
    alone = plan_run(seed=1, players="random", contract="ulti")
    yield _card_play(alone, n_hands, repeats)
    yield _played(alone, n_hands, repeats, "random players, contract given, whole hands")
    yield _played(plan_run(seed=1, players="random"), n_hands, repeats, "random players, whole hands", goal=1.0)
    yield _played(plan_run(seed=1, players="club"), n_hands // 4, repeats, "club players, whole hands", goal=0.2)
    yield from _replayed(plan_run(seed=1, players="random"), n_hands, repeats)
    for players in ("random", "club"):
        yield from _stored(plan_run(seed=1, players=players), n_hands, repeats)


def _played(run: Run, n_hands: int, repeats: int, name: str, *, goal: float | None = None) -> Row:
    table, batch = new_table(run), new_batch(n_hands)

    def work() -> None:
        fill_batch(table, 0, n_hands, batch)

    work()
    return rate(GROUP, name, n_hands, work, repeats=repeats, goal=goal)


@lean
def _deal(seed: int, bid: int, trump: int, first: int, end: int, block: IntArray, keys: Words, batch: Batch) -> None:
    """Deal hands to columns of a batch for play at a contract: seat 0 declares and leads, the talon lies as it is dealt."""
    for start in range(first, end, LANES):
        n_lanes = min(LANES, end - start)
        deal_lanes(seed, start, n_lanes, block, keys)
        for seat in range(3):
            for i in range(n_lanes):
                batch.masks[b.HAND + seat, start + i] = batch.masks[b.AT_PLAY + seat, start + i] = block[LANES * seat + i]
        for i in range(n_lanes):
            n = start + i
            talon = FULL_DECK & ~(batch.masks[b.HAND, n] | batch.masks[b.HAND + 1, n] | batch.masks[b.HAND + 2, n])
            batch.masks[b.TALON, n] = batch.masks[b.LAID, n] = talon
            batch.meta[b.BID, n], batch.meta[b.TRUMP, n] = bid, trump


def _card_play(run: Run, n_hands: int, repeats: int) -> Row:
    """Return hands a second of deal, plays, winners and points at a contract, without the notes of an auction."""
    table, batch = new_table(run), new_batch(n_hands)
    bid, leaves = int(table.given[0]), 1

    def work() -> None:
        for first in range(0, n_hands, simulation.STRIDE):
            end = min(first + simulation.STRIDE, n_hands)
            _deal(table.seed, bid, leaves, first, end, table.block, table.keys, batch)
            room = (table.view, table.scratch, table.block, table.keys, batch)
            play_in_step(table.rules, table.policies, table.given, table.seed, first, first, end, *room)

    work()
    name = "random players, card play alone: deal, plays, winners, points"
    return rate(GROUP, name, n_hands, work, repeats=repeats, goal=4.0)


def _replayed(run: Run, n_hands: int, repeats: int) -> Iterator[Row]:
    """Yield what it takes to check cards and derive winners and points, and to check and derive everything."""
    batch, rules = new_batch(n_hands), rule_table(run.rules)
    fill_batch(new_table(run), 0, n_hands, batch)
    derived = replay_batch(rules, batch, n_hands).batch
    facts, (block, _) = new_scratch().facts, new_block()
    verdicts, places = np.zeros(n_hands, np.int8), np.zeros(n_hands, np.int16)

    def check() -> None:
        for first in range(0, n_hands, simulation.STRIDE):
            check_plays(rules, first, min(first + simulation.STRIDE, n_hands), facts, block, derived, verdicts, places)

    yield rate(GROUP, "replay of cards: legal, winners, points", n_hands, check, repeats=repeats, goal=3.0)
    whole = functools.partial(replay_batch, rules, batch, n_hands)
    yield rate(GROUP, "replay of everything: auction, kontras, cards, units", n_hands, whole, repeats=repeats)


def _stored(run: Run, n_hands: int, repeats: int) -> Iterator[Row]:
    """Yield what it takes to make columns of hands, and a file of the columns."""
    batch = new_batch(n_hands)
    fill_batch(new_table(run), 0, n_hands, batch)
    players, encode = run.players[0], functools.partial(encode_batch, batch, n_hands, run, first=0)
    rows = encode()
    yield rate(GROUP, f"{players}: columns with identity", n_hands, encode, repeats=repeats)
    with tempfile.TemporaryDirectory() as folder:
        write = functools.partial(write_hands, Path(folder) / "hands.parquet", [rows])
        yield rate(GROUP, f"{players}: Parquet file", n_hands, write, repeats=repeats)
