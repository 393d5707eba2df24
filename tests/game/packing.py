"""Hand histories as a batch of decisions, and what a batch says of one hand in the words of a replay."""

from __future__ import annotations

from typing import Any

import numpy as np

from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch, new_batch
from ulti_stats.game.bids import BID_IDS, BID_NAMES, COMPONENT_TEXTS, N_PARTS, PART_TEXTS
from ulti_stats.game.history import HandHistory
from ulti_stats.game.play import MARRIAGE_POINTS, TALON_POINTS, TRICK_POINTS, WINNERS
from ulti_stats.game.result import Replay
from ulti_stats.game.rule_table import NO_TRUMP


def packed(histories: list[HandHistory]) -> Batch:
    """Return histories with cards and a forehand as a batch, decisions only."""
    calls = sum(len(history.auction or ()) for history in histories)
    batch = new_batch(len(histories), n_calls=calls, n_kontras=sum(len(history.kontras or ()) for history in histories))
    for n, history in enumerate(histories):
        batch.meta[b.FOREHAND, n] = history.forehand
        batch.meta[b.TRUMP, n] = -1 if history.trump is None else history.trump
        batch.meta[b.TERMINATION, n] = b.CONCEDED if history.conceded else b.PLAYED
        batch.masks[b.HAND : b.HAND + 3, n] = history.hands
        batch.masks[b.TALON, n] = history.talon
        batch.masks[b.LAID_AFTER, n] = history.discard or 0
        batch.masks[b.FIVE : b.FIVE + 3, n] = history.five or 0
        plays = history.plays or ()
        batch.plays[: len(plays), n] = plays
        _pack_calls(batch, n, history)
        row = batch.kontra_start[n]
        for kontra in history.kontras or ():
            against = -1 if kontra.against is None else kontra.against
            part = PART_TEXTS.index(kontra.component)
            batch.kontras[:, row] = kontra.seat, part, against, kontra.after_play, 0
            row += 1
        batch.kontra_start[n + 1] = row
    return batch


def _pack_calls(batch: Batch, n: int, history: HandHistory) -> None:
    row = batch.call_start[n]
    for call in history.auction or ():
        trump, bid = -1 if call.trump is None else call.trump, BID_IDS.get(call.bid, -1)
        batch.calls[:, row] = call.seat, bid, trump, call.hold, call.round
        batch.laid[row] = call.discard or 0
        row += 1
    batch.call_start[n + 1] = row


def derived(found: Replay) -> dict[str, Any]:
    """Return what a replay of one hand derives, as far as a batch says it too."""
    return {
        "termination": found.termination,
        "declarer": found.declarer,
        "contract": found.contract and found.contract.name,
        "trump": found.trump,
        "cards": found.hands if found.declarer is not None else None,
        "laid": found.laid,
        "pickup": found.pickup,
        "marriages": sorted((one.play, one.seat, one.suit) for one in found.marriages),
        "levels": found.levels,
        "gains": (found.step_gains, found.decision_gains),
        "winners": found.winners,
        "points": (found.declarer_points, found.defender_points, found.talon_points),
        "marriage points": (found.declarer_marriage_points, found.defender_marriage_points),
        "components": {part.component: (part.made, part.kontra_levels, part.units) for part in found.components},
        "payoffs": found.payoffs,
    }


def said(batch: Batch, n: int) -> dict[str, Any]:
    """Return the same of one hand of a replayed batch."""
    meta, masks, facts = batch.meta[:, n].tolist(), batch.masks[:, n].tolist(), batch.facts[:, n].tolist()
    declarer, is_played = meta[b.DECLARER], meta[b.TERMINATION] == b.PLAYED
    kontras = slice(batch.kontra_start[n], batch.kontra_start[n + 1])
    marriages = batch.marriages[:, batch.marriage_start[n] : batch.marriage_start[n + 1]].T.tolist()
    cards = {(declarer + role) % 3: masks[b.AT_PLAY + role] for role in range(3)}
    return {
        "termination": b.TERMINATIONS[meta[b.TERMINATION]],
        "declarer": None if declarer < 0 else declarer,
        "contract": None if declarer < 0 else BID_NAMES[meta[b.BID]],
        "trump": meta[b.TRUMP] if 0 <= meta[b.TRUMP] < NO_TRUMP else None,
        "cards": None if declarer < 0 else (cards[0], cards[1], cards[2]),
        "laid": masks[b.LAID],
        "pickup": masks[b.PICKUP] or None,
        "marriages": sorted((play, seat, suit) for seat, suit, play in marriages),
        "levels": tuple(batch.kontras[b.KONTRA_LEVEL, kontras].tolist()),
        "gains": tuple(tuple(gains) for gains in batch.gains[:, kontras].tolist()),
        "winners": tuple(facts[WINNERS] >> 2 * trick & 3 for trick in range(meta[b.N_PLAYED] // 3)),
        "points": (facts[TRICK_POINTS], facts[TRICK_POINTS + 1], facts[TALON_POINTS]) if is_played else (None, None, None),
        "marriage points": (facts[MARRIAGE_POINTS], facts[MARRIAGE_POINTS + 1]) if is_played else (None, None),
        "components": dict(_components(batch, n)),
        "payoffs": tuple(batch.payoffs[:, n].tolist()),
    }


def _components(batch: Batch, n: int) -> Any:
    for number, name in enumerate(COMPONENT_TEXTS):
        if batch.outcome[number, n] >= 0:
            levels = tuple(batch.levels[number, :, n].tolist()) if number < N_PARTS else (0, 0)
            yield name, (bool(batch.outcome[number, n]), levels, tuple(batch.units[number, :, n].tolist()))
    assert not np.any(batch.units[batch.outcome[:, n] < 0, :, n])
