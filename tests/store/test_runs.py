import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable

from tests.store.hands_by_hand import rows, simulated, simulated_rows
from ulti_stats.errors import StoreError
from ulti_stats.store.imports import Added
from ulti_stats.store.runs import StagedRun
from ulti_stats.store.table import Store

RUN = "seed 7, rablo, club, engine 1"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create_or_open(tmp_path / "store")


def write(run: StagedRun, *batches: tuple[int, int]) -> None:
    for first, end in batches:
        run.write_batch(first, end, [simulated_rows(first, end)])


def indexes(store: Store) -> list[int]:
    return [index for path in store.files() for index in pq.read_table(path).column("hand_index").to_pylist()]


def test_batches_are_invisible_until_the_run_is_committed_whole(store: Store) -> None:
    run = store.staged_run(RUN)
    write(run, (0, 4), (4, 8))

    assert (store.n_hands(), store.files(), list(store.path.glob("**/*.parquet"))) == (0, [], [])
    assert run.finished_batches() == [(0, 4), (4, 8)]

    assert run.commit(8) == 8
    assert store.version() == 1
    assert indexes(store) == list(range(8))
    assert run.finished_batches() == []
    assert list(run.folder.iterdir()) == []


def test_a_vacuum_leaves_the_batches_of_an_open_run_alone(store: Store) -> None:
    run = store.staged_run(RUN)
    write(run, (0, 4))
    DeltaTable(store.path).vacuum(0, dry_run=False, enforce_retention_duration=False, full=True)
    store.compact()
    assert run.finished_batches() == [(0, 4)]
    assert run.commit(4) == 4


def test_the_same_run_again_adds_nothing_and_a_larger_one_only_the_rest(store: Store) -> None:
    run = store.staged_run(RUN)
    write(run, (0, 4))
    run.commit(4)

    assert store.committed_hands(RUN) == 4
    assert run.missing(4, batch_size=4) == []
    assert run.commit(4) == 0
    assert run.commit(2) == 0
    assert store.version() == 1

    assert run.missing(10, batch_size=4) == [(4, 8), (8, 10)]
    write(run, (4, 8), (8, 10))
    assert run.commit(10) == 6
    assert indexes(store) == list(range(10))


def test_runs_of_another_seed_or_player_are_their_own(store: Store) -> None:
    for name in (RUN, "seed 8"):
        write(store.staged_run(name), (0, 2))
        assert store.staged_run(name).commit(2) == 2
    assert store.committed_hands("seed 9") == 0
    assert store.n_hands() == 4


def test_a_stopped_run_takes_up_its_finished_batches(store: Store) -> None:
    write(store.staged_run(RUN), (4, 8))
    resumed = Store.open(store.path).staged_run(RUN)
    assert resumed.missing(12, batch_size=4) == [(0, 4), (8, 12)]
    with pytest.raises(StoreError, match="hands 0 to 3 are missing"):
        resumed.commit(12)
    write(resumed, (0, 4), (8, 12))
    assert resumed.commit(12) == 12


def test_batches_that_reach_beyond_a_smaller_run_are_not_taken(store: Store) -> None:
    run = store.staged_run(RUN)
    write(run, (0, 8))
    assert run.missing(6, batch_size=4) == [(0, 4), (4, 6)]
    write(run, (0, 4), (4, 6))
    assert run.commit(6) == 6
    assert indexes(store) == list(range(6))
    assert run.finished_batches() == []  # hands 0 to 7 begin below what is committed


def test_a_run_that_was_killed_between_moving_and_committing_is_finished_by_the_next(store: Store) -> None:
    run = store.staged_run(RUN)
    write(run, (0, 4), (4, 8))
    run._move((0, 4))

    again = Store.open(store.path).staged_run(RUN)
    assert again.finished_batches() == [(0, 4), (4, 8)]
    assert again.missing(8, batch_size=4) == []
    assert again.commit(8) == 8
    assert indexes(store) == list(range(8))
    assert sorted(store.path.glob("*.parquet")) == sorted(store.files())


def test_a_batch_with_too_few_hands_is_refused_and_not_kept(store: Store) -> None:
    run = store.staged_run(RUN)
    with pytest.raises(StoreError, match="has 3 hands; 4 are right"):
        run.write_batch(0, 4, [simulated_rows(0, 3)])
    assert run.finished_batches() == []


def test_a_batch_that_breaks_off_leaves_nothing(store: Store) -> None:
    run = store.staged_run(RUN)

    def broken():
        yield simulated_rows(0, 2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.write_batch(0, 4, broken())
    assert list(run.folder.iterdir()) == []


def test_two_processes_at_the_same_run_commit_its_hands_once(store: Store) -> None:
    write(store.staged_run(RUN), (0, 4), (4, 8))
    with ThreadPoolExecutor(4) as pool:
        added = list(pool.map(lambda _: store.staged_run(RUN).commit(8), range(4)))
    assert sorted(added) == [0, 0, 0, 8]
    assert indexes(store) == list(range(8))


def test_a_run_that_comes_late_to_a_commit_of_its_own_hands_tidies_up(store: Store) -> None:
    run = store.staged_run(RUN)
    write(run, (0, 4))
    run.commit(4)
    # A second process had the same batch, and a larger one, under way.
    write(run, (0, 4), (0, 8))
    run._move((0, 8))
    assert run.commit(4) == 0
    assert list(run.folder.iterdir()) == []
    assert sorted(store.path.glob("*.parquet")) == sorted(store.files())


def test_different_runs_at_once_all_arrive(store: Store) -> None:
    def run_one(seed: int) -> int:
        run = store.staged_run(f"seed {seed}")
        run.write_batch(0, 5, [simulated_rows(0, 5, seed=seed)])
        return run.commit(5)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run_one, range(6))) == [5] * 6
    assert store.n_hands() == 30


def test_hands_that_an_import_brought_before_are_not_doubled_by_their_run(store: Store) -> None:
    table = simulated_rows(0, 6)
    store.add(table.slice(2, 3))
    run = store.staged_run(RUN)
    run.write_batch(0, 2, [table.slice(0, 2)])
    run.write_batch(2, 4, [table.slice(2, 2)])
    run.write_batch(4, 6, [table.slice(4, 2)])

    assert run.commit(6) == 3
    assert sorted(indexes(store)) == [0, 1, 2, 3, 4, 5]
    assert store.committed_hands(RUN) == 6
    assert sorted(store.path.glob("*.parquet")) == sorted(store.files())


def test_an_import_of_hands_that_a_run_made_adds_none_but_names_the_file(store: Store) -> None:
    run = store.staged_run(RUN)
    run.write_batch(0, 2, [rows(simulated(0), simulated(1), source="seed 7")])
    run.commit(2)
    assert store.add(rows(simulated(1), source="export.jsonl")) == Added(duplicates=1, sources_extended=1)
    found = [row for path in store.files() for row in pq.read_table(path).to_pylist()]
    assert [row["sources"] for row in found] == [["seed 7"], ["seed 7", "export.jsonl"]]


def test_a_store_can_be_copied_with_its_open_runs(store: Store, tmp_path: Path) -> None:
    write(store.staged_run(RUN), (0, 4))
    shutil.copytree(store.path, tmp_path / "copy")
    assert Store.open(tmp_path / "copy").staged_run(RUN).commit(4) == 4


def test_a_run_whose_hands_all_came_by_import_adds_none_and_is_done(store: Store) -> None:
    store.add(simulated_rows(0, 3))
    run = store.staged_run(RUN)
    write(run, (0, 3))
    assert run.commit(3) == 0
    assert (store.n_hands(), run.committed_hands()) == (3, 3)
    assert run.missing(3, batch_size=3) == []
