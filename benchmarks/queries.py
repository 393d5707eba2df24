"""Bytes a hand and seconds a question, over a simulated store of any size: python -m benchmarks.queries --hands 10000000.

Questions are asked in this process, reports as a user asks them: a new process each, start-up included.
"""

from __future__ import annotations

import argparse
import functools
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq

import ulti_stats as us
from benchmarks.measuring import Row, seconds, timed
from benchmarks.page import table_lines
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import open_warehouse

QUESTIONS = {
    "success by contract": "SELECT contract, count(*) AS n, avg((units_per_defender > 0)::INT) AS won FROM hands GROUP BY 1",
    "opening lead by contract": "SELECT contract, p00, count(*) AS n FROM hands WHERE p00 IS NOT NULL GROUP BY 1, 2",
    "all cards played": "SELECT card, count(*) AS n FROM plays GROUP BY 1",
}
# Seconds for ten million hands on two processors.
GOALS = {"success by contract": 0.3, "opening lead by contract": 0.3, "all cards played": 3.0}
REPORT_GOALS = {"bids": 1.0, "kontra": 1.0, "talon": 2.0}
# Columns of deal, plays and result, without auction, kontras, names and identity.
CARD_PLAY = (
    *("hand_0", "hand_1", "talon", "declarer", "contract", "trump", "winners", "n_tricks", "declarer_tricks"),
    *("declarer_points", "defender_points", "talon_points", "declarer_units", "outcomes", "laid", "forehand"),
    *(f"p{ply:02d}" for ply in range(30)),
)


def simulated_store(path: Path, n_hands: int, *, players: str = "random") -> Store:
    """Return a store of `n_hands` simulated hands, made where it is not there."""
    us.simulate(n_hands, seed=1, players=players, store=path)
    return Store.open(path)


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


def question_rows(store: Store, *, players: str, repeats: int) -> Iterator[Row]:
    """Yield the time of each question over an open store, and of each report as a command of its own."""
    n_hands = store.n_hands()
    group, has_goals = f"{n_hands:,} {players} hands", n_hands >= 10_000_000
    with open_warehouse(store.path) as warehouse:
        for name, sql in QUESTIONS.items():
            ask = functools.partial(warehouse.sql, sql)
            ask()
            yield seconds(group, name, timed(ask, repeats=repeats), goal=GOALS[name] if has_goals else None)
    for report, goal in REPORT_GOALS.items():
        words = ("report", report, "--store", str(store.path))
        command = [sys.executable, "-c", "from ulti_stats.cli import main; main()", *words]
        run = functools.partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
        run()
        took = timed(run, repeats=repeats, of_children=True)
        yield seconds(group, f"ulti report {report}", took, goal=goal if has_goals else None)


def main() -> None:
    """Print bytes by column and times as tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--players", default="random")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "ulti-benchmark")
    parser.add_argument("--sizes", action="store_true", help="print bytes by column only")
    asked = parser.parse_args()
    store = simulated_store(asked.folder / f"{asked.players}-{asked.hands}", asked.hands, players=asked.players)
    sizes = column_bytes(store)
    card_play = card_play_bytes(sizes)
    print(
        f"{asked.hands:,} hands of {asked.players} players: {sizes['file']:.1f} bytes a hand; deal, plays, result {card_play:.1f}"
    )
    if asked.sizes:
        for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
            print(f"| `{name}` | {size:.2f} |")
        return
    print("\n".join(table_lines(list(question_rows(store, players=asked.players, repeats=5)))))


if __name__ == "__main__":
    main()
