"""`calls` and `kontras`: one row per call of the auction, and one per kontra said."""

from __future__ import annotations

from collections.abc import Mapping

from ulti_stats.game.bids import PART_TEXTS
from ulti_stats.game.cards import SUIT_NAMES
from ulti_stats.store.packing import CALL_BID, CALL_HOLD, CALL_LAID, CALL_PASS, CALL_ROUND, CALL_TRUMP, CARD_BITS
from ulti_stats.store.views.hands import ALL_CARRIED
from ulti_stats.store.views.view import Field, View, place_of, role_of, scan

_SUIT = " ".join(f"WHEN {suit} THEN '{name}'" for suit, name in enumerate(SUIT_NAMES))


_TYPES = {
    "seat": "TINYINT",
    "component": "VARCHAR",
    "against": "TINYINT",
    "after_play": "TINYINT",
    "level": "TINYINT",
    "step_gain": "INTEGER",
    "decision_gain": "INTEGER",
    "suit": "TINYINT",
    "play": "TINYINT",
}
_KONTRA = ("seat", "component", "against", "after_play", "level", "step_gain", "decision_gain")
_MARRIAGE = ("seat", "suit", "play")


def _unnested(entries: str) -> str:
    """Return every row of the stored hands once per entry of a list, which becomes `entry` with number `n`."""
    return f"(SELECT *, unnest({entries}) AS entry, generate_subscripts({entries}, 1) AS n FROM raw.hands)"


def _struct(fields: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"'{name}': {sql}" for name, sql in fields.items()) + "}"


def _values(names: tuple[str, ...], item: str) -> str:
    """Return the SQL that makes a struct of the values of an item of a text, which are split into a list."""
    return _struct({name: f"CAST(nullif({item}[{place}], '') AS {_TYPES[name]})" for place, name in enumerate(names, 1)})


def _split(column: str) -> str:
    """Return the SQL that splits a text into items and these into values."""
    return f"[string_split(item, ':') FOR item IN string_split({column}, ' ') IF item <> '']"


def _bits(code: str, first: int, width: int) -> str:
    return f"({code} >> {first}) & {(1 << width) - 1}"


def _call(code: str) -> dict[str, str]:
    """Return what a call's number tells, as SQL (`packing.py` says what stands where)."""
    low, high = f"1::BIGINT << ({_bits(code, CALL_LAID, CARD_BITS)})", f"1::BIGINT << ({code} >> {CALL_LAID + CARD_BITS})"
    return {
        "seat": f"CAST({code} & 3 AS TINYINT)",
        "bid": f"call_bid({code})",
        "discard": f"CASE WHEN {code} >> {CALL_LAID} > 0 THEN CAST(({low}) | ({high}) AS UINTEGER) END",
        "trump": f"CAST(nullif({_bits(code, CALL_TRUMP, 3)}, 0) - 1 AS TINYINT)",
        "hold": f"{_bits(code, CALL_HOLD, 1)} = 1",
        "round": f"CAST({_bits(code, CALL_ROUND, 2)} AS TINYINT)",
    }


_ENTRY = _call("entry")
_IS_PASS = f"{_bits('entry', CALL_BID, 8)} = {CALL_PASS}"
# The lists of a hand for an export, in the words of a record.
LISTS: tuple[Field, ...] = (
    Field("sources", "sources", "files or runs that brought this hand"),
    Field(
        "calls", f"[{_struct(_call('e'))} FOR e IN calls]", "auction in order; discard is a mask, trump a suit 0 to 3 (A L H B)"
    ),
    Field(
        "kontras", f"[{_values(_KONTRA, 'e')} FOR e IN {_split('kontras')}]", "kontras in the order said, with level and gains"
    ),
    Field(
        "marriages", f"[{_values(_MARRIAGE, 'e')} FOR e IN {_split('marriages')}]", "marriages as declared, suit 0 to 3 (A L H B)"
    ),
    Field("claimed_outcome", "claimed_outcome", "outcome that the record claims"),
)

_SEAT = "(entry & 3)"
# fmt: off
_CALLS = (
    Field("n", "n", "number of the call, from 1"),
    Field("seat", f"CAST({_SEAT} AS TINYINT)", "seat that calls"),
    Field("role", role_of(_SEAT), "what it becomes: declarer, defender_1 or defender_2; none in a passed-out deal"),
    Field("seat_place", place_of(_SEAT), "its place in the order of speaking: forehand, middle or rear"),
    Field("bid", _ENTRY["bid"], "bid id, or pass"),
    Field("is_pass", _IS_PASS, "whether the call declines"),
    Field("is_closing", f"{_IS_PASS} AND {_SEAT} = declarer AND n = len(calls)",
          "whether it is the holder's own pass that ends the auction"),
    Field("call_discard", _ENTRY["discard"], "the two cards laid with the bid, mask; null where the talon was not taken"),
    Field("call_discard_text", f"cards_text({_ENTRY['discard']})", "the two cards laid, as text"),
    Field("call_trump", f"CASE {_ENTRY['trump']} {_SUIT} END", "suit named with the bid, where the rules have that"),
    Field("is_hold", _ENTRY["hold"], "whether forehand holds a bid of another"),
    Field("auction_round", _ENTRY["round"], "1 for the auction on five cards, else 2"),
)
CALLS = View("calls", "call of an auction", _CALLS, ALL_CARRIED, scan(_CALLS, source=_unnested("calls"), carried=ALL_CARRIED))


def _of_component(column: str) -> str:
    cases = " ".join(f"WHEN '{name}' THEN {column.format(c=name)}" for name in PART_TEXTS)
    return f"CASE entry.component {cases} END"


# The defender whom a step binds, where it binds one of them only; a joint step binds both, at equal levels.
_BOUND = "coalesce(entry.against, CASE WHEN entry.seat <> declarer THEN entry.seat END)"
_FINAL = f"""CASE WHEN {_BOUND} = (declarer + 1) % 3 THEN {_of_component('{c}_kontra_1')}
WHEN {_BOUND} = (declarer + 2) % 3 THEN {_of_component('{c}_kontra_2')}
ELSE {_of_component('greatest({c}_kontra_1, {c}_kontra_2)')} END"""

_KONTRAS = (
    Field("step", "n", "number of the kontra in its hand, from 1, in the order said"),
    Field("kontra_seat", "entry.seat", "seat that said it"),
    Field("kontra_role", role_of("entry.seat"), "declarer, defender_1 or defender_2"),
    Field("component", "entry.component", "component on which it was said"),
    Field("against", "entry.against", "defender whom the declarer answers, where kontra is individual"),
    Field("after_play", "entry.after_play", "cards on the table when it was said"),
    Field("step_level", "entry.level", "level that it reached: 1 kontra, 2 rekontra and so on"),
    Field("made", _of_component("{c}_made"), "whether the component was made; null where that is not known"),
    Field("final_level", _FINAL, "level at which the component ended against the defenders that the step binds"),
    Field("step_gain", "entry.step_gain", "what this step alone brought its sayer, units per defender that it binds"),
    Field("decision_gain", "entry.decision_gain", "the same with every answer that it made possible"),
)
# fmt: on
# Split into items once a hand, into values once a step.
_STEPS = f"(SELECT * REPLACE ({_values(_KONTRA, 'entry')} AS entry) FROM {_unnested(_split('kontras'))})"
KONTRAS = View("kontras", "kontra said", _KONTRAS, ALL_CARRIED, scan(_KONTRAS, source=_STEPS, carried=ALL_CARRIED))
