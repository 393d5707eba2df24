"""What the store packs: payoffs and kontras as what they add to other columns, calls as codes, lists as text."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from ulti_stats.game.bids import BID_IDS, BID_NAMES
from ulti_stats.game.history import PASS, Call
from ulti_stats.game.result import Replay


def units_per_defender(replayed: Replay) -> float | None:
    """Return the mean of what the two defenders pay; from the payoffs where the parts are not known."""
    units = [part.units for part in replayed.components]
    if units and None not in units:
        return sum(sum(pair) for pair in units if pair is not None) / 2
    if replayed.payoffs is None or replayed.defenders is None:
        return None
    return -sum(replayed.payoffs[seat] for seat in replayed.defenders) / 2


def payoff_gaps(replayed: Replay, declarer_units: int | None, paid: float | None) -> tuple[int | None, ...]:
    """Return what each payoff is beyond the declarer's units, or beyond what a defender pays, rounded down."""
    if replayed.payoffs is None:
        return None, None, None
    defender = 0 if paid is None or replayed.declarer is None else -math.floor(paid)
    expected = (declarer_units if seat == replayed.declarer else defender for seat in range(3))
    return tuple(payoff - (units or 0) for payoff, units in zip(replayed.payoffs, expected, strict=True))


def kontra_max(replayed: Replay) -> int:
    """Return the highest kontra level of the hand, 0 without kontra."""
    return max((level for part in replayed.components for level in part.kontra_levels), default=max(replayed.levels, default=0))


def kontra_units(replayed: Replay, paid: float | None) -> float | None:
    """Return what kontras added to the mean that defenders pay; None where their gains are not known."""
    if paid is None or replayed.contract is None:
        return None
    if not replayed.kontras:
        return 0.0 if kontra_max(replayed) == 0 else None
    # Only here: who asks for reports need not load compiled code.
    from ulti_stats.game.kontra import kontra_is_individual

    moved = 0
    for kontra, gain in zip(replayed.kontras, replayed.step_gains, strict=True):
        if gain is None:
            return None
        moved += gain if kontra.seat == replayed.declarer else -gain
    return moved / 2 if kontra_is_individual(replayed.rules, replayed.contract) else float(moved)


# A call is one number: of two columns or a struct the file takes as many bytes and three times as long to write. Where in
# it each thing begins, in bits; of the two cards laid the lower number comes first.
CALL_HOLD, CALL_ROUND, CALL_TRUMP, CALL_BID, CALL_LAID = 2, 3, 5, 8, 16
CARD_BITS = 5
# Stands for a pass among the numbers of bids.
CALL_PASS = 255
_NUMBERS = {PASS: CALL_PASS, **BID_IDS}


def pack(seat: int, hold: int, turn: int, trump: int, bid: int, low: int, high: int) -> int:
    """Return the number of a call: `turn` its round, `trump` -1 without one, `bid` `CALL_PASS` for a pass, `low` and `high`
    the cards laid, both 0 without any. The kernel of `batches.py` has it compiled in.
    """
    said = seat | hold << CALL_HOLD | turn << CALL_ROUND | trump + 1 << CALL_TRUMP
    return said | bid << CALL_BID | (low | high << CARD_BITS) << CALL_LAID


class Unpacked(NamedTuple):
    """What `pack` put into the number of a call, or of each call of an array; `laid` is the mask of the cards laid, or 0."""

    seat: Any
    hold: Any
    turn: Any
    trump: Any
    bid: Any
    laid: Any


def unpack(code: Any) -> Unpacked:
    """Return the parts of the number of a call, or of each call of an array of int64."""
    low, high = code >> CALL_LAID & 31, code >> CALL_LAID + CARD_BITS
    return Unpacked(
        seat=code & 3,
        hold=code >> CALL_HOLD & 1,
        turn=code >> CALL_ROUND & 3,
        trump=(code >> CALL_TRUMP & 7) - 1,
        bid=code >> CALL_BID & 255,
        laid=(1 << low | 1 << high) * (high > 0),
    )


def call_code(call: Call) -> int:
    """Return a call as one number.

    >>> call_of(call_code(Call(2, "ulti", 3, trump=0)))
    Call(seat=2, bid='ulti', discard=3, trump=0, hold=False, round=2)
    """
    trump, laid = -1 if call.trump is None else call.trump, call.discard or 0
    low, high = max((laid & -laid).bit_length() - 1, 0), max(laid.bit_length() - 1, 0)
    return pack(call.seat, call.hold, call.round, trump, _NUMBERS[call.bid], low, high)


def call_of(code: int) -> Call:
    """Return the call with this number."""
    found = unpack(code)
    return Call(
        found.seat,
        PASS if found.bid == CALL_PASS else BID_NAMES[found.bid],
        found.laid or None,
        None if found.trump < 0 else found.trump,
        bool(found.hold),
        found.turn,
    )


def listed(items: Iterable[tuple[Any, ...]]) -> str:
    """Return items apart by spaces, the values of each by colons.

    >>> listed([(1, "ulti", None, 2), (0, "ulti", 1, 2)])
    '1:ulti::2 0:ulti:1:2'
    """
    return " ".join(":".join("" if value is None else str(value) for value in item) for item in items)


def unlisted(text: str | None) -> list[list[str]]:
    """Return what `listed` wrote.

    >>> unlisted("1:ulti::2 0:ulti:1:2")
    [['1', 'ulti', '', '2'], ['0', 'ulti', '1', '2']]
    """
    return [item.split(":") for item in (text or "").split()]
