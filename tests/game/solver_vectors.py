"""Test vectors of the solver: positions with their values, as data that other solvers can be checked with."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tests.game import plain_minimax as plain
from tests.game.solver_positions import ending_sizes, random_position
from ulti_stats.game.bids import PART_TEXTS, Component
from ulti_stats.game.cards import SUIT_NAMES, format_card_list, format_cards, parse_card_list, parse_cards, parse_suit
from ulti_stats.game.contract import Contract
from ulti_stats.game.rule_table import NO_TRUMP
from ulti_stats.game.rulesets import PRESETS, ruleset
from ulti_stats.game.solver.position import Position, as_arrays
from ulti_stats.game.solver.solve import goals_at_stake

FOLDER = Path(__file__).parent.parent / "data" / "solver"
UNITS = ("units", "units_first", "units_second")


def write_vector(position: Position) -> dict[str, Any]:
    """Return a position and its values, found by the plain minimax."""
    contract, values = position.contract, plain.plain_value(position)
    marriages = int(as_arrays(position.rules, [position]).marriages[0])
    found = {goal.text: int(values[goal]) for goal in goals_at_stake(position)}
    found["points"] = int(values[plain.POINTS])
    found |= dict(zip(UNITS, (int(values[place]) for place in (plain.BOTH, plain.FIRST, plain.SECOND)), strict=True))
    return {
        "ruleset": position.rules.id,
        "contract": contract.bid.name,
        "trump": None if contract.trump == NO_TRUMP else SUIT_NAMES[position.trump],
        "declarer": contract.declarer,
        "forehand": contract.forehand,
        "hands": [format_cards(hand) for hand in contract.hands],
        "laid": format_cards(contract.laid),
        "factor": contract.factor,
        "kontra": {part: list(pair) for part, pair in zip(PART_TEXTS, position.levels, strict=True) if any(pair)},
        "marriages": [[place // 4, SUIT_NAMES[place % 4]] for place in range(12) if marriages >> place & 1],
        "plays": format_card_list(position.plays),
        "values": found,
    }


def read_vector(row: dict[str, Any]) -> Position:
    """Return the position of a vector."""
    rules = ruleset(row["ruleset"])
    hands = tuple(parse_cards(text) for text in row["hands"])
    contract = Contract(
        rules.bid(row["contract"]),
        row["declarer"],
        NO_TRUMP if row["trump"] is None else int(parse_suit(row["trump"])),
        row["forehand"],
        (hands[0], hands[1], hands[2]),
        parse_cards(row["laid"]),
        None,
        row["factor"],
    )
    levels = tuple((pair[0], pair[1]) for pair in (row["kontra"].get(part, (0, 0)) for part in PART_TEXTS))
    marriages = sum(1 << (4 * seat + int(parse_suit(suit))) for seat, suit in row["marriages"])
    plays = parse_card_list(row["plays"])
    return Position(rules=rules, contract=contract, plays=plays, marriages=marriages, levels=levels)


def main() -> None:
    """Write the vectors anew: for each preset 56 endings of one to four cards a hand."""
    for preset, rules in PRESETS.items():
        rng = random.Random(f"vectors of {preset}")
        with (FOLDER / f"{preset}.jsonl").open("w") as file:
            for number in range(56):
                goal, n_cards = Component(number % len(Component)), 1 + number // len(Component)
                position = random_position(rng, rules, ending_sizes(rng, n_cards), goal=goal)
                file.write(json.dumps(write_vector(position)) + "\n")


if __name__ == "__main__":
    main()
