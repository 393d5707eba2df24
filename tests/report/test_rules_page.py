"""The rules page in print: complete, made from the data, and fresh."""

from __future__ import annotations

from pathlib import Path

from ulti_stats.game.options import COMBINATIONS, OPTIONS
from ulti_stats.game.rulesets import PRESETS, ruleset
from ulti_stats.report.rules_doc import rules_markdown
from ulti_stats.report.rules_page import rules_diff, rules_list, rules_text

DOCS = Path(__file__).parents[2] / "docs"


def line_of(text: str, first_word: str) -> list[str]:
    return next(line.split() for line in text.splitlines() if line.split()[:1] == [first_word])


def test_docs_rules_md_is_what_the_data_say() -> None:
    # Made anew by: python -m ulti_stats.report.rules_doc > docs/rules.md
    assert (DOCS / "rules.md").read_text(encoding="utf-8") == rules_markdown()


def test_the_page_has_every_option_every_combination_and_every_bid_of_every_preset() -> None:
    page = rules_markdown()
    for name, option in OPTIONS.items():
        assert f"| `{name}` | {option.question} | {option.allowed()} | " in page
    for combination in COMBINATIONS:
        assert f": {combination.text}.\n" in page
    for rules in PRESETS.values():
        ladder = page.split(f"### `{rules.id}`")[1].split("###")[0]
        assert ladder.count("| `") == len(rules.ladder)
        assert f"`{rules.digest}`" in page


def test_the_page_marks_what_differs_from_rablo() -> None:
    row = next(line for line in rules_markdown().splitlines() if line.startswith("| `kontra_max_level`"))
    assert row.endswith("| 6 | 6 | **4** | 6 | **2** |")


def test_the_list_names_every_preset_with_its_number_of_bids() -> None:
    text = rules_list()
    assert line_of(text, "rablo")[1] == "54"
    assert line_of(text, "ultimato")[1] == "7"
    assert len(text.splitlines()) == 1 + len(PRESETS)


def test_a_preset_shows_first_what_differs_from_rablo() -> None:
    text = rules_text(PRESETS["ladder"])
    assert "Options that differ from rablo" in text
    assert line_of(text, "first_lead") == ["first_lead", "forehand", "declarer"]
    assert text.index("  first_lead") < text.index("Ladder, lowest rung first") < text.index("  must_overtake")
    for name in OPTIONS:
        assert text.count(f"\n  {name} ") == 1


def test_options_on_a_preset_stand_beside_those_of_the_preset() -> None:
    text = rules_text(ruleset("rablo", {"four_aces": False}), base=PRESETS["rablo"])
    assert line_of(text, "option") == ["option", "here", "rablo"]
    assert line_of(text, "four_aces") == ["four_aces", "false", "true"]


def test_rablo_shows_no_differences_and_54_bids_on_42_rungs() -> None:
    text = rules_text(PRESETS["rablo"])
    assert "differ" not in text
    assert "54 bids on 42 rungs · unit: 10 forints" in text


def test_bids_that_cannot_overbid_each_other_share_a_rung() -> None:
    text = rules_text(PRESETS["rablo"])
    assert line_of(text, "7")[:3] == ["7", "durchmars", "6"]
    below = text.splitlines()[
        text.splitlines().index(next(line for line in text.splitlines() if line.split()[:2] == ["7", "durchmars"])) + 1
    ]
    assert below.split() == ["=", "durchmars_nt", "6", "none", "durchmars", "6"]


def test_under_hearts_always_trump_a_plain_bid_is_played_in_hearts() -> None:
    text = rules_text(ruleset("rablo", {"hearts_always_trump": True}), base=PRESETS["rablo"])
    assert line_of(text, "1") == ["1", "simple", "1", "hearts", "simple", "1"]


def test_the_literal_order_says_that_it_is_no_ladder() -> None:
    assert "pair by pair" in rules_text(ruleset("rablo", {"bid_order": "literal"}))


def test_a_difference_lists_options_values_missing_bids_and_the_order() -> None:
    text = rules_diff(PRESETS["rablo"], PRESETS["ladder"])
    assert line_of(text, "talon_mode") == ["talon_mode", "rob", "rob_optional"]
    assert "ulti                     5 (ulti 4 + simple 1)   4 (ulti 4)" in text
    assert "Bids of rablo only (26): four_aces 5," in text
    assert "Bids of ladder only (2): simple+ulti 5, simple+ulti@hearts 10" in text
    assert "  ladder: simple < simple@hearts < betli < forty_hundred <" in text
    assert "must_overtake" not in text


def test_a_few_bids_in_another_order_are_listed_pair_by_pair() -> None:
    text = rules_diff(PRESETS["hungarian"], PRESETS["ultiarena"])
    assert "7 of 666 pairs stand otherwise" in text
    assert line_of(text, "ulti@hearts,") == ["ulti@hearts,", "ulti+durchmars", "<", ">"]


def test_equal_rules_do_not_differ() -> None:
    assert rules_diff(PRESETS["rablo"], PRESETS["rablo"]).endswith("do not differ\n")
