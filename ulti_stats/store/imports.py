"""Bringing in recorded hands: each is added once, whoever brings it, and every file that brought it is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from deltalake import DeltaTable

from ulti_stats.store.alike import count_near_duplicates
from ulti_stats.store.commits import Change, live_files
from ulti_stats.store.files import IMPORT, add_action, conform, kind_of, new_name, read_hands, write_hands


@dataclass(frozen=True, slots=True)
class Added:
    """What an import did: hands added, hands that were there already, hands kept though another has the same decisions
    (names or session differ), and hands of the store that gained a source."""

    hands: int = 0
    duplicates: int = 0
    near_duplicates: int = 0
    sources_extended: int = 0


class Import:
    """A table of hands on its way into a store; `plan` may be called again when another writer was first."""

    def __init__(self, path: Path, table: pa.Table):
        self.path = path
        self.table = conform(table)
        self.incoming = _sources_by_hash(self.table)
        self.result = Added()

    def plan(self, delta: DeltaTable) -> Change | None:
        """Return the files to write for this version of the table, or None where every hand and source is known."""
        files = live_files(delta)
        known = self._known(files)
        fresh = self._fresh(set(known))
        extended, removed, added = 0, list[str](), list[Path]()
        for name, sources in self._to_extend(known).items():
            extended += len(sources)
            removed.append(name)
            added.append(self._rewrite(name, sources))
        self.result = Added(
            hands=len(fresh),
            duplicates=len(self.table) - len(fresh),
            near_duplicates=count_near_duplicates(fresh, [self.path / name for name in files]),
            sources_extended=extended,
        )
        if len(fresh):
            path = self.path / new_name(IMPORT)
            write_hands(path, [fresh])
            added.append(path)
        if not added:
            return None
        return Change(tuple(add_action(path) for path in added), tuple(removed), scratch=tuple(path.name for path in added))

    def _known(self, files: list[str]) -> dict[bytes, tuple[str, list[str]]]:
        """Return file and sources of the incoming hands that the store has, by hash."""
        if not files:
            return {}
        import duckdb  # takes time to load, and few commits need it

        with duckdb.connect() as connection:
            connection.register("incoming", self.table.select(["hand_hash"]))
            rows = connection.execute(
                "SELECT hand_hash, filename, sources FROM read_parquet($files, filename = true) "
                "SEMI JOIN incoming USING (hand_hash)",
                {"files": [str(self.path / name) for name in files]},
            ).fetchall()
        return {identity: (Path(name).name, sources or []) for identity, name, sources in rows}

    def _fresh(self, known: set[bytes]) -> pa.Table:
        """Return the first of each incoming hand that the store does not have, with every source that brings it."""
        seen = set(known)
        places, sources = [], []
        for place, identity in enumerate(self.table.column("hand_hash").to_pylist()):
            if identity not in seen:
                seen.add(identity)
                places.append(place)
                sources.append(self.incoming[identity])
        return _with_sources(self.table.take(pa.array(places, pa.int64())), sources)

    def _to_extend(self, known: dict[bytes, tuple[str, list[str]]]) -> dict[str, dict[bytes, list[str]]]:
        """Return, for each file with hands that gain a source, their new sources."""
        changes: dict[str, dict[bytes, list[str]]] = {}
        for identity, (name, sources) in known.items():
            gained = [source for source in self.incoming[identity] if source not in sources]
            if gained:
                changes.setdefault(name, {})[identity] = [*sources, *gained]
        return changes

    def _rewrite(self, name: str, changes: dict[bytes, list[str]]) -> Path:
        path = self.path / new_name(kind_of(name))
        write_hands(path, (_changed(hands, changes) for hands in read_hands(self.path / name)))
        return path


def _sources_by_hash(table: pa.Table) -> dict[bytes, list[str]]:
    """Return every source that brings a hand, in order, by hash."""
    found: dict[bytes, list[str]] = {}
    hashes, sources = table.column("hand_hash").to_pylist(), table.column("sources").to_pylist()
    for identity, names in zip(hashes, sources, strict=True):
        known = found.setdefault(identity, [])
        known += [name for name in names or () if name not in known]
    return found


def _changed(table: pa.Table, changes: dict[bytes, list[str]]) -> pa.Table:
    hashes = table.column("hand_hash").to_pylist()
    if not any(identity in changes for identity in hashes):
        return table
    old = zip(hashes, table.column("sources").to_pylist(), strict=True)
    return _with_sources(table, [changes.get(identity, sources) for identity, sources in old])


def _with_sources(table: pa.Table, sources: Sequence[list[str] | None]) -> pa.Table:
    place = table.schema.get_field_index("sources")
    return table.set_column(place, table.schema.field(place), pa.array(sources, pa.list_(pa.string())))
