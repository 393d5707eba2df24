"""Options that several commands share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ulti_stats.errors import UltiError

if TYPE_CHECKING:
    from ulti_stats.game.house_rules import HouseRules

StorePath = Annotated[Path, typer.Option("--store", envvar="ULTI_STORE", help="Folder of the store.")]
DEFAULT_STORE = Path("data/store")

RuleOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="A rule option that differs from the preset; may be given several times."
    ),
]
RulesetId = Annotated[str | None, typer.Option("--rules", metavar="ID", help="Ruleset; `ulti rules list` names them.")]
RulesFile = Annotated[
    Path | None,
    typer.Option("--rules-file", metavar="FILE", help="House rules in TOML that extend a preset (docs/house-rules.md)."),
]


def resolve_rules(
    rules: str | None, rules_file: Path | None = None, option: list[str] | None = None
) -> tuple[str, dict[str, Any] | None]:
    """Return the preset and options that a command line asks for; without any it asks for `rablo`.

    Raises `UltiError` for a wrong id, file or option, and where both `--rules` and `--rules-file` are given.
    """
    found = named_rules(rules, rules_file, option)
    return found.preset, dict(found.options) or None


def named_rules(rules: str | None, rules_file: Path | None = None, option: list[str] | None = None) -> HouseRules:
    """Return the same with the name under which the rules are shown; an id that ends in `.toml` is a file too."""
    from ulti_stats.game.house_rules import preset_with, read_house_rules

    if rules is not None and rules_file is not None:
        raise UltiError(f"rules are given twice: {rules} and {rules_file}; the file names the preset that it extends itself")
    if rules is not None and rules.endswith(".toml"):
        rules_file = Path(rules)
    found = preset_with(rules or "rablo") if rules_file is None else read_house_rules(rules_file)
    return found.with_options(parse_rule_options(option))


def parse_rule_options(texts: list[str] | None) -> dict[str, Any] | None:
    """Return rule options given as NAME=VALUE; a value is JSON (true, 4, ["ulti"]) or plain text.

    >>> parse_rule_options(["four_aces=false", "silent_loss=none"])
    {'four_aces': False, 'silent_loss': 'none'}
    """
    options: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UltiError(f"option '{text}' has no value; write NAME=VALUE, as in four_aces=false")
        if name in options:
            raise UltiError(f"option {name} is given twice")
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options or None
