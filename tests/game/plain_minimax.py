"""The solver a second time: card by card, without tables, bounds or equal cards, judged by the whole play.

Only the duties of play stand here, card by card and not by masks; what a finished play comes to is asked of the judge.
Every value of a position is found in one walk, since declarer and defenders are the same two sides for all of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from tests import reference
from ulti_stats.game.bids import N_COMPONENTS, Component
from ulti_stats.game.cards import CARD_TEXTS, SUIT_LETTERS
from ulti_stats.game.play import N_FACTS, TRICK_POINTS, play_out
from ulti_stats.game.rule_table import NO_TRUMP, SILENT_HUNDRED_BETTER, rule_table
from ulti_stats.game.scoring import MADE, N_OUTCOME, judge, settle
from ulti_stats.game.solver.position import Position, as_arrays

# Values by place: the components, the declarer's trick points, and what both, the first and the second defender pay.
POINTS, BOTH, FIRST, SECOND = N_COMPONENTS, N_COMPONENTS + 1, N_COMPONENTS + 2, N_COMPONENTS + 3
N_VALUES = N_COMPONENTS + 4
SILENT_FORTY, DEFENDERS_SEVEN = int(Component.SILENT_FORTY_HUNDRED), int(Component.SILENT_ULTI_DEFENDER)
OVERTAKE, OVERTRUMP, OVERTAKE_TRUMPED, KEEP_SEVEN = range(4)


class Setting(NamedTuple):
    """What does not change in a hand: duties [4], order [32] (rank strength by card), and the agreed things."""

    duties: Any
    order: Any
    bid: int
    trump: int
    declarer: int
    leader: int
    hands: Any
    laid: int
    marriages: int
    levels: Any
    factor: int


def setting_of(position: Position) -> Setting:
    """Return a position's setting, with the duties of play read from the rules page."""
    rules, contract = position.rules, position.contract
    trump = None if position.trump == NO_TRUMP else SUIT_LETTERS[position.trump]
    order = [reference.ranking(rules, text[0], trump).index(text[1]) for text in CARD_TEXTS]
    keeps = rules.hold_trump_seven and Component.ULTI in contract.bid.form.parts and trump is not None
    duties = [rules.must_overtake, rules.must_overtrump, rules.overtake_when_trumped, keeps]
    arrays = as_arrays(rules, [position])
    return Setting(
        np.array(duties, np.int64),
        np.array(order, np.int64),
        contract.bid.number,
        position.trump,
        contract.declarer,
        position.leader,
        arrays.hands[0],
        int(arrays.laid[0]),
        int(arrays.marriages[0]),
        arrays.levels[0],
        contract.factor,
    )


@numba.njit
def takes(order, trump, card, best):
    """Return whether a card takes the trick from the best one so far."""
    if card // 8 == best // 8:
        return order[card] > order[best]
    return card // 8 == trump


@numba.njit
def may_play(s, hand, trick, n, card, is_declarer, number):
    """Return whether a card of a hand may be played to a trick of n cards; `number` is the trick's, from 0."""
    if n == 0:
        allowed = True
    else:
        led = trick[0]
        best = led
        for place in range(1, n):
            if takes(s.order, s.trump, trick[place], best):
                best = trick[place]
        follows, trumps = False, False
        for other in range(32):
            if hand >> other & 1:
                follows = follows or other // 8 == led // 8
                trumps = trumps or other // 8 == s.trump
        if follows:
            allowed = card // 8 == led // 8
            is_trumped = best // 8 != led // 8
            top = led if is_trumped else best
            must = s.duties[OVERTAKE_TRUMPED] if is_trumped else s.duties[OVERTAKE]
            if allowed and must and not s.order[card] > s.order[top]:
                for other in range(32):
                    if hand >> other & 1 and other // 8 == led // 8 and s.order[other] > s.order[top]:
                        allowed = False
        elif trumps:
            allowed = card // 8 == s.trump
            if allowed and s.duties[OVERTRUMP] and best // 8 == s.trump and not s.order[card] > s.order[best]:
                for other in range(32):
                    if hand >> other & 1 and other // 8 == s.trump and s.order[other] > s.order[best]:
                        allowed = False
        else:
            allowed = True
    if allowed and s.duties[KEEP_SEVEN] and is_declarer and number < 9 and card == 8 * s.trump:
        # It goes only when nothing else may.
        for other in range(32):
            if hand >> other & 1 and other != card and may_play(s, hand, trick, n, other, False, number):
                return False
    return allowed


@numba.njit
def winner(s, plays, start):
    """Return the place of the card that takes the trick whose first card is number `start`."""
    best = 0
    for place in range(1, 3):
        if takes(s.order, s.trump, plays[start + place], plays[start + best]):
            best = place
    return best


@numba.njit
def final(rules, both_hundreds, s, plays, facts, outcome, units, values):
    """Fill in the values of a finished play."""
    play_out(rules, s.bid, s.trump, s.declarer, s.leader, s.hands, s.laid, plays, 30, s.marriages, facts)
    judge(rules, s.bid, facts, outcome)
    for component in range(N_COMPONENTS):
        values[component] = outcome[component] == MADE
    settle(rules, s.bid, outcome, s.levels, s.factor, units)
    values[FIRST], values[SECOND] = units[:, 0].sum(), units[:, 1].sum()
    values[BOTH] = values[FIRST] + values[SECOND]
    values[POINTS] = facts[TRICK_POINTS]
    judge(both_hundreds, s.bid, facts, outcome)
    values[SILENT_FORTY] = outcome[SILENT_FORTY] == MADE


@numba.njit
def walk(rules, both_hundreds, s, hands, plays, n, seat, facts, outcome, units, values):
    """Fill in `values[n]` with the values of the position after n plays; returns the number of finished plays."""
    if n == 30:
        final(rules, both_hundreds, s, plays, facts, outcome, units, values[n])
        return 1
    start = n // 3 * 3
    n_ends, hand, is_first = 0, hands[seat], True
    for card in range(32):
        if hand >> card & 1 == 0:
            continue
        if not may_play(s, hand, plays[start:n], n - start, card, seat == s.declarer, n // 3):
            continue
        plays[n] = card
        hands[seat] = hand & ~(1 << card)
        then = (seat + 1) % 3
        if n % 3 == 2:
            then = (then + winner(s, plays, start)) % 3
        n_ends += walk(rules, both_hundreds, s, hands, plays, n + 1, then, facts, outcome, units, values)
        hands[seat] = hand
        for place in range(N_VALUES):
            value = values[n + 1, place]
            wants_more = (seat == s.declarer) != (place == DEFENDERS_SEVEN)
            if is_first or (value > values[n, place]) == wants_more:
                values[n, place] = value
        is_first = False
    return n_ends


def plain_values(position: Position) -> np.ndarray:
    """Return the values of a position by place: components as 0 or 1, then points and units."""
    s = setting_of(position)
    table = rule_table(position.rules)
    flags = table.flags.copy()
    flags[SILENT_HUNDRED_BETTER] = 0
    plays = np.zeros(30, np.int64)
    plays[: len(position.plays)] = position.plays
    values = np.zeros((31, N_VALUES), np.int64)
    facts, outcome, units = np.zeros(N_FACTS, np.int64), np.zeros(N_OUTCOME, np.int64), np.zeros((N_COMPONENTS, 2), np.int64)
    n = len(position.plays)
    seat = position.turn if position.turn is not None else 0
    walk(table, table._replace(flags=flags), s, np.array(position.hands), plays, n, seat, facts, outcome, units, values)
    return values[n]
