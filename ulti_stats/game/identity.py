"""Which records are the same hand: a hash over table and decisions in one canonical form (FORMAT.md, "Identity").

The canonical form is a JSON array without spaces. Card sets are written as numbers and plays as one text, so that the
simulation can write the same bytes in compiled code.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ulti_stats.game.history import Call, HandHistory, Marriage
from ulti_stats.game.result import Replay

HASH_BYTES = 16
# One letter a card in the canonical text of plays.
CARD_CODES = "0123456789ABCDEFGHIJKLMNOPQRSTUV"


def canonical_text(history: HandHistory, replay: Replay, *, repeat: int = 0) -> str:
    """Return the canonical JSON text over which the identity is taken.

    `repeat` numbers score sheets of one file that are equal in everything else.
    """
    head: list[Any] = [
        history.ruleset,
        dict(history.options) if history.options else None,
        list(history.players) if history.players else None,
        history.session,
        history.deal_no,
        history.sitting_out,
        _simulated(history),
    ]
    body = _sheet(history, replay, repeat) if history.is_sheet else _cards(history, replay)
    return json.dumps([*head, *body], separators=(",", ":"), ensure_ascii=False, sort_keys=True)


def identity_hash(history: HandHistory, replay: Replay, *, repeat: int = 0) -> bytes:
    """Return the 16 bytes that name a hand: equal for equal table and decisions."""
    text = canonical_text(history, replay, repeat=repeat)
    return hashlib.blake2b(text.encode(), digest_size=HASH_BYTES).digest()


def _simulated(history: HandHistory) -> list[Any] | None:
    simulated = history.simulated
    return [simulated["seed"], simulated["index"], simulated["version"]] if simulated else None


def _cards(history: HandHistory, replay: Replay) -> list[Any]:
    calls = without_closing_passes(history.auction or ())
    return [
        replay.forehand,
        list(history.hands or ()),
        list(history.five) if history.five else None,
        history.talon,
        [[call.seat, call.bid, call.discard, call.trump, int(call.hold), call.round] for call in calls],
        history.discard,
        replay.trump,
        int(bool(history.conceded)),
        int(bool(history.abandoned)),
        [[kontra.seat, kontra.component, kontra.against, kontra.after_play] for kontra in history.kontras or ()],
        [[marriage.seat, marriage.suit, marriage.play] for marriage in sorted(replay.marriages, key=_moment)],
        "".join(CARD_CODES[card] for card in history.plays or ()),
    ]


def without_closing_passes(calls: tuple[Call, ...]) -> list[Call]:
    """Return an auction without the holders' own last passes, which a file may leave out."""
    kept: list[Call] = []
    holder: int | None = None
    for place, call in enumerate(calls):
        ends_round = place + 1 == len(calls) or calls[place + 1].round != call.round
        if call.is_pass and call.seat == holder and ends_round:
            continue
        kept.append(call)
        if not call.is_pass:
            holder = call.seat
    return kept


def _moment(marriage: Marriage) -> tuple[int, int]:
    return marriage.play, marriage.suit


def _sheet(history: HandHistory, replay: Replay, repeat: int) -> list[Any]:
    # One number means both defenders, and 0 the same as nothing.
    written = (history.kontra_levels or {}).items()
    levels = {name: list(level) if isinstance(level, tuple) else [level, level] for name, level in written}
    return [
        replay.forehand,
        history.declarer,
        history.contract,
        {name: pair for name, pair in levels.items() if any(pair)},
        int(bool(history.conceded)),
        replay.trump,
        dict(history.outcome) if history.outcome else None,
        list(history.payoffs) if history.payoffs else None,
        history.played_at,
        repeat,
    ]
