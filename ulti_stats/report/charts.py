"""Reports as charts: a point with its 95 % line for every row, n beside its label, and the caption below."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ulti_stats.errors import UltiError
from ulti_stats.report import theme
from ulti_stats.report.numbers import MINUS, format_key
from ulti_stats.report.tables import report_text
from ulti_stats.stats.answer import Cell, Figure, Report, Row, Table
from ulti_stats.stats.population import Population

SUFFIXES = (".svg", ".png")
# A page of rows; what is more stands in the CSV beside the chart.
MAX_ROWS = 60


@dataclass(frozen=True, slots=True)
class _Section:
    """The rows and figures of one table and stratum that are drawn, the rows' places from the top, and what is not drawn."""

    population: Population
    table: Table
    figures: tuple[Figure, ...]
    empty: tuple[Figure, ...]
    rows: tuple[Row, ...]
    places: tuple[float, ...]
    left_out: int

    @property
    def height(self) -> float:
        """Return the height of the panels in inches."""
        return self.places[-1] + theme.ROW_HEIGHT if self.places else 0.0

    @property
    def labels(self) -> tuple[str, ...]:
        """Return what each row is called."""
        return tuple(_label(self.table, row) for row in self.rows)


# saving -----------------------------------------------------------------------------------------------------------


def check_chart(path: Path) -> None:
    """Raise `UltiError` for a chart file of an unknown kind."""
    if path.suffix.lower() not in SUFFIXES:
        raise UltiError(f"chart {path}: unknown kind '{path.suffix}'; name a file that ends in .svg or .png")


def save_chart(report: Report, path: Path | str) -> tuple[Path, Path, Path]:
    """Write a report's chart, and beside it its figures as CSV and its statements as SQL; return the three paths.

    The suffix decides between SVG and PNG; the same report gives the same bytes. Raises `UltiError` for another suffix
    and where the file cannot be written.
    """
    path = Path(path)
    check_chart(path)
    drawing = draw_chart(report)
    beside = path.with_suffix(".csv"), path.with_suffix(".sql")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with mpl.rc_context(theme.SETTINGS):
            if path.suffix.lower() == ".svg":
                drawing.savefig(path, format="svg", metadata={"Date": None, "Creator": "ulti_stats"})
            else:
                drawing.savefig(path, format="png", dpi=theme.DPI, metadata={"Software": "ulti_stats"})
        beside[0].write_text(report_text(report, "csv"), encoding="utf-8")
        beside[1].write_text("\n".join(query.written_out() for query in report.queries), encoding="utf-8")
    except OSError as error:
        raise UltiError(f"chart {path} cannot be written: {error.strerror or error}") from None
    return path, *beside


def draw_chart(report: Report) -> Drawing:
    """Return a report's chart: for each ruleset and source a panel per charted figure, rows of enough hands only."""
    sections = [_section(population, table) for population in report.populations for table in report.tables if table.charted]
    drawn = [section for section in sections if section.rows]
    caption = _caption_lines(report, sections)
    height = (
        theme.TITLE_HEIGHT
        + sum(theme.SECTION_HEIGHT + theme.HEAD_HEIGHT + section.height + theme.AXIS_HEIGHT for section in drawn)
        + theme.LINE_HEIGHT * len(caption)
        + theme.MARGIN
    )
    with mpl.rc_context(theme.SETTINGS):
        drawing = Drawing(figsize=(theme.WIDTH, height))
        _write(drawing, theme.MARGIN, 0.3, report.title, size=theme.TITLE_SIZE, weight="bold")
        top = theme.TITLE_HEIGHT
        sources = list(dict.fromkeys(section.population.stratum.source for section in drawn))
        label_width = theme.LABEL_CHARACTER * max((len(label) for section in drawn for label in section.labels), default=0)
        for section in drawn:
            colour = theme.SERIES[sources.index(section.population.stratum.source) % len(theme.SERIES)]
            _draw_section(drawing, section, top, colour, label_width)
            top += theme.SECTION_HEIGHT + theme.HEAD_HEIGHT + section.height + theme.AXIS_HEIGHT
        for number, line in enumerate(caption):
            down = top + theme.LINE_HEIGHT * (number + 0.6)
            _write(drawing, theme.MARGIN, down, line, size=theme.SMALL_SIZE, color=theme.GREY)
    return drawing


# what is drawn ----------------------------------------------------------------------------------------------------


def _section(population: Population, table: Table) -> _Section:
    places = [place for place, figure in enumerate(table.figures) if figure.name in table.charted]
    every = table.of(population.stratum)
    enough = [row for row in every if any(_is_drawn(row.cells[place]) for place in places)]
    kept = sorted(sorted(enough, key=lambda row: -_most_hands(row))[:MAX_ROWS], key=every.index)
    # A panel without a single point would have an axis of made-up numbers.
    drawn = [place for place in places if any(_is_drawn(row.cells[place]) for row in kept)]
    figures = tuple(table.figures[place] for place in drawn)
    empty = tuple(table.figures[place] for place in places if place not in drawn)
    return _Section(population, table, figures, empty, tuple(kept), _places(kept), len(every) - len(kept))


def _places(rows: Sequence[Row]) -> tuple[float, ...]:
    """Return how far down each row begins: subjects of several rows stand apart, and the total below all."""
    size = Counter(row.keys[0] for row in rows)
    down, places = 0.0, []
    for number, row in enumerate(rows):
        above, here = rows[number - 1].keys[0] if number else row.keys[0], row.keys[0]
        if above != here and (max(size[above], size[here]) > 1 or here == "all"):
            down += theme.GROUP_GAP
        places.append(down)
        down += theme.ROW_HEIGHT
    return tuple(places)


def _is_drawn(cell: Cell) -> bool:
    return not cell.is_pale and cell.interval.low is not None


def _most_hands(row: Row) -> int:
    return max(cell.interval.n for cell in row.cells)


def _caption_lines(report: Report, sections: Sequence[_Section]) -> list[str]:
    texts = list(report.captions())
    for section in sections:
        where = f"{section.population.stratum.ruleset}, {section.population.stratum.source}"
        if section.rows and section.empty:
            titles = ", ".join(figure.title for figure in section.empty)
            texts.append(f"Not drawn: {titles} of {section.table.name} ({where}), since no row has enough hands; see the CSV.")
        if section.left_out:
            few = f"{section.left_out} of {section.left_out + len(section.rows)} rows of {section.table.name}"
            texts.append(f"Not drawn: {few} ({where}), with fewer than 20 hands (rates) or 30 (units); see the CSV.")
    if not any(section.rows for section in sections):
        texts.insert(0, "Nothing to draw: no row has 20 hands (rates) or 30 (units).")
    return [line for text in (*texts, *report.notes) for line in textwrap.wrap(text, theme.CAPTION_CHARACTERS)]


# drawing ----------------------------------------------------------------------------------------------------------


def _draw_section(drawing: Drawing, section: _Section, top: float, colour: str, label_width: float) -> None:
    stratum = section.population.stratum
    measures = ", ".join(dict.fromkeys(figure.measure.name for figure in section.figures))
    right = theme.WIDTH - theme.MARGIN
    _write(drawing, theme.MARGIN, top + 0.12, measures, size=theme.SECTION_SIZE, weight="bold")
    _write(
        drawing,
        right,
        top + 0.12,
        f"{stratum.ruleset} {stratum.digest[:8]} · {stratum.source}",
        size=theme.SECTION_SIZE,
        color=colour,
        ha="right",
    )
    top += theme.SECTION_HEIGHT + theme.HEAD_HEIGHT
    left = theme.MARGIN + label_width + theme.N_WIDTH
    _write(drawing, left - 0.13, top - 0.13, "n", size=theme.SMALL_SIZE, color=theme.GREY, ha="right")
    for row, label, down in zip(section.rows, section.labels, section.places, strict=True):
        middle = top + down + theme.ROW_HEIGHT / 2
        n = f"{_most_hands(row):,}".replace(",", "\N{THIN SPACE}")
        _write(drawing, theme.MARGIN, middle, label, size=theme.LABEL_SIZE)
        _write(drawing, left - 0.13, middle, n, size=theme.SMALL_SIZE, color=theme.GREY, ha="right")
    width = (right - left - theme.PANEL_GAP * (len(section.figures) - 1)) / len(section.figures)
    rates = []
    for number, figure in enumerate(section.figures):
        axes = _panel(drawing, left + number * (width + theme.PANEL_GAP), top, width, section.height)
        _draw_panel(axes, section, figure, colour)
        if figure.kind == "rate":
            rates.append(axes)
    # Rates side by side are there to be compared: one scale for all of them.
    limits = [limit for axes in rates for limit in axes.get_xlim()]
    for axes in rates:
        axes.set_xlim(min(limits), max(limits))


def _panel(drawing: Drawing, left: float, top: float, width: float, height: float) -> Axes:
    total = drawing.get_figheight()
    return drawing.add_axes((left / theme.WIDTH, 1 - (top + height) / total, width / theme.WIDTH, height / total))


def _draw_panel(axes: Axes, section: _Section, figure: Figure, colour: str) -> None:
    place = section.table.figures.index(figure)
    thresholds = [number for number, one in enumerate(section.table.figures) if one.kind == "break_even"]
    threshold = thresholds[0] if thresholds and figure.kind == "rate" else None
    seen: list[float] = []
    for row, down in zip(section.rows, section.places, strict=True):
        middle = down + theme.ROW_HEIGHT / 2
        axes.axhline(middle, color=theme.FAINT, linewidth=0.5, zorder=0)
        seen += _draw_point(axes, figure, row.cells[place], middle, colour)
        if threshold is not None:
            seen += _draw_break_even(axes, row.cells[threshold], middle)
    axes.set_ylim(section.height, 0)
    axes.set_yticks([])
    axes.grid(axis="x", zorder=0)
    axes.set_axisbelow(True)
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    axes.set_title(f"{figure.title}, {'units' if figure.kind == 'units' else '%'}", fontsize=theme.LABEL_SIZE, loc="left", pad=7)
    if threshold is not None:
        axes.set_title(
            "\N{BOX DRAWINGS HEAVY VERTICAL} break-even q*", fontsize=theme.SMALL_SIZE, loc="right", pad=7, color=theme.BREAK_EVEN
        )
    _scale(axes, figure, seen)


def _scale(axes: Axes, figure: Figure, seen: Sequence[float]) -> None:
    """Set the horizontal axis: units with a zero line, rates from where they are seen to 0 or 100 %."""
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    if figure.kind == "units":
        axes.axvline(0, color=theme.INK, linewidth=0.8, zorder=1)
        axes.xaxis.set_major_formatter(FuncFormatter(_signed))
        axes.margins(x=0.06)
        return
    low, high = min(seen, default=0.0), max(seen, default=100.0)
    reach = max(0.08 * (high - low), 3.0)
    axes.set_xlim(max(-1.5, low - reach), min(101.5, high + reach))


def _draw_point(axes: Axes, figure: Figure, cell: Cell, middle: float, colour: str) -> list[float]:
    """Draw a figure and its line; return where they reach."""
    found = cell.interval
    if not _is_drawn(cell) or found.value is None or found.low is None or found.high is None:
        return []
    scale = 1.0 if figure.kind == "units" else 100.0
    low, value, high = scale * found.low, scale * found.value, scale * found.high
    alpha = theme.PALE if cell.marks.strip("○") else 1.0
    axes.plot([low, high], [middle, middle], color=colour, alpha=alpha, linewidth=1.4, solid_capstyle="butt", zorder=3)
    axes.plot([value], [middle], marker="o", markersize=3.8, color=colour, alpha=alpha, markeredgewidth=0, zorder=4)
    return [low, high]


def _draw_break_even(axes: Axes, cell: Cell, middle: float) -> list[float]:
    """Draw the break-even rate as a tick; return where it is."""
    value = cell.interval.value
    if value is None or cell.is_pale or not 0 <= value <= 1:
        return []
    reach = 0.36 * theme.ROW_HEIGHT
    at = [100 * value, 100 * value]
    axes.plot(at, [middle - reach, middle + reach], color=theme.BREAK_EVEN, linewidth=2.0, solid_capstyle="butt", zorder=2)
    return at


def _signed(value: float, _: int) -> str:
    text = f"{abs(value):g}"
    return text if value == 0 else f"{MINUS if value < 0 else '+'}{text}"


def _write(drawing: Drawing, left: float, down: float, text: str, **style: object) -> None:
    total = drawing.get_figheight()
    drawing.text(left / theme.WIDTH, 1 - down / total, text, va="center_baseline", **{"ha": "left", **style})  # type: ignore[arg-type]


# labels -----------------------------------------------------------------------------------------------------------

_PARTS = {"forty_hundred": "40-100", "twenty_hundred": "20-100", "four_aces": "four aces", "durchmars_nt": "durchmars, no trumps"}
_LEVELS = {1: "kontra", 2: "rekontra"}


def _label(table: Table, row: Row) -> str:
    """Return what a row is called beside its panel."""
    words = [_word(name, key) for name, key in zip(table.keys, row.keys, strict=True)]
    text = " · ".join(word for word in words if word)
    return text if len(text) <= 42 else text[:41] + "…"


def _word(name: str, key: object) -> str:
    match name, key:
        case ("component" | "contract", str()):
            return title_of_bid(key)
        case ("part", "named"):
            return ""
        case ("part", "both"):
            return "named and implied"
        case ("level", int()):
            return _LEVELS.get(key, f"level {key}")
        case ("cards", "any"):
            return "any"
    return format_key(key).replace("_", " ")


def title_of_bid(name: str) -> str:
    """Return a bid or component as an article would write it.

    >>> title_of_bid("forty_hundred+ulti+open_durchmars@hearts")
    '40-100 ulti open durchmars, hearts'
    """
    form, _, suit = name.partition("@")
    words = []
    for part in form.split("+"):
        bare = part.removeprefix("open_")
        words.append(("open " if bare != part else "") + _PARTS.get(bare, bare.replace("_", " ")))
    return " ".join(words) + (f", {suit}" if suit else "")
