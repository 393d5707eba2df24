"""Bringing hands in and taking them out, for notebooks and scripts: here sources and store meet."""

from __future__ import annotations

import os
import secrets
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa

from ulti_stats.asking import connect, store_path
from ulti_stats.errors import QueryError, SourceError, UltiError
from ulti_stats.game.batch import Run, new_batch
from ulti_stats.game.history import HandHistory
from ulti_stats.game.notation import format_history
from ulti_stats.game.replay import replay
from ulti_stats.game.result import Replay
from ulti_stats.sources.importing import ImportResult
from ulti_stats.sources.importing import import_files as read_files
from ulti_stats.sources.simulate import CHUNK, plan_run, play_run
from ulti_stats.store.batches import encode_batch
from ulti_stats.store.rows import encode
from ulti_stats.store.runs import StagedRun
from ulti_stats.store.table import Added, Store, check_free_space

if TYPE_CHECKING:
    from ulti_stats.store.warehouse import Warehouse

# Hands in one data file, twice as many in a run of eight or more; a stopped run loses at most the batches under way. Each file
# costs a writer a few milliseconds, and small runs should have one for each processor.
BATCH = 250_000


def sample_path(name: str) -> Path:
    """Return where a sample that ships with the package lies: in the installed package, or in a checkout's data folder."""
    package = Path(__file__).resolve().parent
    installed = package / "_samples" / name
    return installed if installed.exists() else package.parent / "data" / "samples" / name


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: what was read, and what of it the store took."""

    read: ImportResult
    added: Added


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a simulation did: its seed, hands asked for, and hands that were added (the others were there)."""

    seed: int
    n_hands: int
    n_added: int
    store: Path


def import_files(paths: str | Path | Iterable[str | Path], *, store: str | Path | None = None) -> Imported:
    """Bring files of any known format into a store, made where there is none; bad records are collected, not raised.

    Hands that the store has are not added again. `Imported.read.problems` lists what was rejected.
    """
    files = [paths] if isinstance(paths, str | Path) else list(paths)
    target = store_path(store)
    found = read_files(files)
    if not found.histories:
        return Imported(found, Added())
    table = encode_imported(found)
    return Imported(found, Store.create_or_open(target).add(table))


def simulate(
    n_hands: int,
    *,
    seed: int | None = None,
    rules: str = "rablo",
    options: Mapping[str, Any] | None = None,
    players: str = "club",
    contract: str | None = None,
    trump: str | None = None,
    store: str | Path | None = None,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    ready: Callable[[], None] | None = None,
) -> Simulated:
    """Simulate hands 0 to `n_hands - 1` of a seed into a store and commit them at once.

    Hands that the store has are not simulated again, and batches of a stopped run are taken up. Without `seed` one is
    drawn. With a `contract` forehand plays it in every hand, in the suit `trump` if that is given (see `plan_run`).
    `ready` is called when all is found right and hands are missing, `progress` with the number of hands just finished.
    Raises `UltiError` for bad arguments, and `StoreError` where the hands would not fit on the disk.
    """
    if n_hands < 1:
        raise UltiError(f"hands: {n_hands} is not possible; simulate at least 1")
    seed = secrets.randbelow(2**31) if seed is None else seed
    run = plan_run(seed=seed, rules=rules, options=options, players=players, contract=contract, trump=trump)
    target = store_path(store)
    check_free_space(target, n_hands=n_hands)
    staged = Store.create_or_open(target).staged_run(run.app_id)
    missing = staged.missing(n_hands, batch_size=BATCH if n_hands < 8 * BATCH else 2 * BATCH)
    if missing and ready is not None:
        ready()
    if progress is not None:
        progress(n_hands - sum(end - first for first, end in missing))
    _write_batches(run, staged, missing, workers or os.cpu_count() or 1, progress)
    return Simulated(seed, n_hands, staged.commit(n_hands), target)


def _write_batches(
    run: Run, staged: StagedRun, missing: list[tuple[int, int]], workers: int, progress: Callable[[int], None] | None
) -> None:
    """Write the missing batches, several at a time; the kernels leave the interpreter to other threads."""
    room = min(CHUNK, max((end - first for first, end in missing), default=0))
    of_thread = threading.local()

    def write(first: int, end: int) -> None:
        if not hasattr(of_thread, "batch"):
            of_thread.batch = new_batch(room)

        def tables():
            for start, batch, n_hands in play_run(run, first, end, of_thread.batch):
                yield encode_batch(batch, n_hands, run, first=start)
                if progress is not None:
                    progress(n_hands)

        staged.write_batch(first, end, tables())

    with _memory_of_the_system(), ThreadPoolExecutor(min(workers, max(1, len(missing)))) as pool:
        futures = [pool.submit(write, first, end) for first, end in missing]
        try:
            for future in as_completed(futures):
                future.result()
        except BaseException:
            # What is finished waits for the next run; what has not begun is not begun.
            pool.shutdown(wait=True, cancel_futures=True)
            raise


@contextmanager
def _memory_of_the_system() -> Iterator[None]:
    """Let Arrow take its memory from the system: its own allocator gives pages back in between, a twentieth of a run's time."""
    usual = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(usual)


def encode_imported(found: ImportResult) -> pa.Table:
    """Return imported hands as rows of the store, each with the files that brought it."""
    table = encode(found.histories)
    sources = pa.array([list(found.sources[hand.hand_hash]) for hand in found.histories], pa.list_(pa.string()))
    return table.set_column(table.column_names.index("sources"), "sources", sources)


def export(*, store: str | Path | None = None, out: str | Path | None = None, where: str | None = None) -> int:
    """Write hands as `ulti-hand/1` lines to a file (gzip or zstd by its name) or standard output; return how many.

    `where` is a SQL condition over the columns of `hands`. A name that ends in `.parquet` gets every
    column of the view, and calls, kontras and marriages as lists.
    """
    target = None if out is None else Path(out)
    with connect(store) as warehouse:
        if target is not None and target.suffix == ".parquet":
            return write_parquet(warehouse, target, where)
        with open_text(target) as stream:
            n_hands = 0
            for history in warehouse.histories(where):
                stream.write(format_history(history).encode() + b"\n")
                n_hands += 1
        return n_hands


@contextmanager
def open_text(target: Path | None) -> Iterator[BinaryIO]:
    """Open a file for bytes, compressed as its name says, or standard output; a file is whole or not there."""
    if target is None:
        yield sys.stdout.buffer
        return
    unfinished = target.with_name(f".{target.name}.unfinished")
    compression = {".gz": "gzip", ".zst": "zstd"}.get(target.suffix)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with pa.output_stream(str(unfinished), compression=compression) as stream:
            yield stream
        unfinished.replace(target)
    except OSError as error:
        raise SourceError(f"{target} cannot be written: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def write_parquet(warehouse: Warehouse, target: Path, where: str | None) -> int:
    """Write every column of `hands` and the lists behind them to a plain Parquet file and return how many hands."""
    import pyarrow.parquet as pq

    rows = warehouse.table(where)
    target.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows, target, compression="zstd")
    return len(rows)


def find_hand(text: str, *, store: str | Path | None = None) -> tuple[str, HandHistory, Replay]:
    """Return id, history and replay of one hand, found by its id (or the first digits), its record's id or SEED:INDEX.

    Raises `QueryError` where no hand or more than one fits.
    """
    seed, colon, index = text.partition(":")
    numbers = colon and seed.isdecimal() and index.isdecimal()
    with connect(store) as warehouse:
        condition = (
            "seed = $seed AND hand_index = $index" if numbers else "starts_with(hand_id, lower($text)) OR record_id = $text"
        )
        values = {"seed": int(seed), "index": int(index)} if numbers else {"text": text}
        ids = warehouse.query(f"SELECT hand_id FROM hands WHERE {condition} ORDER BY 1 LIMIT 20", values).column(0).to_pylist()
        if len(ids) != 1:
            raise QueryError(_not_one(text, ids))
        history = next(warehouse.histories("hand_id = $id", {"id": ids[0]}))
    return ids[0], history, replay(history)


def _not_one(text: str, ids: list[str]) -> str:
    if not ids:
        return f"no hand '{text}'; give a hand id (or its first digits), a record's own id, or SEED:INDEX of a simulated hand"
    shown = ", ".join(found[:12] for found in ids[:5])
    return f"'{text}' fits {len(ids)} hands or more: {shown}; give more digits of the hand id"
