"""Card play of the `club` player in an ulti: the declarer drives a long suit, the defence goes for his trumps."""

from __future__ import annotations

from ulti_stats.game.jit import highest, inner, lowest, popcount
from ulti_stats.sources.players.club_points import SUIT


@inner
def drive(own: int, unseen: int, trump: int, fat: int) -> int:
    """Choose the declarer's lead: the long side suit from the top; trumps only where they catch all that are out."""
    trumps_out = unseen >> (8 * trump) & SUIT
    n_left = popcount(own)
    chosen, mark = -1, -10000
    for suit in range(4):
        mine, out = own >> (8 * suit) & SUIT, unseen >> (8 * suit) & SUIT
        if suit == trump:
            mine &= ~1
        if mine == 0:
            continue
        n, n_out = popcount(mine), popcount(out)
        card = highest(mine)
        is_master = out >> card == 0
        if suit == trump:
            value = -100
            if trumps_out != 0:
                n_top = popcount(mine & -(1 << highest(trumps_out)))
                if n_top >= n_out or (n_top > 0 and n_left == 3):
                    value = 500
        elif trumps_out == 0:
            value = (300 if is_master else 0) + n
        else:
            value = 30 * n + (20 if is_master and n_out > 2 else 0) - 16 * n_out
            if not is_master and fat >> (8 * suit + card) & 1 and n > 1:
                value -= 10
        if value > mark:
            chosen, mark = 8 * suit + card, value
    return chosen if chosen >= 0 else highest(own)


@inner
def attack(own: int, unseen: int, trump: int, fat: int, declarer_voids: int, partner_voids: int) -> int:
    """Choose a defender's lead against an ulti: a suit that the declarer must ruff, trumps with three or more."""
    chosen, mark = -1, -10000
    n_left = popcount(own)
    for suit in range(4):
        mine, out = own >> (8 * suit) & SUIT, unseen >> (8 * suit) & SUIT
        if mine == 0:
            continue
        n, n_out = popcount(mine), popcount(out)
        top = highest(mine)
        is_master = out >> top == 0
        thin = mine & ~(fat >> (8 * suit))
        card = lowest(thin if thin != 0 else mine)
        if suit == trump:
            value = -150
            if is_master and n_left == 3:
                card, value = top, 300
        else:
            value = 60 + 8 * n + 8 * n_out
            if declarer_voids >> suit & 1:
                value += 100
            elif is_master and n_out >= 3:
                card = top
                value += 40
            if partner_voids >> suit & 1:
                value -= 60
            if thin == 0 and not is_master:
                value -= 60
        if value > mark:
            chosen, mark = 8 * suit + card, value
    return chosen
