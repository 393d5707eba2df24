"""UltiArena, the live site: its SQLite file and its JSON, as hand histories under the ruleset `ultiarena`.

Nothing personal is kept: `ip` and `device` reach neither a history nor a reject file.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from ulti_stats.game.fields import FieldError, below, decoded, load_json
from ulti_stats.sources.importers.files import Line, open_stream, read_chunks, read_lines
from ulti_stats.sources.importers.records import Problem, Record
from ulti_stats.sources.importers.ultiarena.mapping import history_of

_SQLITE_MAGIC = b"SQLite format 3\x00"
_NESTED = ("seat_gp", "players", "transcript")
_PERSONAL = ("ip", "device")
# The first line of a JSON text that is spread over many lines is about as short as this.
_SHORT_LINE = 100


def is_database(head: bytes) -> bool:
    """Return whether a file that begins like this is a SQLite file."""
    return head.startswith(_SQLITE_MAGIC)


def is_games_json(head: bytes) -> bool:
    """Return whether a file that begins like this holds the site's games as JSON: lines, a list, or a page with a list."""
    return head.lstrip()[:1] in (b"{", b"[") and b'"soloist_seat"' in head and b'"ulti-hand/' not in head


def read_database(path: Path) -> Iterator[Record | Problem]:
    """Yield every row of the table `games`; a place is `file:row number`."""
    # A write-ahead log beside the file means that it may be in use; without one nothing is ever written next to it.
    is_live = path.with_name(f"{path.name}-wal").exists()
    uri = f"{path.absolute().as_uri()}?mode=ro{'' if is_live else '&immutable=1'}"
    number = 0
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.text_factory = lambda data: data.decode("utf-8", "backslashreplace")
            rows = connection.execute("SELECT * FROM games ORDER BY rowid")
            columns = [column[0] for column in rows.description]
            for number, row in enumerate(rows, 1):
                yield _read_game(dict(zip(columns, row, strict=True)), place=f"{path}:row {number}")
    except sqlite3.Error as error:
        reason = f"the SQLite file cannot be read on ({error}); it needs a whole table games, copy the file again"
        yield Problem(f"{path}:row {number + 1}", "", reason)


def read_games_json(path: Path) -> Iterator[Record | Problem]:
    """Yield every game of a file with one game a line, or with one list of games (bare, or in a page object)."""
    first = next((line for line in read_lines(path)), None)
    if isinstance(first, Line) and _is_whole(first.data):
        try:
            games = _list_of_games(_load_whole(path))
        except FieldError as error:
            if first.data[:1] == b"[":
                yield Problem(str(path), error.path, error.reason)
                return
        else:
            for number, game in enumerate(games, 1):
                yield _read_game(game, place=f"{path}:game {number}")
            return
    for line in read_lines(path):
        yield line if isinstance(line, Problem) else _read_line(line)


def _is_whole(first: bytes) -> bool:
    """Return whether a first line begins (or is) one JSON text for the whole file: a list, or a page with a list."""
    if first[:1] == b"[":
        return True
    try:
        value = load_json(decoded(first))
    except FieldError:
        return len(first) < _SHORT_LINE
    return isinstance(value, dict) and "soloist_seat" not in value


def _load_whole(path: Path) -> Any:
    with open_stream(path) as stream:
        return load_json(decoded(b"".join(read_chunks(stream)).removeprefix(b"\xef\xbb\xbf")))


def _list_of_games(value: Any) -> list[Any]:
    if isinstance(value, dict) and "soloist_seat" not in value:
        value = next((each for each in value.values() if isinstance(each, list)), value)
    return value if isinstance(value, list) else [value]


def _read_line(line: Line) -> Record | Problem:
    try:
        return _read_game(load_json(decoded(line.data)), place=line.place)
    except FieldError as error:
        return Problem(line.place, error.path, error.reason, _without_personal_text(line.raw))


def _read_game(game: Any, *, place: str) -> Record | Problem:
    """Return the record of a game; in SQLite its nested parts are JSON texts."""
    try:
        if isinstance(game, dict):
            nested = {key: below(key, load_json, game[key]) for key in _NESTED if isinstance(game.get(key), str)}
            game = _without_personal(game | nested)
        raw = json.dumps(game, ensure_ascii=False, default=repr)
        return Record(place, history_of(game), raw)
    except FieldError as error:
        raw = _without_personal_text(json.dumps(game, ensure_ascii=False, default=repr))
        return Problem(place, error.path, error.reason, raw)


def _without_personal(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_personal(each) for key, each in value.items() if key not in _PERSONAL}
    return [_without_personal(each) for each in value] if isinstance(value, list) else value


_PERSONAL_TEXT = re.compile(r'(\\*"(?:ip|device)\\*"\s*:\s*)(?:\\*"[^"\\]*(?:\\*")?|\{[^}]*\}?)')


def _without_personal_text(text: str) -> str:
    """Return a text that is no JSON with the values of `ip` and `device` taken out."""
    return _PERSONAL_TEXT.sub(r"\1null", text)
