"""Kernels compiled ahead: once after an installation, several at a time, a process each.

A kernel is compiled when it is first called, one after the other. Together they take a minute of one processor; shared out
among processes, half of that on two. What they compile lies in the cache, where the process that asked finds it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, product
from typing import NamedTuple

import numpy as np

from ulti_stats.game.jit import are_compiled
from ulti_stats.game.rulesets import ruleset


class Job(NamedTuple):
    """Kernels that are compiled together, about how many seconds they take, and how: by calling them for nothing or one deal."""

    kernels: tuple[str, ...]
    seconds: float
    run: Callable[[], object]


def _auction() -> None:
    from ulti_stats.game.batch import new_batch
    from ulti_stats.sources.simulate import fill_batch, new_table, plan_run
    from ulti_stats.sources.table import bid_hands

    table = new_table(plan_run(seed=1, players="random"))
    people = (table.rules, table.policies, table.dealers, table.forehands, table.given)
    bid_hands(*people, 1, 0, 0, 0, table.view, table.scratch, table.block, table.keys, new_batch(0))
    fill_batch(table, 0, 0, new_batch(0))


def _play(players: str) -> None:
    from ulti_stats.game.batch import new_batch
    from ulti_stats.sources.lockstep import play_in_step
    from ulti_stats.sources.simulate import new_table, plan_run
    from ulti_stats.sources.table_play import play_hands

    table = new_table(plan_run(seed=1, players=players))
    seats = (table.rules, table.policies, table.given, 1, 0, 0, 0, table.view, table.scratch)
    if players == "random":
        play_in_step(*seats, table.block, table.keys, new_batch(0))
    else:
        play_hands(*seats, new_batch(0))


def _result() -> None:
    from ulti_stats.game.batch import new_batch
    from ulti_stats.game.batch_result import finish_hands, new_scratch
    from ulti_stats.game.rule_table import rule_table

    finish_hands(rule_table(ruleset()), 0, 0, new_scratch(), new_batch(0))


def _columns() -> None:
    from ulti_stats.game.batch import new_batch
    from ulti_stats.sources.simulate import plan_run
    from ulti_stats.store.batches import encode_batch

    encode_batch(new_batch(1), 0, plan_run(seed=1, players="random"), first=0)


def _replay() -> None:
    from ulti_stats.game.batch import new_batch
    from ulti_stats.game.batch_checks import check_decisions
    from ulti_stats.game.batch_result import new_scratch
    from ulti_stats.game.lane_checks import check_plays
    from ulti_stats.game.lanes import new_block
    from ulti_stats.game.rule_table import rule_table

    table, scratch, (block, _) = rule_table(ruleset()), new_scratch(), new_block()
    verdicts, places = np.zeros(0, np.int8), np.zeros(0, np.int16)
    check_decisions(table, 0, 0, scratch, new_batch(0), verdicts, places)
    check_plays(table, 0, 0, scratch.facts, block, new_batch(0), verdicts, places)


def _solve(*goals: str) -> None:
    """Solve a deal in which everybody holds ten cards in a row, for components or for units."""
    from ulti_stats.game.bids import BID_IDS, Component
    from ulti_stats.game.solver.position import deals
    from ulti_stats.game.solver.solve import Measure, Solver

    rules = ruleset()
    ten = (1 << 10) - 1
    deal = deals(
        rules,
        hands=[ten, ten << 10, ten << 20],
        laid=3 << 30,
        bid=BID_IDS["ulti"],
        trump=0,
        declarer=0,
    )
    for goal in goals:
        Solver(rules).values(deal, Measure.UNITS if goal == "units" else Component[goal])


_PARTS = ("SIMPLE", "ULTI", "SILENT_DURCHMARS", "SILENT_FOUR_ACES")
# Seconds of a processor, those of units behind parts, and of play in step behind play.
JOBS: dict[str, Job] = {
    "parts": Job(("solve_points", "solve_seven", "solve_tricks", "solve_aces"), 13.9, lambda: _solve(*_PARTS)),
    "units": Job(("solve_units",), 7.6, lambda: _solve("units")),
    "auction": Job(("bid_hands",), 9.5, _auction),
    "play": Job(("play_hands",), 7.5, lambda: _play("club")),
    "play in step": Job(("play_in_step",), 3.5, lambda: _play("random")),
    "result": Job(("finish_hands",), 3.5, _result),
    "columns": Job(("_hash_hands",), 4.2, _columns),
    "replay": Job(("check_decisions", "check_plays"), 5.5, _replay),
}
REPLAY, UNITS, PARTS = ("result", "replay"), ("units",), ("parts",)
# What the later calls, the earlier has compiled: a process does both.
_TOGETHER = (("parts", "units"), ("play", "play in step"))
# The longest of those takes as long as a third of all.
_MOST_SHARES = 3


def for_players(players: str) -> tuple[str, ...]:
    """Return the jobs that a simulation with these players needs; `players` is as in `plan_run`.

    >>> for_players("random")
    ('auction', 'result', 'columns', 'play in step')
    """
    are_random = set(players.replace(" ", "").split(",")) == {"random"}
    return ("auction", "result", "columns", "play in step" if are_random else "play")


def missing(jobs: Iterable[str]) -> list[str]:
    """Return the jobs whose kernels are not all in the cache."""
    wanted = set(jobs)
    return [name for name, job in JOBS.items() if name in wanted and not are_compiled(*job.kernels)]


def share_out(jobs: Iterable[str], n: int) -> list[list[str]]:
    """Return the jobs in at most `n` shares, three at most, of which the longest is as short as can be.

    >>> share_out(["auction", "play", "result", "columns"], 2)
    [['play', 'columns'], ['auction', 'result']]
    """
    wanted = list(jobs)
    pairs = [[name for name in pair if name in wanted] for pair in _TOGETHER]
    alone = [[name] for name in wanted if name not in chain(*_TOGETHER)]
    bundles = [bundle for bundle in (*pairs, *alone) if bundle]
    n_shares = min(n, len(bundles), _MOST_SHARES)

    def shares(places: tuple[int, ...]) -> list[list[str]]:
        return [
            [name for bundle, place in zip(bundles, places, strict=True) if place == share for name in bundle]
            for share in range(n_shares)
        ]

    def longest(places: tuple[int, ...]) -> float:
        return max((sum(JOBS[name].seconds for name in share) for share in shares(places)), default=0.0)

    # A few hundred ways at most.
    return shares(min(product(range(n_shares), repeat=len(bundles)), key=longest))


def compile_missing(jobs: Iterable[str]) -> None:
    """Compile what is not in the cache, in as many processes as there are processors; one share alone is left to its caller."""
    shares = share_out(missing(jobs), os.cpu_count() or 1)
    if len(shares) < 2:
        return
    # A process that fails leaves its kernels to the first call, which then says what is wrong.
    commands = [[sys.executable, "-m", "ulti_stats.compiling", *names] for names in shares]
    with ThreadPoolExecutor(len(shares)) as pool:
        list(pool.map(lambda command: subprocess.run(command, check=False, capture_output=True), commands))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        JOBS[name].run()
