"""Hand histories to rows of the stored table and back; the way back gives the very same histories."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa

from ulti_stats.errors import StoreError
from ulti_stats.game.bids import COMPONENT_TEXTS, N_PARTS
from ulti_stats.game.cards import FULL_DECK, SUIT_NAMES
from ulti_stats.game.history import HandHistory, Kontra, Marriage
from ulti_stats.game.result import ComponentResult, Replay
from ulti_stats.store.packing import (
    call_code,
    call_of,
    kontra_max,
    kontra_units,
    listed,
    payoff_gaps,
    units_per_defender,
    unlisted,
)
from ulti_stats.store.schema import (
    CLAIM,
    GIVEN_KEYS,
    GROUPS,
    LEVEL_BITS,
    N_PLAYS,
    OUTCOME_BITS,
    Column,
    given_bit,
    hands_schema,
)

Hand = tuple[HandHistory, Replay, bytes]
Row = tuple[Any, ...]
Structs = list[Row] | None

_NO_CARD = -1
_SEED_RANGE = range(-(2**63), 2**63)
_SIMULATED_KEYS = {"seed": int, "index": int, "version": str}


def encode(hands: Iterable[Hand], *, sources: Sequence[str] = ()) -> pa.Table:
    """Return one row per (history, replay, identity hash) in the columns of `hands_schema()`.

    `sources` names the files or runs that brought these hands. Raises `StoreError` where a value does not fit its column.
    """
    hands = list(hands)
    if not hands:
        return hands_schema().empty_table()
    arrays: list[pa.Array] = []
    for group, rows_of in zip(GROUPS, (_identity, _deal, _contract, _result, _components), strict=False):
        values = zip(*(rows_of(history, replayed) for history, replayed, _ in hands), strict=True)
        arrays += [_array(column, list(found)) for column, found in zip(group, values, strict=True)]
    # The identity's hash and the sources are known to the caller only.
    arrays[0] = pa.array([identity for _, _, identity in hands], pa.binary(16))
    arrays[2] = pa.array([list(sources)] * len(hands), pa.list_(pa.string()))
    arrays += _plays([history.plays or () for history, _, _ in hands])
    arrays += _nested(hands)
    return pa.Table.from_arrays(arrays, schema=hands_schema())


def _array(column: Column, values: list[Any]) -> pa.Array:
    try:
        return pa.array(values, column.type)
    except (pa.ArrowInvalid, OverflowError) as error:
        raise StoreError(f"column {column.name} holds {column.type}; a value does not fit: {error}") from None


# --- one function per group of the schema, its values in the order of the columns -------------------------------------


def _identity(history: HandHistory, replayed: Replay) -> Row:
    seed, index, engine = _simulated(history) or (None, None, None)
    players = history.players or (None, None, None)
    return (
        None,
        history.id,
        None,
        history.source,
        history.session,
        history.deal_no,
        history.played_at,
        history.ruleset,
        None if history.options is None else _json(history.options),
        replayed.rules.digest,
        replayed.level,
        replayed.termination,
        *players,
        None if seed is None else " / ".join(name for name in players if name is not None),
        history.sitting_out,
        seed,
        index,
        engine,
        _given(history, replayed),
    )


def _simulated(history: HandHistory) -> tuple[int, int, str] | None:
    """Return seed, index and version of a simulated hand where these columns hold all that its record says."""
    found = history.simulated
    if found is None or {key: type(value) for key, value in found.items()} != _SIMULATED_KEYS:
        return None
    if found["seed"] not in _SEED_RANGE or found["index"] not in _SEED_RANGE:
        return None
    return found["seed"], found["index"], found["version"]


def _given(history: HandHistory, replayed: Replay) -> int:
    bits = 0
    for bit, key in enumerate(GIVEN_KEYS[:-1]):
        if key != "trump" and getattr(history, key) is not None:
            bits |= 1 << bit
    if history.trump_given or history.trump is not None:
        bits |= _TRUMP
        if history.trump is None and replayed.trump is not None:
            bits |= _NULL_TRUMP
    return bits


_TRUMP, _NULL_TRUMP = given_bit("trump"), given_bit("null_trump")


def _deal(history: HandHistory, replayed: Replay) -> Row:
    first, second, _ = history.hands or (None, None, None)
    return (
        replayed.dealer if history.dealer is None else history.dealer,
        replayed.forehand if history.forehand is None else history.forehand,
        first,
        second,
        history.talon,
        *(history.five or (None, None, None)),
        history.discard,
    )


def _contract(history: HandHistory, replayed: Replay) -> Row:
    contract, declarer = replayed.contract, replayed.declarer
    trump = replayed.trump if history.trump is None else history.trump
    at_play: Row = (None, None)
    if history.hands is not None and replayed.hands is not None and declarer is not None:
        defender = (declarer + 1) % 3
        at_play = (replayed.hands[declarer], replayed.hands[defender] ^ history.hands[defender])
    return (
        declarer,
        None if contract is None else contract.name,
        None if trump is None else SUIT_NAMES[trump],
        None if contract is None else contract.form.trump_class.value,
        *_auction_counts(history, declarer),
        replayed.pickup,
        replayed.laid,
        *at_play,
    )


def _auction_counts(history: HandHistory, declarer: int | None) -> tuple[int | None, int | None, int | None]:
    calls = history.auction
    if calls is None:
        return None, None, None
    closed = bool(calls) and calls[-1].is_pass and calls[-1].seat == declarer
    taken = sum(call.discard is not None for call in calls) + (history.discard is not None)
    return len(calls) - closed, sum(not call.is_pass for call in calls), taken


def _result(history: HandHistory, replayed: Replay) -> Row:
    declarer, paid = replayed.declarer, units_per_defender(replayed)
    declarer_units = None if declarer is None or replayed.payoffs is None else replayed.payoffs[declarer]
    winners = replayed.winners
    has_tricks = history.plays is not None or (replayed.level == "full" and not history.is_sheet)
    return (
        *payoff_gaps(replayed, declarer_units, paid),
        declarer_units,
        paid,
        kontra_units(replayed, paid),
        len(winners) if has_tricks else None,
        sum(seat == declarer for seat in winners) if has_tricks else None,
        sum(seat << 2 * trick for trick, seat in enumerate(winners)) if has_tricks else None,
        replayed.declarer_points,
        replayed.defender_points,
        replayed.declarer_marriage_points,
        replayed.defender_marriage_points,
        replayed.talon_points,
        kontra_max(replayed),
        *(history.payoffs or (None, None, None)),
        "; ".join(replayed.disagreements) or None,
    )


def _components(history: HandHistory, replayed: Replay) -> Row:
    found = {part.component: part for part in replayed.components}
    outcomes, levels = 0, [0, 0]
    units: list[int | None] = []
    gaps: list[int] = []
    for number, name in enumerate(COMPONENT_TEXTS):
        part = found.get(name, _ABSENT)
        first, second = part.units or (None, None)
        units.append(first)
        gaps.append(0 if first is None or second is None else second - first)
        if part.made is not None:
            outcomes |= (2 if part.made else 1) << OUTCOME_BITS * number
        if number < N_PARTS and part is not _ABSENT:
            for defender, level in enumerate(part.kontra_levels):
                levels[defender] |= level + 1 << LEVEL_BITS * number
    return outcomes, levels[0], levels[0] ^ levels[1], *units, gaps if any(gaps) else None


_ABSENT = ComponentResult("", None)


def _plays(plays: list[tuple[int, ...]]) -> list[pa.Array]:
    """Return p00 to p29, null behind the last card played."""
    padded = b"".join(bytes(cards) + b"\xff" * (N_PLAYS - len(cards)) for cards in plays)
    cards = np.frombuffer(padded, np.int8).reshape(-1, N_PLAYS)
    return [pa.array(np.ascontiguousarray(column), mask=column == _NO_CARD) for column in cards.T]


def _nested(hands: list[Hand]) -> list[pa.Array]:
    histories = [history for history, _, _ in hands]
    levels = (None if history.kontra_levels is None else _json(history.kontra_levels) for history in histories)
    return [
        pa.array([_calls(history) for history in histories], pa.list_(pa.int32())),
        pa.array([_kontras(history, replayed) for history, replayed, _ in hands], pa.string()),
        pa.array([_marriages(history, replayed) for history, replayed, _ in hands], pa.string()),
        _claims([None if history.outcome is None else list(history.outcome.items()) for history in histories]),
        pa.array(levels, pa.string()),
        pa.array([_extra(history) for history in histories], pa.string()),
    ]


def _calls(history: HandHistory) -> list[int] | None:
    return None if history.auction is None else [call_code(call) for call in history.auction]


def _kontras(history: HandHistory, replayed: Replay) -> str | None:
    if history.is_sheet:
        return None
    said = history.kontras or ()
    unknown = (None,) * len(said)
    derived = zip(replayed.levels or unknown, replayed.step_gains or unknown, replayed.decision_gains or unknown, strict=True)
    return listed(
        (kontra.seat, kontra.component, kontra.against, kontra.after_play, *gained)
        for kontra, gained in zip(said, derived, strict=True)
    )


def _marriages(history: HandHistory, replayed: Replay) -> str | None:
    if history.is_sheet:
        return None
    declared = replayed.marriages if history.marriages is None else history.marriages
    return listed((marriage.seat, marriage.suit, marriage.play) for marriage in declared)


def _extra(history: HandHistory) -> str | None:
    if history.extra is None:
        return None
    if _simulated(history) is None:
        return _json(history.extra)
    rest = {key: value for key, value in history.extra.items() if key != "simulated"}
    return _json(rest) if rest else None


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _claims(rows: Sequence[Structs]) -> pa.Array:
    """Return an array of lists of claims; the way over flat columns is ten times as fast as over dicts."""
    flat = [item for row in rows if row for item in row]
    columns: Iterable[Sequence[Any]] = zip(*flat, strict=True) if flat else [()] * CLAIM.num_fields
    fields = [CLAIM.field(place) for place in range(CLAIM.num_fields)]
    arrays = [pa.array(found, field.type) for found, field in zip(columns, fields, strict=True)]
    values = pa.StructArray.from_arrays(arrays, fields=fields)
    offsets = pa.array(accumulate((len(row or ()) for row in rows), initial=0), pa.int32())
    return pa.ListArray.from_arrays(offsets, values, type=pa.list_(CLAIM), mask=pa.array([row is None for row in rows]))


# --- the way back -----------------------------------------------------------------------------------------------------

_SUITS: dict[str | None, int | None] = {None: None, **{name: suit for suit, name in enumerate(SUIT_NAMES)}}
_SCALARS = (
    *("record_id", "source", "session", "deal_no", "played_at", "ruleset", "options", "termination", "given"),
    *("player_0", "player_1", "player_2", "sitting_out", "seed", "hand_index", "engine", "dealer", "forehand"),
    *("hand_0", "hand_1", "talon", "five_0", "five_1", "five_2", "discard", "declarer", "contract", "trump"),
    *("claimed_0", "claimed_1", "claimed_2", "kontras", "marriages", "sheet_levels", "extra"),
)


def decode(table: pa.Table) -> list[HandHistory]:
    """Return the histories of stored rows: `decode(encode(hands))` gives the histories that went in."""
    table = table.combine_chunks()
    columns = {name: table.column(name).to_pylist() for name in _SCALARS}
    columns["calls"] = table.column("calls").to_pylist()
    columns["claimed_outcome"] = _lists(table.column("claimed_outcome"))
    columns["plays"] = _cards_played(table)
    names = tuple(columns)
    return [_history(dict(zip(names, values, strict=True))) for values in zip(*columns.values(), strict=True)]


def _lists(column: pa.ChunkedArray) -> list[Structs]:
    """Return lists of tuples of a column of lists of structs; one way over flat columns here too."""
    found: list[Structs] = []
    for chunk in column.chunks:
        values = chunk.values
        items = list(zip(*(values.field(place).to_pylist() for place in range(values.type.num_fields)), strict=True))
        offsets = chunk.offsets.to_pylist()
        valid = chunk.is_valid().to_pylist()
        found += [items[offsets[row] : offsets[row + 1]] if known else None for row, known in enumerate(valid)]
    return found


def _cards_played(table: pa.Table) -> list[tuple[int, ...]]:
    cards = [table.column(f"p{ply:02d}").fill_null(_NO_CARD).to_numpy() for ply in range(N_PLAYS)]
    rows = np.stack(cards, axis=1).astype(np.int64)
    played = (rows >= 0).sum(axis=1).tolist()
    return [tuple(row[:n]) for row, n in zip(rows.tolist(), played, strict=True)]


def _history(row: dict[str, Any]) -> HandHistory:
    given = {key for bit, key in enumerate(GIVEN_KEYS) if row["given"] >> bit & 1}
    is_sheet = row["hand_0"] is None
    levels = _loaded(row["sheet_levels"])
    return HandHistory(
        ruleset=row["ruleset"],
        options=_loaded(row["options"]),
        id=row["record_id"],
        session=row["session"],
        deal_no=row["deal_no"],
        played_at=row["played_at"],
        source=row["source"],
        players=_three(row, "player"),
        sitting_out=row["sitting_out"],
        dealer=row["dealer"] if "dealer" in given else None,
        forehand=row["forehand"] if "forehand" in given else None,
        hands=None if is_sheet else _hands(row["hand_0"], row["hand_1"], row["talon"]),
        five=_three(row, "five"),
        talon=row["talon"],
        auction=None if row["calls"] is None else tuple(map(call_of, row["calls"])),
        discard=row["discard"],
        trump=_SUITS[row["trump"]] if "trump" in given and "null_trump" not in given else None,
        trump_given="trump" in given,
        conceded=row["termination"] == "conceded" if "conceded" in given else None,
        abandoned=row["termination"] == "abandoned" if "abandoned" in given else None,
        kontras=tuple(_kontra(*kontra) for kontra in unlisted(row["kontras"])) if "kontras" in given else None,
        marriages=tuple(Marriage(*map(int, one)) for one in unlisted(row["marriages"])) if "marriages" in given else None,
        plays=row["plays"] if "plays" in given else None,
        payoffs=_three(row, "claimed"),
        outcome=None if row["claimed_outcome"] is None else dict(row["claimed_outcome"]),
        declarer=row["declarer"] if is_sheet else None,
        contract=row["contract"] if is_sheet else None,
        kontra_levels=levels and {name: tuple(level) if isinstance(level, list) else level for name, level in levels.items()},
        extra=_full_extra(row),
    )


def _three(row: dict[str, Any], name: str) -> Any:
    return None if row[f"{name}_0"] is None else (row[f"{name}_0"], row[f"{name}_1"], row[f"{name}_2"])


def _hands(first: int, second: int, talon: int) -> tuple[int, int, int]:
    return first, second, FULL_DECK & ~(first | second | talon)


def _kontra(seat: str, component: str, against: str, after_play: str, *_derived: str) -> Kontra:
    return Kontra(int(seat), component, int(against) if against else None, int(after_play))


def _loaded(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _full_extra(row: dict[str, Any]) -> dict[str, Any] | None:
    extra = _loaded(row["extra"])
    if row["seed"] is None:
        return extra
    simulated = {"seed": row["seed"], "index": row["hand_index"], "version": row["engine"]}
    return {**(extra or {}), "simulated": simulated}
