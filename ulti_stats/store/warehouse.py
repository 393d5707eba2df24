"""Questions to a store: DuckDB over the newest version of its files, with the views that analysts query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import Any, Self, TypeVar

import duckdb
import pyarrow as pa

from ulti_stats.errors import QueryError
from ulti_stats.game.history import HandHistory
from ulti_stats.store.files import has_todays_columns
from ulti_stats.store.rows import decode
from ulti_stats.store.schema import COLUMNS, Column
from ulti_stats.store.solutions import STAGES, Solutions, stage_sql
from ulti_stats.store.table import Store
from ulti_stats.store.views import DERIVED, LISTS, MACROS, VIEWS

Parameters = Sequence[Any] | Mapping[str, Any] | None
Answer = TypeVar("Answer")

# A question is asked again over the newest version when a compaction cleared files away that it was reading.
MAX_ATTEMPTS = 5
_DECODED_AT_ONCE = 20_000
_ROWS_AT_ONCE = 50_000


class Warehouse:
    """A read-only connection to a store, with its views.

    Views speak of the version that was newest when the warehouse was opened or refreshed. Nothing outside the store's
    folder can be read, and no setting changed. `None` in place of a store gives the views without any hand.
    """

    def __init__(self, store: Store | None):
        self.store = store
        self._connection = duckdb.connect()
        self._defined: set[str] = set()
        self._files = ""
        # Questions may come from several threads; views are for all of them.
        self._defining = RLock()
        self.version, self.lone_values = 0, {}
        self._define_hands()
        self._lock()
        self._answer(self.refresh)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """Return DuckDB's own connection with every view, for what `query` does not do."""
        self._answer(lambda: self._define_views(VIEWS))
        return self._connection

    def _define_hands(self) -> None:
        """Make the macros and `raw.hands`, over an empty table of the right types."""
        run = self._connection.execute
        run("SET GLOBAL TimeZone = 'UTC'")
        run("SET GLOBAL parquet_metadata_cache = true")
        run("CREATE SCHEMA raw")
        run(f"CREATE TABLE raw.empty ({_typed(COLUMNS)})")
        run("CREATE VIEW raw.files AS FROM raw.empty")
        for stage, columns in STAGES.items():
            run(f"CREATE TABLE raw.no_{stage} ({_typed(columns)})")
            run(f"CREATE VIEW raw.solved_{stage} AS FROM raw.no_{stage}")
        for macro in MACROS:
            run(f"CREATE MACRO {macro.signature} AS {macro.sql}")
        derived = ", ".join(f"{field.sql} AS {field.name}" for field in DERIVED)
        stored = ", ".join(column.name for column in COLUMNS)
        # A derived column may speak of the ones before it.
        run(f"CREATE VIEW raw.hands AS SELECT {stored}, {derived} FROM raw.files")

    def _define_views(self, names: Iterable[str]) -> None:
        """Make views that are not there yet; together they cost a quarter of a second, so reports make their own only."""
        with self._defining:
            missing = [name for name in names if name not in self._defined]
            if not missing:
                return
            run = self._connection.execute
            # Over the empty table, since a view that is made opens every file that it speaks of. Other threads see none of it.
            run("BEGIN")
            try:
                run("CREATE OR REPLACE VIEW raw.files AS FROM raw.empty")
                for name in missing:
                    run(f"CREATE VIEW {name} AS {VIEWS[name].sql}")
                run(f"CREATE OR REPLACE VIEW raw.files AS {self._files}")
                run("COMMIT")
            except duckdb.Error:
                run("ROLLBACK")
                raise
            self._defined.update(missing)

    def refresh(self) -> None:
        """Let the views speak of the store's newest version, which gives `version` another number.

        `lone_values` are the columns of which all hands have the same value, as far as the log tells without a scan.
        """
        with self._defining:
            self._refresh()

    def _refresh(self) -> None:
        files, self.lone_values = self.store.files_and_lone_values() if self.store else ([], {})
        self._files, self.version = _files_sql(files), self.version + 1
        self._connection.execute(f"CREATE OR REPLACE VIEW raw.files AS {self._files}")
        solutions = Solutions(self.store.path) if self.store else None
        for stage in STAGES:
            if solutions and (files := solutions.files(stage)):
                self._connection.execute(f"CREATE OR REPLACE VIEW raw.solved_{stage} AS {stage_sql(stage, files)}")

    def _lock(self) -> None:
        """Keep statements inside the store's folder: no other file, no download, no Python variable, no change of settings."""
        run = self._connection.execute
        run("SET GLOBAL autoinstall_known_extensions = false")
        run("SET GLOBAL python_enable_replacements = false")
        if self.store:
            run(f"SET GLOBAL allowed_directories = [{_quoted(self.store.path)}]")
        run("SET GLOBAL enable_external_access = false")
        run("SET GLOBAL lock_configuration = true")

    def query(self, sql: str, parameters: Parameters = None) -> pa.Table:
        """Return the answer of the project's own SQL, values bound; raises `QueryError` in one line.

        A reader whose files were cleared away by a compaction reads the newest version and answers from that.
        """
        return self._ask(sql, parameters, views=_views_in(sql))

    def sql(self, text: str) -> pa.Table:
        """Return the answer of one statement that a user wrote, which may only read.

        SELECT, WITH, FROM, VALUES, DESCRIBE, SHOW and SUMMARIZE are answered; anything else raises `QueryError`, as does
        what DuckDB refuses, in one line.
        """
        check_reads_only(text)
        return self._ask(text, None, views=VIEWS)

    def _ask(self, sql: str, parameters: Parameters, *, views: Iterable[str]) -> pa.Table:
        def ask() -> pa.Table:
            with self._defining:
                self._define_views(views)
                cursor = self._connection.cursor()
            return cursor.sql(sql, params=parameters).to_arrow_table()

        return self._answer(ask)

    def _answer(self, ask: Callable[[], Answer]) -> Answer:
        """Return what `ask` returns, over the newest version where a file has gone; raises `QueryError` in one line."""
        gone: duckdb.Error | None = None
        for _ in range(MAX_ATTEMPTS):
            try:
                if gone is not None:
                    self.refresh()
                return ask()
            except (duckdb.IOException, duckdb.HTTPException) as error:
                gone = error
            except duckdb.CatalogException as error:
                if self._defined.issuperset(VIEWS):
                    raise QueryError(_one_line(error)) from None
                # A view that stands where `_views_in` does not look.
                self._define_views(VIEWS)
            except duckdb.Error as error:
                raise QueryError(_one_line(error)) from None
        raise QueryError(f"files of the store are gone: {_one_line(gone)}")

    def rows(self, where: str | None = None, parameters: Parameters = None) -> pa.Table:
        """Return the stored columns of the hands that meet a condition over columns of `hands`, in the store's order."""
        return self.query(_stored_rows(where), parameters)

    def table(self, where: str | None = None, parameters: Parameters = None) -> pa.Table:
        """Return the hands that meet a condition with every column of `hands` and the lists of an export."""
        lists = ", ".join(f"{field.sql} AS {field.name}" for field in LISTS)
        condition = f" WHERE (\n{where}\n)" if where else ""
        text = f"SELECT {', '.join(VIEWS['hands'].columns)}, {lists} FROM raw.hands{condition}"
        check_reads_only(text)
        return self.query(text, parameters)

    def histories(self, where: str | None = None, parameters: Parameters = None) -> Iterator[HandHistory]:
        """Yield the histories of the hands that meet a condition over columns of `hands`, in the store's order.

        A few thousand hands are held at a time. Raises `QueryError`, also where a compaction cleared a file away meanwhile.
        """
        for rows in self._streamed(_stored_rows(where), parameters, at_once=_DECODED_AT_ONCE):
            yield from decode(rows)

    def stored(self, columns: Sequence[str], where: str | None = None) -> Iterator[pa.Table]:
        """Yield stored columns of the hands that meet a condition, a few ten thousand rows at a time; raises as `histories`."""
        yield from self._streamed(_stored_rows(where, columns), None, at_once=_ROWS_AT_ONCE)

    def _streamed(self, sql: str, parameters: Parameters, *, at_once: int) -> Iterator[pa.Table]:
        try:
            relation = self._connection.cursor().sql(sql, params=parameters)
            for batch in relation.to_arrow_reader(at_once):
                yield pa.Table.from_batches([batch])
        except (duckdb.Error, OSError) as error:
            raise QueryError(_one_line(error)) from None


def open_warehouse(path: Path | str) -> Warehouse:
    """Return a read-only warehouse over the store in a folder; raises `StoreError` where there is none."""
    return Warehouse(Store.open(path))


def check_reads_only(text: str) -> None:
    """Raise `QueryError` unless a text is a single statement that only reads.

    >>> check_reads_only("DROP TABLE hands")
    Traceback (most recent call last):
    ulti_stats.errors.QueryError: DROP is not answered; right is one statement that only reads, as SELECT, FROM or DESCRIBE
    """
    try:
        statements = duckdb.extract_statements(text)
    except duckdb.Error as error:
        raise QueryError(_one_line(error)) from None
    right = "right is one statement that only reads, as SELECT, FROM or DESCRIBE"
    if len(statements) != 1:
        raise QueryError(f"{len(statements)} statements; {right}")
    if statements[0].type != duckdb.StatementType.SELECT:
        raise QueryError(f"{statements[0].type.name} is not answered; {right}")


def _views_in(sql: str) -> list[str]:
    """Return the views that a text reads from; what only carries the name of one, as a column or a comment, costs no time.

    >>> _views_in("SELECT kontras FROM hands -- calls")
    ['hands']
    """
    return [name for name in VIEWS if re.search(rf"(?i)\b(from|join)\s+{name}\b", sql)]


def _typed(columns: Iterable[Column]) -> str:
    """Return the columns of an empty table in SQL."""
    return ", ".join(f"{column.name} {_sql_type(column.type)}" for column in columns)


def _sql_type(kind: pa.DataType) -> str:
    """Return DuckDB's name of an Arrow type.

    >>> _sql_type(pa.list_(pa.struct([("seat", pa.int8()), ("bid", pa.string())])))
    'STRUCT(seat TINYINT, bid VARCHAR)[]'
    """
    if isinstance(kind, pa.ListType):
        return f"{_sql_type(kind.value_type)}[]"
    if isinstance(kind, pa.StructType):
        return f"STRUCT({', '.join(f'{field.name} {_sql_type(field.type)}' for field in kind)})"
    if isinstance(kind, pa.FixedSizeBinaryType):
        return "BLOB"
    return _SQL_TYPES[kind]


_SQL_TYPES = {
    pa.bool_(): "BOOLEAN",
    pa.int8(): "TINYINT",
    pa.int16(): "SMALLINT",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
    pa.uint32(): "UINTEGER",
    pa.float64(): "DOUBLE",
    pa.string(): "VARCHAR",
}


def _stored_rows(where: str | None, columns: Iterable[str] | None = None) -> str:
    chosen = ", ".join(columns or (column.name for column in COLUMNS))
    text = f"SELECT {chosen} FROM raw.hands" + (f" WHERE (\n{where}\n)" if where else "")
    check_reads_only(text)
    return text


def _files_sql(files: list[Path]) -> str:
    if not files:
        return "FROM raw.empty"
    listed = ", ".join(_quoted(path) for path in files)
    if all(has_todays_columns(path.name) for path in files):
        return f"FROM read_parquet([{listed}])"
    # Files of older columns: matching by name costs some time, and the empty table adds columns that no file has.
    return f"FROM read_parquet([{listed}], union_by_name = true) UNION ALL BY NAME FROM raw.empty"


def _quoted(path: Path) -> str:
    return "'" + str(path.resolve()).replace("'", "''") + "'"


def _one_line(error: Exception | None) -> str:
    """Return what DuckDB says without its picture of the place, hints joined.

    >>> _one_line(ValueError("Parser Error: syntax error\\n\\nLINE 1: SELEC 1\\n        ^"))
    'Parser Error: syntax error'
    """
    lines = str(error).split("\n\nLINE ", 1)[0].splitlines()
    return " ".join(line.strip() for line in lines if line.strip())
