"""What the benchmark makes of its figures; the figures themselves are no matter for a test."""

import json
from dataclasses import replace

from benchmarks.checking import MOST_COST, MOST_COUNT, regressions
from benchmarks.measuring import Row, as_json, of_json
from benchmarks.page import PAGE, RESULTS, table_lines, with_results

PLAYED = Row("kernels", "random players", 1.5, "M/s", more=True, goal=1.0, cost=300.0, spread=0.04, repeats=5, n_items=1000)
SIZE = Row("bytes a hand", "random players", 74.0, "B", goal=80)
NODES = Row("solver", "ulti", 323.0, "nodes")


def test_a_goal_is_a_least_rate_or_a_most_size():
    assert PLAYED.is_met
    assert not replace(PLAYED, value=0.9).is_met
    assert SIZE.is_met
    assert not replace(SIZE, value=80.5).is_met
    assert NODES.is_met is None


def test_a_slower_machine_is_no_regression_but_more_rounds_of_the_loop_are():
    old = [PLAYED, SIZE, NODES]
    assert regressions([replace(PLAYED, value=0.5), SIZE, NODES], old) == []
    (line,) = regressions([replace(PLAYED, cost=300.0 * MOST_COST + 1)], old)
    assert line == "kernels: random players: 1,801 rounds of the loop, 300 before"


def test_counts_are_held_closely():
    old = [SIZE, NODES]
    assert regressions([replace(SIZE, value=74 * MOST_COUNT)], old) == []
    assert regressions([replace(SIZE, value=82.0), replace(NODES, value=400.0)], old) == [
        "bytes a hand: random players: 82.0 B, 74.0 before",
        "solver: ulti: 400.0 nodes, 323.0 before",
    ]


def test_a_figure_that_was_not_there_before_is_no_regression():
    assert regressions([replace(PLAYED, name="new", cost=1e9)], [PLAYED]) == []


def test_results_are_read_back_as_they_were_written():
    written = json.loads(json.dumps(as_json([PLAYED, SIZE, NODES], short=True)))
    assert of_json(written) == [PLAYED, SIZE, NODES]
    assert {"processor", "processors", "python", "numba", "load", "loop_rounds_per_second"} <= set(written["machine"])


def test_a_table_says_what_was_reached_and_what_was_quiet():
    lines = table_lines([PLAYED, replace(PLAYED, name="club", value=0.5, spread=0.6)])
    assert lines[-2] == "| random players | 1.50 M/s | ≥ 1 reached | 300 | 4% quiet | 5 × 1,000 |  |"
    assert lines[-1] == "| club | 0.50 M/s | ≥ 1 missed | 300 | 60% | 5 × 1,000 |  |"


def test_mean_percentile_and_nodes_of_a_goal_stand_in_one_line():
    rows = [
        Row("solver", "ulti: mean", 0.05, "ms", goal=0.08, cost=13_000, n_items=1000, remark="20,000 solves/s"),
        Row("solver", "ulti: p99", 0.7, "ms", goal=0.6, n_items=1000),
        Row("solver", "ulti: nodes", 323.0, "nodes", n_items=1000),
    ]
    line = "| ulti | 0.0500 | 0.70 | ≤ 0.08 reached, ≤ 0.6 missed | 13,000 | 323 | 1,000 | 20,000 solves/s |"
    assert table_lines(rows)[-1] == line


def test_the_page_of_results_is_fresh():
    page = PAGE.read_text(encoding="utf-8")
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert page == with_results(page, found), "run python -m benchmarks.page"
