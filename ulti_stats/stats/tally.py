"""Sums by session, as they come from the database, and the figures made of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from ulti_stats.stats.estimates import Interval, Moments, design_effect, rate, ratio

Session = tuple[Any, Any] | None


def session_of(row: Mapping[str, Any]) -> Session:
    """Return what clusters a row's hands: their sitting where recorded, None where each hand stands alone."""
    if row["is_simulated"] or row["session"] is None:
        return None
    return row["source"], row["session"]


class Tally:
    """Running sums Σy and Σx of one row of a report, by session, with the moments of hands that stand alone."""

    __slots__ = ("_largest", "_loose_sums", "_magnitude", "_sessions")

    def __init__(self) -> None:
        self._sessions: dict[Session, list[float]] = defaultdict(lambda: [0.0, 0.0])
        # The fields of `Moments`, added up in place: a report may add tens of thousands of kinds of hands.
        self._loose_sums = [0, 0.0, 0.0, 0.0, 0.0, 0.0]
        self._magnitude = 0.0
        self._largest = 0.0

    def count(self, session: Session, *, k: int, n: int) -> None:
        """Add n hands with one try each, k of them successes."""
        if session is None:
            sums = self._loose_sums
            for place, added in enumerate((n, k, n, k, k, n)):
                sums[place] += added
        else:
            self.add(session, Moments(n, k, n, k, k, n))

    def add(self, session: Session, sums: Moments, *, magnitude: float = 0.0, largest: float = 0.0) -> None:
        """Add hands; `magnitude` is their Σ|y|, `largest` their greatest |y|."""
        if session is None:
            for place, added in enumerate((sums.hands, sums.y, sums.x, sums.yy, sums.xy, sums.xx)):
                self._loose_sums[place] += added
        else:
            pair = self._sessions[session]
            pair[0] += sums.y
            pair[1] += sums.x
        self._magnitude += magnitude
        self._largest = max(self._largest, largest)

    @property
    def _loose(self) -> Moments:
        hands, *sums = self._loose_sums
        return Moments(int(hands), *sums)

    @property
    def sessions(self) -> set[Session]:
        """Return the sessions seen."""
        return set(self._sessions)

    @property
    def one_hand_rules(self) -> bool:
        """Return whether one hand is more than a quarter of Σ|y|."""
        return self._largest > 0.25 * self._magnitude > 0

    @property
    def deff(self) -> float:
        """Return the design effect of the sums taken as a rate."""
        return design_effect(*self._columns(), loose=self._loose)

    def rate(self, table_deff: float = 1.0) -> Interval:
        """Return Σy/Σx as a rate with its Wilson interval."""
        return rate(*self._columns(), loose=self._loose, table_deff=table_deff)

    def mean(self) -> Interval:
        """Return Σy/Σx with its t interval."""
        return ratio(*self._columns(), loose=self._loose)

    def _columns(self) -> tuple[list[float], list[float]]:
        # In order, so that the last digit does not depend on which session the database gave first.
        pairs = sorted(self._sessions.values())
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
