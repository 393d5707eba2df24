"""`ulti rules` and the options that name rules, as a user types them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ulti_stats.cli.options import named_rules, resolve_rules
from ulti_stats.errors import UltiError

HOUSE = 'extends = "ladder"\ntitle = "Club"\nid = "club"\n[options]\nsession_deals = 12\n'


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE, encoding="utf-8")
    return path


def test_without_a_word_the_rules_are_rablo() -> None:
    assert resolve_rules(None) == ("rablo", None)
    assert resolve_rules("ladder", option=["kontra_max_level=2"]) == ("ladder", {"kontra_max_level": 2})


def test_a_file_gives_preset_and_options_and_an_option_comes_before_it(house: Path) -> None:
    assert resolve_rules(None, house) == ("ladder", {"session_deals": 12})
    assert resolve_rules(None, house, ["session_deals=null", "open_ulti=true"]) == (
        "ladder",
        {"session_deals": None, "open_ulti": True},
    )
    assert resolve_rules(str(house)) == ("ladder", {"session_deals": 12})
    assert named_rules(None, house).rules.title == "Club"


def test_rules_and_a_file_are_not_given_together(house: Path) -> None:
    with pytest.raises(UltiError, match="rules are given twice"):
        resolve_rules("rablo", house)


def test_show_takes_a_file_and_options(ulti, house: Path) -> None:
    shown = ulti("rules", "show", "--rules-file", str(house), "--option", "kontra_max_level=2")
    assert shown.code == 0
    assert shown.out.startswith("club · Club\nSource: house rules that extend ladder\n")
    assert "kontra_max_level  2     6" in shown.out
    assert "session_deals     12    24" in shown.out


def test_diff_takes_a_file_on_either_side(ulti, house: Path) -> None:
    assert ulti("rules", "diff", str(house), "ladder").out == "option         club  ladder\nsession_deals  12    24\n"


def test_a_warning_about_rules_is_one_clean_line(ulti) -> None:
    # Rules are made once in a process, so these are rules that no other test has.
    odd = ("--option", "hearts_always_trump=true", "--option", "hearts_multiplier=2", "--option", "unit=cent")
    shown = ulti("rules", "show", "rablo", *odd)
    assert shown.code == 0
    assert shown.err == "ulti: note: hearts_always_trump with hearts_multiplier=2 doubles every trump game\n"


def test_a_wrong_file_is_one_line_and_exit_code_1(ulti, house: Path) -> None:
    house.write_text(HOUSE + "kontra_maxlevel = 2\n", encoding="utf-8")
    refused = ulti("rules", "show", str(house))
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == f"ulti: {house}:6: unknown option 'kontra_maxlevel'; did you mean 'kontra_max_level'?\n"
