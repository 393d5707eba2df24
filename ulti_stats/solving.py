"""Open cards, for notebooks and scripts: what a hand is worth, and solving the hands of a store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from ulti_stats.asking import store_path
from ulti_stats.errors import IllegalDecision, NotationError, QueryError
from ulti_stats.game.analysis import Analysis
from ulti_stats.game.analysis import analyse as analyse_position
from ulti_stats.game.cards import format_cards, parse_cards
from ulti_stats.game.history import HandHistory
from ulti_stats.game.rulesets import Ruleset, nearest, ruleset
from ulti_stats.game.solver.position import position_in
from ulti_stats.stats.evaluate import Evaluation
from ulti_stats.stats.evaluate import evaluate as evaluate_hand
from ulti_stats.store.solutions import Solutions, unsolved
from ulti_stats.store.solving import Work, work_of
from ulti_stats.store.warehouse import Warehouse, open_warehouse

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Solved:
    """What solving did in one stage: hands that were left to solve, and hands solved now."""

    stage: str
    n_left: int
    n_solved: int


def count_unsolved(
    stage: str, *, store: str | Path | None = None, where: str | None = None, rules: str | None = None, limit: int | None = None
) -> int:
    """Return how many hands `solve` would solve in a stage."""
    with open_warehouse(store_path(store)) as warehouse:
        _check_rules(warehouse, rules)
        return _count(warehouse, stage, _condition(where, rules), limit)


def solve(
    stage: str = "parts",
    *,
    store: str | Path | None = None,
    where: str | None = None,
    rules: str | None = None,
    limit: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Solved:
    """Solve the hands of a store with open cards in one stage (parts, par, best or errors); what is solved is not solved again.

    `where` is a condition over columns of `hands`, `rules` a ruleset id or the beginning of a digest, `limit` the most
    hands to solve. Results are committed batch by batch, so that a stopped run is taken up where it was. `progress` is
    called with the number of hands just solved. Raises `UltiError`.
    """
    path = store_path(store)
    work = work_of(stage)
    with open_warehouse(path) as warehouse, ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        _check_rules(warehouse, rules)
        condition = unsolved(stage, _condition(where, rules))
        n_left = _count(warehouse, stage, _condition(where, rules), limit)
        n_seen = n_solved = 0
        while n_seen < n_left:
            text = f"SELECT {work.columns} FROM {work.view} WHERE {condition} LIMIT {min(work.batch, n_left - n_seen)}"
            hands = warehouse.query(text)
            if not len(hands):
                break  # another run was first
            n_solved += Solutions(path).add(stage, _solve_batch(pool, work, hands, progress))
            n_seen += len(hands)
            warehouse.refresh()
    return Solved(stage, n_left, n_solved)


def analyse(history: HandHistory) -> Analysis:
    """Return what each card of a played hand gave away with open cards, and which one decided the contract.

    Raises `UltiError` where no cards were played, or the record does not tell them.
    """
    position = position_in(history)
    if not position.plays:
        raise IllegalDecision("plays: no card was played, so there is nothing to analyse")
    return analyse_position(position)


def _check_rules(warehouse: Warehouse, rules: str | None) -> None:
    """Raise `QueryError` where no hand of the store is under these rules."""
    if rules is None or _count_where(warehouse, _condition(None, rules)):
        return
    known = warehouse.query("SELECT DISTINCT ruleset FROM hands ORDER BY 1").column(0).to_pylist()
    raise QueryError(f"--rules: no hands under '{rules}'{nearest(rules, known) if known else '; the store is empty'}")


def _condition(where: str | None, rules: str | None) -> str | None:
    named = None
    if rules is not None:
        text = rules.replace("'", "''")
        named = f"(ruleset = '{text}' OR starts_with(ruleset_digest, '{text}'))"
    parts = [f"(\n{part}\n)" for part in (where, named) if part]
    return " AND ".join(parts) or None


def _count(warehouse: Warehouse, stage: str, condition: str | None, limit: int | None) -> int:
    found = _count_where(warehouse, unsolved(stage, condition))
    return found if limit is None else min(found, limit)


def _count_where(warehouse: Warehouse, condition: str | None) -> int:
    return warehouse.query(f"SELECT count(*) AS n FROM hands WHERE {condition}").column(0)[0].as_py()


def _solve_batch(pool: ThreadPoolExecutor, work: Work, hands: pa.Table, progress: Progress | None) -> pa.Table:
    """Return the solved rows of some hands, on every thread of the pool; the kernels leave the interpreter to others."""
    chunks = [hands.slice(start, work.chunk) for start in range(0, len(hands), work.chunk)]
    futures = [pool.submit(work.solve, chunk) for chunk in chunks]
    try:
        for future in as_completed(futures):
            if progress is not None:
                progress(len(future.result()))
        return pa.concat_tables([future.result() for future in futures])
    except BaseException:
        # What was committed stays; what has not begun is not begun.
        pool.shutdown(wait=True, cancel_futures=True)
        raise


def evaluate(
    cards: str,
    talon: str | None = None,
    *,
    rules: Ruleset | str = "rablo",
    seat: int = 0,
    after_passes: int = 0,
    bids: str | Iterable[str] = (),
    all_bids: bool = False,
    exact: bool = False,
    precision: float = 0.02,
    seed: int = 1,
    workers: int | None = None,
    ready: Callable[[], None] | None = None,
) -> Evaluation:
    """Return what a hand is worth to a declarer, bid by bid, over sampled layouts with open cards.

    Ten cards with a talon, or twelve, lay the best two; ten alone are played as they stand, two unknown cards in the talon.
    `seat` is 0 (forehand), 1 or 2; `after_passes` players spoke before and passed. `precision` is half the width of
    the 95 % interval of a chance. `ready` is called when all arguments are found right. Raises `UltiError` for cards and
    arguments that are wrong.
    """
    own, taken = parse_cards(cards), parse_cards(talon or "")
    if talon is not None and (taken.bit_count() != 2 or own.bit_count() != 10 or own & taken):
        raise NotationError(
            f"talon '{talon}' does not fit '{format_cards(own)}'; right are ten cards and two others, or twelve at once"
        )
    return evaluate_hand(
        own | taken,
        ruleset(rules) if isinstance(rules, str) else rules,
        seat=seat,
        n_passed=after_passes,
        bids=(bids,) if isinstance(bids, str) else tuple(bids),
        show_all=all_bids,
        is_exact=exact,
        precision=precision,
        seed=seed,
        workers=workers,
        ready=ready,
    )
