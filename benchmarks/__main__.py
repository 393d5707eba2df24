"""Every figure of speed and size: python -m benchmarks. `--short` takes a minute; `--check FILE` compares with an older run."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from benchmarks.checking import regressions
from benchmarks.kernels import kernel_rows
from benchmarks.measuring import Row, as_json, machine, of_json
from benchmarks.page import machine_line, table_lines
from benchmarks.queries import question_rows, simulated_store
from benchmarks.solver import solver_rows
from benchmarks.storing import scale_rows, startup_rows, storing_rows

Parts = dict[str, Callable[[], Iterable[Row]]]


def full_parts(folder: Path, *, n_stored: int) -> Parts:
    """Return every part of the benchmark at its full size."""
    return {
        "kernels": lambda: kernel_rows(n_hands=100_000, repeats=7),
        "storing": lambda: storing_rows(n_hands=4_000_000, repeats=5),
        "startup": lambda: startup_rows(repeats=7, cold=True),
        "questions": lambda: chain(*(_questions(folder, n_stored, players) for players in ("random", "club"))),
        "solver": lambda: solver_rows(n_deals=1000, repeats=5),
        "scale": lambda: scale_rows(most=n_stored),
    }


def _questions(folder: Path, n_hands: int, players: str) -> Iterator[Row]:
    """Yield what is asked of a store of these players, which is kept for another time."""
    store = simulated_store(folder / f"{players}-{n_hands}", n_hands, players=players)
    yield from question_rows(store, players=players, repeats=7)


def short_parts() -> Parts:
    """Return what continuous integration runs: the kernels, a run into a store and the solver, each small."""
    return {
        "kernels": lambda: kernel_rows(n_hands=20_000, repeats=5),
        "storing": lambda: storing_rows(n_hands=50_000, repeats=3),
        "nodes": solver_nodes,
    }


def solver_nodes() -> Iterator[Row]:
    """Yield the solver's counts of nodes on a few deals, which are the same on every machine."""
    return (replace(row, group="nodes of the solver") for row in solver_rows(n_deals=40, repeats=1) if row.unit == "nodes")


def main() -> None:
    """Run the parts asked for, print a table, write JSON, compare with an older run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", help="parts to run; all without any")
    parser.add_argument("--short", action="store_true", help="the short form")
    parser.add_argument("--out", type=Path, help="file to write the results to, as JSON; parts that did not run keep theirs")
    parser.add_argument("--check", type=Path, help="results of an older run: exit 1 where something takes far longer than there")
    parser.add_argument("--hands", type=int, default=10_000_000, help="most hands of a store")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "ulti-benchmark", help="where big stores go")
    asked = parser.parse_args()
    parts = short_parts() if asked.short else full_parts(asked.folder, n_stored=asked.hands)
    if unknown := set(asked.parts) - set(parts):
        parser.error(f"unknown parts: {', '.join(sorted(unknown))}; known: {', '.join(parts)}")
    if asked.check and not asked.check.exists():
        parser.error(f"--check: {asked.check} is not there; give results that an earlier run wrote with --out")
    print(machine_line(machine()))
    rows: list[Row] = []
    for name in asked.parts or parts:
        found = list(parts[name]())
        print("\n".join(table_lines(found)), flush=True)
        rows += found
    if asked.out:
        write(asked.out, rows, short=asked.short)
    if asked.check:
        compare(rows, of_json(json.loads(asked.check.read_text(encoding="utf-8"))))


def write(path: Path, rows: list[Row], *, short: bool) -> None:
    """Write results; rows of an older file of which nothing was measured now stay as they are."""
    old = of_json(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else []
    now = {row.group for row in rows}
    kept = [row for row in old if row.group not in now]
    path.write_text(json.dumps(as_json([*kept, *rows], short=short), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def compare(rows: list[Row], old: list[Row]) -> None:
    """Say which figures are far worse than in an older run, and end with exit code 1 where some are."""
    worse = regressions(rows, old)
    for line in worse:
        print(f"far worse than before: {line}", file=sys.stderr)
    print(f"{len(worse)} of {len(rows)} figures are far worse than before")
    if worse:
        sys.exit(1)


if __name__ == "__main__":
    main()
