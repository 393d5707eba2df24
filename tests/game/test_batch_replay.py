"""Batch replay says of each hand what replay of one hand says: the same result, or the same refusal at the same place."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from tests.game import hands
from tests.game.packing import derived, packed, said
from tests.game.tampering import tampered, with_forehand
from tests.variants import random_rules
from ulti_stats.errors import UltiError
from ulti_stats.game import batch as b
from ulti_stats.game import verdicts as v
from ulti_stats.game.batch_replay import Replayed, replay_batch
from ulti_stats.game.history import HandHistory, Kontra
from ulti_stats.game.replay import replay
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import PRESETS, Ruleset, ruleset
from ulti_stats.sources.simulate import plan_run, play_run
from ulti_stats.store.batches import encode_batch
from ulti_stats.store.rows import decode


def simulated(n_hands: int, *, seed: int = 6, players: str = "random", rules: str = "rablo", options: Any = None):
    """Return simulated hands as histories with a forehand."""
    run = plan_run(seed=seed, rules=rules, options=options, players=players)
    ((_, batch, played),) = play_run(run, 0, n_hands)
    return [with_forehand(history, run.rules) for history in decode(encode_batch(batch, played, run, first=0))]


def check(histories: list[HandHistory], rules: Ruleset) -> Replayed:
    """Assert that batch replay agrees with replay on every hand."""
    found = replay_batch(rule_table(rules), packed(histories), len(histories))
    for n, history in enumerate(histories):
        verdict, place = int(found.verdicts[n]), int(found.places[n])
        try:
            one = replay(history, rules=rules)
        except UltiError as error:
            check_refusal(verdict, place, error)
            continue
        assert (verdict == v.SETTLED) == (one.level == "full"), (n, verdict)
        if verdict == v.SETTLED:
            assert said(found.batch, n) == derived(one), n
        else:
            assert (verdict, place) == (v.OPEN, -1)
    return found


def check_refusal(verdict: int, place: int, error: UltiError) -> None:
    kind, words = v.REFUSALS[verdict]
    assert type(error) is kind, (verdict, error)
    assert re.search(words, str(error)), (verdict, error)
    assert place == place_in(str(error)), (verdict, place, error)


def place_in(text: str) -> int:
    """Return the place that an error names: call or kontra from 0, a seat of the deal, or -1; that of a card is its trick's."""
    if numbered := re.match(r"(?:call|kontra) (\d+),", text):
        return int(numbered[1]) - 1
    if broken := re.search(r"breaks off after (\d+) calls", text):
        return int(broken[1])
    if card := re.match(r"plays: trick (\d+), seat", text):
        return Card(3 * int(card[1]) - 3)
    seat = re.match(r"seat (\d) was dealt", text)
    return int(seat[1]) if seat else Anywhere() if "five-card round needs" in text else -1


class Card(int):
    """The first card of the trick in which a card was refused."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and int(self) <= other < int(self) + 3

    __hash__ = int.__hash__


class Anywhere(int):
    """A place that the error does not name."""

    def __eq__(self, other: object) -> bool:
        return other in (0, 1, 2)

    __hash__ = int.__hash__


@pytest.mark.parametrize("own", PRESETS)
def test_hands_of_every_preset_are_as_replay_says_under_every_preset(own: str) -> None:
    histories = simulated(60, rules=own) + simulated(60, rules=own, players="club,random,club")
    for other in PRESETS:
        found = check(histories, ruleset(other))
        assert other != own or not found.verdicts.any()


@pytest.mark.parametrize("number", range(12))
def test_so_are_hands_of_house_rules_under_other_house_rules(number: int) -> None:
    rng = random.Random(500 + number)
    preset, options, own = random_rules(rng)
    histories = simulated(50, seed=number, rules=preset, options=options)
    assert not check(histories, own).verdicts.any()
    for _ in range(4):
        check(histories, random_rules(rng)[2])


# --- hands that somebody tampered with --------------------------------------------------------------------------------


OPTIONS: list[dict[str, Any]] = [
    {"two_round_auction": True},
    {"hold": "forehand", "trump_named": "at_bid", "kontra_scope": "individual"},
    {"opening_bid_forced": False, "all_pass": "redeal_next", "concede_simple": "mandatory", "talon_mode": "rob_optional"},
    {"stop_early": True, "self_raise": False, "pass_final": True, "hearts_always_trump": True},
    {"two_round_auction": True, "opening_bid_forced": False, "all_pass": "redeal_next", "hold": "forehand"},
]


@pytest.mark.parametrize("rules", [*((preset, None) for preset in PRESETS), *(("rablo", options) for options in OPTIONS)])
def test_a_hand_with_one_decision_changed_is_refused_as_replay_refuses_it(rules: tuple[str, Any]) -> None:
    rng = random.Random(str(rules))
    histories = [tampered(history, rng) for history in simulated(150, rules=rules[0], options=rules[1]) for _ in range(2)]
    check(histories, ruleset(*rules))


# Two that chance hardly finds; each has a test below.
MUST_CONCEDE, NAMED_TWICE = (v.MUST_CONCEDE, -1), (v.TRUMP_DIFFERS, -1)


def test_every_refusal_occurs_among_tampered_hands() -> None:
    rng = random.Random(4)
    seen = {v.SETTLED, v.OPEN, MUST_CONCEDE[0], NAMED_TWICE[0]}
    for preset, options in [*((preset, None) for preset in PRESETS), *(("rablo", options) for options in OPTIONS)]:
        histories = [
            tampered(tampered(history, rng), rng) for history in simulated(300, rules=preset, options=options) for _ in range(4)
        ]
        rules = rule_table(ruleset(preset, options))
        seen |= set(replay_batch(rules, packed(histories), len(histories)).verdicts.tolist())
    assert set(v.REFUSALS) - seen == set()


# --- hands that one can read ------------------------------------------------------------------------------------------

SIMPLE = ("0 simple L7 B7", "1 pass", "2 pass")
TRICK_1 = "AA A8 A9"


def verdict(*calls: str, **given: Any) -> tuple[int, int]:
    """Return verdict and place of a hand on the shared deal, which replay confirms."""
    history = hands.history(*calls, **given)
    found = check([history], ruleset(history.ruleset, history.options))
    return int(found.verdicts[0]), int(found.places[0])


def test_a_hand_that_breaks_off_is_open() -> None:
    assert verdict(*SIMPLE, trump="acorns", plays=TRICK_1) == (v.OPEN, -1)


def test_a_card_that_does_not_follow_is_refused() -> None:
    assert verdict(*SIMPLE, trump="acorns", plays="AA HK A9") == (v.AGAINST_DUTY, 1)


def test_a_card_of_another_seat_is_refused() -> None:
    assert verdict(*SIMPLE, trump="acorns", plays="AA A8 B8") == (v.NOT_HELD, 2)


def test_a_card_played_twice_is_refused() -> None:
    assert verdict(*SIMPLE, trump="acorns", plays=f"{TRICK_1} AA") == (v.NOT_HELD, 3)


def test_a_bid_that_is_not_higher_is_refused() -> None:
    assert verdict("0 ulti L7 B7", "1 simple L7 B7") == (v.TOO_LOW, 1)


def test_a_kontra_out_of_turn_is_refused() -> None:
    kontras = (Kontra(1, "simple", after_play=2), Kontra(2, "simple", after_play=3))
    assert verdict(*SIMPLE, trump="acorns", plays=TRICK_1, kontras=kontras) == (v.KONTRA_STEP, 1)


def test_a_simple_game_that_must_be_conceded_is_not_played() -> None:
    options = {"concede_simple": "mandatory"}
    assert verdict(*SIMPLE, trump="acorns", plays=TRICK_1, options=options) == MUST_CONCEDE


def test_trumps_are_those_named_with_the_bid() -> None:
    calls = ("0 ulti in acorns L7 B7", "1 pass", "2 pass")
    assert verdict(*calls, trump="bells", options={"trump_named": "at_bid"}) == NAMED_TWICE


def test_the_first_illegal_decision_decides() -> None:
    assert verdict("0 ulti L7 B7", "1 simple L7 B7", plays="HK", trump="hearts") == (v.TOO_LOW, 1)


def test_what_is_no_card_and_no_bid_is_refused() -> None:
    batch = packed([hands.history(*SIMPLE, trump="acorns", plays=TRICK_1)] * 2)
    batch.plays[0, 0] += 32
    batch.calls[b.CALL_BID, 3] = 127
    found = replay_batch(rule_table(ruleset()), batch, 2)
    assert found.verdicts[0] in (v.NOT_HELD, v.AGAINST_DUTY)
    assert (found.verdicts[1], found.places.tolist()) == (v.UNKNOWN_BID, [0, 0])


def test_a_batch_of_no_hands_is_replayed() -> None:
    assert len(replay_batch(rule_table(ruleset()), packed([]), 0).verdicts) == 0
