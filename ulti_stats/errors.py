"""Every error of the package, drawn as a tree.

```
UltiError                 anything a user can mend
├── NotationError         text that is no card, bid, suit or record
│   └── RecordError       a record that is wrong at a field, with its place, field and reason
├── RulesetError          an unknown ruleset or option, or options that contradict each other
├── IllegalDecision       a decision that the rules do not allow
│   ├── IllegalDeal       not 32 different cards in their places
│   ├── IllegalBid        a call out of turn, too low, or not in the ladder
│   ├── IllegalKontra     a kontra by the wrong side, too late, or on a part that is not there
│   ├── IllegalMarriage   a marriage that is not held, too late, or not allowed beside a 100-game
│   └── IllegalCard       a card that is not held, or against the duties of play
├── ClaimError            a claim that no play of the hand can give
├── StoreError            no store, a foreign folder, or no room
├── QueryError            a column, condition or statement that cannot be answered
└── SourceError           a file that cannot be read at all
```
"""

from __future__ import annotations


class UltiError(Exception):
    """Something that a user can mend: its text says what, where, and what would have been right."""


class NotationError(UltiError):
    """A text is no card, bid, suit or record."""


class RecordError(NotationError):
    """A record is wrong at a field: `place` is where it stands, `field` the path to the key, `reason` what would be right."""

    def __init__(self, *, place: str, field: str, reason: str):
        super().__init__(f"{place}: {field}: {reason}" if field else f"{place}: {reason}")
        self.place = place
        self.field = field
        self.reason = reason


class RulesetError(UltiError):
    """A ruleset or option is unknown, or options contradict each other."""


class IllegalDecision(UltiError):
    """A decision is not allowed by the rules; the text says what would have been."""


class IllegalDeal(IllegalDecision):
    """The cards dealt are not 32 different cards in their places."""


class IllegalBid(IllegalDecision):
    """A call is out of turn, too low, or no rung of the ladder."""


class IllegalKontra(IllegalDecision):
    """A kontra comes from the wrong side, too late, or on a part that is not there."""


class IllegalMarriage(IllegalDecision):
    """A marriage is not held, declared too late, or banned beside a 100-game."""


class IllegalCard(IllegalDecision):
    """A card is not held, or breaks a duty of play."""


class ClaimError(UltiError):
    """A claimed result that no play of the hand can give."""


class StoreError(UltiError):
    """A store is missing, foreign, or has no room."""


class QueryError(UltiError):
    """A column, condition or statement cannot be answered."""


class SourceError(UltiError):
    """A file cannot be read as hand histories at all."""
