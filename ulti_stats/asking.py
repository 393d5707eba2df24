"""Questions to a store, for notebooks and scripts: SQL and the reports, without anything that plays or replays hands."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ulti_stats.game.rulesets import Ruleset
    from ulti_stats.stats.answer import Report
    from ulti_stats.stats.selection import Selection
    from ulti_stats.stats.sessions import Session
    from ulti_stats.store.warehouse import Warehouse

DEFAULT_STORE = "data/store"
StoreArgument = str | Path | None


def store_path(store: StoreArgument = None) -> Path:
    """Return the store's folder: as given, else from `ULTI_STORE`, else `data/store`."""
    return Path(store or os.environ.get("ULTI_STORE") or DEFAULT_STORE)


def connect(store: StoreArgument = None) -> Warehouse:
    """Return a read-only warehouse over a store: `.sql(text)` answers with an Arrow table.

    Raises `StoreError` where there is no store.
    """
    from ulti_stats.store.warehouse import open_warehouse

    return open_warehouse(store_path(store))


def bid_report(
    store: StoreArgument = None, *, where: str | None = None, by: str | Iterable[str] = (), rules: str | None = None
) -> Report:
    """Return how often components and contracts are made and what they pay; `.to_pandas()` and `.to_arrow()` give data.

    `where` is a SQL condition, `by` columns that split the rows (docs/schema.md), `rules` a ruleset id or digest.
    """
    from ulti_stats.stats.bids import bid_success

    return _ask(bid_success, store, where, by, rules)


def talon_report(
    store: StoreArgument = None, *, where: str | None = None, by: str | Iterable[str] = (), rules: str | None = None
) -> Report:
    """Return how outcomes differ by what the declarer's last pickup brought; arguments as for `bid_report`."""
    from ulti_stats.stats.talon import talon_observed

    return _ask(talon_observed, store, where, by, rules)


def kontra_report(
    store: StoreArgument = None, *, where: str | None = None, by: str | Iterable[str] = (), rules: str | None = None
) -> Report:
    """Return what kontras gained their makers over the same play without them; arguments as for `bid_report`."""
    from ulti_stats.stats.kontra import kontra_gain

    return _ask(kontra_gain, store, where, by, rules)


def rescore(rules: Ruleset, *, store: StoreArgument = None, where: str | None = None, of: str | None = None) -> Report:
    """Return how the stored hands would have paid under other rules, paired hand by hand.

    `rules` come from `ulti_stats.ruleset(...)`; `of` picks the hands of one ruleset (id or digest).
    """
    from ulti_stats.stats.rescore import rescore as run  # replays hands, so it needs the compiled rules
    from ulti_stats.stats.selection import Selection

    with connect(store) as warehouse:
        return run(warehouse, rules, Selection(where=where, rules=of))


def session_report(
    session: str,
    *,
    source: str | None = None,
    rules: str | None = None,
    options: Mapping[str, Any] | None = None,
    store: StoreArgument = None,
) -> Session:
    """Return a recorded sitting: every deal with units and running totals, its end and its winner.

    `options` settle it by a length, target or unit of one's own. Raises `QueryError` for an unknown session, or one
    that needs `source` or `rules` to be told from another.
    """
    from ulti_stats.stats import sessions

    with connect(store) as warehouse:
        return sessions.session_report(warehouse, session, source=source, rules=rules, options=options)


def _ask(
    question: Callable[[Warehouse, Selection], Report],
    store: StoreArgument,
    where: str | None,
    by: str | Iterable[str],
    rules: str | None,
) -> Report:
    from ulti_stats.stats.selection import Selection

    columns = (by,) if isinstance(by, str) else tuple(by)
    with connect(store) as warehouse:
        return question(warehouse, Selection(where=where, by=columns, rules=rules))
