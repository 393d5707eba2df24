"""Can a player win the last trick with the trump seven? The ulti, bid or silent, the declarer's or a defender's."""

from __future__ import annotations

from ulti_stats.game.jit import highest, inner, lowest, popcount
from ulti_stats.game.play import keeping_seven
from ulti_stats.game.rule_table import IntArray
from ulti_stats.game.solver.workspace import HOLDER, NODES, SEVEN, answers, distinct, find, in_order, verdict

TRUMP_SEVEN = 0  # the lowest card of the trump suit in front form


@inner
def runs_out(a: int, b: int, c: int, n_left: int) -> bool:
    """Return whether the leader, who holds the seven, takes every other trick from the top, drawing all trumps."""
    own, one, two = a & 0xFE, b & 0xFF, c & 0xFF
    if one | two != 0:
        run = popcount(own & -(2 << highest(one | two)))
        if run < popcount(one) or run < popcount(two):
            return False
    tricks = popcount(own)
    for suit in range(1, 4):
        own = a >> (8 * suit) & 0xFF
        if own != 0:
            one, two = b >> (8 * suit) & 0xFF, c >> (8 * suit) & 0xFF
            run = popcount(own)
            if one | two != 0:
                top = popcount(own & -(2 << highest(one | two)))
                if top < popcount(one) or top < popcount(two):
                    run = top
            tricks += run
    return tricks >= n_left - 1


@inner
def can_save(ws: IntArray, a: int, b: int, c: int, leader: int, first: int, second: int) -> bool:
    """Return whether the holder of the trump seven (role `ws[HOLDER]`) can win trick 10 with it, his side helping.

    Cards as in `points.can_take`.
    """
    ws[NODES] += 1
    none = a & 0  # a literal 0 would make Numba compile the recursion a second time
    kept, holder = ws[SEVEN], ws[HOLDER]
    n_left = popcount(a)
    everything = a | b | c
    if n_left == 1:
        return everything & 0xFE == 0
    place, check = find(ws, everything, leader)
    if first == 0:
        known = verdict(ws, place, check)
        if known != 0:
            return known == 1
        if leader == holder and runs_out(a, b, c, n_left):
            ws[place] = check << 2 | 1
            return True

    ours1 = (leader == 0) == (holder == 0)
    ours2 = (leader == 2) == (holder == 0)
    ours3 = (leader == 1) == (holder == 0)
    leads = a if first == 0 else first
    if kept != 0 and leader == 0:
        leads = keeping_seven(leads, kept)
    leads = distinct(ws, leads, b | c)
    result = not ours1
    while leads != 0:
        card1 = highest(leads)
        leads ^= 1 << card1
        cards2, wins2 = answers(ws, b, a | c, card1, card1, kept if leader == 2 else none)
        if second != 0:
            cards2 = second
        result2 = not ours2
        if card1 == TRUMP_SEVEN:
            # Gone too early; whatever the others play, it cannot take trick 10.
            result2 = False
            cards2 = none
        while cards2 != 0:
            card2 = lowest(cards2)
            cards2 ^= 1 << card2
            won2 = wins2 >> card2 & 1
            best = card2 if won2 else card1
            cards3, wins3 = answers(ws, c, a | b, card1, best, kept if leader == 1 else none)
            a3, b3 = a & ~(1 << card1), b & ~(1 << card2)
            left12 = everything & ~(1 << card1 | 1 << card2)
            result3 = not ours3
            if card2 == TRUMP_SEVEN:
                result3 = False
                cards3 = none
            left = cards3
            while left != 0:
                card3 = lowest(left)
                left &= left - 1
                known = 0
                if card3 == TRUMP_SEVEN:
                    known = 2
                elif n_left > 2:
                    role = (leader + (2 if wins3 >> card3 & 1 else won2)) % 3
                    place3, check3 = find(ws, left12 & ~(1 << card3), role)
                    known = verdict(ws, place3, check3)
                if known != 0:
                    cards3 ^= 1 << card3
                    if (known == 1) == ours3:
                        result3 = ours3
                        cards3 = none
                        break
            while cards3 != 0:
                card3 = lowest(cards3)
                cards3 ^= 1 << card3
                ahead = 2 if wins3 >> card3 & 1 else won2
                role = (leader + ahead) % 3
                lead3, next3, last3 = in_order(ahead, a3, b3, c & ~(1 << card3))
                answer = can_save(ws, lead3, next3, last3, role, none, none)
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
