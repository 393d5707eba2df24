"""The identity of simulated hands in compiled code: the canonical text of `identity.py`, byte for byte, and BLAKE2b."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch, Seating
from ulti_stats.game.bids import BID_NAMES, PART_TEXTS
from ulti_stats.game.identity import CARD_CODES, HASH_BYTES
from ulti_stats.game.jit import inlined, kernel

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]

_BLOCK = 128
# Longest canonical text: the head, some 200 calls, 64 kontras.
_MOST_BYTES = 16_384


def _texts(words: tuple[str, ...]) -> tuple[Bytes, NDArray[np.int64]]:
    encoded = [word.encode() for word in words]
    table = np.zeros((len(words), max(map(len, encoded))), np.uint8)
    for row, word in enumerate(encoded):
        table[row, : len(word)] = np.frombuffer(word, np.uint8)
    return table, np.array([len(word) for word in encoded], np.int64)


_BIDS, _BID_LENGTHS = _texts(tuple(f'"{name}"' for name in (*BID_NAMES, "pass")))
_PARTS, _PART_LENGTHS = _texts(tuple(f'"{name}"' for name in PART_TEXTS))
_CODES = np.frombuffer(CARD_CODES.encode(), np.uint8)
_PASS = len(BID_NAMES)
_COMMA, _OPEN, _CLOSE, _QUOTE, _ZERO = (ord(letter) for letter in ',[]"0')

_IV = np.array(
    [
        0x6A09E667F3BCC908,
        0xBB67AE8584CAA73B,
        0x3C6EF372FE94F82B,
        0xA54FF53A5F1D36F1,
        0x510E527FADE682D1,
        0x9B05688C2B3E6C1F,
        0x1F83D9ABFB41BD6B,
        0x5BE0CD19137E2179,
    ],
    np.uint64,
)
_SIGMA = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ],
    np.int64,
)
# Which four of the sixteen words each of the eight mixings of a round takes: four columns, then four diagonals.
_LANES = np.array(
    [
        [0, 4, 8, 12],
        [1, 5, 9, 13],
        [2, 6, 10, 14],
        [3, 7, 11, 15],
        [0, 5, 10, 15],
        [1, 6, 11, 12],
        [2, 7, 8, 13],
        [3, 4, 9, 14],
    ],
    np.int64,
)
# Digest length 16, no key, fan-out and depth 1 (RFC 7693, section 2.5).
_PARAMETERS = np.uint64(0x01010000 ^ HASH_BYTES)
_R32, _R24, _R16, _R63, _R1, _R40, _R48 = (np.uint64(bits) for bits in (32, 24, 16, 63, 1, 40, 48))
_U8 = np.uint64(8)


@inlined
def _mixing(v: Words, a: int, b: int, c: int, d: int, x: np.uint64, y: np.uint64) -> None:
    v[a] = v[a] + v[b] + x
    word = v[d] ^ v[a]
    v[d] = (word >> _R32) | (word << _R32)
    v[c] = v[c] + v[d]
    word = v[b] ^ v[c]
    v[b] = (word >> _R24) | (word << _R40)
    v[a] = v[a] + v[b] + y
    word = v[d] ^ v[a]
    v[d] = (word >> _R16) | (word << _R48)
    v[c] = v[c] + v[d]
    word = v[b] ^ v[c]
    v[b] = (word >> _R63) | (word << _R1)


@kernel
def blake2b(text: Bytes, n_bytes: int, words: Words, digest: Bytes) -> None:
    """Fill in `digest` [16] with BLAKE2b of the first `n_bytes` of a text; `words` [40] is working space."""
    state, v, message = words[:8], words[8:24], words[24:40]
    for place in range(8):
        state[place] = _IV[place]
    state[0] ^= _PARAMETERS
    n_blocks = max(1, (n_bytes + _BLOCK - 1) // _BLOCK)
    for block in range(n_blocks):
        start = block * _BLOCK
        for place in range(16):
            word = np.uint64(0)
            for byte in range(7, -1, -1):
                at = start + 8 * place + byte
                word = (word << _U8) | (np.uint64(text[at]) if at < n_bytes else np.uint64(0))
            message[place] = word
        for place in range(8):
            v[place] = state[place]
            v[8 + place] = _IV[place]
        v[12] ^= np.uint64(min(start + _BLOCK, n_bytes))
        if block == n_blocks - 1:
            v[14] = ~v[14]
        for turn in range(12):
            for lane in range(8):
                x, y = message[_SIGMA[turn, 2 * lane]], message[_SIGMA[turn, 2 * lane + 1]]
                _mixing(v, _LANES[lane, 0], _LANES[lane, 1], _LANES[lane, 2], _LANES[lane, 3], x, y)
        for place in range(8):
            state[place] ^= v[place] ^ v[8 + place]
    for byte in range(HASH_BYTES):
        digest[byte] = np.uint8((state[byte // 8] >> np.uint64(8 * (byte % 8))) & np.uint64(255))


@inlined
def _put_bytes(text: Bytes, at: int, words: Bytes, n: int) -> int:
    for place in range(n):
        text[at + place] = words[place]
    return at + n


@inlined
def _put(text: Bytes, at: int, letter: int) -> int:
    text[at] = letter
    return at + 1


@inlined
def _put_null(text: Bytes, at: int) -> int:
    text[at] = 110
    text[at + 1] = 117
    text[at + 2] = 108
    text[at + 3] = 108
    return at + 4


@kernel
def _put_number(text: Bytes, at: int, number: int) -> int:
    digits = 1
    rest = number
    while rest >= 10:
        rest //= 10
        digits += 1
    for place in range(digits - 1, -1, -1):
        text[at + place] = _ZERO + number % 10
        number //= 10
    return at + digits


@inlined
def _put_number_or_null(text: Bytes, at: int, number: int, is_null: bool) -> int:
    return _put_null(text, at) if is_null else _put_number(text, at, number)


@kernel
def _write_calls(text: Bytes, at: int, batch: Batch, n: int) -> int:
    at = _put(text, at, _OPEN)
    first, last = batch.call_start[n], batch.call_start[n + 1]
    holder = -1
    for row in range(first, last):
        seat, bid, laid, hold, turn = batch.calls[row]
        # A holder's own last pass is no part of the identity.
        if bid < 0 and seat == holder and (row + 1 == last or batch.calls[row + 1, 4] != turn):
            continue
        if bid >= 0:
            holder = seat
        at = _put(text, at, _OPEN) if row == first else _put(text, _put(text, at, _COMMA), _OPEN)
        at = _put(text, _put_number(text, at, seat), _COMMA)
        word = bid if bid >= 0 else _PASS
        at = _put(text, _put_bytes(text, at, _BIDS[word], _BID_LENGTHS[word]), _COMMA)
        at = _put(text, _put_number_or_null(text, at, laid, laid == 0), _COMMA)
        at = _put(text, _put_null(text, at), _COMMA)
        at = _put(text, _put_number(text, at, hold), _COMMA)
        at = _put(text, _put_number(text, at, turn), _CLOSE)
    return _put(text, at, _CLOSE)


@kernel
def _write_kontras(text: Bytes, at: int, batch: Batch, n: int) -> int:
    at = _put(text, at, _OPEN)
    for row in range(batch.kontra_start[n], batch.kontra_start[n + 1]):
        kontra = batch.kontras[row]
        at = _put(text, at, _OPEN) if row == batch.kontra_start[n] else _put(text, _put(text, at, _COMMA), _OPEN)
        at = _put(text, _put_number(text, at, kontra[0]), _COMMA)
        at = _put(text, _put_bytes(text, at, _PARTS[kontra[1]], _PART_LENGTHS[kontra[1]]), _COMMA)
        at = _put(text, _put_number_or_null(text, at, kontra[2], kontra[2] < 0), _COMMA)
        at = _put(text, _put_number(text, at, kontra[3]), _CLOSE)
    return _put(text, at, _CLOSE)


@kernel
def _write_marriages(text: Bytes, at: int, batch: Batch, n: int) -> int:
    at = _put(text, at, _OPEN)
    for row in range(batch.marriage_start[n], batch.marriage_start[n + 1]):
        at = _put(text, at, _OPEN) if row == batch.marriage_start[n] else _put(text, _put(text, at, _COMMA), _OPEN)
        at = _put(text, _put_number(text, at, batch.marriages[row, 0]), _COMMA)
        at = _put(text, _put_number(text, at, batch.marriages[row, 1]), _COMMA)
        at = _put(text, _put_number(text, at, batch.marriages[row, 2]), _CLOSE)
    return _put(text, at, _CLOSE)


@kernel
def _write_hand(text: Bytes, at: int, batch: Batch, n: int) -> int:
    meta, masks = batch.meta[n], batch.masks[n]
    at = _put(text, _put_number(text, at, np.int64(meta[b.FOREHAND])), _COMMA)
    at = _put(text, at, _OPEN)
    at = _put(text, _put_number(text, at, masks[b.HAND]), _COMMA)
    at = _put(text, _put_number(text, at, masks[b.HAND + 1]), _COMMA)
    at = _put(text, _put_number(text, at, masks[b.HAND + 2]), _CLOSE)
    at = _put(text, at, _COMMA)
    if masks[b.FIVE] == 0:
        at = _put(text, _put_null(text, at), _COMMA)
    else:
        at = _put(text, at, _OPEN)
        at = _put(text, _put_number(text, at, masks[b.FIVE]), _COMMA)
        at = _put(text, _put_number(text, at, masks[b.FIVE + 1]), _COMMA)
        at = _put(text, _put(text, _put_number(text, at, masks[b.FIVE + 2]), _CLOSE), _COMMA)
    at = _put(text, _put_number(text, at, masks[b.TALON]), _COMMA)
    at = _put(text, _write_calls(text, at, batch, n), _COMMA)
    at = _put(text, _put_number_or_null(text, at, masks[b.LAID_AFTER], masks[b.LAID_AFTER] == 0), _COMMA)
    trump = np.int64(meta[b.TRUMP])
    at = _put(text, _put_number_or_null(text, at, trump, trump < 0 or trump > 3), _COMMA)
    at = _put(text, _put_number(text, at, np.int64(meta[b.TERMINATION] == b.CONCEDED)), _COMMA)
    at = _put(text, _put(text, at, _ZERO), _COMMA)
    at = _put(text, _write_kontras(text, at, batch, n), _COMMA)
    at = _put(text, _write_marriages(text, at, batch, n), _COMMA)
    at = _put(text, at, _QUOTE)
    for ply in range(meta[b.N_PLAYED]):
        at = _put(text, at, _CODES[batch.plays[n, ply]])
    return _put(text, _put(text, at, _QUOTE), _CLOSE)


@kernel
def _hash_hands(
    heads: Bytes, lengths: NDArray[np.int64], tail: Bytes, first: int, n_hands: int, batch: Batch, digests: Bytes
) -> None:
    text, words = np.empty(_MOST_BYTES, np.uint8), np.empty(40, np.uint64)
    for n in range(n_hands):
        head = (first + n) % len(heads)
        at = _put_bytes(text, 0, heads[head], lengths[head])
        at = _put_number(text, at, first + n)
        at = _put_bytes(text, at, tail, len(tail))
        at = _write_hand(text, at, batch, n)
        blake2b(text, at, words, digests[n])


def hash_batch(
    batch: Batch,
    n_hands: int,
    *,
    ruleset: str,
    options: dict[str, object] | None,
    seatings: tuple[Seating, ...],
    seed: int,
    first: int,
    version: str,
) -> Bytes:
    """Return the identity hashes [n, 16] of the first hands of a batch, equal to `identity_hash` of their histories.

    Hand number `first` is the first of the batch; hand i has seating i mod their number.
    """
    plain = ([ruleset, options, list(one.players), None, None, one.sitting_out] for one in seatings)
    heads = (json.dumps(head, separators=(",", ":"), ensure_ascii=False, sort_keys=True)[:-1] + f",[{seed}," for head in plain)
    tail = f",{json.dumps(version, ensure_ascii=False)}],"
    digests = np.empty((n_hands, HASH_BYTES), np.uint8)
    _hash_hands(*_texts(tuple(heads)), np.frombuffer(tail.encode(), np.uint8), first, n_hands, batch, digests)
    return digests
