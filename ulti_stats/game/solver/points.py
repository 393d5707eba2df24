"""Can the declarer take so many points? A null-window search with one call a trick.

The same search answers Four Aces, where an ace counts one point and nothing else counts.
"""

from __future__ import annotations

from ulti_stats.game.jit import highest, inner, lowest, popcount
from ulti_stats.game.play import beats, keeping_seven, legal_mask
from ulti_stats.game.rule_table import IntArray
from ulti_stats.game.solver.workspace import NODES, POINTS, SEVEN, TABLE_BITS, TRUMP, answers, beating, distinct, find, in_order


@inner
def sure_points(ws: IntArray, a: int, b: int, c: int, n_left: int, rest: int, trump: int) -> int:
    """Return points that the leader's side takes for sure: he leads from the top, trumps first, then the side suits.

    A side suit runs while nobody can beat or trump his card: a defender who holds trumps has to follow for so long.
    """
    trumps_b, trumps_c = False, False
    tricks, total = 0, 0
    if trump == 0:
        own, one, two = a & 0xFF, b & 0xFF, c & 0xFF
        trumps_b, trumps_c = one != 0, two != 0
        if own != 0:
            top = own
            if one | two != 0:
                top = own & -(2 << highest(one | two))
                run = popcount(top)
                if run >= popcount(one) and run >= popcount(two):
                    top = own
                    trumps_b = trumps_c = False
            while top != 0:
                total += ws[POINTS + lowest(top)]
                tricks += 1
                top &= top - 1
    for suit in range(1 if trump == 0 else 0, 4):
        own = a >> (8 * suit) & 0xFF
        if own == 0:
            continue
        one, two = b >> (8 * suit) & 0xFF, c >> (8 * suit) & 0xFF
        n_one, n_two = popcount(one), popcount(two)
        top = own
        if one | two != 0:
            top = own & -(2 << highest(one | two))
            run = popcount(top)
            if run >= n_one and run >= n_two:
                top = own
        rounds = 8
        if trumps_b:
            rounds = min(rounds, n_one)
        if trumps_c:
            rounds = min(rounds, n_two)
        while top != 0 and rounds > 0:
            card = highest(top)
            total += ws[POINTS + 8 * suit + card]
            tricks += 1
            rounds -= 1
            top ^= 1 << card
    return rest if tricks >= n_left else total


@inner
def note(ws: IntArray, place: int, check: int, low: int, high: int) -> None:
    """Write down that the declarer takes at least `low` and at most `high` points from a position on."""
    entry = ws[place]
    if entry >> 16 & ((1 << (64 - ws[TABLE_BITS])) - 1) == check:
        low, high = max(low, entry >> 8 & 0xFF), min(high, 255 - (entry & 0xFF))
    ws[place] = check << 16 | low << 8 | (255 - high)


@inner
def richest(ws: IntArray, cards: int, ours: int) -> int:
    """Return the card to try first: the most points on a trick of one's own side (cards in `ours`), else the least."""
    first, most = lowest(cards), -1000
    if cards & (cards - 1) != 0:
        left = cards
        while left != 0:
            card = lowest(left)
            left &= left - 1
            points = ws[POINTS + card] if ours >> card & 1 else -ws[POINTS + card]
            if points > most:
                first, most = card, points
    return first


@inner
def second_expects(ws: IntArray, c: int, card1: int, cards2: int, wins2: int, leader: int, trump: int) -> int:
    """Return the cards of the second hand after which the trick looks like its own side's."""
    last = legal_mask(ws, c, card1, card1, trump)
    beaten = beating(last, card1, trump) != 0
    ours = 0
    if (leader == 0 and beaten) or (leader == 1 and not beaten):
        ours = cards2 & ~wins2
    if leader == 0:
        return ours | wins2
    left = wins2
    while left != 0:
        card = lowest(left)
        left &= left - 1
        last = legal_mask(ws, c, card1, card, trump)
        if beating(last, card, trump) == 0:
            ours |= 1 << card
    return ours


@inner
def can_take(ws: IntArray, a: int, b: int, c: int, leader: int, need: int, rest: int, first: int, second: int) -> bool:
    """Return whether the declarer takes at least `need` of the `rest` points still in play (0 < need <= rest).

    `a`, `b`, `c` are the cards of the leader (a role) and of those after him at the start of a trick. `first` and
    `second` are masks of cards already on the table, 0 where there is none; their holders still have them in hand.
    """
    ws[NODES] += 1
    none = a & 0  # a literal 0 would make Numba compile the recursion a second time
    trump, kept = ws[TRUMP], ws[SEVEN]
    check_mask = (1 << (64 - ws[TABLE_BITS])) - 1
    n_left = popcount(a)
    everything = a | b | c
    if n_left == 1:
        best, winner = lowest(a), leader
        if beats(lowest(b), best, trump):
            best, winner = lowest(b), leader + 1
        if beats(lowest(c), best, trump):
            winner = leader + 2
        return winner % 3 == 0
    place, check = find(ws, everything, leader)
    if first == 0:
        entry = ws[place]
        if entry >> 16 & check_mask == check:
            if entry >> 8 & 0xFF >= need:
                return True
            if 255 - (entry & 0xFF) < need:
                return False
        sure = sure_points(ws, a, b, c, n_left, rest, trump)
        if leader == 0:
            if sure >= need:
                note(ws, place, check, sure, 255)
                return True
        elif rest - sure < need:
            note(ws, place, check, 0, rest - sure)
            return False

    max1, max2, max3 = leader == 0, leader == 2, leader == 1
    leads = a if first == 0 else first
    if kept != 0 and max1:
        leads = keeping_seven(leads, kept)
    leads = distinct(ws, leads, b | c)
    result = not max1
    while leads != 0:
        # A fixed order, high cards first and trumps last: it meets the same positions again more often than any
        # order that learns.
        card1 = highest(leads)
        leads ^= 1 << card1
        cards2, wins2 = answers(ws, b, a | c, card1, card1, kept if max2 else none)
        if second != 0:
            cards2 = second
        ours2 = cards2
        if cards2 & (cards2 - 1) != 0:
            ours2 = second_expects(ws, c, card1, cards2, wins2, leader, trump)
        result2 = not max2
        while cards2 != 0:
            card2 = richest(ws, cards2, ours2)
            cards2 ^= 1 << card2
            won2 = wins2 >> card2 & 1
            best = card2 if won2 else card1
            cards3, wins3 = answers(ws, c, a | b, card1, best, kept if max3 else none)
            points12 = ws[POINTS + card1] + ws[POINTS + card2]
            a3, b3 = a & ~(1 << card1), b & ~(1 << card2)
            left12 = everything & ~(1 << card1 | 1 << card2)
            result3 = not max3
            # First the answers that are known without a search.
            left = cards3
            while left != 0:
                card3 = lowest(left)
                left &= left - 1
                role = (leader + (2 if wins3 >> card3 & 1 else won2)) % 3
                points = points12 + ws[POINTS + card3]
                need3 = need - points if role == 0 else need
                known = -1
                if need3 <= 0:
                    known = 1
                elif need3 > rest - points:
                    known = 0
                elif n_left > 2:
                    place3, check3 = find(ws, left12 & ~(1 << card3), role)
                    entry = ws[place3]
                    if entry >> 16 & check_mask == check3:
                        if entry >> 8 & 0xFF >= need3:
                            known = 1
                        elif 255 - (entry & 0xFF) < need3:
                            known = 0
                if known >= 0:
                    cards3 ^= 1 << card3
                    if (known == 1) == max3:
                        result3 = max3
                        cards3 = none
                        break
            ours3 = wins3
            if ((leader + won2) % 3 == 0) == max3:
                ours3 = cards3
            while cards3 != 0:
                card3 = richest(ws, cards3, ours3)
                cards3 ^= 1 << card3
                ahead = 2 if wins3 >> card3 & 1 else won2
                role = (leader + ahead) % 3
                points = points12 + ws[POINTS + card3]
                need3 = need - points if role == 0 else need
                lead3, next3, last3 = in_order(ahead, a3, b3, c & ~(1 << card3))
                answer = can_take(ws, lead3, next3, last3, role, need3, rest - points, none, none)
                if answer == max3:
                    result3 = max3
                    break
            if result3 == max2:
                result2 = max2
                break
        if result2 == max1:
            result = max1
            break

    if first == 0:
        note(ws, place, check, need if result else 0, 255 if result else need - 1)
    return result
