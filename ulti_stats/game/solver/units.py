"""Can the declarer force so many units? The whole contract at once: parts, silent bonuses and kontra levels.

A position is followed by what still matters of the past: points, who has taken tricks, and aces. Where another search
can settle the question (nothing but points is open, or the seven must be saved), it is asked.
"""

from __future__ import annotations

from ulti_stats.game.jit import highest, inner, lowest, popcount
from ulti_stats.game.play import beats, keeping_seven
from ulti_stats.game.rule_table import NO_TRUMP, IntArray
from ulti_stats.game.solver.payoffs import (
    ACES_LEAST,
    ACES_LIKE,
    ACES_MOST,
    ACES_PAY,
    BOUNDS,
    GENERATION,
    HAS_LIKE,
    POINTS_LEAST,
    POINTS_MOST,
    POINTS_OPEN,
    POINTS_PAY,
    SEVEN_PAY,
    UNIT_TABLE,
)
from ulti_stats.game.solver.points import can_take, richest, second_expects
from ulti_stats.game.solver.seven import can_save
from ulti_stats.game.solver.tricks import can_avoid, can_sweep
from ulti_stats.game.solver.workspace import (
    HOLDER,
    NODES,
    POINTS,
    SEVEN,
    STEP,
    TABLE_BITS,
    TRUMP,
    answers,
    distinct,
    in_order,
    position_key,
)

ACES = 0x80808080
SETTLED_POINTS, SETTLED_ACES = 255, 7  # in a mark, in place of what is settled
_MIX_KEY, _MIX_MARK = -7046029254386353131, -4417276706812531889
_SHIFT = 1 << 30  # bounds are kept as numbers above 0
UNKNOWN, YES, NO = 0, 1, 2


@inner
def seven_holder(ws: IntArray, a: int, b: int, c: int, leader: int) -> int:
    """Return the role that holds the trump seven, -1 where nobody does."""
    if ws[TRUMP] == NO_TRUMP:
        return -1
    if a & 1:
        return leader
    if b & 1:
        return (leader + 1) % 3
    return (leader + 2) % 3 if c & 1 else -1


@inner
def slot_of(ws: IntArray, key: int, mark: int) -> int:
    """Return the place of a position's entry: three words, its key, its mark and its two bounds."""
    mixed = key * _MIX_KEY ^ mark * _MIX_MARK
    return UNIT_TABLE + 3 * ((mixed ^ mixed >> 29) >> 11 & ((1 << ws[TABLE_BITS]) - 1))


@inner
def note_units(ws: IntArray, slot: int, key: int, mark: int, low: int, high: int) -> None:
    """Write down that a position is worth at least `low` and at most `high`."""
    if ws[slot] == key and ws[slot + 1] == mark:
        low = max(low, (ws[slot + 2] >> 32) - _SHIFT)
        high = min(high, (ws[slot + 2] & 0xFFFFFFFF) - _SHIFT)
    ws[slot] = key
    ws[slot + 1] = mark
    ws[slot + 2] = (low + _SHIFT) << 32 | (high + _SHIFT)


@inner
def paid_at_end(
    ws: IntArray, a: int, b: int, c: int, leader: int, points: int, has: int, aces: int, rest: int, holder: int
) -> int:
    """Return what the hand pays when the last trick is all that is left."""
    best, winner = lowest(a), leader
    if beats(lowest(b), best, ws[TRUMP]):
        best, winner = lowest(b), leader + 1
    if beats(lowest(c), best, ws[TRUMP]):
        winner = leader + 2
    winner = winner % 3
    has |= 1 << winner
    points += rest if winner == 0 else 0
    aces |= 1 << winner if (a | b | c) & ACES != 0 else 0
    seven = 0 if holder < 0 else 1 + 2 * holder + (1 if winner == holder else 0)
    return ws[POINTS_PAY + 8 * points + has] + ws[ACES_PAY + aces] + ws[SEVEN_PAY + seven]  # pyright: ignore[reportReturnType]


@inner
def weigh(ws: IntArray, points: int, has: int, aces: int, rest: int, holder: int, has_aces: bool) -> tuple[int, int]:
    """Return the units that are settled, and the mark of what is not; fill in the bounds of that."""
    mark = ws[GENERATION] << 16
    settled = 0
    if ws[POINTS_OPEN + 8 * points + has] <= points + rest:
        mark |= points << 8 | has << 3
        ws[BOUNDS] = ws[POINTS_MOST + 8 * (points + rest) + has]
        ws[BOUNDS + 1] = ws[POINTS_LEAST + 8 * points + has]
    else:
        mark |= SETTLED_POINTS << 8
        settled += ws[POINTS_PAY + 8 * points + 7]
        ws[BOUNDS] = ws[BOUNDS + 1] = 0
    if has_aces and ws[ACES_MOST + aces] > ws[ACES_LEAST + aces]:
        mark |= aces
        ws[BOUNDS + 2] = ws[ACES_MOST + aces]
        ws[BOUNDS + 3] = ws[ACES_LEAST + aces]
    else:
        mark |= SETTLED_ACES
        settled += ws[ACES_PAY + aces]
        ws[BOUNDS + 2] = ws[BOUNDS + 3] = 0
    gone = ws[SEVEN_PAY]
    if holder >= 0:
        lost, won = ws[SEVEN_PAY + 1 + 2 * holder], ws[SEVEN_PAY + 2 + 2 * holder]
        ws[BOUNDS + 4], ws[BOUNDS + 5] = max(gone, lost, won), min(gone, lost, won)
    else:
        settled += gone
        ws[BOUNDS + 4] = ws[BOUNDS + 5] = 0
    return settled, mark


@inner
def first_reaching(ws: IntArray, table: int, has: int, low: int, high: int, wanted: int) -> int:
    """Return the least sum of points from `low` on at which a table reaches what is wanted; `high` + 1 if none does."""
    points = high + 1
    while points > low and ws[table + 8 * (points - 1) + has] >= wanted:
        points -= 1
    return points


@inner
def most_by_others_ace(ws: IntArray, aces: int) -> int:
    """Return the most that ace tricks can still pay if a defender takes one."""
    most = -(1 << 40)
    for more in range(2, 8):
        if more & aces == aces and more & 6 != 0:
            most = max(most, ws[ACES_PAY + more])
    return most


@inner
def known_by_parts(
    ws: IntArray,
    by_points: IntArray,
    by_aces: IntArray,
    by_seven: IntArray,
    by_tricks: IntArray,
    a: int,
    b: int,
    c: int,
    leader: int,
    wanted: int,
    points: int,
    has: int,
    aces: int,
    rest: int,
    holder: int,
) -> int:
    """Return whether one part alone decides: it must be made and cannot, or can be and is enough.

    The bounds are those of `weigh`; `wanted` is what has to come on top of what is settled.
    """
    none = a & 0
    most, least = ws[BOUNDS] + ws[BOUNDS + 2] + ws[BOUNDS + 4], ws[BOUNDS + 1] + ws[BOUNDS + 3] + ws[BOUNDS + 5]
    # What each group has to bring even if the others bring their most, and what suffices if they bring their least.
    need1, enough1 = wanted - most + ws[BOUNDS], wanted - least + ws[BOUNDS + 1]
    need2, enough2 = wanted - most + ws[BOUNDS + 2], wanted - least + ws[BOUNDS + 3]
    need3, enough3 = wanted - most + ws[BOUNDS + 4], wanted - least + ws[BOUNDS + 5]
    top = points + rest
    if ws[BOUNDS] > ws[BOUNDS + 1]:
        step = ws[STEP]
        must = first_reaching(ws, POINTS_MOST, has, points, top, need1)
        may = first_reaching(ws, POINTS_LEAST, has, points, top, enough1)
        if must > points:
            if not can_take(by_points, a, b, c, leader, (must - points) * step, rest * step, none, none):
                return NO
            if must == may:
                return YES
        if (
            points < may <= top
            and may != must
            and can_take(by_points, a, b, c, leader, (may - points) * step, rest * step, none, none)
        ):
            return YES
    if ws[BOUNDS + 4] > ws[BOUNDS + 5]:
        gone, lost, won = ws[SEVEN_PAY], ws[SEVEN_PAY + 1 + 2 * holder], ws[SEVEN_PAY + 2 + 2 * holder]
        by_seven[HOLDER] = holder
        if holder == 0:
            must, may = max(gone, lost) < need3, won >= enough3
        else:
            must, may = won < need3, min(gone, lost) >= enough3
        if must or may:
            wins = can_save(by_seven, a, b, c, leader, none, none) == (holder == 0)
            if must and not wins:
                return NO
            if may and wins:
                return YES
    if ws[BOUNDS + 2] > ws[BOUNDS + 3] and aces & 6 == 0:
        must, may = most_by_others_ace(ws, aces) < need2, ws[ACES_PAY + (aces | 1)] >= enough2
        if must or may:
            n_aces = popcount((a | b | c) & ACES)
            wins = can_take(by_aces, a, b, c, leader, n_aces, n_aces, none, none)
            if must and not wins:
                return NO
            if may and wins:
                return YES
    if ws[BOUNDS] > ws[BOUNDS + 1] and has & 6 == 0:
        # All the tricks bring all the points, and all the aces where these are open.
        must = max(ws[POINTS_MOST + 8 * top + (has | 2)], ws[POINTS_MOST + 8 * top + (has | 4)]) < need1
        more = ws[ACES_PAY + (aces | 1)] - ws[BOUNDS + 3] if ws[BOUNDS + 2] > ws[BOUNDS + 3] else 0
        may = ws[POINTS_PAY + 8 * top + (has | 1)] + more >= enough1
        if must or may:
            wins = can_sweep(by_tricks, a, b, c, leader, none, none)
            if must and not wins:
                return NO
            if may and wins:
                return YES
    if ws[BOUNDS] > ws[BOUNDS + 1] and has & 1 == 0:
        must = ws[POINTS_MOST + 8 * top + (has | 1)] < need1
        start = POINTS_PAY + 8 * points
        may = min(ws[start + (has | 2)], ws[start + (has | 4)], ws[start + (has | 6)]) >= enough1
        if must or may:
            wins = can_avoid(by_tricks, a, b, c, leader, none, none)
            if must and not wins:
                return NO
            if may and wins:
                return YES
    return UNKNOWN


@inner
def can_force(
    ws: IntArray,
    by_points: IntArray,
    by_aces: IntArray,
    by_seven: IntArray,
    by_tricks: IntArray,
    a: int,
    b: int,
    c: int,
    leader: int,
    wanted: int,
    points: int,
    has: int,
    aces: int,
    rest: int,
    first: int,
    second: int,
) -> bool:
    """Return whether the declarer can end the hand with at least `wanted` units.

    `points` (taken by the declarer) and `rest` (still in play) count in steps; `has` and `aces` are the roles that have
    taken a trick, and one with an ace. Cards as in `points.can_take`.
    """
    ws[NODES] += 1
    none = a & 0  # a literal 0 would make Numba compile the recursion a second time
    kept = ws[SEVEN]
    everything = a | b | c
    holder = seven_holder(ws, a, b, c, leader)
    if a & (a - 1) == 0:
        return paid_at_end(ws, a, b, c, leader, points, has, aces, rest, holder) >= wanted
    has, aces = ws[HAS_LIKE + has], ws[ACES_LIKE + aces]
    settled, mark = weigh(ws, points, has, aces, rest, holder, everything & ACES != 0)
    low, high = ws[BOUNDS + 1] + ws[BOUNDS + 3] + ws[BOUNDS + 5], ws[BOUNDS] + ws[BOUNDS + 2] + ws[BOUNDS + 4]
    key, slot = none, none
    if first == 0:
        open_ = wanted - settled
        if low >= open_:
            return True
        if high < open_:
            return False
        key = position_key(ws, everything, leader)
        slot = slot_of(ws, key, mark)
        if ws[slot] == key and ws[slot + 1] == mark:
            if (ws[slot + 2] >> 32) - _SHIFT >= open_:
                return True
            if (ws[slot + 2] & 0xFFFFFFFF) - _SHIFT < open_:
                return False
        known = known_by_parts(
            ws, by_points, by_aces, by_seven, by_tricks, a, b, c, leader, open_, points, has, aces, rest, holder
        )
        if known != UNKNOWN:
            note_units(ws, slot, key, mark, open_ if known == YES else low, high if known == YES else open_ - 1)
            return known == YES

    max1, max2, max3 = leader == 0, leader == 2, leader == 1
    leads = a if first == 0 else first
    if kept != 0 and max1:
        leads = keeping_seven(leads, kept)
    leads = distinct(ws, leads, b | c)
    result = not max1
    while leads != 0:
        card1 = highest(leads)
        leads ^= 1 << card1
        cards2, wins2 = answers(ws, b, a | c, card1, card1, kept if max2 else none)
        if second != 0:
            cards2 = second
        ours2 = cards2
        if cards2 & (cards2 - 1) != 0:
            ours2 = second_expects(ws, c, card1, cards2, wins2, leader, ws[TRUMP])
        result2 = not max2
        while cards2 != 0:
            card2 = richest(ws, cards2, ours2)
            cards2 ^= 1 << card2
            won2 = wins2 >> card2 & 1
            cards3, wins3 = answers(ws, c, a | b, card1, card2 if won2 else card1, kept if max3 else none)
            a3, b3 = a & ~(1 << card1), b & ~(1 << card2)
            ours3 = wins3
            if ((leader + won2) % 3 == 0) == max3:
                ours3 = cards3
            result3 = not max3
            while cards3 != 0:
                card3 = richest(ws, cards3, ours3)
                cards3 ^= 1 << card3
                ahead = 2 if wins3 >> card3 & 1 else won2
                role = (leader + ahead) % 3
                gain = ws[POINTS + card1] + ws[POINTS + card2] + ws[POINTS + card3]
                won_ace = (1 << card1 | 1 << card2 | 1 << card3) & ACES != 0
                points3 = points + gain if role == 0 else points
                has3, aces3 = has | 1 << role, aces | (1 << role if won_ace else 0)
                lead3, next3, last3 = in_order(ahead, a3, b3, c & ~(1 << card3))
                answer = can_force(
                    ws,
                    by_points,
                    by_aces,
                    by_seven,
                    by_tricks,
                    lead3,
                    next3,
                    last3,
                    role,
                    wanted,
                    points3,
                    has3,
                    aces3,
                    rest - gain,
                    none,
                    none,
                )
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
        note_units(ws, slot, key, mark, wanted - settled if result else low, high if result else wanted - settled - 1)
    return result
