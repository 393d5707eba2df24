"""What a view is: documented fields, each with the SQL that makes it, over one or more scans of the hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a view: name, meaning, and the SQL expression; `{words}` in it stand for what a branch fills in."""

    name: str
    sql: str
    meaning: str


@dataclass(frozen=True, slots=True)
class View:
    """A view: what there is one row per, the fields of its own, those that it carries over from `hands`, and its SQL."""

    name: str
    row: str
    fields: tuple[Field, ...]
    carried: tuple[Field, ...]
    sql: str

    @property
    def columns(self) -> dict[str, str]:
        """Return the meaning of every column by name, in the order of the view."""
        return {field.name: field.meaning for field in (*self.carried, *self.fields)}


def scan(
    fields: Iterable[Field],
    *,
    source: str,
    carried: Iterable[Field] = (),
    where: str = "",
    words: Mapping[str, str | int] | None = None,
) -> str:
    """Return one SELECT of carried columns and fields, with the words of this branch filled in."""
    words = words or {}
    selected = [field.name for field in carried]
    selected += [f"{field.sql.format_map(words)} AS {field.name}" for field in fields]
    condition = f" WHERE {where.format_map(words)}" if where else ""
    return f"SELECT {', '.join(selected)} FROM {source}{condition}"


def union(scans: Iterable[str]) -> str:
    """Return the scans one behind the other: a question reads only the columns that it names, scan by scan."""
    return "\nUNION ALL ".join(scans)


def role_of(seat: str) -> str:
    """Return the SQL for what a seat is in its hand: declarer, defender_1 (after him), defender_2, or none."""
    return f"""CASE WHEN declarer IS NULL THEN 'none' WHEN {seat} = declarer THEN 'declarer'
WHEN {seat} = (declarer + 1) % 3 THEN 'defender_1' ELSE 'defender_2' END"""


def place_of(seat: str) -> str:
    """Return the SQL for a seat's place in the order of speaking, null where the seats are unknown."""
    return f"CASE ({seat} - forehand + 3) % 3 WHEN 0 THEN 'forehand' WHEN 1 THEN 'middle' WHEN 2 THEN 'rear' END"
