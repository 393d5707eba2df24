"""Readers of JSON values: each returns the value in the project's own form, or raises `FieldError` with the path to it.

A reader is a function of one decoded value. Readers of lists and objects take other readers and add the index or the key
to the path of what these refuse.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from ulti_stats.errors import NotationError
from ulti_stats.game.cards import CARD_TEXTS, parse_card_list, parse_suit
from ulti_stats.game.rulesets import nearest

Reader = Callable[[Any], Any]

# What a column of the store can hold.
MAX_WHOLE = 2**31 - 1
MAX_SHOWN = 40
MAX_DEPTH = 50
_TOO_DEEP = f"lists and objects are nested more than {MAX_DEPTH} deep; a record is flatter"
_TYPE_NAMES = {dict: "an object", list: "a list", bool: "true or false", type(None): "null"}
_RFC_3339 = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


class FieldError(NotationError):
    """A value is wrong; `steps` lead to it from the outside in, `reason` says what would be right."""

    def __init__(self, reason: str, *steps: str | int):
        super().__init__(reason)
        self.reason = reason
        self.steps = steps

    @property
    def path(self) -> str:
        """Return the path as text, as in `auction[1].discard`."""
        return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.steps).removeprefix(".")


def decoded(data: bytes | str) -> str:
    """Return UTF-8 bytes as text."""
    if isinstance(data, str):
        return data
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise FieldError(f"not UTF-8 at byte {error.start + 1}; save the file as UTF-8") from None


def load_json(data: str) -> Any:
    """Return the value of a JSON text; a key that stands twice in one object, NaN and Infinity are errors.

    >>> load_json('{"seat": 1, "seat": 2}')
    Traceback (most recent call last):
    ulti_stats.game.fields.FieldError: a key stands twice in one object; keep one of the two
    """
    try:
        value = _DECODER.decode(data)
        if "\\u" in data:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise FieldError(_syntax_reason(error, data)) from None
    except UnicodeEncodeError:
        raise FieldError("half of a surrogate pair (\\ud800 to \\udfff) is no character; write the character itself") from None
    except RecursionError:
        raise FieldError(_TOO_DEEP) from None
    except ValueError as error:
        raise FieldError(f"no JSON value: {error}") from None
    if data.count("[") + data.count("{") > MAX_DEPTH and _is_deeper(value, MAX_DEPTH):
        raise FieldError(_TOO_DEEP)
    return value


def _is_deeper(value: Any, depth: int) -> bool:
    level = [value]
    for _ in range(depth + 1):
        level = [each for outer in level if isinstance(outer, dict | list) for each in _inside(outer)]
        if not level:
            return False
    return True


def _inside(outer: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return outer.values() if isinstance(outer, dict) else outer


def _syntax_reason(error: json.JSONDecodeError, data: str) -> str:
    end = len(data.rstrip())
    if error.pos >= end or error.msg.startswith("Unterminated string"):
        return f"the JSON breaks off after {end} characters; the record is cut short, take it from its source again"
    return f"no JSON at column {error.colno}: {error.msg[0].lower()}{error.msg[1:]}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        raise FieldError("a key stands twice in one object; keep one of the two", next(k for k in keys if keys.count(k) > 1))
    return value


def _no_constant(word: str) -> Any:
    raise FieldError(f"{word} is no number; write a number or leave the key out")


def _finite(word: str) -> float:
    value = float(word)
    if math.isinf(value):
        raise FieldError(f"{word} is too large for a number")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)


def _shown(value: Any) -> str:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        shown = repr(value)
        return shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}..."
    return _TYPE_NAMES[type(value)]


def text(value: Any) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise FieldError(f"must be a text, not {_shown(value)}")
    return value


def flag(value: Any) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise FieldError(f"must be true or false, not {_shown(value)}")
    return value


def free_object(value: Any) -> dict[str, Any]:
    """Return an object whatever its keys."""
    if not isinstance(value, dict):
        raise FieldError(f"must be an object, not {_shown(value)}")
    return value


def whole(low: int, high: int, what: str | None = None) -> Reader:
    """Return a reader of whole numbers from `low` to `high`."""
    right = what or f"a whole number from {low} to {high}"

    def read(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise FieldError(f"must be {right}, not {_shown(value)}")
        return value

    return read


seat = whole(0, 2, "a seat (0, 1 or 2)")


def one_of(known: Iterable[str], what: str) -> Reader:
    """Return a reader of texts from a closed list."""
    words = tuple(known)

    def read(value: Any) -> str:
        if text(value) not in words:
            raise FieldError(f"unknown {what} '{value}'{nearest(value, words)}")
        return value

    return read


def exactly(right: Any) -> Reader:
    """Return a reader that accepts one value only."""

    def read(value: Any) -> Any:
        if type(value) is not type(right) or value != right:
            raise FieldError(f"must be {json.dumps(right)}, not {_shown(value)}")
        return value

    return read


def suit(value: Any) -> int:
    """Return the number of a suit written by its name."""
    return int(_noted(parse_suit, text(value)))


def suit_or_null(value: Any) -> int | None:
    """Return the number of a suit, or None for null."""
    return None if value is None else suit(value)


def card_list(value: Any) -> tuple[int, ...]:
    """Return different cards in the order written."""
    cards = _noted(parse_card_list, text(value))
    if len(set(cards)) != len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise FieldError(f"card {CARD_TEXTS[twice]} stands twice; each card is there once")
    return cards


def card_set(size: int) -> Reader:
    """Return a reader of sets of `size` cards as masks."""

    def read(value: Any) -> int:
        cards = card_list(value)
        if len(cards) != size:
            raise FieldError(f"must be {size} cards, not {len(cards)}")
        return mask_of(cards)

    return read


def mask_of(cards: Iterable[int]) -> int:
    """Return the mask of cards."""
    return sum(1 << card for card in cards)


def list_of(item: Reader, size: int | None = None) -> Reader:
    """Return a reader of lists, of `size` items where given, as tuples."""

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise FieldError(f"must be a list, not {_shown(value)}")
        if size is not None and len(value) != size:
            raise FieldError(f"must be a list of {size}, not of {len(value)}")
        return tuple(below(index, item, each) for index, each in enumerate(value))

    return read


def object_of(known: Mapping[str, Reader], *, required: tuple[str, ...] = ()) -> Reader:
    """Return a reader of objects with these keys and no others, as dicts."""

    def read(value: Any) -> dict[str, Any]:
        for key in free_object(value):
            if key not in known:
                raise FieldError(f"unknown key '{key}'{nearest(key, tuple(known))}", key)
        for key in required:
            if key not in value:
                raise FieldError("is missing", key)
        return {key: below(key, known[key], each) for key, each in value.items()}

    return read


def map_of(key: Reader, item: Reader) -> Reader:
    """Return a reader of objects whose keys and values are read alike."""

    def read(value: Any) -> dict[str, Any]:
        return {below(name, key, name): below(name, item, each) for name, each in free_object(value).items()}

    return read


def moment(value: Any) -> str:
    """Return a date and time as RFC 3339 writes them, unchanged."""
    found = _RFC_3339.fullmatch(text(value))
    right = "must be a moment as in 2026-10-19T20:53:00Z (RFC 3339, with a time zone)"
    if found is None:
        raise FieldError(f"{right}, not '{value}'")
    day, minute, second, zone = found.groups()
    try:
        datetime.fromisoformat(f"{day}T{minute}{zone.upper()}")
    except ValueError:
        raise FieldError(f"{right}; there is no '{value}'") from None
    if int(second) > 60:
        raise FieldError(f"{right}; there is no '{value}'")
    return value


def below(step: str | int, reader: Reader, value: Any) -> Any:
    """Return what a reader makes of the value at `step`; a refusal gets the step in front of its path."""
    try:
        return reader(value)
    except FieldError as error:
        raise FieldError(error.reason, step, *error.steps) from None


def _noted(parse: Callable[[str], Any], value: str) -> Any:
    try:
        return parse(value)
    except NotationError as error:
        raise FieldError(str(error)) from None
