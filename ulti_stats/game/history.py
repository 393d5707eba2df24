"""The record of a whole hand: decisions as they were made, and claims about the result, which replay compares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

PASS = "pass"
Claims = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the auction: a pass (`bid == PASS`) or a bid, with the two cards laid where the talon was taken.

    `discard` is a mask or None; `trump` a suit number where the suit is named with the bid; `hold` marks a held bid;
    `round` is 1 in the five-card round of the two-round auction, else 2.
    """

    seat: int
    bid: str
    discard: int | None = None
    trump: int | None = None
    hold: bool = False
    round: int = 2

    @property
    def is_pass(self) -> bool:
        """Return whether the call declines."""
        return self.bid == PASS


@dataclass(frozen=True, slots=True)
class Kontra:
    """One step said on a component; its level follows from the order (1 kontra, 2 rekontra, ...).

    `against` is the defender that a declarer answers, or None; `after_play` counts the cards already on the table.
    """

    seat: int
    component: str
    against: int | None = None
    after_play: int = 0


@dataclass(frozen=True, slots=True)
class Marriage:
    """King and over of a suit declared by a seat while playing card number `play` (0 to 29)."""

    seat: int
    suit: int
    play: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandHistory:
    """The decisions of one hand of Ulti as recorded; everything else is derived by `replay`.

    Card sets are int masks, cards and suits int numbers, seats 0 to 2 in order of play. None means that the record
    does not say. A score sheet has `declarer`, `contract` and `kontra_levels` in place of the cards.
    `trump_given` tells a written `null` from an absent trump; `five` holds the first five cards of each seat in the
    two-round auction. Text fields are as written (`played_at` is RFC 3339 text).
    """

    ruleset: str
    options: Mapping[str, Any] | None = None
    id: str | None = None
    session: str | None = None
    deal_no: int | None = None
    played_at: str | None = None
    source: str | None = None
    players: tuple[str, str, str] | None = None
    sitting_out: str | None = None
    dealer: int | None = None
    forehand: int | None = None
    hands: tuple[int, int, int] | None = None
    five: tuple[int, int, int] | None = None
    talon: int | None = None
    auction: tuple[Call, ...] | None = None
    discard: int | None = None
    trump: int | None = None
    trump_given: bool = False
    conceded: bool | None = None
    abandoned: bool | None = None
    kontras: tuple[Kontra, ...] | None = None
    marriages: tuple[Marriage, ...] | None = None
    plays: tuple[int, ...] | None = None
    payoffs: tuple[int, int, int] | None = None
    outcome: Mapping[str, str] | None = None
    declarer: int | None = None
    contract: str | None = None
    kontra_levels: Mapping[str, int | tuple[int, int]] | None = None
    extra: Mapping[str, Any] | None = None

    @property
    def is_sheet(self) -> bool:
        """Return whether this is a score-sheet record, which knows no cards."""
        return self.hands is None

    @property
    def simulated(self) -> Mapping[str, Any] | None:
        """Return `extra.simulated` (seed, index, version), or None for a recorded hand."""
        return (self.extra or {}).get("simulated") if self.source == "simulate" else None

    def without_claims(self) -> HandHistory:
        """Return the same decisions without claimed payoffs and outcome."""
        return replace(self, payoffs=None, outcome=None)
