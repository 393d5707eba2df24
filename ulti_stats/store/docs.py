"""`docs/schema.md`, written from the views themselves: `python -m ulti_stats.store.docs > docs/schema.md`."""

from __future__ import annotations

from collections.abc import Iterable

from ulti_stats.store.schema import COLUMNS
from ulti_stats.store.views import HIDDEN, MACROS, VIEWS, View
from ulti_stats.store.warehouse import Warehouse

_HEAD = """# What can be asked: views and their columns

Written by `python -m ulti_stats.store.docs`; do not edit.

`ulti sql`, `--where` and `--by` speak of these views. Seats are 0, 1, 2 in order of play; `defender_1` is the seat after the
declarer, `defender_2` the one after that. Cards are numbers 8 x suit + rank (suits A L H B from 0, ranks 7 8 9 U O K T A from 0),
card sets are masks with the bit of each card. Units of a component are what a defender pays the declarer, negative where
the declarer pays; payoffs are on the seat's own account. Null means that the record does not tell.
"""


def schema_markdown() -> str:
    """Return the page that documents every view, column and function."""
    with Warehouse(None) as warehouse:
        views = [_view(view, _types(warehouse, view)) for view in VIEWS.values()]
    return "\n".join([_HEAD, *views, _functions(), _stored()])


def _types(warehouse: Warehouse, view: View) -> dict[str, str]:
    described = warehouse.query(f"DESCRIBE {view.name}").to_pylist()
    return {row["column_name"]: row["column_type"] for row in described}


def _view(view: View, types: dict[str, str]) -> str:
    lines = [f"## `{view.name}`", "", f"One row per {view.row}.", ""]
    if view.carried:
        without = {field.name for field in VIEWS["hands"].fields} - {field.name for field in view.carried}
        but = f" but the cards played (`{min(without)}` to `{max(without)}`)" if without else ""
        lines += [f"Every column of `hands`{but}, and:", ""]
    rows = ((f"`{field.name}`", types[field.name], field.meaning) for field in view.fields)
    return "\n".join([*lines, _table(("column", "type", "meaning"), rows), ""])


def _functions() -> str:
    rows = ((f"`{macro.signature}`", macro.meaning) for macro in MACROS)
    return "\n".join(["## Functions", "", _table(("call", "gives"), rows), ""])


def _stored() -> str:
    hidden = (column for column in COLUMNS if column.name in HIDDEN)
    rows = ((f"`{column.name}`", column.type, column.meaning) for column in hidden)
    return "\n".join(
        [
            "## The table behind them",
            "",
            "`raw.hands` has the columns of `hands` and these, as the files hold them: lists, for which `calls` and `kontras`",
            "have a row an entry, and what others in `hands` are less what follows from the rest. The files have these in place",
            "of them; a reader other than `ulti sql` will want `ulti export --out hands.parquet`.",
            "",
            _table(("column", "type", "meaning"), rows),
            "",
        ]
    )


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    cells = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in cells)


if __name__ == "__main__":
    print(schema_markdown(), end="")
