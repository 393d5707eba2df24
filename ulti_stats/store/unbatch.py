"""Stored rows back to batches of decisions, column by column: what `batches.py` wrote, without a Python object a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch, new_batch
from ulti_stats.game.bids import PART_TEXTS
from ulti_stats.game.cards import FULL_DECK, SUIT_NAMES
from ulti_stats.store.packing import CALL_PASS, unpack
from ulti_stats.store.schema import N_PLAYS, given_bit

Array = NDArray[Any]

# What `decode_batch` reads.
DECISIONS = (
    *("given", "termination", "dealer", "forehand", "hand_0", "hand_1", "talon", "five_0", "five_1", "five_2", "discard"),
    *("trump", "calls", "kontras", *(f"p{ply:02d}" for ply in range(N_PLAYS))),
)
# A batch holds neither sheets, which have no cards, nor marriages as a record declares them, nor hands that were broken off.
_BESIDE = given_bit("marriages") | given_bit("abandoned")
# The same as a condition over stored columns.
FITS_A_BATCH = f"(hand_0 IS NOT NULL AND talon IS NOT NULL AND forehand IS NOT NULL AND given & {_BESIDE} = 0)"


class Decoded(NamedTuple):
    """A batch of decisions, one hand for each row, and which of the rows it holds: the others are hands without cards."""

    batch: Batch
    fits: NDArray[np.bool_]


def decode_batch(rows: pa.Table) -> Decoded:
    """Return the decisions of stored rows as a batch, for `replay_batch`; of the columns those of `DECISIONS` are read.

    Left to `rows.decode` are score sheets, hands with marriages as a record declares them, and hands marked as abandoned.
    """
    rows = rows.select(DECISIONS).combine_chunks()
    n, given = len(rows), _filled(rows, "given", 0, np.int64)
    has_cards = (rows[name].is_valid().to_numpy() for name in ("hand_0", "talon", "forehand"))
    fits = np.logical_and.reduce([given & _BESIDE == 0, *has_cards])
    calls, call_start = _lists(rows, "calls", fits)
    kontras, kontra_start = _kontras(rows, fits)
    batch = new_batch(n, n_calls=len(calls), n_kontras=len(kontras))
    batch.call_start[:], batch.kontra_start[:] = call_start, kontra_start
    batch.kontras[: b.KONTRA_LEVEL] = kontras.T
    _put_calls(batch, calls)
    _put_deal(batch, rows)
    _put_settling(batch, rows, given)
    for ply in range(N_PLAYS):
        batch.plays[ply] = _filled(rows, f"p{ply:02d}", -1, np.int8)
    return Decoded(batch, fits)


def _filled(rows: pa.Table, name: str, missing: int, kind: Any) -> Array:
    """Return a column of numbers, nulls as `missing`."""
    return pc.fill_null(rows[name], missing).to_numpy().astype(kind)


def _words(rows: pa.Table, name: str, words: tuple[str, ...]) -> Array:
    """Return a column of texts as their places among words, -1 where a text is none of them."""
    found = pc.call_function("index_in", [rows[name]], pc.SetLookupOptions(pa.array(words)))
    return pc.fill_null(found, -1).to_numpy()


def _lists(rows: pa.Table, name: str, fits: Array) -> tuple[Array, Array]:
    """Return the values of a column of lists, one behind the other, and where those of each row begin; [n + 1]."""
    lists = _of_one_piece(rows[name])
    lengths = np.where(fits, pc.fill_null(lists.value_lengths(), 0).to_numpy(zero_copy_only=False), 0)
    # Values of rows that do not fit, and of null lists, are left out.
    values = (lists if fits.all() else lists.filter(pa.array(fits))).flatten()
    return values.to_numpy(zero_copy_only=False), np.concatenate([[0], np.cumsum(lengths)])


def _of_one_piece(column: pa.ChunkedArray) -> pa.Array:
    found = column.combine_chunks()
    return pa.concat_arrays(found.chunks) if isinstance(found, pa.ChunkedArray) else found


def _put_calls(batch: Batch, codes: Array) -> None:
    found, calls = unpack(codes.astype(np.int64)), batch.calls
    calls[b.CALL_SEAT], calls[b.CALL_HOLD], calls[b.CALL_ROUND] = found.seat, found.hold, found.turn
    calls[b.CALL_TRUMP], calls[b.CALL_BID] = found.trump, np.where(found.bid == CALL_PASS, -1, found.bid)
    batch.laid[:] = found.laid


def _put_deal(batch: Batch, rows: pa.Table) -> None:
    masks = batch.masks
    for seat in (0, 1):
        masks[b.HAND + seat] = _filled(rows, f"hand_{seat}", 0, np.int64)
    masks[b.TALON] = _filled(rows, "talon", 0, np.int64)
    masks[b.HAND + 2] = FULL_DECK & ~(masks[b.HAND] | masks[b.HAND + 1] | masks[b.TALON])
    for seat in range(3):
        masks[b.FIVE + seat] = _filled(rows, f"five_{seat}", 0, np.int64)
    masks[b.LAID_AFTER] = _filled(rows, "discard", 0, np.int64)
    batch.meta[b.DEALER] = _filled(rows, "dealer", -1, np.int8)
    batch.meta[b.FOREHAND] = _filled(rows, "forehand", 0, np.int8)


def _put_settling(batch: Batch, rows: pa.Table, given: Array) -> None:
    """Put down the trump and the concession that a row states; both columns also hold what was derived."""
    is_named = given & (given_bit("trump") | given_bit("null_trump")) == given_bit("trump")
    batch.meta[b.TRUMP] = np.where(is_named, _words(rows, "trump", SUIT_NAMES), -1)
    is_conceded = given & given_bit("conceded") != 0
    batch.meta[b.TERMINATION] = np.where(is_conceded & (_words(rows, "termination", ("conceded",)) == 0), b.CONCEDED, b.PLAYED)


def _kontras(rows: pa.Table, fits: Array) -> tuple[Array, Array]:
    """Return the kontras [m, 4] without what is derived, and where those of each row begin."""
    texts = pc.fill_null(_of_one_piece(rows["kontras"].cast(pa.string())), "")
    # No text splits into one empty item: rows without kontras are put aside first.
    has_some = fits & (pc.call_function("binary_length", [texts]).to_numpy() > 0)
    lists = pc.call_function("split_pattern", [texts.filter(pa.array(has_some))], pc.SplitPatternOptions(" "))
    lengths = np.zeros(len(rows), np.int64)
    lengths[has_some] = lists.value_lengths().to_numpy(zero_copy_only=False)
    return _read_once(lists.flatten(), _kontra), np.concatenate([[0], np.cumsum(lengths)])


def _read_once(texts: pa.Array, read: Callable[[str], tuple[int, ...]]) -> Array:
    """Return what texts say, four numbers each; few texts differ, so each is read once."""
    found = texts.dictionary_encode()
    known = np.array([read(text) for text in found.dictionary.to_pylist()], np.int8).reshape(-1, 4)
    return known[found.indices.to_numpy(zero_copy_only=False)]


def _kontra(text: str) -> tuple[int, ...]:
    seat, part, against, after_play, *_ = text.split(":")
    return int(seat), PART_TEXTS.index(part), int(against) if against else -1, int(after_play)
