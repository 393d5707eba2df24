"""The end of a hand in a batch: marriages, result, kontra gains. Simulation and batch replay share it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ulti_stats.game import batch as b
from ulti_stats.game.auction_steps import N_STATE
from ulti_stats.game.batch import Batch
from ulti_stats.game.bids import N_COMPONENTS, N_PARTS
from ulti_stats.game.cards import KING, OVER
from ulti_stats.game.jit import fused, inlined, lean, lowest
from ulti_stats.game.marriages import marriages_allowed
from ulti_stats.game.play import DECLARED, MARRIAGE_POINTS, MARRIAGE_SUITS, N_FACTS, count_marriages, first_leader
from ulti_stats.game.rule_table import MARRIAGE_MOMENT, MULTIPLIERS, IntArray, RuleTable
from ulti_stats.game.scoring import N_OUTCOME, OUT, judge, pay, raised_by_kontra, settle, settle_concession

_NEVER = 30


class Scratch(NamedTuple):
    """Where a kernel works on one hand: `auction` [14], `hands` [3] card masks by seat, `own` [3] strength masks by role,
    `plays` [30], `places` [32] the play of each card, `levels` [7, 2], `facts` [20], `outcome` [16], `units` [14, 2],
    `payoffs` [3]."""

    auction: IntArray
    hands: IntArray
    own: IntArray
    plays: IntArray
    places: IntArray
    levels: IntArray
    facts: IntArray
    outcome: IntArray
    units: IntArray
    payoffs: IntArray


def new_scratch() -> Scratch:
    """Return room to work in; one for each thread."""
    shapes = (N_STATE, 3, 3, 30, 32, (N_PARTS, 2), N_FACTS, N_OUTCOME, (N_COMPONENTS, 2), 3)
    return Scratch(*(np.zeros(shape, np.int64) for shape in shapes))


@lean
def finish_hands(rules: RuleTable, first: int, end: int, scratch: Scratch, batch: Batch) -> None:
    """Note marriages, result, kontra gains and payoffs of hands `first` to `end - 1`, which are dealt, bid and played.

    The batch holds contract, plays, kontras and levels, and the facts of the tricks; hands that were conceded or passed out
    have none.
    """
    for n in range(first, end):
        batch.marriage_start[n + 1] = batch.marriage_start[n]
        if batch.meta[b.TERMINATION, n] == b.PLAYED:
            _finish_played(rules, scratch, batch, n)
        elif batch.meta[b.TERMINATION, n] == b.CONCEDED:
            _finish_conceded(rules, scratch, batch, n)


@inlined
def take_cards(batch: Batch, n: int, hands: IntArray) -> None:
    """Fill in the three hands by seat as they are when play starts."""
    declarer = np.int64(batch.meta[b.DECLARER, n])
    for role in range(3):
        hands[(declarer + role) % 3] = batch.masks[b.AT_PLAY + role, n]


@inlined
def note_facts(facts: IntArray, batch: Batch, n: int) -> None:
    """Note the facts of a play in the batch."""
    for place in range(N_FACTS):
        batch.facts[place, n] = facts[place]


@inlined
def note_levels(levels: IntArray, batch: Batch, n: int) -> None:
    """Note the kontra levels that a hand reached in a batch that was empty."""
    for part in range(N_PARTS):
        if levels[part, 0] | levels[part, 1] != 0:
            batch.levels[part, 0, n], batch.levels[part, 1, n] = levels[part, 0], levels[part, 1]


@fused
def _declare(rules: RuleTable, leader: int, scratch: Scratch, batch: Batch, n: int) -> int:
    """Note the marriages of a hand, each declared at the first moment allowed; return them as 4 bits a seat.

    Reads `scratch.hands` and the plays of the batch.
    """
    trump, declarer = np.int64(batch.meta[b.TRUMP, n]), np.int64(batch.meta[b.DECLARER, n])
    allowed = marriages_allowed(rules, np.int64(batch.meta[b.BID, n]), trump, declarer, scratch.hands)
    row = np.int64(batch.marriage_start[n])
    declared, n_played = 0, np.int64(batch.meta[b.N_PLAYED, n])
    moment = rules.flags[MARRIAGE_MOMENT]
    if moment == 0:
        for play in range(min(n_played, 3)):
            seat = (leader + play) % 3
            suits = allowed >> (4 * seat) & 15
            declared |= suits << (4 * seat)
            while suits != 0:
                row = _put_marriage(batch, row, seat, lowest(suits), play)
                suits &= suits - 1
    elif allowed != 0:
        places = scratch.places
        places[:] = _NEVER
        for play in range(n_played):
            places[batch.plays[play, n]] = play
        while allowed != 0:
            bit = lowest(allowed)
            allowed &= allowed - 1
            seat, suit = bit >> 2, bit & 3
            king, over = places[8 * suit + KING], places[8 * suit + OVER]
            play = min(king, over) if moment == 1 else max(king, over)
            if play != _NEVER:
                declared |= 1 << bit
                row = _put_marriage(batch, row, seat, suit, play)
        _sort_marriages(batch, np.int64(batch.marriage_start[n]), row)
    batch.marriage_start[n + 1] = row
    return declared


@inlined
def _put_marriage(batch: Batch, row: int, seat: int, suit: int, play: int) -> int:
    batch.marriages[b.MARRIAGE_SEAT, row] = seat
    batch.marriages[b.MARRIAGE_SUIT, row] = suit
    batch.marriages[b.MARRIAGE_PLAY, row] = play
    return row + 1


@inlined
def _sort_marriages(batch: Batch, first: int, end: int) -> None:
    """Put the few marriages of a hand in the order of their plays."""
    for last in range(end - 1, first, -1):
        for row in range(first, last):
            if batch.marriages[b.MARRIAGE_PLAY, row] > batch.marriages[b.MARRIAGE_PLAY, row + 1]:
                for field in range(3):
                    lower = batch.marriages[field, row]
                    batch.marriages[field, row] = batch.marriages[field, row + 1]
                    batch.marriages[field, row + 1] = lower


@fused
def _finish_played(rules: RuleTable, scratch: Scratch, batch: Batch, n: int) -> None:
    flags, meta, facts, outcome, levels = rules.flags, batch.meta, scratch.facts, scratch.outcome, scratch.levels
    trump, declarer = np.int64(meta[b.TRUMP, n]), np.int64(meta[b.DECLARER, n])
    bid, factor = np.int64(meta[b.BID, n]), np.int64(meta[b.FACTOR, n])
    take_cards(batch, n, scratch.hands)
    for place in range(N_FACTS):
        facts[place] = batch.facts[place, n]
    for part in range(N_PARTS):
        levels[part, 0], levels[part, 1] = batch.levels[part, 0, n], batch.levels[part, 1, n]
    marriages = _declare(rules, first_leader(flags, declarer, np.int64(meta[b.FOREHAND, n])), scratch, batch, n)
    count_marriages(flags, facts, trump, declarer, marriages)
    for place in (MARRIAGE_POINTS, MARRIAGE_POINTS + 1, DECLARED, DECLARED + 1, MARRIAGE_SUITS):
        batch.facts[place, n] = facts[place]
    judge(rules, bid, facts, outcome)
    settle(rules, bid, outcome, levels, factor, scratch.units)
    pay(rules, bid, outcome, scratch.units, declarer, scratch.payoffs)
    _note_gains(rules, scratch, batch, n)
    _note_result(scratch, batch, n)


@fused
def _finish_conceded(rules: RuleTable, scratch: Scratch, batch: Batch, n: int) -> None:
    bid, declarer = np.int64(batch.meta[b.BID, n]), np.int64(batch.meta[b.DECLARER, n])
    settle_concession(rules, bid, np.int64(batch.meta[b.FACTOR, n]), scratch.outcome, scratch.units)
    pay(rules, bid, scratch.outcome, scratch.units, declarer, scratch.payoffs)
    _note_result(scratch, batch, n)


@inlined
def _note_result(scratch: Scratch, batch: Batch, n: int) -> None:
    for component in range(N_COMPONENTS):
        if scratch.outcome[component] != OUT:
            batch.outcome[component, n] = scratch.outcome[component]
            batch.units[component, 0, n] = scratch.units[component, 0]
            batch.units[component, 1, n] = scratch.units[component, 1]
    for seat in range(3):
        batch.payoffs[seat, n] = scratch.payoffs[seat]


@inlined
def _note_gains(rules: RuleTable, scratch: Scratch, batch: Batch, n: int) -> None:
    """Note what each kontra gained its sayer: the step alone, and the decision with every answer to it."""
    flags, kontras = rules.flags, batch.kontras
    declarer, bid, factor = (
        np.int64(batch.meta[b.DECLARER, n]),
        np.int64(batch.meta[b.BID, n]),
        np.int64(batch.meta[b.FACTOR, n]),
    )
    for row in range(np.int64(batch.kontra_start[n]), np.int64(batch.kontra_start[n + 1])):
        seat, against = np.int64(kontras[b.KONTRA_SEAT, row]), np.int64(kontras[b.KONTRA_AGAINST, row])
        part, level = np.int64(kontras[b.KONTRA_PART, row]), np.int64(kontras[b.KONTRA_LEVEL, row])
        bound = against if against >= 0 else seat
        d = max((bound - declarer + 3) % 3 - 1, 0)
        raised = raised_by_kontra(rules, bid, scratch.outcome, part, d, factor)
        gain = raised if seat == declarer else -raised
        before = flags[MULTIPLIERS + level - 1]
        batch.gains[b.STEP_GAIN, row] = gain * (flags[MULTIPLIERS + level] - before)
        batch.gains[b.DECISION_GAIN, row] = gain * (flags[MULTIPLIERS + scratch.levels[part, d]] - before)
