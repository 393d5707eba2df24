"""BLAKE2b (RFC 7693) with a digest of 16 bytes in compiled code, for the identity of simulated hands.

Rounds are written out, so that the sixteen words of the state stay in registers, and the blocks of eight texts are taken in
step, so that these are wide registers. Texts of as many blocks go together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game.jit import fused, inlined, lean

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

WORDS_IN_BLOCK = 16
BYTES_IN_BLOCK = 8 * WORDS_IN_BLOCK
DIGEST_BYTES = 16

# Texts taken in step, and texts from which those of as many blocks are picked.
LANES = 8
GROUP = 256
# Texts of this many blocks or more are not told apart.
_MOST_BLOCKS = 32
# Rows of a state, `LANES` words each: the state of each text, its message block, bytes so far, all ones in its last block,
# and all ones while it has blocks left.
_STATE, _MESSAGE, _COUNT, _LAST, _ACTIVE = 0, 8 * LANES, 24 * LANES, 25 * LANES, 26 * LANES
STATE_WORDS = 27 * LANES

# fmt: off
_IV0, _IV1, _IV2, _IV3, _IV4, _IV5, _IV6, _IV7 = (np.uint64(word) for word in (
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
))
# fmt: on
# Digest length 16, no key, fan-out and depth 1 (section 2.5).
_PARAMETERS = np.uint64(0x01010000 ^ DIGEST_BYTES)
_R32, _R24, _R16, _R63, _R1, _R40, _R48 = (np.uint64(bits) for bits in (32, 24, 16, 63, 1, 40, 48))
_ALL, _NONE = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0)


@inlined
def _mixing(
    a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, x: np.uint64, y: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    a = a + b + x
    d ^= a
    d = (d >> _R32) | (d << _R32)
    c = c + d
    b ^= c
    b = (b >> _R24) | (b << _R40)
    a = a + b + y
    d ^= a
    d = (d >> _R16) | (d << _R48)
    c = c + d
    b ^= c
    b = (b >> _R63) | (b << _R1)
    return a, b, c, d


# fmt: off
@fused
def _round(v, a, b, c, d, e, f, g, h, i, j, k, m, n, p, q, r):
    """Mix four columns, then four diagonals, of the sixteen words `v` with sixteen words of the message."""
    v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15 = v
    v0, v4, v8, v12 = _mixing(v0, v4, v8, v12, a, b)
    v1, v5, v9, v13 = _mixing(v1, v5, v9, v13, c, d)
    v2, v6, v10, v14 = _mixing(v2, v6, v10, v14, e, f)
    v3, v7, v11, v15 = _mixing(v3, v7, v11, v15, g, h)
    v0, v5, v10, v15 = _mixing(v0, v5, v10, v15, i, j)
    v1, v6, v11, v12 = _mixing(v1, v6, v11, v12, k, m)
    v2, v7, v8, v13 = _mixing(v2, v7, v8, v13, n, p)
    v3, v4, v9, v14 = _mixing(v3, v4, v9, v14, q, r)
    return v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15


@fused
def _compress(h, m, count, last):
    """Return the eight words of the state after one block `m` of a text; `count` is the bytes so far."""
    h0, h1, h2, h3, h4, h5, h6, h7 = h
    m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15 = m
    v = (h0, h1, h2, h3, h4, h5, h6, h7, _IV0, _IV1, _IV2, _IV3, _IV4 ^ count, _IV5, _IV6 ^ last, _IV7)
    v = _round(v, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15)
    v = _round(v, m14, m10, m4, m8, m9, m15, m13, m6, m1, m12, m0, m2, m11, m7, m5, m3)
    v = _round(v, m11, m8, m12, m0, m5, m2, m15, m13, m10, m14, m3, m6, m7, m1, m9, m4)
    v = _round(v, m7, m9, m3, m1, m13, m12, m11, m14, m2, m6, m5, m10, m4, m0, m15, m8)
    v = _round(v, m9, m0, m5, m7, m2, m4, m10, m15, m14, m1, m11, m12, m6, m8, m3, m13)
    v = _round(v, m2, m12, m6, m10, m0, m11, m8, m3, m4, m13, m7, m5, m15, m14, m1, m9)
    v = _round(v, m12, m5, m1, m15, m14, m13, m4, m10, m0, m7, m6, m3, m9, m2, m8, m11)
    v = _round(v, m13, m11, m7, m14, m12, m1, m3, m9, m5, m0, m15, m4, m8, m6, m2, m10)
    v = _round(v, m6, m15, m14, m9, m11, m3, m0, m8, m12, m2, m13, m7, m1, m4, m10, m5)
    v = _round(v, m10, m2, m8, m4, m7, m6, m1, m5, m15, m11, m9, m14, m3, m12, m13, m0)
    v = _round(v, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15)
    v = _round(v, m14, m10, m4, m8, m9, m15, m13, m6, m1, m12, m0, m2, m11, m7, m5, m3)
    return (
        h0 ^ v[0] ^ v[8], h1 ^ v[1] ^ v[9], h2 ^ v[2] ^ v[10], h3 ^ v[3] ^ v[11],
        h4 ^ v[4] ^ v[12], h5 ^ v[5] ^ v[13], h6 ^ v[6] ^ v[14], h7 ^ v[7] ^ v[15],
    )
# fmt: on


@inlined
def _compress_in_step(state: Words) -> None:
    """Take one block of each text in step; a text without one stays as it is."""
    for i in range(LANES):
        h = (
            *(state[i], state[LANES + i], state[2 * LANES + i], state[3 * LANES + i]),
            *(state[4 * LANES + i], state[5 * LANES + i], state[6 * LANES + i], state[7 * LANES + i]),
        )
        m = (
            *(state[8 * LANES + i], state[9 * LANES + i], state[10 * LANES + i], state[11 * LANES + i]),
            *(state[12 * LANES + i], state[13 * LANES + i], state[14 * LANES + i], state[15 * LANES + i]),
            *(state[16 * LANES + i], state[17 * LANES + i], state[18 * LANES + i], state[19 * LANES + i]),
            *(state[20 * LANES + i], state[21 * LANES + i], state[22 * LANES + i], state[23 * LANES + i]),
        )
        n = _compress(h, m, state[_COUNT + i], state[_LAST + i])
        active = state[_ACTIVE + i]
        state[i] = n[0] & active | h[0] & ~active
        state[LANES + i] = n[1] & active | h[1] & ~active
        state[2 * LANES + i] = n[2] & active | h[2] & ~active
        state[3 * LANES + i] = n[3] & active | h[3] & ~active
        state[4 * LANES + i] = n[4] & active | h[4] & ~active
        state[5 * LANES + i] = n[5] & active | h[5] & ~active
        state[6 * LANES + i] = n[6] & active | h[6] & ~active
        state[7 * LANES + i] = n[7] & active | h[7] & ~active


@inlined
def _n_blocks(n_bytes: int) -> int:
    return max(1, (n_bytes + BYTES_IN_BLOCK - 1) // BYTES_IN_BLOCK)


@inlined
def _open_state(state: Words) -> None:
    for i in range(LANES):
        state[i], state[LANES + i], state[2 * LANES + i], state[3 * LANES + i] = _IV0 ^ _PARAMETERS, _IV1, _IV2, _IV3
        state[4 * LANES + i], state[5 * LANES + i], state[6 * LANES + i], state[7 * LANES + i] = _IV4, _IV5, _IV6, _IV7


@inlined
def sort_by_blocks(lengths: Numbers, n: int, counts: Numbers, order: Numbers) -> None:
    """Fill in `order` [n] with the numbers of the texts, those of fewer blocks first; `counts` is room for 34."""
    for blocks in range(_MOST_BLOCKS + 2):
        counts[blocks] = 0
    for text in range(n):
        counts[min(_n_blocks(lengths[text]), _MOST_BLOCKS) + 1] += 1
    for blocks in range(1, _MOST_BLOCKS + 2):
        counts[blocks] += counts[blocks - 1]
    for text in range(n):
        blocks = min(_n_blocks(lengths[text]), _MOST_BLOCKS)
        order[counts[blocks]] = text
        counts[blocks] += 1


@lean
def blake2b(
    words: Words, starts: Numbers, lengths: Numbers, n: int, counts: Numbers, order: Numbers, state: Words, digests: Words
) -> None:
    """Fill in `digests` [n, 2], two words each, low bytes first, of the texts in `words`.

    Text i begins at word `starts[i]`, has `lengths[i]` bytes, and zeros from its end to the end of its last block of 128
    bytes. `counts` [34], `order` [n] and `state` [`STATE_WORDS`] are room to work in.
    """
    sort_by_blocks(lengths, n, counts, order)
    for first in range(0, n, LANES):
        _open_state(state)
        last = min(first + LANES, n) - 1
        for block in range(_n_blocks(lengths[order[last]])):
            for i in range(LANES):
                text = order[min(first + i, last)]
                n_blocks = _n_blocks(lengths[text])
                at = starts[text] + WORDS_IN_BLOCK * min(block, n_blocks - 1)
                for word in range(WORDS_IN_BLOCK):
                    state[_MESSAGE + word * LANES + i] = words[at + word]
                state[_COUNT + i] = np.uint64(min(lengths[text], BYTES_IN_BLOCK * (block + 1)))
                state[_LAST + i] = _ALL if block == n_blocks - 1 else _NONE
                state[_ACTIVE + i] = _ALL if block < n_blocks else _NONE
            _compress_in_step(state)
        for i in range(last - first + 1):
            text = order[first + i]
            digests[text, 0], digests[text, 1] = state[i], state[LANES + i]
