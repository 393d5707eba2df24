"""Batches of simulated hands to rows of the stored table, column by column, without a Python object a hand.

Texts are written as numbers of words (Arrow dictionaries), so no text is built for each hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch, Run
from ulti_stats.game.bids import BID_FORMS, BID_IDS, BID_NAMES, COMPONENT_TEXTS, N_COMPONENTS, N_PARTS, PART_TEXTS, TrumpClass
from ulti_stats.game.cards import SUIT_NAMES
from ulti_stats.game.hashing import hash_batch
from ulti_stats.game.jit import highest, inlined, lean, lowest
from ulti_stats.game.play import MARRIAGE_POINTS, N_TRICKS, TALON_POINTS, TRICK_POINTS, TRICKS, WINNERS
from ulti_stats.store.packing import CALL_PASS, pack
from ulti_stats.store.schema import CLAIM, LEVEL_BITS, N_PLAYS, OUTCOME_BITS, coded, coded_schema, given_bit

Array = NDArray[Any]
_CLASSES = tuple(dict.fromkeys(str(form.trump_class) for form in BID_FORMS))
_CLASS_OF_BID = np.array([_CLASSES.index(str(form.trump_class)) for form in BID_FORMS], np.int8)
_WITHOUT_TRUMPS = np.array([form.trump_class == TrumpClass.NONE for form in BID_FORMS])


def encode_batch(batch: Batch, n_hands: int, run: Run, *, first: int) -> pa.Table:
    """Return the first `n_hands` of a batch as rows in a `coded_schema()`; hand number `first` is its first.

    The rows use the memory of the batch.
    """
    columns = {
        **_identity(batch, n_hands, run, first),
        **_deal(batch, n_hands),
        **_contract(batch, n_hands),
        **_result(batch, n_hands, run),
        **_components(batch, n_hands),
        **_plays(batch, n_hands),
        **_nested(batch, n_hands),
    }
    schema = coded_schema(is_given=run.contract is not None, is_whole=_lasts_ten_tricks(run))
    arrays = [columns[field.name] if field.name in columns else _nulls(n_hands, field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _lasts_ten_tricks(run: Run) -> bool:
    """Return whether no hand of a given contract stops before its last trick."""
    return run.contract is not None and not (run.rules.stop_early and _WITHOUT_TRUMPS[BID_IDS[run.contract]])


@lru_cache(maxsize=64)
def _nulls(n: int, kind: pa.DataType) -> pa.Array:
    return pa.nulls(n, kind)


class _Nulls:
    """Where a column is null: made once and shared by the columns that are null in the same hands."""

    def __init__(self, null: Array) -> None:
        self.count = int(np.count_nonzero(null))
        self.bits = pa.py_buffer(np.packbits(~null, bitorder="little")) if self.count else None


_NEVER = _Nulls(np.zeros(0, np.bool_))


def _numbers(values: Array, kind: pa.DataType, null: _Nulls = _NEVER) -> pa.Array:
    """Return numbers as a column, with no copy where they are of the column's type and lie one behind the other."""
    values = np.ascontiguousarray(values, kind.to_pandas_dtype())
    return pa.Array.from_buffers(kind, len(values), [null.bits, pa.py_buffer(values)], null.count)


def _truths(values: Array, null: _Nulls = _NEVER) -> pa.Array:
    packed = pa.py_buffer(np.packbits(values, bitorder="little"))
    return pa.Array.from_buffers(pa.bool_(), len(values), [null.bits, packed], null.count)


def _words(words: tuple[str, ...], codes: Array, null: _Nulls = _NEVER) -> pa.Array:
    """Return texts by number; the number of a null is of no account."""
    return pa.DictionaryArray.from_arrays(_numbers(codes, pa.int8(), null), _dictionary(words), safe=False)


def _known_words(words: tuple[str, ...], codes: Array) -> pa.Array:
    """Return texts by number; a number below 0 or behind the words is null."""
    return _words(words, codes, _Nulls((codes < 0) | (codes >= len(words))))


def _texts(words: Sequence[str]) -> pa.Array:
    """Return texts as a column. `pa.array` does the same but loads pandas, a quarter of a second, to look what it was given."""
    encoded = [word.encode() for word in words]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.Array.from_buffers(pa.string(), len(encoded), [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))])


@lru_cache(maxsize=64)
def _dictionary(words: tuple[str, ...]) -> pa.Array:
    return _texts(words)


def _constant(value: str, n: int) -> pa.Array:
    return _words((value,), np.zeros(n, np.int8))


def _by_seating(words: list[str], numbers: Array) -> pa.Array:
    """Return the word of each hand's seating; the same word has the same number."""
    kinds = tuple(dict.fromkeys(words))
    if len(kinds) == 1:
        return _constant(kinds[0], len(numbers))
    return _words(kinds, np.array([kinds.index(word) for word in words], np.int8)[numbers])


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
    termination, kontras = batch.meta[b.TERMINATION, :n], np.diff(batch.kontra_start[: n + 1])
    trump = batch.meta[b.TRUMP, :n]
    dealer_key = "forehand" if seatings[0].dealer is None else "dealer"
    given = np.full(n, sum(given_bit(key) for key in ("players", dealer_key, "extra", "source")), np.int32)
    given |= np.int32(given_bit("trump")) * ((trump >= 0) & (trump < 4))
    given |= np.int32(given_bit("conceded")) * (termination == b.CONCEDED)
    given |= np.int32(given_bit("kontras")) * (kontras > 0)
    given |= np.int32(given_bit("plays")) * (termination == b.PLAYED)
    given |= np.int32(given_bit("discard")) * (batch.masks[b.LAID_AFTER, :n] != 0)
    columns = {
        "hand_hash": pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), n, [None, pa.py_buffer(digests)]),
        "sources": pa.ListArray.from_arrays(_numbers(np.arange(n + 1), pa.int32()), _constant(run.source, n)),
        "source": _constant("simulate", n),
        "ruleset": _constant(run.preset, n),
        "ruleset_digest": _constant(run.rules.digest, n),
        "level": _constant("full", n),
        "termination": _words(b.TERMINATIONS, termination),
        "seed": _numbers(np.full(n, run.seed), pa.int64()),
        "hand_index": _numbers(np.arange(first, first + n), pa.int64()),
        "engine": _constant(run.engine, n),
    }
    numbers = np.arange(first, first + n) % len(seatings)
    for seat in range(3):
        columns[f"player_{seat}"] = _by_seating([seating.players[seat] for seating in seatings], numbers)
    columns["policies"] = _by_seating([" / ".join(seating.players) for seating in seatings], numbers)
    if fourth := [seating.sitting_out for seating in seatings if seating.sitting_out is not None]:
        columns["sitting_out"] = _by_seating(fourth, numbers)
    if run.options:
        given |= given_bit("options")
        options = json.dumps(dict(run.options), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        columns["options"] = _constant(options, n)
    columns["given"] = _numbers(given, pa.int32())
    return columns


def _masks(masks: Array, null: _Nulls = _NEVER) -> pa.Array:
    return _numbers(masks, pa.uint32(), null)


def _known_masks(masks: Array) -> pa.Array:
    """Return card sets that are null where they are empty."""
    return _masks(masks, _Nulls(masks == 0))


def _deal(batch: Batch, n: int) -> dict[str, pa.Array]:
    masks, dealer = batch.masks[:, :n], batch.meta[b.DEALER, :n]
    columns = {f"hand_{seat}": _masks(masks[b.HAND + seat]) for seat in (0, 1)}
    if masks[b.FIVE].any():
        columns |= {f"five_{seat}": _masks(masks[b.FIVE + seat]) for seat in range(3)}
    if masks[b.LAID_AFTER].any():
        columns["discard"] = _known_masks(masks[b.LAID_AFTER])
    return columns | {
        "dealer": _numbers(dealer, pa.int8(), _Nulls(dealer < 0)),
        "forehand": _numbers(batch.meta[b.FOREHAND, :n], pa.int8()),
        "talon": _masks(masks[b.TALON]),
    }


def _contract(batch: Batch, n: int) -> dict[str, pa.Array]:
    meta, masks = batch.meta[:, :n], batch.masks[:, :n]
    nobody = _Nulls(meta[b.DECLARER] < 0)
    calls, last = np.diff(batch.call_start[: n + 1]), batch.call_start[1 : n + 1] - 1
    closed = (batch.calls[b.CALL_BID, last] < 0) & (batch.calls[b.CALL_SEAT, last] == meta[b.DECLARER])
    dealt = _of_seat((meta[b.DECLARER] + 1) % 3, masks[b.HAND : b.HAND + 3])
    return {
        "declarer": _numbers(meta[b.DECLARER], pa.int8(), nobody),
        "contract": _words(BID_NAMES, meta[b.BID], nobody),
        "trump": _known_words(SUIT_NAMES, meta[b.TRUMP]),
        "trump_class": _words(_CLASSES, _CLASS_OF_BID[meta[b.BID]], nobody),
        "n_calls": _numbers(calls - closed, pa.int16()),
        "n_bids": _numbers(meta[b.N_BIDS], pa.int16()),
        "n_pickups": _numbers(meta[b.N_PICKUPS], pa.int16()),
        "pickup": _known_masks(masks[b.PICKUP]),
        "laid": _masks(masks[b.LAID]),
        "play_declarer": _masks(masks[b.AT_PLAY], nobody),
        "exchanged": _masks(masks[b.AT_PLAY + 1] ^ dealt, nobody),
    }


def _of_seat(seats: Array, rows: Array) -> Array:
    """Return the value of a seat in each hand, that of seat 0 where it is nobody. (`np.choose` takes four times as long.)"""
    return np.where(seats == 2, rows[2], np.where(seats == 1, rows[1], rows[0]))


def _result(batch: Batch, n: int, run: Run) -> dict[str, pa.Array]:
    meta, facts, payoffs = batch.meta[:, :n], batch.facts[:, :n], batch.payoffs[:, :n]
    declarer = meta[b.DECLARER]
    is_nobody = declarer < 0
    not_played, nobody = _Nulls(meta[b.TERMINATION] != b.PLAYED), _Nulls(is_nobody)
    paid = batch.units[:, :, :n].sum(axis=(0, 1), dtype=np.int32) / 2
    declarer_units = _of_seat(declarer, payoffs)
    each = -np.floor(paid).astype(np.int32)
    columns: dict[str, pa.Array] = {}
    for seat in range(3):
        expected = np.where(is_nobody, 0, np.where(declarer == seat, declarer_units, each))
        columns[f"payoff_gap_{seat}"] = _numbers(payoffs[seat] - expected, pa.int32())
    points = {
        "declarer_points": TRICK_POINTS,
        "defender_points": TRICK_POINTS + 1,
        "declarer_marriage_points": MARRIAGE_POINTS,
        "defender_marriage_points": MARRIAGE_POINTS + 1,
        "talon_points": TALON_POINTS,
    }
    columns |= {name: _numbers(facts[place], pa.int16(), not_played) for name, place in points.items()}
    return columns | {
        "declarer_units": _numbers(declarer_units, pa.int32(), nobody),
        "units_per_defender": _numbers(paid, pa.float64(), nobody),
        "kontra_units": _numbers(_kontra_units(batch, n, run), pa.float64(), nobody),
        "n_tricks": _numbers(facts[N_TRICKS], pa.int8()),
        "declarer_tricks": _numbers(facts[TRICKS], pa.int8()),
        "winners": _numbers(facts[WINNERS], pa.int32()),
        "kontra_max": _numbers(batch.levels[:, :, :n].max(axis=(0, 1)), pa.int8()),
    }


def _kontra_units(batch: Batch, n: int, run: Run) -> Array:
    """Return what kontras added to the mean that defenders pay."""
    n_kontras = batch.kontra_start[n]
    if n_kontras == 0:
        return np.zeros(n)
    hand = np.repeat(np.arange(n), np.diff(batch.kontra_start[: n + 1]))
    gains, sayer = batch.gains[b.STEP_GAIN, :n_kontras], batch.kontras[b.KONTRA_SEAT, :n_kontras]
    moved = np.bincount(hand, np.where(sayer == batch.meta[b.DECLARER, hand], gains, -gains), minlength=n)
    scope = run.rules.kontra_scope
    individual = (scope == "individual") | ((scope == "individual_notrump") & _WITHOUT_TRUMPS[batch.meta[b.BID, :n]])
    return moved / (1 + individual)


def _components(batch: Batch, n: int) -> dict[str, pa.Array]:
    """Return outcomes and levels in bits, and the units of each component."""
    outcomes, first, second = np.zeros((3, n), np.int32)
    columns: dict[str, pa.Array] = {}
    for component in range(N_COMPONENTS):
        outcome = batch.outcome[component, :n]
        is_out = outcome < 0
        out = _Nulls(is_out)
        if out.count == n:
            continue
        outcomes |= (outcome + np.int32(1)) << OUTCOME_BITS * component
        columns[f"{COMPONENT_TEXTS[component]}_units_1"] = _numbers(batch.units[component, 0, :n], pa.int32(), out)
        if component < N_PARTS:
            levels = np.where(is_out, np.int32(0), batch.levels[component, :, :n] + np.int32(1))
            first |= levels[0] << LEVEL_BITS * component
            second |= levels[1] << LEVEL_BITS * component
    bits = {"outcomes": outcomes, "kontra_levels": first, "kontra_levels_differ": first ^ second}
    return columns | {name: _numbers(values, pa.int32()) for name, values in bits.items()} | _units_gaps(batch.units[:, :, :n])


def _units_gaps(units: Array) -> dict[str, pa.Array]:
    """Return what the second defender pays beyond the first in each component, of the hands in which he does."""
    differ = (units[:, 1] != units[:, 0]).any(axis=0)
    if not differ.any():
        return {}
    starts = np.cumsum([0, *differ], dtype=np.int32) * np.int32(len(units))
    gaps = _numbers((units[:, 1, differ] - units[:, 0, differ]).T.ravel(), pa.int32())
    null = _Nulls(~differ)
    buffers = [null.bits, pa.py_buffer(starts)]
    return {"units_gaps": pa.Array.from_buffers(pa.list_(pa.int32()), len(differ), buffers, null.count, children=[gaps])}


def _plays(batch: Batch, n: int) -> dict[str, pa.Array]:
    plays = batch.plays[:, :n]
    columns, nulls = {}, _NEVER
    for ply in range(N_PLAYS):
        if ply % 3 == 0:  # play stops between tricks only
            nulls = _Nulls(plays[ply] < 0)
        columns[f"p{ply:02d}"] = _numbers(plays[ply], pa.int8(), nulls)
    return columns


def _nested(batch: Batch, n: int) -> dict[str, pa.Array]:
    n_calls, n_kontras, n_marriages = batch.call_start[n], batch.kontra_start[n], batch.marriage_start[n]
    codes = np.empty(n_calls, np.int32)
    _pack_calls(batch.calls, batch.laid, codes)
    kontras = np.concatenate([batch.kontras[:, :n_kontras], batch.gains[:, :n_kontras]])
    return {
        "calls": pa.ListArray.from_arrays(_numbers(batch.call_start[: n + 1], pa.int32()), _numbers(codes, pa.int32())),
        "kontras": _listed(kontras, batch.kontra_start[: n + 1], _kontra_text),
        "marriages": _listed(batch.marriages[:, :n_marriages], batch.marriage_start[: n + 1], _marriage_text),
        "claimed_outcome": _nulls(n, pa.list_(coded(CLAIM))),
    }


_pack = inlined(pack)


@lean
def _pack_calls(calls: Array, laid: Array, codes: Array) -> None:
    """Fill in the number of each call. (Column by column in NumPy took a twentieth of a hand's time.)"""
    for row in range(len(codes)):
        seat, hold, turn = (
            np.int64(calls[b.CALL_SEAT, row]),
            np.int64(calls[b.CALL_HOLD, row]),
            np.int64(calls[b.CALL_ROUND, row]),
        )
        trump, bid, low, high = np.int64(calls[b.CALL_TRUMP, row]), np.int64(calls[b.CALL_BID, row]), 0, 0
        if laid[row] != 0:
            low, high = lowest(laid[row]), highest(laid[row])
        codes[row] = _pack(seat, hold, turn, trump, CALL_PASS if bid < 0 else bid, low, high)


def _kontra_text(row: list[int]) -> str:
    seat, part, against, *rest = row
    return ":".join(map(str, (seat, PART_TEXTS[part], "" if against < 0 else against, *rest)))


def _marriage_text(row: list[int]) -> str:
    return ":".join(map(str, row))


def _listed(rows: Array, starts: Array, text: Callable[[list[int]], str]) -> pa.Array:
    """Return the rows [columns, n] of each hand as one text; few rows differ, so each is written once."""
    texts = _texts(())
    if n_rows := rows.shape[1]:
        codes = np.zeros(n_rows, np.int64)
        for column in rows:
            low = int(column.min())
            codes *= int(column.max()) - low + 1
            codes += column
            codes -= low
        coded = _numbers(codes, pa.int64()).dictionary_encode()
        places = np.empty(len(coded.dictionary), np.int64)
        places[np.frombuffer(coded.indices.buffers()[1], np.int32, n_rows)] = np.arange(n_rows)
        texts = pc.take(_texts([text(row) for row in rows[:, places].T.tolist()]), coded.indices)
    return pc.call_function("binary_join", [pa.ListArray.from_arrays(_numbers(starts, pa.int32()), texts), _texts((" ",))[0]])
