"""Can the declarer take no trick (betli), or all of them (durchmars)?"""

from __future__ import annotations

from ulti_stats.game.jit import highest, inner, lowest, popcount
from ulti_stats.game.play import keeping_seven, legal_mask
from ulti_stats.game.rule_table import NO_TRUMP, IntArray
from ulti_stats.game.solver.workspace import NODES, SEVEN, TRUMP, answers, beating, distinct, find, in_order, verdict


@inner
def all_lowest(own: int, others: int) -> bool:
    """Return whether no card of `own` lies above one of `others` in its suit."""
    for suit in range(4):
        theirs = others >> (8 * suit) & 0xFF
        if theirs != 0 and own >> (8 * suit) & 0xFF > theirs & -theirs:
            return False
    return True


@inner
def all_top(a: int, b: int, c: int) -> bool:
    """Return whether every suit of the leader runs from the top: no card of another's can take a trick from it."""
    for suit in range(4):
        own = a >> (8 * suit) & 0xFF
        one, two = b >> (8 * suit) & 0xFF, c >> (8 * suit) & 0xFF
        if own != 0 and one | two != 0:
            run = popcount(own & -(2 << highest(one | two)))
            if run < popcount(one) or run < popcount(two):
                return False
    return True


@inner
def suits_of(mask: int) -> int:
    """Return every card of the suits that a set has cards of."""
    result = 0
    for suit in range(4):
        if mask >> (8 * suit) & 0xFF != 0:
            result |= 0xFF << (8 * suit)
    return result


@inner
def most_exposed(cards: int, others: int) -> int:
    """Return the card with the most cards of the `others` below it: the one to be rid of."""
    first, most = lowest(cards), -1
    left = cards
    while left != 0:
        card = lowest(left)
        left &= left - 1
        below = popcount(others & (0xFF << (card & 24)) & ((1 << card) - 1))
        if below > most:
            first, most = card, below
    return first


@inner
def catches(ws: IntArray, a: int, b: int, c: int, leader: int, trump: int, kept: int) -> bool:
    """Return whether the defender on lead can make the declarer take this very trick."""
    leads = distinct(ws, a, b | c)
    while leads != 0:
        card1 = lowest(leads)
        leads ^= 1 << card1
        cards2 = legal_mask(ws, b, card1, card1, trump)
        if leader == 2:
            # The declarer is second: he is caught where all his cards win and the third hand can always stay below.
            if kept != 0:
                cards2 = keeping_seven(cards2, kept)
            caught = beating(cards2, card1, trump) == cards2
            while cards2 != 0 and caught:
                card2 = lowest(cards2)
                cards2 ^= 1 << card2
                cards3 = legal_mask(ws, c, card1, card2, trump)
                caught = cards3 & ~beating(cards3, card2, trump) != 0
            if caught:
                return True
        else:
            wins2 = beating(cards2, card1, trump)
            while cards2 != 0:
                card2 = lowest(cards2)
                cards2 ^= 1 << card2
                best = card2 if wins2 >> card2 & 1 else card1
                cards3 = legal_mask(ws, c, card1, best, trump)
                if kept != 0:
                    cards3 = keeping_seven(cards3, kept)
                if beating(cards3, best, trump) == cards3:
                    return True
    return False


@inner
def can_avoid(ws: IntArray, a: int, b: int, c: int, leader: int, first: int, second: int) -> bool:
    """Return whether the declarer can take none of the tricks left; cards as in `points.can_take`."""
    ws[NODES] += 1
    none = a & 0  # a literal 0 would make Numba compile the recursion a second time
    trump, kept = ws[TRUMP], ws[SEVEN]
    everything = a | b | c
    last = a & (a - 1) == 0
    place, check = find(ws, everything, leader)
    own = a if leader == 0 else c if leader == 1 else b
    if first == 0:
        if leader != 0 and trump == NO_TRUMP and all_lowest(own, everything ^ own):
            ws[place] = check << 2 | 1
            return True
        known = verdict(ws, place, check)
        if known != 0:
            return known == 1
        if leader != 0 and catches(ws, a, b, c, leader, trump, kept):
            ws[place] = check << 2 | 2
            return False

    ours1, ours2, ours3 = leader == 0, leader == 2, leader == 1
    leads = a if first == 0 else first
    if kept != 0 and ours1:
        leads = keeping_seven(leads, kept)
    leads = distinct(ws, leads, b | c)
    dangerous = suits_of(own)
    result = not ours1
    while leads != 0:
        # Defenders lead what the declarer has to follow; other suits only pass the lead on.
        card1 = lowest(leads & dangerous if leads & dangerous != 0 else leads)
        leads ^= 1 << card1
        cards2, wins2 = answers(ws, b, a | c, card1, card1, kept if ours2 else none)
        if second != 0:
            cards2 = second
        result2 = not ours2
        while cards2 != 0:
            card2 = most_exposed(cards2, a | c) if ours2 else highest(cards2)
            cards2 ^= 1 << card2
            won2 = wins2 >> card2 & 1
            best = card2 if won2 else card1
            cards3, wins3 = answers(ws, c, a | b, card1, best, kept if ours3 else none)
            a3, b3 = a & ~(1 << card1), b & ~(1 << card2)
            left12 = everything & ~(1 << card1 | 1 << card2)
            result3 = not ours3
            left = cards3
            while left != 0:
                card3 = lowest(left)
                left &= left - 1
                role = (leader + (2 if wins3 >> card3 & 1 else won2)) % 3
                if role == 0:
                    known = 2
                elif last:
                    known = 1
                else:
                    place3, check3 = find(ws, left12 & ~(1 << card3), role)
                    known = verdict(ws, place3, check3)
                if known != 0:
                    cards3 ^= 1 << card3
                    if (known == 1) == ours3:
                        result3 = ours3
                        cards3 = none
                        break
            while cards3 != 0:
                card3 = most_exposed(cards3, a | b) if ours3 else highest(cards3)
                cards3 ^= 1 << card3
                ahead = 2 if wins3 >> card3 & 1 else won2
                role = (leader + ahead) % 3
                lead3, next3, last3 = in_order(ahead, a3, b3, c & ~(1 << card3))
                answer = can_avoid(ws, lead3, next3, last3, role, none, none)
                if answer == ours3:
                    result3 = ours3
                    break
            if result3 == ours2:
                result2 = ours2
                break
        if result2 == ours1:
            result = ours1
            break

    if first == 0:
        ws[place] = check << 2 | (1 if result else 2)
    return result


@inner
def worth_giving(legal: int, own: int) -> int:
    """Return the cards that a defender may want to play to a trick he cannot win: the lowest of each suit.

    A card of a suit in which he has nothing above a card of the declarer's stops nothing; if there is one, it goes.
    """
    result = 0
    for suit in range(4):
        cards = legal & (0xFF << (8 * suit))
        if cards != 0:
            mine = own & (0xFF << (8 * suit))
            if mine == 0 or cards < mine & -mine:
                return cards & -cards
            result |= cards & -cards
    return result


@inner
def can_sweep(ws: IntArray, a: int, b: int, c: int, leader: int, first: int, second: int) -> bool:
    """Return whether the declarer can take all the tricks left; cards as in `points.can_take`."""
    ws[NODES] += 1
    none = a & 0  # a literal 0 would make Numba compile the recursion a second time
    trump, kept = ws[TRUMP], ws[SEVEN]
    last = a & (a - 1) == 0
    place, check = find(ws, a | b | c, leader)
    if first == 0:
        drawn = trump == NO_TRUMP or (b | c) & 0xFF == 0 or a & 0xFF != 0
        if leader == 0 and drawn and all_top(a, b, c):
            return True
        known = verdict(ws, place, check)
        if known != 0:
            return known == 1

    ours1, ours2, ours3 = leader == 0, leader == 2, leader == 1
    leads = a if first == 0 else first
    if kept != 0 and ours1:
        leads = keeping_seven(leads, kept)
    leads = distinct(ws, leads, b | c)
    result = not ours1
    while leads != 0:
        card1 = highest(leads)
        leads ^= 1 << card1
        cards2, wins2 = answers(ws, b, a | c, card1, card1, kept if ours2 else none)
        if second != 0:
            cards2 = second
            wins2 &= second
        elif ours1:
            cards2 = worth_giving(cards2, a ^ 1 << card1)
        if ours1 and wins2 != 0:
            continue
        result2 = not ours2
        while cards2 != 0:
            card2 = highest(cards2)
            cards2 ^= 1 << card2
            won2 = wins2 >> card2 & 1
            best = card2 if won2 else card1
            cards3, wins3 = answers(ws, c, a | b, card1, best, kept if ours3 else none)
            if ours1 and wins3 != 0:
                result2 = False
                break
            if ours1:
                cards3 = worth_giving(cards3, a ^ 1 << card1)
            result3 = not ours3
            a3, b3 = a & ~(1 << card1), b & ~(1 << card2)
            while cards3 != 0:
                card3 = highest(cards3)
                cards3 ^= 1 << card3
                ahead = 2 if wins3 >> card3 & 1 else won2
                role = (leader + ahead) % 3
                answer = role == 0
                if answer and not last:
                    lead3, next3, last3 = in_order(ahead, a3, b3, c & ~(1 << card3))
                    answer = can_sweep(ws, lead3, next3, last3, role, none, none)
                if answer == ours3:
                    result3 = ours3
                    break
            if result3 == ours2:
                result2 = ours2
                break
        if result2 == ours1:
            result = ours1
            break

    if first == 0:
        ws[place] = check << 2 | (1 if result else 2)
    return result
