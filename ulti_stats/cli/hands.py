"""Commands that bring hands into a store, take them out, and show them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ulti_stats.cli.options import DEFAULT_STORE, RuleOptions, RulesetId, RulesFile, StorePath, resolve_rules


class TableFormat(StrEnum):
    """How a table is printed."""

    table = "table"
    csv = "csv"
    json = "json"
    md = "md"


def import_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="ulti-hand/1 (.jsonl, .gz, .zst) or UltiArena files.")],
    store: StorePath = DEFAULT_STORE,
    rejects: Annotated[Path | None, typer.Option(help="Where rejected records go; default FILE.rejects.jsonl.")] = None,
) -> None:
    """Import hand histories; good records are kept, bad ones listed and written to a reject file."""
    from ulti_stats.library import import_files
    from ulti_stats.sources.importing import write_rejects

    done = import_files(files, store=store)
    read, added = done.read, done.added
    for problem in read.problems:
        print(problem, file=sys.stderr)
    for difference in read.differences:
        print(f"claim differs: {difference}", file=sys.stderr)
    known = added.duplicates + read.n_duplicates
    print(f"{added.hands} hands added to {store}; {known} duplicates skipped, {len(read.problems)} records rejected.")
    if read.differences:
        print(f"{len(read.differences)} claims differ from the replay; those hands are kept and marked.")
    if added.near_duplicates:
        print(f"{added.near_duplicates} hands have the same decisions as another, but other or missing names or session; kept.")
    if added.sources_extended:
        print(f"{added.sources_extended} hands that were there have a further source now.")
    rejected = [problem for problem in read.problems if problem.raw]
    if rejected:
        target = rejects or Path(f"{files[0].name}.rejects.jsonl")
        write_rejects(rejected, target)
        print(f"Rejected records are in {target}.")
    if read.problems:
        raise typer.Exit(1)


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files to check; nothing is stored.")],
) -> None:
    """Check hand histories without storing them: problems by line, differing claims included."""
    from ulti_stats.sources.importing import check_file

    bad = False
    for path in files:
        result = check_file(path)
        for finding in result.findings:
            print(finding)
        print(f"{path}: {result.summary}")
        bad = bad or bool(result.findings)
    if bad:
        raise typer.Exit(1)


def simulate(
    hands: Annotated[int, typer.Option("--hands", help="How many hands the run is to have.")],
    seed: Annotated[int | None, typer.Option(help="Seed of the run; one is drawn and printed if not given.")] = None,
    rules: RulesetId = None,
    rules_file: RulesFile = None,
    option: RuleOptions = None,
    players: Annotated[
        str, typer.Option(help="Policy of all, or one for each person at the table, separated by commas: random, club.")
    ] = "club",
    contract: Annotated[
        str | None, typer.Option(metavar="BID", help="Card play alone: forehand plays this contract in every hand.")
    ] = None,
    trump: Annotated[str | None, typer.Option(metavar="SUIT", help="Suit of that contract, where one is named.")] = None,
    store: StorePath = DEFAULT_STORE,
    workers: Annotated[int | None, typer.Option(min=1, help="Threads; default one for each processor.")] = None,
) -> None:
    """Simulate hands into the store; a stopped run is taken up again by the same command."""
    from ulti_stats.compiling import for_players
    from ulti_stats.library import simulate as run

    preset, options = resolve_rules(rules, rules_file, option)
    with simulating(hands) as advance:
        done = run(
            hands,
            seed=seed,
            rules=preset,
            options=options,
            players=players,
            contract=contract,
            trump=trump,
            store=store,
            workers=workers,
            progress=advance,
            ready=lambda: compile_first(for_players(players)),
        )
    there = done.n_hands - done.n_added
    given = "" if contract is None else f" given {contract}" + (f" in {trump}" if trump else "")
    print(f"{done.n_added} hands added to {done.store} (seed {done.seed}, {preset}, {players}{given}); {there} were there.")


def compile_first(jobs: Iterable[str]) -> None:
    """Compile the kernels of these jobs where that is not done yet, and say so on standard error."""
    from ulti_stats.compiling import compile_missing, missing

    if missing(jobs):
        print("compiling the kernels of this command, once after installation: up to half a minute ...", file=sys.stderr)
        compile_missing(jobs)


@contextmanager
def simulating(total: int, doing: str = "simulating") -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar on a terminal; give the function that counts finished hands, or None elsewhere."""
    if not sys.stderr.isatty() or total < 1:
        yield None
        return
    from ulti_stats.cli.progress import HandProgress

    with HandProgress(total, doing) as bar:
        yield bar.advance


def export(
    store: StorePath = DEFAULT_STORE,
    out: Annotated[
        Path | None, typer.Option(help="File to write (.jsonl, .jsonl.gz, .jsonl.zst, .parquet); default stdout.")
    ] = None,
    where: Annotated[str | None, typer.Option(help="SQL condition on the hands.")] = None,
) -> None:
    """Export hands as ulti-hand/1; importing them again gives the same hands."""
    from ulti_stats.library import export as run

    n_hands = run(store=store, out=out, where=where)
    if out is not None:
        print(f"{n_hands} hands written to {out}.")


def sql(
    query: Annotated[
        str, typer.Argument(help='A SELECT over the views, as in "SELECT contract, count(*) FROM hands GROUP BY 1".')
    ],
    store: StorePath = DEFAULT_STORE,
    format: Annotated[TableFormat, typer.Option(help="How to print the rows.")] = TableFormat.table,
) -> None:
    """Ask the views in SQL, read-only; docs/schema.md lists views and columns."""
    from ulti_stats.report.tables import arrow_text
    from ulti_stats.store.warehouse import open_warehouse

    print(arrow_text(open_warehouse(store).sql(query), format.value), end="")


def show(
    hand: Annotated[str, typer.Argument(help="Hand id (or its first digits), the record's own id, or SEED:INDEX.")],
    store: StorePath = DEFAULT_STORE,
    analyse: Annotated[bool, typer.Option("--analyse", help="Add what each card gave away with open cards.")] = False,
) -> None:
    """Show one hand as a log, trick by trick."""
    from ulti_stats.library import find_hand
    from ulti_stats.report.hand_log import hand_log

    hand_id, history, replay = find_hand(hand, store=store)
    analysis = None
    if analyse:
        from ulti_stats.solving import analyse as run

        analysis = run(history)
    print(hand_log(history, replay, hand_id=hand_id, analysis=analysis), end="")
