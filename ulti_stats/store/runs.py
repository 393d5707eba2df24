"""Simulation runs: batches wait where nobody finds them, and the run is committed whole.

A run family (seed, rules, players, engine) is one `app_id` in the table's log; its version is the number of its hands that
are committed, always hands 0 to version - 1. So a run that is asked for again finds nothing to do, a larger one only the
rest, and of two processes at the same run the second finds at its commit that the hands are there.

Batches are files `_runs/<run>/<first>-<end>.hands` until their commit. A vacuum leaves folders with an underscore alone, and
a glob for `*.parquet` does not match them.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import DeltaTable

from ulti_stats.errors import StoreError
from ulti_stats.store.commits import Change, commit, live_files
from ulti_stats.store.files import IMPORT, RUN, add_action, kind_of, new_name, write_hands
from ulti_stats.store.schema import schema_mark

Batch = tuple[int, int]  # first hand index, and the one behind the last
_SUFFIX = ".hands"


@dataclass(frozen=True, slots=True)
class StagedRun:
    """A simulation run on its way into a store. It holds names only, so worker processes can be given it."""

    path: Path
    app_id: str

    @property
    def folder(self) -> Path:
        """Return where the batches of the run wait."""
        return self.path / "_runs" / self._key

    @property
    def _key(self) -> str:
        # Rows of older columns or another engine are another run's: never resumed.
        return f"{schema_mark()}-{hashlib.blake2b(self.app_id.encode(), digest_size=8).hexdigest()}"

    def write_batch(self, first: int, end: int, tables: Iterable[pa.Table]) -> None:
        """Write hands `first` to `end - 1` as a finished batch; a batch is whole or not there.

        `tables` come in order; each is written before the next is asked for, as a row group or more, so that it may use the
        memory of the one before. About 125 000 hands each are best, and 128 000 to 1 000 000 hands a batch. Safe to call from
        several processes. Raises `StoreError` for a wrong number of hands.
        """
        path = self._staged(first, end)
        n_hands = write_hands(path, tables, gather=False)
        if n_hands != end - first:
            path.unlink(missing_ok=True)
            raise StoreError(f"batch {first} to {end} of {self.app_id} has {n_hands} hands; {end - first} are right")

    def finished_batches(self) -> list[Batch]:
        """Return the batches that are whole and not committed, by first hand."""
        done = self.committed_hands()
        return sorted(batch for batch in self._batches() if batch[0] >= done)

    def _batches(self) -> set[Batch]:
        """Return every batch that lies here, staged, or moved by a commit (one that was killed half way, too)."""
        return {_batch_of(path.stem) for path in (*self.folder.glob(f"*{_SUFFIX}"), *self._moved())}

    def committed_hands(self) -> int:
        """Return how many hands of this run family the store holds: those with hand index below this number."""
        return _committed(DeltaTable(self.path), self.app_id)

    def missing(self, n_hands: int, *, batch_size: int) -> list[Batch]:
        """Return the batches still to write so that the run has `n_hands` hands; empty where it is finished."""
        missing: list[Batch] = []
        done = self.committed_hands()
        for first, end in _gaps(_tiles(self._batches(), done, n_hands), done, n_hands):
            while first < end:
                # Cut at multiples, so that a longer run meets the batches of a shorter one.
                cut = min(end, (first // batch_size + 1) * batch_size)
                missing.append((first, cut))
                first = cut
        return missing

    def commit(self, n_hands: int) -> int:
        """Commit the hands up to index `n_hands - 1` in one transaction; return how many that added.

        Zero where they were committed before, by an earlier run or by another process meanwhile. Hands that an import brought
        before are left out. Raises `StoreError` while batches are missing.
        """
        n_added = 0

        def plan(delta: DeltaTable) -> Change | None:
            nonlocal n_added
            n_added = 0
            done = _committed(delta, self.app_id)
            if done >= n_hands:
                return None
            tiles = _tiles(self._batches(), done, n_hands)
            if gaps := _gaps(tiles, done, n_hands):
                raise StoreError(f"run {self.app_id} is not finished: hands {gaps[0][0]} to {gaps[0][1] - 1} are missing")
            moved = [self._move(batch) for batch in tiles]
            paths = _without(moved, _imported_simulations(self.path, delta))
            n_added = sum(pq.read_metadata(path).num_rows for path in paths)
            # Files of this run's names may be committed by another process meanwhile, so only others are scratch.
            scratch = tuple(path.name for path in paths if path not in moved)
            return Change(tuple(add_action(path) for path in paths), transactions=((self.app_id, n_hands),), scratch=scratch)

        commit(self.path, plan)
        self._tidy()
        return n_added

    def _staged(self, first: int, end: int) -> Path:
        return self.folder / f"{first:015d}-{end:015d}{_SUFFIX}"

    def _move(self, batch: Batch) -> Path:
        """Put a batch into the table's folder, where the commit will name it."""
        staged = self._staged(*batch)
        path = self.path / f"{RUN}-{self._key}-{staged.stem}.parquet"
        with contextlib.suppress(FileNotFoundError):  # moved before
            staged.replace(path)
        return path

    def _tidy(self) -> None:
        """Delete batches that begin below what is committed: they are in the table, or can never come there."""
        delta = DeltaTable(self.path)
        live, done = set(live_files(delta)), _committed(delta, self.app_id)
        waiting = [path for path in self.folder.glob(f"*{_SUFFIX}") if _batch_of(path.stem)[0] < done]
        moved = [path for path in self._moved() if path.name not in live and _batch_of(path.stem)[0] < done]
        for path in (*waiting, *moved):
            path.unlink(missing_ok=True)

    def _moved(self) -> list[Path]:
        return list(self.path.glob(f"{RUN}-{self._key}-*.parquet"))


def waiting_hands(path: Path) -> int:
    """Return how many hands of open runs wait in a store's folder for their commit."""
    return sum(end - first for first, end in (_batch_of(file.stem) for file in path.glob(f"_runs/*/*{_SUFFIX}")))


def _committed(delta: DeltaTable, app_id: str) -> int:
    return delta.transaction_version(app_id) or 0


def _batch_of(name: str) -> Batch:
    first, end = name.split("-")[-2:]
    return int(first), int(end)


def _tiles(batches: Iterable[Batch], first: int, end: int) -> list[Batch]:
    """Return batches that lie one behind the other within the range, the largest at each place.

    >>> _tiles([(0, 10), (0, 20), (10, 20), (30, 40)], 0, 35)
    [(0, 20)]
    """
    tiles: list[Batch] = []
    place = first
    for batch in sorted(batches, key=lambda batch: (batch[0], -batch[1])):
        if batch[0] >= place and batch[1] <= end:
            tiles.append(batch)
            place = batch[1]
    return tiles


def _gaps(tiles: list[Batch], first: int, end: int) -> list[Batch]:
    """Return what the batches leave open.

    >>> _gaps([(10, 20)], 0, 25)
    [(0, 10), (20, 25)]
    """
    edges = [first, *(edge for tile in tiles for edge in tile), end]
    return [(low, high) for low, high in zip(edges[::2], edges[1::2], strict=True) if low < high]


def _imported_simulations(path: Path, delta: DeltaTable) -> set[bytes]:
    """Return the hashes of simulated hands that imports brought: an export of a run that comes back before the run."""
    files = [str(path / name) for name in live_files(delta) if kind_of(name) == IMPORT]
    if not files:
        return set()
    import duckdb  # takes time to load, and few commits need it

    with duckdb.connect() as connection:
        query = "SELECT hand_hash FROM read_parquet($files) WHERE seed IS NOT NULL"
        return {identity for (identity,) in connection.execute(query, {"files": files}).fetchall()}


def _without(paths: list[Path], known: set[bytes]) -> list[Path]:
    """Return the files without known hands: a file that holds some is written anew, one that holds no other is left out."""
    if not known:
        return paths
    left: list[Path] = []
    for path in paths:
        hands = pq.read_table(path)
        is_new = [identity not in known for identity in hands.column("hand_hash").to_pylist()]
        if all(is_new):
            left.append(path)
        elif any(is_new):
            left.append(path.with_name(new_name(RUN)))
            write_hands(left[-1], [hands.filter(pa.array(is_new))])
    return left
