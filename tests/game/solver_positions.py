"""Random positions for the solver: any contract of a ruleset, cards played at random, the goals still open if wanted."""

from __future__ import annotations

import random

import numba
import numpy as np

from tests.game import plain_minimax as plain
from ulti_stats.game.bids import Component, TrumpClass
from ulti_stats.game.contract import Contract
from ulti_stats.game.rule_table import NO_TRUMP, plain_suits
from ulti_stats.game.rulesets import Bid, Ruleset
from ulti_stats.game.solver.position import Position, as_arrays

# What must still be open after the cards played: nothing, the declarer's tricks (all, none), a trump seven in a hand, and
# all but so many points.
ANY, ALL_TRICKS, NO_TRICK, SEVEN, BUT_10, BUT_30 = range(6)
STILL_OPEN = {
    Component.DURCHMARS: ALL_TRICKS,
    Component.SILENT_DURCHMARS: ALL_TRICKS,
    Component.FOUR_ACES: ALL_TRICKS,
    Component.SILENT_FOUR_ACES: ALL_TRICKS,
    Component.SILENT_HUNDRED: ALL_TRICKS,
    Component.BETLI: NO_TRICK,
    Component.ULTI: SEVEN,
    Component.SILENT_ULTI: SEVEN,
    Component.SILENT_ULTI_DEFENDER: SEVEN,
}


@numba.njit
def random_play(s, n_plays, wanted, seed, plays, attempts=300):
    """Fill in a random legal play; returns whether what is wanted is still open, within so many attempts."""
    np.random.seed(seed)
    for _ in range(attempts):
        hands = s.hands.copy()
        seat, is_open, left = s.leader, True, 30 if wanted == BUT_30 else 10
        for n in range(n_plays):
            start = n // 3 * 3
            card, n_legal = -1, 0
            for other in range(32):
                if hands[seat] >> other & 1 and plain.may_play(
                    s, hands[seat], plays[start:n], n - start, other, seat == s.declarer, n // 3
                ):
                    n_legal += 1
                    if np.random.randint(n_legal) == 0:
                        card = other
            plays[n] = card
            hands[seat] ^= 1 << card
            seat = (seat + 1) % 3
            if n % 3 == 2:
                seat = (seat + plain.winner(s, plays, start)) % 3
                left -= s.worth[plays[start]] + s.worth[plays[start + 1]] + s.worth[card] if seat != s.declarer else 0
                if wanted >= BUT_10 and left < 0:
                    is_open = False
                    break
                if (wanted == ALL_TRICKS and seat != s.declarer) or (wanted == NO_TRICK and seat == s.declarer):
                    is_open = False
                    break
            if wanted == SEVEN and card == 8 * s.trump:
                is_open = False
                break
        if is_open:
            return True
    return wanted == ANY


def random_contract(rng: random.Random, rules: Ruleset, bid: Bid, *, tilt: float = 0.0) -> Contract:
    """Return a contract on a random deal; a positive tilt gives the declarer high cards, a negative one low cards."""
    deck = list(range(32))
    rng.shuffle(deck)
    if tilt:
        deck.sort(key=lambda card: rng.uniform(0, 7) - tilt * (card & 7))
    others = deck[10:]
    rng.shuffle(others)
    by_role = [sum(1 << card for card in cards) for cards in (deck[:10], others[:10], others[10:20])]
    declarer = rng.randrange(3)
    hands = tuple(by_role[(seat - declarer) % 3] for seat in range(3))
    if bid.form.trump_class is TrumpClass.NONE:
        trump = NO_TRUMP
    elif bid.form.trump_class is TrumpClass.HEARTS:
        trump = 2
    else:
        trump = rng.choice([suit for suit in range(4) if plain_suits(rules) >> suit & 1])
    laid = sum(1 << card for card in others[20:])
    return Contract(bid, declarer, trump, rng.randrange(3), (hands[0], hands[1], hands[2]), laid, None, rng.choice((1, 1, 1, 2)))


def random_position(rng: random.Random, rules: Ruleset, n_left: int, *, goal: Component | None = None) -> Position:
    """Return a position with `n_left` cards to play, kontras and marriages at random.

    With a goal the contract has it among its parts where the ladder offers that, and it has often not been lost yet.
    """
    ladder = [bid for bid in rules.ladder if goal is None or goal >= 7 or goal in bid.components] or list(rules.ladder)
    while True:
        bid = rng.choice(ladder)
        contract = random_contract(rng, rules, bid, tilt=rng.choice((-2, -1, 0, 0, 1, 2, 4)))
        levels = [(level, level) for level in rng.choices((0, 1, 2, 3), (5, 2, 1, 1), k=7)]
        if rng.random() < 0.3:
            levels = [(first, rng.randrange(3)) for first, _ in levels]
        position = Position(rules=rules, contract=contract, levels=tuple(levels))
        allowed = int(as_arrays(rules, [position]).marriages[0])
        if rng.random() < 0.4:
            position = Position(rules=rules, contract=contract, levels=tuple(levels), marriages=allowed & rng.getrandbits(12))
        plays = np.zeros(30, np.int64)
        wanted = STILL_OPEN.get(goal, ANY) if goal is not None and rng.random() < 0.8 else ANY
        if random_play(plain.setting_of(position), 30 - n_left, wanted, rng.getrandbits(30), plays):
            return position.after(*(int(card) for card in plays[: 30 - n_left]))


def ending_sizes(rng: random.Random, n_cards: int) -> int:
    """Return how many cards are left: `n_cards` each, or one or two less where a trick has begun."""
    return 3 * n_cards - rng.randrange(3)
