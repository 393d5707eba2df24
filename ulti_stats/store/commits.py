"""One way to change the table: plan against the newest version, commit, and start again if somebody else was first."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Transaction
from deltalake.exceptions import CommitFailedError
from deltalake.transaction import AddAction, RemoveAction

from ulti_stats.errors import StoreError
from ulti_stats.store.files import LONE, RUN, has_todays_columns, kind_of

# Every commit carries this transaction, so that the log refuses one that was planned before another was written. The
# format does not do that by itself: it lets two appends pass that each found a hand missing.
WRITER = "ulti-stats-writer"
MAX_ATTEMPTS = 1000


@dataclass(frozen=True, slots=True)
class Change:
    """Data files to add and to remove in one commit, and transactions of the application to record with it.

    `scratch` names added files that only this plan knows, to be deleted where it comes to nothing. `is_new` is false where
    the hands stay the same and only their files change.
    """

    added: tuple[AddAction, ...]
    removed: tuple[str, ...] = ()
    transactions: tuple[tuple[str, int], ...] = ()
    scratch: tuple[str, ...] = ()
    is_new: bool = True


def commit(path: Path, plan: Callable[[DeltaTable], Change | None]) -> Change | None:
    """Commit what `plan` makes of the newest version of the table, and return it; None where it finds nothing to do.

    When another writer was first, the plan is made again, so it may count on what it read; so is a plan that failed
    because files went away meanwhile. Raises `StoreError` after very many attempts.
    """
    for _ in range(MAX_ATTEMPTS):
        table = DeltaTable(path)
        try:
            change = plan(table)
        except _unreadable() as error:
            if DeltaTable(path).version() > table.version():
                continue
            raise error if isinstance(error, StoreError) else StoreError(f"{path}: {str(error).splitlines()[0]}") from None
        if change is None:
            return None
        try:
            _write(table, change)
        except CommitFailedError:
            for name in change.scratch:
                (path / name).unlink(missing_ok=True)
            continue
        return change
    raise StoreError(f"{path}: other writers were first {MAX_ATTEMPTS} times; try again when they are done")


def _unreadable() -> tuple[type[Exception], ...]:
    """Return the errors of a plan that meets files which went away; DuckDB's where a plan uses it, which most do not."""
    duckdb = sys.modules.get("duckdb")
    return (StoreError, OSError) if duckdb is None else (StoreError, OSError, duckdb.IOException)


def _write(table: DeltaTable, change: Change) -> None:
    now = int(time.time() * 1000)
    removed = [RemoveAction(name, change.is_new, now) for name in change.removed]
    writer = Transaction(WRITER, (table.transaction_version(WRITER) or 0) + 1)
    transactions = [writer, *(Transaction(name, version) for name, version in change.transactions)]
    table.create_write_transaction(
        [*change.added, *removed],
        "append",
        pa.schema(table.schema()),
        commit_properties=CommitProperties(app_transactions=transactions, max_commit_retries=100),
    )


def live_files(table: DeltaTable) -> list[str]:
    """Return the names of the data files of this version: imports as they came, then runs from their first hand up."""
    return [file.name for file in live_facts(table)]


@dataclass(frozen=True, slots=True, order=True)
class FileFacts:
    """What the log says of a data file; in the order of files in a store."""

    kind: str
    place: tuple[int, ...]
    name: str
    n_hands: int


def live_facts(table: DeltaTable) -> list[FileFacts]:
    """Return the facts of each data file of this version, in the order of `live_files`."""
    # Column by column: pyarrow's own way from such a table imports pandas, which takes most of a second.
    facts = table.get_add_actions(flatten=True)
    names = ("path", "num_records", "modification_time", "min.seed", "min.hand_index")
    columns = [facts.column(name).to_pylist() if name in facts.column_names else [None] * facts.num_rows for name in names]
    found = []
    for path, n_hands, moment, seed, first in zip(*columns, strict=True):
        # The files of a run are written in any order.
        place = (seed or 0, first or 0) if kind_of(path) == RUN else (moment,)
        found.append(FileFacts(kind_of(path), place, path, n_hands))
    return sorted(found)


def lone_values(table: DeltaTable) -> dict[str, Any]:
    """Return the columns of which every hand of this version has the same value, with that value, as far as the log tells.

    `is_simulated` is among them where all hands have a seed, or none.
    """
    facts = table.get_add_actions(flatten=True)
    columns = {name: facts.column(name).to_pylist() for name in facts.column_names}
    # Other programs may cut long texts in the log.
    if not facts.num_rows or not all(map(has_todays_columns, columns["path"])):
        return {}
    unknown = [None] * facts.num_rows
    found: dict[str, Any] = {}
    for name in (*LONE, "seed"):
        nulls = columns.get(f"null_count.{name}", unknown)
        values = {*columns.get(f"min.{name}", unknown), *columns.get(f"max.{name}", unknown)}
        has_none, has_all = nulls == columns["num_records"], all(n == 0 for n in nulls)
        if name == "seed" and (has_none or has_all):
            found["is_simulated"] = has_all
        elif has_none:
            found[name] = None
        elif has_all and len(values) == 1 and None not in values:
            found[name] = values.pop()
    return found
