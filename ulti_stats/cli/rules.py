"""Commands that print the rules page."""

from __future__ import annotations

from typing import Annotated

import typer

from ulti_stats.cli.options import RuleOptions, RulesFile, named_rules

app = typer.Typer(help="The rules: presets, options, ladders.", no_args_is_help=True, rich_markup_mode=None)

Rules = Annotated[str, typer.Argument(metavar="ID", help="Ruleset id, or a file of house rules (.toml).")]


@app.command("list")
def list_() -> None:
    """List the presets."""
    from ulti_stats.report.rules_page import rules_list

    print(rules_list(), end="")


@app.command()
def show(
    rules: Annotated[str | None, typer.Argument(metavar="[ID]", help="Ruleset id, or a file of house rules (.toml).")] = None,
    rules_file: RulesFile = None,
    option: RuleOptions = None,
) -> None:
    """Show a ruleset (rablo unless named): the options that differ, its ladder with values, and every other option."""
    from ulti_stats.report.rules_page import rules_text

    found = named_rules(rules, rules_file, option)
    print(rules_text(found.rules, base=found.base), end="")


@app.command()
def diff(first: Rules, second: Rules) -> None:
    """Show the options and bids in which two rulesets differ."""
    from ulti_stats.report.rules_page import rules_diff

    print(rules_diff(named_rules(first).rules, named_rules(second).rules), end="")
