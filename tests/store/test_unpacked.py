"""What files hold packed comes back from the views as replay has it."""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.store.hands_by_hand import SHEET, hand
from tests.variants import random_rules
from ulti_stats.game.bids import COMPONENT_TEXTS, PART_TEXTS
from ulti_stats.game.identity import identity_hash
from ulti_stats.game.kontra import kontra_is_individual
from ulti_stats.game.notation import parse_history
from ulti_stats.game.replay import replay
from ulti_stats.game.rulesets import PRESETS
from ulti_stats.sources.simulate import plan_run, play_run
from ulti_stats.store.batches import encode_batch
from ulti_stats.store.rows import Hand, decode, encode
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import Warehouse, open_warehouse

DATA = Path(__file__).parents[1] / "data"


def seen(hands: list[Hand], folder: Path) -> list[dict[str, Any]]:
    store = Store.create_or_open(folder / "store")
    store.add(encode(hands, sources=["here"]))
    with open_warehouse(store.path) as warehouse:
        by_hash = {row["hand_hash"]: row for row in warehouse.query("SELECT * FROM raw.hands").to_pylist()}
    return [by_hash[identity] for _, _, identity in hands]


def check(hands: list[Hand], folder: Path) -> None:
    """Assert that every unpacked column says what the replay says."""
    for (history, found, _), row in zip(hands, seen(hands, folder), strict=True):
        assert tuple(row[f"hand_{seat}"] for seat in range(3)) == (history.hands or (None,) * 3)
        at_play: Iterable[int | None] = (None,) * 3
        if found.hands is not None and found.declarer is not None:
            at_play = [found.hands[(found.declarer + place) % 3] for place in range(3)]
        assert [row[f"play_{role}"] for role in ("declarer", "defender_1", "defender_2")] == list(at_play)
        assert tuple(row[f"payoff_{seat}"] for seat in range(3)) == (found.payoffs or (None,) * 3)
        parts = {part.component: part for part in found.components}
        for name in COMPONENT_TEXTS:
            part = parts.get(name)
            assert row[f"{name}_made"] == (part and part.made)
            assert (row[f"{name}_units_1"], row[f"{name}_units_2"]) == ((part and part.units) or (None, None))
            if name in PART_TEXTS:
                assert (row[f"{name}_kontra_1"], row[f"{name}_kontra_2"]) == (part.kontra_levels if part else (None, None))
        policies = " / ".join(history.players or ()) if history.simulated else None
        assert row["policies"] == policies
        assert row["kontra_units"] == kontra_units(found), history


def kontra_units(found: Any) -> float | None:
    """What the defenders pay with kontra less what they would have paid: step by step, each defender by himself."""
    if found.payoffs is None or found.contract is None or any(gain is None for gain in found.step_gains):
        return None
    moved = [0, 0]
    for kontra, gain in zip(found.kontras, found.step_gains, strict=True):
        bound = [0, 1]
        if kontra_is_individual(found.rules, found.contract):
            seat = kontra.seat if kontra.against is None else kontra.against
            bound = [(seat - found.declarer) % 3 - 1]
        for defender in bound:
            moved[defender] += gain if kontra.seat == found.declarer else -gain
    return sum(moved) / 2


def replayed(histories: Iterable[Any]) -> list[Hand]:
    return [(history, found := replay(history), identity_hash(history, found)) for history in histories]


@pytest.mark.parametrize("preset", ["rablo", "ladder", "ultimato", "hungarian"])
def test_recorded_hands_are_shown_as_they_were_replayed(preset: str, tmp_path: Path) -> None:
    lines = (DATA / f"{preset}.jsonl").read_text(encoding="utf-8").splitlines()
    hands = replayed(parse_history(line, place=preset) for line in lines)
    assert any(found.step_gains for _, found, _ in hands)
    check(hands, tmp_path)


@pytest.mark.parametrize("number", range(6))
def test_so_are_simulated_ones_under_house_rules(number: int, tmp_path: Path) -> None:
    preset, options, _ = random_rules(random.Random(2000 + number))
    check(replayed(decode(simulated(preset, options))), tmp_path)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        *((preset, None) for preset in PRESETS),
        ("rablo", {"settlement": "declarer_only"}),
        ("rablo", {"kontra_scope": "individual", "silent_ulti_defender": "individual"}),
    ],
)
def test_so_are_those_of_every_ruleset_and_settlement(preset: str, options: Any, tmp_path: Path) -> None:
    check(replayed(decode(simulated(preset, options))), tmp_path)


def simulated(preset: str, options: Any) -> Any:
    run = plan_run(seed=9, rules=preset, options=options, players="random")
    ((_, batch, played),) = play_run(run, 0, 60)
    return encode_batch(batch, played, run, first=0)


@pytest.mark.parametrize(
    "changes",
    [
        {"kontra_levels": {}, "outcome": ..., "payoffs": [-8, 16, -8]},
        {"kontra_levels": {}},
        {"ruleset": "hungarian", "contract": "betli", "kontra_levels": {"betli": [0, 2]}, "outcome": {"betli": "made"}},
    ],
)
def test_score_sheets_pay_what_they_claim(changes: dict[str, Any], tmp_path: Path) -> None:
    made = hand(SHEET, **changes)
    row = seen([made], tmp_path)[0]
    assert tuple(row[f"payoff_{seat}"] for seat in range(3)) == (made[1].payoffs or (None,) * 3)
    assert row["hand_2"] is row["play_defender_2"] is None
    # A sheet keeps no steps: what a kontra brought is not known, that there was none is.
    assert row["kontra_units"] == (0.0 if made[1].components[0].kontra_levels == (0, 0) else None)


def test_hands_whose_cards_do_not_tell_are_unknown_there(tmp_path: Path) -> None:
    hands = [
        hand(plays="BA B8 B7 HA", payoffs=..., outcome=..., abandoned=True),
        hand(plays=..., marriages=..., payoffs=..., outcome=...),
        hand(plays=..., kontras=..., marriages=..., payoffs=..., outcome={"ulti": "made"}),
    ]
    check(hands, tmp_path)


def test_unpacked_columns_have_the_types_of_stored_ones() -> None:
    with Warehouse(None) as warehouse:
        empty = warehouse.query("SELECT ulti_made, ulti_kontra_1, payoff_0, hand_2 FROM raw.hands")
        assert [str(field.type) for field in empty.schema] == ["bool", "int8", "int32", "uint32"]
