"""Options that several commands share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ulti_stats.errors import UltiError

StorePath = Annotated[Path, typer.Option("--store", envvar="ULTI_STORE", help="Folder of the store.")]
DEFAULT_STORE = Path("data/store")

RuleOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="A rule option that differs from the preset; may be given several times."
    ),
]


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
