"""What an importer yields: a record with the history that it holds, or a problem with place, field and reason."""

from __future__ import annotations

from dataclasses import dataclass

from ulti_stats.game.history import HandHistory


@dataclass(frozen=True, slots=True)
class Record:
    """One hand of a file: where it stands (`file:line`, or file and row), its history and its raw text."""

    place: str
    history: HandHistory
    raw: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong and where: the place, the path to the key (empty for the whole record), the reason, the raw text."""

    place: str
    field: str
    reason: str
    raw: str = ""

    def __str__(self) -> str:
        """Return the problem as one line."""
        return f"{self.place}: {self.field}: {self.reason}" if self.field else f"{self.place}: {self.reason}"
