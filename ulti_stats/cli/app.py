"""The command tree and the options that commands share. Nothing heavy is imported before a command runs."""

from __future__ import annotations

from typing import Annotated

import typer

from ulti_stats.cli import demo, hands, report, rescore, rules, sessions, solving, store

app = typer.Typer(
    name="ulti",
    help="Hand histories of Ulti: import or simulate them, keep them in a store, and ask for bid, talon and Kontra figures.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        from ulti_stats import __version__

        print(f"ulti_stats {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Hand histories of Ulti: import or simulate them, keep them in a store, and ask for bid, talon and Kontra figures."""


app.command("demo")(demo.run)
app.command("import")(hands.import_)
app.command("check")(hands.check)
app.command("simulate")(hands.simulate)
app.command("evaluate")(solving.evaluate)
app.command("export")(hands.export)
app.command("rescore")(rescore.rescore)
app.command("solve")(solving.solve)
app.command("sql")(hands.sql)
app.command("show")(hands.show)
report.app.command("session")(sessions.session)
app.add_typer(report.app, name="report")
app.add_typer(rules.app, name="rules")
app.add_typer(store.app, name="store")
