"""The project's own form: `ulti-hand/1`, one record a line, plain, gzip or zstd."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ulti_stats.errors import RecordError
from ulti_stats.game.notation import parse_history
from ulti_stats.sources.importers.files import read_lines
from ulti_stats.sources.importers.records import Problem, Record


def is_ulti_hand(head: bytes) -> bool:
    """Return whether a file that begins like this holds JSON objects, one a line."""
    return head.lstrip().startswith(b"{") or b'"ulti-hand/' in head


def read_ulti_hand(path: Path) -> Iterator[Record | Problem]:
    """Yield every line of a file as the record that it holds, or as what is wrong with it."""
    for line in read_lines(path):
        if isinstance(line, Problem):
            yield line
            continue
        try:
            history = parse_history(line.data, place=line.place)
        except RecordError as error:
            yield Problem(error.place, error.field, error.reason, line.raw)
        else:
            yield Record(line.place, history, line.raw)
