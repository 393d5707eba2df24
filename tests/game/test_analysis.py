"""What each card gave away: on recorded hands of every preset, and on a hand that can be checked by eye."""

from dataclasses import replace
from pathlib import Path

import pytest

from ulti_stats.errors import UltiError
from ulti_stats.game.analysis import analyse
from ulti_stats.game.cards import format_card
from ulti_stats.game.notation import parse_history
from ulti_stats.game.replay import replay
from ulti_stats.game.solver.position import position_in
from ulti_stats.game.solver.solve import solve_goal, solve_units

DATA = Path(__file__).parents[1] / "data"


def played(preset: str, n: int):
    """Return n hands of a preset that were played to their end."""
    found = []
    for number, line in enumerate((DATA / f"{preset}.jsonl").read_text().splitlines()):
        try:
            history = parse_history(line, place=f"{preset}:{number}")
            result = replay(history)
        except UltiError:
            continue
        if result.level == "full" and result.termination == "played" and history.plays:
            found.append((history, result))
    return found[:: max(1, len(found) // n)][:n]


@pytest.mark.parametrize("preset", ["rablo", "ladder", "ultimato", "hungarian"])
def test_errors_add_up_to_what_was_paid_less_par(preset):
    for history, result in played(preset, 8):
        found = analyse(position_in(history))
        paid = sum(sum(component.units) for component in result.components)
        moved = sum(error.cost if error.seat != result.declarer else -error.cost for error in found.errors)
        assert 2 * found.paid == paid
        assert found.par + moved == found.paid
        assert all(error.cost > 0 for error in found.errors)


def test_a_best_card_in_place_of_an_error_gives_nothing_away():
    checked = 0
    for history, _ in played("rablo", 70):
        position = position_in(history)
        for error in analyse(position).errors[:2]:
            before = replace(position, plays=position.plays[: error.ply])
            assert solve_units(before.after(error.best_card)) == solve_units(before)
            assert abs(solve_units(before.after(error.card)) - solve_units(before)) == 2 * error.cost
            checked += 1
    assert checked > 8


def test_after_the_deciding_card_every_named_part_ends_as_open_cards_say():
    decided = []
    for history, result in played("rablo", 25):
        position = position_in(history)
        ply = analyse(position).decided_ply
        decided.append(ply)
        for part in position.contract.bid.form.parts:
            ended = result.component(part.text).made
            after = replace(position, plays=position.plays[: ply + 1])
            assert solve_goal(after, part) == ended
        if ply >= 0:
            before = replace(position, plays=position.plays[:ply])
            assert any(
                solve_goal(before, part) != result.component(part.text).made for part in position.contract.bid.form.parts
            ), format_card(position.plays[ply])
    assert -1 in decided
    assert max(decided) >= 0
