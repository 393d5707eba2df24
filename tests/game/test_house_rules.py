"""House rules from a file: what a table writes down is what is played, and what is wrong is said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ulti_stats.errors import RulesetError
from ulti_stats.game.house_rules import differing_options, parse_house_rules, preset_with, read_house_rules, ruleset_from_file
from ulti_stats.game.options import RulesetWarning
from ulti_stats.game.rulesets import PRESETS, ruleset

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data/samples/house.toml"
RABLO = 'extends = "rablo"\n'


def house(text: str, name: str = "house.toml"):
    return parse_house_rules(text, name=name)


def refusal(text: str) -> str:
    with pytest.raises(RulesetError) as raised:
        house(text)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_the_sample_file_is_rablo_with_the_options_that_it_lists() -> None:
    preset, options = ruleset_from_file(SAMPLE)
    assert preset == "rablo"
    assert options == {
        "four_aces": False,
        "silent_set": ["hundred", "ulti", "durchmars"],
        "marriage_needs_trick": True,
        "kontra_max_level": 2,
        "kontra_scope": "individual_notrump",
        "session_deals": 12,
        "session_tiebreak_deals": 3,
        "unit": "20 forints",
        "silent_values": {"hundred": 2, "ulti": 3, "durchmars": 3},
    }
    rules = ruleset(preset, options)
    assert (rules.kontra_max_level, rules.silent_value("ulti"), rules.session_deals) == (2, 3, 12)


def test_the_documentation_shows_the_sample_file() -> None:
    assert f"```toml\n{SAMPLE.read_text(encoding='utf-8')}```" in (ROOT / "docs/house-rules.md").read_text(encoding="utf-8")


def test_a_file_names_its_rules_for_display_and_scores_as_preset_and_options() -> None:
    found = read_house_rules(SAMPLE)
    assert (found.rules.id, found.rules.title) == ("thursday", "Thursday table")
    assert found.rules.digest == ruleset(found.preset, found.options).digest != PRESETS["rablo"].digest


def test_an_option_written_as_the_preset_has_it_changes_nothing() -> None:
    assert house('extends = "rablo"\n[options]\nfour_aces = true\nkontra_max_level = 6').options == {}
    reordered = house('extends = "hungarian"\n[options]\nsilent_set = ["durchmars", "hundred", "ulti"]')
    assert reordered.options == {}
    assert reordered.rules.digest == PRESETS["hungarian"].digest


def test_a_written_hearts_multiplier_is_kept_beside_hearts_always_trump_though_rablo_has_it_too() -> None:
    with pytest.warns(RulesetWarning, match="doubles every trump game"):
        ruleset("rablo", {"hearts_multiplier": 2, "hearts_always_trump": True})
    assert differing_options("rablo", {"hearts_always_trump": True}) == {"hearts_always_trump": True}
    both = {"hearts_always_trump": True, "hearts_multiplier": 2}
    assert differing_options("rablo", both) == both


def test_null_in_quotes_switches_an_option_off_where_it_may_be_null() -> None:
    assert house('extends = "ladder"\n[options]\nsession_deals = "null"').options == {"session_deals": None}
    assert house('extends = "ladder"\n[options]\nsession_deals = "null"').rules.session_deals is None
    assert "option players='null' is not allowed" in refusal('extends = "rablo"\n[options]\nplayers = "null"')


def test_an_option_of_the_command_line_comes_before_the_file() -> None:
    found = house('extends = "rablo"\nid = "mine"\n[options]\nkontra_max_level = 2\nfour_aces = false')
    merged = found.with_options({"kontra_max_level": 1, "four_aces": True})
    assert (merged.id, merged.preset, merged.options) == ("mine", "rablo", {"kontra_max_level": 1})
    assert found.with_options(None) is found


def test_a_preset_alone_is_shown_as_itself() -> None:
    assert preset_with("ladder").rules is PRESETS["ladder"]
    assert preset_with("rablo", {"hold": "forehand"}).rules.source == "house rules that extend rablo"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{RABLO}\n[options]\nfour_ace = 2", "house.toml:4: unknown option 'four_ace'; did you mean 'four_aces'?"),
        (f"{RABLO}[options]\n# five?\nplayers = 5", "house.toml:4: option players=5 is not allowed; allowed: 3, 4"),
        (f"{RABLO}[options.silent_values]\nulti = 'a'", "house.toml:2: option silent_values={'ulti': 'a'} is not allowed"),
        (f"{RABLO}options.hold = 'all'", "house.toml:2: option hold='all' is not allowed; allowed: off, forehand"),
        (f"{RABLO}[options]\nhold = 2026-01-01", "house.toml:3: option hold=datetime.date(2026, 1, 1) is not allowed"),
        (f"{RABLO}options = {{ four_ace = true }}", "house.toml:2: unknown option 'four_ace'; did you mean 'four_aces'?"),
        (f"{RABLO}kontra_max_level = 2", "house.toml:2: kontra_max_level is an option; write it below the line [options]"),
        (f"{RABLO}titel = 'x'", "house.toml:2: unknown key 'titel'; did you mean 'title'?"),
        ("title = 'x'", 'house.toml: extends is missing; name a preset first, as in extends = "rablo"'),
        ("\nextends = 'rabblo'", "house.toml:2: unknown ruleset 'rabblo'; did you mean 'rablo'?"),
        ("extends = ['rablo']", "house.toml:1: unknown ruleset ['rablo']; presets are rablo, ladder"),
        (f"{RABLO}id = 'ladder'", "house.toml:2: id 'ladder' is that of a preset; choose another"),
        (f"{RABLO}title = 7", "house.toml:2: title must be a text of one line"),
        (f"{RABLO}options = 3", "house.toml:2: options must be a table"),
        (f"{RABLO}[options]\nhold = off", "house.toml:3: no TOML: invalid value at column 8"),
        ('extends = "rablo', "house.toml: no TOML: unterminated string (at end of document)"),
        (
            f"{RABLO}[options]\ntalon_mode = 'winner_takes'",
            "house.toml: rablo: talon_mode=winner_takes with opening_bid_forced: nobody has the talon",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_what_would_be_right(text: str, said: str) -> None:
    assert refusal(text).startswith(said)


def test_a_file_that_is_missing_a_folder_or_no_text_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match=r"rules file .*none\.toml is not there"):
        read_house_rules(tmp_path / "none.toml")
    with pytest.raises(RulesetError, match="cannot be read: Is a directory"):
        read_house_rules(tmp_path)
    latin = tmp_path / "latin.toml"
    latin.write_bytes('title = "Kör"'.encode("latin-1"))
    with pytest.raises(RulesetError, match="not UTF-8 at byte 11"):
        read_house_rules(latin)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "bom.toml"
    path.write_bytes(b'\xef\xbb\xbfextends = "ladder"\r\n')
    assert ruleset_from_file(path) == ("ladder", {})
