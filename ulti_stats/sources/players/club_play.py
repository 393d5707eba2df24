"""Which card the `club` player plays: reads the view once and asks the maxims of the contract."""

from __future__ import annotations

from ulti_stats.game.bids import Component
from ulti_stats.game.cards import TEN
from ulti_stats.game.jit import inlined, inner, lowest
from ulti_stats.game.rule_table import NO_TRUMP, PARTS, STRENGTH, IntArray, RuleTable
from ulti_stats.sources.players import view as v
from ulti_stats.sources.players.club_notrump import duck, duck_lead, hunt, hunt_lead, stop_sweep, sweep_lead
from ulti_stats.sources.players.club_points import SUIT, follow, lead_as_declarer, lead_as_defender
from ulti_stats.sources.players.club_ulti import attack, drive

ULTI, FOUR_ACES = 1 << int(Component.ULTI), 1 << int(Component.FOUR_ACES)
DURCHMARS, BETLI = 1 << int(Component.DURCHMARS), 1 << int(Component.BETLI)
ALL_CARDS = 0xFFFFFFFF
ACES = 0x80808080
TENS_HIGH, TENS_LOW = 0x40404040, 0x08080808


@inlined
def fat_cards(cards: IntArray, trump: int) -> int:
    """Return the strength mask of aces and tens under a trump."""
    if trump == NO_TRUMP:
        return ACES | (TENS_HIGH if cards[STRENGTH, trump, TEN] & 7 == TEN else TENS_LOW)
    other = (trump + 1) & 3
    tens = TENS_HIGH if cards[STRENGTH, trump, 8 * other + TEN] & 7 == TEN else TENS_LOW
    return ACES | (tens & ~(SUIT << (8 * trump))) | 1 << cards[STRENGTH, trump, 8 * trump + TEN]


@inner
def choose(rules: RuleTable, view: IntArray, legal: int) -> int:
    """Return the strength number of the card to play, of two or more that are legal."""
    own, trump, role, ply = view[v.OWN_S], view[v.TRUMP], view[v.ROLE], view[v.PLY]
    unseen = ALL_CARDS & ~(own | view[v.SEEN_S] | view[v.LAID_S])
    parts = rules.bids[view[v.BID], PARTS]
    best, best_role = view[v.BEST], view[v.BEST_ROLE]
    place = ply % 3
    declarer_voids = view[v.VOIDS]
    others = view[v.VOIDS + 1] | view[v.VOIDS + 2]
    partner_voids = view[v.VOIDS + 3 - role] if role > 0 else 0
    # Between a defender and the end of the trick: the declarer comes after the second defender's second card.
    declarer_is_next = place == 1 and role == 2
    if parts & BETLI != 0:
        if role == 0:
            return duck_lead(own, unseen) if place == 0 else duck(own, legal, unseen, best)
        if place == 0:
            return hunt_lead(own, unseen, declarer_voids, partner_voids, role == 1)
        return hunt(own, legal, unseen, best, best_role == 0, declarer_is_next, declarer_voids)
    fat = fat_cards(rules.cards, trump)
    if parts & DURCHMARS != 0 and (trump == NO_TRUMP or view[v.TRICKS + 1] + view[v.TRICKS + 2] == 0):
        if role == 0 and place == 0:
            return sweep_lead(own & legal, unseen, trump)
        if role > 0 and place > 0:
            return stop_sweep(own, legal, unseen, trump, best)
    if parts & ULTI != 0:
        if role == 0 and ply < 27:
            seven = 1 << (8 * trump)
            if legal & ~seven != 0:
                legal &= ~seven
            if legal & (legal - 1) == 0:
                return lowest(legal)
        if place == 0:
            if role == 0:
                return drive(own, unseen, trump, fat)
            return attack(own, unseen, trump, fat, declarer_voids, partner_voids)
    elif place == 0:
        if role == 0:
            return lead_as_declarer(own, unseen, trump, fat, others, parts & FOUR_ACES != 0)
        return lead_as_defender(own, unseen, trump, fat, declarer_voids, partner_voids)
    ally = -1 if role == 0 else 1 if best_role != 0 else 0
    return follow(own, legal, unseen, trump, fat, best, place == 2, ally, declarer_is_next)
