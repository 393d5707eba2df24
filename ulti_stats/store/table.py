"""The store: a Delta table of hands in a folder, opened by readers, created by writers."""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
from deltalake import DeltaTable, Schema
from deltalake.exceptions import DeltaError

from ulti_stats.errors import StoreError
from ulti_stats.store.commits import commit, live_facts, live_files, lone_values
from ulti_stats.store.compaction import clear_strays, plan_compaction
from ulti_stats.store.files import BYTES_PER_HAND
from ulti_stats.store.imports import Added, Import
from ulti_stats.store.runs import StagedRun
from ulti_stats.store.schema import SCHEMA_VERSION, log_schema

_TABLE_NAME = "ulti_stats hands"
_VERSION_KEY = "ulti_stats.schemaVersion"
_README = """This folder is a store of Ulti hands, made by ulti_stats. It is a Delta table.

Do not read it with a glob such as *.parquet: the folder also keeps files that newer ones have replaced, until they are
cleared away, so a glob counts hands twice. Right after `ulti store compact` it does not. Ask instead with

    ulti sql "SELECT contract, count(*) FROM hands GROUP BY 1" --store THIS_FOLDER
    ulti export --store THIS_FOLDER --out hands.jsonl

or open it with any reader of Delta tables. Files below _runs are batches of simulations that are not finished.
"""


@dataclass(frozen=True, slots=True)
class Store:
    """A store in a folder. It keeps nothing of the table in memory: each call speaks of the newest version."""

    path: Path

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Return the store in a folder, for readers; creates nothing. Raises `StoreError` where there is none."""
        path = Path(path)
        if not path.exists():
            raise StoreError(f"no store at {path}; run 'ulti import FILE' or 'ulti simulate' with --store {path} to make one")
        if not _is_table(path):
            if path.is_dir() and not any(path.iterdir()):
                raise StoreError(
                    f"no store at {path}, the folder is empty; run 'ulti import FILE' or 'ulti simulate' to make one"
                )
            raise StoreError(f"{path} is not a store of ulti_stats; give the folder of one with --store")
        _check_ours(path)
        return cls(path)

    @classmethod
    def create_or_open(cls, path: Path | str) -> Self:
        """Return the store in a folder, made where there is nothing yet; raises `StoreError` for a folder of other things."""
        path = Path(path)
        if path.exists() and not path.is_dir():
            raise StoreError(f"{path} is a file; a store is a folder")
        if not _is_table(path):
            # A log without an entry is a store that another process is just making.
            if path.exists() and any(child.name != "_delta_log" for child in path.iterdir()):
                raise StoreError(f"{path} is not empty and not a store of ulti_stats; give another folder with --store")
            _create(path)
        _check_ours(path)
        _add_columns(path)
        _write_readme(path)
        return cls(path)

    def version(self) -> int:
        """Return the number of the newest version; each commit makes a new one."""
        return DeltaTable(self.path).version()

    def files(self) -> list[Path]:
        """Return the data files of the newest version."""
        return [self.path / name for name in live_files(DeltaTable(self.path))]

    def files_and_lone_values(self) -> tuple[list[Path], dict[str, Any]]:
        """Return the data files of the newest version, and the columns of which all its hands have one value."""
        delta = DeltaTable(self.path)
        return [self.path / name for name in live_files(delta)], lone_values(delta)

    def n_hands(self) -> int:
        """Return how many hands the store holds, from the log alone."""
        return sum(file.n_hands for file in live_facts(DeltaTable(self.path)))

    def add(self, hands: pa.Table) -> Added:
        """Add recorded hands in one commit, and say what came of them.

        The table has the columns of `hands_schema()`; its `sources` say which file brought each hand. A hand that the store
        has is not added again, but gains the source; `id` and `extra` of the first stay. Where nothing is new there is no
        commit. Two imports at once do not double a hand: the second to commit looks again.
        """
        bringing = Import(self.path, hands)
        commit(self.path, bringing.plan)
        return bringing.result

    def staged_run(self, app_id: str) -> StagedRun:
        """Return a simulation run on its way into the store; `app_id` names seed, rules digest, players and engine."""
        return StagedRun(self.path, app_id)

    def committed_hands(self, app_id: str) -> int:
        """Return how many hands of a run family are committed; 0 for an unknown one."""
        return self.staged_run(app_id).committed_hands()

    def compact(self) -> int:
        """Put small data files together and clear replaced ones away; return how many fewer files there are.

        Hands, sources and open runs stay as they are. A reader that was at a file opens the newest version and asks again.
        Files that a killed writer left behind go too, once they are an hour old.
        """
        before = len(self.files())
        commit(self.path, lambda delta: plan_compaction(self.path, delta))
        DeltaTable(self.path).vacuum(0, dry_run=False, enforce_retention_duration=False)
        clear_strays(self.path, DeltaTable(self.path))
        return before - len(self.files())


def check_free_space(path: Path | str, *, n_hands: int) -> None:
    """Raise `StoreError` with the estimate in bytes where so many hands do not fit on the disk; creates nothing."""
    place = Path(path).absolute()
    while not place.exists():
        place = place.parent
    needed, free = n_hands * BYTES_PER_HAND, shutil.disk_usage(place).free
    if needed > free:
        raise StoreError(
            f"{n_hands} hands need about {needed} bytes and {place} has {free} free; "
            f"ask for at most {free // BYTES_PER_HAND} hands or give another folder with --store"
        )


def _is_table(path: Path) -> bool:
    return path.is_dir() and DeltaTable.is_deltatable(str(path))


def _create(path: Path) -> None:
    """Make the table, unless another process is first."""
    try:
        DeltaTable.create(
            str(path),
            log_schema(),
            name=_TABLE_NAME,
            description="Hands of Ulti, one row each; see README.txt",
            configuration={_VERSION_KEY: str(SCHEMA_VERSION)},
            raise_if_key_not_exists=False,
        )
    except (DeltaError, OSError) as error:
        if _is_table(path):
            return
        raise StoreError(f"cannot make a store at {path}: {str(error).splitlines()[0]}") from None


def _write_readme(path: Path) -> None:
    readme = path / "README.txt"
    if not readme.exists():
        readme.write_text(_README, encoding="utf-8")


def _check_ours(path: Path) -> None:
    """Raise `StoreError` for another program's table, and for a store of another version of this one."""
    try:
        table = DeltaTable(path)
    except (DeltaError, OSError) as error:
        raise StoreError(f"{path} cannot be read as a store: {str(error).splitlines()[0]}") from None
    version = table.metadata().configuration.get(_VERSION_KEY)
    if version is None:
        raise StoreError(f"{path} is a table of another program, not a store of ulti_stats; give another folder with --store")
    if int(version) > SCHEMA_VERSION or table.protocol().min_reader_version > 1:
        raise StoreError(f"{path} was written by a newer ulti_stats (store version {version}); update this one to read it")
    if int(version) < SCHEMA_VERSION:
        raise StoreError(
            f"{path} was written by an older ulti_stats (store version {version}, this one reads {SCHEMA_VERSION}); "
            "import and simulate its hands anew into another folder, or export them with the version that wrote them"
        )


def _add_columns(path: Path) -> None:
    """Give a store of older columns those that came since; its files lack them, which reads as null."""
    table = DeltaTable(path)
    known = {field.name for field in table.schema().fields}
    missing = [field for field in Schema.from_arrow(log_schema()).fields if field.name not in known]
    if missing:
        with contextlib.suppress(DeltaError):  # another process was first
            table.alter.add_columns(missing)
