"""Hands a second of each stage of `ulti solve`, and seconds of `ulti evaluate`: python -m benchmarks.stages.

Both on the clock, and of the processors: a machine that does other work shows in the one only.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable

import ulti_stats as us

# Hands of each stage, so that each takes some seconds.
STAGES = {"parts": 4_000, "par": 2_000, "errors": 1_000, "best": 100}
COMPILING = "BA BT BK BO B7 LA LT HA H9 H8 A7 A8"  # none of those timed, since tables of positions are kept
EVALUATED = (
    "AA AT AK AO A7 HA HT LA B9 B8 L7 B7",
    "AA AT LA LO L7 HT HO H8 BT BK B8 B7",
    "AT AO AU A8 LA LK LU L7 BA BT BK BO",
    "AA AK AO A9 A7 LO L8 HA HK HO H7 BU",
    "A7 A8 A9 L7 L8 LU H7 H9 HU B7 B8 B9",
    "AA AT AK AO AU A9 A8 A7 HA HT LA BA",
    "LA H9 H8 AO LU HU BA HO BT A9 B9 A7",
    "BT L7 H8 AA AT HT LA BK B7 B8 LO HO",
    "L8 AA HO AO BU H7 LO HA A7 HK A9 AK",
    "A9 L8 B7 A7 B9 L7 LA HU HA LO LK HT",
)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return seconds on the clock, and of all processors."""
    start, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - used


def main() -> None:
    workers = os.cpu_count() or 1
    print(f"{workers} threads, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/store"
        us.simulate(6_000, seed=5, players="club", store=store)
        for stage, n_hands in STAGES.items():
            us.solve(stage, store=store, limit=50)  # compiles
            wall, cpu = timed(lambda stage=stage, n_hands=n_hands: us.solve(stage, store=store, limit=n_hands))
            print(f"| `--{stage}` | {n_hands:,} | {n_hands / wall:,.0f} | {n_hands / cpu:,.0f} |", flush=True)
    us.evaluate(COMPILING)
    for cards in EVALUATED:
        found: list = []
        wall, cpu = timed(lambda cards=cards, found=found: found.append(us.evaluate(cards)))
        print(f"| {cards} | {len(found[0].bids)} | {found[0].n_solved:,} | {wall:.1f} | {cpu:.1f} |", flush=True)


if __name__ == "__main__":
    main()
