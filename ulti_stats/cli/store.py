"""Commands about the store itself: what it holds, and its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ulti_stats.cli.hands import TableFormat
from ulti_stats.cli.options import DEFAULT_STORE, StorePath

if TYPE_CHECKING:
    from ulti_stats.store.inventory import Inventory

app = typer.Typer(help="The store: what it holds, and its files.", no_args_is_help=True, rich_markup_mode=None)


@app.command()
def info(
    store: StorePath = DEFAULT_STORE,
    format: Annotated[TableFormat, typer.Option(help="How to print the rows.")] = TableFormat.table,
) -> None:
    """Show how many hands a store holds by ruleset, source and level, in how many files and bytes, and its version."""
    from ulti_stats.report.tables import arrow_text
    from ulti_stats.store.inventory import take_inventory

    found = take_inventory(store)
    print(arrow_text(found.held, format.value), end="")
    if format is TableFormat.table:
        print("\n".join(_lines(found)))


def _lines(found: Inventory) -> list[str]:
    a_hand = f", {found.n_bytes / found.n_hands:.0f} bytes a hand" if found.n_hands else ""
    files = f"{found.n_files:,} files, {found.n_bytes:,} bytes{a_hand}"
    lines = [f"{found.path}, version {found.version}: {found.n_hands:,} hands; {files}."]
    if found.n_waiting:
        lines.append(f"{found.n_waiting:,} hands of runs that are not finished wait for the same `ulti simulate` again.")
    if found.n_stale:
        lines.append(f"Replaced files, {found.n_stale:,} with {found.stale_bytes:,} bytes, go with `ulti store compact`.")
    return lines


@app.command()
def compact(store: StorePath = DEFAULT_STORE) -> None:
    """Put small files together and clear replaced ones away; hands, and batches of a run under way, stay as they are."""
    from ulti_stats.store.inventory import take_inventory
    from ulti_stats.store.table import Store

    before = take_inventory(store)
    Store.open(store).compact()
    after = take_inventory(store)
    freed = before.n_bytes + before.stale_bytes - after.n_bytes - after.stale_bytes
    print(f"Files: {before.n_files:,} before, {after.n_files:,} now, {freed:,} bytes less; {after.n_hands:,} hands as before.")
