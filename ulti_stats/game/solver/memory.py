"""What a search remembers between calls: a workspace and its classes of positions, made for one kind of question."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import NamedTuple

from ulti_stats.errors import UltiError
from ulti_stats.game.rule_table import LAST_TRICK_BONUS, NO_TRUMP, POINTS, IntArray, RuleTable
from ulti_stats.game.solver import workspace as w
from ulti_stats.game.solver.payoffs import UNIT_TABLE
from ulti_stats.game.solver.workspace import Classes, suit_classes


class Family(StrEnum):
    """The searches. What counts there decides which cards are alike."""

    POINTS = "points"  # card points
    ACES = "aces"  # an ace one point, nothing else
    COUNT = "count"  # every card one point
    SEVEN = "seven"  # nothing but the trump seven
    TRICKS = "tricks"  # nothing
    UNITS = "units"  # card points, aces, and the trump seven


# Positions that a table holds, as a power of two. Tables of points need 16 at least: their entries hold two bounds.
TABLE_BITS = {
    Family.POINTS: 16,
    Family.ACES: 16,
    Family.COUNT: 16,
    Family.SEVEN: 15,
    Family.TRICKS: 13,
    Family.UNITS: 16,
}
ALLOWED_BITS = range(16, 29)


class Memory(NamedTuple):
    """A workspace and the classes of positions by which it remembers them."""

    workspace: IntArray
    classes: Classes


def new_memory(table: RuleTable, family: Family, *, has_trumps: bool, keeps_seven: bool, table_bits: int | None = None) -> Memory:
    """Return an empty memory for one search under some rules.

    What it remembers holds for every deal and every threshold, so it is never cleared. `keeps_seven` is for contracts
    in which the declarer must keep the trump seven.
    """
    bits = TABLE_BITS[family] if table_bits is None else table_bits
    ws = w.new_workspace(bits, UNIT_TABLE + (3 << bits) if family is Family.UNITS else w.TABLE + (1 << bits))
    ws[: w.N_RULES] = table.flags
    ws[w.TRUMP] = 0 if has_trumps else NO_TRUMP
    ws[w.SEVEN] = 1 if keeps_seven else 0
    values = _card_values(table, family, has_trumps)
    ws[w.POINTS : w.POINTS + 32] = values
    bonus = int(table.flags[LAST_TRICK_BONUS]) if family in (Family.POINTS, Family.UNITS) else 0
    ws[w.STEP] = math.gcd(bonus, *values) or 1
    if family is Family.UNITS:
        ws[w.POINTS : w.POINTS + 32] //= ws[w.STEP]
    marks = [(value, is_ace(card) and family is Family.UNITS, False) for card, value in enumerate(values)]
    if has_trumps and (keeps_seven or family in (Family.SEVEN, Family.UNITS)):
        marks[0] = (values[0], False, True)
    kinds = sorted(set(marks))
    labels = [kinds.index(mark) for mark in marks]
    ws[w.N_LABELS] = len(kinds)
    for label in range(len(kinds)):
        ws[w.LABELS + label] = sum(1 << card for card in range(32) if labels[card] == label)
    trump, n_trump = suit_classes(tuple(labels[:8]))
    side, n_side = suit_classes(tuple(labels[8:16]))
    # A key that did not fit would stand for two positions. Fullest are card points 11-10-4-3-2: 63.3 bits.
    assert 3 * n_trump * n_side**3 <= 1 << 64
    return Memory(ws, Classes(trump, n_trump, side, n_side))


def check_table_bits(table_bits: int | None) -> None:
    """Raise `UltiError` where a table of 2^`table_bits` positions would not be exact, or not fit into memory."""
    if table_bits is not None and table_bits not in ALLOWED_BITS:
        least, most = ALLOWED_BITS[0], ALLOWED_BITS[-1]
        raise UltiError(f"table_bits {table_bits} is not possible; right is {least} to {most}, or None for the usual sizes")


def is_ace(card: int) -> bool:
    """Return whether a card in front form is an ace."""
    return card & 7 == 7


def _card_values(table: RuleTable, family: Family, has_trumps: bool) -> list[int]:
    """Return what each card counts in front form."""
    if family in (Family.POINTS, Family.UNITS):
        return [int(points) for points in table.cards[POINTS, 0 if has_trumps else NO_TRUMP]]
    if family is Family.ACES:
        return [1 if is_ace(card) else 0 for card in range(32)]
    return [1 if family is Family.COUNT else 0] * 32
