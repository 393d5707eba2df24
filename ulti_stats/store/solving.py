"""From rows of hands to rows of solutions: what open cards say of hands as they were played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ulti_stats.errors import QueryError
from ulti_stats.game.analysis import analyse_all
from ulti_stats.game.best import best_of_hand
from ulti_stats.game.bids import PART_TEXTS
from ulti_stats.game.cards import SUIT_NAMES
from ulti_stats.game.replay import N_PLAYS
from ulti_stats.game.rule_table import NO_TRUMP
from ulti_stats.game.rulesets import Bid, Ruleset, ruleset
from ulti_stats.game.solver.position import Position, Positions, as_arrays, deals, position_in
from ulti_stats.game.solver.solve import Measure, Solver, solver_for, take
from ulti_stats.game.together import all_named
from ulti_stats.store.rows import decode
from ulti_stats.store.schema import COLUMNS
from ulti_stats.store.solutions import SOLVER, stage_schema

# What `parts_rows` needs of a hand, in SQL over the view `hands`.
PARTS_COLUMNS = """hand_hash, ruleset, options, contract, trump, declarer, forehand,
CAST(play_declarer AS BIGINT) AS own_0, CAST(play_defender_1 AS BIGINT) AS own_1, CAST(play_defender_2 AS BIGINT) AS own_2,
CAST(laid AS BIGINT) AS laid"""

STORED_COLUMNS = ", ".join(column.name for column in COLUMNS)

Key = tuple[str, str | None, str]


@dataclass(frozen=True, slots=True)
class Work:
    """How a stage is solved: the columns it needs and their view, the function that solves rows, hands in a commit and a task."""

    columns: str
    view: str
    solve: Callable[[pa.Table], pa.Table]
    batch: int
    chunk: int


def work_of(stage: str) -> Work:
    """Return how a stage is solved; raises `QueryError` for an unknown one."""
    if stage not in WORK:
        raise QueryError(f"unknown stage '{stage}'; stages are {', '.join(WORK)}")
    return WORK[stage]


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
    """Return by part of a bid whether it can be made in each position, and under "all" whether all named parts can together."""
    made = {component: solver.made(positions, component) == 1 for component in bid.components}
    found: dict[str, Sequence[bool | None]] = {component.text: values.tolist() for component, values in made.items()}
    every = np.logical_and.reduce([made[component] for component in bid.form.parts])
    if len(bid.form.parts) > 1:
        index = np.flatnonzero(every)
        every[index] = all_named(solver.rules, take(positions, index), bid)
    found["all"] = every.tolist()
    return found


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


# whole contracts --------------------------------------------------------------------------------------------------


def par_rows(hands: pa.Table) -> pa.Table:
    """Return a row of `stage_schema("par")` for each hand; `hands` has the stored columns."""
    rows = []
    for rules, places, positions in _positions(hands, n_plays=0):
        values = solver_for(rules).values(as_arrays(rules, positions), Measure.UNITS).tolist()
        rows += [
            {"place": place, "par_units": both / 2, "par_declarer_units": account(rules, both)}
            for place, both in zip(places, values, strict=True)
        ]
    return _rows("par", hands, rows)


def error_rows(hands: pa.Table) -> pa.Table:
    """Return a row of `stage_schema("errors")` for each hand; `hands` has the stored columns."""
    rows = []
    for rules, places, positions in _positions(hands):
        for place, found in zip(places, analyse_all(rules, positions), strict=True):
            errors = [
                {"ply": error.ply, "card": error.card, "best_card": error.best_card, "seat": error.seat, "cost": error.cost}
                for error in found.errors
            ]
            rows.append({"place": place, "errors": errors, "decided_ply": found.decided_ply})
    return _rows("errors", hands, rows)


def best_rows(hands: pa.Table) -> pa.Table:
    """Return a row of `stage_schema("best")` for each hand; `hands` has the stored columns.

    Bids that may follow what the others bid at last are compared. The declarer lays any two of his twelve cards where he
    held the talon; he keeps his ten where the rules or he himself left it.
    """
    rows = []
    for place, history in enumerate(decode(hands)):
        position = position_in(history, 0)
        found = best_of_hand(position, history)
        if found is not None:
            rows.append(
                {
                    "place": place,
                    "best_contract": found.bid.name,
                    "best_trump": None if found.trump == NO_TRUMP else SUIT_NAMES[found.trump],
                    "best_discard": found.discard,
                    "best_units": found.both / 2,
                    "best_declarer_units": account(position.rules, found.both),
                }
            )
    return _rows("best", hands, rows)


def account(rules: Ruleset, both: int) -> int:
    """Return what stands on the declarer's account where both defenders together pay so many units."""
    return both if rules.settlement == "per_defender" else both // 2


def _positions(hands: pa.Table, *, n_plays: int = N_PLAYS) -> Iterator[tuple[Ruleset, list[int], list[Position]]]:
    """Yield the positions of hands after so many plays, by ruleset, with the place of each hand."""
    groups: dict[str, tuple[Ruleset, list[int], list[Position]]] = {}
    for place, history in enumerate(decode(hands)):
        position = position_in(history, n_plays)
        _, places, positions = groups.setdefault(position.rules.digest, (position.rules, [], []))
        places.append(place)
        positions.append(position)
    yield from groups.values()


def _rows(stage: str, hands: pa.Table, rows: list[dict[str, Any]]) -> pa.Table:
    """Return the rows of a stage, each for the hand at its place."""
    hashes = hands.column("hand_hash").to_pylist()
    return pa.Table.from_pylist(
        [{"hand_hash": hashes[row["place"]], "solver": SOLVER, **row} for row in rows], stage_schema(stage)
    )


WORK: dict[str, Work] = {
    "parts": Work(PARTS_COLUMNS, "hands", parts_rows, batch=20_000, chunk=1_000),
    "par": Work(STORED_COLUMNS, "raw.hands", par_rows, batch=2_000, chunk=50),
    "best": Work(STORED_COLUMNS, "raw.hands", best_rows, batch=200, chunk=5),
    "errors": Work(STORED_COLUMNS, "raw.hands", error_rows, batch=1_000, chunk=25),
}
