"""Near-duplicates: hands with the same decisions whose names or session differ, so that they may be one hand or two."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from ulti_stats.store.schema import N_PLAYS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_DEALT = "hand_0, hand_1, talon"
# Rules count by what they say, not by how their options are spelt.
_DECISIONS = (
    *("ruleset", "ruleset_digest", "forehand", *_DEALT.split(", "), "five_0", "five_1", "five_2", "calls", "discard", "trump"),
    *("termination", "kontras", "marriages", *(f"p{ply:02d}" for ply in range(N_PLAYS))),
)


def count_near_duplicates(fresh: pa.Table, files: list[Path]) -> int:
    """Return how many hands have the decisions of another: of one in the files, or of one before them in the table.

    Score sheets are left out: without cards two equal ones tell nothing.
    """
    import duckdb  # takes time to load, and few commits need it

    with duckdb.connect() as connection:
        connection.register("fresh", fresh.select(_DECISIONS))
        # Few deals are there twice: four columns find them, and only their hands are compared in full.
        with_them = _find_deals_there_twice(connection, [str(path) for path in files])
        hands = "SELECT *, 0 AS is_stored FROM fresh"
        if with_them:
            # The empty part adds columns that old files do not have.
            stored = "FROM read_parquet($files, union_by_name = true) UNION ALL BY NAME SELECT * FROM fresh WHERE false"
            hands += f" UNION ALL SELECT {', '.join(_DECISIONS)}, 1 FROM ({stored})"
        row = connection.execute(
            f"""
            WITH alike AS (
                FROM ({hands}) SEMI JOIN twice USING ({_DEALT})
                SELECT sum(is_stored) AS n_stored, count(*) AS n GROUP BY {", ".join(_DECISIONS)}
            )
            FROM alike SELECT coalesce(sum(CASE WHEN n_stored > 0 THEN n - n_stored ELSE n - 1 END), 0)
            """,
            {"files": with_them} if with_them else {},
        ).fetchone()
    return int(row[0]) if row else 0


def _find_deals_there_twice(connection: DuckDBPyConnection, files: list[str]) -> list[str]:
    """Make the table `twice` of deals that are more than once in `fresh` and files; return the files that have one of `fresh`."""
    connection.execute(f"CREATE TABLE deals AS SELECT {_DEALT}, NULL::VARCHAR AS file, count(*) AS n FROM fresh GROUP BY ALL")
    if files:
        connection.execute(
            f"""
            INSERT INTO deals
            SELECT {_DEALT}, filename, 1 FROM read_parquet($files, filename = true) SEMI JOIN fresh USING ({_DEALT})
            """,
            {"files": files},
        )
    connection.execute(
        f"CREATE TABLE twice AS SELECT {_DEALT} FROM deals WHERE hand_0 IS NOT NULL GROUP BY ALL HAVING sum(n) > 1"
    )
    return [file for (file,) in connection.execute("SELECT DISTINCT file FROM deals WHERE file IS NOT NULL").fetchall()]
