"""Importers: one file per format, one line each in the table below.

An importer knows its format by the first bytes of a file and yields its records one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ulti_stats.errors import SourceError
from ulti_stats.sources.importers.files import compression_of, named_compression, read_head
from ulti_stats.sources.importers.records import Problem, Record
from ulti_stats.sources.importers.ulti_hand import is_ulti_hand, read_ulti_hand
from ulti_stats.sources.importers.ultiarena import is_database, is_games_json, read_database, read_games_json

__all__ = ["IMPORTERS", "Importer", "Problem", "Record", "read_records"]

HEAD_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Importer:
    """A format: its name, whether a file that begins with these bytes is one, and the reader of its records."""

    name: str
    sniff: Callable[[bytes], bool]
    read: Callable[[Path], Iterator[Record | Problem]]


# The first that knows a file reads it.
IMPORTERS: tuple[Importer, ...] = (
    Importer("UltiArena database (SQLite)", is_database, read_database),
    Importer("UltiArena games (JSON)", is_games_json, read_games_json),
    Importer("ulti-hand/1 (JSON Lines; plain, gzip or zstd)", is_ulti_hand, read_ulti_hand),
)


def read_records(path: str | Path) -> Iterator[Record | Problem]:
    """Yield the records of a file of any known format one at a time, with a problem in place of what cannot be read.

    A file that is missing, unknown or without any record is one problem; nothing is raised.
    """
    path = Path(path)
    try:
        head = read_head(path, HEAD_BYTES)
        importer = next((importer for importer in IMPORTERS if importer.sniff(head)), None)
        n_found = 0
        for found in importer.read(path) if importer else ():
            n_found += 1
            yield found
    except SourceError as error:
        yield Problem(str(path), "", str(error))
    except OSError as error:
        yield Problem(str(path), "", f"cannot be read: {error.strerror or error}; name a file that exists and can be read")
    else:
        if importer is None and head.strip():
            yield Problem(str(path), "", _unknown(path))
        elif n_found == 0:
            yield Problem(str(path), "", "the file holds no record; a file has at least one")


def _unknown(path: Path) -> str:
    known = "; ".join(importer.name for importer in IMPORTERS)
    promised = named_compression(path)
    hint = f"it is named like a {promised} file, but is none; " if promised and not compression_of(path) else ""
    return f"no known format: {hint}known are {known}"
