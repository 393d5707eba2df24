"""From rows of hands to rows of solutions: what open cards say of hands as they were played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ulti_stats.game.bids import PART_TEXTS, Component
from ulti_stats.game.cards import SUIT_NAMES
from ulti_stats.game.rule_table import NO_TRUMP
from ulti_stats.game.rulesets import Bid, ruleset
from ulti_stats.game.solver.position import Positions, deals
from ulti_stats.game.solver.solve import Solver, solver_for
from ulti_stats.store.solutions import SOLVER, stage_schema

# What `parts_rows` needs of a hand, in SQL over the view `hands`.
PARTS_COLUMNS = """hand_hash, ruleset, options, contract, trump, declarer, forehand,
CAST(play_declarer AS BIGINT) AS own_0, CAST(play_defender_1 AS BIGINT) AS own_1, CAST(play_defender_2 AS BIGINT) AS own_2,
CAST(laid AS BIGINT) AS laid"""

Key = tuple[str, str | None, str]


def parts_rows(hands: pa.Table) -> pa.Table:
    """Return a row of `stage_schema("parts")` for each hand; `hands` has `PARTS_COLUMNS`.

    Every part is solved by itself from the first lead, with the real discard and trump, every marriage declared.
    """
    columns: dict[str, list[Any]] = {
        name: hands.column(name).to_pylist() for name in ("hand_hash", "ruleset", "options", "contract")
    }
    numbers = {name: hands.column(name).to_numpy() for name in ("own_0", "own_1", "own_2", "laid", "declarer")}
    numbers["forehand"] = hands.column("forehand").fill_null(0).to_numpy()
    trump = np.array([NO_TRUMP if name is None else SUIT_NAMES.index(name) for name in hands.column("trump").to_pylist()])
    makeable = {part: np.full(len(hands), None, object) for part in (*PART_TEXTS, "all")}
    for (preset, options, contract), places in _groups(columns).items():
        rules = ruleset(preset, json.loads(options) if options else None)
        bid = rules.bid(contract)
        index = np.array(places, np.int64)
        positions = deals(
            rules,
            hands=_by_seat(numbers, index),
            laid=numbers["laid"][index],
            bid=bid.number,
            trump=trump[index],
            declarer=numbers["declarer"][index],
            forehand=numbers["forehand"][index],
        )
        for part, values in solve_parts(solver_for(rules), positions, bid).items():
            makeable[part][index] = values
    solved = {f"makeable_{part}": pa.array(values.tolist(), pa.bool_()) for part, values in makeable.items()}
    keys = {"hand_hash": hands.column("hand_hash"), "solver": pa.array([SOLVER] * len(hands), pa.int16())}
    return pa.table({**keys, **solved}).cast(stage_schema("parts"))


def solve_parts(solver: Solver, positions: Positions, bid: Bid) -> dict[str, Sequence[bool | None]]:
    """Return by part of a bid whether it can be made in each position, and under "all" whether all named parts can together.

    The last is None where every named part can be made alone and no line of play for all of them is known.
    """
    made = {component: solver.made(positions, component) == 1 for component in bid.components}
    found: dict[str, Sequence[bool | None]] = {component.text: values.tolist() for component, values in made.items()}
    found["all"] = _together(made, bid)
    return found


def _together(made: Mapping[Component, np.ndarray], bid: Bid) -> list[bool | None]:
    """Return whether all named parts can be made in one line, as far as the parts alone tell."""
    every = np.logical_and.reduce([made[component] for component in bid.form.parts])
    if len(bid.form.parts) == 1:
        return every.tolist()
    return [None if possible else False for possible in every.tolist()]


def _groups(columns: Mapping[str, list[Any]]) -> dict[Key, list[int]]:
    """Return the places of the hands of each ruleset and contract."""
    groups: dict[Key, list[int]] = {}
    for place, key in enumerate(zip(columns["ruleset"], columns["options"], columns["contract"], strict=True)):
        groups.setdefault(key, []).append(place)
    return groups


def _by_seat(numbers: Mapping[str, np.ndarray], index: np.ndarray) -> np.ndarray:
    """Return the hands at play [n, 3] by seat."""
    hands = np.zeros((len(index), 3), np.int64)
    declarer = numbers["declarer"][index]
    for role in range(3):
        hands[np.arange(len(index)), (declarer + role) % 3] = numbers[f"own_{role}"][index]
    return hands
