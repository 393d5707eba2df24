"""Every row of scoring_cases.csv: from the facts of a play, and the kontras said, to the units from each defender."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import reference
from ulti_stats.game import play
from ulti_stats.game.bids import PART_TEXTS
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import Ruleset, ruleset
from ulti_stats.game.scoring import N_OUTCOME, conceded_score, judge, score

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


def facts_of(
    *,
    points: tuple[int, int] = (50, 40),
    pair: tuple[int, int] = (0, 0),
    side: tuple[int, int] = (0, 0),
    talon: int = 0,
    seven: tuple[str, bool] | None = None,
    tricks: tuple[int, int, int] = (5, 3, 2),
    aces: tuple[int, int] = (1, 1),
    own_aces: int = 2,
    factor: int = 1,
) -> np.ndarray:
    """Return the facts array of a play; unless said otherwise no silent condition is met."""
    facts = np.zeros(play.N_FACTS, np.int64)
    facts[play.TRICKS : play.TRICKS + 3] = tricks
    facts[play.N_TRICKS] = sum(tricks)
    facts[play.TRICK_POINTS : play.TRICK_POINTS + 2] = points
    facts[play.TALON_POINTS] = talon
    for who in (0, 1):
        facts[play.MARRIAGE_POINTS + who] = 40 * pair[who] + 20 * side[who]
        facts[play.DECLARED + who] = (pair[who] > 0) + 2 * (side[who] > 0)
    facts[play.HELD] = (pair[0] > 0) + 2 * (side[0] > 0)
    facts[play.ACE_TRICKS : play.ACE_TRICKS + 3] = (own_aces, *aces)
    # Without a word of the seven the first defender has played it to an earlier trick.
    facts[play.SEVEN_HOLDER], facts[play.SEVEN_TRICK] = (0, 9) if seven else (1, 4)
    facts[play.LAST_WINNER] = 0 if seven is None or seven[1] else 2
    return facts


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


def _score(row: dict[str, str], rules: Ruleset) -> tuple[dict[str, tuple[int, int]], tuple[int, int, int]]:
    table, bid = rule_table(rules), rules.bid(row["bid_id"]).number
    if "conceded" in row["contract"]:
        results, payoffs = conceded_score(table, bid, declarer=0)
    else:
        facts = FACTS[row["id"]]
        outcome = np.zeros(N_OUTCOME, np.int64)
        judge(table, bid, facts_of(**facts), outcome)
        levels = np.zeros((7, 2), np.int64)
        for part, pair in _levels(row["kontra"]).items():
            levels[PART_TEXTS.index(part)] = pair
        if row["id"] == "B20b":
            levels[PART_TEXTS.index("simple")] = 3  # x4 is what the literal table makes of level 3
        results, payoffs = score(table, bid, outcome, levels, declarer=0, factor=facts.get("factor", 1))
    return {part.component: part.units for part in results if part.units}, payoffs


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
    levels = {"simple": (3, 3)} if row["id"] == "B20b" else _levels(row["kontra"])
    bid = reference.bid_of(rules, row["bid_id"])
    units = reference.units(rules, bid, made, levels, factor=FACTS[row["id"]].get("factor", 1))
    assert units == kernel_units
    assert reference.payoffs(rules, made, units, declarer=0) == payoffs
