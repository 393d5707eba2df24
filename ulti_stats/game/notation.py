"""The text form of a hand, `ulti-hand/1`: `parse_history` and `format_history`.

One table, `KEYS`, names every key of a record with its reader and writer. What the keys must agree on without a replay is
checked here as well; whether the decisions are legal is the replay's question.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ulti_stats.errors import RecordError, RulesetError
from ulti_stats.game import fields
from ulti_stats.game.bids import COMPONENT_TEXTS, PART_TEXTS
from ulti_stats.game.cards import SUIT_NAMES, format_card_list, format_cards
from ulti_stats.game.fields import FieldError, Reader, below, list_of, map_of, object_of, whole
from ulti_stats.game.history import PASS, Call, HandHistory, Kontra, Marriage
from ulti_stats.game.rulesets import PRESETS, Ruleset, nearest, ruleset

FORMAT = "ulti-hand/1"
MAX_PLAYS = 30
MAX_SEED = 2**63 - 1
RESULTS = ("made", "failed")


def parse_history(data: bytes | str, *, place: str) -> HandHistory:
    """Return the history that one JSON text of `ulti-hand/1` holds.

    The holder's closing pass is added where the record leaves it out. Raises `RecordError` with `place`, the path to the
    key and what would be right.

    >>> parse_history('{"format": "ulti-hand/1", "rulset": "rablo"}', place="games.jsonl:3")
    Traceback (most recent call last):
    ulti_stats.errors.RecordError: games.jsonl:3: rulset: unknown key 'rulset'; did you mean 'ruleset'?
    """
    try:
        given = _READ_RECORD(fields.load_json(fields.decoded(data)))
        rules = _rules(given)
        _check_kind(given)
        history = _history(given, rules)
        _check(history, rules)
    except FieldError as error:
        raise RecordError(place=place, field=error.path, reason=error.reason) from None
    return history


def format_history(history: HandHistory) -> str:
    """Return the history as one line of JSON, keys in the order of FORMAT.md, card sets sorted, without a line end."""
    rules = ruleset(history.ruleset, history.options)
    record: dict[str, Any] = {}
    for key in KEYS:
        value = _written(key, history, rules)
        if value is not None or (key.name == "trump" and history.trump_given):
            record[key.name] = value
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def with_closing_pass(calls: tuple[Call, ...], rules: Ruleset) -> tuple[Call, ...]:
    """Return the auction with the holder's own closing pass, where the rules have one and only that is missing."""
    bids = [number for number, call in enumerate(calls) if not call.is_pass]
    if rules.auction_end != "all_incl_holder" or not bids:
        return calls
    holder = calls[bids[-1]].seat
    passed = {call.seat for call in calls[bids[-1] + 1 :]}
    silent = {call.seat for call in calls if call.is_pass} if rules.pass_final else set()
    if holder in passed or (passed | silent) - {holder} != {0, 1, 2} - {holder}:
        return calls
    return (*calls, Call(holder, PASS))


# --- the keys ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a record: its reader, its writer, and whether it belongs to records with cards or to score sheets only."""

    name: str
    read: Reader
    write: Callable[[Any], Any] = lambda value: value
    only: str = ""


def _read_call(value: Any) -> Call:
    return Call(**_CALL(value))


def _read_kontra(value: Any) -> Kontra:
    return Kontra(**_KONTRA(value))


def _read_marriage(value: Any) -> Marriage:
    return Marriage(**_MARRIAGE(value))


def _read_level(value: Any) -> int | tuple[int, int]:
    level = whole(0, 6, "a kontra level from 0 to 6")
    return list_of(level, 2)(value) if isinstance(value, list) else level(value)


def _read_plays(value: Any) -> tuple[int, ...]:
    cards = fields.card_list(value)
    if len(cards) > MAX_PLAYS:
        raise FieldError(f"must be at most {MAX_PLAYS} cards, not {len(cards)}")
    return cards


def _write_call(call: Call) -> dict[str, Any]:
    written: dict[str, Any] = {"seat": call.seat, "bid": call.bid}
    if call.discard is not None:
        written["discard"] = format_cards(call.discard)
    if call.trump is not None:
        written["trump"] = SUIT_NAMES[call.trump]
    if call.hold:
        written["hold"] = True
    if call.round == 1:
        written["round"] = 1
    return written


def _write_kontra(kontra: Kontra) -> dict[str, Any]:
    against = {} if kontra.against is None else {"against": kontra.against}
    return {"seat": kontra.seat, "component": kontra.component, **against, "after_play": kontra.after_play}


def _write_marriage(marriage: Marriage) -> dict[str, Any]:
    return {"seat": marriage.seat, "suit": SUIT_NAMES[marriage.suit], "play": marriage.play}


def _write_each(write: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    return lambda values: [write(value) for value in values]


_COMPONENT = fields.one_of(COMPONENT_TEXTS, "component")
_PART = fields.one_of(PART_TEXTS, "component")
_CALL = object_of(
    {
        "seat": fields.seat,
        "bid": fields.text,
        "discard": fields.card_set(2),
        "trump": fields.suit,
        "hold": fields.exactly(True),
        "round": fields.exactly(1),
    },
    required=("seat", "bid"),
)
_KONTRA = object_of(
    {"seat": fields.seat, "component": _PART, "against": fields.seat, "after_play": whole(0, MAX_PLAYS)},
    required=("seat", "component"),
)
_MARRIAGE = object_of(
    {"seat": fields.seat, "suit": fields.suit, "play": whole(0, MAX_PLAYS - 1)}, required=("seat", "suit", "play")
)
_SIMULATED = object_of(
    {"seed": whole(-MAX_SEED, MAX_SEED), "index": whole(0, MAX_SEED), "version": fields.text},
    required=("seed", "index", "version"),
)
_UNITS = whole(-fields.MAX_WHOLE, fields.MAX_WHOLE, "whole units")

# fmt: off
KEYS: tuple[Key, ...] = (
    Key("format", fields.exactly(FORMAT)),
    Key("id", fields.text),
    Key("ruleset", fields.one_of(PRESETS, "ruleset")),
    Key("options", fields.free_object, dict),
    Key("session", fields.text),
    Key("deal_no", whole(1, fields.MAX_WHOLE, "a whole number from 1")),
    Key("played_at", fields.moment),
    Key("source", fields.text),
    Key("players", list_of(fields.text, 3), list),
    Key("sitting_out", fields.text),
    Key("dealer", fields.seat),
    Key("forehand", fields.seat),
    # Their sizes depend on each other and on the rules, so `_history` makes the masks.
    Key("hands", list_of(fields.card_list, 3), only="cards"),
    Key("talon", fields.card_list, format_cards, only="cards"),
    Key("auction", list_of(_read_call), _write_each(_write_call), only="cards"),
    Key("discard", fields.card_set(2), format_cards, only="cards"),
    Key("trump", fields.suit_or_null, lambda suit: SUIT_NAMES[suit]),
    Key("conceded", fields.flag),
    Key("abandoned", fields.flag),
    Key("kontras", list_of(_read_kontra), _write_each(_write_kontra), only="cards"),
    Key("marriages", list_of(_read_marriage), _write_each(_write_marriage), only="cards"),
    Key("plays", _read_plays, format_card_list, only="cards"),
    Key("payoffs", list_of(_UNITS, 3), list),
    Key("outcome", map_of(_COMPONENT, fields.one_of(RESULTS, "result")), dict),
    Key("declarer", fields.seat, only="sheet"),
    Key("contract", fields.text, only="sheet"),
    Key("kontra_levels", map_of(_PART, _read_level), dict, only="sheet"),
    Key("extra", fields.free_object, dict),
)
# fmt: on
_READ_RECORD = object_of({key.name: key.read for key in KEYS}, required=("format", "ruleset"))


def _written(key: Key, history: HandHistory, rules: Ruleset) -> Any:
    if key.name == "format":
        return FORMAT
    if key.name == "hands" and history.hands is not None:
        return _written_hands(history.hands, history.five)
    value = getattr(history, key.name)
    if key.name == "auction" and value is not None:
        value = with_closing_pass(value, rules)
    return None if value is None else key.write(value)


def _written_hands(hands: tuple[int, int, int], five: tuple[int, int, int] | None) -> list[str]:
    if five is None:
        return [format_cards(hand) for hand in hands]
    return [f"{format_cards(first)} {format_cards(hand & ~first)}" for hand, first in zip(hands, five, strict=True)]


# --- from keys to a history -------------------------------------------------------------------------------------------


def _rules(given: Mapping[str, Any]) -> Ruleset:
    try:
        return ruleset(given["ruleset"], given.get("options"))
    except RulesetError as error:
        raise FieldError(str(error), "options") from None


def _check_kind(given: Mapping[str, Any]) -> None:
    """Refuse keys of a score sheet beside cards and cards in a score sheet, and name what is missing."""
    with_cards = "hands" in given or not any(key.only == "sheet" and key.name in given for key in KEYS)
    wrong, where = ("sheet", "a record with cards") if with_cards else ("cards", "a score sheet, which has no hands")
    for key in KEYS:
        if key.only == wrong and key.name in given:
            raise FieldError(f"has no place in {where}; leave it out", key.name)
    for name in ("hands", "talon", "auction") if with_cards else ("declarer", "contract"):
        if name not in given:
            hint = "; a score sheet has declarer and contract instead" if name == "hands" else ""
            raise FieldError(f"is missing{hint}", name)
    if with_cards and "dealer" not in given and "forehand" not in given:
        raise FieldError("is missing; dealer or forehand says who speaks first", "dealer")
    if not with_cards and "outcome" not in given and "payoffs" not in given:
        raise FieldError("is missing; a score sheet has an outcome or payoffs", "outcome")


def _history(given: Mapping[str, Any], rules: Ruleset) -> HandHistory:
    values = {name: value for name, value in given.items() if name != "format"}
    values["trump_given"] = "trump" in given
    if "hands" in given:
        _check_sizes(given, rules)
        values["hands"] = tuple(fields.mask_of(hand) for hand in given["hands"])
        values["talon"] = fields.mask_of(given["talon"])
        if rules.two_round_auction:
            values["five"] = tuple(fields.mask_of(hand[:5]) for hand in given["hands"])
        values["auction"] = with_closing_pass(given["auction"], rules)
    return HandHistory(**values)


def _check_sizes(given: Mapping[str, Any], rules: Ruleset) -> None:
    """Check 3 x 10 cards and two in the talon, or forehand's twelve where the talon is empty."""
    n_talon, twelve = len(given["talon"]), None
    if n_talon == 0:
        if rules.talon_mode != "rob":
            raise FieldError(f"must be 2 cards; forehand holds no twelve under talon_mode={rules.talon_mode}", "talon")
        twelve = given["forehand"] if "forehand" in given else rules.first_speaker(given["dealer"])
    elif n_talon != 2:
        raise FieldError(f"must be 2 cards, or none where forehand's hand has 12, not {n_talon}", "talon")
    for seat, hand in enumerate(given["hands"]):
        size = 12 if seat == twelve else 10
        if len(hand) != size:
            why = " (forehand's, with an empty talon)" if size == 12 else ""
            raise FieldError(f"must be {size} cards{why}, not {len(hand)}", "hands", seat)


# --- what the keys must agree on --------------------------------------------------------------------------------------


def _check(history: HandHistory, rules: Ruleset) -> None:
    """Check what needs no state of the game: bids that the ruleset knows, a named trump, no result of a broken-off hand."""
    for number, call in enumerate(history.auction or ()):
        if not call.is_pass:
            _check_bid(call.bid, rules, "auction", number, "bid")
        if call.round == 1 and not rules.two_round_auction:
            raise FieldError("has no place; there is no auction on five cards", "auction", number, "round")
    if history.contract is not None:
        _check_bid(history.contract, rules, "contract")
    if rules.players == 4 and history.dealer is not None:
        raise FieldError("has no place; with players=4 the fourth deals and sits out, write forehand instead", "dealer")
    if history.plays:
        _check_trump(history, rules)
    for name in ("payoffs", "outcome"):
        if history.abandoned and getattr(history, name) is not None:
            raise FieldError("has no place in an abandoned hand, which has no result; leave it out", name)
    failed = (history.outcome or {}).get("silent_ulti_defender") == "failed"
    if failed and rules.silent_ulti_defender_loss == "none":
        raise FieldError("is only ever made; leave it out", "outcome", "silent_ulti_defender")
    if history.simulated is not None:
        # Seed, index and version are part of the identity of a simulated hand.
        below("extra", partial(below, "simulated", _SIMULATED), history.simulated)


def _check_bid(bid: str, rules: Ruleset, *steps: str | int) -> None:
    if not rules.knows_bid(bid):
        raise FieldError(f"unknown bid '{bid}' under {rules.id}{nearest(bid, [known.name for known in rules.ladder])}", *steps)


def _check_trump(history: HandHistory, rules: Ruleset) -> None:
    """Ask for the trump suit of a trump game in which a card is played."""
    last = next((call for call in reversed(history.auction or ()) if not call.is_pass), None)
    if last is None or history.trump is not None or last.trump is not None:
        return
    bid = rules.bid(last.bid)
    if bid.has_trumps and not bid.form.is_hearts and not rules.hearts_always_trump:
        raise FieldError(f"is missing; cards are played, and {bid.name} needs a suit: {', '.join(SUIT_NAMES)}", "trump")
