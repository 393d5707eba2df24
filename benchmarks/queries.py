"""Bytes a hand and seconds a question, over a synthetic store of any size: python -m benchmarks.queries --hands 10000000.

A run is simulated once and written again under other seeds and identities, so that ten million hands take minutes to make.
Questions are asked in this process, reports as a user asks them: a new process each, start-up included.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import ulti_stats as us
from ulti_stats.store.commits import Change, commit
from ulti_stats.store.files import RUN, add_action, new_name, read_hands, write_hands
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import open_warehouse

SIMULATED = 1_000_000
QUESTIONS = {
    "success by contract": "SELECT contract, count(*) AS n, avg((units_per_defender > 0)::INT) AS won FROM hands GROUP BY 1",
    "opening lead by contract": "SELECT contract, p00, count(*) AS n FROM hands WHERE p00 IS NOT NULL GROUP BY 1, 2",
    "all cards played": "SELECT card, count(*) AS n FROM plays GROUP BY 1",
}
REPORTS = ("bids", "kontra", "talon")
# Columns of deal, plays and result, without auction, kontras, names and identity.
CARD_PLAY = (
    *("hand_0", "hand_1", "talon", "declarer", "contract", "trump", "winners", "n_tricks", "declarer_tricks"),
    *("declarer_points", "defender_points", "talon_points", "declarer_units", "outcomes", "laid", "forehand"),
    *(f"p{ply:02d}" for ply in range(30)),
)


class Timing(NamedTuple):
    """Medians over repeats, in seconds: on the clock, and of processor time."""

    wall: float
    cpu: float


def synthetic_store(path: Path, n_hands: int, *, players: str = "random") -> Store:
    """Return a store of `n_hands` simulated hands, made where it is not there: a run, written again under other seeds."""
    store = Store.create_or_open(path)
    if store.n_hands() == n_hands:
        return store
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        us.simulate(min(n_hands, SIMULATED), seed=1, players=players, store=folder)
        once = Store.open(folder).files()
        written = []
        left = n_hands
        for seed in range(1, -(-n_hands // SIMULATED) + 1):
            written.append(path / new_name(RUN))
            left -= write_hands(written[-1], _renamed(once, seed, left))
    commit(path, lambda _: Change(tuple(add_action(file) for file in written)))
    return store


def _renamed(files: list[Path], seed: int, most: int) -> Iterator[pa.Table]:
    """Yield the hands of files under another seed and other identities, `most` of them at most."""
    chance = np.random.default_rng(seed)
    for hands in (hands for file in files for hands in read_hands(file)):
        taken = hands.slice(0, most)
        most -= len(taken)
        named = pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(16), len(taken), [None, pa.py_buffer(chance.bytes(16 * len(taken)))]
        )
        for name, values in (("hand_hash", named), ("seed", pa.array(np.full(len(taken), seed)))):
            place = taken.schema.get_field_index(name)
            taken = taken.set_column(place, taken.schema.field(place), values)
        if len(taken):
            yield taken


def column_bytes(store: Store) -> dict[str, float]:
    """Return the bytes that each column takes a hand, and those of whole files under "file"."""
    n_hands, sizes = store.n_hands(), {"file": float(sum(file.stat().st_size for file in store.files()))}
    for file in store.files():
        metadata = pq.read_metadata(file)
        for group in range(metadata.num_row_groups):
            for place in range(metadata.num_columns):
                column = metadata.row_group(group).column(place)
                name = column.path_in_schema.split(".")[0]
                sizes[name] = sizes.get(name, 0.0) + column.total_compressed_size
    return {name: size / n_hands for name, size in sizes.items()}


def card_play_bytes(sizes: dict[str, float]) -> float:
    """Return the bytes a hand of deal, plays and result."""
    return sum(sizes[name] for name in CARD_PLAY)


def measure(work: Callable[[], object], *, repeats: int, of: int = resource.RUSAGE_SELF) -> Timing:
    """Return median times of some work; `of` is RUSAGE_CHILDREN where it starts a process."""
    wall, cpu = [], []
    for _ in range(repeats):
        before, start = resource.getrusage(of), time.perf_counter()
        work()
        wall.append(time.perf_counter() - start)
        after = resource.getrusage(of)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return Timing(statistics.median(wall), statistics.median(cpu))


def time_questions(store: Store, *, repeats: int = 5) -> dict[str, Timing]:
    """Return the times of each question over an open store."""
    with open_warehouse(store.path) as warehouse:
        warehouse.sql(QUESTIONS["success by contract"])
        return {name: measure(lambda sql=sql: warehouse.sql(sql), repeats=repeats) for name, sql in QUESTIONS.items()}


def time_reports(store: Store, *, repeats: int = 3) -> dict[str, Timing]:
    """Return the times of each report as a command of its own, start-up included."""

    def run(report: str) -> None:
        command = [sys.executable, "-c", "from ulti_stats.cli import main; main()", "report", report, "--store", str(store.path)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    run("bids")
    return {
        f"ulti report {name}": measure(lambda name=name: run(name), repeats=repeats, of=resource.RUSAGE_CHILDREN)
        for name in REPORTS
    }


def time_all(folder: Path, n_hands: int) -> dict[str, Timing]:
    """Return the times of all questions and reports over a synthetic store in a folder."""
    store = synthetic_store(folder / f"random-{n_hands}", n_hands)
    return time_questions(store) | time_reports(store)


def main() -> None:
    """Print bytes by column and times as tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--players", default="random")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "ulti-benchmark")
    parser.add_argument("--sizes", action="store_true", help="print bytes by column only")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    store = synthetic_store(asked.folder / f"{asked.players}-{asked.hands}", asked.hands, players=asked.players)
    sizes = column_bytes(store)
    card_play = card_play_bytes(sizes)
    print(
        f"{asked.hands:,} hands of {asked.players} players: {sizes['file']:.1f} bytes a hand; deal, plays, result {card_play:.1f}"
    )
    if asked.sizes:
        for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
            print(f"| `{name}` | {size:.2f} |")
        return
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for name, found in (time_questions(store) | time_reports(store)).items():
        print(f"| {name} | {found.wall:.2f} | {found.cpu:.2f} |")


if __name__ == "__main__":
    main()
