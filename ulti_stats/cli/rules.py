"""Commands that print the rules page."""

from __future__ import annotations

from typing import Annotated

import typer

from ulti_stats.cli.options import RuleOptions, parse_rule_options

app = typer.Typer(help="The rules: presets, options, ladders.", no_args_is_help=True, rich_markup_mode=None)

RulesetId = Annotated[str, typer.Argument(metavar="ID", help="Ruleset id.")]


@app.command("list")
def list_() -> None:
    """List the presets."""
    from ulti_stats.report.rules_page import rules_list

    print(rules_list(), end="")


@app.command()
def show(rules: RulesetId = "rablo", option: RuleOptions = None) -> None:
    """Show a ruleset: its ladder with values, and every option."""
    from ulti_stats.game.rulesets import ruleset
    from ulti_stats.report.rules_page import rules_text

    print(rules_text(ruleset(rules, parse_rule_options(option))), end="")


@app.command()
def diff(first: RulesetId, second: RulesetId) -> None:
    """Show the options and bids in which two rulesets differ."""
    from ulti_stats.game.rulesets import ruleset
    from ulti_stats.report.rules_page import rules_diff

    print(rules_diff(ruleset(first), ruleset(second)), end="")
