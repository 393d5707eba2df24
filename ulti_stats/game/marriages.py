"""Marriages: who may declare which, when, and which of them a record's silence means."""

from __future__ import annotations

from ulti_stats.errors import IllegalMarriage
from ulti_stats.game.bids import Component
from ulti_stats.game.cards import KING, OVER, SUIT_NAMES, cards_of, format_card
from ulti_stats.game.contract import Contract
from ulti_stats.game.history import Marriage
from ulti_stats.game.jit import lean
from ulti_stats.game.play import pairs_in
from ulti_stats.game.rule_table import HUNDRED_BAN, NO_TRUMP, PARTS, IntArray, RuleTable
from ulti_stats.game.rulesets import Ruleset


@lean
def marriages_allowed(rules: RuleTable, bid: int, trump: int, declarer: int, hands: IntArray) -> int:
    """Return the suits of which each seat may declare a marriage: 4 bits a seat, seat 0 lowest.

    `hands` [3] are card masks at the start of play. In a 100-game the ban leaves the declarer the promised marriage
    only: in 40-100 the trump pair, in 20-100 the first side pair in the order acorns, leaves, hearts, bells.
    """
    if trump == NO_TRUMP:
        return 0
    parts = rules.bids[bid, PARTS]
    forty = parts & (1 << Component.FORTY_HUNDRED) != 0
    twenty = parts & (1 << Component.TWENTY_HUNDRED) != 0
    ban = rules.flags[HUNDRED_BAN] if forty or twenty else 0
    result = 0
    for seat in range(3):
        suits = pairs_in(hands[seat])
        if seat == declarer and ban >= 1:
            if forty:
                suits &= 1 << trump
            else:
                suits &= ~(1 << trump)
                suits &= -suits  # the first one
        elif seat != declarer and ban == 2:
            suits = 0
        result |= suits << (4 * seat)
    return result


def first_moments(rules: Ruleset, allowed: int, plays: tuple[int, ...], seats: tuple[int, ...]) -> tuple[Marriage, ...]:
    """Return the allowed marriages, each declared at the first moment that `marriage_timing` allows.

    `allowed` holds 4 bits a seat. Marriages whose moment has not come in an unfinished play are left out.
    """
    found = []
    for seat in range(3):
        for suit in cards_of(allowed >> (4 * seat) & 15):
            play = _moment(rules, seat, suit, plays, seats)
            if play is not None:
                found.append(Marriage(seat, suit, play))
    return tuple(sorted(found, key=lambda marriage: (marriage.play, marriage.suit)))


def _moment(rules: Ruleset, seat: int, suit: int, plays: tuple[int, ...], seats: tuple[int, ...]) -> int | None:
    own = [ply for ply, player in enumerate(seats) if player == seat]
    if rules.marriage_timing == "first_trick":
        return own[0] if own else None
    pair = (8 * suit + KING, 8 * suit + OVER)
    moments = [ply for ply in own if plays[ply] in pair]
    wanted = 1 if rules.marriage_timing == "second_card" else 0
    return moments[wanted] if len(moments) > wanted else None


def check_marriages(
    rules: Ruleset,
    contract: Contract,
    declared: tuple[Marriage, ...],
    plays: tuple[int, ...],
    seats: tuple[int, ...],
) -> None:
    """Raise `IllegalMarriage` at the first marriage that is not held, not allowed, or not declared in time."""
    names = {Component.FORTY_HUNDRED, Component.TWENTY_HUNDRED} & set(contract.bid.components)
    ban = rules.hundred_marriage_ban if names else "none"
    seen: set[tuple[int, int]] = set()
    for number, marriage in enumerate(declared, 1):
        suit = SUIT_NAMES[marriage.suit]
        place = f"marriage {number}, seat {marriage.seat}, {suit}"
        pair = (1 << KING | 1 << OVER) << (8 * marriage.suit)
        if not contract.bid.has_trumps:
            raise IllegalMarriage(f"{place}: {contract.bid.name} is played without trumps; marriages have no place")
        if contract.hands[marriage.seat] & pair != pair:
            raise IllegalMarriage(f"{place}: king and over are not both held when play starts")
        if (marriage.seat, marriage.suit) in seen:
            raise IllegalMarriage(f"{place}: declared twice")
        seen.add((marriage.seat, marriage.suit))
        is_declarer = marriage.seat == contract.declarer
        if is_declarer and ban != "none":
            has_one = any(other.seat == marriage.seat for other in declared[: number - 1])
            _check_promised(contract, marriage, has_one=has_one, place=place)
        elif not is_declarer and ban == "all":
            raise IllegalMarriage(f"{place}: defenders declare none in a 100-game (hundred_marriage_ban=all)")
        _check_moment(rules, marriage, plays, seats, place)


def _check_promised(contract: Contract, marriage: Marriage, *, has_one: bool, place: str) -> None:
    in_trumps = marriage.suit == contract.trump
    if Component.FORTY_HUNDRED in contract.bid.components and not in_trumps:
        raise IllegalMarriage(f"{place}: in a 40-100 the declarer declares only the trump pair")
    if Component.TWENTY_HUNDRED in contract.bid.components and (in_trumps or has_one):
        raise IllegalMarriage(f"{place}: in a 20-100 the declarer declares only one side pair")


def _check_moment(rules: Ruleset, marriage: Marriage, plays: tuple[int, ...], seats: tuple[int, ...], place: str) -> None:
    play, timing = marriage.play, rules.marriage_timing
    if play < len(plays) and seats[play] != marriage.seat:
        raise IllegalMarriage(f"{place}: card {play} is seat {seats[play]}'s")
    if timing == "first_trick":
        if play > 2:
            raise IllegalMarriage(f"{place}: declared with card {play}; marriages are declared in trick 1 (cards 0 to 2)")
        return
    if play >= len(plays):
        return
    pair = (8 * marriage.suit + KING, 8 * marriage.suit + OVER)
    moments = [ply for ply, seat in enumerate(seats) if seat == marriage.seat and plays[ply] in pair]
    right = {"either_card": moments, "first_card": moments[:1], "second_card": moments[1:]}[timing]
    if play not in right:
        words = {"either_card": "one of the two", "first_card": "the first of the two", "second_card": "the second of the two"}
        raise IllegalMarriage(
            f"{place}: declared with {format_card(plays[play])} (card {play}); it is declared when playing {words[timing]}"
        )
