import hashlib

import numpy as np
import pytest

from ulti_stats.game.blake2b import BYTES_IN_BLOCK, GROUP, STATE_WORDS, blake2b


@pytest.mark.parametrize("n_texts", [1, 7, 8, 9, 60])
def test_texts_hashed_in_step_have_the_digests_of_one_by_one(n_texts: int) -> None:
    # Lengths around whole blocks, an empty text, and one longer than are told apart by their number of blocks.
    lengths = [0, 1, 127, 128, 129, 256, 257, 400, 5000, *range(300, 480, 3)]
    chosen = np.resize(np.array(lengths, np.int64), n_texts)
    words = np.zeros(n_texts * 5120 // 8, np.uint64)
    text, starts = words.view(np.uint8), np.zeros(n_texts, np.int64)
    place = 0
    for n, length in enumerate(chosen):
        starts[n] = place // 8
        text[place : place + length] = (np.arange(length) * 7 + n) % 256
        place += max(1, -(-int(length) // BYTES_IN_BLOCK)) * BYTES_IN_BLOCK
    digests, room = np.zeros((n_texts, 2), np.uint64), np.zeros((2, GROUP), np.int64)
    blake2b(words, starts, chosen, n_texts, room[0], room[1], np.zeros(STATE_WORDS, np.uint64), digests)
    for n, length in enumerate(chosen):
        plain = text[8 * starts[n] : 8 * starts[n] + length].tobytes()
        assert digests[n].tobytes() == hashlib.blake2b(plain, digest_size=16).digest()
