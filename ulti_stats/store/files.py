"""Data files: how rows become Parquet, what a file is called, and what the table's log says of it."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake.transaction import AddAction

from ulti_stats.errors import StoreError
from ulti_stats.store.schema import CLAIM, COLUMNS, N_PLAYS, coded_schema, hands_schema, schema_mark

# Measured: a reader skips in row groups of this size and a writer holds one in memory (about 60 MB).
ROW_GROUP = 125_000
# Measured on a million simulated hands with long auctions and many kontras, identity included.
BYTES_PER_HAND = 75
IMPORT, RUN = "import", "run"
# A name that neither a glob for *.parquet nor a vacuum finds.
UNFINISHED = ".unfinished"

# Numbers that are written byte by byte, first the lowest of all, and compressed: those of which nearly every value is a new
# one, and small ones, which take half the time and as much room as numbered by a dictionary.
_SPLIT = {
    *("hand_0", "hand_1", "five_0", "five_1", "five_2", "play_declarer", "exchanged", "winners", "calls.list.element"),
    *(f"p{ply:02d}" for ply in range(N_PLAYS)),
    *("dealer", "forehand", "n_calls", "n_bids", "n_pickups", "n_tricks", "declarer_tricks", "declarer_points"),
    *("defender_points", "declarer_marriage_points", "defender_marriage_points", "talon_points", "kontra_max"),
}
_WITHOUT_DICTIONARY = {"hand_hash", "hand_index", *_SPLIT}
_ENCODINGS = {
    **dict.fromkeys(_SPLIT, "BYTE_STREAM_SPLIT"),
    "hand_index": "DELTA_BINARY_PACKED",
    "hand_hash": "PLAIN",
}
# Columns by whose ranges a reader may skip row groups; of others nearly every range is full, and they cost a tenth of the time.
_WITH_RANGES = (
    *("source", "session", "ruleset", "options", "ruleset_digest", "level", "termination", "policies"),
    *("seed", "hand_index", "engine", "declarer", "contract"),
)
# Columns that a whole file, as of a simulation, may have one value of: the log tells, so a report need not count by them.
LONE = ("ruleset", "options", "ruleset_digest", "level", "policies", "source", "session")
# Columns by which engines that read the log may skip whole files.
_RANGES = (*LONE, "seed", "hand_index")


def _leaves() -> list[str]:
    leaves: list[str] = []
    for column in COLUMNS:
        if column.name == "claimed_outcome":
            leaves += [f"{column.name}.list.element.{field.name}" for field in CLAIM]
        else:
            leaves.append(f"{column.name}.list.element" if pa.types.is_list(column.type) else column.name)
    return leaves


# Compressing these saves nothing: hashes are random, two cards are nine bits by their dictionary, and of the others a file has
# few values or long runs of one.
_TIGHT = {
    *("hand_hash", "talon", "pickup"),
    *("sources.list.element", "source", "ruleset", "options", "ruleset_digest", "level", "policies", "seed", "engine"),
    *(f"player_{seat}" for seat in range(3)),
    *(f"payoff_gap_{seat}" for seat in range(3)),
    "kontra_levels_differ",
}
_OPTIONS: dict[str, Any] = {
    "use_dictionary": [leaf for leaf in _leaves() if leaf not in _WITHOUT_DICTIONARY],
    "column_encoding": _ENCODINGS,
    "write_statistics": list(_WITH_RANGES),
    # Values handed on at a time; the usual 1024 take longer.
    "write_batch_size": 16_384,
    "store_schema": False,
}


def _options(first: pa.Table) -> dict[str, Any]:
    """Return how to write a file that begins with these rows; what they know nothing of is not compressed either."""
    empty = {name for name in first.column_names if first.column(name).null_count == len(first)}
    compressed = [leaf for leaf in _leaves() if leaf in _SPLIT or (leaf not in _TIGHT and leaf.split(".")[0] not in empty)]
    return {
        **_OPTIONS,
        "compression": {leaf: "zstd" if leaf in compressed else "none" for leaf in _leaves()},
        "compression_level": dict.fromkeys(compressed, 1),
    }


def conform(table: pa.Table) -> pa.Table:
    """Return the table in the columns of `hands_schema()`, dictionaries unfolded; raises `StoreError` naming wrong columns.

    Rows in a `coded_schema()` stay as they are: a file of them is the same.
    """
    schema = hands_schema()
    if table.schema == schema or (table.schema.names, table.schema.types) == (schema.names, coded_schema().types):
        return table
    wrong = set(table.column_names) ^ set(schema.names)
    if wrong:
        raise StoreError(f"rows do not have the store's columns; missing or unknown: {', '.join(sorted(wrong))}")
    try:
        return table.select(schema.names).cast(schema)
    except pa.ArrowException as error:
        raise StoreError(f"rows do not fit the store's columns: {error}") from None


def read_hands(path: Path) -> Iterator[pa.Table]:
    """Yield the hands of a data file, a row group at a time; columns that came after it was written are null."""
    file = pq.ParquetFile(path)
    for group in range(file.num_row_groups):
        hands = file.read_row_group(group)
        for field in hands_schema():
            if field.name not in hands.column_names:
                hands = hands.append_column(field, pa.nulls(len(hands), field.type))
        yield conform(hands)


def write_hands(path: Path, tables: Iterable[pa.Table], *, gather: bool = True) -> int:
    """Write tables one behind the other to a Parquet file and return the number of hands.

    With `gather`, small tables are put together to whole row groups; else each is written before the next is asked for.

    The file is whole or not there: it is written under another name beside its place and then moved. No more than a row
    group and a table are held at a time.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"_{path.name}.{os.getpid()}-{secrets.token_hex(4)}{UNFINISHED}")
    n_hands = 0
    try:
        rows = map(conform, tables)
        first = next(rows, None)
        if first is None:
            first = hands_schema().empty_table()
        with pq.ParquetWriter(unfinished, first.schema, **_options(first)) as writer:
            together = chain([first], rows)
            for table in _row_groups(together) if gather else together:
                writer.write_table(table, row_group_size=ROW_GROUP)
                n_hands += len(table)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return n_hands


def _row_groups(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Yield the same rows in tables of a full row group each, the last one shorter."""
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        while sum(map(len, waiting)) >= ROW_GROUP:
            together = pa.concat_tables(waiting)
            yield together.slice(0, ROW_GROUP)
            waiting = [together.slice(ROW_GROUP)]
    if any(map(len, waiting)):
        yield pa.concat_tables(waiting)


def new_name(kind: str) -> str:
    """Return a name for a data file that no other file has; `kind` is what brought its hands, `import` or `run`."""
    return f"{kind}-{schema_mark()}-{secrets.token_hex(8)}.parquet"


def kind_of(path: str) -> str:
    """Return what brought the hands of a data file.

    >>> kind_of("data/store/run-0011aabb-5c.parquet")
    'run'
    """
    return Path(path).name.split("-", 1)[0]


def has_todays_columns(path: str) -> bool:
    """Return whether a data file was written with the columns of this version."""
    return f"-{schema_mark()}-" in Path(path).name


def add_action(path: Path, *, is_new: bool = True) -> AddAction:
    """Return the log's entry for a data file that lies in the table's folder.

    `is_new` is false where the file only holds anew what others held, as after a compaction.
    """
    facts = path.stat()
    return AddAction(
        path=path.name,
        size=facts.st_size,
        partition_values={},
        modification_time=int(facts.st_mtime * 1000),
        data_change=is_new,
        stats=json.dumps(_statistics(pq.ParquetFile(path).metadata)),
    )


def _statistics(metadata: pq.FileMetaData) -> dict[str, Any]:
    """Return number of hands, and ranges and nulls of some columns, from the footer alone."""
    lows: dict[str, Any] = {}
    highs: dict[str, Any] = {}
    nulls: dict[str, int] = {}
    for place, name in enumerate(_leaves()):
        if name not in _RANGES:
            continue
        groups = [metadata.row_group(group).column(place).statistics for group in range(metadata.num_row_groups)]
        counted = [found for found in groups if found is not None and found.has_null_count]
        if len(counted) == len(groups):
            nulls[name] = sum(found.null_count for found in counted)
        known = [found for found in groups if found is not None and found.has_min_max]
        if known and len(known) == len(groups):
            lows[name] = min(found.min for found in known)
            highs[name] = max(found.max for found in known)
    return {"numRecords": metadata.num_rows, "minValues": lows, "maxValues": highs, "nullCount": nulls}
