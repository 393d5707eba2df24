"""Every row of scoring_cases.csv: from the facts of a play, and the kontras said, to the units from each defender."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests import reference
from tests.game.hands import Scored, judged
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import Ruleset, ruleset
from ulti_stats.game.scoring import conceded_score

DATA = Path(__file__).parent.parent / "data"
ROWS = {row["id"]: row for row in csv.DictReader((DATA / "scoring_cases.csv").read_text(encoding="utf-8").splitlines())}

# Where trick 10 went: the trump seven was played to it by a side, and it won or lost.
WINS, LOSES = ("declarer", True), ("declarer", False)

# fmt: off
# id: own points and the defenders' in tricks; `pair` and `side` are marriages by side (declarer, defenders), `talon` points,
# `seven` says who played the trump seven in trick 10 and whether it won, `tricks` by role, `aces` lost to each defender.
FACTS: dict[str, dict[str, Any]] = {
    "A01": {"points": (50, 40)},
    "A02": {"points": (40, 50)},
    "A03": {"points": (60, 30)},
    "A04": {"points": (40, 30), "talon": 20},
    "A05": {"points": (40, 50), "pair": (1, 0)},
    "A06": {"points": (60, 30), "side": (0, 2)},
    "A07": {"points": (50, 40)},
    "A09": {},
    "A10": {"points": (60, 30), "pair": (1, 0)},
    "A11": {"points": (50, 40), "pair": (1, 0)},
    "A13": {"points": (70, 20)},
    "A14": {"points": (80, 10), "side": (1, 0)},
    "A15": {"points": (70, 20), "side": (1, 0)},
    "A17": {"points": (60, 30), "aces": (0, 0)},
    "A18": {"points": (50, 40), "aces": (1, 0)},
    "A20": {"points": (50, 40), "seven": WINS},
    "A21": {"points": (40, 50), "seven": WINS},
    "A22": {"points": (50, 40), "seven": LOSES},
    "A24": {"points": (40, 50), "seven": LOSES},
    "A25": {"points": (50, 40), "seven": LOSES},
    "A27": {"points": (50, 40), "seven": WINS},
    "A29": {"points": (40, 50), "seven": WINS},
    "A31": {"points": (90, 0), "pair": (1, 0), "tricks": (10, 0, 0), "seven": WINS},
    "A32": {"points": (80, 10), "pair": (1, 0), "tricks": (9, 1, 0), "seven": WINS},
    "A33": {"points": (80, 10), "pair": (1, 0), "tricks": (9, 1, 0), "seven": WINS},
    "A34": {"points": (60, 30), "pair": (1, 0), "seven": LOSES},
    "A35": {"points": (60, 30), "pair": (1, 0), "seven": WINS},
    "A37": {"points": (60, 30), "seven": WINS, "aces": (0, 0)},
    "A38": {"points": (50, 40), "seven": WINS, "aces": (0, 1)},
    "A40": {"tricks": (0, 6, 4)},
    "A41": {"tricks": (1, 5, 4)},
    "A42": {"tricks": (1, 5, 4)},
    "A43": {"tricks": (0, 6, 4)},
    "A44": {"tricks": (10, 0, 0)},
    "A46": {"tricks": (10, 0, 0)},
    "A47": {"tricks": (9, 1, 0)},
    "A49": {"points": (90, 0), "tricks": (10, 0, 0), "seven": WINS},
    "A52": {"points": (50, 40), "seven": WINS},
    "A53": {"points": (50, 40), "seven": LOSES},
    "A53b": {"points": (50, 40), "seven": LOSES},
    "A54": {"points": (70, 20), "pair": (1, 0)},
    "A55": {"points": (60, 30), "pair": (1, 0)},
    "A56": {"points": (20, 70), "pair": (0, 1)},
    "A56b": {"points": (20, 70), "pair": (0, 1)},
    "A58": {"points": (60, 30), "pair": (1, 0), "seven": WINS},
    "A59": {"points": (90, 0), "tricks": (10, 0, 0), "aces": (0, 0)},
    "A59b": {"points": (90, 0), "tricks": (10, 0, 0), "aces": (0, 0)},
    "A61": {"points": (0, 90), "tricks": (0, 10, 0), "aces": (4, 0), "own_aces": 0},
    "A63": {"points": (90, 0), "tricks": (10, 0, 0), "seven": WINS},
    "A65": {"points": (50, 40), "seven": WINS, "factor": 2},
    "A66": {"points": (60, 30), "pair": (1, 0), "seven": WINS},
    "B01": {"points": (50, 40)},
    "B03": {"points": (40, 50)},
    "B04": {"points": (60, 30), "pair": (1, 0)},
    "B05": {"points": (80, 10), "side": (1, 0)},
    "B07": {"tricks": (0, 6, 4)},
    "B08": {"tricks": (1, 5, 4)},
    "B09": {"tricks": (10, 0, 0)},
    "B10": {"tricks": (10, 0, 0)},
    "B11": {"points": (20, 70), "seven": WINS},
    "B12": {"points": (50, 40), "seven": LOSES},
    "B14": {"points": (60, 30), "pair": (1, 0), "seven": WINS},
    "B15": {"points": (60, 30), "pair": (1, 0), "seven": LOSES},
    "B17": {"points": (90, 0), "tricks": (10, 0, 0), "aces": (0, 0)},
    "B19": {"points": (60, 30), "pair": (1, 0), "seven": WINS},
    "B20": {"points": (40, 50)},
    "B20b": {"points": (40, 50)},
    "B21": {"points": (60, 30), "pair": (1, 0)},
    "B22": {"points": (50, 40), "seven": WINS},
    "C01": {"points": (61, 59)},
    "C02": {"points": (60, 60)},
    "C04": {"points": (61, 59), "seven": WINS},
    "C05": {"points": (61, 59), "seven": LOSES},
    "C07": {"tricks": (0, 6, 4)},
    "C08": {"tricks": (1, 1, 1)},
    "C09": {"tricks": (10, 0, 0)},
    "C10": {"points": (61, 59)},
    "C11": {"points": (61, 59)},
    "H01": {"points": (50, 40), "seven": LOSES},
    "H02": {"points": (50, 40), "seven": LOSES},
    "H03": {"tricks": (0, 6, 4)},
}
# fmt: on


def test_every_row_has_its_facts():
    assert set(FACTS) == set(ROWS)


def _levels(text: str) -> dict[str, tuple[int, int]]:
    """Return kontra levels as written in the file: `ulti x2`, or `defender 1 x2, defender 2 none`."""
    found = {}
    if text.startswith("defender"):
        factors = [int(factor) if factor else 1 for factor in re.findall(r"defender \d (?:x(\d+)|none)", text)]
        return {"betli": (factors[0].bit_length() - 1, factors[1].bit_length() - 1)}
    for part, factor in re.findall(r"(\w+) x(\d+)", text):
        level = int(factor).bit_length() - 1
        found[part] = (level, level)
    return found


def _score(row: dict[str, str], rules: Ruleset) -> Scored:
    if "conceded" in row["contract"]:
        results, payoffs = conceded_score(rule_table(rules), rules.bid(row["bid_id"]).number, declarer=0)
        return {part.component: part.units for part in results if part.units}, payoffs
    return judged(rules, row["bid_id"], _row_levels(row), **FACTS[row["id"]])


def _row_levels(row: dict[str, str]) -> dict[str, tuple[int, int]]:
    # The x4 of B20b is what the literal table makes of level 3.
    return {"simple": (3, 3)} if row["id"] == "B20b" else _levels(row["kontra"])


def _expected_units(row: dict[str, str]) -> dict[str, int]:
    """Return the units by component as the row writes them: `ulti -8-4; simple +1`."""
    names = {"40-100": "forty_hundred", "20-100": "twenty_hundred", "simple conceded, counted as doubled:": "simple"}
    found = {}
    for text in row["components"].split(";"):
        name, amount = re.fullmatch(r"\s*(.+?) ([+-][\d+-]*)\s*", text).groups()  # pyright: ignore[reportOptionalMemberAccess]
        name = names.get(name, name)
        name = name.replace("silent 40-100", "silent_forty_hundred").replace("silent ", "silent_")
        found[name] = sum(map(int, re.findall(r"[+-]\d+", amount)))
    return found


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_case_pays_what_its_row_says(row: dict[str, str]):
    rules = ruleset(row["preset"], json.loads(row["options"]) if row["options"] else None)
    units, payoffs = _score(row, rules)
    if row["id"] == "H03":
        assert units == {"betli": (10, 5)}
        assert payoffs == (15, -10, -5)
        return
    per_defender = int(row["per_defender"])
    assert units == {name: (value, value) for name, value in _expected_units(row).items()}
    assert payoffs == (int(row["declarer_total"]), -per_defender, -per_defender)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_the_reference_pays_the_same(row: dict[str, str]):
    rules = ruleset(row["preset"], json.loads(row["options"]) if row["options"] else None)
    kernel_units, payoffs = _score(row, rules)
    if "conceded" in row["contract"]:
        assert reference.concession(rules, declarer=0) == payoffs
        return
    made = {name: "made" if units[0] > 0 else "failed" for name, units in kernel_units.items()}
    bid = reference.bid_of(rules, row["bid_id"])
    units = reference.units(rules, bid, made, _row_levels(row), factor=FACTS[row["id"]].get("factor", 1))
    assert units == kernel_units
    assert reference.payoffs(rules, made, units, declarer=0) == payoffs
