"""Which hands a report speaks of, and how its rows are split: the analyst's condition, columns and ruleset."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import cache, wraps
from importlib.resources import files
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar

import pyarrow as pa

from ulti_stats.errors import QueryError
from ulti_stats.game.rulesets import nearest
from ulti_stats.store.views import VIEWS

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")

MAX_SPLITS = 1000
_EXAMPLE = "needed: one SQL condition, as in \"contract = 'ulti'\""


class Warehouse(Protocol):
    """What a question needs of the store: an answer to SQL over its views."""

    def query(self, sql: str, parameters: Mapping[str, Any] | None = None, /) -> pa.Table:
        """Return the answer of a statement, values bound; raises `QueryError` in one line."""
        ...

    @property
    def version(self) -> int:
        """Return a number that changes when questions are answered from another version of the store."""
        ...

    @property
    def lone_values(self) -> Mapping[str, Any]:
        """Return columns of which all hands of this version are known to have one value, with that value."""
        ...


@dataclass(frozen=True, slots=True)
class Selection:
    """An analyst's choice: a SQL condition, columns that split the rows, and a ruleset (id, or digest from its start)."""

    where: str | None = None
    by: tuple[str, ...] = ()
    rules: str | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A statement as it is sent: its text, and the values bound to it."""

    text: str
    values: Mapping[str, list[str]]

    def written_out(self) -> str:
        """Return the statement as text that can be cited and run, its values written in."""
        text = self.text.strip()
        # The longest name first: one may begin with another.
        for name in sorted(self.values, key=len, reverse=True):
            text = text.replace(f"${name}", _literal(self.values[name]))
        return f"{text};\n"


def _literal(values: list[str]) -> str:
    """Return a list of texts as SQL.

    >>> _literal(["a'b", "c"])
    "['a''b', 'c']::VARCHAR[]"
    """
    quoted = ("'" + value.replace("'", "''") + "'" for value in values)
    return f"[{', '.join(quoted)}]::VARCHAR[]"


# checking ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fit:
    """Where a selection makes sense: the views that have all its columns, and the first that can take its condition."""

    views: tuple[str, ...]
    condition_view: str


def check_selection(warehouse: Warehouse, selection: Selection, views: tuple[str, ...]) -> Fit:
    """Return which of `views` can answer the selection.

    Raises `QueryError` for an unknown column, a condition that is none, or a split into more than `MAX_SPLITS` rows.
    """
    known = {view: VIEWS[view].columns for view in views}
    every = {column: "" for columns in known.values() for column in columns}
    for column in selection.by:
        if column not in every:
            raise QueryError(f"--by: unknown column '{column}'{nearest(column, every)}")
    binding = views
    if selection.where is not None:
        parse_condition(warehouse, selection.where)
        binding = _binding_views(warehouse, selection.where, views, every)
    fitting = tuple(view for view in binding if all(column in known[view] for column in selection.by))
    if not fitting:
        homes = ", ".join(f"{column} in {next(view for view in views if column in known[view])}" for column in selection.by)
        raise QueryError(f"no view has all columns of split and condition: {homes}; choose columns of one view")
    if selection.by:
        _check_splits(warehouse, selection, fitting[0])
    return Fit(fitting, binding[0])


def parse_condition(warehouse: Warehouse, where: str) -> None:
    """Raise `QueryError` unless `where` is one SQL expression and nothing after it."""
    tree = _parsed(warehouse, where)
    if tree.get("error"):
        message = "a second statement" if tree["error_type"] == "not implemented" else tree["error_message"]
        raise QueryError(f"--where: {_one_line(message)}; {_EXAMPLE}")
    if _besides_condition(tree) != _besides_condition(_parsed(warehouse, "true")):
        raise QueryError(f"--where: more than a condition; {_EXAMPLE}")


def _parsed(warehouse: Warehouse, where: str) -> dict[str, Any]:
    # The newline ends a comment with which the condition may close.
    text = f"SELECT 1 WHERE\n{where}\n"
    return json.loads(warehouse.query("SELECT json_serialize_sql($text) AS tree", {"text": text})["tree"][0].as_py())


def _besides_condition(tree: dict[str, Any]) -> list[dict[str, Any]]:
    nodes = [statement["node"] for statement in tree["statements"]]
    return [{key: value for key, value in node.items() if key != "where_clause"} for node in nodes]


def _binding_views(warehouse: Warehouse, where: str, views: tuple[str, ...], columns: Mapping[str, str]) -> tuple[str, ...]:
    """Return the views on which the condition makes sense; raises `QueryError` where there is none."""
    fitting, problem = [], ""
    for view in views:
        try:
            described = warehouse.query(f"SELECT column_type FROM (DESCRIBE SELECT (\n{where}\n) AS condition FROM {view})")
            warehouse.query(f"SELECT 1 FROM {view} WHERE (\n{where}\n) LIMIT 0")
        except QueryError as error:
            problem = _explain(str(error), columns)
            continue
        kind = described["column_type"][0].as_py()
        if kind != "BOOLEAN":
            raise QueryError(f"--where: '{_one_line(where)}' is of type {kind}, not true or false; {_EXAMPLE}")
        fitting.append(view)
    if not fitting:
        raise QueryError(f"--where: {problem}")
    return tuple(fitting)


def _explain(message: str, columns: Mapping[str, str]) -> str:
    """Return the database's complaint in one line, an unknown column with the nearest known one."""
    column = re.search(r'Referenced column "(.+?)" not found', message)
    return f"unknown column '{column[1]}'{nearest(column[1], columns)}" if column else _one_line(message)


def _one_line(message: str) -> str:
    return re.sub(r"^[A-Z][A-Za-z ]+ Error: ", "", message.strip().splitlines()[0])


def _check_splits(warehouse: Warehouse, selection: Selection, view: str) -> None:
    columns = ", ".join(f'"{column}"' for column in selection.by)
    condition = f"WHERE (\n{selection.where}\n)" if selection.where else ""
    text = f"SELECT count(*) AS n FROM (SELECT DISTINCT {columns} FROM {view} {condition} LIMIT {MAX_SPLITS + 1})"
    if fetch(warehouse, Query(text, {}))[0]["n"] > MAX_SPLITS:
        raise QueryError(
            f"--by {','.join(selection.by)} splits into more than {MAX_SPLITS} rows; choose a column with fewer values"
        )


# asking -----------------------------------------------------------------------------------------------------------


def split_columns(selection: Selection, *, own: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the columns that split a table, without those that are its own keys already."""
    return tuple(column for column in selection.by if column not in own)


def split_of(row: Mapping[str, Any], selection: Selection, *, own: tuple[str, ...] = ()) -> tuple[Any, ...]:
    """Return a row's values of `split_columns`, bytes and times as text."""
    return tuple(_as_key(row[f"by_{number}"]) for number, column in enumerate(selection.by) if column not in own)


def _as_key(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat(" ") if isinstance(value, datetime) else value


@cache
def sql(question: str) -> str:
    """Return the text of `sql/<question>.sql`."""
    return (files("ulti_stats.stats") / "sql" / f"{question}.sql").read_text(encoding="utf-8")


def compose(
    question: str,
    selection: Selection,
    *,
    digests: tuple[str, ...] | None = None,
    values: Mapping[str, list[str]] | None = None,
    said: str = "",
    lone: Mapping[str, Any] | None = None,
) -> Query:
    """Return the statement of a question with the selection put in.

    The files run as they are; `/* by */` marks where the splitting columns go in as by_0, by_1, ..., `/* and where */`
    where the condition does. `said` names a file that goes in between the marks `/* said */` in place of what is there.
    `digests` picks rulesets, none of them where it is empty; `values` are bound to the names that the file has itself.
    Columns between `/* alike */` and `/* end of alike */` of which all hands have one value, `lone`, are left out there and
    written as that value at `/* lone */`: to group ten million hands by them takes a quarter of a second.
    """
    columns = "".join(f'"{column}" AS by_{number}, ' for number, column in enumerate(selection.by))
    condition = f"AND (\n{selection.where}\n)" if selection.where else ""
    if digests is not None:
        condition = f"AND ruleset_digest IN (SELECT unnest($digests)) {condition}"
    text = re.sub(r"(?s)/\* said \*/.*/\* end of said \*/", lambda _: sql(said), sql(question)) if said else sql(question)
    text, told = _without_lone(text, lone or {})
    text = text.replace("/* lone */", told).replace("/* by */", columns).replace("/* and where */", condition)
    return Query(text, {**(values or {}), **({} if digests is None else {"digests": sorted(digests)})})


def _without_lone(text: str, lone: Mapping[str, Any]) -> tuple[str, str]:
    """Return a statement without the alike columns of a known value, and those as that value.

    >>> text = "/* alike */\\n ruleset,\\n session,\\n level = 'sheet' AS is_sheet,\\n/* end of alike */"
    >>> _without_lone(text, {"ruleset": "rablo", "level": "full"})
    ('/* alike */\\n session,\\n/* end of alike */', "'rablo' AS ruleset, false AS is_sheet, ")
    """
    known = dict(lone) | ({"is_sheet": lone["level"] == "sheet"} if "level" in lone else {})
    told: dict[str, str] = {}

    def left(line: re.Match[str]) -> str:
        name = line["name"]
        if name not in known:
            return line[0]
        told[name] = f"{_constant(known[name])} AS {name}, "
        return ""

    def others(block: re.Match[str]) -> str:
        return re.sub(r"(?m)^ *(?:.* AS )?(?P<name>\w+),\n", left, block[0])

    text = re.sub(r"(?s)/\* alike \*/.*?/\* end of alike \*/", others, text)
    return text, "".join(told.values())


def _constant(value: str | bool | None) -> str:
    """Return a text, a truth or an unknown text as SQL."""
    if value is None:
        return "NULL::VARCHAR"
    return str(value).lower() if isinstance(value, bool) else "'" + value.replace("'", "''") + "'"


def of_one_version(question: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """Let a question be asked again where the store became another version between its statements.

    That is when a compaction cleared files away that it was reading; its first argument is the warehouse.
    """

    @wraps(question)
    def asked(*args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        warehouse: Any = args[0]
        while True:
            version = warehouse.version
            answer = question(*args, **kwargs)
            if warehouse.version == version:
                return answer

    return asked


class Sent(NamedTuple):
    """A statement that was sent, and the rows that will come of it."""

    query: Query
    answer: Future[list[dict[str, Any]]]

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows as soon as they are there."""
        return self.answer.result()


def ask(warehouse: Warehouse, query: Query) -> Sent:
    """Send a statement and go on: one plans on one processor while another scans. Its rows must be waited for."""
    pool = ThreadPoolExecutor(1)
    answer = pool.submit(fetch, warehouse, query)
    pool.shutdown(wait=False)
    return Sent(query, answer)


def fetch(warehouse: Warehouse, query: Query) -> list[dict[str, Any]]:
    """Return the rows of a statement by column name, sums of whole numbers as whole numbers."""
    found = warehouse.query(query.text, query.values or None)
    # The database adds whole numbers in 128 bits, which come as decimals. (Casting them in Arrow would load its functions first.)
    columns = [
        [None if value is None else int(value) for value in column.to_pylist()]
        if pa.types.is_decimal(field.type)
        else column.to_pylist()
        for field, column in zip(found.schema, found.columns, strict=True)
    ]
    names = found.column_names
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
