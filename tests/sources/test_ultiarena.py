"""UltiArena's recorded games as hand histories, worked by hand where it matters."""

import copy
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ulti_stats.game.bids import ULTIARENA_BIDS
from ulti_stats.game.cards import FULL_DECK, cards_of, format_cards, parse_card_list, parse_cards, parse_suit
from ulti_stats.game.fields import FieldError
from ulti_stats.game.history import PASS, Call, Kontra, Marriage
from ulti_stats.game.replay import replay
from ulti_stats.sources.importers import Problem, Record, read_records
from ulti_stats.sources.importers.ultiarena.mapping import CONTRACTS, history_of
from ulti_stats.sources.importers.ultiarena.talon import Hands, dealt_from, recover_discards

SAMPLES = Path(__file__).parent.parent.parent / "data" / "samples"
GAMES = {
    game["id"]: game for game in map(json.loads, (SAMPLES / "ultiarena_games.jsonl").read_text(encoding="utf-8").splitlines())
}


def _cards(*texts: str) -> tuple[int, ...]:
    return tuple(parse_cards(text) for text in texts)


def _changed(game_id: str, change: Any) -> dict[str, Any]:
    game = copy.deepcopy(GAMES[game_id])
    change(game)
    return game


# --- games worked by hand ---------------------------------------------------------------------------------------------


def test_an_opening_pass_is_the_forced_simple_game_and_its_talon_is_robbed():
    # Forehand passes and lays A9 B8, which seat 1 takes up for a simple game in hearts; he lays LO A8.
    history = history_of(GAMES["06516095a77d"])
    assert history.dealer == 2
    assert history.hands == _cards(
        "AT AU A9 LT LK L7 HA H9 BU B7",
        "AK AO A8 LA LO HT HK HO H8 BA",
        "AA A7 LU L9 L8 HU H7 BK BO B9",
    )
    assert history.talon == parse_cards("BT B8")
    assert history.auction == (
        Call(0, "simple", parse_cards("A9 B8")),
        Call(1, "simple@hearts", parse_cards("A8 LO")),
        Call(2, PASS),
        Call(0, PASS),
        Call(1, PASS),
    )
    assert (history.trump, history.conceded) == (parse_suit("hearts"), None)
    # Play index 0 is the declarer, seat 1: he has the forty, and seat 0, who plays third, the twenty in acorns.
    assert history.marriages == (
        Marriage(1, parse_suit("hearts"), 0),
        Marriage(1, parse_suit("acorns"), 0),
        Marriage(2, parse_suit("bells"), 1),
    )
    assert history.plays is not None
    assert history.plays[:6] == parse_card_list("HO H7 HA B7 BA B9")
    assert history.kontras == ()
    assert history.payoffs == (-2, 4, -2)
    assert history.played_at == "2026-11-30T00:10:55.510075Z"
    assert (history.id, history.ruleset, history.source) == ("06516095a77d", "ultiarena", "ultiarena")


def test_a_kontra_without_trumps_binds_one_defender():
    # A plain durchmars, kontra by seat 1 and answered by the declarer; it is lost in trick 4, and seat 2 gets the base value.
    history = history_of(GAMES["ee6044853ae9"])
    assert history.auction is not None
    assert history.auction[0] == Call(0, "durchmars_nt", parse_cards("HA LA"))
    assert (history.trump, history.trump_given) == (None, True)
    assert history.kontras == (
        Kontra(1, "durchmars", after_play=2),
        Kontra(0, "durchmars", against=1, after_play=3),
    )
    assert history.plays == parse_card_list("AO A8 AT HK HO HU AA A7 AU H7 HT H9")
    assert history.marriages == ()
    replayed = replay(history)
    assert replayed.payoffs == history.payoffs == (-30, 24, 6)
    assert (replayed.level, replayed.termination) == ("full", "played")


def test_both_defenders_kontras_without_trumps_are_answered_one_by_one():
    history = history_of(GAMES["5d933c8e487c"])
    assert history.kontras == (
        Kontra(1, "betli", after_play=2),
        Kontra(2, "betli", after_play=3),
        Kontra(0, "betli", against=1, after_play=3),
        Kontra(0, "betli", against=2, after_play=3),
    )


def test_nobody_bids_and_the_simple_game_is_conceded():
    history = history_of(GAMES["c4411b06b0c1"])
    assert history.auction == (Call(0, "simple", parse_cards("A8 B8")), Call(1, PASS), Call(2, PASS), Call(0, PASS))
    assert history.conceded
    assert (history.plays, history.kontras, history.marriages) == (None, None, None)
    assert replay(history).payoffs == history.payoffs == (-4, 2, 2)


def test_a_last_look_after_three_passes_is_a_self_raise():
    history = history_of(GAMES["d18d0921a55d"])
    assert history.auction is not None
    assert [(call.seat, call.bid) for call in history.auction] == [
        (0, "simple"),
        (1, PASS),
        (2, PASS),
        (0, "ulti"),
        (1, "forty_hundred+ulti"),
        (2, PASS),
        (0, PASS),
        (1, PASS),
    ]
    # What he laid first is taken up again by himself, so it cannot be known.
    assert history.extra is not None
    assert history.extra["ultiarena"]["inferred_discards"]


def test_hearts_named_under_a_plain_bid_stay():
    history = history_of(GAMES["ab8f7dd9febd"])
    assert history.auction is not None
    assert history.auction[0].bid == "forty_hundred"
    assert history.trump == parse_suit("hearts")
    assert replay(history).payoffs == (-8, 4, 4)


# --- every sample game ------------------------------------------------------------------------------------------------


def test_every_sample_game_is_accepted_and_pays_what_the_site_paid():
    for name in ("ultiarena_games.db", "ultiarena_games.jsonl"):
        records = [record for record in read_records(SAMPLES / name) if isinstance(record, Record)]
        assert len(records) == 25
        for record in records:
            replayed = replay(record.history)
            assert replayed.disagreements == (), record.place
            assert replayed.level == "full"
            assert replayed.payoffs == tuple(GAMES[record.history.id or ""]["seat_gp"])


def test_the_database_and_the_json_hold_the_same_histories():
    database, lines = (
        {record.history.id: record.history for record in read_records(SAMPLES / name) if isinstance(record, Record)}
        for name in ("ultiarena_games.db", "ultiarena_games.jsonl")
    )
    assert database == lines


def test_the_cards_at_the_start_of_play_are_those_of_the_record():
    for game_id, game in GAMES.items():
        replayed = replay(history_of(game))
        assert replayed.hands is not None
        for index, hand in enumerate(game["transcript"]["deal"]["hands"]):
            suits = "HBLA"
            seat = (index + game["soloist_seat"]) % 3
            cards = " ".join(f"{suits[card // 8]}{'789UOKTA'[card % 8]}" for card in hand)
            assert format_cards(replayed.hands[seat]) == format_cards(parse_cards(cards)), game_id


def test_a_name_is_the_account_and_two_programs_are_not_one_person():
    names = history_of(GAMES["c4411b06b0c1"]).players
    assert names == ("frontier (seat 0)", "frontier (seat 1)", "982b780cb51f")
    # Nobody knows whether two unnamed humans are one.
    unnamed = {(history_of(GAMES[game]).players or ("",))[0] for game in ("5d933c8e487c", "76915afd2ac1")}
    assert unnamed == {"human (5d933c8e487c, seat 0)", "human (76915afd2ac1, seat 0)"}
    for game in GAMES.values():
        assert len(set(history_of(game).players or ())) == 3


# --- personal data ----------------------------------------------------------------------------------------------------


def test_ip_and_device_reach_neither_history_nor_problem(tmp_path: Path):
    def with_secrets(game: dict[str, Any]) -> None:
        for player in game["players"]:
            player["ip"], player["device"] = "203.0.113.7", {"model": "secretphone"}

    good = _changed("06516095a77d", with_secrets)
    wrong_kind = _changed("06516095a77d", with_secrets)
    wrong_kind["transcript"]["kontra"] = 3
    texts = [json.dumps(good), json.dumps(wrong_kind), json.dumps(good)[:600], json.dumps(good).replace('"seed"', '"seed'), ""]
    cut_in_the_ip = json.dumps(good)
    texts.append(cut_in_the_ip[: cut_in_the_ip.index("203.0.113") + 5])
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join(texts), encoding="utf-8")
    found = list(read_records(path))
    assert [type(each) for each in found] == [Record, Problem, Problem, Problem, Problem]
    for each in found:
        assert "203.0" not in repr(each)
        assert "secretphone" not in repr(each)

    with sqlite3.connect(tmp_path / "games.db") as connection:
        connection.execute("CREATE TABLE games (id, players, transcript)")
        connection.execute("INSERT INTO games VALUES ('x', ?, '{}')", (json.dumps(good["players"]),))
        connection.execute("INSERT INTO games VALUES ('y', ?, '{}')", (json.dumps(good["players"])[:-3],))
    found = list(read_records(tmp_path / "games.db"))
    assert [type(each) for each in found] == [Problem, Problem]
    assert "203.0" not in repr(found)
    assert "secretphone" not in repr(found)


# --- what is wrong ----------------------------------------------------------------------------------------------------


def _set(*path: Any) -> Any:
    *steps, key, value = path

    def change(game: dict[str, Any]) -> None:
        target: Any = game
        for step in steps:
            target = target[step]
        target[key] = value

    return change


# fmt: off
WRONG = (
    (_set("soloist_seat", 3),                                     "soloist_seat",               "<= 2"),
    (_set("soloist_seat", 0),                                     "soloist_seat",               "seat 1 made the last bid"),
    (_set("contract", "betli"),                                   "contract",                   "ends with 'piros parti'"),
    (_set("seat_gp", [0.5, -0.5, 0.0]),                           "seat_gp",                    "whole units"),
    (_set("seat_gp", [1, -1]),                                    "seat_gp",                    "length 3"),
    (_set("trump", "spades"),                                     "trump",                      "unknown suit 'spades'"),
    (_set("players", 2, "seat", 1),                               "players",                    "seats 0, 1 and 2"),
    (_set("created_at", 1e30),                                    "created_at",                 "seconds since 1970"),
    (_set("created_at", "yesterday"),                             "created_at",                 "expected"),
    (_set("transcript", None),                                    "transcript",                 "expected `object`"),
    (_set("transcript", "deal", "talon", [0, 32]),                "transcript.deal.talon[1]",   "<= 31"),
    (_set("transcript", "deal", "talon", [0, 0]),                 "transcript.deal",            "32 cards"),
    (_set("transcript", "deal", "hands", 0, [1, 2, 3]),           "transcript.deal.hands[0]",   "length"),
    (_set("transcript", "auction", []),                           "transcript.auction",         "length"),
    (_set("transcript", "auction", 2, "kind", "double"),          "transcript.auction[2].kind", "bid or pass"),
    (_set("transcript", "kontra", {"ultimo": 1}),                 "transcript.kontra.ultimo",   "did you mean 'ulti'"),
    (_set("transcript", "kontra", {"parti": [1, 0]}),             "transcript.kontra.parti",    "joint"),
    (_set("transcript", "kontra", {"parti": 3}),                  "transcript.kontra.parti",    "from 0 to 2"),
    (_set("transcript", "marriages", [[0, "SPADES", 20]]),        "transcript.marriages[0]",    "unknown suit"),
)
# fmt: on


@pytest.mark.parametrize(("change", "path", "reason"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_game_is_named_with_the_path(change: Any, path: str, reason: str):
    with pytest.raises(FieldError) as caught:
        history_of(_changed("06516095a77d", change))
    assert caught.value.path == path
    assert reason in caught.value.reason


def test_an_unknown_contract_is_named():
    def rename(game: dict[str, Any]) -> None:
        game["contract"] = game["transcript"]["auction"][0]["contract"] = "terített betli"

    with pytest.raises(FieldError, match="did you mean 'teritett betli'"):
        history_of(_changed("5d933c8e487c", rename))


def test_the_site_has_a_name_for_every_bid_of_its_ladder():
    assert sorted(CONTRACTS.values()) == sorted(ULTIARENA_BIDS)
    assert CONTRACTS["piros teritett ulti-40-100-duri"] == "forty_hundred+ulti+open_durchmars@hearts"
    assert CONTRACTS["rebetli"] == "betli@hearts"
    assert CONTRACTS["teritett duri"] == "open_durchmars_nt"


# --- the deal and the discards ----------------------------------------------------------------------------------------


def test_without_its_seed_forehands_twelve_are_known_where_he_alone_took_the_talon():
    history = history_of(_changed("ee6044853ae9", _set("seed", 1)))
    assert history.talon == 0
    assert history.hands is not None
    assert history.hands[0] == parse_cards("AA AK AO A9 LO HK H7 BA BT B9 HA LA")
    assert history.extra is not None
    assert "inferred_deal" not in history.extra["ultiarena"]
    replayed = replay(history)
    assert replayed.pickup is None
    assert replayed.payoffs == (-30, 24, 6)


def test_without_its_seed_a_robbed_talon_is_a_guess_and_says_so():
    for seed in (1, None):
        history = history_of(_changed("06516095a77d", _set("seed", seed)))
        assert history.extra is not None
        assert history.extra["ultiarena"]["inferred_deal"]
        replayed = replay(history)
        assert replayed.hands == replay(history_of(GAMES["06516095a77d"])).hands
        assert replayed.payoffs == (-2, 4, -2)


@st.composite
def exchanges(draw: st.DrawFn) -> tuple[Hands, int, tuple[int, ...], tuple[int, ...], Hands, int]:
    """Deals with up to five pick-ups: hands, talon, bidders, what they laid, and what is left in the end."""
    dealt, talon = dealt_from(draw(st.integers(0, 10_000)))
    bidders = (0, *draw(st.lists(st.integers(0, 2), max_size=4)))
    hands, on_table, laid = list(dealt), talon, []
    for seat in bidders:
        twelve = hands[seat] | on_table
        pair = draw(st.sets(st.sampled_from(sorted(cards_of(twelve))), min_size=2, max_size=2))
        on_table = sum(1 << card for card in pair)
        hands[seat] = twelve & ~on_table
        laid.append(on_table)
    return dealt, talon, bidders, tuple(laid), (hands[0], hands[1], hands[2]), on_table


@settings(max_examples=60, deadline=None)
@given(exchanges())
def test_recovered_discards_lead_to_the_hands_and_are_the_true_ones_where_unique(case: Any):
    dealt, talon, bidders, laid, final, on_table = case
    found = recover_discards(hands=dealt, talon=talon, bidders=bidders, final=final, laid=on_table)
    assert found is not None
    hands, table = list(dealt), talon
    for seat, pair in zip(bidders, found.masks, strict=True):
        assert pair & (hands[seat] | table) == pair
        hands[seat], table = (hands[seat] | table) & ~pair, pair
    assert (tuple(hands), table) == (final, on_table)
    assert not found.is_unique or found.masks == laid


def test_a_deal_that_no_exchange_reaches_is_not_recovered():
    dealt, talon = dealt_from(7)
    other, other_talon = dealt_from(8)
    assert dealt[0] | dealt[1] | dealt[2] | talon == FULL_DECK
    assert recover_discards(hands=dealt, talon=talon, bidders=(0,), final=other, laid=other_talon) is None
    assert recover_discards(hands=dealt, talon=talon, bidders=(0, 1, 2, 0, 1), final=other, laid=other_talon) is None
