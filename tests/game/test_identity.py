"""Which records are the same hand: what changes the identity, and what does not."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.game.hands import HANDS, TALON, history, kontra, played
from ulti_stats.game.cards import parse_cards
from ulti_stats.game.history import PASS, Call, HandHistory
from ulti_stats.game.identity import canonical_text, identity_hash
from ulti_stats.game.notation import parse_history
from ulti_stats.game.replay import replay

SIMPLE = (f"0 simple {TALON}", "1 pass", "2 pass", "0 pass")


def same(one: HandHistory, other: HandHistory) -> bool:
    assert len(identity_hash(one, replay(one))) == 16
    return identity_hash(one, replay(one)) == identity_hash(other, replay(other))


BASE = replace(played("simple"), session="friday", deal_no=3, players=("Anna", "Bea", "Cili"))


@pytest.mark.parametrize(
    "change",
    [
        {"session": "saturday"},
        {"deal_no": 4},
        {"players": ("Anna", "Bea", "Dora")},
        {"players": None},
        {"ruleset": "hungarian"},
        {"options": {"kontra_max_level": 2}},
        {"trump": 1, "plays": None},
        {"abandoned": True, "plays": BASE.plays[:6] if BASE.plays else ()},
        {"kontras": (kontra("1 simple"),)},
        {"marriages": ()},
        {"plays": BASE.plays[:27] if BASE.plays else ()},
        {"sitting_out": "Dora"},
    ],
    ids=lambda change: "+".join(change),
)
def test_table_and_decisions_make_the_identity(change: dict[str, Any]):
    assert not same(BASE, replace(BASE, **change))


@pytest.mark.parametrize(
    "change",
    [
        {"id": "x-1"},
        {"extra": {"note": "late at night"}},
        {"source": "notebook"},
        {"played_at": "2026-10-19T20:53:00Z"},
        {"dealer": 2},
        {"forehand": None, "dealer": 2},
        {"payoffs": (0, 0, 0), "outcome": {"simple": "failed"}},
        {"options": {}},
        {"conceded": False, "abandoned": False, "kontras": ()},
    ],
    ids=lambda change: "+".join(change),
)
def test_names_claims_and_notes_do_not(change: dict[str, Any]):
    assert same(BASE, replace(BASE, **change))


def test_kontras_differ_by_seat_component_moment_and_whom_they_answer():
    ulti = played("ulti")
    steps = ["1 ulti", "2 ulti", "1 simple", "1 ulti after 2"]
    hands = [replace(ulti, kontras=(kontra(words),)) for words in steps]
    assert len({identity_hash(hand, replay(hand)) for hand in hands}) == 4
    betli = played("betli", preset="hungarian", trump=None)
    both = ("1 betli", "2 betli")
    answers = [replace(betli, kontras=tuple(map(kontra, (*both, f"0 betli against {seat}")))) for seat in (1, 2)]
    assert not same(*answers)


def test_the_order_of_cards_in_a_set_means_nothing():
    def record(first_hand: str, talon: str, discard: str) -> HandHistory:
        passes = [{"seat": seat, "bid": "pass"} for seat in (1, 2)]
        calls = [{"seat": 0, "bid": "simple", "discard": discard}, *passes]
        given = {"hands": [first_hand, *HANDS[1:]], "talon": talon, "auction": calls}
        return parse_history(json.dumps({"format": "ulti-hand/1", "ruleset": "rablo", "forehand": 0, **given}), place="here")

    assert same(record(HANDS[0], "L7 B7", "B9 B8"), record(" ".join(reversed(HANDS[0].split())), "B7 L7", "B8 B9"))


def test_the_holders_closing_pass_is_no_part_of_it():
    assert same(history(*SIMPLE), history(*SIMPLE[:3]))


def test_but_every_other_pass_is():
    one = history("0 pass", "1 pass", f"2 simple {TALON}", "0 pass", "1 pass", preset="ladder")
    other = history("0 pass", f"1 simple {TALON}", "2 pass", "0 pass", preset="ladder")
    assert not same(one, other)
    out = history("0 pass", "1 pass", "2 pass", preset="ladder")
    assert '[2,"pass"' in canonical_text(out, replay(out))


def test_the_closing_passes_of_both_rounds_are_left_out():
    options = {"two_round_auction": True}
    round_1 = ("0 simple round 1", "1 pass round 1", "2 pass round 1", "0 pass round 1")
    five = tuple(sum(1 << card for card in parse_five(hand)) for hand in HANDS)
    whole = history(*round_1, *SIMPLE, options=options, five=five)
    short = history(*round_1[:3], *SIMPLE[:3], options=options, five=five)
    assert same(whole, short)
    assert not same(whole, replace(whole, five=(five[0], five[1], _other_five(HANDS[2]))))


def parse_five(hand: str) -> list[int]:
    return [8 * "ALHB".index(card[0]) + "789UOKTA".index(card[1]) for card in hand.split()[:5]]


def _other_five(hand: str) -> int:
    return sum(1 << card for card in parse_five(" ".join(reversed(hand.split()))))


def test_a_hold_and_a_suit_named_in_a_call_are_decisions():
    options = {"hold": "forehand"}
    held = (f"0 simple {TALON}", "1 betli BA BU", "2 pass", "0 hold betli BA BU", "1 pass", "2 pass", "0 pass")
    hand = history(*held, options=options)
    assert f'[0,"betli",{parse_cards("BA BU")},null,1,2]' in canonical_text(hand, replay(hand))
    in_call = history("0 simple in bells", "1 pass", "2 pass", preset="ladder")
    in_key = history("0 simple", "1 pass", "2 pass", preset="ladder", trump="bells")
    assert not same(in_call, in_key)
    assert same(in_call, replace(in_call, trump=3))


def test_marriages_count_as_declared_whether_listed_or_absent_and_in_any_order():
    derived = replay(BASE).marriages
    assert len(derived) == 3
    assert same(BASE, replace(BASE, marriages=derived))
    assert same(BASE, replace(BASE, marriages=tuple(reversed(derived))))
    assert not same(BASE, replace(BASE, marriages=derived[:2]))


def test_an_implied_trump_need_not_be_written():
    assert same(played("simple@hearts", trump=None), played("simple@hearts", trump="hearts"))


def test_a_simulated_hand_has_seed_index_and_version_in_its_identity():
    simulated = replace(BASE, source="simulate", extra={"simulated": {"seed": 1, "index": 2, "version": "1"}})
    assert not same(BASE, simulated)
    for change in ({"seed": 2}, {"index": 3}, {"version": "2"}):
        other = {"simulated": {"seed": 1, "index": 2, "version": "1"} | change}
        assert not same(simulated, replace(simulated, extra=other))
    assert same(simulated, replace(simulated, extra={**(simulated.extra or {}), "note": "x"}))


# --- score sheets -----------------------------------------------------------------------------------------------------

SHEET = HandHistory(ruleset="rablo", declarer=0, contract="betli", payoffs=(10, -5, -5), session="friday", deal_no=1)


@pytest.mark.parametrize(
    "change",
    [
        {"declarer": 1, "payoffs": (-5, 10, -5)},
        {"contract": "betli@hearts", "payoffs": (20, -10, -10)},
        {"kontra_levels": {"betli": 1}, "payoffs": (20, -10, -10)},
        {"outcome": {"betli": "made"}},
        {"played_at": "2026-10-19T20:53:00Z"},
        {"session": "saturday"},
        {"dealer": 1},
        {"ruleset": "hungarian"},
    ],
    ids=lambda change: "+".join(change),
)
def test_what_a_sheet_says_makes_its_identity(change: dict[str, Any]):
    assert not same(SHEET, replace(SHEET, **change))


def test_levels_written_in_two_ways_are_the_same():
    kontrad = replace(SHEET, ruleset="hungarian", payoffs=(20, -10, -10), kontra_levels={"betli": 1})
    assert same(kontrad, replace(kontrad, kontra_levels={"betli": (1, 1)}))
    assert same(SHEET, replace(SHEET, kontra_levels={"betli": 0}))
    assert same(replace(SHEET, dealer=2), replace(SHEET, forehand=0))


def test_equal_rows_of_one_file_are_numbered():
    found = replay(SHEET)
    assert len({identity_hash(SHEET, found, repeat=number) for number in range(3)}) == 3


def test_a_pass_of_somebody_who_is_not_the_holder_stays():
    calls = (Call(0, "simple", 0b11), Call(1, PASS), Call(2, PASS), Call(0, PASS))
    kept = canonical_text(replace(history(*SIMPLE), auction=calls), replay(history(*SIMPLE)))
    assert kept.count('"pass"') == 2
