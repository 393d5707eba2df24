"""Questions and reports over a store of millions of hands, as rows of the benchmark."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Row, seconds, timed
from benchmarks.queries import QUESTIONS, REPORTS, synthetic_store
from ulti_stats.store.warehouse import open_warehouse

# Seconds for ten million hands on two processors.
GOALS = {"success by contract": 0.3, "opening lead by contract": 0.3, "all cards played": 3.0}
REPORT_GOALS = {"bids": 1.0, "kontra": 1.0, "talon": 2.0}


def question_rows(*, n_hands: int, folder: Path, repeats: int) -> Iterator[Row]:
    """Yield the time of each question over an open store, and of each report as a command of its own."""
    group = f"{n_hands:,} random hands"
    has_goals = n_hands >= 10_000_000
    folder.mkdir(parents=True, exist_ok=True)
    store = synthetic_store(folder / f"random-{n_hands}", n_hands)
    with open_warehouse(store.path) as warehouse:
        for name, sql in QUESTIONS.items():
            ask = functools.partial(warehouse.sql, sql)
            ask()
            yield seconds(group, name, timed(ask, repeats=repeats), goal=GOALS[name] if has_goals else None)
    for report in REPORTS:
        words = ("report", report, "--store", str(store.path))
        command = [sys.executable, "-c", "from ulti_stats.cli import main; main()", *words]
        run = functools.partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
        run()
        took = timed(run, repeats=repeats, of_children=True)
        yield seconds(group, f"ulti report {report}", took, goal=REPORT_GOALS[report] if has_goals else None)
