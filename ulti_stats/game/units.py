"""What one unit is worth: an amount of money where the rules name one, else a name such as chip or point."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

_AMOUNT = re.compile(r"\s*(\d+(?:[.,]\d+)?)\s*(\S.*?)?\s*")


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: `amount` of the `currency` (10 forints), or None and the unit's own name (chip)."""

    amount: Decimal | None
    currency: str

    def worth(self, units: int) -> str:
        """Return what a number of units is worth, with its sign.

        >>> parse_unit("10 forints").worth(-12), parse_unit("chip").worth(3)
        ('-120 forints', '+3 chip')
        """
        value = units if self.amount is None else self.amount * units
        return f"{value:+} {self.currency}".rstrip()


def parse_unit(text: str) -> Unit:
    """Return the unit that the option `unit` names: money where it begins with a number.

    >>> parse_unit("0,5 euro")
    Unit(amount=Decimal('0.5'), currency='euro')
    """
    found = _AMOUNT.fullmatch(text)
    if found is None:
        return Unit(None, text.strip())
    return Unit(Decimal(found[1].replace(",", ".")), found[2] or "")
