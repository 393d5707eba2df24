"""Score sheets: what contract, levels and a result written down at the table settle, and what they may not say."""

from typing import Any

import pytest

from tests.game.hands import results
from ulti_stats.errors import ClaimError, IllegalDeal, IllegalDecision, IllegalKontra, RulesetError, UltiError
from ulti_stats.game.history import HandHistory
from ulti_stats.game.replay import replay
from ulti_stats.game.result import Replay


def sheet(contract: str, *, preset: str = "rablo", declarer: int = 0, **given: Any) -> Replay:
    return replay(HandHistory(ruleset=preset, declarer=declarer, contract=contract, **given))


def _units(found: Replay) -> dict[str, tuple[int, int] | None]:
    return {part.component: part.units for part in found.components}


def test_an_outcome_alone_settles_the_payoffs_where_nothing_else_can_be_won():
    found = sheet("betli", outcome={"betli": "made"})
    assert (found.level, found.payoffs, _units(found)) == ("sheet", (10, -5, -5), {"betli": (5, 5)})


def test_payoffs_alone_settle_the_outcome_where_one_fits():
    found = sheet("betli", declarer=2, payoffs=(10, 10, -20), kontra_levels={"betli": 1})
    assert results(found) == {"betli": "failed"}
    assert found.components[0].kontra_levels == (1, 1)


def test_what_several_outcomes_fit_stays_open():
    # +1 each: the simple game made, or lost beside a silent ulti made.
    found = sheet("simple", payoffs=(2, -1, -1))
    assert results(found) == {}
    assert _units(found) == {"simple": None}
    assert found.payoffs == (2, -1, -1)


def test_outcome_and_payoffs_together_settle_the_rest():
    # 1 for the simple game, so the other 2 are a silent ulti; a silent durchmars lost costs nothing here and stays open.
    found = sheet("simple", preset="ladder", payoffs=(6, -3, -3), outcome={"simple": "made"})
    assert results(found) == {"simple": "made", "silent_ulti": "made"}
    assert _units(found) == {"simple": (1, 1), "silent_ulti": (2, 2)}


def test_payoffs_must_fit_an_outcome_that_contains_the_claimed_one():
    with pytest.raises(ClaimError, match=r"payoffs \[7, -3, -4\] fit no outcome of betli at these kontra levels"):
        sheet("betli", payoffs=(7, -3, -4))
    with pytest.raises(ClaimError, match="fit no outcome"):
        sheet("betli", payoffs=(10, -5, -5), outcome={"betli": "failed"})
    with pytest.raises(ClaimError, match="fit no outcome"):
        sheet("betli", payoffs=(10, -5, -5), kontra_levels={"betli": 1})


def test_only_parts_of_the_contract_and_bonuses_beside_it_can_be_claimed():
    with pytest.raises(ClaimError, match="ulti is no part of betli and no silent bonus beside it"):
        sheet("betli", outcome={"ulti": "made"})
    with pytest.raises(ClaimError, match="silent_ulti is no part of ulti"):
        sheet("ulti", outcome={"silent_ulti": "made"})
    with pytest.raises(ClaimError, match="silent_hundred is no part of forty_hundred"):
        sheet("forty_hundred", outcome={"silent_hundred": "made"})
    with pytest.raises(ClaimError, match="silent_four_aces is no part of simple"):
        sheet("simple", preset="hungarian", outcome={"silent_four_aces": "made"})


def test_a_silent_bonus_that_costs_nothing_when_lost_may_be_claimed_lost():
    found = sheet("simple", preset="ladder", outcome={"simple": "made", "silent_ulti": "failed"})
    assert _units(found)["silent_ulti"] == (0, 0)


# --- kontra levels ----------------------------------------------------------------------------------------------------


def test_one_number_in_an_individual_game_means_both_defenders():
    keys: dict[str, Any] = {"preset": "hungarian", "outcome": {"betli": "made"}}
    both = sheet("betli", kontra_levels={"betli": 1}, **keys)
    assert both.payoffs == sheet("betli", kontra_levels={"betli": (1, 1)}, **keys).payoffs == (20, -10, -10)
    assert sheet("betli", kontra_levels={"betli": (1, 0)}, **keys).payoffs == (15, -10, -5)


def test_an_unequal_pair_in_a_joint_game_is_refused():
    with pytest.raises(IllegalKontra, match=r"betli is kontra'd jointly here; \[1, 0\] are two levels"):
        sheet("betli", kontra_levels={"betli": (1, 0)}, outcome={"betli": "made"})
    assert sheet("betli", kontra_levels={"betli": (1, 1)}, outcome={"betli": "made"}).payoffs == (20, -10, -10)


def test_levels_stand_on_parts_of_the_contract_and_within_the_highest():
    with pytest.raises(IllegalKontra, match="ulti is no part of betli"):
        sheet("betli", kontra_levels={"ulti": 1}, outcome={"betli": "made"})
    with pytest.raises(IllegalKontra, match="levels go from 0 to 4"):
        sheet("betli", preset="ultimato", kontra_levels={"betli": 5}, outcome={"betli": "made"})


# --- the other keys ---------------------------------------------------------------------------------------------------


def test_a_sheet_needs_declarer_and_contract():
    with pytest.raises(ClaimError, match="a score sheet needs declarer and contract"):
        replay(HandHistory(ruleset="rablo", contract="betli", payoffs=(10, -5, -5)))
    with pytest.raises(RulesetError, match="did you mean 'betli'"):
        sheet("betly", payoffs=(10, -5, -5))


def test_the_trump_of_a_sheet_must_fit_its_contract():
    assert sheet("simple", trump=3, payoffs=(2, -1, -1)).trump == 3
    assert sheet("simple@hearts", payoffs=(4, -2, -2)).trump == 2
    assert sheet("simple", options={"hearts_always_trump": True}, payoffs=(2, -1, -1)).trump == 2
    assert sheet("betli", options={"hearts_always_trump": True}, payoffs=(10, -5, -5)).trump is None
    with pytest.raises(IllegalDecision, match="trump: simple is played in acorns or leaves or bells, not hearts"):
        sheet("simple", trump=2, payoffs=(2, -1, -1))


def test_a_sheet_knows_its_dealer_or_forehand_where_they_are_written():
    found = sheet("betli", payoffs=(10, -5, -5), dealer=2)
    assert (found.dealer, found.forehand) == (2, 0)
    found = sheet("betli", payoffs=(10, -5, -5), forehand=1)
    assert (found.dealer, found.forehand) == (0, 1)
    assert sheet("betli", payoffs=(10, -5, -5)).forehand is None
    with pytest.raises(IllegalDeal, match="forehand 1 does not fit dealer 1"):
        sheet("betli", payoffs=(10, -5, -5), dealer=1, forehand=1)


def test_a_conceded_sheet_pays_2_to_each():
    found = sheet("simple", conceded=True)
    assert (found.termination, found.payoffs) == ("conceded", (-4, 2, 2))
    with pytest.raises(ClaimError, match=r"payoffs \[-2, 1, 1\] are not those of a concession: \[-4, 2, 2\]"):
        sheet("simple", conceded=True, payoffs=(-2, 1, 1))
    with pytest.raises(IllegalKontra, match="a conceded game has no kontra"):
        sheet("simple", conceded=True, kontra_levels={"simple": 1})
    with pytest.raises(IllegalDecision, match="only a simple game in a plain suit is conceded"):
        sheet("ulti", conceded=True)
    assert sheet("simple", conceded=True, outcome={"simple": "made"}).disagreements == (
        "simple: claimed made, replay gives failed",
    )


def test_a_sheet_may_pay_what_a_bid_kept_from_the_five_card_round_pays():
    options = {"two_round_auction": True}
    found = sheet("betli", options=options, payoffs=(20, -10, -10))
    assert results(found) == {"betli": "made"}
    assert sheet("betli", options=options, outcome={"betli": "made"}).payoffs is None  # 10 or 20


def test_a_dropped_hundred_is_an_outcome_of_the_live_site():
    # -4 each: the 100-game lost; -1: its 100 part dropped and the simple game lost.
    for payoffs in ((-8, 4, 4), (-2, 1, 1)):
        assert sheet("forty_hundred", preset="ultiarena", payoffs=payoffs).payoffs == payoffs
    with pytest.raises(ClaimError, match="fit no outcome"):
        sheet("forty_hundred", preset="ultiarena", payoffs=(3, -1, -2))
    with pytest.raises(ClaimError, match="simple is no part"):
        sheet("forty_hundred", outcome={"simple": "made"})


def test_a_dropped_hundred_may_be_claimed_by_its_simple_game():
    found = sheet("forty_hundred", preset="ultiarena", outcome={"simple": "failed", "silent_forty_hundred": "failed"})
    assert _units(found)["forty_hundred"] == (0, 0)
    assert _units(found)["silent_forty_hundred"] == (-2, -2)
    with pytest.raises(UltiError):
        sheet("forty_hundred", preset="ultiarena", outcome={"simple": "made", "forty_hundred": "made"})


def test_a_defenders_failed_silent_ulti_pays_where_the_rules_say_so():
    # 4 for the 40-100 and 4 from each for the seven that failed.
    found = sheet("forty_hundred", preset="ultiarena", outcome={"forty_hundred": "made"}, payoffs=(16, -8, -8))
    assert found.payoffs == (16, -8, -8)
    with pytest.raises(ClaimError):
        sheet("forty_hundred", preset="hungarian", outcome={"forty_hundred": "made"}, payoffs=(16, -8, -8))


def test_beside_a_40_100_an_unbid_20_100_is_paid_only_where_its_marriage_may_be_declared():
    options = {"silent_set": ["twenty_hundred"]}
    with pytest.raises(ClaimError):
        sheet("forty_hundred", options=options, outcome={"silent_twenty_hundred": "made"})
    free = options | {"hundred_marriage_ban": "none"}
    found = sheet("forty_hundred", options=free, outcome={"silent_twenty_hundred": "made"})
    assert _units(found)["silent_twenty_hundred"] == (4, 4)
