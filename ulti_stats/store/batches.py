"""Batches of simulated hands to rows of the stored table, column by column, without a Python object a hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch, Run, rows_of
from ulti_stats.game.bids import BID_FORMS, BID_NAMES, COMPONENT_TEXTS, N_COMPONENTS, N_PARTS, PART_TEXTS
from ulti_stats.game.cards import SUIT_NAMES
from ulti_stats.game.hashing import hash_batch
from ulti_stats.game.history import PASS
from ulti_stats.game.play import MARRIAGE_POINTS, N_TRICKS, TALON_POINTS, TRICK_POINTS, TRICKS, WINNERS
from ulti_stats.store.schema import CALL, CLAIM, KONTRA, MARRIAGE, N_PLAYS, given_bit, hands_schema

Array = NDArray[Any]


def encode_batch(batch: Batch, n_hands: int, run: Run, *, first: int) -> pa.Table:
    """Return the first `n_hands` of a batch as rows in `hands_schema()`; hand number `first` is its first."""
    batch = rows_of(batch)
    columns = {
        **_identity(batch, n_hands, run, first),
        **_deal(batch, n_hands),
        **_contract(batch, n_hands),
        **_result(batch, n_hands),
        **_components(batch, n_hands),
        **_plays(batch, n_hands),
        **_nested(batch, n_hands),
    }
    schema = hands_schema()
    nothing = {field.name: pa.nulls(n_hands, field.type) for field in schema if field.name not in columns}
    arrays = [_typed((columns | nothing)[field.name], field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _typed(array: pa.Array, kind: pa.DataType) -> pa.Array:
    return array if array.type == kind else array.cast(kind)


def _constant(value: str, n: int) -> pa.Array:
    return pc.take(pa.array([value]), pa.array(np.zeros(n, np.int8)))


def _words(words: tuple[str, ...], codes: Array, n: int) -> pa.Array:
    """Return texts by number; a number below 0 or behind the words is null."""
    codes = codes[:n].astype(np.int64)
    unknown = (codes < 0) | (codes >= len(words))
    return pc.take(pa.array(words), pa.array(codes, mask=unknown))


def _numbers(values: Array, kind: pa.DataType, null: Array | None = None) -> pa.Array:
    return pa.array(np.ascontiguousarray(values), mask=null).cast(kind)


def _identity(batch: Batch, n: int, run: Run, first: int) -> dict[str, pa.Array]:
    seatings = run.seatings
    digests = hash_batch(
        batch,
        n,
        ruleset=run.preset,
        options=dict(run.options) if run.options else None,
        seatings=seatings,
        seed=run.seed,
        first=first,
        version=run.engine,
    )
    buffers = [None, pa.py_buffer(np.ascontiguousarray(digests).tobytes())]
    sources = pa.ListArray.from_arrays(pa.array(np.arange(n + 1, dtype=np.int32)), _constant(run.source, n))
    termination, kontras = batch.meta[:n, b.TERMINATION], np.diff(batch.kontra_start[: n + 1])
    trump = batch.meta[:n, b.TRUMP]
    dealer_key = "forehand" if seatings[0].dealer is None else "dealer"
    given = np.full(n, sum(given_bit(key) for key in ("players", dealer_key, "extra", "source")), np.int64)
    given |= given_bit("trump") * ((trump >= 0) & (trump < 4))
    given |= given_bit("conceded") * (termination == b.CONCEDED)
    given |= given_bit("kontras") * (kontras > 0)
    given |= given_bit("plays") * (termination == b.PLAYED)
    given |= given_bit("discard") * (batch.masks[:n, b.LAID_AFTER] != 0)
    columns = {
        "hand_hash": pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), n, buffers),
        "sources": sources,
        "source": _constant("simulate", n),
        "ruleset": _constant(run.preset, n),
        "ruleset_digest": _constant(run.rules.digest, n),
        "level": _constant("full", n),
        "termination": _words(b.TERMINATIONS, termination, n),
        "seed": pa.array(np.full(n, run.seed, np.int64)),
        "hand_index": pa.array(np.arange(first, first + n, dtype=np.int64)),
        "engine": _constant(run.engine, n),
    }
    numbers = np.arange(first, first + n) % len(seatings)
    for seat in range(3):
        columns[f"player_{seat}"] = _words(tuple(seating.players[seat] for seating in seatings), numbers, n)
    if fourth := tuple(seating.sitting_out for seating in seatings if seating.sitting_out is not None):
        columns["sitting_out"] = _words(fourth, numbers, n)
    if run.options:
        given |= given_bit("options")
        columns["options"] = _constant(
            json.dumps(dict(run.options), ensure_ascii=False, separators=(",", ":"), sort_keys=True), n
        )
    columns["given"] = _numbers(given, pa.int32())
    return columns


def _deal(batch: Batch, n: int) -> dict[str, pa.Array]:
    masks = batch.masks[:n]
    columns = {f"hand_{seat}": _numbers(masks[:, b.HAND + seat], pa.int64()) for seat in range(3)}
    dealer = batch.meta[:n, b.DEALER]
    after, five = masks[:, b.LAID_AFTER], masks[:, b.FIVE]
    columns |= {f"five_{seat}": _numbers(masks[:, b.FIVE + seat], pa.int64(), five == 0) for seat in range(3)}
    return columns | {
        "dealer": _numbers(dealer, pa.int8(), dealer < 0),
        "forehand": _numbers(batch.meta[:n, b.FOREHAND], pa.int8()),
        "talon": _numbers(masks[:, b.TALON], pa.int64()),
        "discard": _numbers(after, pa.int64(), after == 0),
    }


def _contract(batch: Batch, n: int) -> dict[str, pa.Array]:
    meta, masks = batch.meta[:n], batch.masks[:n]
    nobody, pickup = meta[:, b.DECLARER] < 0, masks[:, b.PICKUP]
    calls, last = np.diff(batch.call_start[: n + 1]), batch.call_start[1 : n + 1] - 1
    closed = (batch.calls[last, 1] < 0) & (batch.calls[last, 0] == meta[:, b.DECLARER])
    classes = tuple(str(form.trump_class) for form in BID_FORMS)
    columns = {
        name: _numbers(masks[:, b.AT_PLAY + role], pa.int64(), nobody)
        for role, name in enumerate(("play_declarer", "play_defender_1", "play_defender_2"))
    }
    return columns | {
        "declarer": _numbers(meta[:, b.DECLARER], pa.int8(), nobody),
        "contract": _words(BID_NAMES, meta[:, b.BID], n),
        "trump": _words(SUIT_NAMES, meta[:, b.TRUMP], n),
        "trump_class": _words(classes, meta[:, b.BID], n),
        "n_calls": _numbers(calls - closed, pa.int16()),
        "n_bids": _numbers(meta[:, b.N_BIDS], pa.int16()),
        "n_pickups": _numbers(meta[:, b.N_PICKUPS], pa.int16()),
        "pickup": _numbers(pickup, pa.int64(), pickup == 0),
        "laid": _numbers(masks[:, b.LAID], pa.int64()),
    }


def _result(batch: Batch, n: int) -> dict[str, pa.Array]:
    meta, facts = batch.meta[:n], batch.facts[:n]
    not_played, nobody = meta[:, b.TERMINATION] != b.PLAYED, meta[:, b.DECLARER] < 0
    played = ~not_played
    units = batch.units[:n].sum(axis=1, dtype=np.int64)
    declarer = np.maximum(meta[:, b.DECLARER], 0)
    columns = {f"payoff_{seat}": _numbers(batch.payoffs[:n, seat], pa.int32()) for seat in range(3)}
    points = {
        "declarer_points": TRICK_POINTS,
        "defender_points": TRICK_POINTS + 1,
        "declarer_marriage_points": MARRIAGE_POINTS,
        "defender_marriage_points": MARRIAGE_POINTS + 1,
        "talon_points": TALON_POINTS,
    }
    columns |= {name: _numbers(facts[:, place], pa.int16(), not_played) for name, place in points.items()}
    return columns | {
        "declarer_units": _numbers(batch.payoffs[np.arange(n), declarer], pa.int32(), nobody),
        "units_per_defender": _numbers((units[:, 0] + units[:, 1]) / 2, pa.float64(), nobody),
        "n_tricks": _numbers(facts[:, N_TRICKS] * played, pa.int8()),
        "declarer_tricks": _numbers(facts[:, TRICKS] * played, pa.int8()),
        "winners": _numbers(facts[:, WINNERS] * played, pa.int32()),
        "kontra_max": _numbers(batch.levels[:n].max(axis=(1, 2)), pa.int8()),
    }


def _components(batch: Batch, n: int) -> dict[str, pa.Array]:
    columns: dict[str, pa.Array] = {}
    for component in range(N_COMPONENTS):
        name, outcome = COMPONENT_TEXTS[component], batch.outcome[:n, component]
        out = outcome < 0
        if out.all():
            continue
        columns[f"{name}_made"] = pa.array(outcome == 1, mask=out)
        for d in (0, 1):
            columns[f"{name}_units_{d + 1}"] = _numbers(batch.units[:n, component, d], pa.int32(), out)
            if component < N_PARTS:
                columns[f"{name}_kontra_{d + 1}"] = _numbers(batch.levels[:n, component, d], pa.int8(), out)
    return columns


def _plays(batch: Batch, n: int) -> dict[str, pa.Array]:
    played = batch.meta[:n, b.N_PLAYED]
    plays = np.ascontiguousarray(batch.plays[:n].T)
    return {f"p{ply:02d}": _numbers(plays[ply], pa.int8(), played <= ply) for ply in range(N_PLAYS)}


def _nested(batch: Batch, n: int) -> dict[str, pa.Array]:
    calls = batch.calls[: batch.call_start[n]]
    kontras = batch.kontras[: batch.kontra_start[n]]
    marriages = batch.marriages[: batch.marriage_start[n]]
    bids = np.where(calls[:, 1] < 0, len(BID_NAMES), calls[:, 1])
    call_values = [
        _numbers(calls[:, 0], pa.int8()),
        _words((*BID_NAMES, PASS), bids, len(bids)),
        _numbers(calls[:, 2], pa.int64(), calls[:, 2] == 0),
        pa.nulls(len(calls), pa.int8()),
        pa.array(calls[:, 3] != 0),
        _numbers(calls[:, 4], pa.int8()),
    ]
    kontra_values = [
        _numbers(kontras[:, 0], pa.int8()),
        _words(PART_TEXTS, kontras[:, 1], len(kontras)),
        _numbers(kontras[:, 2], pa.int8(), kontras[:, 2] < 0),
        _numbers(kontras[:, 3], pa.int8()),
        _numbers(kontras[:, 4], pa.int8()),
        _numbers(kontras[:, 5], pa.int32()),
        _numbers(kontras[:, 6], pa.int32()),
    ]
    marriage_values = [_numbers(marriages[:, place], pa.int8()) for place in range(3)]
    return {
        "calls": _lists(call_values, batch.call_start[: n + 1], CALL),
        "kontras": _lists(kontra_values, batch.kontra_start[: n + 1], KONTRA),
        "marriages": _lists(marriage_values, batch.marriage_start[: n + 1], MARRIAGE),
        "claimed_outcome": pa.nulls(n, pa.list_(CLAIM)),
    }


def _lists(values: list[pa.Array], starts: Array, struct: pa.StructType) -> pa.Array:
    fields = [struct.field(place) for place in range(struct.num_fields)]
    rows = pa.StructArray.from_arrays(
        [_typed(array, field.type) for array, field in zip(values, fields, strict=True)], fields=fields
    )
    return pa.ListArray.from_arrays(pa.array(starts.astype(np.int32)), rows)
