"""Hands rescored in bulk give the figures that hands replayed one by one give."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest

from tests.game.packing import packed
from tests.game.tampering import tampered, with_forehand
from tests.variants import random_rules
from ulti_stats import library
from ulti_stats.errors import UltiError
from ulti_stats.game.batch_replay import replay_batch
from ulti_stats.game.history import HandHistory
from ulti_stats.game.identity import identity_hash
from ulti_stats.game.notation import parse_history
from ulti_stats.game.replay import replay
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import PRESETS, Ruleset, ruleset
from ulti_stats.game.verdicts import OPEN
from ulti_stats.sources.simulate import plan_run, play_run
from ulti_stats.stats import rescore as module
from ulti_stats.stats.answer import Report
from ulti_stats.stats.population import Stratum
from ulti_stats.stats.rescore import rescore
from ulti_stats.stats.rescoring import OPEN_THERE, reason_of, rescore_hand
from ulti_stats.stats.rescoring_rows import REASONS
from ulti_stats.stats.selection import Selection
from ulti_stats.store.batches import encode_batch
from ulti_stats.store.rows import decode, encode
from ulti_stats.store.schema import hands_schema
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import Warehouse, open_warehouse

N_HANDS = 80
HOUSE = {"two_round_auction": True, "hold": "forehand", "kontra_scope": "individual"}


def simulated(rules: str, *, options: Any = None, players: str = "random", n_hands: int = N_HANDS, seed: int = 21):
    run = plan_run(seed=seed, rules=rules, options=options, players=players)
    ((_, batch, played),) = play_run(run, 0, n_hands)
    return encode_batch(batch, played, run, first=0).cast(hands_schema())


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A store of simulated hands of every preset and of house rules, and of the recorded samples, sittings and sheets."""
    path = tmp_path_factory.mktemp("rows") / "store"
    store = Store.create_or_open(path)
    for preset in PRESETS:
        for players in ("random", "club,club,random"):
            store.add(simulated(preset, players=players))
    store.add(simulated("rablo", options=HOUSE))
    for name in ("rablo", "ladder", "ultimato", "hungarian"):
        lines = Path(f"tests/data/{name}.jsonl").read_text(encoding="utf-8").splitlines()
        hands = [(history, replay(history)) for history in (parse_history(line, place=name) for line in lines)]
        store.add(encode([(history, found, identity_hash(history, found)) for history, found in hands], sources=[name]))
    return open_warehouse(path)


def one_by_one(warehouse: Warehouse, rules: Ruleset, selection: Selection, monkeypatch: pytest.MonkeyPatch) -> Report:
    with monkeypatch.context() as patched:
        patched.setattr(module, "IN_BULK", "false")
        return rescore(warehouse, rules, selection)


def assert_same(fast: Report, slow: Report) -> None:
    """Assert that two reports say the same; sittings are added in another order, which may move the last digit of a bound."""
    assert (fast.populations, fast.sessions, fast.left_out) == (slow.populations, slow.sessions, slow.left_out)
    for table, other in zip(fast.tables, slow.tables, strict=True):
        assert [(row.stratum, row.keys, row.counts) for row in table.rows] == [
            (row.stratum, row.keys, row.counts) for row in other.rows
        ]
    for found, expected in zip(fast.records(), slow.records(), strict=True):
        for bound in ("low", "high"):
            assert _number(found.pop(bound)) == pytest.approx(_number(expected.pop(bound)), rel=1e-12, abs=1e-12, nan_ok=True)
        assert found == expected


def _number(bound: float | None) -> float:
    return math.nan if bound is None else bound


@pytest.mark.parametrize("rules", [*((preset, None) for preset in PRESETS), ("rablo", HOUSE)])
def test_hands_of_every_preset_give_the_same_report_in_bulk(
    rules: tuple[str, Any], mixed: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = ruleset(*rules)
    fast = rescore(mixed, other)
    assert_same(fast, one_by_one(mixed, other, Selection(), monkeypatch))
    assert {stratum.source for stratum in fast.sessions} > {"recorded", "simulated random"}


def test_so_do_hands_that_a_condition_chooses(mixed: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    selection = Selection("n_tricks < 10 OR session IS NOT NULL -- broken off, or of a sitting", (), "hungarian")
    rules = ruleset("hungarian", {"stop_early": False})
    assert_same(rescore(mixed, rules, selection), one_by_one(mixed, rules, selection, monkeypatch))


def test_most_simulated_hands_are_rescored_in_bulk(mixed: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixed, "histories", lambda where: iter(()))
    report = rescore(mixed, ruleset("rablo"), Selection("is_simulated", (), "rablo"))
    own = Stratum("rablo", ruleset("rablo").digest, "simulated random")
    row = next(row for row in report.table("legal").of(own) if row.keys == ("legal under both",))
    assert row.counts == (N_HANDS,)


@pytest.mark.parametrize("number", range(6))
def test_a_refusal_has_the_reason_of_its_error(number: int) -> None:
    rng = random.Random(number)
    preset, options, rules = random_rules(rng)
    hands = decode(simulated(preset, options=options, seed=number))
    histories = [tampered(with_forehand(history, rules), rng) for history in hands]
    found = replay_batch(rule_table(rules), packed(histories), len(histories))
    assert [REASONS.get(verdict) for verdict in found.verdicts.tolist()] == [reason(history, rules) for history in histories]
    assert (found.verdicts > OPEN).sum() > N_HANDS / 4


def reason(history: HandHistory, rules: Ruleset) -> str | None:
    """Return the reason why a hand is refused or has no result, or None."""
    try:
        return OPEN_THERE if replay(history, rules=rules).payoffs is None else None
    except UltiError as error:
        return reason_of(error)


def test_a_game_stopped_early_has_no_result_where_the_play_goes_on(tmp_path: Path) -> None:
    library.simulate(400, seed=4, rules="hungarian", players="club", store=tmp_path)
    going_on = ruleset("hungarian", {"stop_early": False})
    with library.connect(tmp_path) as warehouse:
        played = [(replay(hand), hand) for hand in warehouse.histories()]
        known = [(own, rescore_hand(hand, own, going_on)) for own, hand in played]
        known = [(own, other) for own, other in known if other.payoffs is not None]
        report = rescore(warehouse, going_on)
    assert 0 < len(known) < len(played)
    units, _, reasons = (table.rows for table in report.tables)
    total = next(row for row in units if row.keys[0] == "all")
    assert [cell.interval.n for cell in total.cells[:2]] == [len(known)] * 2
    # What is known pays the same: only the play differs.
    assert total.cells[2].interval.value == 0
    counts = {row.keys[0]: row.counts[0] for row in reasons}
    assert counts == {"legal under both": len(known), OPEN_THERE: len(played) - len(known)}
