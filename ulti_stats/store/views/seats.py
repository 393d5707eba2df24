"""`seats`: one row per seat of a hand, so that a player's figures need no question of where he sat."""

from __future__ import annotations

from ulti_stats.game.cards import ACES, KING, OVER, TENS
from ulti_stats.store.views.hands import ALL_CARRIED
from ulti_stats.store.views.view import Field, View, place_of, role_of, scan, union

_PAIRS = [1 << 8 * suit + KING | 1 << 8 * suit + OVER for suit in range(4)]
_AT_PLAY = """CASE WHEN {s} = declarer THEN play_declarer WHEN {s} = (declarer + 1) % 3 THEN play_defender_1
WHEN {s} = (declarer + 2) % 3 THEN play_defender_2 END"""
_MARRIAGES_HELD = " + ".join(f"CAST((({_AT_PLAY}) & {pair}) = {pair} AS TINYINT)" for pair in _PAIRS)

# fmt: off
_FIELDS = (
    Field("seat", "CAST({s} AS TINYINT)", "seat, 0 to 2 in order of play"),
    Field("role", role_of("{s}"), "declarer, defender_1, defender_2, or none in a passed-out deal"),
    Field("seat_place", place_of("{s}"), "place in the order of speaking: forehand, middle or rear; null where it is unknown"),
    Field("player", "player_{s}", "name, or policy when simulated"),
    Field("payoff", "payoff_{s}", "units on this seat's account"),
    Field("dealt", "hand_{s}", "cards dealt, mask"),
    Field("dealt_text", "cards_text(hand_{s})", "cards dealt, as text"),
    Field("dealt_aces", f"bit_count(hand_{{s}} & {ACES})", "aces dealt"),
    Field("dealt_tens", f"bit_count(hand_{{s}} & {TENS})", "tens dealt"),
    Field("at_play", _AT_PLAY, "cards when play starts, mask; null where they are unknown or nobody bid"),
    Field("at_play_trumps", f"bit_count(({_AT_PLAY}) & trump_mask(trump))", "trumps when play starts"),
    Field("marriages_held", _MARRIAGES_HELD, "pairs of king and over held when play starts, declared or not"),
    Field("tricks_won", "{tricks}", "tricks won; null where no play is recorded"),
)
# fmt: on


def _scan(seat: int) -> str:
    won = " + ".join(
        f"CAST(n_tricks >= {trick} AND ((winners >> {2 * trick - 2}) & 3) = {seat} AS TINYINT)" for trick in range(1, 11)
    )
    return scan(_FIELDS, source="raw.hands", carried=ALL_CARRIED, words={"s": seat, "tricks": won})


SEATS = View("seats", "seat of a hand", _FIELDS, ALL_CARRIED, union(_scan(seat) for seat in range(3)))
