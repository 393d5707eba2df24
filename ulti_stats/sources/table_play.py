"""Card play and kontra at the table, card by card, for policies that look at what has been played."""

from __future__ import annotations

import numpy as np

from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch
from ulti_stats.game.batch_result import Scratch, note_facts, note_levels, take_cards
from ulti_stats.game.bids import N_PARTS
from ulti_stats.game.cards import KING, OVER
from ulti_stats.game.chance import KONTRA, PLAY, stream
from ulti_stats.game.jit import fused, inlined, lean, lowest
from ulti_stats.game.kontra import is_individual, may_step
from ulti_stats.game.marriages import marriages_allowed
from ulti_stats.game.play import (
    beats,
    first_leader,
    keeping_seven,
    kept_seven,
    legal_mask,
    play_out,
    roles_that_stop,
    strengths_of,
)
from ulti_stats.game.rule_table import (
    IS_OPEN,
    KONTRA_MAX,
    MARRIAGE_MOMENT,
    NO_TRUMP,
    OPEN_FROM,
    OPEN_TO_ALL,
    PARTS,
    PHYSICAL,
    POINTS,
    STRENGTH,
    IntArray,
    RuleTable,
)
from ulti_stats.sources.players import dispatch
from ulti_stats.sources.players import view as v


@lean
def play_hands(
    rules: RuleTable,
    policies: IntArray,
    given: IntArray,
    seed: int,
    index: int,
    first: int,
    end: int,
    view: IntArray,
    scratch: Scratch,
    batch: Batch,
) -> int:
    """Play columns `first` to `end - 1` of a batch, card by card, the first of them being hand `index` of a seed.

    Nobody says a kontra to a contract that is `given`. Returns the column behind the last one done: the batch ends early
    when its kontras are full.
    """
    for n in range(first, end):
        batch.kontra_start[n + 1] = batch.kontra_start[n]
        if batch.kontra_start[n] + b.MOST_KONTRAS > batch.kontras.shape[1]:
            return n
        if batch.meta[b.TERMINATION, n] == b.PLAYED:
            number = index + n - first
            _play_cards(rules, policies[number % len(policies)], given, seed, number, view, scratch, batch, n)
            _note_play(rules, scratch, batch, n)
    return end


@inlined
def _note_play(rules: RuleTable, scratch: Scratch, batch: Batch, n: int) -> None:
    meta = batch.meta
    declarer, bid, trump = np.int64(meta[b.DECLARER, n]), np.int64(meta[b.BID, n]), np.int64(meta[b.TRUMP, n])
    leader = first_leader(rules.flags, declarer, np.int64(meta[b.FOREHAND, n]))
    n_played, laid = np.int64(meta[b.N_PLAYED, n]), batch.masks[b.LAID, n]
    play_out(rules, bid, trump, declarer, leader, scratch.hands, laid, scratch.plays, n_played, 0, scratch.facts)
    note_facts(scratch.facts, batch, n)
    note_levels(scratch.levels, batch, n)
    for ply in range(n_played):
        batch.plays[ply, n] = scratch.plays[ply]


@fused
def _play_cards(
    rules: RuleTable,
    policies: IntArray,
    given: IntArray,
    seed: int,
    index: int,
    view: IntArray,
    scratch: Scratch,
    batch: Batch,
    n: int,
) -> None:
    """Play the cards of a hand into `scratch.plays` and say the kontras."""
    flags, cards, own, plays = rules.flags, rules.cards, scratch.own, scratch.plays
    declarer, bid = np.int64(batch.meta[b.DECLARER, n]), np.int64(batch.meta[b.BID, n])
    trump, forehand = np.int64(batch.meta[b.TRUMP, n]), np.int64(batch.meta[b.FOREHAND, n])
    parts = rules.bids[bid, PARTS]
    key, kontra_key = stream(seed, index, PLAY), stream(seed, index, KONTRA)
    take_cards(batch, n, scratch.hands)
    scratch.levels[:] = 0
    for role in range(3):
        own[role] = strengths_of(flags, scratch.hands[(declarer + role) % 3], trump)
    laid = batch.masks[b.LAID, n] if batch.masks[b.PICKUP, n] != 0 else 0
    laid_s = strengths_of(flags, laid, trump)
    allowed = marriages_allowed(rules, bid, trump, declarer, scratch.hands)
    seven, stops = kept_seven(flags, parts, trump), roles_that_stop(flags, parts, trump)
    role = (first_leader(flags, declarer, forehand) - declarer + 3) % 3
    view[v.DECLARER], view[v.BID], view[v.TRUMP] = declarer, bid, trump
    view[v.OPEN_FROM] = open_from(rules, bid)
    view[v.SEEN_S], view[v.TABLE_POINTS] = 0, 0
    for place in range(v.TRICKS, v.MARRIAGES + 3):
        view[place] = 0
    led, best, best_role = -1, -1, role
    n_draws, n_played = 0, 0
    while n_played < 30:
        seat = (declarer + role) % 3
        view[v.PLY], view[v.LED], view[v.BEST], view[v.BEST_ROLE] = n_played, led, best, best_role
        look(rules, view, own, laid, laid_s, role, declarer)
        legal = legal_mask(flags, own[role], led, best, trump)
        if seven != 0 and role == 0 and n_played < 27:
            legal = keeping_seven(legal, seven)
        card = dispatch.plays(policies[seat], rules, view, legal, key, n_played)
        own[role] ^= 1 << card
        plays[n_played] = cards[PHYSICAL, trump, card]
        view[v.SEEN_S] |= 1 << card
        view[v.TABLE_POINTS] += cards[POINTS, trump, card]
        if led < 0:
            led, best, best_role = card, card, role
        else:
            if card >> 3 != led >> 3:
                view[v.VOIDS + role] |= 1 << (led >> 3)
                if trump != NO_TRUMP and card >> 3 != trump:
                    view[v.VOIDS + role] |= 1 << trump
            if beats(card, best, trump):
                best, best_role = card, role
        if allowed != 0:
            _show_marriages(rules, view, own, allowed >> (4 * seat) & 15, trump, n_played, plays[n_played], role)
        n_played += 1
        if n_played <= 3 and given[0] < 0:
            if role != 0:
                look(rules, view, own, laid, laid_s, role, declarer)
                n_draws = speak(rules, policies, view, scratch.levels, kontra_key, n_draws, role, n_played, batch, n)
            if n_played == 3:
                n_draws = answer(rules, policies, view, own, laid, laid_s, scratch.levels, kontra_key, n_draws, batch, n)
        role = (role + 1) % 3
        if n_played % 3 == 0:
            view[v.TRICKS + best_role] += 1
            view[v.POINTS + min(best_role, 1)] += view[v.TABLE_POINTS]
            view[v.TABLE_POINTS] = 0
            role, led, best = best_role, -1, -1
            if stops >> best_role & 1:
                break
    batch.meta[b.N_PLAYED, n] = n_played


@inlined
def open_from(rules: RuleTable, bid: int) -> int:
    """Return the number of cards on the table from which a game is played with open cards; 30 in closed games."""
    return rules.flags[OPEN_FROM] if rules.bids[bid, IS_OPEN] != 0 else 30  # pyright: ignore[reportReturnType]


@inlined
def look(rules: RuleTable, view: IntArray, own: IntArray, laid: int, laid_s: int, role: int, declarer: int) -> None:
    """Turn the view to a seat: its own cards, the laid ones (card and strength mask, 0 where nobody knows them) if it laid
    them, and those that lie open (5.1, point 19)."""
    view[v.ROLE] = role
    view[v.SEAT] = (declarer + role) % 3
    view[v.OWN_S] = own[role]
    view[v.LAID_S] = laid_s if role == 0 else 0
    view[v.LAID] = laid if role == 0 else 0
    is_open = view[v.PLY] >= view[v.OPEN_FROM]
    for other in range(3):
        shows = is_open and (other == 0 or rules.flags[OPEN_TO_ALL] != 0)
        view[v.SHOWN_S + other] = own[other] if shows else 0


@inlined
def _show_marriages(
    rules: RuleTable, view: IntArray, own: IntArray, suits: int, trump: int, ply: int, card: int, role: int
) -> None:
    """Let everybody know the marriages that a card (a card number) declares."""
    moment = rules.flags[MARRIAGE_MOMENT]
    if moment == 0:
        if ply < 3:
            view[v.MARRIAGES + role] |= suits
        return
    suit, rank = card >> 3, card & 7
    if suits >> suit & 1 and rank in (KING, OVER):
        other = rules.cards[STRENGTH, trump, 8 * suit + KING + OVER - rank]
        if moment == 1 or own[role] >> other & 1 == 0:
            view[v.MARRIAGES + role] |= 1 << suit


@fused
def speak(
    rules: RuleTable,
    policies: IntArray,
    view: IntArray,
    levels: IntArray,
    key: np.uint64,
    n_draws: int,
    role: int,
    after_play: int,
    batch: Batch,
    n: int,
) -> int:
    """Let one seat say the steps that it may and wants to; return the number of draws used so far."""
    flags, kontras = rules.flags, batch.kontras
    declarer, bid = np.int64(batch.meta[b.DECLARER, n]), np.int64(batch.meta[b.BID, n])
    individual = is_individual(flags, np.int64(batch.meta[b.TRUMP, n]))
    seat = (declarer + role) % 3
    rest = rules.bids[bid, PARTS]
    while rest != 0:
        part = lowest(rest)
        rest &= rest - 1
        for d in range(2):
            if (not individual and d == 1) or (individual and role != 0 and role != d + 1):
                continue
            if not may_step(flags, levels[part, d], role == 0):
                continue
            view[v.PART], view[v.LEVEL] = part, levels[part, d]
            view[v.AGAINST] = d + 1 if individual else 0
            n_draws += 1
            if not dispatch.kontras(policies[seat], rules, view, key, n_draws):
                continue
            levels[part, d] += 1
            if not individual:
                levels[part, 1] = levels[part, 0]
            row = np.int64(batch.kontra_start[n + 1])
            kontras[b.KONTRA_SEAT, row], kontras[b.KONTRA_PART, row] = seat, part
            kontras[b.KONTRA_AFTER, row], kontras[b.KONTRA_LEVEL, row] = after_play, levels[part, d]
            kontras[b.KONTRA_AGAINST, row] = (declarer + d + 1) % 3 if individual and role == 0 else -1
            batch.kontra_start[n + 1] = row + 1
    return n_draws


@fused
def answer(
    rules: RuleTable,
    policies: IntArray,
    view: IntArray,
    own: IntArray,
    laid: int,
    laid_s: int,
    levels: IntArray,
    key: np.uint64,
    n_draws: int,
    batch: Batch,
    n: int,
) -> int:
    """After trick 1 declarer and defenders answer each other in turn until nobody says more."""
    declarer = np.int64(batch.meta[b.DECLARER, n])
    for _ in range(rules.flags[KONTRA_MAX]):
        said = batch.kontra_start[n + 1]
        if said == batch.kontra_start[n]:
            return n_draws
        for role in range(3):
            look(rules, view, own, laid, laid_s, role, declarer)
            if role == 0 or _was_answered(levels):
                n_draws = speak(rules, policies, view, levels, key, n_draws, role, 3, batch, n)
        if batch.kontra_start[n + 1] == said:
            return n_draws
    return n_draws


@inlined
def _was_answered(levels: IntArray) -> bool:
    """Return whether some component stands at a level of two or more, so that defenders speak again."""
    for part in range(N_PARTS):  # noqa: SIM110 - Numba compiles no generator expression
        if levels[part, 0] >= 2 or levels[part, 1] >= 2:
            return True
    return False
