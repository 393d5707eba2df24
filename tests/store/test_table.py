import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable

from tests.store.hands_by_hand import SHEET, hand, rows, simulated, simulated_rows
from ulti_stats.errors import StoreError
from ulti_stats.store.commits import Change, commit
from ulti_stats.store.files import add_action, new_name, write_hands
from ulti_stats.store.imports import Added, Import
from ulti_stats.store.schema import SCHEMA_VERSION, hands_schema
from ulti_stats.store.table import Store, check_free_space


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create_or_open(tmp_path / "store")


def stored(store: Store) -> list[dict]:
    return [row for path in store.files() for row in pq.read_table(path).to_pylist()]


# --- opening ----------------------------------------------------------------------------------------------------------


def test_a_reader_is_told_what_to_run_where_there_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no store at .*run 'ulti import FILE' or 'ulti simulate'"):
        Store.open(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def test_a_reader_refuses_an_empty_folder_and_a_folder_of_other_things(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="the folder is empty"):
        Store.open(tmp_path)
    (tmp_path / "letter.txt").write_text("dear aunt")
    with pytest.raises(StoreError, match="is not a store"):
        Store.open(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_writer_refuses_a_folder_of_other_things_and_a_file(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear aunt")
    with pytest.raises(StoreError, match="not empty and not a store"):
        Store.create_or_open(tmp_path)
    with pytest.raises(StoreError, match="is a file"):
        Store.create_or_open(tmp_path / "letter.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_another_programs_table_is_refused(tmp_path: Path) -> None:
    DeltaTable.create(tmp_path / "other", hands_schema())
    for open_store in (Store.open, Store.create_or_open):
        with pytest.raises(StoreError, match="table of another program"):
            open_store(tmp_path / "other")


@pytest.mark.parametrize(("step", "said"), [(1, "newer ulti_stats.*update"), (-1, "older ulti_stats.*import and simulate")])
def test_a_store_of_a_newer_or_an_older_program_is_refused(store: Store, step: int, said: str) -> None:
    version = {"ulti_stats.schemaVersion": str(SCHEMA_VERSION + step)}
    DeltaTable(store.path).alter.set_table_properties(version, raise_if_not_exists=False)
    with pytest.raises(StoreError, match=said):
        Store.open(store.path)


def test_a_new_store_explains_itself_and_can_be_opened_empty(store: Store) -> None:
    assert "glob" in (store.path / "README.txt").read_text()
    assert Store.open(store.path).files() == []
    assert (store.n_hands(), store.version()) == (0, 0)


def test_several_writers_may_make_a_store_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: Store.create_or_open(tmp_path / "store"), range(16)))
    assert Store.open(tmp_path / "store").n_hands() == 0


# --- imports ----------------------------------------------------------------------------------------------------------


def test_importing_the_same_file_again_adds_nothing_and_makes_no_version(store: Store) -> None:
    table = rows(hand(), hand(SHEET))
    assert store.add(table) == Added(hands=2)
    assert store.version() == 1
    assert store.add(table) == Added(duplicates=2)
    assert (store.version(), store.n_hands()) == (1, 2)


def test_a_hand_from_two_files_is_one_hand_with_two_sources(store: Store) -> None:
    store.add(rows(hand(id="first", extra={"from": "first"}), hand(SHEET), source="a.jsonl"))
    again = rows(hand(id="second", extra={"from": "second"}), source="b.jsonl")

    assert store.add(again) == Added(duplicates=1, sources_extended=1)
    found = {row["record_id"]: row for row in stored(store)}
    assert found["first"]["sources"] == ["a.jsonl", "b.jsonl"]
    assert found["first"]["extra"] == '{"from":"first"}'
    assert found["sheet"]["sources"] == ["a.jsonl"]
    assert (len(found), store.n_hands()) == (2, 2)

    version = store.version()
    assert store.add(again) == Added(duplicates=1)
    assert store.version() == version


def test_a_hand_that_stands_twice_in_one_import_is_added_once_with_both_sources(store: Store) -> None:
    import pyarrow as pa

    both = pa.concat_tables([rows(hand(), source="a.jsonl"), rows(hand(), hand(SHEET), source="b.jsonl")])
    assert store.add(both) == Added(hands=2, duplicates=1)
    assert [row["sources"] for row in stored(store)] == [["a.jsonl", "b.jsonl"], ["b.jsonl"]]


def test_the_same_decisions_under_other_names_are_kept_and_counted(store: Store) -> None:
    same_file = rows(hand(), hand(players=..., session=...))
    assert store.add(same_file) == Added(hands=2, near_duplicates=1)
    assert store.add(rows(hand(session="saturday", deal_no=1))) == Added(hands=1, near_duplicates=1)


def test_the_same_deal_played_otherwise_is_no_near_duplicate(store: Store) -> None:
    store.add(rows(hand()))
    without_a_kontra = hand(kontras=[], payoffs=..., outcome=..., session="saturday")
    assert store.add(rows(without_a_kontra)) == Added(hands=1)


def test_score_sheets_are_never_near_duplicates(store: Store) -> None:
    assert store.add(rows(hand(SHEET), hand(SHEET, session="saturday"))) == Added(hands=2)


def test_no_hands_make_no_version(store: Store) -> None:
    assert store.add(rows()) == Added()
    assert store.version() == 0


def test_rows_of_other_columns_are_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="trump_class"):
        store.add(rows(hand()).drop_columns(["trump_class"]))
    assert store.version() == 0


def test_texts_may_come_as_dictionaries(store: Store) -> None:
    table = rows(hand())
    place = table.column_names.index("contract")
    store.add(table.set_column(place, "contract", table.column("contract").dictionary_encode()))
    assert stored(store)[0]["contract"] == "forty_hundred+ulti+four_aces"


def test_simultaneous_imports_of_one_file_do_not_double_its_hands(store: Store) -> None:
    table = rows(*(hand(deal_no=number) for number in range(1, 21)))
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: store.add(table), range(4)))
    assert store.n_hands() == 20
    assert sorted(result.hands for result in results) == [0, 0, 0, 20]
    assert len(stored(store)) == len({row["hand_hash"] for row in stored(store)}) == 20


def test_simultaneous_imports_of_different_files_all_arrive(store: Store) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: store.add(rows(hand(deal_no=number))), range(1, 9)))
    assert sorted(row["deal_no"] for row in stored(store)) == list(range(1, 9))


def test_an_import_that_was_overtaken_looks_again(store: Store) -> None:
    late = Import(store.path, rows(hand(), hand(SHEET), source="late.jsonl"))
    plans = []

    def plan(delta: DeltaTable) -> Change | None:
        change = late.plan(delta)
        if not plans:
            store.add(rows(hand(), source="early.jsonl"))
        plans.append(change)
        return change

    commit(store.path, plan)

    assert len(plans) == 2
    assert late.result == Added(hands=1, duplicates=1, sources_extended=1)
    assert {row["record_id"]: row["sources"] for row in stored(store)} == {
        "robbed": ["early.jsonl", "late.jsonl"],
        "sheet": ["late.jsonl"],
    }
    # What the first plan had written is gone.
    assert {path.name for path in store.path.glob("*.parquet")} >= {path.name for path in store.files()}
    assert not any((store.path / action.path).exists() for action in plans[0].added)


# --- columns that came later, compaction, room ------------------------------------------------------------------------


def put_file_without(store: Store, column: str, *hands: tuple) -> None:
    """Commit a file as an older version would have written it, without a column."""
    path = store.path / new_name("import")
    write_hands(path, [rows(*hands)])
    old = path.with_name("import-00000000-old.parquet")
    pq.write_table(pq.read_table(path).drop_columns([column]), old, store_schema=False)
    path.unlink()
    commit(store.path, lambda _: Change((add_action(old),)))


def test_a_file_of_older_columns_gains_a_source_and_reads_null_for_the_new_one(store: Store) -> None:
    put_file_without(store, "kontra_max", hand())
    assert store.add(rows(hand(), source="b.jsonl")) == Added(duplicates=1, sources_extended=1)
    assert [(row["kontra_max"], row["sources"]) for row in stored(store)] == [(None, ["friday.jsonl", "b.jsonl"])]


def test_opening_a_store_of_older_columns_for_writing_adds_them(tmp_path: Path) -> None:
    older = hands_schema().remove(hands_schema().get_field_index("kontra_max"))
    properties = {"ulti_stats.schemaVersion": str(SCHEMA_VERSION)}
    DeltaTable.create(tmp_path / "store", older, configuration=properties, raise_if_key_not_exists=False)
    store = Store.create_or_open(tmp_path / "store")
    store.add(rows(hand()))
    assert "kontra_max" in {field.name for field in DeltaTable(store.path).schema().fields}
    assert stored(store)[0]["kontra_max"] == 3


def test_compaction_keeps_every_hand_in_its_order_and_leaves_one_file(store: Store) -> None:
    for number in (1, 2, 3):
        store.add(rows(hand(deal_no=number)))
    put_file_without(store, "kontra_max", hand(deal_no=4))
    before = [row["deal_no"] for row in stored(store)]

    assert store.compact() == 3
    assert [row["deal_no"] for row in stored(store)] == before == [1, 2, 3, 4]
    assert [path.name for path in store.path.glob("**/*.parquet")] == [path.name for path in store.files()]
    version = store.version()
    assert store.compact() == 0
    assert store.add(rows(hand(deal_no=2))) == Added(duplicates=1)
    assert store.n_hands() == 4
    assert DeltaTable(store.path).version() >= version


def test_compaction_clears_away_what_killed_writers_left_but_not_what_is_being_written(store: Store) -> None:
    store.add(rows(hand()))
    killed, under_way = store.path / new_name("import"), store.path / new_name("import")
    broken = store.path / "_runs" / "some" / "_0-9.hands.1-ab.unfinished"
    broken.parent.mkdir(parents=True)
    for path in (killed, under_way, broken):
        write_hands(path, [rows(hand(deal_no=2))])
    for path in (killed, broken):
        os.utime(path, (0, 0))

    store.compact()

    assert [path.exists() for path in (killed, broken, under_way)] == [False, False, True]
    assert store.n_hands() == 1


def test_tables_of_any_size_become_full_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ulti_stats.store.files.ROW_GROUP", 4)
    pieces = [simulated_rows(0, 3), simulated_rows(3, 3 + 6), simulated_rows(9, 10)]
    assert write_hands(tmp_path / "hands.parquet", pieces) == 10
    metadata = pq.read_metadata(tmp_path / "hands.parquet")
    assert [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)] == [4, 4, 2]
    assert pq.read_table(tmp_path / "hands.parquet").column("hand_index").to_pylist() == list(range(10))


def test_compaction_during_an_import_doubles_nothing(store: Store) -> None:
    for number in (1, 2, 3):
        store.add(rows(hand(deal_no=number), source="a.jsonl"))
    late = Import(store.path, rows(hand(deal_no=1), source="b.jsonl"))
    plans = []

    def plan(delta: DeltaTable) -> Change | None:
        plans.append(late.plan(delta))
        if len(plans) == 1:
            store.compact()
        return plans[-1]

    commit(store.path, plan)
    assert sorted((row["deal_no"], len(row["sources"])) for row in stored(store)) == [(1, 2), (2, 1), (3, 1)]


def test_simulated_hands_and_imports_stay_in_files_of_their_own(store: Store) -> None:
    run = store.staged_run("seed 7")
    run.write_batch(0, 3, [simulated_rows(0, 3)])
    run.commit(3)
    store.add(rows(hand()))
    store.add(rows(simulated(10)))
    store.compact()
    assert sorted(path.name.split("-")[0] for path in store.files()) == ["import", "run"]
    assert store.n_hands() == 5


def test_more_hands_than_the_disk_can_hold_are_refused_with_the_estimate(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"1000000000000 hands need about 75000000000000 bytes"):
        check_free_space(tmp_path / "deep" / "store", n_hands=10**12)
    check_free_space(tmp_path, n_hands=1)
    assert list(tmp_path.iterdir()) == []
