"""The command that scores stored hands under other rules."""

from __future__ import annotations

from typing import Annotated

import typer

from ulti_stats.cli.hands import TableFormat, compile_first
from ulti_stats.cli.options import DEFAULT_STORE, RuleOptions, RulesFile, StorePath, resolve_rules
from ulti_stats.cli.report import Chart, Format, Where, show_report


def rescore(
    rules: Annotated[str | None, typer.Option("--rules", metavar="ID", help="The other rules (preset or .toml).")] = None,
    rules_file: RulesFile = None,
    option: RuleOptions = None,
    of: Annotated[str | None, typer.Option("--of", metavar="ID", help="Only hands of this ruleset (id or digest).")] = None,
    where: Where = None,
    store: StorePath = DEFAULT_STORE,
    format: Format = TableFormat.table,
    chart: Chart = None,
) -> None:
    """Score the same hands under other rules, paired: payoffs, success, the order of contracts, and what is illegal there."""
    from ulti_stats.compiling import REPLAY
    from ulti_stats.game.rulesets import ruleset
    from ulti_stats.stats.rescore import rescore as run
    from ulti_stats.stats.selection import Selection
    from ulti_stats.store.warehouse import open_warehouse

    preset, options = resolve_rules(rules, rules_file, option)
    with open_warehouse(store) as warehouse:
        compile_first(REPLAY)
        report = run(warehouse, ruleset(preset, options), Selection(where=where, rules=of))
    show_report(report, format, chart)
