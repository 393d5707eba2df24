"""Card play of the `club` player where points count: simple, 40-100, 20-100, four aces.

Cards are strength numbers, sets strength masks. `unseen` are the cards that the seat cannot place, `fat` aces and tens.
A lead is the candidate (one or two a suit) with the highest mark; the marks put the maxims in order.
"""

from __future__ import annotations

from ulti_stats.game.jit import highest, inlined, inner, lowest, popcount
from ulti_stats.game.rule_table import NO_TRUMP

SUIT = 0xFF


@inlined
def suit_mask(suit: int) -> int:
    """Return the mask of a suit; empty without trumps."""
    return SUIT << (8 * suit) if suit != NO_TRUMP else 0


@inlined
def beating(legal: int, best: int, trump: int) -> int:
    """Return the cards of `legal` that would take the trick from `best`."""
    higher = legal & (SUIT << (best & 24)) & -(2 << best)
    return higher if best >> 3 == trump else higher | (legal & suit_mask(trump))


@inlined
def thinnest(cards: int, fat: int) -> int:
    """Return the card of the lowest rank in a set, aces and tens last."""
    thin = cards & ~fat
    rest = thin if thin != 0 else cards
    found, rank = -1, 8
    for suit in range(4):
        mine = rest >> (8 * suit) & SUIT
        if mine != 0 and lowest(mine) < rank:
            rank = lowest(mine)
            found = 8 * suit + rank
    return found


@inner
def lead_as_declarer(own: int, unseen: int, trump: int, fat: int, voids: int, wants_aces: bool) -> int:
    """Choose the declarer's lead; `voids` are the suits that some defender has shown to be out of.

    Side aces first, short suits before long ones; trumps when the top ones are his and few are out; never a ten into
    the ace.
    """
    trumps = own & suit_mask(trump)
    trumps_out = popcount(unseen & suit_mask(trump))
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
        if suit == trump:
            if is_master and trumps_out > 0:
                card = top
                value = 90 if n_left > 2 else -200
                if n > trumps_out and trumps_out <= 3:
                    value = 130
            elif trumps_out == 0:
                card, value = top, -200 if n_left == 2 else 60
            else:
                card = lowest(mine)
                value = 70 if thin != 0 else -100
        elif is_master:
            card = top
            value = 300
            if trumps_out > 0:
                if voids >> suit & 1:
                    value = 40
                elif n_out <= 3:
                    value = 260 if n_out == 3 else 180 if n_out == 2 else 50
                elif wants_aces:
                    value = 320
            value += min(n_out, 4) + 8 * (fat >> (8 * suit + top) & 1)
        elif thin != 0:
            card = lowest(thin)
            value = 160 + 5 * n
            if mine != thin:
                value -= 30
        else:
            card = lowest(mine)
            value = -150 - n
        if value > mark:
            chosen, mark = 8 * suit + card, value
    if trumps == own and mark < 0:
        return highest(own)
    return chosen


@inner
def lead_as_defender(own: int, unseen: int, trump: int, fat: int, declarer_voids: int, partner_voids: int) -> int:
    """Choose a defender's lead: sure tricks, what partner can ruff, what shortens the declarer's trumps."""
    chosen, mark = -1, -10000
    for suit in range(4):
        mine, out = own >> (8 * suit) & SUIT, unseen >> (8 * suit) & SUIT
        if mine == 0:
            continue
        n, n_out = popcount(mine), popcount(out)
        top = highest(mine)
        is_master = out >> top == 0
        thin = mine & ~(fat >> (8 * suit))
        card, value = lowest(thin if thin != 0 else mine), 80
        if suit == trump:
            value = 20
            if thin == 0:
                value = -40
            if is_master:
                card, value = top, 60
        elif declarer_voids >> suit & 1:
            value = 120 if thin != 0 else -80
        elif is_master and n_out > 0:
            card = top
            value = 100 + 30 * min(n_out, 5)
            if partner_voids >> suit & 1:
                value += 40
        else:
            if partner_voids >> suit & 1:
                value += 60
            if thin == 0:
                value -= 120
            elif thin != mine and n == 2:
                value -= 40
            value += 5 * n
        if value > mark:
            chosen, mark = 8 * suit + card, value
    return chosen


@inner
def follow(
    own: int, legal: int, unseen: int, trump: int, fat: int, best: int, is_last: bool, ally: int, declarer_is_next: bool
) -> int:
    """Choose a card to a trick under way; `ally` is 1 where the partner's card is the best so far, else 0.

    Last in hand, a ten is banked, else the trick is taken as cheaply as it goes; what cannot win is thrown from the
    bottom; a trick that is the partner's gets an ace or a ten.
    """
    winners = beating(legal, best, trump)
    losers = legal & ~winners
    suit = best >> 3
    stands = not declarer_is_next
    if ally == 1:
        if not stands:
            above = unseen & (SUIT << (8 * suit)) & -(2 << best)
            stands = above == 0 and (suit == trump or popcount(unseen >> (8 * suit) & SUIT) >= 4)
        if losers != 0:
            gift = losers & fat
            if stands and gift != 0:
                return thinnest(gift, 0)
            return thinnest(losers, fat)
    if winners == 0:
        above = popcount(unseen & (SUIT << (8 * suit)) & -(2 << best))
        if ally == 0 and not is_last and losers & fat != 0 and above >= 1:
            return thinnest(losers & fat, 0)
        return thinnest(losers, fat)
    return _win(winners, losers, unseen, trump, fat, is_last or (ally >= 0 and not declarer_is_next), own)


@inlined
def _win(winners: int, losers: int, unseen: int, trump: int, fat: int, is_sure: bool, own: int) -> int:
    thin, rich = winners & ~fat, winners & fat
    suit = highest(winners) >> 3
    above = unseen & (SUIT << (8 * suit)) & -(2 << highest(winners))
    if is_sure:
        aces = rich & 0x80808080
        tens = rich & ~aces
        if tens != 0:
            return highest(tens)
        if thin != 0:
            return lowest(thin)
        return highest(rich)
    if above == 0 and rich != 0 and suit != trump and popcount(unseen >> (8 * suit) & SUIT) >= 3:
        return highest(winners)
    if thin != 0:
        return lowest(thin)
    if losers != 0 and above != 0:
        return thinnest(losers, fat)
    return lowest(winners)
