"""Batches of simulated hands to rows of the stored table, column by column, without a Python object a hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch, Run, rows_of
from ulti_stats.game.bids import BID_FORMS, BID_NAMES, COMPONENT_TEXTS, N_COMPONENTS, N_PARTS, PART_TEXTS, TrumpClass
from ulti_stats.game.cards import SUIT_NAMES
from ulti_stats.game.hashing import hash_batch
from ulti_stats.game.history import PASS
from ulti_stats.game.play import MARRIAGE_POINTS, N_TRICKS, TALON_POINTS, TRICK_POINTS, TRICKS, WINNERS
from ulti_stats.store.schema import CALL, CLAIM, LEVEL_BITS, N_PLAYS, OUTCOME_BITS, given_bit, hands_schema

Array = NDArray[Any]


def encode_batch(batch: Batch, n_hands: int, run: Run, *, first: int) -> pa.Table:
    """Return the first `n_hands` of a batch as rows in `hands_schema()`; hand number `first` is its first."""
    batch = rows_of(batch)
    columns = {
        **_identity(batch, n_hands, run, first),
        **_deal(batch, n_hands),
        **_contract(batch, n_hands),
        **_result(batch, n_hands, run),
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
    columns["policies"] = _words(tuple(" / ".join(seating.players) for seating in seatings), numbers, n)
    if fourth := tuple(seating.sitting_out for seating in seatings if seating.sitting_out is not None):
        columns["sitting_out"] = _words(fourth, numbers, n)
    if run.options:
        given |= given_bit("options")
        columns["options"] = _constant(
            json.dumps(dict(run.options), ensure_ascii=False, separators=(",", ":"), sort_keys=True), n
        )
    columns["given"] = _numbers(given, pa.int32())
    return columns


def _masks(masks: Array, null: Array | None = None) -> pa.Array:
    return pa.array(masks.astype(np.uint32), mask=null)


def _deal(batch: Batch, n: int) -> dict[str, pa.Array]:
    masks = batch.masks[:n]
    columns = {f"hand_{seat}": _masks(masks[:, b.HAND + seat]) for seat in (0, 1)}
    dealer = batch.meta[:n, b.DEALER]
    after, five = masks[:, b.LAID_AFTER], masks[:, b.FIVE]
    columns |= {f"five_{seat}": _masks(masks[:, b.FIVE + seat], five == 0) for seat in range(3)}
    return columns | {
        "dealer": _numbers(dealer, pa.int8(), dealer < 0),
        "forehand": _numbers(batch.meta[:n, b.FOREHAND], pa.int8()),
        "talon": _masks(masks[:, b.TALON]),
        "discard": _masks(after, after == 0),
    }


def _contract(batch: Batch, n: int) -> dict[str, pa.Array]:
    meta, masks = batch.meta[:n], batch.masks[:n]
    nobody, pickup = meta[:, b.DECLARER] < 0, masks[:, b.PICKUP]
    calls, last = np.diff(batch.call_start[: n + 1]), batch.call_start[1 : n + 1] - 1
    closed = (batch.calls[last, 1] < 0) & (batch.calls[last, 0] == meta[:, b.DECLARER])
    classes = tuple(str(form.trump_class) for form in BID_FORMS)
    dealt = masks[np.arange(n), b.HAND + (meta[:, b.DECLARER] + 1) % 3]
    return {
        "declarer": _numbers(meta[:, b.DECLARER], pa.int8(), nobody),
        "contract": _words(BID_NAMES, meta[:, b.BID], n),
        "trump": _words(SUIT_NAMES, meta[:, b.TRUMP], n),
        "trump_class": _words(classes, meta[:, b.BID], n),
        "n_calls": _numbers(calls - closed, pa.int16()),
        "n_bids": _numbers(meta[:, b.N_BIDS], pa.int16()),
        "n_pickups": _numbers(meta[:, b.N_PICKUPS], pa.int16()),
        "pickup": _masks(pickup, pickup == 0),
        "laid": _masks(masks[:, b.LAID]),
        "play_declarer": _masks(masks[:, b.AT_PLAY], nobody),
        "exchanged": _masks(masks[:, b.AT_PLAY + 1] ^ dealt, nobody),
    }


def _result(batch: Batch, n: int, run: Run) -> dict[str, pa.Array]:
    meta, facts = batch.meta[:n], batch.facts[:n]
    not_played, nobody = meta[:, b.TERMINATION] != b.PLAYED, meta[:, b.DECLARER] < 0
    played = ~not_played
    units = batch.units[:n].sum(axis=1, dtype=np.int64)
    paid = (units[:, 0] + units[:, 1]) / 2
    declarer_units = batch.payoffs[np.arange(n), np.maximum(meta[:, b.DECLARER], 0)]
    columns: dict[str, pa.Array] = {}
    for seat in range(3):
        expected = np.where(meta[:, b.DECLARER] == seat, declarer_units, -np.floor(paid).astype(np.int64))
        columns[f"payoff_gap_{seat}"] = _numbers(batch.payoffs[:n, seat] - np.where(nobody, 0, expected), pa.int32())
    points = {
        "declarer_points": TRICK_POINTS,
        "defender_points": TRICK_POINTS + 1,
        "declarer_marriage_points": MARRIAGE_POINTS,
        "defender_marriage_points": MARRIAGE_POINTS + 1,
        "talon_points": TALON_POINTS,
    }
    columns |= {name: _numbers(facts[:, place], pa.int16(), not_played) for name, place in points.items()}
    return columns | {
        "declarer_units": _numbers(declarer_units, pa.int32(), nobody),
        "units_per_defender": _numbers(paid, pa.float64(), nobody),
        "kontra_units": _numbers(_kontra_units(batch, n, run), pa.float64(), nobody),
        "n_tricks": _numbers(facts[:, N_TRICKS] * played, pa.int8()),
        "declarer_tricks": _numbers(facts[:, TRICKS] * played, pa.int8()),
        "winners": _numbers(facts[:, WINNERS] * played, pa.int32()),
        "kontra_max": _numbers(batch.levels[:n].max(axis=(1, 2)), pa.int8()),
    }


def _kontra_units(batch: Batch, n: int, run: Run) -> Array:
    """Return what kontras added to the mean that defenders pay."""
    said = batch.kontras[: batch.kontra_start[n]]
    hand = np.repeat(np.arange(n), np.diff(batch.kontra_start[: n + 1]))
    gains = np.where(said[:, 0] == batch.meta[hand, b.DECLARER], said[:, 5], -said[:, 5])
    moved = np.bincount(hand, gains, minlength=n)
    scope = run.rules.kontra_scope
    no_trumps = np.array([form.trump_class == TrumpClass.NONE for form in BID_FORMS])[batch.meta[:n, b.BID]]
    individual = (scope == "individual") | ((scope == "individual_notrump") & no_trumps)
    return moved / (1 + individual)


def _components(batch: Batch, n: int) -> dict[str, pa.Array]:
    """Return outcomes and levels in bits, and the units of each component."""
    outcome, levels = batch.outcome[:n].astype(np.int64), batch.levels[:n].astype(np.int64)
    outcomes, first, second = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    nothing = pa.array(np.zeros(n, np.int32))
    columns: dict[str, pa.Array] = {}
    for component in range(N_COMPONENTS):
        name, out = COMPONENT_TEXTS[component], outcome[:, component] < 0
        columns[f"{name}_units_gap"] = nothing
        if out.all():
            continue
        outcomes |= (outcome[:, component] + 1) << OUTCOME_BITS * component
        units = batch.units[:n, component].astype(np.int32)
        columns[f"{name}_units_1"] = pa.array(units[:, 0], mask=out)
        columns[f"{name}_units_gap"] = pa.array(np.where(out, 0, units[:, 1] - units[:, 0]))
        if component < N_PARTS:
            first |= np.where(out, 0, levels[:, component, 0] + 1) << LEVEL_BITS * component
            second |= np.where(out, 0, levels[:, component, 1] + 1) << LEVEL_BITS * component
    bits = {"outcomes": outcomes, "kontra_levels": first, "kontra_levels_differ": first ^ second}
    return columns | {name: _numbers(values, pa.int32()) for name, values in bits.items()}


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
        _numbers(calls[:, 0] | calls[:, 3] << 2 | calls[:, 4] << 3, pa.int16()),
        _words((*BID_NAMES, PASS), bids, len(bids)),
        _masks(calls[:, 2], calls[:, 2] == 0),
    ]
    return {
        "calls": _lists(call_values, batch.call_start[: n + 1], CALL),
        "kontras": _listed(kontras, batch.kontra_start[: n + 1], _kontra_text),
        "marriages": _listed(marriages, batch.marriage_start[: n + 1], _marriage_text),
        "claimed_outcome": pa.nulls(n, pa.list_(CLAIM)),
    }


def _kontra_text(row: list[int]) -> str:
    seat, part, against, *rest = row
    return ":".join(map(str, (seat, PART_TEXTS[part], "" if against < 0 else against, *rest)))


def _marriage_text(row: list[int]) -> str:
    return ":".join(map(str, row))


def _listed(rows: Array, starts: Array, text: Callable[[list[int]], str]) -> pa.Array:
    """Return the rows of each hand as one text; few rows differ, so each is written once."""
    if not len(rows):
        return _constant("", len(starts) - 1)
    lows = rows.min(axis=0)
    spans = rows.max(axis=0) - lows + 1
    codes = np.zeros(len(rows), np.int64)
    for column in range(rows.shape[1]):
        codes = codes * spans[column] + rows[:, column] - lows[column]
    _, places, numbers = np.unique(codes, return_index=True, return_inverse=True)
    texts = pc.take(pa.array([text(row) for row in rows[places].tolist()]), pa.array(numbers))
    lists = pa.ListArray.from_arrays(pa.array(starts.astype(np.int32)), texts)
    return pc.call_function("binary_join", [lists, pa.scalar(" ")])


def _lists(values: list[pa.Array], starts: Array, struct: pa.StructType) -> pa.Array:
    fields = [struct.field(place) for place in range(struct.num_fields)]
    rows = pa.StructArray.from_arrays(
        [_typed(array, field.type) for array, field in zip(values, fields, strict=True)], fields=fields
    )
    return pa.ListArray.from_arrays(pa.array(starts.astype(np.int32)), rows)
