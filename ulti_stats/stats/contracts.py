"""What a row of sums says of its contract: which parts were named, which implied, and how each ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ulti_stats.game.rulesets import Bid
from ulti_stats.stats.estimates import Moments
from ulti_stats.stats.population import Population, Stratum
from ulti_stats.stats.tally import Session, Tally
from ulti_stats.store.schema import OUTCOME_BITS


class Contracts:
    """The bids behind contract ids, under the rules of each stratum."""

    def __init__(self, populations: Mapping[Stratum, Population]):
        self._populations = populations
        self._found: dict[tuple[Stratum, str], Bid] = {}

    def bid(self, stratum: Stratum, contract: str) -> Bid:
        """Return the bid of a contract."""
        key = stratum, contract
        if key not in self._found:
            self._found[key] = self._populations[stratum].rules.bid(contract)
        return self._found[key]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the parts of a contract ended: made, failed, or None where that is not known."""

    named: Mapping[str, bool | None]
    implied: Mapping[str, bool | None]

    @property
    def parts(self) -> dict[str, bool | None]:
        """Return named and implied parts together."""
        return {**self.named, **self.implied}

    @property
    def is_made(self) -> bool | None:
        """Return whether every named part was made."""
        return _all(self.named)

    @property
    def is_clean(self) -> bool | None:
        """Return whether every part was made, the implied simple too."""
        return _all(self.parts)


def outcome_of(row: Mapping[str, Any], bid: Bid) -> Outcome:
    """Return the outcome in the column `outcomes` of a row."""
    bits = row["outcomes"] or 0
    made = {part: _MADE[bits >> OUTCOME_BITS * part & 3] for part in bid.components}
    named = {part.text: made[part] for part in bid.form.parts}
    implied = {part.text: made[part] for part in bid.components if part not in bid.form.parts}
    return Outcome(named, implied)


_MADE = (None, False, True)


def add_units(tally: Tally, session: Session, row: Mapping[str, Any], *, column: str = "units") -> None:
    """Add the units of a row to a tally, from the columns `units`, `units_squared` and the like."""
    n, units = row["paid"], row[column]
    sums = Moments(n, units, n, row[f"{column}_squared"], units, n)
    tally.add(session, sums, magnitude=row["units_moved"], largest=row["units_largest"])


def _all(parts: Mapping[str, bool | None]) -> bool | None:
    return None if None in parts.values() else all(parts.values())
