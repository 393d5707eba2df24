"""Compaction: many small data files become few large ones, with the same hands in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import pyarrow as pa
from deltalake import DeltaTable

from ulti_stats.store.commits import Change, FileFacts, live_facts
from ulti_stats.store.files import ROW_GROUP, add_action, has_todays_columns, new_name, read_hands, write_hands

# Measured: each file costs a reader some milliseconds, while larger ones gain nothing more.
MOST_HANDS = 1_000_000


def plan_compaction(path: Path, delta: DeltaTable) -> Change | None:
    """Return the files to write anew and to remove, or None where that would change nothing."""
    removed: list[str] = []
    written: list[Path] = []
    for kind, files in groupby(live_facts(delta), key=lambda file: file.kind):
        for bundle in _bundles(files):
            if len(bundle) == 1 and has_todays_columns(bundle[0].name):
                continue
            written.append(path / new_name(kind))
            write_hands(written[-1], _row_groups(path / file.name for file in bundle))
            removed += [file.name for file in bundle]
    if not written:
        return None
    added = tuple(add_action(file, is_new=False) for file in written)
    return Change(added, tuple(removed), scratch=tuple(file.name for file in written), is_new=False)


def _bundles(files: Iterable[FileFacts]) -> Iterator[list[FileFacts]]:
    """Yield neighbours that fit into one file together.

    >>> files = [FileFacts("run", (n,), name, n) for name, n in (("a", 300_000), ("b", 600_000), ("c", 900_000))]
    >>> [[file.name for file in bundle] for bundle in _bundles(files)]
    [['a', 'b'], ['c']]
    """
    bundle: list[FileFacts] = []
    for file in files:
        if bundle and sum(each.n_hands for each in bundle) + file.n_hands > MOST_HANDS:
            yield bundle
            bundle = []
        bundle.append(file)
    if bundle:
        yield bundle


def _row_groups(paths: Iterable[Path]) -> Iterator[pa.Table]:
    """Yield the hands of files in tables of a full row group each."""
    waiting: list[pa.Table] = []
    for path in paths:
        for hands in read_hands(path):
            waiting.append(hands)
            if sum(map(len, waiting)) >= ROW_GROUP:
                yield pa.concat_tables(waiting)
                waiting = []
    if waiting:
        yield pa.concat_tables(waiting)
