"""Every option of the rules page does something: for each a question with another answer for another value.

`CASES` names the option, the preset and options around it, the question, and the answer for each value; an option that the
engine ignored would give one answer twice. Options of the sitting and of the table are asked elsewhere (`ELSEWHERE`).
"""

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.game import questions as ask
from tests.game.hands import TALON, auction, history, judged, played, results
from tests.game.questions import knows, legal, made_and_failed, paid, payoffs, value
from ulti_stats.game.auction import legal_bids, may_hold, must_bid, trump_problem
from ulti_stats.game.kontra import kontra_is_individual, level_name
from ulti_stats.game.options import OPTIONS
from ulti_stats.game.replay import replay
from ulti_stats.game.rulesets import ruleset

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Case:
    """An option, the question that shows it, and the answer for each of its values."""

    option: str
    question: ask.Question
    answers: list[tuple[Any, Any]]
    preset: str = "rablo"
    options: dict[str, Any] = field(default_factory=dict)


# --- the cases --------------------------------------------------------------------------------------------------------

SEVEN_WINS, SEVEN_LOSES = {"seven": ("declarer", True)}, {"seven": ("declarer", False)}
ALL_TRICKS = {"points": (90, 0), "tricks": (10, 0, 0), "aces": (0, 0)}
NO_TRICKS = {"points": (0, 90), "tricks": (0, 10, 0), "aces": (4, 0), "own_aces": 0}
SHARED_NO_TRICKS = {"points": (0, 90), "tricks": (0, 6, 4), "aces": (2, 2), "own_aces": 0}
HUNDRED_LOST = {"points": (20, 70), "pair": (0, 1)}
CSENDES = {"silent_set": ["forty_hundred", "twenty_hundred"]}
KONTRAD = {"simple": (1, 1)}


def defenders_seven(*, wins: bool, role: int = 2) -> dict[str, Any]:
    """Return facts in which a defender plays the trump seven to trick 10."""
    return {"seven_of": (role, wins)}


CASES = (
    Case(
        "players", lambda rules: replay(history(f"0 simple {TALON}", "1 pass", "2 pass"), rules=rules).dealer, [(3, 2), (4, None)]
    ),
    Case("direction", lambda rules: rules.first_speaker(0), [("ccw", 1), ("cw", 2)]),
    Case("forehand", lambda rules: rules.first_speaker(0), [("dealer_right", 1), ("dealer_left", 2)]),
    Case(
        "ten_rank",
        ask.ten_beats_king,
        [("high_all_in_trump", (True, False)), ("high_trump_suit_only", (False, False)), ("high_always", (True, True))],
    ),
    Case("card_points", ask.total, [("tens10", 90), ("ace11", 94), ("full", 130)]),
    Case("last_trick_bonus", ask.total, [(10, 90), (0, 80), (25, 105)]),
    # 40 points and a pair against 50: more in all, but less than 41 of cards.
    Case(
        "simple_target",
        paid("simple", "simple", points=(40, 50), pair=(1, 0)),
        [("compare", (1, 1)), ("threshold", (-1, -1))],
        options={"simple_threshold": 41},
    ),
    Case(
        "simple_threshold",
        paid("simple", "simple", points=(50, 40)),
        [(50, (1, 1)), (51, (-1, -1))],
        options={"simple_target": "threshold"},
    ),
    Case(
        "talon_points",
        paid("simple", "simple", points=(40, 35), talon=10),
        [("defenders", (-1, -1)), ("declarer", (1, 1)), ("none", (1, 1))],
    ),
    Case(
        "talon_points",
        paid("simple", "simple", points=(30, 35), talon=10),
        [("defenders", (-1, -1)), ("declarer", (1, 1)), ("none", (-1, -1))],
    ),
    Case(
        "opening_bid_forced",
        lambda rules: must_bid(auction(rules)),
        [(True, True), (False, False)],
        options={"all_pass": "redeal_next"},
    ),
    Case(
        "talon_mode",
        ask.talon_in_calls,
        [("rob", (True, False)), ("rob_optional", (True, True)), ("winner_takes", (False, True)), ("none", (False, True))],
        preset="ladder",
    ),
    Case("talon_mode", paid("simple", "simple", points=(40, 35), talon=10), [("rob", (-1, -1)), ("none", (1, 1))]),
    Case(
        "pass_final",
        lambda rules: auction(rules, f"0 simple {TALON}", "1 pass", f"2 betli {TALON}", "0 pass").turn,
        [(False, 1), (True, 2)],
    ),
    Case(
        "self_raise",
        lambda rules: len(legal_bids(auction(rules, f"0 simple {TALON}", "1 pass", "2 pass"))) > 0,
        [(True, True), (False, False)],
    ),
    Case(
        "auction_end",
        lambda rules: auction(rules, f"0 simple {TALON}", "1 pass", "2 pass").is_over,
        [("all_incl_holder", False), ("two_passes", True), ("all_others", True)],
    ),
    Case(
        "hold",
        lambda rules: may_hold(auction(rules, f"0 simple {TALON}", f"1 betli {TALON}", "2 pass")),
        [("off", False), ("forehand", True)],
    ),
    Case(
        "bid_order",
        ask.order,
        [
            ("table", [True, False, True, False, True]),
            ("value_parts", [True, False, False, False, True]),
            ("value_squares", [True, False, False, True, True]),
        ],
    ),
    Case(
        "bid_order",
        ask.order,
        [("table", [True, False, True, False, True]), ("ladder_b", [True, True, True, True, False])],
        options={"four_aces": False, "trump_durchmars": "combined_only"},
    ),
    Case(
        "bid_order",
        lambda rules: rules.overbids(rules.bid("forty_hundred+ulti@hearts"), rules.bid("forty_hundred+four_aces@hearts")),
        [("table", False), ("literal", True), ("value_parts", False)],
    ),
    Case("min_components", lambda rules: rules.ladder[0].name, [(1, "simple"), (2, "forty_hundred+four_aces")]),
    Case("two_round_auction", ask.two_rounds, [(False, 2), (True, 1)]),
    Case("round1_factor", ask.confirmed, [(2, (-8, 4, 4)), (3, (-12, 6, 6))], options={"two_round_auction": True}),
    Case(
        "trump_named",
        lambda rules: ask.accepted(rules, f"0 simple {TALON} in bells"),
        [("after_auction", False), ("at_bid", True)],
    ),
    Case(
        "hearts_always_trump", lambda rules: trump_problem(rules, rules.bid("simple"), 2) is None, [(False, False), (True, True)]
    ),
    Case(
        "hearts_under_plain", lambda rules: trump_problem(rules, rules.bid("simple"), 2) is None, [(False, False), (True, True)]
    ),
    Case("first_lead", ask.first_leader, [("declarer", 1), ("forehand", 0)]),
    Case("must_overtake", legal("LA L9", "LK"), [(True, "LA"), (False, "LA L9")]),
    Case("must_overtrump", legal("HA H7 B7", "LA HK"), [(True, "HA"), (False, "HA H7")]),
    Case("overtake_when_trumped", legal("LA L9", "LK H7"), [(False, "LA L9"), (True, "LA")]),
    Case("hold_trump_seven", legal("HA H7 LA", "", bid="ulti", is_declarer=True), [(True, "LA HA"), (False, "LA HA H7")]),
    Case("stop_early", ask.level_after_the_losing_trick, [(False, "deal"), (True, "full")]),
    Case("marriage_timing", ask.moment, [("first_trick", 0), ("either_card", 3), ("first_card", 3), ("second_card", 6)]),
    Case("marriage_timing", ask.may_declare_late, [("either_card", True), ("first_card", False)]),
    Case("marriage_needs_trick", ask.trickless_marriage, [(False, 20), (True, 0)]),
    Case(
        "hundred_marriage_ban",
        ask.marriage_points("forty_hundred", "leaves"),
        [("declarer", (0, 40)), ("all", (0, 0)), ("none", (20, 40))],
    ),
    Case("four_aces", knows("four_aces", "ulti"), [(True, ["four_aces", "ulti"]), (False, ["ulti"])]),
    Case(
        "four_aces",
        knows("four_aces", "ulti+four_aces", "forty_hundred+four_aces"),
        [(True, ["four_aces", "ulti+four_aces"]), (False, [])],
        preset="ultimato",
    ),
    Case(
        "trump_durchmars",
        knows("durchmars", "ulti+durchmars", "durchmars_nt"),
        [
            ("none", ["durchmars_nt"]),
            ("combined_only", ["ulti+durchmars", "durchmars_nt"]),
            ("free", ["durchmars", "ulti+durchmars", "durchmars_nt"]),
        ],
    ),
    Case(
        "trump_durchmars",
        knows("durchmars", "ulti+durchmars"),
        [("none", []), ("combined_only", ["ulti+durchmars"]), ("free", ["durchmars", "ulti+durchmars"])],
        preset="ultimato",
    ),
    Case("implied_simple", value("ulti"), [(True, 5), (False, 4)]),
    Case("ulti_fail_penalty", paid("ulti", "ulti", **SEVEN_LOSES), [(4, (-8, -8)), (0, (-4, -4)), (10, (-14, -14))]),
    Case(
        "penalty_under_kontra",
        paid("ulti", "ulti", {"ulti": (1, 1)}, **SEVEN_LOSES),
        [("fixed", (-12, -12)), ("doubled", (-16, -16))],
    ),
    Case("hearts_multiplier", value("simple@hearts"), [(2, 2), (1, None)]),
    Case(
        "hearts_multiplier",
        knows("simple@hearts", "betli@hearts", "forty_hundred@hearts"),
        [(1, []), (2, ["simple@hearts", "betli@hearts"])],
        preset="ultimato",
    ),
    Case("open_betli_factor", value("open_betli"), [(4, 20), (2, 10)]),
    Case("open_durchmars_nt_factor", value("open_durchmars_nt"), [(4, 24), (3, 18)]),
    Case("open_durchmars_factor", value("open_durchmars"), [(2, 12), (4, 24), (None, None)]),
    Case("open_durchmars_factor", value("ulti+open_durchmars"), [(2, 16), (None, None)], preset="ladder"),
    Case("open_ulti", value("open_ulti"), [(True, 8), (False, None)], preset="ladder"),
    Case("concede_simple", ask.concedes, [("off", (False, True)), ("allowed", (True, True)), ("mandatory", (True, False))]),
    Case("missing_marriage", payoffs("forty_hundred", points=(60, 30)), [("lost", (-8, 4, 4)), ("dropped", (2, -1, -1))]),
    Case(
        "kontra_scope",
        ask.one_kontra("betli"),
        [("joint", (-10, -10)), ("individual_notrump", (-10, -5)), ("individual", (-10, -5))],
    ),
    Case("kontra_scope", ask.one_kontra("ulti"), [("joint", (8, 8)), ("individual_notrump", (8, 8)), ("individual", (8, 4))]),
    Case(
        "kontra_scope",
        lambda rules: kontra_is_individual(rules, rules.bid("ulti")),
        [("individual_notrump", False), ("individual", True)],
    ),
    Case("kontra_max_level", ask.highest_kontra, [(6, 6), (2, 2), (0, 0)]),
    Case(
        "kontra_multipliers",
        paid("betli", "betli", {"betli": (3, 3)}, tricks=(0, 6, 4)),
        [("pow2", (40, 40)), ("literal_b", (20, 20))],
    ),
    Case(
        "kontra_names", lambda rules: level_name(rules, 4), [("hirs_then_mord", "hirskontra"), ("mord_then_hirs", "mordkontra")]
    ),
    Case(
        "silent_set",
        made_and_failed(**ALL_TRICKS, **SEVEN_WINS),
        [
            (["hundred", "four_aces", "ulti", "durchmars"], ["silent_durchmars", "silent_four_aces", "silent_ulti"]),
            (["ulti"], ["silent_ulti"]),
            (["four_aces", "hundred"], ["silent_four_aces"]),
            (["durchmars"], ["silent_durchmars"]),
        ],
    ),
    Case(
        "silent_set",
        made_and_failed(points=(80, 10), pair=(1, 0), side=(1, 0)),
        [
            (["hundred"], ["silent_hundred"]),
            (["forty_hundred"], ["silent_forty_hundred"]),
            (["twenty_hundred"], ["silent_twenty_hundred"]),
        ],
    ),
    Case(
        "silent_values",
        paid("simple@hearts", "silent_ulti", **SEVEN_WINS),
        [({"ulti": 2}, (4, 4)), ({"ulti": 5}, (10, 10)), ({"ulti": 0}, (0, 0))],
    ),
    Case("silent_durch_simple", paid("simple", "silent_durchmars", **ALL_TRICKS), [(3, (3, 3)), (4, (4, 4))]),
    Case("silent_durch_simple", paid("ulti", "silent_durchmars", **ALL_TRICKS, **SEVEN_WINS), [(3, (3, 3)), (4, (3, 3))]),
    Case(
        "silent_loss",
        paid("simple", "silent_ulti", **SEVEN_LOSES),
        [
            ("none", (0, 0)),
            ("same_per_defender", (-2, -2)),
            ("double_per_defender", (-4, -4)),
            ("double_ulti_only", (-4, -4)),
            ("ulti_only", (-2, -2)),
        ],
    ),
    Case(
        "silent_loss",
        paid("simple", "silent_hundred", **HUNDRED_LOST),
        [
            ("none", (0, 0)),
            ("same_per_defender", (-2, -2)),
            ("double_per_defender", (-4, -4)),
            ("double_ulti_only", (-2, -2)),
            ("ulti_only", (0, 0)),
        ],
    ),
    Case(
        "silent_ulti_defender",
        payoffs("simple", **defenders_seven(wins=True)),
        [("none", (2, -1, -1)), ("team", (-2, 1, 1)), ("individual", (0, -3, 3))],
    ),
    Case(
        "silent_ulti_defender_loss",
        paid("simple", "silent_ulti_defender", **defenders_seven(wins=False)),
        [("none", None), ("double", (4, 4))],
        options={"silent_ulti_defender": "team"},
    ),
    Case(
        "silent_durchmars_loss",
        paid("simple", "silent_durchmars", **SHARED_NO_TRICKS),
        [("one_defender", None), ("team", (-3, -3))],
    ),
    Case(
        "silent_hundred_sides",
        paid("simple", "silent_forty_hundred", **HUNDRED_LOST),
        [("declarer", None), ("both", (-2, -2))],
        options=CSENDES,
    ),
    Case(
        "silent_hundred_paid",
        made_and_failed(points=(80, 10), pair=(1, 0), side=(1, 0)),
        [("each", ["silent_forty_hundred", "silent_twenty_hundred"]), ("better", ["silent_twenty_hundred"])],
        options=CSENDES,
    ),
    Case("silent_under_durchmars", paid("durchmars", "silent_ulti", **ALL_TRICKS, **SEVEN_WINS), [(True, (2, 2)), (False, None)]),
    Case("hundred_mode", payoffs("simple", points=(60, 30), pair=(1, 0)), [("add", (6, -3, -3)), ("replace", (4, -2, -2))]),
    Case(
        "durchmars_mode",
        payoffs("simple", points=(90, 0), tricks=(10, 0, 0), aces=(1, 0)),
        [("add", (8, -4, -4)), ("replace", (6, -3, -3))],
    ),
    Case(
        "silent_kontra",
        paid("simple", "silent_ulti", KONTRAD, **SEVEN_WINS),
        [("with_carrier", (4, 4)), ("never", (2, 2)), ("with_simple_not_ulti", (2, 2))],
    ),
    Case(
        "silent_kontra",
        paid("simple", "silent_hundred", KONTRAD, points=(60, 30), pair=(1, 0)),
        [("with_carrier", (4, 4)), ("never", (2, 2)), ("with_simple_not_ulti", (4, 4))],
    ),
    Case(
        "silent_kontra",
        paid("forty_hundred", "silent_durchmars", {"forty_hundred": (2, 2)}, **ALL_TRICKS, pair=(1, 0)),
        [("with_carrier", (12, 12)), ("never", (3, 3)), ("with_simple_not_ulti", (3, 3))],
    ),
    Case(
        "settlement",
        payoffs("simple", points=(50, 40)),
        [("per_defender", (2, -1, -1)), ("declarer_only", (1, 0, 0)), ("c_literal", (1, -1, -1))],
    ),
)

# Asked in other places: the sitting, money, what players may see. The value is the test that asks.
ELSEWHERE = {
    "all_pass": "tests/stats/test_sessions.py",
    "session_deals": "tests/stats/test_sessions.py",
    "session_target": "tests/stats/test_sessions.py",
    "session_tiebreak_deals": "tests/stats/test_sessions.py",
    "unit": "tests/game/test_units.py",
    # One value each: another is refused.
    "misdeal": "tests/game/test_rulesets.py",
    "kontra_deadline": "tests/game/test_rulesets.py",
    # Kept with the hand and printed; no hand depends on it.
    "deal_pattern": "tests/game/test_rulesets.py",
    # What players may see.
    "open_who": "tests/sources/test_table.py",
    "open_when": "tests/sources/test_table.py",
}


def test_no_option_is_left_out():
    assert {case.option for case in CASES} | set(ELSEWHERE) == set(OPTIONS)
    assert not {case.option for case in CASES} & set(ELSEWHERE)
    for option, path in ELSEWHERE.items():
        assert option in (ROOT / path).read_text(encoding="utf-8"), path


@pytest.mark.parametrize("case", CASES, ids=[f"{case.option}-{number}" for number, case in enumerate(CASES)])
def test_an_option_is_not_ignored(case: Case):
    for option_value, answer in case.answers:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rules = ruleset(case.preset, case.options | {case.option: option_value})
        assert case.question(rules) == answer, option_value


def test_between_the_values_of_an_option_there_is_a_difference():
    for option in {case.option for case in CASES}:
        answers = [[str(answer) for _, answer in case.answers] for case in CASES if case.option == option]
        assert any(len(set(found)) > 1 for found in answers), option


def test_under_open_ulti_the_named_part_is_doubled_and_nothing_else():
    rules = ruleset("ultimato", {"open_ulti": True})
    assert dict(zip((part.text for part in rules.bid("open_ulti").components), rules.bid("open_ulti").values, strict=True)) == {
        "ulti": 8,
        "simple": 1,
    }
    hearts = ruleset("ladder", {"open_ulti": True}).bid("open_ulti@hearts")
    assert hearts.value == 16


def test_hearts_that_double_every_trump_game_leave_betli_alone():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rules = ruleset("rablo", {"hearts_always_trump": True, "hearts_multiplier": 2})
    assert [rules.bid(name).value for name in ("simple", "ulti", "betli", "betli@hearts")] == [2, 10, 5, 10]


def test_an_individual_silent_ulti_is_paid_by_both_others_whatever_the_settlement():
    facts = defenders_seven(wins=True)
    for settlement, expected in (("declarer_only", (-1, 0, 0)), ("c_literal", (-1, -3, 3))):
        rules = ruleset("rablo", {"silent_ulti_defender": "individual", "settlement": settlement})
        assert judged(rules, "simple", **facts)[1] == expected
        first = judged(rules, "simple", **defenders_seven(wins=True, role=1))[1]
        assert first == (expected[0], expected[2], expected[1])


def test_the_shared_hand_wins_its_simple_game():
    assert results(replay(played("simple")))["simple"] == "made"
