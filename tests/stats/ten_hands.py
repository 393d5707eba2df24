"""Ten hands counted by hand, as rows of the store, and helpers to make stores of such rows.

| # | session | declarer | contract | outcome | kontra on, by | units per defender |
|---|---|---|---|---|---|---|
| 1 | s1 | 0 | simple | made | – | +1 |
| 2 | s1 | 1 | simple | failed | – | −1 |
| 3 | s1 | 0 | simple | made | simple, 1st | +2 |
| 4 | s1 | 2 | simple | made, silent hundred made | simple, 2nd | +6 |
| 5 | s2 | 0 | ulti | both made | – | +5 |
| 6 | s2 | 0 | ulti | ulti failed, implied simple made | ulti, 1st | −11 |
| 7 | s2 | 1 | ulti | ulti made, implied simple failed | simple, 1st | +2 |
| 8 | s2 | 2 | betli | failed | betli, 2nd | −10 |
| 9 | s3 | 0 | simple, conceded | failed | – | −2 |
| 10 | s3 | 1 | forty_hundred+ulti+durchmars | only durchmars failed | durchmars, 1st | −4 |

Forehand is seat 0. Its opening twelve cards are no pickup; the others took the talon up.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pyarrow as pa

from ulti_stats.game.bids import COMPONENT_TEXTS, PART_TEXTS
from ulti_stats.game.cards import parse_cards
from ulti_stats.game.rulesets import ruleset
from ulti_stats.store.schema import hands_schema
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import Warehouse, open_warehouse


def said(
    defender: int, component: str, gain: int, *, declarer: int, level: int = 1, decision: int | None = None
) -> dict[str, Any]:
    """A kontra step: by the 1st or 2nd defender after the declarer (0: by the declarer), and what it gained its sayer."""
    return {
        "seat": (declarer + defender) % 3,
        "component": component,
        "against": None,
        "after_play": 2,
        "level": level,
        "step_gain": gain,
        "decision_gain": gain if decision is None else decision,
    }


def hand(
    *,
    declarer: int | None,
    contract: str | None,
    outcome: dict[str, bool | None] | None = None,
    units: int | None = None,
    kontras: tuple[dict[str, Any], ...] = (),
    levels: dict[str, tuple[int, int]] | None = None,
    session: str | None = None,
    rules: str = "rablo",
    options: str | None = None,
    termination: str = "played",
    level: str = "full",
    trump: str | None = None,
    pickup: str | None = None,
    laid: str | None = None,
    cards: str | None = None,
    **others: Any,
) -> dict[str, Any]:
    """A row of the store: what is named, everything else null. `outcome` lists every part, `cards` the declarer's ten."""
    rules_in_force = ruleset(rules)
    row: dict[str, Any] = {
        "ruleset": rules,
        "options": options,
        "ruleset_digest": rules_in_force.digest,
        "sources": ["ten"],
        "source": "table 1",
        "session": session,
        "level": level,
        "termination": termination,
        "forehand": 0,
        "declarer": declarer,
        "contract": contract,
        "trump": trump,
        "given": 0,
        "kontras": list(kontras),
        "kontra_max": max((step["level"] for step in kontras), default=0),
        "pickup": parse_cards(pickup) if pickup else None,
        "n_pickups": 1 if pickup else 0,
        "laid": parse_cards(laid) if laid else None,
        "play_declarer": parse_cards(cards) if cards else None,
    }
    if contract is not None:
        row["trump_class"] = rules_in_force.bid(contract).form.trump_class.value
    for component, made in (outcome or {}).items():
        row[f"{component}_made"] = made
        if component in PART_TEXTS:
            reached = max((step["level"] for step in kontras if step["component"] == component), default=0)
            row[f"{component}_kontra_1"], row[f"{component}_kontra_2"] = (levels or {}).get(component, (reached, reached))
    if units is not None:
        row |= {"units_per_defender": float(units), "declarer_units": 2 * units}
    return row | others


def ten_hands() -> list[dict[str, Any]]:
    """The ten hands of the table above, all under rablo with suit trumps."""
    held = "AA AT AK AO A7 LA LT L9 H8 H7"
    return [
        hand(
            session="s1",
            declarer=0,
            contract="simple",
            outcome={"simple": True},
            units=1,
            trump="acorns",
            cards=held,
            laid="B9 B8",
        ),
        hand(
            session="s1",
            declarer=1,
            contract="simple",
            outcome={"simple": False},
            units=-1,
            trump="acorns",
            cards="AA AT AK AO A9 LA LT L9 L7 B7",
            pickup="L7 B7",
            laid="B9 B8",
        ),
        hand(
            session="s1",
            declarer=0,
            contract="simple",
            outcome={"simple": True},
            units=2,
            trump="acorns",
            kontras=(said(1, "simple", -1, declarer=0),),
            cards=held,
            laid="B9 B8",
        ),
        hand(
            session="s1",
            declarer=2,
            contract="simple",
            outcome={"simple": True, "silent_hundred": True},
            units=6,
            trump="acorns",
            kontras=(said(2, "simple", -3, declarer=2),),
            cards="AA AT AK AO A7 LA LT L9 H8 H9",
            pickup="AA LT",
            laid="B9 B8",
        ),
        hand(
            session="s2",
            declarer=0,
            contract="ulti",
            outcome={"ulti": True, "simple": True},
            units=5,
            trump="acorns",
            cards=held,
            laid="B9 B8",
        ),
        hand(
            session="s2",
            declarer=0,
            contract="ulti",
            outcome={"ulti": False, "simple": True},
            units=-11,
            trump="acorns",
            kontras=(said(1, "ulti", 4, declarer=0),),
            cards=held,
            laid="B9 B8",
        ),
        hand(
            session="s2",
            declarer=1,
            contract="ulti",
            outcome={"ulti": True, "simple": False},
            units=2,
            trump="acorns",
            kontras=(said(1, "simple", 1, declarer=1),),
            cards="AA AT AK AO A7 LA LT L9 H8 H9",
            pickup="A7 B8",
            laid="B9 B8",
        ),
        hand(
            session="s2",
            declarer=2,
            contract="betli",
            outcome={"betli": False},
            units=-10,
            kontras=(said(2, "betli", 5, declarer=2),),
            cards="A7 A8 A9 L7 L8 L9 H7 H8 H9 B7",
            pickup="HA HT",
            laid="HA HT",
        ),
        hand(
            session="s3",
            declarer=0,
            contract="simple",
            outcome={"simple": False},
            units=-2,
            termination="conceded",
            cards=held,
            laid="B9 B8",
        ),
        hand(
            session="s3",
            declarer=1,
            contract="forty_hundred+ulti+durchmars",
            units=-4,
            trump="acorns",
            outcome={"forty_hundred": True, "ulti": True, "durchmars": False},
            kontras=(said(1, "durchmars", 6, declarer=1),),
            cards="AA AT AK AO A7 LA LT LK LO L9",
            pickup="AT A7",
            laid="B9 B8",
        ),
    ]


def packed(row: dict[str, Any]) -> dict[str, Any]:
    """The row as the store holds it: outcomes and levels in bits, kontras as text, and what they brought."""
    outcomes, levels = 0, [0, 0]
    for number, name in enumerate(COMPONENT_TEXTS):
        made = row.get(f"{name}_made")
        outcomes |= (0 if made is None else 1 + made) << 2 * number
        for defender in (0, 1):
            level = row.get(f"{name}_kontra_{defender + 1}")
            levels[defender] |= (0 if level is None else level + 1) << 4 * number
    steps = [["" if value is None else str(value) for value in step.values()] for step in row["kontras"]]
    policies = " / ".join(row[f"player_{seat}"] for seat in range(3) if row.get(f"player_{seat}"))
    return row | {
        "outcomes": outcomes,
        "kontra_levels": levels[0],
        "kontra_levels_differ": levels[0] ^ levels[1],
        "kontras": " ".join(":".join(step) for step in steps),
        "kontra_units": kontra_units(row),
        **payoff_gaps(row),
        "policies": None if row.get("seed") is None else policies,
    }


def payoff_gaps(row: dict[str, Any]) -> dict[str, int]:
    """What a row's payoffs are beyond the declarer's units, or beyond what a defender pays."""
    if "payoff_0" not in row:
        return {}
    expected = [row["declarer_units"] if seat == row["declarer"] else -row["units_per_defender"] for seat in range(3)]
    return {f"payoff_gap_{seat}": int(row[f"payoff_{seat}"] - expected[seat]) for seat in range(3)}


def kontra_units(row: dict[str, Any]) -> float | None:
    """What the kontras of a row brought per defender; None where a step's gain is not known, and on a sheet that has some."""
    gains = [(step["step_gain"], step["seat"] == row["declarer"]) for step in row["kontras"]]
    if any(gain is None for gain, _ in gains) or (row["kontra_max"] and not gains):
        return None
    scope = ruleset(row["ruleset"]).kontra_scope
    individual = scope == "individual" or (scope == "individual_notrump" and row.get("trump_class") == "none")
    return sum(gain if by_declarer else -gain for gain, by_declarer in gains) / (2 if individual else 1)


def table_of(rows: list[dict[str, Any]]) -> pa.Table:
    """Rows as a table in the store's columns; each gets an identity of its own."""
    schema = hands_schema()
    numbered = [
        {"hand_hash": hashlib.blake2b(f"{number}".encode(), digest_size=16).digest(), **packed(row)}
        for number, row in enumerate(rows)
    ]
    columns = {name: [row.get(name) for row in numbered] for name in schema.names}
    return pa.table([pa.array(columns[field.name], field.type) for field in schema], schema=schema)


def warehouse_of(rows: list[dict[str, Any]], folder: Path) -> Warehouse:
    """A warehouse over a new store with these rows."""
    Store.create_or_open(folder).add(table_of(rows))
    return open_warehouse(folder)
