"""`hands`: one row per hand, the stored columns unpacked but the nested ones, and what analysts ask of them."""

from __future__ import annotations

from ulti_stats.game.cards import ACES, TENS
from ulti_stats.store.schema import COLUMNS, given_bit
from ulti_stats.store.views.unpacked import BEFORE, BEHIND, INSTEAD, UNPACKED
from ulti_stats.store.views.view import Field, View, place_of, scan

_CLAIMS = given_bit("payoffs") | given_bit("outcome")

# fmt: off
_ASKED: tuple[Field, ...] = (
    Field("hand_id", "lower(hex(hand_hash))", "identity as 32 hex digits, for `ulti show`"),
    Field("is_simulated", "seed IS NOT NULL", "whether a simulation made this hand"),
    Field("kind", "CASE WHEN seed IS NULL THEN 'recorded' ELSE 'simulated' END", "recorded or simulated"),
    Field("first_source", "sources[1]", "file or run that brought the hand first"),
    Field("n_sources", "len(sources)", "how many files or runs brought it"),
    Field("declarer_role", place_of("declarer"),
          "declarer's place in the order of speaking: forehand, middle or rear; null where the seats are unknown"),
    Field("claimed", f"(given & {_CLAIMS}) <> 0", "whether the record states a result (payoffs or outcome)"),
    Field("declarer_trumps", "bit_count(play_declarer & trump_mask(trump))",
          "trumps in the declarer's hand when play starts; null without trumps or where cards are unknown"),
    Field("declarer_aces", f"bit_count(play_declarer & {ACES})", "aces in the declarer's hand when play starts"),
    Field("declarer_tens", f"bit_count(play_declarer & {TENS})", "tens in the declarer's hand when play starts"),
    Field("held_trump_seven", "(play_declarer & trump_seven(trump)) <> 0",
          "whether the declarer holds the trump seven when play starts"),
    Field("held_trump_marriage", "(play_declarer & trump_marriage(trump)) = trump_marriage(trump)",
          "whether the declarer holds king and over of trumps when play starts"),
    Field("played_at_utc", "TRY_CAST(played_at AS TIMESTAMPTZ) AT TIME ZONE 'UTC'", "`played_at` as a timestamp in UTC"),
)
# fmt: on

# What `raw.hands` derives from the stored columns; each may speak of the ones before it.
DERIVED = (*UNPACKED, *_ASKED)
# Stored columns that have views of their own or serve the export alone, and packed ones.
_NESTED = ("sources", "calls", "kontras", "marriages", "claimed_outcome")
HIDDEN: tuple[str, ...] = tuple(column.name for column in COLUMNS if column.name in _NESTED or column.name in INSTEAD)


def _shown(name: str, meaning: str) -> tuple[Field, ...]:
    shown = () if name in _NESTED else INSTEAD.get(name, (Field(name, name, meaning),))
    return *BEFORE.get(name, ()), *shown, *BEHIND.get(name, ())


_STORED = tuple(field for column in COLUMNS for field in _shown(column.name, column.meaning))
_FIELDS = (_ASKED[0], *_STORED, *_ASKED[1:])

HANDS = View("hands", "hand", _FIELDS, (), scan((Field(f.name, f.name, f.meaning) for f in _FIELDS), source="raw.hands"))

# What the long views carry over. Those that have a row per card leave out the thirty cards played.
ALL_CARRIED = _FIELDS
WITHOUT_PLAYS = tuple(field for field in _FIELDS if not (len(field.name) == 3 and field.name[1:].isdigit()))
