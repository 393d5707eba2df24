"""Commands that answer questions: tables in the terminal or as data, and charts."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from ulti_stats.cli.hands import TableFormat
from ulti_stats.cli.options import DEFAULT_STORE, StorePath

if TYPE_CHECKING:
    from ulti_stats.stats.answer import Report

app = typer.Typer(
    help="Bid success, talon and Kontra figures, each with n, interval and population.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

RulesId = Annotated[str | None, typer.Option("--rules", metavar="ID", help="Only this ruleset (id, or digest from its start).")]
By = Annotated[
    list[str] | None,
    typer.Option("--by", metavar="COLUMN", help="Split the rows by a column of docs/schema.md; several times or with commas."),
]
Where = Annotated[str | None, typer.Option(metavar="SQL", help="Condition on the hands, as in \"trump = 'hearts'\".")]
Format = Annotated[TableFormat, typer.Option(help="How to print the tables.")]
Chart = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw a chart (.svg or .png); its data (.csv) and query (.sql) go beside it.")
]


@app.command()
def bids(
    store: StorePath = DEFAULT_STORE,
    rules: RulesId = None,
    by: By = None,
    where: Where = None,
    format: Format = TableFormat.table,
    chart: Chart = None,
) -> None:
    """Show how often components and contracts are made, and what they pay."""
    from ulti_stats.stats.bids import bid_success

    _answer(bid_success, store, rules, by, where, format, chart)


@app.command()
def talon(
    store: StorePath = DEFAULT_STORE,
    rules: RulesId = None,
    by: By = None,
    where: Where = None,
    format: Format = TableFormat.table,
    chart: Chart = None,
) -> None:
    """Show how outcomes differ by what the declarer's last pickup brought."""
    from ulti_stats.stats.talon import talon_observed

    _answer(talon_observed, store, rules, by, where, format, chart)


@app.command()
def kontra(
    store: StorePath = DEFAULT_STORE,
    rules: RulesId = None,
    by: By = None,
    where: Where = None,
    format: Format = TableFormat.table,
    chart: Chart = None,
) -> None:
    """Show what a kontra gained its maker over the same play without it."""
    from ulti_stats.stats.kontra import kontra_gain

    _answer(kontra_gain, store, rules, by, where, format, chart)


def _answer(
    question: Callable[..., Report],
    store: Path,
    rules: str | None,
    by: list[str] | None,
    where: str | None,
    format: TableFormat,
    chart: Path | None,
) -> None:
    from ulti_stats.stats.selection import Selection
    from ulti_stats.store.warehouse import open_warehouse

    # What prints is loaded while the database opens the store and reads.
    Thread(target=import_module, args=("ulti_stats.report.tables",)).start()
    columns = tuple(name.strip() for text in by or () for name in text.split(",") if name.strip())
    with open_warehouse(store) as warehouse:
        report = question(warehouse, Selection(where=where, by=columns, rules=rules))
    show_report(report, format, chart)


def show_report(report: Report, format: TableFormat, chart: Path | None) -> None:
    """Draw a report's chart where one is asked for, and print the report in its format."""
    from ulti_stats.report.tables import print_report, report_text

    written: tuple[Path, ...] = ()
    if chart is not None:
        # Only here, since what draws takes a second to load; and first, so that a wrong name is not found below the tables.
        from ulti_stats.report.charts import save_chart

        written = save_chart(report, chart)
    if format is not TableFormat.table:
        print(report_text(report, format.value), end="")
        return
    print_report(report)
    if written:
        print(f"Chart: {', '.join(str(path) for path in written)}")
