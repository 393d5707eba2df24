"""The table: deals hands, lets three policies decide, and fills in a batch. One compiled loop for every ruleset."""

from __future__ import annotations

import numpy as np

from ulti_stats.game import batch as b
from ulti_stats.game.auction import next_turn
from ulti_stats.game.batch import Batch
from ulti_stats.game.bids import N_COMPONENTS, N_PARTS, Component
from ulti_stats.game.cards import KING, OVER, Suit
from ulti_stats.game.chance import AUCTION, KONTRA, PLAY, deal_cards, stream
from ulti_stats.game.jit import inlined, kernel
from ulti_stats.game.kontra import is_individual, may_step
from ulti_stats.game.marriages import marriages_allowed
from ulti_stats.game.play import N_FACTS, beats, first_leader, keeping_seven, kept_seven, legal_mask, play_out, to_strength
from ulti_stats.game.rule_table import (
    CONCEDE,
    HEARTS,
    HOLD,
    IS_OPEN,
    KONTRA_MAX,
    MARRIAGE_MOMENT,
    MULTIPLIERS,
    NAMED,
    NO_TRUMP,
    OPEN_FROM,
    OPEN_TO_ALL,
    OPENING_FORCED,
    PARTS,
    PHYSICAL,
    PLAIN_SUITS,
    POINTS,
    ROB,
    ROB_OPTIONAL,
    ROUND1_FACTOR,
    SELF_RAISE,
    STOP_EARLY,
    STRENGTH,
    TALON_MODE,
    TRUMP_CLASS,
    TWO_ROUNDS,
    WINNER_TAKES,
    WITHOUT,
    IntArray,
    RuleTable,
)
from ulti_stats.game.scoring import N_OUTCOME, judge, pay, raised_by_kontra, settle, settle_concession
from ulti_stats.sources.players import dispatch
from ulti_stats.sources.players import view as v
from ulti_stats.sources.players.calls import lowest_call

SIMPLE, BETLI = int(Component.SIMPLE), int(Component.BETLI)
# Draws set aside for one decision of the auction, so that the next decision starts at a fixed count.
DRAWS = 16
_HEARTS_SUIT = int(Suit.HEARTS)
_NAMES_TRUMP_AT, _CONCEDES_AT = 1 << 20, 1 << 21


@kernel
def play_hands(
    rules: RuleTable,
    policies: IntArray,
    dealers: IntArray,
    forehands: IntArray,
    seed: int,
    first: int,
    n_hands: int,
    batch: Batch,
) -> int:
    """Play hands `first` to `first + n_hands - 1` of a seed into a batch; return how many were played.

    The deal passes round the table: hand i is dealt by person i mod n. `policies` [n, 3] are policy numbers by that person
    and by seat, `dealers` [n] his seat (-1 where he sits out), `forehands` [n] the forehand's. The batch ends early when
    its rows are full.
    """
    deck, hands = np.empty(32, np.int64), np.empty(3, np.int64)
    view, facts = np.zeros(v.N_VIEW, np.int64), np.zeros(N_FACTS, np.int64)
    outcome, units = np.zeros(N_OUTCOME, np.int64), np.zeros((N_COMPONENTS, 2), np.int64)
    levels, payoffs = np.zeros((N_PARTS, 2), np.int64), np.zeros(3, np.int64)
    plays, seats = np.zeros(30, np.int64), np.zeros(30, np.int64)
    for n in range(n_hands):
        index = first + n
        meta, masks = batch.meta[n], batch.masks[n]
        talon = deal_cards(seed, index, deck, hands)
        for seat in range(3):
            masks[b.HAND + seat] = hands[seat]
            masks[b.FIVE + seat] = 0
            if rules.flags[TWO_ROUNDS] != 0:
                for place in range(5):
                    masks[b.FIVE + seat] |= np.int64(1) << deck[10 * seat + place]
        masks[b.TALON] = talon
        person = index % len(dealers)
        meta[b.DEALER] = dealers[person]
        meta[b.FOREHAND] = forehands[person]
        levels[:] = 0
        _auction(rules, policies[person], seed, index, hands, view, batch, n)
        batch.kontra_start[n + 1] = batch.kontra_start[n]
        batch.marriage_start[n + 1] = batch.marriage_start[n]
        declarer, bid = np.int64(meta[b.DECLARER]), np.int64(meta[b.BID])
        if declarer < 0:
            meta[b.TERMINATION] = b.PASSED_OUT
            outcome[:] = -1
            units[:] = 0
            payoffs[:] = 0
        elif meta[b.TERMINATION] == b.CONCEDED:
            settle_concession(rules, bid, np.int64(meta[b.FACTOR]), outcome, units)
            pay(rules, bid, outcome, units, declarer, payoffs)
        else:
            _play(rules, policies[person], seed, index, hands, view, levels, plays, seats, batch, n)
            allowed = _declare(rules, hands, plays, seats, batch, n)
            leader = first_leader(rules.flags, declarer, np.int64(meta[b.FOREHAND]))
            trump, n_played = np.int64(meta[b.TRUMP]), np.int64(meta[b.N_PLAYED])
            play_out(rules, bid, trump, declarer, leader, hands, masks[b.LAID], plays, n_played, allowed, facts)
            judge(rules, bid, facts, outcome)
            settle(rules, bid, outcome, levels, np.int64(meta[b.FACTOR]), units)
            pay(rules, bid, outcome, units, declarer, payoffs)
            _gains(rules, outcome, levels, batch, n)
            for place in range(N_FACTS):
                batch.facts[n, place] = facts[place]
        for component in range(N_COMPONENTS):
            batch.outcome[n, component] = outcome[component]
            batch.units[n, component, 0] = units[component, 0]
            batch.units[n, component, 1] = units[component, 1]
        for part in range(N_PARTS):
            batch.levels[n, part, 0] = levels[part, 0]
            batch.levels[n, part, 1] = levels[part, 1]
        for seat in range(3):
            batch.payoffs[n, seat] = payoffs[seat]
        if _is_full(batch, n):
            return n + 1
    return n_hands


@inlined
def _is_full(batch: Batch, n: int) -> bool:
    calls = batch.call_start[n + 1] + b.MOST_CALLS > batch.calls.shape[0]
    kontras = batch.kontra_start[n + 1] + b.MOST_KONTRAS > batch.kontras.shape[0]
    marriages = batch.marriage_start[n + 1] + b.MOST_MARRIAGES > batch.marriages.shape[0]
    return calls or kontras or marriages


@kernel
def _auction(
    rules: RuleTable, policies: IntArray, seed: int, index: int, hands: IntArray, view: IntArray, batch: Batch, n: int
) -> None:
    """Run the auction and note it in the batch; `hands` are exchanged in place."""
    flags = rules.flags
    meta, masks = batch.meta[n], batch.masks[n]
    key = stream(seed, index, AUCTION)
    turn = np.int64(meta[b.FOREHAND])
    standing, holder, passed, out, n_calls, n_bids, n_pickups = -1, -1, 0, 0, 0, 0, 0
    talon, pickup = masks[b.TALON], np.int64(0)
    five, factor, confirming = flags[TWO_ROUNDS] != 0, 1, False
    row = batch.call_start[n]
    view[:] = 0
    view[v.FOREHAND] = meta[b.FOREHAND]
    while turn >= 0:
        forced = confirming or (flags[OPENING_FORCED] != 0 and n_calls == 0)
        view[v.SEAT], view[v.STANDING], view[v.HOLDER], view[v.N_CALLS] = turn, standing, holder, n_calls
        view[v.KEPT], view[v.CONFIRMING], view[v.FIVE] = factor != 1, confirming, five
        held = flags[HOLD] != 0 and turn == meta[b.FOREHAND] and standing >= 0 and holder != turn
        view[v.MAY_HOLD] = held
        view[v.OWN], view[v.HAS_TALON] = masks[b.FIVE + turn] if five else hands[turn], 0
        bid, laid = -1, np.int64(0)
        if turn != holder or confirming or flags[SELF_RAISE] != 0:
            bid, laid = _call(rules, policies[turn], view, talon, forced, key, n_calls * DRAWS)
        calls = batch.calls[row]
        calls[0], calls[1], calls[2], calls[3], calls[4] = turn, bid, laid, held and bid == standing, 1 if five else 2
        row += 1
        n_calls += 1
        if bid >= 0:
            if laid != 0:
                hands[turn] = (hands[turn] | talon) & ~laid
                pickup, talon = talon, laid
                n_pickups += 1
                meta[b.PICKUP_IS_DEALT] = n_pickups == 1
            elif holder != turn:
                pickup = np.int64(0)
            if bid != standing:
                factor = 1
            standing, holder, passed, confirming = bid, turn, 0, False
            n_bids += 1
            turn = next_turn(flags, holder, holder, 0, out)
        else:
            passed |= 1 << turn
            out |= 1 << turn
            turn = -1 if turn == holder else next_turn(flags, turn, holder, passed, out)
        if turn < 0 and five and holder >= 0:
            # The winner of the five-card round takes the talon, and everybody gets five more cards.
            turn, five, confirming, factor, passed, out = holder, False, True, flags[ROUND1_FACTOR], 0, 0
    batch.call_start[n + 1] = row
    meta[b.BID], meta[b.DECLARER], meta[b.N_BIDS], meta[b.N_PICKUPS] = standing, holder, n_bids, n_pickups
    meta[b.TERMINATION], meta[b.N_PLAYED], meta[b.TRUMP], meta[b.FACTOR] = b.PLAYED, 0, -1, factor
    masks[b.LAID], masks[b.PICKUP], masks[b.LAID_AFTER] = talon, pickup, 0
    if holder >= 0:
        _settle(rules, policies, key, hands, view, batch, n)


@kernel
def _call(
    rules: RuleTable, policy: int, view: IntArray, talon: int, forced: bool, key: np.uint64, count: int
) -> tuple[int, np.int64]:
    """Let a seat call: return its bid (-1: pass) and the two cards that it lays (0: the talon stays)."""
    lowest = lowest_call(rules, view)
    if lowest < 0 or not (forced or dispatch.takes(policy, rules, view, key, count)):
        return -1, np.int64(0)
    mode = rules.flags[TALON_MODE]
    if view[v.FIVE] == 0 and mode in (ROB, ROB_OPTIONAL):
        view[v.OWN], view[v.HAS_TALON] = view[v.OWN] | talon, 1
    bid = dispatch.bids(policy, rules, view, key, count)
    if bid < 0 and (forced or view[v.HAS_TALON] != 0):
        bid = lowest  # who takes the talon must bid
    if bid < 0 or view[v.HAS_TALON] == 0:
        return bid, np.int64(0)
    return bid, dispatch.lays(policy, rules, view, bid, key, count)


@kernel
def _settle(rules: RuleTable, policies: IntArray, key: np.uint64, hands: IntArray, view: IntArray, batch: Batch, n: int) -> None:
    """Let the declarer exchange (where the winner takes the talon), name trumps and concede."""
    flags = rules.flags
    meta, masks = batch.meta[n], batch.masks[n]
    declarer, bid = np.int64(meta[b.DECLARER]), np.int64(meta[b.BID])
    policy = policies[declarer]
    view[v.SEAT], view[v.DECLARER], view[v.BID], view[v.STANDING], view[v.HOLDER] = declarer, declarer, bid, bid, declarer
    view[v.ROLE], view[v.KEPT], view[v.CONFIRMING], view[v.MAY_HOLD], view[v.FIVE] = 0, 0, 0, 0, 0
    if flags[TALON_MODE] == WINNER_TAKES:
        view[v.OWN], view[v.HAS_TALON] = hands[declarer] | masks[b.LAID], 1
        laid = dispatch.lays(policy, rules, view, bid, key, _NAMES_TRUMP_AT)
        hands[declarer] = view[v.OWN] & ~laid
        masks[b.PICKUP], masks[b.LAID], masks[b.LAID_AFTER] = masks[b.LAID], laid, laid
        meta[b.N_PICKUPS], meta[b.PICKUP_IS_DEALT] = 1, 1
    view[v.OWN], view[v.HAS_TALON] = hands[declarer], 0
    # The declarer knows what he laid; without an exchange he knows nothing of the talon.
    view[v.LAID] = masks[b.LAID] if masks[b.PICKUP] != 0 else 0
    for role in range(3):
        masks[b.AT_PLAY + role] = hands[(declarer + role) % 3]
    trump_class = rules.bids[bid, TRUMP_CLASS]
    if trump_class == WITHOUT:
        meta[b.TRUMP] = NO_TRUMP
    elif trump_class == HEARTS or flags[PLAIN_SUITS] == 1 << _HEARTS_SUIT:
        meta[b.TRUMP] = _HEARTS_SUIT
    plain_simple = trump_class != HEARTS and rules.bids[bid, NAMED] == 1 << SIMPLE
    if plain_simple and flags[CONCEDE] != 0:
        must = flags[CONCEDE] == 2
        if must or dispatch.concedes(policy, rules, view, key, _CONCEDES_AT):
            meta[b.TERMINATION] = b.CONCEDED
    if meta[b.TRUMP] < 0 and meta[b.TERMINATION] != b.CONCEDED:
        meta[b.TRUMP] = dispatch.names_trump(policy, rules, view, key, _NAMES_TRUMP_AT)


@kernel
def _play(
    rules: RuleTable,
    policies: IntArray,
    seed: int,
    index: int,
    hands: IntArray,
    view: IntArray,
    levels: IntArray,
    plays: IntArray,
    seats: IntArray,
    batch: Batch,
    n: int,
) -> None:
    """Play the cards and say the kontras; note both in the batch."""
    flags, cards = rules.flags, rules.cards
    meta, masks = batch.meta[n], batch.masks[n]
    declarer, bid, trump = np.int64(meta[b.DECLARER]), np.int64(meta[b.BID]), np.int64(meta[b.TRUMP])
    parts = rules.bids[bid, PARTS]
    key, kontra_key = stream(seed, index, PLAY), stream(seed, index, KONTRA)
    own = np.empty(3, np.int64)  # strength masks by role
    for role in range(3):
        own[role] = to_strength(cards, hands[(declarer + role) % 3], trump)
    laid = to_strength(cards, masks[b.LAID], trump) if masks[b.PICKUP] != 0 else 0
    allowed = marriages_allowed(rules, bid, trump, declarer, hands)
    seven = kept_seven(flags, parts, trump)
    role = (first_leader(flags, declarer, np.int64(meta[b.FOREHAND])) - declarer + 3) % 3
    view[v.DECLARER], view[v.BID], view[v.TRUMP] = declarer, bid, trump
    view[v.OPEN_FROM] = open_from(rules, bid)
    view[v.SEEN_S], view[v.TABLE_POINTS] = 0, 0
    view[v.TRICKS : v.MARRIAGES + 3] = 0
    led, best, best_role = -1, -1, role
    n_draws = 0
    for ply in range(30):
        view[v.PLY], view[v.LED], view[v.BEST], view[v.BEST_ROLE] = ply, led, best, best_role
        look(rules, view, own, laid, masks, role, declarer)
        legal = legal_mask(flags, own[role], led, best, trump)
        if seven != 0 and role == 0 and ply < 27:
            legal = keeping_seven(legal, seven)
        card = dispatch.plays(policies[(declarer + role) % 3], rules, view, legal, key, ply)
        own[role] ^= 1 << card
        plays[ply] = cards[PHYSICAL, trump, card]
        seats[ply] = (declarer + role) % 3
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
        _show_marriages(rules, view, own, allowed >> (4 * seats[ply]) & 15, trump, ply, plays[ply], role)
        if ply < 3 and role != 0:
            look(rules, view, own, laid, masks, role, declarer)
            n_draws = _speak(rules, policies, view, levels, kontra_key, n_draws, role, ply + 1, batch, n)
        if ply == 2:
            n_draws = _answer(rules, policies, view, own, laid, masks, levels, kontra_key, n_draws, batch, n)
        role = (role + 1) % 3
        if ply % 3 == 2:
            view[v.TRICKS + best_role] += 1
            view[v.POINTS + min(best_role, 1)] += view[v.TABLE_POINTS]
            view[v.TABLE_POINTS] = 0
            role, led, best = best_role, -1, -1
            if flags[STOP_EARLY] != 0 and trump == NO_TRUMP:
                lost = view[v.TRICKS] > 0 if parts >> BETLI & 1 else view[v.TRICKS + 1] + view[v.TRICKS + 2] > 0
                if lost:
                    meta[b.N_PLAYED] = ply + 1
                    break
        meta[b.N_PLAYED] = ply + 1
    for ply in range(30):
        batch.plays[n, ply] = plays[ply] if ply < meta[b.N_PLAYED] else -1


@inlined
def open_from(rules: RuleTable, bid: int) -> int:
    """Return the number of cards on the table from which a game is played with open cards; 30 in closed games."""
    return rules.flags[OPEN_FROM] if rules.bids[bid, IS_OPEN] != 0 else 30  # pyright: ignore[reportReturnType]


@inlined
def look(rules: RuleTable, view: IntArray, own: IntArray, laid: int, masks: IntArray, role: int, declarer: int) -> None:
    """Turn the view to a seat: its own cards, the laid ones if it laid them, and those that lie open (5.1, point 19)."""
    view[v.ROLE] = role
    view[v.SEAT] = (declarer + role) % 3
    view[v.OWN_S] = own[role]
    view[v.LAID_S] = laid if role == 0 else 0
    view[v.LAID] = masks[b.LAID] if role == 0 and laid != 0 else 0
    is_open = view[v.PLY] >= view[v.OPEN_FROM]
    for other in range(3):
        shows = is_open and (other == 0 or rules.flags[OPEN_TO_ALL] != 0)
        view[v.SHOWN_S + other] = own[other] if shows else 0


@inlined
def _show_marriages(
    rules: RuleTable, view: IntArray, own: IntArray, suits: int, trump: int, ply: int, card: int, role: int
) -> None:
    """Let everybody know the marriages that a card (a card number) declares."""
    if suits == 0:
        return
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


@kernel
def _declare(rules: RuleTable, hands: IntArray, plays: IntArray, seats: IntArray, batch: Batch, n: int) -> int:
    """Note the marriages, each declared at the first moment allowed; return them as 4 bits a seat."""
    meta = batch.meta[n]
    allowed = marriages_allowed(rules, np.int64(meta[b.BID]), np.int64(meta[b.TRUMP]), np.int64(meta[b.DECLARER]), hands)
    moment = rules.flags[MARRIAGE_MOMENT]
    declared, halves = 0, 0
    for ply in range(meta[b.N_PLAYED] if allowed != 0 else 0):
        seat, suit = seats[ply], plays[ply] >> 3
        for candidate in range(4):
            bit = 1 << (4 * seat + candidate)
            if allowed & bit == 0 or declared & bit != 0:
                continue
            if moment == 0:
                if ply > 2:
                    continue
            else:
                if suit != candidate or plays[ply] & 7 not in (KING, OVER):
                    continue
                if moment == 2 and halves & bit == 0:
                    halves |= bit
                    continue
            declared |= bit
            row = batch.marriages[batch.marriage_start[n + 1]]
            row[0], row[1], row[2] = seat, candidate, ply
            batch.marriage_start[n + 1] += 1
    return declared


@kernel
def _gains(rules: RuleTable, outcome: IntArray, levels: IntArray, batch: Batch, n: int) -> None:
    """Note what each kontra gained its sayer: the step alone, and the decision with every answer to it."""
    declarer, bid = np.int64(batch.meta[n, b.DECLARER]), np.int64(batch.meta[n, b.BID])
    for place in range(batch.kontra_start[n], batch.kontra_start[n + 1]):
        row = batch.kontras[place]
        part, level = row[1], row[4]
        sayer = row[2] if row[2] >= 0 else row[0]
        d = max((sayer - declarer + 3) % 3 - 1, 0)
        raised = raised_by_kontra(rules, bid, outcome, levels, part, d, np.int64(batch.meta[n, b.FACTOR]))
        sign = 1 if row[0] == declarer else -1
        before = rules.flags[MULTIPLIERS + level - 1]
        row[5] = sign * (rules.flags[MULTIPLIERS + level] - before) * raised
        row[6] = sign * (rules.flags[MULTIPLIERS + levels[part, d]] - before) * raised


@kernel
def _speak(
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
    flags = rules.flags
    declarer, bid, trump = np.int64(batch.meta[n, b.DECLARER]), np.int64(batch.meta[n, b.BID]), np.int64(batch.meta[n, b.TRUMP])
    parts = rules.bids[bid, PARTS]
    individual = is_individual(flags, trump)
    seat = (declarer + role) % 3
    for part in range(N_PARTS):
        if parts >> part & 1 == 0:
            continue
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
            row = batch.kontras[batch.kontra_start[n + 1]]
            row[0], row[1], row[3], row[4] = seat, part, after_play, levels[part, d]
            row[2] = (declarer + d + 1) % 3 if individual and role == 0 else -1
            batch.kontra_start[n + 1] += 1
    return n_draws


@kernel
def _answer(
    rules: RuleTable,
    policies: IntArray,
    view: IntArray,
    own: IntArray,
    laid: int,
    masks: IntArray,
    levels: IntArray,
    key: np.uint64,
    n_draws: int,
    batch: Batch,
    n: int,
) -> int:
    """After trick 1 declarer and defenders answer each other in turn until nobody says more."""
    declarer = np.int64(batch.meta[n, b.DECLARER])
    for _ in range(rules.flags[KONTRA_MAX]):
        said = batch.kontra_start[n + 1]
        if said == batch.kontra_start[n]:
            return n_draws
        for role in range(3):
            look(rules, view, own, laid, masks, role, declarer)
            if role == 0 or _was_answered(levels):
                n_draws = _speak(rules, policies, view, levels, key, n_draws, role, 3, batch, n)
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
