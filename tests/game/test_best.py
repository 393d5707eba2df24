"""The best contract of a hand, against solving every one of them; and parts that must be made together."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from ulti_stats.game.best import Table, available, best_contract, best_of_hand
from ulti_stats.game.cards import cards_of, parse_cards
from ulti_stats.game.notation import parse_history
from ulti_stats.game.parts import trumps_of
from ulti_stats.game.rule_table import NO_TRUMP
from ulti_stats.game.rulesets import ruleset
from ulti_stats.game.solver.position import as_arrays, deals, position_in
from ulti_stats.game.solver.solve import solve_units, solver_for
from ulti_stats.game.together import all_named

DATA = Path(__file__).parents[1] / "data"
RABLO = ruleset()
HANDS = (
    parse_cards("AA AT A9 A7 LK LO HA HT B9 B7"),
    parse_cards("AK AO L9 L8 LU HO H9 H8 BA BT"),
    parse_cards("A8 LT LA L7 HK HU H7 BK BU BO"),
)
TALON = parse_cards("B8 AU")


def brute_force(rules, table, bids):
    """Return the most units of any bid, trump and discard, each solved whole."""
    most = None
    own = table.hands[table.declarer]
    discards = [0] if own.bit_count() == 10 else [1 << a | 1 << b for a, b in combinations(cards_of(own), 2)]
    for bid in bids:
        for trump in trumps_of(rules, bid):
            hands = [
                [hand & ~laid if seat == table.declarer else hand for seat, hand in enumerate(table.hands)] for laid in discards
            ]
            positions = deals(
                rules,
                hands=hands,
                laid=[laid | table.talon for laid in discards],
                bid=bid.number,
                trump=trump,
                declarer=table.declarer,
                forehand=table.forehand,
            )
            here = int(solver_for(rules).units(positions).max())
            most = here if most is None else max(most, here)
    return most


@pytest.mark.parametrize("preset", ["rablo", "ladder", "ultimato", "hungarian", "ultiarena"])
@pytest.mark.parametrize("declarer", [0, 1])
def test_the_best_of_ten_cards_is_the_best_of_every_bid(preset, declarer):
    rules = ruleset(preset)
    table = Table(HANDS, TALON, declarer, 0)
    found = best_contract(rules, table, rules.ladder)
    assert found is not None
    assert found.both == brute_force(rules, table, rules.ladder)


def test_the_best_discard_of_twelve_is_the_best_of_all_66():
    table = Table((HANDS[0] | TALON, *HANDS[1:]), 0, 0, 0)
    bids = [RABLO.bid(name) for name in ("simple", "ulti", "four_aces@hearts", "betli")]
    found = best_contract(RABLO, table, bids)
    assert found.discard.bit_count() == 2
    assert found.both == brute_force(RABLO, table, bids)


def test_where_to_begin_changes_nothing():
    table = Table((HANDS[0] | TALON, *HANDS[1:]), 0, 0, 0)
    bids = [RABLO.bid(name) for name in ("simple", "ulti", "simple@hearts")]
    assert {best_contract(RABLO, table, bids, first=bid).both for bid in bids} == {best_contract(RABLO, table, bids).both}


def test_only_what_may_be_said_over_the_others_is_compared():
    names = {bid.name for bid in available(RABLO, RABLO.bid("ulti@hearts"))}
    assert "ulti" not in names
    assert "betli@hearts" in names
    assert set(available(RABLO, None)) == set(RABLO.ladder)


def test_the_best_contract_is_never_worth_less_than_the_contract_played():
    lines = (DATA / "rablo.jsonl").read_text().splitlines()
    for line in lines[10:40:6]:
        history = parse_history(line, place="a test")
        position = replace(position_in(history, 0), marriages=None)
        if position.contract.trump is None or position.contract.factor != 1:
            continue
        plain = replace(position, levels=((0, 0),) * 7)
        assert best_of_hand(position, history).both >= solve_units(plain)


def test_parts_that_can_be_made_together_can_be_made_alone():
    lines = (DATA / "rablo.jsonl").read_text().splitlines()
    apart = together = 0
    solver = solver_for(RABLO)
    for line in lines:
        history = parse_history(line, place="a test")
        if history.ruleset != "rablo" or history.options or history.conceded:
            continue
        position = replace(position_in(history, 0), marriages=None)
        if position.trump == NO_TRUMP and len(position.contract.bid.form.parts) == 1:
            continue
        arrays = as_arrays(RABLO, [position])
        every = all(solver.made(arrays, part)[0] for part in position.contract.bid.form.parts)
        at_once = bool(all_named(RABLO, arrays, position.contract.bid)[0])
        assert every or not at_once
        if len(position.contract.bid.form.parts) == 1:
            assert every == at_once
        apart, together = apart + every, together + at_once
    assert apart > 10
    assert together > 10
