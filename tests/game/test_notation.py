"""The text form `ulti-hand/1`: what is written comes back, and what is wrong is named with place and path."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ulti_stats.errors import NotationError, RecordError
from ulti_stats.game.bids import COMPONENT_TEXTS, PART_TEXTS
from ulti_stats.game.cards import Suit, parse_card_list, parse_cards
from ulti_stats.game.history import PASS, Call, HandHistory, Kontra, Marriage
from ulti_stats.game.notation import KEYS, format_history, parse_history
from ulti_stats.game.rulesets import PRESETS

DATA = Path(__file__).parent.parent / "data"

HANDS = (
    "AA AT AK AO A7 HA HT LA B9 B8",
    "A9 A8 AU HK HO HU LT LK LO LU",
    "H9 H8 H7 L9 L8 BA BT BK BO BU",
)


def _card_record(**changes: Any) -> dict[str, Any]:
    record: dict[str, Any] = {
        "format": "ulti-hand/1",
        "ruleset": "rablo",
        "dealer": 2,
        "hands": list(HANDS),
        "talon": "L7 B7",
        "auction": [
            {"seat": 0, "bid": "ulti", "discard": "B9 B8"},
            {"seat": 1, "bid": "pass"},
            {"seat": 2, "bid": "pass"},
            {"seat": 0, "bid": "pass"},
        ],
        "trump": "acorns",
        "plays": "AA A8 H7",
    }
    return {key: value for key, value in (record | changes).items() if value is not ...}


def _sheet(**changes: Any) -> dict[str, Any]:
    record: dict[str, Any] = {
        "format": "ulti-hand/1",
        "ruleset": "hungarian",
        "declarer": 1,
        "contract": "betli",
        "kontra_levels": {"betli": [1, 0]},
        "payoffs": [5, -15, 10],
    }
    return {key: value for key, value in (record | changes).items() if value is not ...}


def _parse(record: dict[str, Any]) -> HandHistory:
    return parse_history(json.dumps(record), place="hands.jsonl:7")


def _error(text: str | bytes) -> RecordError:
    with pytest.raises(RecordError) as caught:
        parse_history(text, place="hands.jsonl:7")
    assert str(caught.value).startswith("hands.jsonl:7: ")
    return caught.value


# --- reading ----------------------------------------------------------------------------------------------------------


def test_a_record_with_cards_is_read_key_by_key():
    history = _parse(
        _card_record(
            id="demo-1",
            players=["Anna", "Bea", "Cili"],
            kontras=[{"seat": 1, "component": "ulti", "after_play": 2}],
            marriages=[{"seat": 0, "suit": "acorns", "play": 0}],
            payoffs=[18, -9, -9],
        )
    )
    assert history.hands == tuple(parse_cards(hand) for hand in HANDS)
    assert history.talon == parse_cards("L7 B7")
    assert history.auction is not None
    assert history.auction[0] == Call(0, "ulti", parse_cards("B9 B8"))
    assert [call.is_pass for call in history.auction] == [False, True, True, True]
    assert (history.trump, history.trump_given) == (Suit.ACORNS, True)
    assert history.kontras == (Kontra(1, "ulti", after_play=2),)
    assert history.marriages == (Marriage(0, Suit.ACORNS, 0),)
    assert history.plays == parse_card_list("AA A8 H7")
    assert history.payoffs == (18, -9, -9)
    assert not history.is_sheet


def test_a_score_sheet_is_read_without_cards():
    history = _parse(_sheet())
    assert history.is_sheet
    assert history.kontra_levels == {"betli": (1, 0)}
    assert (history.declarer, history.contract, history.payoffs) == (1, "betli", (5, -15, 10))


def test_the_holders_closing_pass_is_added_where_it_is_missing():
    record = _card_record()
    closed = _parse(record)
    assert _parse(record | {"auction": record["auction"][:3]}) == closed
    assert json.loads(format_history(closed))["auction"][-1] == {"seat": 0, "bid": "pass"}


def test_no_pass_is_added_while_another_seat_has_to_speak():
    history = _parse(_card_record(auction=[{"seat": 0, "bid": "ulti", "discard": "B9 B8"}, {"seat": 1, "bid": "pass"}]))
    assert history.auction == (Call(0, "ulti", parse_cards("B9 B8")), Call(1, PASS))


def test_no_pass_is_added_where_two_passes_end_the_auction():
    calls = [{"seat": 0, "bid": "simple"}, {"seat": 1, "bid": "pass"}, {"seat": 2, "bid": "pass"}]
    history = _parse(_card_record(ruleset="ladder", auction=calls))
    assert history.auction is not None
    assert len(history.auction) == 3


def test_forehands_twelve_cards_leave_the_talon_empty():
    twelve = [HANDS[0] + " L7 B7", *HANDS[1:]]
    history = _parse(_card_record(hands=twelve, talon=""))
    assert history.talon == 0
    assert history.hands is not None
    assert history.hands[0].bit_count() == 12
    assert _error(json.dumps(_card_record(hands=twelve))).field == "hands[0]"
    assert _error(json.dumps(_card_record(talon=""))).field == "hands[0]"
    # In the ladder nobody is dealt twelve.
    assert _error(json.dumps(_card_record(ruleset="ladder", hands=twelve, talon=""))).field == "talon"


def test_absent_null_and_default_values_stay_apart():
    assert _parse(_card_record()).conceded is None
    assert _parse(_card_record(conceded=False)).conceded is False
    assert _parse(_card_record(plays=...)).plays is None
    assert _parse(_card_record(plays="")).plays == ()
    assert _parse(_card_record(kontras=[])).kontras == ()
    assert _parse(_card_record(options={})).options == {}
    betli = [{"seat": 0, "bid": "betli", "discard": "B9 B8"}, {"seat": 1, "bid": "pass"}, {"seat": 2, "bid": "pass"}]
    assert _parse(_card_record(auction=betli, trump=None)).trump_given
    assert not _parse(_card_record(auction=betli, trump=...)).trump_given
    assert '"trump":null' in format_history(_parse(_card_record(auction=betli, trump=None)))


def test_a_hearts_bid_implies_its_trump():
    hearts = [{"seat": 0, "bid": "ulti@hearts", "discard": "B9 B8"}, {"seat": 1, "bid": "pass"}, {"seat": 2, "bid": "pass"}]
    assert _parse(_card_record(auction=hearts, trump=...)).trump is None


def test_keys_below_extra_are_kept_as_they_are():
    extra = {"anything": {"goes": [1, 2.5, None, "ő"]}}
    assert _parse(_card_record(extra=extra)).extra == extra


# --- what is refused --------------------------------------------------------------------------------------------------

_CALLS = _card_record()["auction"]
# fmt: off
WRONG = (
    # changes to the record                                       path                       words of the reason
    ({"rulset": "rablo"},                                         "rulset",                  "did you mean 'ruleset'"),
    ({"format": "ulti-hand/2"},                                   "format",                  'must be "ulti-hand/1"'),
    ({"format": ...},                                             "format",                  "is missing"),
    ({"ruleset": "rabló"},                                        "ruleset",                 "did you mean 'rablo'"),
    ({"options": {"must_overtak": True}},                         "options",                 "did you mean 'must_overtake'"),
    ({"options": {"kontra_max_level": 9}},                        "options",                 "a whole number from 0 to 6"),
    ({"options": {"silent_set": [["ulti"]]}},                     "options",                 "a list from"),
    ({"options": []},                                             "options",                 "must be an object, not a list"),
    ({"dealer": 3},                                               "dealer",                  "a seat (0, 1 or 2), not 3"),
    ({"dealer": True},                                            "dealer",                  "not true or false"),
    ({"dealer": 2.0},                                             "dealer",                  "not 2.0"),
    ({"dealer": None},                                            "dealer",                  "not null"),
    ({"dealer": ...},                                             "dealer",                  "dealer or forehand"),
    ({"deal_no": 0},                                              "deal_no",                 "from 1, not 0"),
    ({"deal_no": 10**12},                                         "deal_no",                 "from 1"),
    ({"played_at": "2026-10-19 20:53"},                           "played_at",               "RFC 3339"),
    ({"played_at": "2026-13-19T20:53:00Z"},                       "played_at",               "there is no"),
    ({"played_at": "2026-10-19T20:53:00+25:00"},                  "played_at",               "there is no"),
    ({"players": ["Anna", "Bea"]},                                "players",                 "a list of 3, not of 2"),
    ({"players": ["Anna", "Bea", 3]},                             "players[2]",              "must be a text, not 3"),
    ({"hands": [HANDS[0], HANDS[1], HANDS[2][:-3]]},              "hands[2]",                "must be 10 cards, not 9"),
    ({"hands": [HANDS[0], HANDS[1], HANDS[2][:-2] + "BX"]},       "hands[2]",                "unknown rank 'X'"),
    ({"hands": [HANDS[0], HANDS[1], HANDS[2][:-2] + "H9"]},       "hands[2]",                "H9 stands twice"),
    ({"talon": "L7"},                                             "talon",                   "must be 2 cards"),
    ({"talon": "X7 B7"},                                          "talon",                   "suits are A L H B"),
    ({"talon": ...},                                              "talon",                   "is missing"),
    ({"hands": ...},                                              "hands",                   "is missing"),
    ({"auction": ...},                                            "auction",                 "is missing"),
    ({"auction": [{"seat": 0, "bid": "ulty"}]},                   "auction[0].bid",          "did you mean 'ulti'"),
    ({"auction": [{"seat": 0, "bid": "open_ulti"}]},              "auction[0].bid",          "under rablo"),
    ({"auction": [{"seat": 0, "bidd": "ulti"}]},                  "auction[0].bidd",         "did you mean 'bid'"),
    ({"auction": [{"bid": "ulti"}]},                              "auction[0].seat",         "is missing"),
    ({"auction": [{"seat": 0, "bid": "ulti", "discard": "B9"}]},  "auction[0].discard",      "must be 2 cards, not 1"),
    ({"auction": [{"seat": 0, "bid": "ulti", "hold": False}]},    "auction[0].hold",         "must be true"),
    ({"auction": [{"seat": 0, "bid": "ulti", "round": 1}]},       "auction[0].round",        "no auction on five cards"),
    ({"auction": {"seat": 0}},                                    "auction",                 "must be a list, not an object"),
    ({"discard": "B9 B8 B7"},                                     "discard",                 "must be 2 cards, not 3"),
    ({"trump": "spades"},                                         "trump",                   "acorns, leaves, hearts, bells"),
    ({"trump": ...},                                              "trump",                   "ulti needs a suit"),
    ({"trump": None},                                             "trump",                   "ulti needs a suit"),
    ({"conceded": "no"},                                          "conceded",                "true or false"),
    ({"abandoned": True, "payoffs": [0, 0, 0]},                   "payoffs",                 "abandoned"),
    ({"abandoned": True, "outcome": {}},                          "outcome",                 "abandoned"),
    ({"kontras": [{"seat": 1, "component": "ultii"}]},            "kontras[0].component",    "did you mean 'ulti'"),
    ({"kontras": [{"seat": 1, "component": "silent_ulti"}]},      "kontras[0].component",    "known: simple"),
    ({"kontras": [{"seat": 1, "component": "ulti", "at": 2}]},    "kontras[0].at",           "unknown key"),
    ({"kontras": [{"seat": 1, "component": "ulti", "against": 4}]}, "kontras[0].against",    "a seat"),
    ({"marriages": [{"seat": 1, "suit": "hearts"}]},              "marriages[0].play",       "is missing"),
    ({"marriages": [{"seat": 1, "suit": "hearts", "play": 30}]},  "marriages[0].play",       "from 0 to 29"),
    ({"marriages": [{"seat": 1, "suit": "hearts", "play": 1, "value": 40}]}, "marriages[0].value", "unknown key"),
    ({"plays": "AA AA"},                                          "plays",                   "AA stands twice"),
    ({"plays": ["AA"]},                                           "plays",                   "must be a text, not a list"),
    ({"payoffs": [18, -9]},                                       "payoffs",                 "a list of 3"),
    ({"payoffs": [18, -9, -9.0]},                                 "payoffs[2]",              "whole units, not -9.0"),
    ({"outcome": {"ulti": "won"}},                                "outcome.ulti",            "made, failed"),
    ({"outcome": {"ultimo": "made"}},                             "outcome.ultimo",          "did you mean 'ulti'"),
    ({"outcome": {"silent_ulti_defender": "failed"}},             "outcome.silent_ulti_defender", "only ever made"),
    ({"declarer": 0},                                             "declarer",                "a record with cards"),
    ({"kontra_levels": {}},                                       "kontra_levels",           "a record with cards"),
    ({"extra": "text"},                                           "extra",                   "must be an object"),
    ({"source": "simulate", "extra": {"simulated": {"seed": 1}}}, "extra.simulated.index",   "is missing"),
)
WRONG_SHEETS = (
    ({"plays": "AA"},                                             "plays",                   "score sheet"),
    ({"talon": "L7 B7"},                                          "talon",                   "score sheet"),
    ({"declarer": ...},                                           "declarer",                "is missing"),
    ({"contract": ...},                                           "contract",                "is missing"),
    ({"contract": "betly"},                                       "contract",                "did you mean 'betli'"),
    ({"payoffs": ...},                                            "outcome",                 "an outcome or payoffs"),
    ({"kontra_levels": {"betli": 7}},                             "kontra_levels.betli",     "a kontra level from 0 to 6"),
    ({"kontra_levels": {"betli": [1]}},                           "kontra_levels.betli",     "a list of 2"),
    ({"kontra_levels": {"betli": [1, "0"]}},                      "kontra_levels.betli[1]",  "a kontra level"),
    ({"kontra_levels": {"silent_ulti": 1}},                       "kontra_levels.silent_ulti", "unknown component"),
)
# fmt: on


@pytest.mark.parametrize(("changes", "path", "reason"), WRONG)
def test_a_wrong_value_is_named_with_its_path_and_what_would_be_right(changes: dict[str, Any], path: str, reason: str):
    error = _error(json.dumps(_card_record(**changes)))
    assert error.field == path
    assert reason in error.reason


@pytest.mark.parametrize(("changes", "path", "reason"), WRONG_SHEETS)
def test_a_wrong_score_sheet_is_named_likewise(changes: dict[str, Any], path: str, reason: str):
    error = _error(json.dumps(_sheet(**changes)))
    assert error.field == path
    assert reason in error.reason


# fmt: off
NO_JSON = (
    # text                                          words of the message
    ('{"format": "ulti-hand/1", "rul',              "cut short"),
    ('{"format": "ulti-hand/1", "id": ',            "cut short"),
    ("",                                            "cut short"),
    ('{"format" "ulti-hand/1"}',                    "column 11"),
    ('{"seat": 0, "seat": 0}',                      "seat: a key stands twice"),
    ('{"extra": {"a": [{"b": 1, "b": 2}]}}',        "b: a key stands twice"),
    ('{"extra": {"a": NaN}}',                       "NaN is no number"),
    ('{"extra": {"a": -Infinity}}',                 "-Infinity is no number"),
    ('{"extra": {"a": 1e999}}',                     "too large"),
    ('{"id": "\\ud800"}',                           "surrogate"),
    ('[' * 100_000,                                 "nested more than 50 deep"),
    ('{"extra": {"a": ' + '[' * 60 + ']' * 60 + '}}', "nested more than 50 deep"),
    ('[1, 2]',                                      "must be an object, not a list"),
    ('"ulti"',                                      "must be an object, not 'ulti'"),
    (b'{"id": "Zs\xf3fi"}',                         "not UTF-8 at byte 11"),
)
# fmt: on


@pytest.mark.parametrize(("text", "message"), NO_JSON, ids=range(len(NO_JSON)))
def test_text_that_is_no_json_object_is_refused_in_one_line(text: str | bytes, message: str):
    error = str(_error(text))
    assert message in error
    assert "\n" not in error


def test_a_record_error_is_a_notation_error():
    assert isinstance(_error("{}"), NotationError)


# --- writing ----------------------------------------------------------------------------------------------------------


def test_keys_come_in_the_order_of_the_format_and_card_sets_sorted():
    shuffled = dict(reversed(_card_record(id="x", hands=["B8 B9 LA HT HA A7 AO AK AT AA", *HANDS[1:]]).items()))
    line = format_history(_parse(shuffled))
    names = [key.name for key in KEYS]
    written = json.loads(line)
    assert list(written) == sorted(written, key=names.index)
    assert written["hands"][0] == "AA AT AK AO A7 LA HA HT B9 B8"
    assert "\n" not in line


def test_the_verified_records_come_back_with_all_their_keys():
    for path in sorted(DATA.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            place = f"{path.name}:{number}"
            history = parse_history(line, place=place)
            written = format_history(history)
            assert parse_history(written, place=place) == history
            assert set(json.loads(written)) == set(json.loads(line)), place


SEATS = st.integers(0, 2)
SUITS = st.integers(0, 3)
PAIRS = st.sets(st.integers(0, 31), min_size=2, max_size=2).map(lambda cards: sum(1 << card for card in cards))
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
UNITS = st.integers(-500, 500)
RULES = st.sampled_from(sorted(PRESETS))
MOMENTS = (
    st.datetimes().map(lambda moment: f"{moment:%m-%dT%H:%M:%S}").map(lambda text: f"2026-{text}Z".replace("02-29", "02-28"))
)
EXTRAS = st.dictionaries(TEXTS, st.recursive(st.none() | st.booleans() | UNITS | TEXTS, st.lists, max_leaves=4), max_size=3)
OUTCOMES = st.dictionaries(
    st.sampled_from([name for name in COMPONENT_TEXTS if name != "silent_ulti_defender"]), st.sampled_from(("made", "failed"))
)


def _maybe(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Any:
    return draw(st.none() | values)


def _table(draw: st.DrawFn, rules: str) -> dict[str, Any]:
    return {
        "ruleset": rules,
        "options": _maybe(draw, st.just({"kontra_max_level": 2}) | st.just({})),
        "id": _maybe(draw, TEXTS),
        "session": _maybe(draw, TEXTS),
        "deal_no": _maybe(draw, st.integers(1, 40)),
        "played_at": _maybe(draw, MOMENTS),
        "source": _maybe(draw, TEXTS),
        "players": _maybe(draw, st.tuples(TEXTS, TEXTS, TEXTS)),
        "sitting_out": _maybe(draw, TEXTS),
        "conceded": _maybe(draw, st.booleans()),
        "extra": _maybe(draw, EXTRAS),
    }


@st.composite
def sheets(draw: st.DrawFn) -> HandHistory:
    rules = draw(RULES)
    level = st.integers(0, 6)
    return HandHistory(
        **_table(draw, rules),
        dealer=_maybe(draw, SEATS),
        declarer=draw(SEATS),
        contract=draw(st.sampled_from([bid.name for bid in PRESETS[rules].ladder])),
        kontra_levels=_maybe(draw, st.dictionaries(st.sampled_from(PART_TEXTS), level | st.tuples(level, level))),
        payoffs=draw(st.tuples(UNITS, UNITS, UNITS)),
        outcome=_maybe(draw, OUTCOMES),
    )


@st.composite
def card_histories(draw: st.DrawFn) -> HandHistory:
    """Histories with every kind of key; their decisions need not be legal, which is the replay's question."""
    rules = draw(RULES)
    deck = draw(st.permutations(range(32)))
    masks = [sum(1 << card for card in deck[start : start + 10]) for start in (0, 10, 20)]
    forehand, names = draw(SEATS), [bid.name for bid in PRESETS[rules].ladder]
    talon = 1 << deck[30] | 1 << deck[31]
    if PRESETS[rules].talon_mode == "rob" and draw(st.booleans()):
        masks[forehand], talon = masks[forehand] | talon, 0
    bid = st.builds(Call, SEATS, st.sampled_from(names), st.none() | PAIRS, st.none() | SUITS, st.booleans())
    calls = draw(st.lists(bid | st.builds(Call, SEATS, st.just(PASS)), max_size=6))
    calls += [Call(0, draw(st.sampled_from(names))), Call(1, PASS), Call(2, PASS), Call(0, PASS)]
    trump, abandoned = draw(SUITS), _maybe(draw, st.booleans())
    return HandHistory(
        **_table(draw, rules),
        forehand=forehand,
        hands=(masks[0], masks[1], masks[2]),
        talon=talon,
        auction=tuple(calls),
        discard=_maybe(draw, PAIRS),
        trump=trump,
        trump_given=True,
        abandoned=abandoned,
        kontras=_maybe(
            draw,
            st.lists(
                st.builds(Kontra, SEATS, st.sampled_from(PART_TEXTS), st.none() | SEATS, st.integers(0, 30)), max_size=3
            ).map(tuple),
        ),
        marriages=_maybe(draw, st.lists(st.builds(Marriage, SEATS, SUITS, st.integers(0, 29)), max_size=3).map(tuple)),
        plays=_maybe(draw, st.integers(0, 30).map(lambda n: tuple(deck[:n]))),
        payoffs=None if abandoned else _maybe(draw, st.tuples(UNITS, UNITS, UNITS)),
        outcome=None if abandoned else _maybe(draw, OUTCOMES),
    )


@settings(max_examples=150, deadline=None)
@given(card_histories() | sheets())
def test_what_is_written_is_read_back_the_same(history: HandHistory):
    line = format_history(history)
    assert parse_history(line, place="hands.jsonl:1") == history
    assert parse_history(line.encode(), place="hands.jsonl:1") == history


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60) | st.recursive(st.none() | UNITS | TEXTS, st.lists).map(json.dumps))
def test_junk_is_a_record_error_and_nothing_else(junk: bytes | str):
    _error(junk)


@settings(max_examples=150, deadline=None)
@given(card_histories() | sheets(), st.data())
def test_a_value_of_another_kind_is_a_record_error_or_a_history(history: HandHistory, data: st.DataObject):
    record = json.loads(format_history(history))
    key = data.draw(st.sampled_from(sorted(record)))
    record[key] = data.draw(st.recursive(st.none() | st.booleans() | UNITS | st.floats(0, 9) | TEXTS, st.lists, max_leaves=4))
    with contextlib.suppress(RecordError):
        parse_history(json.dumps(record), place="hands.jsonl:1")
