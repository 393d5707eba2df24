"""How speed is measured: medians of repeats, each beside a fixed loop that tells how fast the machine is just then.

The machine may run at half its speed in one minute and at all of it in the next. So what a piece of work takes is also given
in rounds of the calibration loop that was timed right before and after it. Two runs are compared by these.
"""

from __future__ import annotations

import os
import platform
import resource
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ulti_stats.game.jit import kernel

# Rounds of the calibration loop at a time: some 10 ms.
ROUNDS = 5_000_000
QUIET = 0.10
_PACKAGES = ("numba", "numpy", "pyarrow", "duckdb", "pandas", "deltalake")


@kernel
def _calibration_loop(rounds: int, table: np.ndarray) -> int:
    """Walk through a table of 4 KB: integer sums, shifts and look-ups, each waiting for the one before."""
    place = 1
    for n in range(rounds):
        place = (table[place & 511] + (place >> 3) + n) & 0x7FFFFFFF
    return place


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: medians over repeats, `value` in `unit`; `cost` is what one item took in rounds of the calibration loop.

    `spread` is (highest - lowest) / median of the absolute values. A count (bytes, nodes) has neither cost nor spread.
    `goal` is the value to reach, and `more` whether that means at least.
    """

    group: str
    name: str
    value: float
    unit: str
    more: bool = False
    goal: float | None = None
    cost: float | None = None
    spread: float | None = None
    repeats: int = 1
    n_items: int = 1
    remark: str = ""

    @property
    def is_met(self) -> bool | None:
        """Return whether the goal is reached; None without one."""
        if self.goal is None:
            return None
        return self.value >= self.goal if self.more else self.value <= self.goal


def rounds_per_second(samples: int = 3) -> float:
    """Return the speed of the calibration loop just now."""
    table = (np.arange(512, dtype=np.int64) * 2_654_435_761) & 0x7FFFFFFF
    _calibration_loop(10, table)
    seconds = []
    for _ in range(samples):
        start = time.perf_counter()
        _calibration_loop(ROUNDS, table)
        seconds.append(time.perf_counter() - start)
    return ROUNDS / min(seconds)


@dataclass(frozen=True, slots=True)
class Timed:
    """Medians of repeats: seconds on the clock and of all processors, rounds of the loop; and the spread of the seconds."""

    wall: float
    cpu: float
    rounds: float
    spread: float
    repeats: int


def timed(work: Callable[[], object], *, repeats: int = 5, of_children: bool = False) -> Timed:
    """Return what some work takes; `of_children` counts the processor time of processes that it starts."""
    who = resource.RUSAGE_CHILDREN if of_children else resource.RUSAGE_SELF

    def once() -> tuple[float, float]:
        used, start = resource.getrusage(who), time.perf_counter()
        work()
        wall, after = time.perf_counter() - start, resource.getrusage(who)
        return wall, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime

    return weighed(once, repeats=repeats)


def weighed(once: Callable[[], tuple[float, float]], *, repeats: int) -> Timed:
    """Return medians of what `once` returns: seconds on the clock and of processors.

    The loop and the work alternate; each repeat is weighed with the loop's speed before and after it.
    """
    walls, cpus, rounds = [], [], []
    before = rounds_per_second()
    for _ in range(repeats):
        wall, cpu = once()
        after = rounds_per_second()
        walls.append(wall)
        cpus.append(cpu)
        rounds.append(wall * (before + after) / 2)
        before = after
    wall = statistics.median(walls)
    return Timed(wall, statistics.median(cpus), statistics.median(rounds), (max(walls) - min(walls)) / wall, repeats)


def rate(group: str, name: str, n_items: int, work: Callable[[], object], *, repeats: int = 5, **words: Any) -> Row:
    """Return how many items a second some work does, in millions."""
    took = timed(work, repeats=repeats)
    million = n_items / took.wall / 1e6
    cost = took.rounds / n_items
    return Row(group, name, million, "M/s", more=True, cost=cost, spread=took.spread, repeats=repeats, n_items=n_items, **words)


def seconds(group: str, name: str, took: Timed, **words: Any) -> Row:
    """Return how long some work takes."""
    remark = f"{took.cpu:.2f} s of processors"
    return Row(group, name, took.wall, "s", cost=took.rounds, spread=took.spread, repeats=took.repeats, remark=remark, **words)


def machine() -> dict[str, Any]:
    """Return what the figures were measured on."""
    return {
        "processor": _processor(),
        "processors": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in _PACKAGES},
        "load": round(os.getloadavg()[0], 1),
        "loop_rounds_per_second": round(rounds_per_second(9)),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor()


def as_json(rows: Iterable[Row], *, short: bool) -> dict[str, Any]:
    """Return the results of a run as it is written to a file."""
    return {"machine": machine(), "short": short, "rows": [asdict(row) for row in rows]}


def of_json(found: dict[str, Any]) -> list[Row]:
    """Return the rows of a file."""
    return [Row(**row) for row in found["rows"]]
