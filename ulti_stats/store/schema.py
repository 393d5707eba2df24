"""The columns of the store's one wide table, each with its type and meaning.

What one column tells of another is not stored twice: the third hand follows from the other cards, and what nearly always
follows is stored as its difference from that, which is 0 and costs nothing. The views give every column back.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

import pyarrow as pa

from ulti_stats.game.bids import BID_NAMES, COMPONENT_TEXTS

# Raised where a column comes to mean something else; columns that are merely new need no other version.
SCHEMA_VERSION = 2
N_PLAYS = 30


@dataclass(frozen=True, slots=True)
class Column:
    """A stored column: name, Arrow type, meaning."""

    name: str
    type: pa.DataType
    meaning: str


CLAIM = pa.struct([("component", pa.string()), ("result", pa.string())])

# fmt: off
_IDENTITY = (
    Column("hand_hash", pa.binary(16), "identity: blake2b over table and decisions"),
    Column("record_id", pa.string(), "`id` as the record gives it"),
    Column("sources", pa.list_(pa.string()), "files or runs that brought this hand"),
    Column("source", pa.string(), "`source` as the record gives it; 'simulate' for simulated hands"),
    Column("session", pa.string(), "which sitting"),
    Column("deal_no", pa.int32(), "which deal of the sitting, from 1"),
    Column("played_at", pa.string(), "when, RFC 3339 text as given"),
    Column("ruleset", pa.string(), "preset id"),
    Column("options", pa.string(), "rule options that differ from the preset, JSON; null where none are given"),
    Column("ruleset_digest", pa.string(), "16 hex digits naming the rules in force"),
    Column("level", pa.string(), "completeness: full, deal or sheet"),
    Column("termination", pa.string(), "played, conceded, passed_out or abandoned"),
    Column("player_0", pa.string(), "name (or policy, when simulated) at seat 0"),
    Column("player_1", pa.string(), "name or policy at seat 1"),
    Column("player_2", pa.string(), "name or policy at seat 2"),
    Column("policies", pa.string(), "policies by seat, as in 'club / club / random'; null for recorded hands"),
    Column("sitting_out", pa.string(), "name of the fourth at the table"),
    Column("seed", pa.int64(), "seed of the run, simulated hands only"),
    Column("hand_index", pa.int64(), "number of the hand within its seed, simulated hands only"),
    Column("engine", pa.string(), "version of the simulation, simulated hands only"),
    Column("given", pa.int32(), "bit set of optional keys that the record states (for a lossless export)"),
)
_DEAL = (
    Column("dealer", pa.int8(), "seat that dealt (null where a fourth did)"),
    Column("forehand", pa.int8(), "seat that speaks first"),
    Column("hand_0", pa.uint32(), "cards dealt to seat 0, mask (bit 8 x suit + rank)"),
    Column("hand_1", pa.uint32(), "cards dealt to seat 1, mask"),
    Column("talon", pa.uint32(), "the two cards dealt to the talon, mask; 0 where the source knows only forehand's twelve"),
    Column("five_0", pa.uint32(), "first five cards of seat 0 in the two-round auction, mask"),
    Column("five_1", pa.uint32(), "first five cards of seat 1, mask"),
    Column("five_2", pa.uint32(), "first five cards of seat 2, mask"),
    Column("discard", pa.uint32(), "cards laid after the auction where its winner takes the talon, mask, as given"),
)
_CONTRACT = (
    Column("declarer", pa.int8(), "declarer's seat; null in a passed-out deal"),
    Column("contract", pa.string(), "bid id of the contract"),
    Column("trump", pa.string(), "acorns, leaves, hearts or bells; null without trumps or where none was named"),
    Column("trump_class", pa.string(), "class of the bid: plain, hearts or none"),
    Column("n_calls", pa.int16(), "calls of the auction, the holder's closing pass not counted"),
    Column("n_bids", pa.int16(), "bids of the auction"),
    Column("n_pickups", pa.int16(), "times that the talon was taken up, forehand's first twelve cards included"),
    Column("pickup", pa.uint32(), "two cards that the declarer's last pickup brought, mask; null without one or where unknown"),
    Column("laid", pa.uint32(), "the two cards in the talon when play starts, mask"),
    Column("play_declarer", pa.uint32(), "declarer's cards when play starts, mask"),
    Column("exchanged", pa.uint32(), "cards that the first defender holds when play starts or was dealt, not both, mask"),
)
_RESULT = (
    Column("payoff_gap_0", pa.int32(), "units won by seat 0 beyond what declarer_units and units_per_defender say"),
    Column("payoff_gap_1", pa.int32(), "the same for seat 1"),
    Column("payoff_gap_2", pa.int32(), "the same for seat 2"),
    Column("declarer_units", pa.int32(), "units on the declarer's account"),
    Column("units_per_defender", pa.float64(), "what each defender pays the declarer (the mean where the two differ)"),
    Column("kontra_units", pa.float64(), "what kontras added to units_per_defender on the same play; null where not known"),
    Column("n_tricks", pa.int8(), "tricks played"),
    Column("declarer_tricks", pa.int8(), "tricks won by the declarer"),
    Column("winners", pa.int32(), "winners of the tricks, 2 bits each from trick 1 up: seat"),
    Column("declarer_points", pa.int16(), "card points in the declarer's tricks, last-trick bonus included"),
    Column("defender_points", pa.int16(), "card points in the defenders' tricks, last-trick bonus included"),
    Column("declarer_marriage_points", pa.int16(), "declarer's declared marriages that count"),
    Column("defender_marriage_points", pa.int16(), "defenders' declared marriages that count"),
    Column("talon_points", pa.int16(), "card points laid in the talon"),
    Column("kontra_max", pa.int8(), "highest kontra level on any component, 0 without kontra"),
    Column("claimed_0", pa.int32(), "units that the record claims for seat 0"),
    Column("claimed_1", pa.int32(), "claimed for seat 1"),
    Column("claimed_2", pa.int32(), "claimed for seat 2"),
    Column("claim_differs", pa.string(), "how the claims differ from the replay; null where they agree or there are none"),
)
_NESTED = (
    Column("calls", pa.list_(pa.int32()), "auction in order, closing pass included, each call a number: seat + 4 x hold + "
           "8 x round + 32 x (trump + 1, 0 without one) + 256 x (number of the bid, 255 for a pass) + 65536 x (lower card "
           "laid + 32 x higher one, 0 without any); `call_bid` gives the bid's id"),
    Column("kontras", pa.string(), "kontras in the order said, apart by a space: seat:component:against:after_play:level:"
           "step_gain:decision_gain, nothing for null"),
    Column("marriages", pa.string(), "marriages as declared (listed in the record, else derived), apart by a space: "
           "seat:suit:play, suits 0 to 3 (A L H B)"),
    Column("claimed_outcome", pa.list_(CLAIM), "outcome that the record claims"),
    Column("sheet_levels", pa.string(), "kontra_levels of a score sheet, JSON as given"),
    Column("extra", pa.string(), "anything else the record carries, JSON; null for simulated hands, which derive it"),
)
# fmt: on


def _component_columns() -> tuple[Column, ...]:
    columns = [
        Column("outcomes", pa.int32(), "how components ended, 2 bits each: 0 not in play or not known, 1 failed, 2 made"),
        Column("kontra_levels", pa.int32(), "parts, 4 bits each: 0 not bid, else kontra level against the first defender + 1"),
        Column("kontra_levels_differ", pa.int32(), "bits by which the levels against the second defender differ"),
    ]
    for name in COMPONENT_TEXTS:
        columns.append(Column(f"{name}_units_1", pa.int32(), f"{name}: units that the first defender pays the declarer"))
    beyond = "by component in their order, units that the second defender pays beyond the first; null where they pay the same"
    return *columns, Column("units_gaps", pa.list_(pa.int32()), beyond)


# Bits of a component in `outcomes`, and of a part in `kontra_levels`.
OUTCOME_BITS, LEVEL_BITS = 2, 4
_PLAYS = tuple(Column(f"p{ply:02d}", pa.int8(), f"card {ply + 1} on the table, 0 to 31") for ply in range(N_PLAYS))

_COMPONENTS = _component_columns()
GROUPS: tuple[tuple[Column, ...], ...] = (_IDENTITY, _DEAL, _CONTRACT, _RESULT, _COMPONENTS, _PLAYS, _NESTED)
COLUMNS: tuple[Column, ...] = tuple(column for group in GROUPS for column in group)


@lru_cache(maxsize=1)
def hands_schema() -> pa.Schema:
    """Return the Arrow schema of the stored table."""
    return pa.schema([(column.name, column.type) for column in COLUMNS])


def coded(kind: pa.DataType) -> pa.DataType:
    """Return a type with every text in it as the number of a word; in a file the two are the same."""
    if pa.types.is_string(kind):
        return pa.dictionary(pa.int8(), pa.string())
    if pa.types.is_list(kind):
        return pa.list_(coded(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, coded(field.type)) for field in kind])
    return kind


# Texts of one long value a hand would only fill a dictionary.
_FREE_TEXTS = ("kontras", "marriages")
# What every simulated hand has, what it has where a contract is given, and where that is played to its last card besides. A
# file need not say of each such value that it is there, a tenth of the time of writing it.
_SIMULATED_HAVE = (
    *("hand_hash", "sources", "source", "ruleset", "ruleset_digest", "level", "termination", "player_0", "player_1", "player_2"),
    *("policies", "seed", "hand_index", "engine", "given", "forehand", "hand_0", "hand_1", "talon", "n_calls", "n_bids"),
    *("n_pickups", "laid", "payoff_gap_0", "payoff_gap_1", "payoff_gap_2", "n_tricks", "declarer_tricks", "winners"),
    *("kontra_max", "outcomes", "kontra_levels", "kontra_levels_differ", "calls", "kontras", "marriages"),
)
_GIVEN_HAVE = (
    *("declarer", "contract", "trump_class", "play_declarer", "exchanged", "declarer_units", "units_per_defender"),
    *("kontra_units", "declarer_points", "defender_points", "declarer_marriage_points", "defender_marriage_points"),
    "talon_points",
)
_WHOLE_HAVE = tuple(column.name for column in _PLAYS)


@lru_cache(maxsize=3)
def coded_schema(*, is_given: bool = False, is_whole: bool = False) -> pa.Schema:
    """Return the columns of the stored table with texts as numbers of words, as simulation writes them.

    Hands of a given contract have some more columns in all of them, and some more where each lasts ten tricks (`is_whole`).
    """
    always = {*_SIMULATED_HAVE, *(_GIVEN_HAVE if is_given else ()), *(_WHOLE_HAVE if is_whole else ())}
    types = {column.name: column.type if column.name in _FREE_TEXTS else coded(column.type) for column in COLUMNS}
    return pa.schema([pa.field(name, kind, nullable=name not in always) for name, kind in types.items()])


@lru_cache(maxsize=1)
def log_schema() -> pa.Schema:
    """Return the same as the table's log has it, which knows no unsigned numbers and reads them as wider ones."""
    return pa.schema([(c.name, pa.int64() if c.type == pa.uint32() else c.type) for c in COLUMNS])


@lru_cache(maxsize=1)
def schema_mark() -> str:
    """Return 8 hex digits that name these columns, their types and the numbers of bids; a data file carries its own."""
    text = "\n".join([*(f"{column.name} {column.type}" for column in COLUMNS), *BID_NAMES])
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


# Optional keys by bit of `given`: 1 where the record states the key. The last one is no key: it marks a `trump` written
# as null though the suit is known from elsewhere.
GIVEN_KEYS = (
    "id",
    "options",
    "players",
    "dealer",
    "forehand",
    "discard",
    "trump",
    "conceded",
    "abandoned",
    "kontras",
    "marriages",
    "plays",
    "payoffs",
    "outcome",
    "kontra_levels",
    "extra",
    "source",
    "null_trump",
)


def given_bit(key: str) -> int:
    """Return the bit of `given` that stands for a key.

    >>> given_bit("players")
    4
    """
    return 1 << GIVEN_KEYS.index(key)
