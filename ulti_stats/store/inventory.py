"""What a store holds: hands by ruleset, origin and level, and the files that they lie in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from ulti_stats.store.runs import waiting_hands
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import Warehouse

_HELD = """
SELECT
    ruleset,
    ruleset_digest AS digest,
    kind,
    coalesce(policies, source, '') AS source,
    level,
    count(*) AS hands,
    min(seed) AS first_seed,
    max(seed) AS last_seed
FROM hands
GROUP BY ALL
ORDER BY ALL
"""


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a store holds. `held` has a row for each ruleset, source (players where simulated) and level.

    `n_bytes` are those of the files in use, `n_stale` and `stale_bytes` speak of files that newer ones have replaced and
    that compaction clears away. `n_waiting` counts hands of open runs, which are not in the store yet.
    """

    path: Path
    version: int
    n_hands: int
    n_files: int
    n_bytes: int
    n_stale: int
    stale_bytes: int
    n_waiting: int
    held: pa.Table


def take_inventory(path: Path | str) -> Inventory:
    """Return what the store in a folder holds; raises `StoreError` where there is none."""
    store = Store.open(path)
    with Warehouse(store) as warehouse:
        held = warehouse.query(_HELD)
    files = store.files()
    stale = set(store.path.glob("*.parquet")) - set(files)
    return Inventory(
        path=store.path,
        version=store.version(),
        n_hands=store.n_hands(),
        n_files=len(files),
        n_bytes=sum(file.stat().st_size for file in files),
        n_stale=len(stale),
        stale_bytes=sum(file.stat().st_size for file in stale),
        n_waiting=waiting_hands(store.path),
        held=held,
    )
