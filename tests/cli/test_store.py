"""The store's own commands: what it holds, and putting its files together."""

import csv
import io

import pyarrow.parquet as pq

from tests.cli.conftest import SAMPLE
from ulti_stats.sources.simulate import plan_run, play_run
from ulti_stats.store.batches import encode_batch
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import open_warehouse


def simulate(ulti, hands, seed):
    assert ulti("simulate", "--hands", hands, "--seed", seed, "--players", "random", "--workers", "1").code == 0


def globbed_hands(path):
    return sum(pq.read_metadata(file).num_rows for file in path.glob("**/*.parquet"))


def stage_a_batch(store, hands, seed):
    """Leave a finished batch of a run that was stopped before its commit."""
    run = plan_run(seed=seed, players="random")
    ((_, batch, played),) = play_run(run, 0, hands)
    staged = store.staged_run(run.app_id)
    staged.write_batch(0, hands, [encode_batch(batch, played, run, first=0)])
    return staged


def test_info_counts_hands_by_ruleset_source_and_level(ulti):
    ulti("import", SAMPLE)
    simulate(ulti, 30, seed=3)
    simulate(ulti, 20, seed=5)
    rows = list(csv.DictReader(io.StringIO(ulti("store", "info", "--format", "csv").out)))
    recorded = [row for row in rows if row["kind"] == "recorded"]
    assert sum(int(row["hands"]) for row in recorded) == 25
    assert {row["ruleset"] for row in recorded} == {"ultiarena"}
    (made,) = [row for row in rows if row["kind"] == "simulated"]
    assert (made["ruleset"], made["source"], made["level"]) == ("rablo", "random / random / random", "full")
    assert (made["hands"], made["first_seed"], made["last_seed"]) == ("50", "3", "5")


def test_info_says_files_bytes_and_version(ulti, tmp_path):
    simulate(ulti, 30, seed=3)
    (file,) = (tmp_path / "data" / "store").glob("*.parquet")
    shown = ulti("store", "info").out
    assert f"version 1: 30 hands; 1 files, {file.stat().st_size:,} bytes" in shown
    assert "wait" not in shown
    assert "Replaced" not in shown


def test_info_of_no_store_is_one_line(ulti):
    ran = ulti("store", "info")
    assert ran.code == 1
    assert ran.err.startswith("ulti: no store at data/store")
    assert ran.err.count("\n") == 1


def test_a_glob_is_right_after_compaction_and_no_hand_is_lost(ulti, tmp_path):
    store = Store(tmp_path / "data" / "store")
    ulti("import", SAMPLE)
    for seed in (3, 4, 5):
        simulate(ulti, 20, seed)
    before = ulti("export").out
    ran = ulti("store", "compact")
    assert ran.code == 0
    assert "4 before, 2 now" in ran.out
    assert "85 hands as before" in ran.out
    assert globbed_hands(store.path) == store.n_hands() == 85
    assert sorted(ulti("export").out.splitlines()) == sorted(before.splitlines())
    assert "2 before, 2 now, 0 bytes less" in ulti("store", "compact").out


def test_compaction_clears_files_that_an_import_replaced(ulti, tmp_path):
    store = Store(tmp_path / "data" / "store")
    simulate(ulti, 10, seed=3)
    ulti("export", "--out", "hands.jsonl")
    ulti("import", "hands.jsonl")  # the hands gain a source, so their file is written anew
    assert globbed_hands(store.path) == 20
    assert "Replaced files, 1 with" in ulti("store", "info").out
    ulti("store", "compact")
    assert globbed_hands(store.path) == 10
    assert "Replaced" not in ulti("store", "info").out


def test_compaction_spares_the_batches_of_an_open_run(ulti, tmp_path):
    simulate(ulti, 10, seed=3)
    simulate(ulti, 10, seed=4)
    store = Store(tmp_path / "data" / "store")
    staged = stage_a_batch(store, 15, seed=9)
    assert "15 hands of runs that are not finished" in ulti("store", "info").out
    ulti("store", "compact")
    assert staged.finished_batches() == [(0, 15)]
    assert staged.commit(15) == 15
    assert store.n_hands() == 35


def test_a_reader_from_before_the_compaction_answers_from_the_newest_version(ulti, tmp_path):
    store = tmp_path / "data" / "store"
    for seed in (3, 4):
        simulate(ulti, 10, seed)
    question = "SELECT seed, count(*) AS n, sum(declarer_units) AS units FROM hands GROUP BY 1 ORDER BY 1"
    with open_warehouse(store) as warehouse:
        before = warehouse.sql(question).to_pylist()
        old = {file.name for file in store.glob("*.parquet")}
        ulti("store", "compact")
        assert not old & {file.name for file in store.glob("*.parquet")}
        assert warehouse.sql(question).to_pylist() == before
        assert [row["n"] for row in before] == [10, 10]
