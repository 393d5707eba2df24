"""The sums that leave the database give the figures that rows give one by one, on random hands."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest

from tests.stats.ten_hands import hand, said
from ulti_stats.game.rulesets import ruleset
from ulti_stats.stats.bids import bid_success
from ulti_stats.stats.estimates import ratio
from ulti_stats.stats.kontra import kontra_gain
from ulti_stats.stats.selection import Selection

CONTRACTS = ("simple", "ulti", "betli", "forty_hundred+ulti", "durchmars_nt")


def random_hands(n, seed):
    """Hands with random outcomes, sessions (or none), and kontra chains, joint or individual as the rules have it."""
    chance = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        rules = chance.choice(["rablo", "hungarian"])
        contract = str(chance.choice(CONTRACTS))
        bid = ruleset(rules).bid(contract)
        outcome = {part.text: bool(chance.random() < 0.6) for part in bid.components}
        individual = rules == "hungarian" and bid.form.trump_class == "none"
        steps, levels = [], {}
        for part in bid.components:
            chains = [int(chance.choice([0, 0, 1, 2])) for _ in range(2 if individual else 1)]
            for defender, top in enumerate(chains, 1):
                for level in range(1, top + 1):
                    gain = int(chance.integers(-8, 9))
                    steps.append(said(defender if level == 1 else 0, part.text, gain, declarer=0, level=level, decision=2 * gain))
            levels[part.text] = (chains[0], chains[-1])
        session = None if chance.random() < 0.3 else f"s{chance.integers(12)}"
        rows.append(
            hand(
                rules=rules, declarer=0, contract=contract, outcome=outcome, units=int(chance.integers(-20, 20)),
                kontras=tuple(steps), levels=levels, session=session,
            )
        )  # fmt: skip
        rows[-1]["individual"] = individual
    return rows


def by_cluster(pairs):
    """Sums of y and x by cluster, as two lists."""
    sums = defaultdict(lambda: [0.0, 0.0])
    for cluster, y, x in pairs:
        sums[cluster][0] += y
        sums[cluster][1] += x
    return [pair[0] for pair in sums.values()], [pair[1] for pair in sums.values()]


def cluster_of(number, row):
    return row["session"] or number


@pytest.fixture(scope="module")
def rows():
    return random_hands(600, 5)


@pytest.fixture(scope="module")
def warehouse(rows, tmp_path_factory):
    from tests.stats.ten_hands import warehouse_of

    stored = [{name: value for name, value in row.items() if name != "individual"} for row in rows]
    return warehouse_of(stored, tmp_path_factory.mktemp("random") / "store")


def test_kinds_of_hands_and_single_steps_give_the_same_gains(warehouse):
    by_kind = kontra_gain(warehouse)
    by_step = kontra_gain(warehouse, Selection(where="step_level > 0"))
    assert "string_split" in by_kind.queries[1].text
    assert "string_split" not in by_step.queries[1].text
    for one, other in zip(by_kind.table("gains").rows, by_step.table("gains").rows, strict=True):
        assert one.keys == other.keys
        for mine, theirs in zip(one.cells, other.cells, strict=True):
            assert mine.marks == theirs.marks
            for name in ("value", "low", "high", "n", "k", "clusters", "n_eff"):
                assert getattr(mine.interval, name) == pytest.approx(getattr(theirs.interval, name))


@pytest.mark.parametrize("rules", ["rablo", "hungarian"])
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("component", ["betli", "ulti", "simple", "all"])
def test_gains_step_by_step(rows, warehouse, rules, level, component):
    table = kontra_gain(warehouse).table("gains")
    found = next(row for row in table.rows if row.stratum.ruleset == rules and row.keys == (component, level))
    steps = [
        (cluster_of(number, row), step, row)
        for number, row in enumerate(rows)
        for step in row["kontras"]
        if row["ruleset"] == rules and step["level"] == level and component in (step["component"], "all")
    ]
    for figure, gained in (
        (0, lambda step, row: step["decision_gain"]),
        (1, lambda step, row: step["step_gain"]),
        (2, lambda step, row: step["decision_gain"] * (1 if row["individual"] else 2)),
    ):
        expected = ratio(*by_cluster((cluster, gained(step, row), 1) for cluster, step, row in steps))
        seen = found.cells[figure].interval
        assert (seen.n, seen.clusters) == (expected.n, expected.clusters)
        assert seen.value == pytest.approx(expected.value)
        # Hands without a session, of which some have two steps, come by moments (E2), sessions by leaving out (E3).
        assert seen.standard_error == pytest.approx(expected.standard_error, rel=2e-3)
    failed = sum(not row[f"{step['component']}_made"] for _, step, row in steps)
    assert found.cells[3].interval.k == failed
    a = np.mean([step["decision_gain"] for _, step, row in steps if not row[f"{step['component']}_made"]])
    b = -np.mean([step["decision_gain"] for _, step, row in steps if row[f"{step['component']}_made"]])
    q, q_star = failed / len(steps), found.cells[4].interval.value
    assert (a + b) * (q - q_star) == pytest.approx(found.cells[0].interval.value)


@pytest.mark.parametrize("rules", ["rablo", "hungarian"])
@pytest.mark.parametrize("contract", ["betli", "ulti", "all"])
def test_units_hand_by_hand(rows, warehouse, rules, contract):
    table = bid_success(warehouse).table("contracts")
    found = next(row for row in table.rows if row.stratum.ruleset == rules and row.keys == (contract,))

    def without_kontra(row):
        moved = sum(step["step_gain"] * (-1 if step["seat"] == 0 else 1) for step in row["kontras"])
        return row["units_per_defender"] + moved * (0.5 if row["individual"] else 1.0)

    chosen = [
        (cluster_of(number, row), row)
        for number, row in enumerate(rows)
        if row["ruleset"] == rules and contract in (row["contract"], "all")
    ]
    for figure, units in (
        (3, lambda row: row["units_per_defender"]),
        (4, lambda row: row["declarer_units"]),
        (5, without_kontra),
    ):
        expected = ratio(*by_cluster((cluster, units(row), 1) for cluster, row in chosen))
        seen = found.cells[figure].interval
        assert seen.value == pytest.approx(expected.value)
        assert seen.standard_error == pytest.approx(expected.standard_error)
    won = sum(row["units_per_defender"] > 0 for _, row in chosen)
    assert found.cells[2].interval.k == won


def test_rates_of_what_was_said(rows, warehouse):
    table = kontra_gain(warehouse).table("said")
    for row in table.rows:
        component, level = row.keys
        reached = [
            (max(one[f"{part}_kontra_1"], one[f"{part}_kontra_2"]))
            for one in rows
            for part in ("simple", "forty_hundred", "ulti", "durchmars", "betli")
            if one["ruleset"] == row.stratum.ruleset and f"{part}_kontra_1" in one and component in (part, "all")
        ]
        found = row.cells[0].interval
        assert (found.k, found.n) == (sum(one >= level for one in reached), sum(one >= level - 1 for one in reached))
        assert found.low is not None
        assert not math.isnan(found.low)
