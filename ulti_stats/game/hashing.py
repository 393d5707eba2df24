"""The identity of simulated hands in compiled code: the canonical text of `identity.py`, byte for byte, and BLAKE2b."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch, Seating
from ulti_stats.game.bids import BID_NAMES, PART_TEXTS
from ulti_stats.game.blake2b import BYTES_IN_BLOCK, GROUP, STATE_WORDS, Numbers, Words, blake2b
from ulti_stats.game.identity import CARD_CODES, HASH_BYTES
from ulti_stats.game.jit import fused, inlined, lean

Bytes = NDArray[np.uint8]

# Longest canonical text without its head, some 200 calls and 64 kontras, and room for a group of usual ones.
_MOST_BYTES = 16_384
_TEXT_BYTES = 8 * _MOST_BYTES


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


@inlined
def _put_digit(text: Bytes, at: int, digit: int) -> int:
    text[at] = _ZERO + digit
    return at + 1


@fused
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


@fused
def _write_calls(text: Bytes, at: int, batch: Batch, n: int) -> int:
    calls = batch.calls
    at = _put(text, at, _OPEN)
    first, last = np.int64(batch.call_start[n]), np.int64(batch.call_start[n + 1])
    holder = -1
    for row in range(first, last):
        seat, bid, laid = np.int64(calls[b.CALL_SEAT, row]), np.int64(calls[b.CALL_BID, row]), batch.laid[row]
        trump, turn = np.int64(calls[b.CALL_TRUMP, row]), np.int64(calls[b.CALL_ROUND, row])
        # A holder's own last pass is no part of the identity.
        if bid < 0 and seat == holder and (row + 1 == last or calls[b.CALL_ROUND, row + 1] != turn):
            continue
        if bid >= 0:
            holder = seat
        if row != first:
            at = _put(text, at, _COMMA)
        at = _put(text, _put_digit(text, _put(text, at, _OPEN), seat), _COMMA)
        word = bid if bid >= 0 else _PASS
        at = _put(text, _put_bytes(text, at, _BIDS[word], _BID_LENGTHS[word]), _COMMA)
        at = _put(text, _put_number_or_null(text, at, laid, laid == 0), _COMMA)
        at = _put(text, _put_number_or_null(text, at, trump, trump < 0), _COMMA)
        at = _put(text, _put_digit(text, at, np.int64(calls[b.CALL_HOLD, row])), _COMMA)
        at = _put(text, _put_digit(text, at, turn), _CLOSE)
    return _put(text, at, _CLOSE)


@fused
def _write_kontras(text: Bytes, at: int, batch: Batch, n: int) -> int:
    kontras = batch.kontras
    at = _put(text, at, _OPEN)
    first = np.int64(batch.kontra_start[n])
    for row in range(first, np.int64(batch.kontra_start[n + 1])):
        part, against = np.int64(kontras[b.KONTRA_PART, row]), np.int64(kontras[b.KONTRA_AGAINST, row])
        if row != first:
            at = _put(text, at, _COMMA)
        at = _put(text, _put_digit(text, _put(text, at, _OPEN), np.int64(kontras[b.KONTRA_SEAT, row])), _COMMA)
        at = _put(text, _put_bytes(text, at, _PARTS[part], _PART_LENGTHS[part]), _COMMA)
        at = _put(text, _put_number_or_null(text, at, against, against < 0), _COMMA)
        at = _put(text, _put_digit(text, at, np.int64(kontras[b.KONTRA_AFTER, row])), _CLOSE)
    return _put(text, at, _CLOSE)


@fused
def _write_marriages(text: Bytes, at: int, batch: Batch, n: int) -> int:
    at = _put(text, at, _OPEN)
    first = np.int64(batch.marriage_start[n])
    for row in range(first, np.int64(batch.marriage_start[n + 1])):
        if row != first:
            at = _put(text, at, _COMMA)
        at = _put(text, at, _OPEN)
        at = _put(text, _put_digit(text, at, np.int64(batch.marriages[b.MARRIAGE_SEAT, row])), _COMMA)
        at = _put(text, _put_digit(text, at, np.int64(batch.marriages[b.MARRIAGE_SUIT, row])), _COMMA)
        at = _put(text, _put_number(text, at, np.int64(batch.marriages[b.MARRIAGE_PLAY, row])), _CLOSE)
    return _put(text, at, _CLOSE)


@inlined
def _write_three(text: Bytes, at: int, first: int, second: int, third: int) -> int:
    at = _put(text, _put_number(text, _put(text, at, _OPEN), first), _COMMA)
    at = _put(text, _put_number(text, at, second), _COMMA)
    return _put(text, _put_number(text, at, third), _CLOSE)


@fused
def _write_hand(text: Bytes, at: int, batch: Batch, n: int) -> int:
    meta, masks = batch.meta, batch.masks
    at = _put(text, _put_digit(text, at, np.int64(meta[b.FOREHAND, n])), _COMMA)
    at = _put(text, _write_three(text, at, masks[b.HAND, n], masks[b.HAND + 1, n], masks[b.HAND + 2, n]), _COMMA)
    if masks[b.FIVE, n] == 0:
        at = _put_null(text, at)
    else:
        at = _write_three(text, at, masks[b.FIVE, n], masks[b.FIVE + 1, n], masks[b.FIVE + 2, n])
    at = _put(text, _put_number(text, _put(text, at, _COMMA), masks[b.TALON, n]), _COMMA)
    at = _put(text, _write_calls(text, at, batch, n), _COMMA)
    after, trump = masks[b.LAID_AFTER, n], np.int64(meta[b.TRUMP, n])
    at = _put(text, _put_number_or_null(text, at, after, after == 0), _COMMA)
    at = _put(text, _put_number_or_null(text, at, trump, trump < 0 or trump > 3), _COMMA)
    at = _put(text, _put_digit(text, at, int(meta[b.TERMINATION, n] == b.CONCEDED)), _COMMA)
    at = _put(text, _put_digit(text, at, 0), _COMMA)
    at = _put(text, _write_kontras(text, at, batch, n), _COMMA)
    at = _put(text, _write_marriages(text, at, batch, n), _COMMA)
    at = _put(text, at, _QUOTE)
    n_played = np.int64(meta[b.N_PLAYED, n])
    for ply in range(n_played):
        text[at + ply] = _CODES[batch.plays[ply, n]]
    return _put(text, _put(text, at + n_played, _QUOTE), _CLOSE)


@lean
def _hash_hands(
    heads: Bytes,
    lengths: NDArray[np.int64],
    tail: Bytes,
    first: int,
    n_hands: int,
    batch: Batch,
    text: Bytes,
    words: Words,
    room: Numbers,
    state: Words,
    digests: Words,
) -> None:
    """Fill in `digests` [n, 2]; `text` and `words` are the same room, seen as bytes and as words.

    Texts of a group stand one behind the other, each from a whole word on; `room` [3, `GROUP`] and `state` are room, too.
    """
    starts, n_bytes, order = room[0], room[1], room[2]
    done = 0
    while done < n_hands:
        n, place = 0, 0
        while n < GROUP and done + n < n_hands and place + _MOST_BYTES + len(tail) + heads.shape[1] <= len(text):
            number = first + done + n
            at = _put_bytes(text, place, heads[number % len(heads)], lengths[number % len(heads)])
            at = _put_bytes(text, _put_number(text, at, number), tail, len(tail))
            at = _write_hand(text, at, batch, done + n)
            for word in range(BYTES_IN_BLOCK):
                text[at + word] = 0
            starts[n], n_bytes[n] = place >> 3, at - place
            place = at + BYTES_IN_BLOCK & ~7
            n += 1
        blake2b(words, starts, n_bytes, n, room[3], order, state, digests[done:])
        done += n


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
    texts, lengths = _texts(tuple(heads))
    tail_bytes = np.frombuffer(tail.encode(), np.uint8)
    n_bytes = _TEXT_BYTES + texts.shape[1] + len(tail_bytes) + BYTES_IN_BLOCK
    text, digests = np.zeros(n_bytes // 8 * 8, np.uint8), np.empty((n_hands, HASH_BYTES // 8), np.uint64)
    room, state = np.zeros((4, GROUP), np.int64), np.zeros(STATE_WORDS, np.uint64)
    _hash_hands(texts, lengths, tail_bytes, first, n_hands, batch, text, text.view(np.uint64), room, state, digests)
    return digests.view(np.uint8)
