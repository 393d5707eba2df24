"""The solver's working memory: one array that holds rules, key tables and the table of positions already judged.

Inside the solver cards stand in front form: strength numbers with the trump suit moved to place 0. One array keeps the
recursive calls cheap; its first places are `RuleTable.flags`, so that it can be handed to `legal_mask` as they are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ulti_stats.game.jit import inner, kernel
from ulti_stats.game.play import keeping_seven, legal_mask
from ulti_stats.game.rule_table import N_FLAGS, IntArray

# Places in a workspace.
N_RULES = N_FLAGS
TRUMP = N_FLAGS  # 0 or NO_TRUMP
SEVEN = N_FLAGS + 1  # mask of the trump seven that the declarer must keep, else 0
N_LABELS = N_FLAGS + 3
STEP = N_FLAGS + 7  # every sum of points is a multiple of this
TABLE_BITS = N_FLAGS + 4
HOLDER = N_FLAGS + 6  # role whose trump seven it is about
NODES = N_FLAGS + 5  # trick starts looked at since the count was last cleared
LABELS = N_FLAGS + 8  # masks of cards that count alike, one for each label
POINTS = N_FLAGS + 16  # by card
KEYS = POINTS + 32  # [suit, cards of it that remain]: the suit's share of a position's key
TABLE = KEYS + 1024

_MIX = -7046029254386353131  # odd, so that the product tells keys apart
_LOW_7, _HIGH_7 = 0x7F7F7F7F, 0xFEFEFEFE  # every rank but the ace; every rank but the lowest


class Classes(NamedTuple):
    """The class of every owner code [65536] in the trump suit and in a side suit, and how many classes there are."""

    trump: NDArray[np.int32]
    n_trump: int
    side: NDArray[np.int32]
    n_side: int


@lru_cache(maxsize=64)
def suit_classes(labels: tuple[int, ...]) -> tuple[NDArray[np.int32], int]:
    """Return the class of every owner code of a suit, and the number of classes.

    An owner code has two bits a rank: the role that holds it, or 3 where the card is gone. Two codes are in one class
    when the owners of the remaining cards follow each other alike and the labels of each run of one owner are the
    same: no line of play can tell them apart. `labels` are those of the eight ranks, lowest first.
    """
    base = 3 * (max(labels) + 1) + 1
    _, classes = np.unique(_sequences(np.array(labels, np.int64), base), return_inverse=True)
    return classes.astype(np.int32), int(classes.max()) + 1


@kernel
def _sequences(labels: IntArray, base: int) -> IntArray:
    result, run = np.zeros(1 << 16, np.int64), np.zeros(8, np.int64)
    for code in range(1 << 16):
        word, n_run, owner = 0, 0, 3
        for rank in range(7, -2, -1):
            now = code >> (2 * rank) & 3 if rank >= 0 else 4
            if now == 3:
                continue
            if now != owner:
                # Own cards next to each other are interchangeable: the order of their labels says nothing.
                for label in range(8):
                    for place in range(n_run):
                        if run[place] == label:
                            word = word * base + 1 + 3 * label + owner
                n_run = 0
            if now < 4:
                owner = now
                run[n_run] = labels[rank]
                n_run += 1
        result[code] = word
    return result


def new_workspace(table_bits: int, size: int) -> IntArray:
    """Return an empty workspace of `size` places whose table holds 2^`table_bits` positions."""
    workspace = np.zeros(size, np.int64)
    workspace[TABLE_BITS] = table_bits
    return workspace


@inner
def to_front(mask: int, trump: int) -> int:
    """Return a set of strength numbers with the trump suit moved to place 0; its own inverse."""
    if trump == 0 or trump > 3:
        return mask
    front = mask & 0xFF
    trumps = mask >> (8 * trump) & 0xFF
    return mask & ~(0xFF | 0xFF << (8 * trump)) | trumps | front << (8 * trump)


@inner
def set_keys(ws: IntArray, classes: Classes, own: IntArray) -> None:
    """Fill in the key tables for a deal: `own` [3] are the cards by role in front form.

    A position's key is the sum of its suits' shares and the leader's; it stands for exactly the positions that differ
    in nothing that counts, in this deal or another.
    """
    everything = own[0] | own[1] | own[2]
    scale = np.int64(3)
    for suit in range(4):
        held = everything >> (8 * suit) & 0xFF
        code = np.int64(0xFFFF)
        for role in range(3):
            for rank in range(8):
                if own[role] >> (8 * suit + rank) & 1:
                    code ^= (3 ^ role) << (2 * rank)
        keep = held
        while True:
            gone = held & ~keep
            spread = (gone | gone << 4) & 0x0F0F  # two bits a rank from one
            spread = (spread | spread << 2) & 0x3333
            spread = (spread | spread << 1) & 0x5555
            code_left = code | 3 * spread
            kind = classes.trump[code_left] if suit == 0 else classes.side[code_left]
            ws[KEYS + 256 * suit + keep] = kind * scale
            if keep == 0:
                break
            keep = (keep - 1) & held
        scale *= classes.n_trump if suit == 0 else classes.n_side


@inner
def position_key(ws: IntArray, everything: int, leader: int) -> int:
    """Return the exact key of a position at the start of a trick."""
    return (
        leader
        + ws[KEYS + (everything & 0xFF)]
        + ws[KEYS + 256 + (everything >> 8 & 0xFF)]
        + ws[KEYS + 512 + (everything >> 16 & 0xFF)]
        + ws[KEYS + 768 + (everything >> 24 & 0xFF)]
    )


@inner
def find(ws: IntArray, everything: int, leader: int) -> tuple[int, int]:
    """Return a position's place in the table, and the number by which the entry there is known to be its own.

    Place and number together are the key, mixed by a product that can be undone: two positions are never mistaken.
    """
    mixed = position_key(ws, everything, leader) * _MIX
    bits = ws[TABLE_BITS]
    return TABLE + (mixed >> (64 - bits) & ((1 << bits) - 1)), mixed & ((1 << (64 - bits)) - 1)


@inner
def verdict(ws: IntArray, place: int, check: int) -> int:
    """Return what the table says in a search with two answers: 1 yes, 2 no, 0 nothing."""
    entry = ws[place]
    return entry & 3 if entry >> 2 & ((1 << (64 - ws[TABLE_BITS])) - 1) == check else 0


@inner
def distinct(ws: IntArray, cards: int, others: int) -> int:
    """Return one card of each group of a hand's `cards` between which no card of the `others` lies."""
    result = 0
    for place in range(ws[N_LABELS]):
        alike = cards & ws[LABELS + place]
        if alike != 0:
            free = ~(others | alike) & _LOW_7
            above = alike << 1 & _HIGH_7
            reached = (above | free + (above & free)) & ~free
            result |= alike & ~reached
    return result


@inner
def in_order(ahead: int, a: int, b: int, c: int) -> tuple[int, int, int]:
    """Return the cards of three hands beginning with the one that is `ahead` places further (0 to 2).

    So a search has one call of itself: Numba works out what a function returns anew for each call of itself in it.
    """
    if ahead == 1:
        return b, c, a
    return (c, a, b) if ahead == 2 else (a, b, c)


@inner
def beating(legal: int, best: int, trump: int) -> int:
    """Return the cards that take the trick from `best`: what `beats` says of each, for a whole set."""
    higher = legal & (0xFF << (best & 24)) & -(2 << best)
    if trump == 0 and best >> 3 != 0:
        higher |= legal & 0xFF
    return higher


@inner
def answers(ws: IntArray, hand: int, others: int, led: int, best: int, kept: int) -> tuple[int, int]:
    """Return the cards worth trying of those that a hand may play to a trick, and which of all its legal cards win it.

    `kept` is the mask of the trump seven where this hand must keep it, else 0.
    """
    trump = ws[TRUMP]
    legal = legal_mask(ws, hand, led, best, trump)
    if kept != 0:
        legal = keeping_seven(legal, kept)
    wins = beating(legal, best, trump)
    return distinct(ws, wins, others) | distinct(ws, legal & ~wins, others), wins
