"""Hands written down card by card, and rows made of them."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa

from ulti_stats.game.history import HandHistory
from ulti_stats.game.identity import identity_hash
from ulti_stats.game.notation import parse_history
from ulti_stats.game.replay import replay
from ulti_stats.store.rows import Hand, encode
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import open_warehouse

# Seat 0 opens and lays LO HO; seat 2 robs them, keeps both and lays BK A9. He plays BA AA HA BO LT LK LO LU L7 HO: five
# trumps, three aces, the trump seven, king and over of trumps. He wins tricks 1 2 3 6 7 8 10, seat 0 wins 4 (with LA, so
# four aces fails) and 5, seat 1 wins 9; 60 points to 30, none in the talon.
ROBBED_TALON = {
    "format": "ulti-hand/1",
    "id": "robbed",
    "ruleset": "rablo",
    "dealer": 2,
    "players": ["Anna", "Bea", "Cili"],
    "session": "friday",
    "deal_no": 4,
    "played_at": "2026-10-19T22:53:00+02:00",
    "hands": ["AU L9 HT L8 H7 B8 HU BU HO B9", "B7 H9 A7 BT A8 H8 AK HK AO AT", "BA AA HA L7 BO LU LT LK A9 BK"],
    "talon": "LO LA",
    "auction": [
        {"seat": 0, "bid": "forty_hundred+durchmars", "discard": "LO HO"},
        {"seat": 1, "bid": "pass"},
        {"seat": 2, "bid": "forty_hundred+ulti+four_aces", "discard": "BK A9"},
        {"seat": 0, "bid": "pass"},
        {"seat": 1, "bid": "pass"},
        {"seat": 2, "bid": "pass"},
    ],
    "trump": "leaves",
    "kontras": [
        {"seat": 1, "component": "four_aces", "after_play": 1},
        {"seat": 2, "component": "four_aces", "after_play": 1},
        {"seat": 0, "component": "forty_hundred", "after_play": 1},
        {"seat": 0, "component": "four_aces", "after_play": 1},
    ],
    "marriages": [{"seat": 2, "suit": "leaves", "play": 0}],
    "plays": "BA B8 B7 HA H7 H8 AA AU A7 LK LA A8 HT H9 HO L9 AO LU LT L8 AK LO B9 HK BO BU BT AT L7 HU",
    "payoffs": [20, 20, -40],
    "outcome": {"forty_hundred": "made", "ulti": "made", "four_aces": "failed"},
}
SHEET = {
    "format": "ulti-hand/1",
    "id": "sheet",
    "ruleset": "rablo",
    "declarer": 1,
    "contract": "ulti",
    "kontra_levels": {"ulti": 1},
    "outcome": {"ulti": "made", "simple": "failed"},
}


def history(record: dict = ROBBED_TALON, **changes: object) -> HandHistory:
    """Return a record's history with some keys changed; `...` leaves a key out."""
    changed = {key: value for key, value in {**record, **changes}.items() if value is not ...}
    return parse_history(json.dumps(changed), place="a test")


def hand(record: dict = ROBBED_TALON, **changes: object) -> Hand:
    made = history(record, **changes)
    replayed = replay(made)
    return made, replayed, identity_hash(made, replayed)


def rows(*hands: Hand, source: str = "friday.jsonl") -> pa.Table:
    return encode(hands, sources=[source])


def shown(folder: Path, *hands: Hand) -> list[dict[str, Any]]:
    """Return what `hands` and `raw.hands` show of some hands in a new store."""
    store = Store.create_or_open(folder / "shown")
    store.add(rows(*hands))
    with open_warehouse(store.path) as warehouse:
        return warehouse.query("SELECT * FROM raw.hands").to_pylist()


def simulated(index: int, *, seed: int = 7, players: tuple[str, str, str] = ("club", "club", "club")) -> Hand:
    extra = {"simulated": {"seed": seed, "index": index, "version": "1"}}
    return hand(id=..., source="simulate", extra=extra, players=list(players), session=..., deal_no=..., played_at=...)


def simulated_rows(first: int, end: int, *, seed: int = 7) -> pa.Table:
    """Return rows as a simulation delivers them: `end - first` hands that differ in index and identity."""
    indexes = range(first, end)
    table = rows(simulated(first, seed=seed), source=f"seed {seed}").take([0] * len(indexes))
    identities = [hashlib.blake2b(f"{seed}:{index}".encode(), digest_size=16).digest() for index in indexes]
    for name, values in (("hand_index", list(indexes)), ("hand_hash", identities)):
        field = table.schema.field(name)
        table = table.set_column(table.schema.get_field_index(name), field, pa.array(values, field.type))
    return table
