"""The solver a second time: card by card, without tables, bounds or equal cards, judged by the whole play.

The duties of play stand here card by card and not by masks, and the finished play is counted here; only what such facts
come to is asked of the judge. `reference_minimax` says the same again in plain Python without him. Every value of a position
is found in one walk, since declarer and defenders are the same two sides for all of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from tests import reference
from ulti_stats.game.bids import BID_IDS, N_COMPONENTS, Component
from ulti_stats.game.cards import CARD_TEXTS, SUIT_LETTERS
from ulti_stats.game.play import (
    ACE_TRICKS,
    DECLARED,
    HELD,
    LAST_WINNER,
    MARRIAGE_POINTS,
    N_FACTS,
    N_TRICKS,
    SEVEN_HOLDER,
    SEVEN_TRICK,
    TALON_POINTS,
    TRICK_POINTS,
    TRICKS,
)
from ulti_stats.game.rule_table import NO_TRUMP, SILENT_HUNDRED_BETTER, rule_table
from ulti_stats.game.rulesets import Ruleset
from ulti_stats.game.scoring import MADE, N_OUTCOME, judge, settle
from ulti_stats.game.solver.position import Position, Positions, as_arrays

# Values by place: the components, the declarer's trick points, and what both, the first and the second defender pay.
POINTS, BOTH, FIRST, SECOND = N_COMPONENTS, N_COMPONENTS + 1, N_COMPONENTS + 2, N_COMPONENTS + 3
N_VALUES = N_COMPONENTS + 4
SILENT_FORTY, DEFENDERS_SEVEN = int(Component.SILENT_FORTY_HUNDRED), int(Component.SILENT_ULTI_DEFENDER)
OVERTAKE, OVERTRUMP, OVERTAKE_TRUMPED, KEEP_SEVEN, NEEDS_TRICK, BONUS = range(6)
KING, OVER, ACE = (CARD_TEXTS[:8].index("A" + rank) for rank in "KOA")


class Setting(NamedTuple):
    """What does not change in a hand: duties and numbers of the rules page [6], rank strength and points by card [32],
    and the agreed things.
    """

    duties: Any
    order: Any
    worth: Any
    bid: int
    trump: int
    declarer: int
    leader: int
    hands: Any
    laid: int
    marriages: int
    levels: Any
    factor: int


class Page(NamedTuple):
    """The rules page by number: duties by bid [bids, 6], rank strength by trump and card [5, 32], points by card [32]."""

    duties: Any
    order: Any
    worth: Any


def page_of(rules: Ruleset) -> Page:
    """Return the rules page by number, read by its words."""
    duties = np.zeros((len(BID_IDS), 6), np.int64)
    for bid in rules.ladder:
        keeps = rules.hold_trump_seven and "ulti" in reference.bid_of(rules, bid.name).named
        duties[bid.number, :KEEP_SEVEN] = rules.must_overtake, rules.must_overtrump, rules.overtake_when_trumped
        duties[bid.number, KEEP_SEVEN:] = keeps, rules.marriage_needs_trick, rules.last_trick_bonus
    letters = [*SUIT_LETTERS[:4], None]
    order = [[reference.ranking(rules, card[0], trump).index(card[1]) for card in CARD_TEXTS] for trump in letters]
    worth = [reference.points(rules, [card]) for card in CARD_TEXTS]
    return Page(duties, np.array(order, np.int64), np.array(worth, np.int64))


@numba.njit
def setting_at(page, positions, i):
    """Return the setting of the i-th position."""
    bid, trump = positions.bid[i], positions.trump[i]
    return Setting(
        page.duties[bid],
        page.order[trump],
        page.worth,
        bid,
        trump,
        positions.declarer[i],
        positions.leader[i],
        positions.hands[i],
        positions.laid[i],
        positions.marriages[i],
        positions.levels[i],
        positions.factor[i],
    )


def setting_of(position: Position) -> Setting:
    """Return a position's setting, with the duties of play read from the rules page."""
    return setting_at(page_of(position.rules), as_arrays(position.rules, [position]), 0)


@numba.njit
def takes(order, trump, card, best):
    """Return whether a card takes the trick from the best one so far."""
    if card // 8 == best // 8:
        return order[card] > order[best]
    return card // 8 == trump


@numba.njit
def holds(hand, suit):
    """Return whether a hand has a card of a suit."""
    return hand >> (8 * suit) & 0xFF != 0


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
        follows, trumps = holds(hand, led // 8), s.trump != NO_TRUMP and holds(hand, s.trump)
        if follows:
            allowed = card // 8 == led // 8
            is_trumped = best // 8 != led // 8
            top = led if is_trumped else best
            must = s.duties[OVERTAKE_TRUMPED] if is_trumped else s.duties[OVERTAKE]
            if allowed and must and not s.order[card] > s.order[top]:
                for other in range(led // 8 * 8, led // 8 * 8 + 8):
                    if hand >> other & 1 and s.order[other] > s.order[top]:
                        allowed = False
        elif trumps:
            allowed = card // 8 == s.trump
            if allowed and s.duties[OVERTRUMP] and best // 8 == s.trump and not s.order[card] > s.order[best]:
                for other in range(8 * s.trump, 8 * s.trump + 8):
                    if hand >> other & 1 and s.order[other] > s.order[best]:
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
def count(s, plays, facts):
    """Fill in the facts of a finished play, trick by trick."""
    facts[:] = 0
    facts[SEVEN_HOLDER] = facts[SEVEN_TRICK] = -1
    leads = (s.leader - s.declarer + 3) % 3
    for number in range(10):
        wins = (leads + winner(s, plays, 3 * number)) % 3
        side = 0 if wins == 0 else 1
        facts[TRICKS + wins] += 1
        facts[N_TRICKS] += 1
        has_ace = False
        for place in range(3):
            card = plays[3 * number + place]
            facts[TRICK_POINTS + side] += s.worth[card]
            has_ace = has_ace or card % 8 == ACE
            if s.trump != NO_TRUMP and card == 8 * s.trump:
                facts[SEVEN_HOLDER], facts[SEVEN_TRICK] = (leads + place) % 3, number
        facts[ACE_TRICKS + wins] += 1 if has_ace else 0
        if number == 9:
            facts[LAST_WINNER] = wins
            facts[TRICK_POINTS + side] += s.duties[BONUS]
        leads = wins
    for card in range(32):
        facts[TALON_POINTS] += s.worth[card] if s.laid >> card & 1 else 0
    count_pairs(s, facts)


@numba.njit
def count_pairs(s, facts):
    """Fill in the marriages that count, and the pairs that the declarer held, declared or not."""
    for seat in range(3):
        side = 0 if seat == s.declarer else 1
        tricks = facts[TRICKS] if side == 0 else facts[TRICKS + 1] + facts[TRICKS + 2]
        for suit in range(4):
            kind = 1 if suit == s.trump else 2
            pair = s.hands[seat] >> (8 * suit + KING) & s.hands[seat] >> (8 * suit + OVER) & 1
            if pair and side == 0 and facts[HELD] & kind == 0:
                facts[HELD] += kind
            if s.marriages >> (4 * seat + suit) & 1 and (tricks > 0 or not s.duties[NEEDS_TRICK]):
                facts[MARRIAGE_POINTS + side] += 40 if suit == s.trump else 20
                if facts[DECLARED + side] & kind == 0:
                    facts[DECLARED + side] += kind


@numba.njit
def final(rules, both_hundreds, s, plays, facts, outcome, units, values):
    """Fill in the values of a finished play."""
    count(s, plays, facts)
    judge(rules, s.bid, facts, outcome)
    for component in range(N_COMPONENTS):
        values[component] = outcome[component] == MADE
    settle(rules, s.bid, outcome, s.levels, s.factor, units)
    values[FIRST], values[SECOND] = units[:, 0].sum(), units[:, 1].sum()
    values[BOTH] = values[FIRST] + values[SECOND]
    values[POINTS] = facts[TRICK_POINTS]
    if rules.flags[SILENT_HUNDRED_BETTER]:
        judge(both_hundreds, s.bid, facts, outcome)
        values[SILENT_FORTY] = outcome[SILENT_FORTY] == MADE


@numba.njit
def walk(rules, both_hundreds, s, hands, plays, n, seat, facts, outcome, units, values, least, most):
    """Fill in `values[n]` with the values of the position after n plays, and the least and the most that any play gives."""
    if n == 30:
        final(rules, both_hundreds, s, plays, facts, outcome, units, values[n])
        for place in range(N_VALUES):
            least[place] = min(least[place], values[n, place])
            most[place] = max(most[place], values[n, place])
        return
    start = n // 3 * 3
    hand, is_first = hands[seat], True
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
        walk(rules, both_hundreds, s, hands, plays, n + 1, then, facts, outcome, units, values, least, most)
        hands[seat] = hand
        for place in range(N_VALUES):
            value = values[n + 1, place]
            wants_more = (seat == s.declarer) != (place == DEFENDERS_SEVEN)
            if is_first or (value > values[n, place]) == wants_more:
                values[n, place] = value
        is_first = False


@numba.njit
def walk_all(rules, both_hundreds, page, positions, found, least, most):
    """Fill in `found`, `least` and `most` [n, values] for many positions."""
    facts, outcome, units = np.zeros(N_FACTS, np.int64), np.zeros(N_OUTCOME, np.int64), np.zeros((N_COMPONENTS, 2), np.int64)
    values, plays = np.zeros((31, N_VALUES), np.int64), np.zeros(30, np.int64)
    for i in range(len(found)):
        s = setting_at(page, positions, i)
        hands, seat, n = s.hands.copy(), s.leader, positions.n_plays[i]
        plays[:] = positions.plays[i]
        for ply in range(n):
            hands[seat] &= ~(1 << plays[ply])
            seat = (seat + 1) % 3
            if ply % 3 == 2:
                seat = (seat + winner(s, plays, ply - 2)) % 3
        least[i, :] = 1 << 40
        most[i, :] = -(1 << 40)
        walk(rules, both_hundreds, s, hands, plays, n, seat, facts, outcome, units, values, least[i], most[i])
        found[i] = values[n]


def plain_values(rules: Ruleset, positions: Positions) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of n positions by place [n, values], and whether what is left to play decides them.

    Values are components as 0 or 1, then points and units.
    """
    table = rule_table(rules)
    flags = table.flags.copy()
    flags[SILENT_HUNDRED_BETTER] = 0
    flags.flags.writeable = False
    found, least, most = (np.zeros((len(positions.bid), N_VALUES), np.int64) for _ in range(3))
    walk_all(table, table._replace(flags=flags), page_of(rules), positions, found, least, most)
    return found, least < most


def plain_value(position: Position) -> np.ndarray:
    """Return the values of one position by place."""
    return plain_values(position.rules, as_arrays(position.rules, [position]))[0][0]
