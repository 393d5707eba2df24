"""The demo: the whole way from recorded and simulated hands to tables and charts, in one folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

HANDS, SEED = 20_000, 1


def run(
    out: Annotated[Path, typer.Option(help="Folder for store, tables and charts.")] = Path("reports/demo"),
) -> None:
    """Import the shipped sample, simulate 20 000 hands, and print and draw the three reports."""
    from ulti_stats.library import import_files, sample_path

    store = out / "store"
    done = import_files(sample_path("ultiarena_games.db"), store=store)
    print(f"Recorded games of the shipped sample: {done.added.hands} added to {store}, {done.added.duplicates} were there.")
    _simulate(store)
    _report(store, out)
    print(
        f"\nEverything is in {out}: tables, charts with their data and queries, and the store.\n"
        "What to try next:\n"
        f"  ulti show {SEED}:7 --store {store}\n"
        f"  ulti report bids --store {store} --by declarer_role --where \"contract = 'ulti'\"\n"
        f'  ulti sql "SELECT contract, count(*) AS n FROM hands GROUP BY 1 ORDER BY 2 DESC LIMIT 5" --store {store}\n'
        "  ulti simulate --hands 100000        (into data/store)\n"
        "  ulti import YOUR_FILE.jsonl"
    )


def _simulate(store: Path) -> None:
    from ulti_stats.cli.hands import compile_first, simulating
    from ulti_stats.compiling import for_players
    from ulti_stats.library import simulate

    with simulating(HANDS) as advance:
        done = simulate(
            HANDS,
            seed=SEED,
            players="club",
            store=store,
            progress=advance,
            ready=lambda: compile_first(for_players("club")),
        )
    there = done.n_hands - done.n_added
    print(f"Simulated hands of club players, seed {SEED}: {done.n_added} added, {there} were there.\n")


def _report(store: Path, out: Path) -> None:
    from ulti_stats.report.charts import save_chart
    from ulti_stats.report.tables import print_report, report_text
    from ulti_stats.stats.bids import bid_success
    from ulti_stats.stats.kontra import kontra_gain
    from ulti_stats.stats.talon import talon_observed
    from ulti_stats.store.warehouse import open_warehouse

    with open_warehouse(store) as warehouse:
        for question in (bid_success, talon_observed, kontra_gain):
            report = question(warehouse)
            print_report(report)
            print()
            (out / f"{report.name}.md").write_text(report_text(report, "md"), encoding="utf-8")
            save_chart(report, out / f"{report.name}.png")
