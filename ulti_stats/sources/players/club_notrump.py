"""Card play of the `club` player in betli and durchmars: who wants no trick, who wants all, and who stops them."""

from __future__ import annotations

from ulti_stats.game.jit import highest, inlined, inner, lowest, popcount
from ulti_stats.sources.players.club_points import SUIT, beating
from ulti_stats.sources.players.club_tables import BETLI_BEAT, SIDE_VALUES


@inner
def duck_lead(own: int, unseen: int) -> int:
    """Choose the declarer's lead in betli: the card that helps most to be rid of, of those that somebody has to beat."""
    chosen, mark = -1, -100000
    for suit in range(4):
        mine, out = own >> (8 * suit) & SUIT, unseen >> (8 * suit) & SUIT
        rest = mine
        while rest != 0:
            card = lowest(rest)
            rest &= rest - 1
            value = SIDE_VALUES[BETLI_BEAT, 0, mine ^ (1 << card)] - SIDE_VALUES[BETLI_BEAT, 0, mine]
            if out >> card == 0:
                value -= 50000
            if value > mark:
                chosen, mark = 8 * suit + card, value
    return chosen


@inner
def duck(own: int, legal: int, unseen: int, best: int) -> int:
    """Choose the declarer's card in betli: as high as stays under the trick, else what lies worst."""
    winners = beating(legal, best, 4)
    losers = legal & ~winners
    if losers == 0:
        return lowest(winners)
    if losers >> (best & 24) & SUIT != 0:
        return highest(losers & (SUIT << (best & 24)))
    chosen, mark = -1, -10000
    for suit in range(4):
        mine, out = losers >> (8 * suit) & SUIT, unseen >> (8 * suit) & SUIT
        if mine == 0:
            continue
        top = highest(mine)
        value = 10 * (popcount(out & ((1 << top) - 1)) - popcount(mine) + 1) + top
        if out == 0:
            value = -100 + top
        if value > mark:
            chosen, mark = 8 * suit + top, value
    return chosen


@inner
def hunt_lead(own: int, unseen: int, declarer_voids: int, partner_voids: int, partner_is_next: bool) -> int:
    """Choose a defender's lead against betli: low where the partner is short and the declarer is not."""
    chosen, mark = -1, -10000
    for suit in range(4):
        mine, out = own >> (8 * suit) & SUIT, unseen >> (8 * suit) & SUIT
        if mine == 0:
            continue
        n, n_out = popcount(mine), popcount(out)
        low = lowest(mine)
        above = popcount(out >> low)
        value = 20 - 6 * low + 4 * above - 3 * n
        card = low
        if declarer_voids >> suit & 1 or n_out == 0:
            value = -100 + n
            card = highest(mine)
        elif partner_voids >> suit & 1:
            value += 60
        if value > mark:
            chosen, mark = 8 * suit + card, value
    return chosen


@inner
def hunt(own: int, legal: int, unseen: int, best: int, declarer_is_best: bool, declarer_is_next: bool, voids: int) -> int:
    """Choose a defender's card against betli: under the declarer, low before him, high cards away after him."""
    winners = beating(legal, best, 4)
    losers = legal & ~winners
    suit = best >> 3
    in_suit = legal >> (best & 24) & SUIT != 0
    if in_suit:
        if declarer_is_best:
            return highest(losers) if losers != 0 else lowest(winners)
        if declarer_is_next:
            return lowest(legal)
        return highest(legal)
    chosen, mark = -1, -10000
    for suit in range(4):
        mine, out = legal >> (8 * suit) & SUIT, unseen >> (8 * suit) & SUIT
        if mine == 0:
            continue
        top = highest(mine)
        value = 4 * top - 6 * popcount(mine)
        if voids >> suit & 1 or out == 0:
            value -= 60
        if value > mark:
            chosen, mark = 8 * suit + top, value
    return chosen


@inner
def sweep_lead(own: int, unseen: int, trump: int) -> int:
    """Choose the declarer's lead in durchmars: trumps, then suits without a loser from the top, the weak suit last."""
    chosen, mark = -1, -10000
    for suit in range(4):
        mine, out = own >> (8 * suit) & SUIT, unseen >> (8 * suit) & SUIT
        if mine == 0:
            continue
        top = highest(mine)
        n_top = popcount(mine & -(1 << highest(out))) if out != 0 else 8
        n = popcount(mine)
        value = 10 * n_top - 40 * max(n - n_top, 0)
        if n_top == 0:
            value -= 1000
        if suit == trump:
            value = value + 500 if out != 0 else -900
        if value > mark:
            chosen, mark = 8 * suit + top, value
    return chosen


@inlined
def guards_needed(mine: int, out: int) -> int:
    """Return how many cards a stopper needs to stay one: its rank among what is out, plus one; 9 for no stopper."""
    if mine == 0 or out == 0:
        return 9
    above = popcount(out >> highest(mine))
    return above + 1 if popcount(mine) > above else 9


@inner
def stop_sweep(own: int, legal: int, unseen: int, trump: int, best: int) -> int:
    """Choose a defender's card against durchmars: win if it goes, keep stoppers and their guards, throw the rest."""
    winners = beating(legal, best, trump)
    if winners != 0:
        return highest(winners)
    chosen, mark = -1, -10000
    for suit in range(4):
        mine, out = legal >> (8 * suit) & SUIT, unseen >> (8 * suit) & SUIT
        if mine == 0:
            continue
        held = own >> (8 * suit) & SUIT
        needed, n = guards_needed(held, out), popcount(held)
        top, low = highest(mine), lowest(mine)
        if needed == 9:
            card, value = low, 100 - top
        elif n > needed:
            card, value = low, 80 + n - needed
        else:
            card, value = low, needed
        if value > mark:
            chosen, mark = 8 * suit + card, value
    return chosen
