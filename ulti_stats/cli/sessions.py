"""The command that shows a sitting."""

from __future__ import annotations

from typing import Annotated

import typer

from ulti_stats.cli.hands import TableFormat
from ulti_stats.cli.options import DEFAULT_STORE, StorePath, parse_rule_options


def session(
    session: Annotated[str, typer.Option("--session", metavar="NAME", help="The sitting to show.")],
    source: Annotated[str | None, typer.Option(help="Source of the records, where two have a session of this name.")] = None,
    rules: Annotated[str | None, typer.Option(metavar="ID", help="Ruleset id or digest, where it was played under two.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="Settle by session_deals, session_target, unit, ... of your own."),
    ] = None,
    store: StorePath = DEFAULT_STORE,
    format: Annotated[TableFormat, typer.Option(help="How to print it; csv, json and md have a row per deal and player.")] = (
        TableFormat.table
    ),
) -> None:
    """Show a sitting deal by deal: units, running totals, its end by the rules, the winner, and what a unit is worth."""
    from ulti_stats.asking import session_report
    from ulti_stats.report.session_page import session_text

    found = session_report(session, source=source, rules=rules, options=parse_rule_options(option), store=store)
    if format is TableFormat.table:
        print(session_text(found), end="")
        return
    from ulti_stats.report.tables import arrow_text

    print(arrow_text(found.to_arrow(), format.value), end="")
