"""Four at the table: the dealer sits out, and a simulated hand is stored as a recorded one would be."""

from __future__ import annotations

import pytest

from ulti_stats.errors import RecordError, UltiError
from ulti_stats.game.history import HandHistory
from ulti_stats.game.identity import identity_hash
from ulti_stats.game.notation import format_history, parse_history
from ulti_stats.game.replay import replay
from ulti_stats.sources.simulate import plan_run, play_run
from ulti_stats.store.batches import encode_batch
from ulti_stats.store.rows import decode, encode

FOUR = "random,club,club,random"
RANDOM_FOUR = ("random", "club", "club", "random")


def simulated(rules: str, *, n_hands: int = 40, first: int = 0, players: str = FOUR, n_people: int = 4):
    """Return stored rows of simulated hands, and their histories."""
    run = plan_run(seed=11, rules=rules, options={"players": 4} if n_people == 4 else None, players=players)
    ((start, batch, played),) = play_run(run, first, first + n_hands)
    assert (start, played) == (first, n_hands)
    rows = encode_batch(batch, n_hands, run, first=first)
    return rows, decode(rows)


@pytest.mark.parametrize(("rules", "n_people"), [("rablo", 3), ("rablo", 4), ("ladder", 4), ("ultimato", 4)])
def test_simulated_hands_are_stored_column_for_column_as_their_records_would_be(rules: str, n_people: int) -> None:
    rows, histories = simulated(rules, first=3, players=FOUR if n_people == 4 else "random,club,random", n_people=n_people)
    hands = [(history, found := replay(history), identity_hash(history, found)) for history in histories]
    expected = encode(hands, sources=["simulate seed 11"])
    for name in rows.column_names:
        assert rows.column(name).to_pylist() == expected.column(name).to_pylist(), name


def test_the_deal_passes_round_four_people_and_the_dealer_sits_out() -> None:
    rows, histories = simulated("rablo", n_hands=9)
    for index, history in enumerate(histories):
        dealer = index % 4
        assert history.sitting_out == RANDOM_FOUR[dealer]
        assert history.players == tuple(RANDOM_FOUR[(dealer + place) % 4] for place in (1, 2, 3))
        assert (history.dealer, history.forehand) == (None, 0)
    assert rows.column("dealer").null_count == 9


def test_the_first_to_speak_sits_beside_the_dealer_on_the_side_that_the_rules_say() -> None:
    # Clockwise with forehand on the dealer's right he is the last in the order of play.
    _, histories = simulated("ultimato", n_hands=5)
    assert {history.forehand for history in histories} == {2}


def test_each_person_plays_his_own_policy_whatever_his_seat() -> None:
    # Hand 2 is dealt by the third of four, so the others sit as fourth, first, second; forehand is seat 0, as in hand 2 of three.
    _, four = simulated("rablo", n_hands=3)
    _, three = simulated("rablo", n_hands=3, players="random,random,club", n_people=3)
    assert four[2].players == three[2].players == ("random", "random", "club")
    for decision in ("hands", "talon", "auction", "trump", "conceded", "kontras", "plays"):
        assert getattr(four[2], decision) == getattr(three[2], decision), decision


def test_three_at_the_table_keep_their_seats_and_the_deal_passes_round_them() -> None:
    _, histories = simulated("rablo", n_hands=4, players="club,random,club", n_people=3)
    assert [history.dealer for history in histories] == [0, 1, 2, 0]
    assert {history.players for history in histories} == {("club", "random", "club")}
    assert {history.sitting_out for history in histories} == {None}


def test_a_simulated_hand_of_four_survives_its_text_form() -> None:
    _, histories = simulated("rablo", n_hands=4)
    for history in histories:
        assert parse_history(format_history(history), place="hands.jsonl:1") == history


def test_a_record_of_four_names_forehand_and_no_dealer() -> None:
    _, (history, *_) = simulated("rablo", n_hands=1)
    text = format_history(history)
    with pytest.raises(RecordError, match="dealer: has no place; with players=4 the fourth deals and sits out"):
        parse_history(text.replace('"forehand":0', '"dealer":2'), place="hands.jsonl:1")
    with pytest.raises(RecordError, match="dealer or forehand says who speaks first"):
        parse_history(text.replace('"forehand":0,', ""), place="hands.jsonl:1")


def test_a_record_of_four_needs_no_name_for_the_fourth() -> None:
    _, (history, *_) = simulated("rablo", n_hands=1)
    anonymous = HandHistory(
        ruleset="rablo", options={"players": 4}, forehand=1, declarer=0, contract="betli", payoffs=(10, -5, -5)
    )
    assert (replay(anonymous).dealer, replay(anonymous).forehand) == (None, 1)
    assert replay(history).dealer is None


def test_the_number_of_players_must_fit_the_table() -> None:
    with pytest.raises(UltiError, match="name 3 people; give one policy for all or 4, as in club,random,club,club"):
        plan_run(seed=1, options={"players": 4}, players="club,random,club")
    with pytest.raises(UltiError, match="name 4 people; give one policy for all or 3"):
        plan_run(seed=1, players="club,random,club,club")


def test_four_at_the_table_are_another_family_of_runs() -> None:
    three, four = plan_run(seed=1), plan_run(seed=1, options={"players": 4})
    assert three.app_id != four.app_id
    assert four.players == ("club",) * 4
