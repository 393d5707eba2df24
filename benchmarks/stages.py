"""Hands a second of each stage of `ulti solve` and seconds of `ulti evaluate`: python -m benchmarks.stages."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable

import ulti_stats as us

# Hands of each stage, so that each takes some seconds.
STAGES = {"parts": 4_000, "par": 2_000, "errors": 1_000, "best": 60}
EVALUATED = (
    "AA AT AK AO A7 HA HT LA B9 B8 L7 B7",
    "AA AT LA LO L7 HT HO H8 BT BK B8 B7",
    "AT AO AU A8 LA LK LU L7 BA BT BK BO",
    "AA AK AO A9 A7 LO L8 HA HK HO H7 BU",
)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    workers = os.cpu_count() or 1
    print(f"{workers} threads, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/store"
        us.simulate(6_000, seed=5, players="club", store=store)
        for stage, n_hands in STAGES.items():
            us.solve(stage, store=store, limit=50)  # compiles
            seconds = timed(lambda stage=stage, n_hands=n_hands: us.solve(stage, store=store, limit=n_hands))
            print(f"| `--{stage}` | {n_hands:,} | {n_hands / seconds:,.0f} |")
    us.evaluate(EVALUATED[0])
    for cards in EVALUATED:
        found = us.evaluate(cards)
        seconds = timed(lambda cards=cards: us.evaluate(cards))
        print(f"| {cards} | {len(found.bids)} | {found.n_solved:,} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
