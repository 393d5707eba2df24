"""House rules from a TOML file: a preset and the options in which a table differs from it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ulti_stats.errors import RulesetError
from ulti_stats.game.options import OPTIONS, check_option
from ulti_stats.game.rulesets import PRESETS, Ruleset, nearest, ruleset

KEYS = ("extends", "id", "title", "options")
# TOML has no null; this text stands for it where an option may be null.
NULL = "null"


@dataclass(frozen=True)
class HouseRules:
    """What a file of house rules says: the preset that it extends, the options that differ, a name and title for display."""

    preset: str
    options: Mapping[str, Any] = field(default_factory=dict)
    id: str = "house"
    title: str = "House rules"

    @cached_property
    def rules(self) -> Ruleset:
        """Return the rules in force, under the file's own name."""
        rules = ruleset(self.preset, self.options)
        if not self.options and self.id == self.preset:
            return rules
        return replace(rules, id=self.id, title=self.title, source=f"house rules that extend {self.preset}")

    @property
    def base(self) -> Ruleset:
        """Return the preset that these rules extend."""
        return PRESETS[self.preset]

    def with_options(self, options: Mapping[str, Any] | None) -> HouseRules:
        """Return these rules with further options, which come before those of the file; raises `RulesetError`."""
        if not options:
            return self
        merged = preset_with(self.preset, {**self.options, **options})
        return merged if self.id == self.preset else replace(merged, id=self.id, title=self.title)


def ruleset_from_file(path: str | Path) -> tuple[str, dict[str, Any]]:
    """Return preset and options of a file of house rules, as `ruleset`, `simulate` and a record take them.

    Raises `RulesetError` in one line: file, line, what is wrong, and what would be right.
    """
    house = read_house_rules(path)
    return house.preset, dict(house.options)


def read_house_rules(path: str | Path) -> HouseRules:
    """Return a file of house rules with its name and title; raises `RulesetError` as `ruleset_from_file` does."""
    return parse_house_rules(_text(Path(path)), name=str(path))


def parse_house_rules(text: str, *, name: str = "house rules") -> HouseRules:
    """Return what a TOML text of house rules says; `name` stands in front of an error's line.

    >>> parse_house_rules('extends = "rablo"\\n[options]\\nkontra_max_level = 2').options
    {'kontra_max_level': 2}
    """
    given = _load(text, name)
    for key in given:
        if key in OPTIONS:
            raise RulesetError(f"{_place(name, text, key)}: {key} is an option; write it below the line [options]")
        if key not in KEYS:
            raise RulesetError(f"{_place(name, text, key)}: unknown key '{key}'{nearest(key, KEYS)}")
    if "extends" not in given:
        raise RulesetError(f'{name}: extends is missing; name a preset first, as in extends = "rablo"')
    preset = given["extends"]
    if not isinstance(preset, str) or preset not in PRESETS:
        known = nearest(preset, PRESETS) if isinstance(preset, str) else f"; presets are {', '.join(PRESETS)}"
        raise RulesetError(f"{_place(name, text, 'extends')}: unknown ruleset {preset!r}{known}")
    return HouseRules(preset, _options(given.get("options", {}), preset, text, name), **_names(given, text, name))


def preset_with(preset: str, options: Mapping[str, Any] | None = None) -> HouseRules:
    """Return a preset, with options or without, in the same form; raises `RulesetError` as `ruleset` does."""
    base, differing = ruleset(preset), {}
    if options:
        ruleset(preset, options)
        differing = differing_options(preset, options)
    return HouseRules(preset, differing, preset, f"{base.title}, with options" if differing else base.title)


def differing_options(preset: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of checked options that make a difference to the preset, in the form in which a record writes them.

    Two files that mean the same rules so give the same options, and their hands the same identity.

    >>> differing_options("rablo", {"four_aces": True, "silent_set": ["ulti", "hundred"]})
    {'silent_set': ['hundred', 'ulti']}
    """
    base = PRESETS[preset]
    checked = {name: check_option(name, value) for name, value in options.items()}
    written = {name: _written(name, value) for name, value in checked.items()}
    differing = {name: written[name] for name, value in checked.items() if value != getattr(base, name)}
    # hearts_always_trump moves hearts_multiplier unless that is written too.
    return differing if ruleset(preset, differing) == ruleset(preset, written) else written


def _written(name: str, value: Any) -> Any:
    if value is None or not isinstance(value, tuple):
        return value
    return dict(value) if OPTIONS[name].kind == "object" else list(value)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RulesetError(f"{path}: not UTF-8 at byte {error.start + 1}; save the file as UTF-8") from None
    except FileNotFoundError:
        raise RulesetError(f"rules file {path} is not there; docs/house-rules.md shows one") from None
    except OSError as error:
        raise RulesetError(f"rules file {path} cannot be read: {error.strerror or error}") from None


def _load(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, line = str(error), ""
        if found := re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", reason, re.DOTALL):
            reason, line = f"{found[1]} at column {found[3]}", f":{found[2]}"
        raise RulesetError(f"{name}{line}: no TOML: {reason[0].lower()}{reason[1:]}") from None


def _names(given: Mapping[str, Any], text: str, name: str) -> dict[str, str]:
    found = {key: given[key] for key in ("id", "title") if key in given}
    for key, value in found.items():
        if not isinstance(value, str) or not value.strip() or "\n" in value:
            raise RulesetError(f'{_place(name, text, key)}: {key} must be a text of one line, as in {key} = "thursday"')
    if found.get("id") in PRESETS:
        raise RulesetError(f"{_place(name, text, 'id')}: id '{found['id']}' is that of a preset; choose another")
    return found


def _options(given: Any, preset: str, text: str, name: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise RulesetError(f"{_place(name, text, 'options')}: options must be a table, a line [options] and the options below")
    options: dict[str, Any] = {}
    for option, value in given.items():
        place = _place(name, text, "options", option)
        if option not in OPTIONS:
            raise RulesetError(f"{place}: unknown option '{option}'{nearest(option, OPTIONS)}")
        options[option] = None if value == NULL and OPTIONS[option].nullable else value
        try:
            check_option(option, options[option])
        except RulesetError as error:
            raise RulesetError(f"{place}: {error}") from None
    try:
        return differing_options(preset, options)
    except RulesetError as error:
        raise RulesetError(f"{name}: {error}") from None


# Where a key stands: the TOML reader does not say, so its line is looked for in the text.
_TABLE = re.compile(r"\s*\[([^\[\]]+)\]")
_KEY = re.compile(r"\s*([\w.\"'-]+(?:\s*\.\s*[\w\"'-]+)*)\s*=")


def _place(name: str, text: str, *steps: str) -> str:
    """Return `name:line` of the line that names a key (or the table around it), else the name alone."""
    for wanted in (steps, steps[:-1]):
        table: tuple[str, ...] = ()
        for number, line in enumerate(text.splitlines() if wanted else (), 1):
            if header := _TABLE.match(line):
                path = table = _steps(header[1])
            elif key := _KEY.match(line):
                path = (*table, *_steps(key[1]))
            else:
                continue
            if path[: len(wanted)] == wanted:
                return f"{name}:{number}"
    return name


def _steps(dotted: str) -> tuple[str, ...]:
    return tuple(step.strip().strip("\"'") for step in dotted.split("."))
