"""Kontra: who may say which step, until when, on what, and what it does to the units."""

from dataclasses import replace

import pytest

from tests.game.hands import TALON, kontra, played
from ulti_stats.errors import IllegalKontra
from ulti_stats.game.kontra import level_name
from ulti_stats.game.replay import replay
from ulti_stats.game.result import Replay
from ulti_stats.game.rulesets import HUNGARIAN, RABLO, Ruleset, ruleset

# Seat 0 makes its ulti on the shared deal, and loses it where the trump seven lies in the talon.
WITHOUT_SEVEN = "A7 B7"


def _said(
    bid: str,
    *kontras: str,
    preset: str = "rablo",
    trump: str | None = "acorns",
    discard: str = TALON,
    **options: object,
) -> Replay:
    hand = played(bid, preset=preset, trump=trump, discard=discard, options=options or None)
    return replay(replace(hand, kontras=tuple(kontra(words) for words in kontras)))


def _refused(bid: str, *kontras: str, **keys: object) -> str:
    with pytest.raises(IllegalKontra) as error:
        _said(bid, *kontras, **keys)  # pyright: ignore[reportArgumentType]
    text = str(error.value)
    assert text.startswith(f"kontra {len(kontras)}, seat {kontras[-1][0]}: ")
    return text


def _units(found: Replay, component: str) -> tuple[int, int] | None:
    part = found.component(component)
    return None if part is None else part.units


# --- whose turn -------------------------------------------------------------------------------------------------------


def test_sides_say_the_steps_in_turn():
    found = _said("ulti", "1 ulti", "0 ulti", "2 ulti")
    assert found.levels == (1, 2, 3)
    assert found.component("ulti").kontra_levels == (3, 3)  # pyright: ignore[reportOptionalMemberAccess]
    assert "level 1 on ulti is a defender's to say" in _refused("ulti", "0 ulti")
    assert "level 2 on ulti is the declarer's to say" in _refused("ulti", "1 ulti", "2 ulti")
    assert "level 3 on ulti is a defender's to say" in _refused("ulti", "1 ulti", "0 ulti", "0 ulti")


def test_a_joint_kontra_is_said_by_either_defender_and_binds_both():
    for words in ("1 betli", "2 betli"):
        assert _units(_said("betli", words, trump=None), "betli") == (-10, -10)
    assert "kontra is joint here; 'against' has no place" in _refused("ulti", "1 ulti", "0 ulti against 1")


def test_each_part_is_kontrad_by_itself_the_implied_simple_too():
    found = _said("ulti", "1 simple", "2 ulti")
    assert {part.component: part.kontra_levels for part in found.components if max(part.kontra_levels)} == {
        "simple": (1, 1),
        "ulti": (1, 1),
    }
    assert "betli is no part of ulti" in _refused("ulti", "1 betli")
    assert "simple is no part of forty_hundred" in _refused("forty_hundred", "1 simple")


# --- individual -------------------------------------------------------------------------------------------------------


def test_in_hungarian_no_trump_games_each_defender_kontras_for_himself():
    found = _said("betli", "1 betli", preset="hungarian", trump=None)
    lost = found.component("betli")
    assert lost is not None
    assert (lost.made, lost.kontra_levels, lost.units) == (False, (1, 0), (-10, -5))
    assert found.payoffs == (-15, 10, 5)
    answered = _said("betli", "1 betli", "2 betli", "0 betli against 2", preset="hungarian", trump=None)
    assert _units(answered, "betli") == (-10, -20)
    assert answered.levels == (1, 1, 2)


def test_but_in_its_trump_games_they_kontra_together():
    assert _units(_said("ulti", "1 ulti", preset="hungarian"), "ulti") == (8, 8)


def test_the_declarer_answers_one_defender_by_name():
    keys = {"preset": "hungarian", "trump": None}
    assert "'against' is seat 1 or 2" in _refused("betli", "1 betli", "0 betli", **keys)
    assert "'against' is seat 1 or 2" in _refused("betli", "1 betli", "0 betli against 0", **keys)
    assert "level 1 on betli is a defender's to say" in _refused("betli", "1 betli", "0 betli against 2", **keys)
    assert "'against' is for the declarer's answers" in _refused("betli", "1 betli against 0", **keys)


def test_individual_everywhere_where_the_rules_say_so():
    assert _units(_said("ulti", "2 ulti", kontra_scope="individual"), "ulti") == (4, 8)
    assert _units(_said("betli", "2 betli", trump=None, kontra_scope="joint"), "betli") == (-10, -10)


# --- until when -------------------------------------------------------------------------------------------------------


def test_kontra_is_said_until_trick_2_is_led():
    assert _said("ulti", "1 ulti", "0 ulti after 3").levels == (1, 2)
    assert "said after 4 cards; at most 3, until trick 2 is led" in _refused("ulti", "1 ulti after 4")


def test_kontras_are_listed_in_the_order_said():
    assert "said after 1 cards, yet the one before it after 2" in _refused("ulti", "1 ulti after 2", "0 ulti after 1")


# --- how high ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "highest"), [("rablo", 6), ("ladder", 6), ("ultimato", 4), ("hungarian", 6), ("ultiarena", 2)]
)
def test_the_highest_level(preset: str, highest: int):
    steps = [f"{1 if number % 2 == 0 else 0} ulti" for number in range(highest + 1)]
    found = _said("ulti", *steps[:-1], preset=preset)
    assert found.levels == tuple(range(1, highest + 1))
    assert f"ulti stands at level {highest}, the highest under {preset}" in _refused("ulti", *steps, preset=preset)


def test_a_table_may_have_no_kontra_at_all():
    assert "stands at level 0, the highest" in _refused("ulti", "1 ulti", kontra_max_level=0)


@pytest.mark.parametrize(
    ("options", "factors"), [({}, [2, 4, 8, 16, 32, 64]), ({"kontra_multipliers": "literal_b"}, [2, 4, 4, 8, 16, 32])]
)
def test_what_each_level_multiplies_by(options: dict[str, str], factors: list[int]):
    steps = [f"{1 if number % 2 == 0 else 0} betli" for number in range(6)]
    for level, factor in enumerate(factors, 1):
        found = _said("betli", *steps[:level], trump=None, **options)
        assert _units(found, "betli") == (-5 * factor, -5 * factor)


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        (RABLO, ["kontra", "rekontra", "szubkontra", "hirskontra", "mordkontra", "fedák sári"]),
        (HUNGARIAN, ["kontra", "rekontra", "szubkontra", "mordkontra", "hirskontra", "fedák sári"]),
    ],
    ids=lambda value: getattr(value, "id", None),
)
def test_what_the_levels_are_called(rules: Ruleset, names: list[str]):
    assert [level_name(rules, level) for level in range(1, 7)] == names


# --- what it pays -----------------------------------------------------------------------------------------------------


def test_kontra_never_raises_the_extra_4_of_a_failed_ulti():
    lost = {"discard": WITHOUT_SEVEN}
    assert _units(_said("ulti", **lost), "ulti") == (-8, -8)
    assert _units(_said("ulti", "1 ulti", **lost), "ulti") == (-12, -12)
    assert _units(_said("ulti", "1 ulti", "0 ulti", **lost), "ulti") == (-20, -20)
    assert _units(_said("ulti", "1 ulti", penalty_under_kontra="doubled", **lost), "ulti") == (-16, -16)


def test_silent_bonuses_ride_on_the_simple_game_that_carries_them():
    hand = played("simple", options={"silent_set": ["hundred"]})
    hand = replace(hand, marriages=replay(hand).marriages)
    plain, doubled = replay(hand), replay(replace(hand, kontras=(kontra("1 simple"),)))
    assert (_units(plain, "silent_hundred"), _units(doubled, "silent_hundred")) == ((2, 2), (4, 4))
    never = replace(hand, options={"silent_set": ["hundred"], "silent_kontra": "never"}, kontras=(kontra("1 simple"),))
    assert _units(replay(never), "silent_hundred") == (2, 2)


def test_what_a_step_gained_counts_for_its_sayer_and_a_decision_with_every_answer():
    found = _said("ulti", "1 ulti", "0 ulti", discard=WITHOUT_SEVEN)
    assert found.step_gains == (4, -8)  # the lost ulti costs 4 more, then 8 more
    assert found.decision_gains == (12, -8)
    silent = _said("simple", "1 simple", silent_set=["hundred"])
    assert silent.step_gains == (-3,)  # the simple game and the silent hundred that rides on it, both made


def test_a_part_that_was_never_kontrad_stands_at_level_0():
    assert {part.kontra_levels for part in _said("forty_hundred+ulti").components} == {(0, 0)}


def test_names_are_known_for_levels_of_every_ruleset():
    assert level_name(ruleset("ultimato"), 4) == "hirskontra"
