"""Reports and query answers as text: for a terminal, as CSV, as JSON, as Markdown."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from rich import box
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from ulti_stats.errors import UltiError
from ulti_stats.game.rulesets import nearest
from ulti_stats.report.numbers import format_cell, format_key, format_record
from ulti_stats.stats.answer import Figure, Kind, Measure, Report, Row, Table, columns_of_records, options_of
from ulti_stats.stats.population import Population

FORMATS = ("table", "csv", "json", "md")
# Where nothing says how wide the page is: wide enough for every table of ours.
_WIDTH = 160
_CAPTION_WIDTH = 110
_GAP = 3


@dataclass(frozen=True, slots=True)
class _Column:
    """A printed column: its heading and whether its entries stand at the right."""

    heading: str
    is_number: bool = True


@dataclass(frozen=True, slots=True)
class _Block:
    """The rows of one table, stratum and measure, ready to print; pale rows apart by place."""

    title: str
    columns: tuple[_Column, ...]
    rows: tuple[tuple[str, ...], ...]
    pale: frozenset[int] = frozenset()

    @property
    def width(self) -> int:
        """Return how many characters the widest line takes."""
        lines = (tuple(column.heading for column in self.columns), *self.rows)
        return sum(max(cell_len(entry) for entry in entries) + _GAP for entries in zip(*lines, strict=True))


# reports ----------------------------------------------------------------------------------------------------------


def report_text(report: Report, format: str = "table", *, width: int | None = None) -> str:
    """Return a report as plain text in one of `FORMATS`; raises `UltiError` for another.

    CSV and JSON hold one record per row and figure, with k, n, x, y, G, df, method, low and high.
    """
    match _known(format):
        case "csv":
            records = _records(report)
            return _csv([*columns_of_records(records), "shown"], records)
        case "json":
            return json.dumps(_document(report), indent=1, ensure_ascii=False) + "\n"
        case "md":
            return _markdown(report)
    return _report_text(report, width or _WIDTH)


def print_report(report: Report, console: Console | None = None) -> None:
    """Print a report on a terminal, marked rows pale; elsewhere as plain text at full width."""
    console = console or Console()
    if not console.is_terminal:
        console.file.write(report_text(report))
        return
    console.print(_rich_report(report, console.width))


def _known(format: str) -> str:
    if format not in FORMATS:
        raise UltiError(f"unknown format '{format}'{nearest(format, FORMATS)}")
    return format


def _records(report: Report) -> list[dict[str, Any]]:
    """Return the report's records, each with its figure as a table shows it."""
    kinds: dict[tuple[str, str], Kind] = {(table.name, one.name): one.kind for table in report.tables for one in table.figures}
    return [
        {"report": report.name, **record, "shown": format_record(kinds[record["table"], record["figure"]], record)}
        for record in report.records()
    ]


def _document(report: Report) -> dict[str, Any]:
    return {
        "report": report.name,
        "title": report.title,
        "measures": [measure.name for measure in report.measures],
        "where": report.selection.where,
        "by": list(report.selection.by),
        "captions": list(report.captions()),
        "notes": list(report.notes),
        "tables": [{"name": table.name, "rows": list(table.records())} for table in report.tables],
    }


# layout -----------------------------------------------------------------------------------------------------------


def _blocks(report: Report, population: Population, width: int | None = None) -> Iterator[_Block]:
    """Yield a block for every table and measure of a stratum that has rows; one per figure where `width` is too little."""
    for table in report.tables:
        rows = table.of(population.stratum)
        for measure in dict.fromkeys(figure.measure for figure in table.figures):
            places = [place for place, figure in enumerate(table.figures) if figure.measure == measure]
            if not rows:
                continue
            block = _block(table, rows, measure, places)
            if width is None or block.width <= width:
                yield block
            else:
                yield from (_block(table, rows, measure, [place]) for place in places)


def _block(table: Table, rows: Sequence[Row], measure: Measure, places: Sequence[int]) -> _Block:
    figures = [table.figures[place] for place in places]
    counts = table.counts if 0 in places else ()
    columns = [_Column(key, is_number=False) for key in table.keys]
    columns.append(_Column(f"{figures[0].name.replace('_', ' ')}/n" if figures[0].kind == "rate" else "n"))
    columns += [_Column(heading) for figure in figures for heading in _headings(figure)]
    columns += [_Column(count) for count in counts]
    lines, pale = [], set()
    for number, row in enumerate(rows):
        cells = [row.cells[place] for place in places]
        line = [format_key(key) for key in row.keys]
        line.append(_denominator(row, places))
        for figure, cell in zip(figures, cells, strict=True):
            shown, bounds = format_cell(figure, cell)
            if cell.interval.n != cells[0].interval.n:
                shown = f"{shown} (n {cell.interval.n:,})"
            line += [shown] if figure.kind == "break_even" else [shown, bounds]
        line += [f"{count:,}" if count else "" for count in (row.counts if counts else ())]
        lines.append(tuple(line))
        if all(cell.is_pale for cell in cells):
            pale.add(number)
    return _Block(f"{measure.name}. {measure.question}", tuple(columns), tuple(lines), frozenset(pale))


def _headings(figure: Figure) -> tuple[str, ...]:
    return (figure.title,) if figure.kind == "break_even" else (figure.title, "95 %")


def _denominator(row: Row, places: Sequence[int]) -> str:
    found = row.cells[places[0]].interval
    return f"{found.n:,}" if found.k is None else f"{found.k:,.0f}/{found.n:,}"


def _stratum_line(population: Population) -> str:
    stratum = population.stratum
    return f"{stratum.ruleset} {stratum.digest[:8]}{options_of(population)} · {stratum.source} · {population.counted:,} hands"


# terminal ---------------------------------------------------------------------------------------------------------


def _parts(report: Report, width: int) -> Iterator[tuple[str, str | _Block]]:
    """Yield what a page shows from top to bottom, as (style, text wrapped to the width, or a table)."""
    caption_width = min(width, _CAPTION_WIDTH)
    yield "bold", _wrapped(report.title, width)
    if not report.populations:
        yield "", "No hands meet the selection."
    for population in report.populations:
        yield "", ""
        yield "bold cyan", _wrapped(_stratum_line(population), width)
        for block in _blocks(report, population, width):
            yield "", ""
            yield "italic", _wrapped(block.title, width)
            yield "", block
        yield "", ""
        yield "dim", _wrapped(report.caption(population), caption_width)
    if report.notes:
        yield "", ""
        for note in report.notes:
            yield "", _wrapped(note, caption_width)


def _wrapped(text: str, width: int) -> str:
    return "\n".join(textwrap.wrap(text, width))


def _rich_report(report: Report, width: int) -> RenderableType:
    return Group(
        *(Text(part, style=style) if isinstance(part, str) else _rich_table(part) for style, part in _parts(report, width))
    )


def _rich_table(block: _Block) -> RichTable:
    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in block.columns:
        table.add_column(column.heading, justify="right" if column.is_number else "left", no_wrap=column.is_number)
    for number, line in enumerate(block.rows):
        table.add_row(*(Text(entry) for entry in line), style="dim" if number in block.pale else "")
    return table


def _report_text(report: Report, width: int) -> str:
    """Return what `_rich_report` shows, as plain text."""
    parts = (part for _, part in _parts(report, width))
    return "\n".join(part if isinstance(part, str) else "\n".join(_table_lines(part, width)) for part in parts) + "\n"


def _table_lines(block: _Block, width: int) -> list[str]:
    """Return a table as `_rich_table` lays it out. Where nothing needs wrapping that takes rich ten times as long."""
    if block.width > width:
        return _plain(_rich_table(block), width).splitlines()
    lines = [tuple(column.heading for column in block.columns), *block.rows]
    widths = [max(map(cell_len, entries)) for entries in zip(*lines, strict=True)]

    def laid_out(line: Sequence[str]) -> str:
        padded = []
        for column, entry, size in zip(block.columns, line, widths, strict=True):
            blank = " " * (size - cell_len(entry))
            padded.append(blank + entry if column.is_number else entry + blank)
        return (" " * _GAP).join(padded).rstrip()

    rule = "─" * (sum(widths) + _GAP * (len(widths) - 1))
    return [laid_out(lines[0]), rule, *map(laid_out, lines[1:])]


def _plain(content: RenderableType, width: int) -> str:
    file = io.StringIO()
    Console(file=file, width=width, color_system=None, force_terminal=False).print(content)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


# text formats -----------------------------------------------------------------------------------------------------


def _csv(columns: Sequence[str], records: Iterable[dict[str, Any]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return file.getvalue()


def _markdown(report: Report) -> str:
    parts = [f"# {report.title}", *([] if report.populations else ["No hands meet the selection."])]
    for population in report.populations:
        parts.append(f"## {_stratum_line(population)}")
        for block in _blocks(report, population):
            parts += [f"**{block.title}**", _markdown_table(block.columns, block.rows)]
        parts.append(f"*{_escaped(report.caption(population))}*")
    return "\n\n".join([*parts, *report.notes]) + "\n"


def _markdown_table(columns: Sequence[_Column], rows: Iterable[Sequence[str]]) -> str:
    rule = ["--:" if column.is_number else ":--" for column in columns]
    lines = [[column.heading for column in columns], rule, *rows]
    return "\n".join(f"| {' | '.join(_escaped(entry) for entry in line)} |" for line in lines)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("\n", " ")


# answers to SQL ---------------------------------------------------------------------------------------------------


def arrow_text(table: pa.Table, format: str = "table") -> str:
    """Return an Arrow table as text in one of `FORMATS`; masks and counts stay numbers, bytes become hex digits.

    >>> print(arrow_text(pa.table({"contract": ["ulti"], "n": [3]}), "md"), end="")
    | contract | n |
    | :-- | --: |
    | ulti | 3 |
    """
    names = table.column_names
    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True)) if names else []
    match _known(format):
        case "csv":
            return _csv_rows(names, rows)
        case "json":
            records = [dict(zip(names, map(_plain_value, row), strict=True)) for row in rows]
            return json.dumps(records, indent=1, ensure_ascii=False) + "\n"
    columns = tuple(_Column(field.name, _is_number(field.type)) for field in table.schema)
    texts = tuple(tuple(_shown(value) for value in row) for row in rows)
    if format == "md":
        return _markdown_table(columns, texts) + "\n"
    block = _Block("", columns, texts)
    return "\n".join(_table_lines(block, block.width)) + "\n" if names else "\n"


def _csv_rows(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_plain_value(value) for value in row] for row in rows)
    return file.getvalue()


def _is_number(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def _plain_value(value: Any) -> Any:
    """Return a value that JSON and CSV can hold."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [_plain_value(one) for one in value]
    if isinstance(value, dict):
        return {name: _plain_value(one) for name, one in value.items()}
    return int(value) if hasattr(value, "as_tuple") and value == value.to_integral_value() else str(value)


def _shown(value: Any) -> str:
    """Return a value as a terminal shows it.

    >>> _shown(0.123456789), _shown(None), _shown(True)
    ('0.123457', '', 'true')
    """
    value = _plain_value(value)
    formats: dict[type, Callable[[Any], str]] = {float: lambda number: f"{number:.6g}", bool: lambda flag: str(flag).lower()}
    if value is None:
        return ""
    return formats.get(type(value), str)(value)
