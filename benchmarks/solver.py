"""The open-card solver, goal by goal: python -m benchmarks.solver [--deals 1000] [--repeats 5].

One core, one deal a call of the kernel, the tables emptied before each; what a call without a deal takes (some 4 µs, for
handing over twenty arrays) is subtracted, since the package hands over many deals in a call. Node counts (a node is the start
of a trick) do not depend on the machine; times of single deals, medians over repeats, do. They are the thread's processor
time, since a clock would also count what other programs on the machine take in between.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.deals import NO_TRUMP, Deals, biddable_deals, random_deals
from benchmarks.measuring import Row, rounds_per_second
from ulti_stats.game.bids import Component
from ulti_stats.game.rule_table import IntArray
from ulti_stats.game.rulesets import PRESETS, Bid, Ruleset
from ulti_stats.game.solver import contracts, goals
from ulti_stats.game.solver import workspace as w
from ulti_stats.game.solver.memory import TABLE_BITS, Family, Memory
from ulti_stats.game.solver.payoffs import UNIT_TABLE
from ulti_stats.game.solver.position import Positions, deals, lay_out
from ulti_stats.game.solver.solve import Solver, take

GROUP = "open-card solver"
SEED = 7


class Question(NamedTuple):
    """What is asked of which deals, and how fast it should be: milliseconds, mean and 99th percentile."""

    name: str
    component: Component
    deals: str | None  # by which goal biddable deals are chosen, None for random ones
    share: float = 1.0
    mean: float | None = None
    high: float | None = None
    family: Family = Family.POINTS
    is_exact: bool = False  # the exact points, or else whether the component is made
    marriages: bool = False  # counted as declared, else left out


SIMPLE, FORTY, ULTI = Component.SIMPLE, Component.FORTY_HUNDRED, Component.ULTI
BETLI, DURCHMARS = Component.BETLI, Component.DURCHMARS
# fmt: off
QUESTIONS = (
    Question("simple, random",                SIMPLE,    None),
    Question("simple, best third",            SIMPLE,    "simple",        1 / 3, 0.2,  2.0),
    Question("simple with marriages, best third", SIMPLE, "simple",       1 / 3, 0.2,  2.0, marriages=True),
    Question("40-100, best third",            FORTY,     "forty_hundred", 1 / 3, marriages=True),
    Question("ulti, random with the seven",   ULTI,      "ulti",          1.0,   family=Family.SEVEN),
    Question("ulti, best quarter",            ULTI,      "ulti",          1 / 4, 0.08, 0.6, family=Family.SEVEN),
    Question("betli, random",                 BETLI,     None,                   family=Family.TRICKS),
    Question("betli, best 4 %",               BETLI,     "betli",         0.04,  0.03, 0.4, family=Family.TRICKS),
    Question("durchmars, best 3 %",           DURCHMARS, "durchmars",     0.03,  0.01, family=Family.TRICKS),
    Question("durchmars without trumps, best 2 %", DURCHMARS, "durchmars_nt", 0.02, 0.01, family=Family.TRICKS),
    Question("exact points, random",          SIMPLE,    None,                   is_exact=True),
    Question("exact points, best third",      SIMPLE,    "simple",        1 / 3, 0.6,  4.0, is_exact=True),
)
# Whole contracts, silent bonuses and all: the best deals for a bid, solved for the exact units.
WHOLE = (
    Question("simple, best third",   SIMPLE, "simple",        1 / 3),
    Question("40-100, best third",   FORTY,  "forty_hundred", 1 / 3),
    Question("ulti, best quarter",   ULTI,   "ulti",          1 / 4),
)
# fmt: on
ELSEWHERE = (
    "simple, best third",
    "ulti, best quarter",
    "betli, best 4 %",
    "durchmars, best 3 %",
    "durchmars without trumps, best 2 %",
    "exact points, best third",
)


class Figures(NamedTuple):
    """What was seen on some deals: milliseconds and nodes a deal, and how many deals have a positive value."""

    milliseconds: np.ndarray
    nodes: np.ndarray
    n_made: int


def chosen_deals(question: Question, n: int) -> Deals:
    """Return the deals that a question is asked of."""
    if question.deals is not None:
        return biddable_deals(SEED, n, question.deals, question.share)
    found = random_deals(SEED, n)
    return found._replace(trump=np.full(n, NO_TRUMP)) if question.component is BETLI else found


def bids_of(rules: Ruleset, question: Question, *, has_trumps: bool) -> list[Bid]:
    """Return the bids with a question's component, lowest first."""
    return [bid for bid in rules.ladder if question.component in bid.components and bid.has_trumps == has_trumps]


def positions_of(rules: Ruleset, question: Question, cards: Deals) -> Positions:
    """Return the deals under the lowest bid with the component, with trumps or without as the deals have."""
    has_trumps = bool(cards.trump[0] != NO_TRUMP)
    bid = bids_of(rules, question, has_trumps=has_trumps)[0]
    found = deals(rules, hands=cards.hands, laid=cards.laid, bid=bid.number, trump=cards.trump, declarer=0)
    if not question.marriages:
        found.marriages[:] = 0
    return found


def empty(memory: Memory, family: Family) -> None:
    """Forget all positions and count nodes anew."""
    start = UNIT_TABLE if family is Family.UNITS else w.TABLE
    memory.workspace[start:] = 0
    memory.workspace[w.NODES] = 0


def search(rules: Ruleset, question: Question, positions: Positions, *, repeats: int) -> Figures:
    """Ask a question of each deal alone: the kernel's time, nodes, and what came out."""
    solver, has_trumps = Solver(rules), bool(positions.trump[0] != NO_TRUMP)
    keeps = question.component is ULTI and rules.hold_trump_seven
    memories = {f: solver.memory(f, has_trumps=has_trumps, keeps_seven=keeps) for f in TABLE_BITS}
    used = [question.family]
    if question.family is Family.POINTS:
        used += [Family.TRICKS, Family.COUNT]

    def ask(one: Positions, found: IntArray) -> None:
        laid_out = lay_out(solver.table, one)
        if question.family is Family.SEVEN:
            goals.solve_seven(*memories[Family.SEVEN], laid_out, True, found)
        elif question.family is Family.TRICKS:
            goals.solve_tricks(*memories[Family.TRICKS], laid_out, question.component is DURCHMARS, found)
        else:
            goal = goals.CARD_POINTS if question.is_exact else int(question.component)
            points, sweep, count = memories[Family.POINTS], memories[Family.TRICKS], memories[Family.COUNT]
            others = (sweep.workspace, count.workspace, count.classes)
            goals.solve_points(solver.table, *points, *others, one, laid_out, goal, found)

    return _figures(positions, ask, [(memories[family], family) for family in used], repeats)


def search_whole(rules: Ruleset, question: Question, positions: Positions, *, repeats: int) -> Figures:
    """Solve each deal alone for the exact units of its contract."""
    solver = Solver(rules)
    keeps = question.component is ULTI and rules.hold_trump_seven
    families = (Family.UNITS, Family.POINTS, Family.ACES, Family.SEVEN, Family.TRICKS)
    memories = [(solver.memory(family, has_trumps=True, keeps_seven=keeps), family) for family in families]
    arrays = [part for memory, _ in memories for part in memory]

    def ask(one: Positions, found: IntArray) -> None:
        contracts.solve_units(solver.table, *arrays, one, lay_out(solver.table, one), contracts.BOTH_DEFENDERS, found)

    return _figures(positions, ask, memories, repeats)


def _figures(positions: Positions, ask, memories: list[tuple[Memory, Family]], repeats: int) -> Figures:
    n = len(positions.bid)
    nanoseconds, nodes, found, n_made = np.zeros((repeats, n)), np.zeros(n), np.zeros(1, np.int64), 0
    ask(take(positions, np.arange(1)), found)  # compiles
    call = _empty_call(take(positions, np.arange(0)), ask)
    for i in range(n):
        one = take(positions, np.arange(i, i + 1))
        for repeat in range(repeats):
            for memory, family in memories:
                empty(memory, family)
            start = time.thread_time_ns()
            ask(one, found)
            nanoseconds[repeat, i] = time.thread_time_ns() - start
        nodes[i] = sum(memory.workspace[w.NODES] for memory, _ in memories)
        n_made += int(found[0] > 0)
    return Figures((np.median(nanoseconds, axis=0) - call) / 1e6, nodes, n_made)


def _empty_call(nothing: Positions, ask) -> float:
    """Return the nanoseconds of a call without a deal."""
    taken, found = [], np.zeros(0, np.int64)
    for _ in range(101):
        start = time.thread_time_ns()
        ask(nothing, found)
        taken.append(time.thread_time_ns() - start)
    return float(np.median(taken))


def rows_of(name: str, question: Question, figures: Figures, loop: float, repeats: int, *, has_goals: bool) -> Iterator[Row]:
    """Yield mean and 99th percentile in milliseconds, and the nodes."""
    n, mean, high = len(figures.nodes), figures.milliseconds.mean(), np.percentile(figures.milliseconds, 99)
    said = "" if question.is_exact else f", {figures.n_made / n:.2f} above 0"
    remark = f"median {np.median(figures.milliseconds):.4f} ms, {1000 / mean:,.0f} solves/s{said}"
    of_all = {"repeats": repeats, "n_items": n}
    goals_ = (question.mean, question.high) if has_goals else (None, None)
    yield Row(GROUP, f"{name}: mean", float(mean), "ms", goal=goals_[0], cost=mean / 1000 * loop, remark=remark, **of_all)
    yield Row(GROUP, f"{name}: p99", float(high), "ms", goal=goals_[1], cost=high / 1000 * loop, **of_all)
    yield Row(GROUP, f"{name}: nodes", float(figures.nodes.mean()), "nodes", n_items=n)


def solver_rows(*, n_deals: int = 1000, repeats: int = 5) -> list[Row]:
    """Return the solver's figures: every question under `rablo`, some under the other presets, and whole contracts."""
    rows: list[Row] = []
    for question in QUESTIONS:
        cards = chosen_deals(question, n_deals)
        rows += _measured("rablo", question, cards, repeats, has_goals=True)
        if question.name in ELSEWHERE:
            few = Deals(*(column[: max(1, n_deals // 4)] for column in cards))
            has_trumps = bool(cards.trump[0] != NO_TRUMP)
            for preset in [name for name, rules in PRESETS.items() if bids_of(rules, question, has_trumps=has_trumps)][1:]:
                rows += _measured(preset, question, few, repeats, has_goals=False)
    for question in WHOLE:
        cards = chosen_deals(question, max(1, n_deals // 10))
        for preset, rules in PRESETS.items():
            n = len(cards.laid) if rules.must_overtake else max(1, len(cards.laid) // 4)
            few = Deals(*(column[:n] for column in cards))
            loop = rounds_per_second()
            figures = search_whole(rules, question, positions_of(rules, question._replace(marriages=True), few), repeats=1)
            loop = (loop + rounds_per_second()) / 2
            rows += rows_of(f"{preset}, whole contract: {question.name}", question, figures, loop, 1, has_goals=False)
    return rows


def _measured(preset: str, question: Question, cards: Deals, repeats: int, *, has_goals: bool) -> Iterator[Row]:
    loop = rounds_per_second()
    figures = search(PRESETS[preset], question, positions_of(PRESETS[preset], question, cards), repeats=repeats)
    loop = (loop + rounds_per_second()) / 2
    name = question.name if preset == "rablo" else f"{preset}: {question.name}"
    return rows_of(name, question, figures, loop, repeats, has_goals=has_goals)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    for row in solver_rows(n_deals=asked.deals, repeats=asked.repeats):
        goal = "" if row.goal is None else f"{row.goal:g} {'met' if row.is_met else 'MISSED'}"
        print(f"| {row.name} | {row.value:,.4g} | {row.unit} | {goal} | {row.remark} |", flush=True)


if __name__ == "__main__":
    main()
