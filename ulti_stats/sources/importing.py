"""Import: from files to replayed hands with their identity; what is wrong is collected, and the rest goes on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

from ulti_stats.errors import (
    ClaimError,
    IllegalBid,
    IllegalCard,
    IllegalDeal,
    IllegalKontra,
    IllegalMarriage,
    UltiError,
)
from ulti_stats.game.history import HandHistory
from ulti_stats.game.identity import identity_hash
from ulti_stats.game.notation import KEYS
from ulti_stats.game.replay import replay
from ulti_stats.game.result import Replay
from ulti_stats.sources.importers import Problem, Record, read_records

_KEY_NAMES = {key.name for key in KEYS}
_KEY_OF_ERROR: dict[type[UltiError], str] = {
    IllegalDeal: "hands",
    IllegalBid: "auction",
    IllegalKontra: "kontras",
    IllegalMarriage: "marriages",
    IllegalCard: "plays",
    ClaimError: "payoffs",
}


@dataclass(frozen=True, slots=True)
class Difference(Problem):
    """A claim of a record that differs from its replay; the hand is kept."""


class ImportedHand(NamedTuple):
    """A hand as recorded, what its replay derived, and the 16 bytes that identify it."""

    history: HandHistory
    replay: Replay
    hand_hash: bytes


@dataclass(slots=True)
class ImportResult:
    """What some files hold: each hand once, and what was found wrong, in the order of the records.

    `sources` names the files that brought a hand, by its hash. `n_duplicates` counts records that repeat a hand of the
    same file or of an earlier one.
    """

    histories: list[ImportedHand] = field(default_factory=list)
    findings: list[Problem] = field(default_factory=list)
    sources: dict[bytes, tuple[str, ...]] = field(default_factory=dict)
    n_duplicates: int = 0

    @property
    def problems(self) -> list[Problem]:
        """Return why records were rejected."""
        return [found for found in self.findings if not isinstance(found, Difference)]

    @property
    def differences(self) -> list[Difference]:
        """Return the claims of kept hands that differ from the replay."""
        return [found for found in self.findings if isinstance(found, Difference)]

    @property
    def n_hands(self) -> int:
        """Return how many different hands were accepted."""
        return len(self.sources)

    @property
    def summary(self) -> str:
        """Return the counts as one line.

        >>> ImportResult().summary
        '0 hands, 0 duplicates, 0 records rejected, 0 claims that differ from the replay'
        """
        return (
            f"{_counted(self.n_hands, 'hand')}, {_counted(self.n_duplicates, 'duplicate')}, "
            f"{_counted(len(self.problems), 'record')} rejected, "
            f"{_counted(len(self.differences), 'claim')} that differ{'s' if len(self.differences) == 1 else ''} from the replay"
        )


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def import_files(paths: Iterable[str | Path]) -> ImportResult:
    """Return the hands of files of any known format, each once, and everything that was wrong with the rest."""
    result = ImportResult()
    result.histories.extend(stream_hands(paths, result))
    return result


def check_file(path: str | Path) -> ImportResult:
    """Return what is wrong with a file, claims that differ included, without keeping its hands (`histories` is empty)."""
    result = ImportResult()
    for _ in stream_hands([path], result):
        pass
    return result


def stream_hands(paths: Iterable[str | Path], result: ImportResult) -> Iterator[ImportedHand]:
    """Yield each new hand of the files as it is read, and note everything else in `result`, which keeps no hand itself."""
    for path in paths:
        yield from _FileImport(str(path), result).hands()


def write_rejects(problems: Iterable[Problem], path: str | Path) -> int:
    """Write problems as JSON Lines (place, field, reason, raw record) and return how many there were."""
    lines = [json.dumps(asdict(problem), ensure_ascii=False) for problem in problems]
    Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


@dataclass(slots=True)
class _FileImport:
    """One file on its way in: which ids and which equal score sheets it has had so far."""

    source: str
    result: ImportResult
    by_id: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    equal_sheets: Counter[bytes] = field(default_factory=Counter)

    def hands(self) -> Iterator[ImportedHand]:
        for found in read_records(self.source):
            if isinstance(found, Problem):
                self.result.findings.append(found)
            elif (hand := self._accept(found)) is not None:
                yield hand

    def _accept(self, record: Record) -> ImportedHand | None:
        """Return the record's hand, or None where it is wrong (noted) or a duplicate (counted)."""
        history = record.history
        try:
            replayed = replay(history)
        except UltiError as error:
            self.result.findings.append(_problem(record, error))
            return None
        own_hash = identity_hash(history, replayed)
        if history.id is not None:
            first_hash, first_place = self.by_id.setdefault(history.id, (own_hash, record.place))
            if first_hash != own_hash:
                reason = f"'{history.id}' stands at {first_place} too, for another hand; an id is unique within a file"
                self.result.findings.append(Problem(record.place, "id", reason, record.raw))
                return None
            if first_place != record.place:
                self.result.n_duplicates += 1
                return None
        hand_hash = self._numbered(history, replayed, own_hash) if history.is_sheet else own_hash
        known = self.result.sources.get(hand_hash, ())
        self.result.sources[hand_hash] = known if self.source in known else (*known, self.source)
        if known:
            self.result.n_duplicates += 1
            return None
        self.result.findings.extend(_differences(record, replayed))
        return ImportedHand(history, replayed, hand_hash)

    def _numbered(self, history: HandHistory, replayed: Replay, own_hash: bytes) -> bytes:
        """Return the identity of a score sheet, which counts the equal rows before it."""
        repeat = self.equal_sheets[own_hash]
        self.equal_sheets[own_hash] += 1
        return identity_hash(history, replayed, repeat=repeat) if repeat else own_hash


def _problem(record: Record, error: UltiError) -> Problem:
    """Return a refused replay as a problem: its text begins with a key, or its kind says which key is meant."""
    text = str(error)
    name, colon, reason = text.partition(": ")
    if colon and name in _KEY_NAMES:
        return Problem(record.place, name, reason, record.raw)
    key = next((key for kind, key in _KEY_OF_ERROR.items() if isinstance(error, kind)), "")
    return Problem(record.place, key, text, record.raw)


def _differences(record: Record, replayed: Replay) -> Iterator[Difference]:
    for text in replayed.disagreements:
        name, _, reason = text.partition(": ")
        yield Difference(record.place, name if name == "payoffs" else f"outcome.{name}", reason, record.raw)
