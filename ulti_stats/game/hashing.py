"""The identity of simulated hands in compiled code: the canonical text of `identity.py`, byte for byte, and BLAKE2b.

Text is put down in words of eight bytes, whatever part of them counts; the next word overwrites the rest. Byte by byte it took
twice as long as all rounds of the hash.
"""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch, Seating
from ulti_stats.game.bids import BID_NAMES, PART_TEXTS
from ulti_stats.game.blake2b import BYTES_IN_BLOCK, GROUP, STATE_WORDS, Numbers, Words, blake2b
from ulti_stats.game.identity import CARD_CODES, HASH_BYTES
from ulti_stats.game.jit import fused, inlined, lean, lowest, put_word

Bytes = NDArray[np.uint8]

# Longest canonical text without its head, some 200 calls and 64 kontras, and room for a group of usual ones.
_MOST_BYTES = 16_384
_TEXT_BYTES = 8 * _MOST_BYTES
_BYTES_IN_WORD = 8


def _word(text: str) -> int:
    """Return up to eight letters as a number, the first in its lowest byte."""
    return int.from_bytes(text.encode(), "little")


def _texts(texts: tuple[str, ...]) -> tuple[Numbers, Numbers]:
    """Return texts as rows of words, filled up with zeros, and their numbers of bytes."""
    encoded = [text.encode() for text in texts]
    n_words = max(map(len, encoded)) // _BYTES_IN_WORD + 1
    padded = b"".join(text.ljust(n_words * _BYTES_IN_WORD, b"\0") for text in encoded)
    lengths = np.array([len(text) for text in encoded], np.int64)
    return np.frombuffer(padded, "<i8").astype(np.int64).reshape(len(texts), n_words), lengths


_BIDS, _BID_LENGTHS = _texts(tuple(f'"{name}",' for name in (*BID_NAMES, "pass")))
_PARTS, _PART_LENGTHS = _texts(tuple(f'"{name}",' for name in PART_TEXTS))
_CODES = np.array([ord(code) for code in CARD_CODES], np.int64)
_PASS = len(BID_NAMES)
_ZERO, _COMMA, _OPEN, _QUOTE = map(_word, ("0", ",", "[", '"'))
_NULL, _CLOSE, _END = map(_word, ("null,", "],", '"]'))
# With room for digits: seat; suit or seat before a closing bracket; hold and round; conceded, and 0 for not abandoned.
_SEAT, _DIGIT, _TWO, _LAST = map(_word, (",[0,", "0,", "0,0]", "0]"))
_ZEROS = 0x3030_3030_3030_3030


@fused
def _put(text: Bytes, at: int, word: int, n: int) -> int:
    """Put the first `n` bytes of a word and return the place behind them."""
    put_word(text, at, word)
    return at + n


@fused
def _put_text(text: Bytes, at: int, words: Numbers, n: int) -> int:
    for word in range((n + _BYTES_IN_WORD - 1) // _BYTES_IN_WORD):
        put_word(text, at + _BYTES_IN_WORD * word, words[word])
    return at + n


@fused
def _eight_digits(number: int) -> int:
    """Return the last eight digits of a number, one a byte, the first in the lowest."""
    # Fours, twos and ones are taken apart side by side: 10 486 / 2**20 is a hundredth, 103 / 2**10 a tenth of what stands there.
    fours = number // 10_000 % 10_000 | number % 10_000 << 32
    twos = fours * 10_486 >> 20 & 0x7F_0000_007F
    twos |= fours - 100 * twos << 16
    ones = twos * 103 >> 10 & 0xF_000F_000F_000F
    return ones | twos - 10 * ones << 8


@fused
def _put_last_digits(text: Bytes, at: int, number: int) -> int:
    """Put a number below a hundred millions, without zeros in front."""
    digits = _eight_digits(number)
    zeros = lowest(digits | 1 << 56) >> 3
    return _put(text, at, (digits | _ZEROS) >> 8 * zeros, _BYTES_IN_WORD - zeros)


@fused
def _put_number(text: Bytes, at: int, number: int) -> int:
    high = number // 100_000_000
    if high == 0:
        return _put_last_digits(text, at, number)
    highest = high // 100_000_000
    if highest:
        at = _put_last_digits(text, at, highest)
        at = _put(text, at, _eight_digits(high) | _ZEROS, _BYTES_IN_WORD)
    else:
        at = _put_last_digits(text, at, high)
    return _put(text, at, _eight_digits(number) | _ZEROS, _BYTES_IN_WORD)


@fused
def _put_cards(text: Bytes, at: int, mask: int) -> int:
    """Put a card set as a number, nothing for the empty one, and a comma."""
    if mask == 0:
        return _put(text, at, _NULL, 5)
    return _put(text, _put_number(text, at, mask), _COMMA, 1)


@fused
def _put_digit(text: Bytes, at: int, digit: int) -> int:
    """Put a digit, nothing for a number below 0, and a comma."""
    if digit < 0:
        return _put(text, at, _NULL, 5)
    return _put(text, at, _DIGIT + digit, 2)


@fused
def _close_list(text: Bytes, start: int, at: int) -> int:
    """Put the end of a list that began at `start`; each of its items has put a comma in front."""
    text[start] = _OPEN
    return _put(text, max(at, start + 1), _CLOSE, 2)


@fused
def _write_calls(text: Bytes, at: int, batch: Batch, n: int) -> int:
    calls, start = batch.calls, at
    first, last = np.int64(batch.call_start[n]), np.int64(batch.call_start[n + 1])
    holder = -1
    for row in range(first, last):
        seat, bid, turn = np.int64(calls[b.CALL_SEAT, row]), np.int64(calls[b.CALL_BID, row]), np.int64(calls[b.CALL_ROUND, row])
        # A holder's own last pass is no part of the identity.
        if bid < 0 and seat == holder and (row + 1 == last or calls[b.CALL_ROUND, row + 1] != turn):
            continue
        if bid >= 0:
            holder = seat
        word = bid if bid >= 0 else _PASS
        at = _put(text, at, _SEAT + (seat << 16), 4)
        at = _put_text(text, at, _BIDS[word], _BID_LENGTHS[word])
        at = _put_cards(text, at, batch.laid[row])
        at = _put_digit(text, at, np.int64(calls[b.CALL_TRUMP, row]))
        at = _put(text, at, _TWO + np.int64(calls[b.CALL_HOLD, row]) + (turn << 16), 4)
    return _close_list(text, start, at)


@fused
def _write_kontras(text: Bytes, at: int, batch: Batch, n: int) -> int:
    kontras, start = batch.kontras, at
    for row in range(np.int64(batch.kontra_start[n]), np.int64(batch.kontra_start[n + 1])):
        part = np.int64(kontras[b.KONTRA_PART, row])
        at = _put(text, at, _SEAT + (np.int64(kontras[b.KONTRA_SEAT, row]) << 16), 4)
        at = _put_text(text, at, _PARTS[part], _PART_LENGTHS[part])
        at = _put_digit(text, at, np.int64(kontras[b.KONTRA_AGAINST, row]))
        at = _put(text, at, _LAST + np.int64(kontras[b.KONTRA_AFTER, row]), 2)
    return _close_list(text, start, at)


@fused
def _write_marriages(text: Bytes, at: int, batch: Batch, n: int) -> int:
    marriages, start = batch.marriages, at
    for row in range(np.int64(batch.marriage_start[n]), np.int64(batch.marriage_start[n + 1])):
        at = _put(text, at, _SEAT + (np.int64(marriages[b.MARRIAGE_SEAT, row]) << 16), 4)
        at = _put_digit(text, at, np.int64(marriages[b.MARRIAGE_SUIT, row]))
        at = _put(text, _put_number(text, at, np.int64(marriages[b.MARRIAGE_PLAY, row])), _CLOSE, 1)
    return _close_list(text, start, at)


@fused
def _write_three(text: Bytes, at: int, first: int, second: int, third: int) -> int:
    start = at
    for mask in (first, second, third):
        at = _put_number(text, _put(text, at, _COMMA, 1), mask)
    return _close_list(text, start, at)


@fused
def _write_plays(text: Bytes, at: int, plays: NDArray[np.int8], n: int) -> int:
    """Put the first `n` cards as letters between quotes, and the end of the whole text."""
    at = _put(text, at, _QUOTE, 1)
    for ply in range(n):
        text[at + ply] = _CODES[plays[ply]]
    return _put(text, at + n, _END, 2)


@inlined
def _write_hand(text: Bytes, at: int, batch: Batch, n: int) -> int:
    meta, masks = batch.meta, batch.masks
    at = _put_digit(text, at, np.int64(meta[b.FOREHAND, n]))
    at = _write_three(text, at, masks[b.HAND, n], masks[b.HAND + 1, n], masks[b.HAND + 2, n])
    if masks[b.FIVE, n] == 0:
        at = _put(text, at, _NULL, 5)
    else:
        at = _write_three(text, at, masks[b.FIVE, n], masks[b.FIVE + 1, n], masks[b.FIVE + 2, n])
    at = _put(text, _put_number(text, at, masks[b.TALON, n]), _COMMA, 1)
    at = _write_calls(text, at, batch, n)
    trump, conceded = np.int64(meta[b.TRUMP, n]), meta[b.TERMINATION, n] == b.CONCEDED
    at = _put_cards(text, at, masks[b.LAID_AFTER, n])
    at = _put_digit(text, at, trump if trump < 4 else -1)
    at = _put(text, at, _TWO + int(conceded), 3)
    at = _put(text, at, _COMMA, 1)
    at = _write_kontras(text, at, batch, n)
    at = _write_marriages(text, at, batch, n)
    return _write_plays(text, at, batch.plays[:, n], np.int64(meta[b.N_PLAYED, n]))


@lean
def _hash_hands(
    heads: Numbers,
    lengths: Numbers,
    tail: Numbers,
    n_tail: int,
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

    Texts of a group stand one behind the other, each from a whole word on; `room` [4, `GROUP`] and `state` are room, too.
    """
    starts, n_bytes, order = room[0], room[1], room[2]
    most = _MOST_BYTES + _BYTES_IN_WORD * (heads.shape[1] + len(tail))
    done = 0
    while done < n_hands:
        n, place = 0, 0
        while n < GROUP and done + n < n_hands and place + most <= len(text):
            number = first + done + n
            seating = number % len(heads)
            at = _put_text(text, place, heads[seating], lengths[seating])
            at = _put_text(text, _put_number(text, at, number), tail, n_tail)
            at = _write_hand(text, at, batch, done + n)
            for word in range(BYTES_IN_BLOCK // _BYTES_IN_WORD):
                put_word(text, at + _BYTES_IN_WORD * word, 0)
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
    (end,), (n_end,) = _texts((tail,))
    text = np.zeros(_TEXT_BYTES + _BYTES_IN_WORD * (texts.shape[1] + len(end)) + BYTES_IN_BLOCK, np.uint8)
    digests = np.empty((n_hands, HASH_BYTES // 8), np.uint64)
    room, state = np.zeros((4, GROUP), np.int64), np.zeros(STATE_WORDS, np.uint64)
    _hash_hands(texts, lengths, end, int(n_end), first, n_hands, batch, text, text.view(np.uint64), room, state, digests)
    return digests.view(np.uint8)
