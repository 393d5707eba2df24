"""Parts of bids as the solver tells them apart, the trumps of a bid, and what cards rule out."""

from __future__ import annotations

from dataclasses import dataclass

from ulti_stats.game.bids import Component, TrumpClass
from ulti_stats.game.cards import Suit, marriages_in
from ulti_stats.game.rule_table import NO_TRUMP, plain_suits
from ulti_stats.game.rulesets import Bid, Ruleset


@dataclass(frozen=True, slots=True)
class Part:
    """What open cards make of a part: which component, in which trump, and whether the trump seven must be kept.

    Bids that share a part share its solutions.
    """

    component: Component
    trump: int
    keeps_seven: bool


def parts_of(rules: Ruleset, bid: Bid, trump: int) -> tuple[Part, ...]:
    """Return the parts of a bid, an implied simple game included, as the solver tells them apart."""
    keeps = rules.hold_trump_seven and Component.ULTI in bid.components
    return tuple(Part(component, trump, keeps) for component in bid.components)


def trumps_of(rules: Ruleset, bid: Bid) -> tuple[int, ...]:
    """Return the trumps that a bid may be played in: suit numbers, or `NO_TRUMP`.

    >>> from ulti_stats.game.rulesets import ruleset
    >>> trumps_of(ruleset(), ruleset().bid("ulti"))
    (0, 1, 3)
    """
    match bid.form.trump_class:
        case TrumpClass.NONE:
            return (NO_TRUMP,)
        case TrumpClass.HEARTS:
            return (int(Suit.HEARTS),)
        case _:
            return tuple(suit for suit in range(4) if plain_suits(rules) >> suit & 1)


def rules_out(component: Component, trump: int, hand: int) -> bool:
    """Return whether ten cards lack what a part needs: a 100-game its marriage, an ulti the trump seven.

    >>> from ulti_stats.game.cards import parse_cards
    >>> rules_out(Component.FORTY_HUNDRED, 0, parse_cards("AA AK A8 A7 HK HO L9 L8 B9 B8"))
    True
    """
    match component:
        case Component.FORTY_HUNDRED:
            return trump not in marriages_in(hand)
        case Component.TWENTY_HUNDRED:
            return not any(suit != trump for suit in marriages_in(hand))
        case Component.ULTI:
            return not hand >> (8 * trump) & 1
    return False
