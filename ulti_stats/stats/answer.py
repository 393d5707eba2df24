"""What a question returns: a report of tables, each figure with its interval, its marks and its population."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ulti_stats.errors import QueryError
from ulti_stats.game.options import option_text
from ulti_stats.game.rulesets import nearest
from ulti_stats.stats.estimates import Interval
from ulti_stats.stats.population import TERMINATIONS, Population, Stratum
from ulti_stats.stats.selection import Query, Selection

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Kind = Literal["rate", "units", "break_even", "difference"]

MIN_N: dict[Kind, int] = {"rate": 20, "units": 30, "break_even": 20, "difference": 20}
MIN_CLUSTERS = 10
COUNTS_ONLY = 5
MARKS = {
    "†": "† fewer than 20 (rates) or 30 (units)",
    "‡": "‡ fewer than 10 sessions",
    "!": "! one hand is more than a quarter of all units moved",
    "○": "○ open-card",
}
ESTIMATE_COLUMNS = ("value", "low", "high", "n", "k", "x", "y", "G", "df", "method", "marks")


@dataclass(frozen=True, slots=True)
class Measure:
    """What a figure measures: the name under which `docs/measures.md` explains it, and its question."""

    name: str
    question: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A column of figures: its name in data, its heading, its kind, and the measure that it is."""

    name: str
    title: str
    kind: Kind
    measure: Measure


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure with its marks: † small n, ‡ few clusters, ! one hand rules, ○ open-card."""

    interval: Interval
    marks: str = ""

    @property
    def is_pale(self) -> bool:
        """Return whether n is below the measure's minimum: printed pale, not charted."""
        return "†" in self.marks

    @property
    def counts_only(self) -> bool:
        """Return whether n is so small that only the counts are printed."""
        return self.interval.n < COUNTS_ONLY


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: where it is from, what it is, its counts and figures, in the order of the table's columns."""

    stratum: Stratum
    keys: tuple[Any, ...]
    counts: tuple[int, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a report: key columns, count columns, figure columns, and rows. `charted` names the figures to draw."""

    name: str
    keys: tuple[str, ...]
    counts: tuple[str, ...]
    figures: tuple[Figure, ...]
    rows: tuple[Row, ...]
    charted: tuple[str, ...] = ()

    def of(self, stratum: Stratum) -> tuple[Row, ...]:
        """Return the rows of one stratum."""
        return tuple(row for row in self.rows if row.stratum == stratum)

    def cell(self, figure: str, *keys: Any) -> Cell:
        """Return the figure of the first row with these keys; raises `KeyError` where there is none."""
        place = [one.name for one in self.figures].index(figure)
        for row in self.rows:
            if row.keys == keys:
                return row.cells[place]
        raise KeyError(keys)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield one record per row and figure, in long form."""
        for row in self.rows:
            head = {"table": self.name, "ruleset": row.stratum.ruleset, "ruleset_digest": row.stratum.digest}
            head |= {"source": row.stratum.source, **dict(zip(self.keys, row.keys, strict=True))}
            head |= dict(zip(self.counts, row.counts, strict=True))
            for figure, cell in zip(self.figures, row.cells, strict=True):
                found = cell.interval
                sums = (_whole(found.k), _whole(found.x), _whole(found.y))
                values = (found.value, found.low, found.high, found.n, *sums, found.clusters, found.df)
                estimate = dict(zip(ESTIMATE_COLUMNS, (*values, found.method, cell.marks), strict=True))
                yield head | {"measure": figure.measure.name, "figure": figure.name} | estimate


@dataclass(frozen=True, slots=True)
class Report:
    """The answer to a question: tables with their populations, and everything that a caption must say.

    `left_out` counts, by stratum, what the measure could not use and why; `sessions` are the recorded sittings behind
    it. `queries` are the statements that were sent.
    """

    name: str
    title: str
    selection: Selection
    populations: tuple[Population, ...]
    tables: tuple[Table, ...]
    queries: tuple[Query, ...]
    counted: tuple[str, ...]
    sessions: dict[Stratum, int] = field(default_factory=dict)
    left_out: dict[Stratum, dict[str, int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def table(self, name: str) -> Table:
        """Return the table with this name; raises `QueryError`."""
        found = {table.name: table for table in self.tables}
        if name not in found:
            raise QueryError(f"report {self.name} has no table '{name}'{nearest(name, found)}")
        return found[name]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Return the measures shown, in order."""
        return tuple(dict.fromkeys(figure.measure for table in self.tables for figure in table.figures))

    def records(self) -> list[dict[str, Any]]:
        """Return every figure of every table in long form, keys that a table lacks left out."""
        return [record for table in self.tables for record in table.records()]

    def to_pandas(self, table: str | None = None) -> pd.DataFrame:
        """Return one table, or all of them, as a data frame: a line per row and figure with value, low, high, n, ..."""
        import pandas as pd

        records = self.records() if table is None else list(self.table(table).records())
        return pd.DataFrame.from_records(records, columns=columns_of_records(records))

    def to_arrow(self, table: str | None = None) -> pa.Table:
        """Return the same as `to_pandas` as an Arrow table."""
        import pyarrow as pa

        records = self.records() if table is None else list(self.table(table).records())
        columns = {name: [record.get(name) for record in records] for name in columns_of_records(records)}
        return pa.table({name: _arrow_column(values) for name, values in columns.items()})

    def captions(self) -> tuple[str, ...]:
        """Return one caption a stratum: measures, population, rules, source, counts, method, marks, rows."""
        return tuple(self.caption(population) for population in self.populations)

    def caption(self, population: Population) -> str:
        """Return what a reader must know of the rows of one stratum."""
        stratum = population.stratum
        cells = [cell for table in self.tables for row in table.of(stratum) for cell in row.cells]
        rows = sum(len(table.of(stratum)) for table in self.tables)
        seen = {mark for cell in cells for mark in cell.marks}
        parts = [
            ", ".join(measure.name for measure in self.measures),
            *([f"where {' '.join(self.selection.where.split())}"] if self.selection.where else []),
            f"{stratum.ruleset} {stratum.digest[:8]}{options_of(population)}",
            f"{stratum.source}{_seeds(population)}",
            f"{_counts(population.terminations, TERMINATIONS)}; counted: {', '.join(TERMINATIONS[one] for one in self.counted)}",
            f"levels {_counts(population.levels, {})}",
            *(f"left out: {why} {number:,}" for why, number in self.left_out.get(stratum, {}).items() if number),
            *([f"claims that differ {population.differing:,}"] if population.differing else []),
            f"{population.counted:,} hands" + self._sessions(stratum),
            self._method(stratum),
            *(text for mark, text in MARKS.items() if mark in seen),
            f"{rows} rows looked at",
        ]
        return " · ".join(parts)

    def _sessions(self, stratum: Stratum) -> str:
        number = self.sessions.get(stratum, 0)
        return f", {number:,} sessions" if number else ""

    def _method(self, stratum: Stratum) -> str:
        clustered = "clustered by session" if self.sessions.get(stratum) else "hands independent"
        return f"95 % Wilson for rates, 95 % t for units, {clustered}"


def columns_of_records(records: Sequence[dict[str, Any]]) -> list[str]:
    """Return the columns of long records: where from, keys and counts of any table, then the estimate."""
    last = ("measure", "figure", *ESTIMATE_COLUMNS)
    first = dict.fromkeys(name for record in records for name in record if name not in (*last, "shown"))
    return [*first, *last]


def cell(kind: Kind, interval: Interval, *, one_hand_rules: bool = False) -> Cell:
    """Return a figure with the marks that it earns.

    >>> from ulti_stats.stats.estimates import wilson
    >>> cell("rate", wilson(5, 8)).marks
    '†'
    """
    marks = "†" if interval.n < MIN_N[kind] else ""
    if interval.clusters is not None and interval.clusters < MIN_CLUSTERS and "session" in interval.method:
        marks += "‡"
    return Cell(interval, marks + ("!" if one_hand_rules else ""))


def sortable(keys: Sequence[Any]) -> tuple[tuple[bool, Any], ...]:
    """Return keys that compare, unknown ones last."""
    return tuple((key is None, 0 if key is None else key) for key in keys)


def _whole(number: float | None) -> float | None:
    """Return a sum as a whole number where it is one."""
    return int(number) if number is not None and number == int(number) else number


def _arrow_column(values: list[Any]) -> pa.Array:
    import pyarrow as pa

    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        return pa.array([None if value is None else float(value) for value in values])
    return pa.array(values if len(kinds) <= 1 else [None if value is None else str(value) for value in values])


def _counts(numbers: Any, names: Any) -> str:
    return ", ".join(f"{names.get(name, name)} {number:,}" for name, number in sorted(numbers.items()) if number)


def options_of(population: Population) -> str:
    """Return a population's options as the command line takes them, each after a comma; empty for a preset."""
    return "".join(f", {option_text(name, value)}" for name, value in population.options.items())


def _seeds(population: Population) -> str:
    if population.seeds is None:
        return ""
    first, last = population.seeds
    return f", seed {first}" if first == last else f", seeds {first} to {last}"
