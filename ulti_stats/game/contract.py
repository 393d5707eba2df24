"""The contract: what the auction settled, with the cards as they are when play starts."""

from __future__ import annotations

from dataclasses import dataclass

from ulti_stats.errors import IllegalDecision
from ulti_stats.game.auction import Auction, trump_problem, with_hand
from ulti_stats.game.bids import TrumpClass
from ulti_stats.game.cards import SUIT_NAMES, Suit, format_cards
from ulti_stats.game.history import HandHistory
from ulti_stats.game.rule_table import NO_TRUMP
from ulti_stats.game.rulesets import Bid, Ruleset


@dataclass(frozen=True, slots=True)
class Contract:
    """What the auction settled: who plays what in which trump, with which cards.

    `trump` is a suit number, `NO_TRUMP`, or None while a trump game has not named its suit.
    """

    bid: Bid
    declarer: int
    trump: int | None
    forehand: int
    hands: tuple[int, int, int]
    laid: int
    pickup: int | None
    factor: int = 1


def settle_contract(history: HandHistory, rules: Ruleset, auction: Auction) -> Contract:
    """Return the contract with the cards as they are when play starts; raises `IllegalDecision`."""
    bid, declarer = auction.standing, auction.holder
    assert bid is not None
    hands, laid, pickup = auction.hands, auction.talon, auction.pickup
    if rules.talon_mode == "winner_takes":
        if history.discard is None:
            raise IllegalDecision("discard: the winner of the auction takes the talon and lays two cards; none are written")
        twelve = hands[declarer] | laid
        if history.discard.bit_count() != 2 or history.discard & ~twelve:
            raise IllegalDecision(
                f"discard: {format_cards(history.discard)}; two cards of these are right: {format_cards(twelve)}"
            )
        pickup, laid = laid, history.discard
        hands = with_hand(hands, declarer, twelve & ~laid)
    elif history.discard is not None:
        raise IllegalDecision(f"discard: under talon_mode={rules.talon_mode} cards are laid in a call, not after the auction")
    if pickup == 0:
        pickup = None  # the source knows only forehand's twelve cards
    trump = _trump(history, rules, bid, auction)
    return Contract(bid, declarer, trump, auction.forehand, hands, laid, pickup, auction.factor)


def _trump(history: HandHistory, rules: Ruleset, bid: Bid, auction: Auction) -> int | None:
    """Return the trump suit, NO_TRUMP, or None where it is not named yet."""
    if not bid.has_trumps:
        if history.trump is not None:
            raise IllegalDecision(f"trump: {trump_problem(rules, bid, history.trump)}")
        return NO_TRUMP
    named = [call.trump for call in auction.calls if call.bid == bid.name and call.seat == auction.holder]
    in_call = named[-1] if named else None
    trump = history.trump if history.trump is not None else in_call
    if in_call is not None and trump != in_call:
        raise IllegalDecision(f"trump: {SUIT_NAMES[trump or 0]} is written, but {SUIT_NAMES[in_call]} was named with the bid")
    if trump is None:
        implied = bid.form.trump_class is TrumpClass.HEARTS or rules.hearts_always_trump
        if implied:
            return Suit.HEARTS
        if history.plays and not history.conceded:
            raise IllegalDecision(f"trump: {bid.name} is played, so its suit must be written")
        return None
    if problem := trump_problem(rules, bid, trump):
        raise IllegalDecision(f"trump: {problem}")
    return trump
