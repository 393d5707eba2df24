"""House rules at random: options drawn from the rules page until they go together."""

from __future__ import annotations

import random
import warnings
from typing import Any

from ulti_stats.errors import RulesetError
from ulti_stats.game.options import OPTIONS, Option
from ulti_stats.game.rulesets import PRESETS, Ruleset, ruleset


def random_rules(rng: random.Random) -> tuple[str, dict[str, Any], Ruleset]:
    """Return a preset, options that change about half of it, and the rules that they make."""
    while True:
        preset = rng.choice(sorted(PRESETS))
        options = {name: _value(rng, option) for name, option in OPTIONS.items() if name != "unit" and rng.random() < 0.5}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return preset, options, ruleset(preset, options)
        except RulesetError:
            continue


def _value(rng: random.Random, option: Option) -> Any:
    if option.nullable and rng.random() < 0.2:
        return None
    match option.kind:
        case "int":
            return rng.randint(option.values[0], min(option.values[1], option.values[0] + 30))
        case "subset":
            return [kind for kind in option.values if rng.random() < 0.5]
        case "object":
            return {kind: rng.randint(0, 9) for kind in option.values if rng.random() < 0.5}
        case _:
            return rng.choice(option.values)
