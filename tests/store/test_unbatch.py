"""Rows of the store become the batches again that they were written from, as far as players decide."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.variants import random_rules
from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch
from ulti_stats.game.notation import parse_history
from ulti_stats.game.replay import replay
from ulti_stats.game.rule_table import NO_TRUMP
from ulti_stats.game.rulesets import PRESETS
from ulti_stats.sources.simulate import plan_run, play_run
from ulti_stats.store.batches import encode_batch
from ulti_stats.store.files import conform
from ulti_stats.store.rows import decode, encode
from ulti_stats.store.schema import hands_schema
from ulti_stats.store.table import Store
from ulti_stats.store.unbatch import DECISIONS, FITS_A_BATCH, decode_batch
from ulti_stats.store.warehouse import Warehouse

N_HANDS = 200
DECIDED = {
    "meta": (b.FOREHAND, b.DEALER),
    "masks": (*range(b.HAND, b.LAID), b.LAID_AFTER, *range(b.FIVE, b.N_MASKS)),
    "kontras": range(b.KONTRA_LEVEL),
}


def played(*, seed: int = 4, rules: str, options: Any = None, players: str = "random", n_hands: int = N_HANDS):
    run = plan_run(seed=seed, rules=rules, options=options, players=players)
    ((_, batch, n),) = play_run(run, 0, n_hands)
    return batch, encode_batch(batch, n, run, first=0)


def check(batch: Batch, rows: Any) -> None:
    """Assert that rows hold the decisions of a batch, as they are written by simulation and as a query returns them."""
    n = len(rows)
    calls, kontras = batch.call_start[n], batch.kontra_start[n]
    for table in (rows, rows.cast(hands_schema()).select(DECISIONS)):
        found, fits = decode_batch(table)
        assert fits.all()
        for name, places in DECIDED.items():
            width = kontras if name == "kontras" else n
            for row in places:
                assert np.array_equal(getattr(found, name)[row, :width], getattr(batch, name)[row, :width]), (name, row)
        named = batch.meta[b.TRUMP, :n]
        assert np.array_equal(found.meta[b.TRUMP], np.where(named == NO_TRUMP, -1, named))
        is_conceded = batch.meta[b.TERMINATION, :n] == b.CONCEDED
        assert np.array_equal(found.meta[b.TERMINATION] == b.CONCEDED, is_conceded)
        assert np.array_equal(found.plays, batch.plays[:, :n])
        assert np.array_equal(found.calls, batch.calls[:, :calls])
        assert np.array_equal(found.laid, batch.laid[:calls])
        assert np.array_equal(found.call_start, batch.call_start[: n + 1])
        assert np.array_equal(found.kontra_start, batch.kontra_start[: n + 1])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", ["random", "club,random,club"])
def test_rows_of_a_batch_hold_its_decisions(preset: str, players: str) -> None:
    check(*played(rules=preset, players=players))


@pytest.mark.parametrize("number", range(10))
def test_so_do_rows_under_house_rules(number: int) -> None:
    preset, options, _ = random_rules(random.Random(2000 + number))
    check(*played(rules=preset, options=options, seed=number, n_hands=60))


@pytest.mark.parametrize("options", [{"two_round_auction": True}, {"hold": "forehand"}, {"kontra_scope": "individual"}])
def test_so_do_rows_of_another_auction(options: dict[str, Any]) -> None:
    check(*played(rules="rablo", options=options))


def recorded():
    """Return the recorded hands of all rulesets as rows, sheets and hands that broke off among them."""
    histories = []
    for name in ("rablo", "ladder", "ultimato", "hungarian"):
        lines = Path(f"tests/data/{name}.jsonl").read_text(encoding="utf-8").splitlines()
        histories += [parse_history(line, place=name) for line in lines]
    return encode([(history, replay(history), number.to_bytes(16)) for number, history in enumerate(histories)])


def test_hands_that_no_batch_holds_are_marked_and_take_no_room() -> None:
    rows = recorded()
    histories = decode(rows)
    batch, fits = decode_batch(rows)
    right = [not (h.is_sheet or h.marriages is not None or h.abandoned is not None) for h in histories]
    assert fits.tolist() == right
    assert 0 < fits.sum() < len(histories)
    calls, kontras = np.diff(batch.call_start).tolist(), np.diff(batch.kontra_start).tolist()
    assert calls == [len(h.auction or ()) if fit else 0 for h, fit in zip(histories, right, strict=True)]
    assert kontras == [len(h.kontras or ()) if fit else 0 for h, fit in zip(histories, right, strict=True)]


def test_a_condition_over_columns_chooses_the_same_hands(tmp_path: Path) -> None:
    store = Store.create_or_open(tmp_path / "store")
    store.add(conform(recorded()))
    with Warehouse(store) as warehouse:
        rows = warehouse.rows()
        chosen = warehouse.rows(FITS_A_BATCH)
    assert chosen.column("hand_hash").to_pylist() == rows.filter(decode_batch(rows).fits).column("hand_hash").to_pylist()


def test_no_rows_are_an_empty_batch() -> None:
    batch, fits = decode_batch(hands_schema().empty_table())
    assert (len(fits), batch.call_start.tolist(), batch.kontra_start.tolist()) == (0, [0], [0])
