"""The 600 recorded hands with verified verdicts: each replays to its claims, and the reference agrees card by card."""

from pathlib import Path

import pytest

from tests import reference
from tests.game.hands import results, texts
from ulti_stats.game.cards import CARD_TEXTS
from ulti_stats.game.history import HandHistory
from ulti_stats.game.notation import parse_history
from ulti_stats.game.replay import replay
from ulti_stats.game.result import Replay

DATA = Path(__file__).parent.parent / "data"
PRESETS = ("rablo", "ladder", "ultimato", "hungarian")


def _hands(preset: str) -> list[tuple[str, HandHistory, Replay]]:
    lines = (DATA / f"{preset}.jsonl").read_text(encoding="utf-8").splitlines()
    histories = [parse_history(line, place=f"{preset}:{number}") for number, line in enumerate(lines, 1)]
    return [(f"{preset}:{number}", history, replay(history)) for number, history in enumerate(histories, 1)]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_recorded_hand_replays_to_its_claims(preset: str):
    hands = _hands(preset)
    assert len(hands) == 150
    for place, history, found in hands:
        assert found.disagreements == (), place
        assert found.level == "full", place
        assert found.payoffs == history.payoffs, place
        claimed = dict(history.outcome or {})
        assert {name: results(found)[name] for name in claimed} == claimed, place


@pytest.mark.parametrize("preset", PRESETS)
def test_a_claimed_outcome_is_complete(preset: str):
    # These records list every part and every silent bonus won or lost, so that nothing else may have been found.
    for place, history, found in _hands(preset):
        if history.outcome is not None:
            assert results(found) == dict(history.outcome), place


@pytest.mark.parametrize("preset", PRESETS)
def test_the_reference_judges_and_pays_every_recorded_hand_alike(preset: str):
    judged = 0
    for place, history, found in _hands(preset):
        if found.termination != "played" or found.contract is None:
            continue
        assert found.hands is not None
        assert found.laid is not None
        assert found.declarer is not None
        rules, declarer = found.rules, found.declarer
        bid = reference.bid_of(rules, found.contract.name)
        trump = None if found.trump is None else "ALHB"[found.trump]
        hands = [texts(mask) for mask in found.hands]
        cards = [CARD_TEXTS[card] for card in history.plays or ()]
        leader = found.forehand if rules.first_lead == "forehand" else declarer
        assert leader is not None
        play = reference.play(rules, bid, trump, hands, cards, declarer=declarer, leader=leader)
        assert play.illegal == [], place
        declared = [((marriage.seat - declarer) % 3, "ALHB"[marriage.suit]) for marriage in found.marriages]
        made = reference.outcome(rules, bid, trump, play, texts(found.laid), declared, hands[declarer])
        levels = {part.component: part.kontra_levels for part in found.components}
        units = reference.units(rules, bid, made, levels)
        assert units == {part.component: part.units for part in found.components}, place
        assert reference.payoffs(rules, made, units, declarer=declarer) == history.payoffs, place
        judged += 1
    assert judged >= 147
