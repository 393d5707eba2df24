"""Simulate and commit: hands a second of the whole machine, memory and bytes, and how they grow with the number of hands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Row, Timed, seconds, timed, weighed
from benchmarks.queries import card_play_bytes, column_bytes
from ulti_stats.store.table import Store

GROUP = "simulate and commit, whole machine"
SCALE = "growth with the number of hands"
# A process of its own, so that memory is that of the run. Kernels are loaded first, by a run of a few hands. A process begins
# with the most memory of the one that started it, so that is asked of the system where it tells.
_RUN = """
import json, resource, sys, time
from pathlib import Path
from ulti_stats.library import simulate
n_hands, store, words = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
simulate(100, seed=2, store=store + "-small", **words)
before, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
simulate(n_hands, seed=1, store=store, **words)
wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
status = Path("/proc/self/status")
found = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")] if status.exists() else []
print(json.dumps([wall, cpu, int(found[0].split()[1]) / 1024 if found else after.ru_maxrss / 1024]))
"""


def _run(n_hands: int, folder: str, words: dict[str, object]) -> tuple[float, float, float]:
    """Return seconds on the clock and of processors, and MB, of one run into a new store."""
    store = tempfile.mkdtemp(dir=folder)
    command = [sys.executable, "-c", _RUN, str(n_hands), f"{store}/store", json.dumps(words)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    wall, cpu, memory = json.loads(done.stdout)
    return wall, cpu, memory


def _timed_run(n_hands: int, folder: str, words: dict[str, object], repeats: int) -> tuple[Timed, float]:
    """Return what runs take, and the most MB that one of them held."""
    memories = []

    def once() -> tuple[float, float]:
        wall, cpu, memory = _run(n_hands, folder, words)
        memories.append(memory)
        return wall, cpu

    return weighed(once, repeats=repeats), max(memories)


def storing_rows(*, n_hands: int, repeats: int) -> Iterator[Row]:
    """Yield hands a second and memory of simulation into a store, and bytes a hand."""
    runs = {
        "random players, whole hands": ({"players": "random"}, 0.5),
        "card play alone": ({"players": "random", "contract": "ulti"}, 1.0),
        "club players": ({"players": "club"}, None),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, (words, goal) in runs.items():
            took, memory = _timed_run(n_hands, folder, words, repeats)
            million, cost = n_hands / took.wall / 1e6, took.rounds / n_hands
            remark = f"{took.cpu / n_hands * 1e6:.2f} µs of processors a hand"
            yield Row(GROUP, name, million, "M/s", True, goal, cost, took.spread, repeats, n_hands, remark)
            yield Row(GROUP, f"{name}: most memory", memory, "MB", goal=1500, n_items=n_hands, repeats=repeats)
    with tempfile.TemporaryDirectory() as folder:
        yield from _size_rows(Path(folder), min(n_hands, 250_000))


def _size_rows(folder: Path, n_hands: int) -> Iterator[Row]:
    from ulti_stats.library import simulate

    for players in ("random", "club"):
        simulate(n_hands, seed=1, players=players, store=folder / players)
        sizes = column_bytes(Store.open(folder / players))
        yield Row("bytes a hand", f"{players}: whole record", sizes["file"], "B", goal=80, n_items=n_hands)
        yield Row("bytes a hand", f"{players}: deal, plays, result", card_play_bytes(sizes), "B", goal=40, n_items=n_hands)


def scale_rows(*, most: int) -> Iterator[Row]:
    """Yield time and memory of runs of 10 000 hands and ten times as many, up to `most`."""
    n_hands = 10_000
    while n_hands <= most:
        with tempfile.TemporaryDirectory() as folder:
            took, memory = _timed_run(n_hands, folder, {"players": "random"}, 3 if n_hands <= 1_000_000 else 1)
        yield seconds(SCALE, f"{n_hands:,} random hands", took, n_items=n_hands)
        yield Row(SCALE, f"{n_hands:,} random hands: most memory", memory, "MB", goal=1500, n_items=n_hands)
        n_hands *= 10


def startup_rows(*, repeats: int, cold: bool) -> Iterator[Row]:
    """Yield what commands take from start to end; `cold` compiles everything once into an empty folder."""
    main = "from ulti_stats.cli import main; main()"
    with tempfile.TemporaryDirectory() as folder:

        def command(*words: str, cache: str | None = None) -> None:
            variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
            variables |= {"ULTI_CACHE": cache} if cache else {}
            subprocess.run([sys.executable, "-c", main, *words], check=True, capture_output=True, env=variables)

        simulate = ("simulate", "--hands", "1000", "--store", f"{folder}/store", "--seed")
        command(*simulate, "1", "--players", "club")
        command(*simulate, "1", "--players", "random")
        seeds = iter(range(2, 10_000))
        runs = {
            "ulti --help": (lambda: command("--help"), 0.3),
            "ulti simulate --hands 1000, random": (lambda: command(*simulate, str(next(seeds)), "--players", "random"), 1.5),
            "ulti simulate --hands 1000, club": (lambda: command(*simulate, str(next(seeds)), "--players", "club"), 1.5),
        }
        for name, (work, goal) in runs.items():
            yield seconds("start-up", name, timed(work, repeats=repeats, of_children=True), goal=goal)
        if cold:
            took = timed(lambda: _compile_everything(folder), repeats=1, of_children=True)
            yield seconds("start-up", "cold compile of everything, side by side", took, goal=30)


def _compile_everything(folder: str) -> None:
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    variables["ULTI_CACHE"] = tempfile.mkdtemp(dir=folder)
    code = "from ulti_stats.compiling import JOBS, compile_missing; compile_missing(JOBS)"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=variables)
