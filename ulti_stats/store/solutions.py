"""Open-card results beside the hands: one Delta table a stage below `_solutions`, a row per hand, appended batch by batch.

The underscore keeps these tables out of what readers of the hands' own table see. Rows are keyed by `hand_hash` and by the
version of the solver; those of another version are kept and not read.
"""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError
from deltalake.transaction import AddAction

from ulti_stats.errors import QueryError, StoreError
from ulti_stats.game.bids import PART_TEXTS
from ulti_stats.store.commits import Change, commit, live_files
from ulti_stats.store.files import UNFINISHED
from ulti_stats.store.schema import Column

# Raised whenever the same hand would get another result; older rows then count as not solved.
SOLVER = 1
FOLDER = "_solutions"

ERROR = pa.struct(
    [("ply", pa.int8()), ("card", pa.int8()), ("best_card", pa.int8()), ("seat", pa.int8()), ("cost", pa.float64())]
)

# fmt: off
_KEYS = (
    Column("hand_hash", pa.binary(16), "identity of the hand"),
    Column("solver", pa.int16(), "version of the solver"),
)
STAGES: dict[str, tuple[Column, ...]] = {
    "parts": (
        *_KEYS,
        *(Column(f"makeable_{part}", pa.bool_(),
                 f"{part}: whether the declarer could make it by itself, all cards open; null where it is not in the contract")
          for part in PART_TEXTS),
        Column("makeable_all", pa.bool_(), "whether all named parts could be made in one line of play; null where not known"),
    ),
    "par": (
        *_KEYS,
        Column("par_units", pa.float64(),
               "what each defender pays (the mean of the two) with best play of all three, cards open, kontra levels as said"),
        Column("par_declarer_units", pa.int32(), "the same on the declarer's account"),
    ),
    "best": (
        *_KEYS,
        Column("best_contract", pa.string(), "bid id of the contract that pays the declarer most with open cards and no kontra"),
        Column("best_trump", pa.string(), "its trump suit; null without trumps"),
        Column("best_discard", pa.uint32(), "the two cards to lay for it, mask; 0 where nothing is laid"),
        Column("best_units", pa.float64(), "its par: what each defender pays, the mean of the two"),
        Column("best_declarer_units", pa.int32(), "the same on the declarer's account"),
    ),
    "errors": (
        *_KEYS,
        Column("errors", pa.list_(ERROR), "plays that gave units away: card, a best card in its place, and the cost"),
        Column("decided_ply", pa.int8(),
               "the last card that changed what open cards make of a named part, 0 to 29; -1 where none did"),
    ),
}
# fmt: on

# Which hands a stage speaks of, as a condition over columns of `hands`.
KNOWN_CARDS = (
    "contract IS NOT NULL AND play_declarer IS NOT NULL AND play_defender_1 IS NOT NULL AND laid IS NOT NULL "
    "AND (trump IS NOT NULL OR trump_class = 'none')"
)
SOLVABLE: dict[str, str] = {
    "parts": f"{KNOWN_CARDS} AND termination IN ('played', 'conceded')",
    "par": f"{KNOWN_CARDS} AND termination = 'played'",
    "best": f"{KNOWN_CARDS} AND termination IN ('played', 'conceded')",
    "errors": f"{KNOWN_CARDS} AND termination = 'played' AND level = 'full'",
}


def stage_schema(stage: str) -> pa.Schema:
    """Return the Arrow schema of a stage's table."""
    return pa.schema([(column.name, column.type) for column in STAGES[stage]])


@dataclass(frozen=True, slots=True)
class Solutions:
    """The open-card results of a store. Nothing is held in memory: each call speaks of the newest version."""

    store: Path

    def folder(self, stage: str) -> Path:
        """Return where a stage's table lies."""
        return self.store / FOLDER / stage

    def has(self, stage: str) -> bool:
        """Return whether anything was ever solved."""
        return (self.folder(stage) / "_delta_log").is_dir()

    def files(self, stage: str) -> list[Path]:
        """Return the data files of the newest version, none where nothing is solved."""
        if not self.has(stage):
            return []
        folder = self.folder(stage)
        return [folder / name for name in live_files(DeltaTable(folder))]

    def add(self, stage: str, rows: pa.Table) -> int:
        """Append a batch in one commit and return how many rows it took: what another writer solved meanwhile is left out.

        `rows` have the columns of `stage_schema(stage)`.
        """
        folder = self.folder(stage)
        _create(folder, stage)
        taken = 0

        def plan(table: DeltaTable) -> Change | None:
            nonlocal taken
            new = _without_known(rows.cast(stage_schema(stage)), [folder / name for name in live_files(table)])
            taken = len(new)
            if not taken:
                return None
            file = _write(folder, new)
            return Change((_add_action(file, taken),), scratch=(file.name,))

        commit(folder, plan)
        return taken


def unsolved(stage: str, where: str | None = None) -> str:
    """Return the condition over columns of `hands` for those that a stage could solve and has not; raises `QueryError`.

    `where` is a condition of one's own.
    """
    if stage not in STAGES:
        raise QueryError(f"unknown stage '{stage}'; stages are {', '.join(STAGES)}")
    own = f" AND (\n{where}\n)" if where else ""
    return f"{SOLVABLE[stage]} AND hand_hash NOT IN (SELECT hand_hash FROM raw.solved_{stage}){own}"


def stage_sql(stage: str, files: list[Path]) -> str:
    """Return SQL that reads a stage's rows of this version of the solver."""
    if not files:
        return f"FROM raw.no_{stage}"
    listed = ", ".join("'" + str(path.resolve()).replace("'", "''") + "'" for path in files)
    return f"FROM read_parquet([{listed}]) WHERE solver = {SOLVER}"


def _create(folder: Path, stage: str) -> None:
    """Make a stage's table, unless another process is first."""
    if (folder / "_delta_log").is_dir():
        return
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(DeltaError):
        DeltaTable.create(str(folder), stage_schema(stage), name=f"ulti_stats solutions: {stage}")
    if not DeltaTable.is_deltatable(str(folder)):
        raise StoreError(f"cannot make a table of solutions at {folder}")


def _without_known(rows: pa.Table, files: list[Path]) -> pa.Table:
    """Return the rows whose hand and solver no file has."""
    if not files:
        return rows
    with duckdb.connect() as connection:
        connection.register("fresh", rows)
        text = "SELECT fresh.* FROM fresh ANTI JOIN read_parquet(?) AS old USING (hand_hash, solver)"
        found = connection.sql(text, params=[[str(file) for file in files]]).to_arrow_table()
    return found.cast(rows.schema)


def _write(folder: Path, rows: pa.Table) -> Path:
    """Write rows to a file that is whole or not there."""
    file = folder / f"solved-{secrets.token_hex(8)}.parquet"
    unfinished = folder / f"_{file.name}{UNFINISHED}"
    try:
        pq.write_table(rows, unfinished, compression="zstd")
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return file


def _add_action(file: Path, n_rows: int) -> AddAction:
    facts = file.stat()
    return AddAction(
        path=file.name,
        size=facts.st_size,
        partition_values={},
        modification_time=int(facts.st_mtime * 1000),
        data_change=True,
        stats=json.dumps({"numRecords": n_rows}),
    )
