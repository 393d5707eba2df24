import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.hands_by_hand import SHEET, hand, rows, simulated
from ulti_stats.errors import QueryError, StoreError
from ulti_stats.game.cards import parse_cards
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import Warehouse, open_warehouse


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.create_or_open(tmp_path / "store's")
    store.add(rows(hand(), hand(SHEET), simulated(5)))
    return store


def test_a_missing_store_is_said_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store at"):
        open_warehouse(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_store_answers_with_typed_empty_views(tmp_path: Path) -> None:
    with open_warehouse(Store.create_or_open(tmp_path).path) as warehouse:
        for view in ("hands", "components", "calls", "kontras", "tricks", "plays", "talons", "seats"):
            assert warehouse.sql(f"SELECT count(*) FROM {view}").column(0).to_pylist() == [0]
        assert warehouse.sql("SELECT avg(made::INT) FROM components").column(0).to_pylist() == [None]
        assert list(warehouse.histories()) == []


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FROM hands",
        "FROM hands SELECT count(*);",
        "WITH h AS (FROM hands) SELECT count(*) FROM h",
        "-- how many\nSELECT count(*) FROM hands",
    ],
)
def test_statements_that_read_are_answered(store: Store, statement: str) -> None:
    assert open_warehouse(store.path).sql(statement).column(0).to_pylist() == [3]


@pytest.mark.parametrize("statement", ["DESCRIBE hands", "SHOW TABLES", "SUMMARIZE SELECT contract FROM hands", "VALUES (1)"])
def test_so_are_descriptions(store: Store, statement: str) -> None:
    assert len(open_warehouse(store.path).sql(statement)) > 0


def test_every_view_is_listed(store: Store) -> None:
    names = open_warehouse(store.path).sql("SHOW TABLES").column("name").to_pylist()
    played = ["hands", "components", "calls", "kontras", "tricks", "plays", "talons", "seats"]
    assert names == sorted([*played, "makeable", "par", "best", "errors"])


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("CREATE TABLE t AS SELECT 1", "CREATE is not answered"),
        ("DROP VIEW hands", "DROP is not answered"),
        ("COPY hands TO 'hands.csv'", "COPY is not answered"),
        ("ATTACH 'other.db'", "ATTACH is not answered"),
        ("INSTALL httpfs", "LOAD is not answered"),
        ("PRAGMA memory_limit='1GB'", "is not answered"),
        ("SET threads = 1", "SET is not answered"),
        ("EXPLAIN ANALYZE CREATE TABLE t (a INT)", "EXPLAIN is not answered"),
        ("WITH a AS (SELECT 1) INSERT INTO hands FROM a", "INSERT is not answered"),
        ("SELECT 1; DROP VIEW hands", "2 statements"),
        ("", "0 statements"),
        ("SELEC 1", "syntax error"),
        ("SELECT trumps FROM hands", 'Referenced column "trumps" not found'),
        ("SELECT * FROM read_text('/etc/hostname')", "file system operations are disabled"),
        ("SELECT * FROM '/etc/hostname'", "does not exist|disabled"),
        ("SELECT 1 % 0", "Division by zero"),
    ],
)
def test_what_changes_something_or_cannot_be_answered_is_refused_in_one_line(store: Store, statement: str, why: str) -> None:
    with pytest.raises(QueryError, match=why) as refused:
        open_warehouse(store.path).sql(statement)
    assert "\n" not in str(refused.value)


def test_a_python_variable_is_no_table(store: Store) -> None:
    secret = rows(hand())
    with pytest.raises(QueryError, match="secret does not exist"):
        open_warehouse(store.path).sql("SELECT * FROM secret")
    assert len(secret) == 1


def test_values_are_bound(store: Store) -> None:
    warehouse = open_warehouse(store.path)
    answer = warehouse.query("SELECT count(*) AS n FROM hands WHERE player_0 = $name", {"name": "Anna"})
    assert answer.to_pylist() == [{"n": 1}]


def test_histories_come_back_as_they_were_recorded(store: Store) -> None:
    warehouse = open_warehouse(store.path)
    expected = [hand()[0], hand(SHEET)[0], simulated(5)[0]]
    assert list(warehouse.histories()) == expected
    assert list(warehouse.histories("declarer_trumps = 5 AND NOT is_simulated")) == expected[:1]
    assert list(warehouse.histories("seed = $seed", {"seed": 7})) == expected[2:]
    assert len(warehouse.rows("contract = 'ulti'")) == 1


def test_a_table_has_every_column_of_hands_and_lists_in_the_words_of_a_record(store: Store) -> None:
    warehouse = open_warehouse(store.path)
    table = warehouse.table("session = 'friday'")
    (row,) = table.to_pylist()
    assert set(warehouse.sql("SELECT * FROM hands").column_names) < set(table.column_names)
    bid = {"seat": 2, "bid": "forty_hundred+ulti+four_aces", "discard": parse_cards("BK A9")}
    assert row["calls"][2] == bid | {"trump": None, "hold": False, "round": 2}
    assert row["kontras"][3] == {
        "seat": 0, "component": "four_aces", "against": None, "after_play": 1, "level": 3, "step_gain": 16, "decision_gain": 16
    }  # fmt: skip
    assert row["marriages"] == [{"seat": 2, "suit": 1, "play": 0}]
    (sheet,) = warehouse.table("level = 'sheet'").to_pylist()
    assert (sheet["calls"], sheet["kontras"], sheet["marriages"]) == (None, None, None)


@pytest.mark.parametrize("condition", ["trumps > 3", "true; DROP VIEW hands", "contract ="])
def test_a_condition_that_is_none_is_refused_in_one_line(store: Store, condition: str) -> None:
    warehouse = open_warehouse(store.path)
    for ask in (lambda: list(warehouse.histories(condition)), lambda: warehouse.rows(condition)):
        with pytest.raises(QueryError) as refused:
            ask()
        assert "\n" not in str(refused.value)


def test_a_warehouse_speaks_of_its_version_until_it_is_refreshed(store: Store) -> None:
    warehouse = open_warehouse(store.path)
    store.add(rows(hand(session="saturday")))
    assert warehouse.sql("SELECT count(*) FROM hands").column(0).to_pylist() == [3]
    warehouse.refresh()
    assert warehouse.sql("SELECT count(*) FROM hands").column(0).to_pylist() == [4]


def test_a_reader_whose_files_were_cleared_away_reads_the_newest_version(store: Store) -> None:
    warehouse = open_warehouse(store.path)
    store.add(rows(hand(session="saturday")))
    store.compact()
    assert warehouse.sql("SELECT count(DISTINCT session) FROM hands").column(0).to_pylist() == [2]


def test_files_that_stay_away_are_an_error_in_one_line(store: Store) -> None:
    warehouse = open_warehouse(store.path)
    for path in store.files():
        path.unlink()
    with pytest.raises(QueryError, match="files of the store") as refused:
        warehouse.sql("SELECT contract FROM hands")
    assert "\n" not in str(refused.value)


def test_files_of_older_and_newer_columns_are_read_together(store: Store) -> None:
    import pyarrow.parquet as pq

    from ulti_stats.store.commits import Change, commit
    from ulti_stats.store.files import add_action

    old = store.path / "import-00000000-old.parquet"
    pq.write_table(rows(hand(session="long ago")).drop_columns(["kontra_max", "trump"]), old, store_schema=False)
    commit(store.path, lambda _: Change((add_action(old),)))

    found = open_warehouse(store.path).sql("SELECT session, kontra_max, declarer_trumps FROM hands WHERE NOT is_simulated")
    assert {row["session"]: (row["kontra_max"], row["declarer_trumps"]) for row in found.to_pylist()} == {
        "friday": (3, 5),
        None: (1, None),
        "long ago": (None, None),
    }
    only_old = Store.create_or_open(store.path.parent / "old")
    old.rename(only_old.path / old.name)
    commit(only_old.path, lambda _: Change((add_action(only_old.path / old.name),)))
    assert open_warehouse(only_old.path).sql("SELECT kontra_max FROM hands").column(0).to_pylist() == [None]


def test_times_are_in_utc_wherever_the_machine_is(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    found = open_warehouse(store.path).sql("SELECT played_at_utc FROM hands WHERE session = 'friday'").to_pylist()
    assert found[0]["played_at_utc"].isoformat() == "2026-10-19T20:53:00"


def test_asking_a_store_does_not_import_pandas(store: Store) -> None:
    program = f"""
import sys
from ulti_stats.store.warehouse import open_warehouse
open_warehouse({str(store.path)!r}).sql("SELECT count(*) FROM hands")
print("pandas" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_warehouse_without_a_store_has_the_views() -> None:
    with Warehouse(None) as warehouse:
        assert warehouse.connection.execute("SELECT count(*) FROM talons").fetchone() == (0,)
