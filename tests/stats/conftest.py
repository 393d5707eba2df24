"""Stores of hands counted by hand, made once for all tests of this room."""

from __future__ import annotations

import pytest

from tests.stats.ten_hands import ten_hands, warehouse_of


@pytest.fixture(scope="session")
def ten(tmp_path_factory):
    """A warehouse over the ten hands."""
    return warehouse_of(ten_hands(), tmp_path_factory.mktemp("ten") / "store")


@pytest.fixture
def store_of(tmp_path):
    """A maker of warehouses over rows of one's own."""

    def make(rows):
        return warehouse_of(rows, tmp_path / "store")

    return make
