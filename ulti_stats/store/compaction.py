"""Compaction: many small data files become few large ones, with the same hands in the same order."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from deltalake import DeltaTable

from ulti_stats.store.commits import Change, FileFacts, live_facts
from ulti_stats.store.files import UNFINISHED, add_action, has_todays_columns, new_name, read_hands, write_hands

# Measured: each file costs a reader some milliseconds, while larger ones gain nothing more.
MOST_HANDS = 1_000_000
# Seconds. A writer names its files in the log moments after it wrote them.
STRAY_AFTER = 3600


def plan_compaction(path: Path, delta: DeltaTable) -> Change | None:
    """Return the files to write anew and to remove, or None where that would change nothing."""
    removed: list[str] = []
    written: list[Path] = []
    for kind, files in groupby(live_facts(delta), key=lambda file: file.kind):
        for bundle in _bundles(files):
            if len(bundle) == 1 and has_todays_columns(bundle[0].name):
                continue
            written.append(path / new_name(kind))
            write_hands(written[-1], (hands for file in bundle for hands in read_hands(path / file.name)))
            removed += [file.name for file in bundle]
    if not written:
        return None
    added = tuple(add_action(file, is_new=False) for file in written)
    return Change(added, tuple(removed), scratch=tuple(file.name for file in written), is_new=False)


def clear_strays(path: Path, delta: DeltaTable) -> None:
    """Delete files that writers left behind when they were killed: none of the table's, and older than any commit takes."""
    live, oldest = {file.name for file in live_facts(delta)}, time.time() - STRAY_AFTER
    for file in (*path.glob("*.parquet"), *path.glob(f"**/*{UNFINISHED}")):
        with contextlib.suppress(FileNotFoundError):  # its writer was done with it
            if file.name not in live and file.stat().st_mtime < oldest:
                file.unlink()


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
