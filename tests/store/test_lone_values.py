"""Columns of which all hands have one value: the log tells them, or says nothing, but never a wrong one."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.store.hands_by_hand import hand, rows, simulated
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import open_warehouse


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create_or_open(tmp_path / "store")


def told(store: Store) -> dict:
    """What the log tells, held against the hands themselves."""
    with open_warehouse(store.path) as warehouse:
        found = dict(warehouse.lone_values)
        for name, value in found.items():
            assert warehouse.sql(f"SELECT DISTINCT {name} FROM hands").column(0).to_pylist() == [value]
        return found


def test_simulated_hands_of_one_run_have_one_value_of_rules_and_source(store: Store) -> None:
    store.add(rows(simulated(5), simulated(6)))
    found = told(store)
    assert found["is_simulated"] is True
    assert found["ruleset"] == "rablo"
    assert found["session"] is None
    assert {"ruleset_digest", "level", "options", "source"} <= set(found)


def test_a_recorded_hand_beside_them_takes_away_what_it_does_not_share(store: Store) -> None:
    store.add(rows(simulated(5)))
    store.add(rows(hand()))
    assert "is_simulated" not in told(store)


def test_two_files_with_a_value_each_have_none_together(store: Store) -> None:
    store.add(rows(hand()))
    assert told(store)["ruleset"] == "rablo"
    table = rows(hand())
    for name, value in {"hand_hash": bytes(16), "ruleset": "ladder"}.items():
        field = table.schema.field(name)
        table = table.set_column(table.schema.get_field_index(name), field, pa.array([value], field.type))
    store.add(table)
    assert "ruleset" not in told(store)


def test_compaction_tells_the_same(store: Store) -> None:
    store.add(rows(simulated(5)))
    store.add(rows(simulated(6)))
    before = told(store)
    store.compact()
    assert told(store) == before


def test_an_empty_store_tells_nothing(store: Store) -> None:
    assert told(store) == {}


def test_a_file_of_other_columns_or_another_program_is_not_believed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.add(rows(simulated(5)))
    monkeypatch.setattr("ulti_stats.store.commits.has_todays_columns", lambda name: False)
    assert told(store) == {}
