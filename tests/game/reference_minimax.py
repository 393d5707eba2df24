"""The plain minimax once more, in plain Python on card texts: nothing of it but the record of a position is the engine's.

Legal cards, winners, marriages, outcomes and units are those of `tests/reference.py`. It is slow, and checks the compiled
plain minimax on small endings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests import reference
from tests.game import plain_minimax as plain
from ulti_stats.game.bids import PART_TEXTS, Component
from ulti_stats.game.cards import CARD_TEXTS, SUIT_LETTERS
from ulti_stats.game.rule_table import NO_TRUMP
from ulti_stats.game.solver.position import Position, as_arrays

DEFENDERS_SEVEN = Component.SILENT_ULTI_DEFENDER


class BothHundreds:
    """The rules, but a silent 40-100 counts as reached beside the better silent 20-100."""

    silent_hundred_paid = "both"

    def __init__(self, rules: Any):
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


@dataclass(frozen=True)
class Hand:
    """What is agreed in a hand, in the words of the reference."""

    rules: Any
    bid: reference.Bid
    trump: str | None
    declarer: int
    leader: int
    hands: list[set[str]]
    laid: set[str]
    declared: list[tuple[int, str]]
    levels: dict[str, tuple[int, int]]
    factor: int


def texts_of(mask: int) -> set[str]:
    return {text for card, text in enumerate(CARD_TEXTS) if mask >> card & 1}


def hand_of(position: Position) -> Hand:
    """Return a position's agreed things as texts."""
    contract, declarer = position.contract, position.contract.declarer
    marriages = int(as_arrays(position.rules, [position]).marriages[0])
    return Hand(
        position.rules,
        reference.bid_of(position.rules, contract.bid.name),
        None if position.trump == NO_TRUMP else SUIT_LETTERS[position.trump],
        declarer,
        contract.forehand if position.rules.first_lead == "forehand" else declarer,
        [texts_of(mask) for mask in contract.hands],
        texts_of(contract.laid),
        [((place // 4 - declarer) % 3, SUIT_LETTERS[place % 4]) for place in range(12) if marriages >> place & 1],
        dict(zip(PART_TEXTS, position.levels, strict=True)),
        contract.factor,
    )


def end_values(hand: Hand, plays: list[str]) -> list[int]:
    """Return the values of a finished play, in the order of the compiled plain minimax."""
    found = reference.play(hand.rules, hand.bid, hand.trump, hand.hands, plays, declarer=hand.declarer, leader=hand.leader)
    assert found.illegal == []
    own = hand.hands[hand.declarer]
    made = reference.outcome(hand.rules, hand.bid, hand.trump, found, hand.laid, hand.declared, own)
    both = reference.outcome(BothHundreds(hand.rules), hand.bid, hand.trump, found, hand.laid, hand.declared, own)
    values = [int(made.get(goal.text) == "made") for goal in Component]
    values[plain.SILENT_FORTY] = int(both.get("silent_forty_hundred") == "made")
    paid = reference.units(hand.rules, hand.bid, made, hand.levels, hand.factor)
    first, second = (sum(pair[d] for pair in paid.values()) for d in (0, 1))
    return [*values, reference.side_points(hand.rules, found)[0], first + second, first, second]


def best(hand: Hand, plays: list[str], left: list[set[str]], seat: int) -> list[int]:
    """Return the values after these plays; `left` are the cards still held, `seat` plays next."""
    if len(plays) == 30:
        return end_values(hand, plays)
    trick = plays[len(plays) // 3 * 3 :]
    is_declarer = seat == hand.declarer
    number = len(plays) // 3 + 1
    legal = reference.legal_cards(hand.rules, hand.bid, hand.trump, left[seat], trick, is_declarer=is_declarer, number=number)
    results = []
    for card in legal:
        then = (seat + 1) % 3
        if len(trick) == 2:
            lying = [*trick, card]
            then = (then + lying.index(reference.winning_card(hand.rules, hand.trump, lying))) % 3
        held = [cards - {card} for cards in left]
        results.append(best(hand, [*plays, card], held, then))
    columns = list(zip(*results, strict=True))
    return [max(column) if is_declarer != (place == DEFENDERS_SEVEN) else min(column) for place, column in enumerate(columns)]


def reference_values(position: Position) -> list[int]:
    """Return the values of a position, as `plain_minimax.plain_value` does."""
    hand = hand_of(position)
    plays = [CARD_TEXTS[card] for card in position.plays]
    seat = position.turn
    return best(hand, plays, [texts_of(mask) for mask in position.hands], 0 if seat is None else seat)
