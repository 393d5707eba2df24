"""Replay: derive everything about a hand from its decisions, or explain the first one that the rules do not allow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ulti_stats.errors import ClaimError, IllegalBid, IllegalCard, IllegalDeal, IllegalDecision, IllegalKontra, IllegalMarriage
from ulti_stats.game.auction import Auction, close, make_call, start_auction
from ulti_stats.game.bids import Component
from ulti_stats.game.cards import FULL_DECK, format_cards
from ulti_stats.game.claims import claimed_result, differences
from ulti_stats.game.contract import Contract, settle_contract
from ulti_stats.game.history import HandHistory, Marriage
from ulti_stats.game.kontra import kontra_gains, say_kontras
from ulti_stats.game.marriages import check_marriages, first_moments, marriages_allowed
from ulti_stats.game.play import (
    MARRIAGE_POINTS,
    N_FACTS,
    PLAY_OK,
    TALON_POINTS,
    TRICK_POINTS,
    TRICKS,
    explain_card,
    play_out,
    trick_winner,
    winner_of,
)
from ulti_stats.game.result import Replay
from ulti_stats.game.rule_table import FOREHAND_LEADS, NO_TRUMP, IntArray, RuleTable, rule_table
from ulti_stats.game.rulesets import Ruleset, ruleset
from ulti_stats.game.scoring import N_OUTCOME, conceded_score, judge, score
from ulti_stats.game.sheets import check_concession, replay_sheet

N_PLAYS = 30


def replay(history: HandHistory, *, rules: Ruleset | None = None) -> Replay:
    """Return everything that follows from a hand's decisions, under its own rules or others.

    Raises the `IllegalDecision` of the first decision that the rules do not allow (what, where, and what would have
    been legal), `RulesetError` for unknown rules, and `ClaimError` where a sheet's claims fit no outcome. Claims of a
    hand with cards that differ from the replay are listed in `disagreements`, never raised.
    """
    rules = rules or ruleset(history.ruleset, history.options)
    if history.hands is None or history.talon is None:
        return _sheet(history, rules)
    dealer, forehand = seats_of(history, rules)
    check_deal(history, rules, forehand=forehand)
    if rules.two_round_auction and history.five is None:
        raise IllegalDeal("the first five cards of each hand are needed: there is an auction on five cards")
    auction = run_auction(history, rules, forehand)
    base = Replay(rules=rules, level="deal", termination="played", dealer=dealer, forehand=forehand)
    if auction.standing is None:
        return _passed_out(history, base)
    return _played(history, rules, settle_contract(history, rules, auction), base)


def _sheet(history: HandHistory, rules: Ruleset) -> Replay:
    known = history.dealer is not None or history.forehand is not None
    dealer, forehand = seats_of(history, rules) if known else (None, None)
    return replace(replay_sheet(history, rules), dealer=dealer, forehand=forehand)


def seats_of(history: HandHistory, rules: Ruleset) -> tuple[int | None, int]:
    """Return dealer (None where a fourth dealt) and forehand; raises `IllegalDeal` where they disagree."""
    dealer, forehand = history.dealer, history.forehand
    if forehand is None:
        if dealer is None:
            raise IllegalDeal("dealer or forehand is needed: a seat, 0 to 2")
        return dealer, rules.first_speaker(dealer)
    if dealer is None:
        if history.sitting_out is not None or rules.players == 4:
            return None, forehand
        return next(seat for seat in range(3) if rules.first_speaker(seat) == forehand), forehand
    if rules.first_speaker(dealer) != forehand:
        raise IllegalDeal(
            f"forehand {forehand} does not fit dealer {dealer}: under {rules.id} it is {rules.first_speaker(dealer)}"
        )
    return dealer, forehand


def check_deal(history: HandHistory, rules: Ruleset, *, forehand: int) -> None:
    """Raise `IllegalDeal` where the cards are not 32 different ones in their places."""
    hands, talon = history.hands or (), history.talon or 0
    if not talon and not (rules.talon_mode == "rob" and rules.opening_bid_forced and not rules.two_round_auction):
        raise IllegalDeal("the talon is empty; only a forehand who must open holds twelve cards, 2 in the talon are right")
    for first, hand in zip(history.five or (), hands, strict=False):
        if first.bit_count() != 5 or first & ~hand:
            raise IllegalDeal(f"{format_cards(first)}: the five-card round needs five of a seat's own cards")
    for seat, hand in enumerate(hands):
        right = 12 if seat == forehand and not talon else 10
        if hand.bit_count() != right:
            raise IllegalDeal(f"seat {seat} was dealt {hand.bit_count()} cards; {right} are right")
    if talon and talon.bit_count() != 2:
        raise IllegalDeal(f"the talon has {talon.bit_count()} cards; 2 are right")
    seen = 0
    for cards in (*hands, talon):
        if seen & cards:
            raise IllegalDeal(f"{format_cards(seen & cards)} lies in two places")
        seen |= cards
    if seen != FULL_DECK:
        raise IllegalDeal(f"{format_cards(FULL_DECK & ~seen)} lies nowhere")


def run_auction(history: HandHistory, rules: Ruleset, forehand: int) -> Auction:
    """Return the finished auction; raises `IllegalBid` at the first call that is not allowed or missing."""
    assert history.hands is not None
    assert history.talon is not None
    auction = start_auction(rules, forehand=forehand, hands=history.hands, talon=history.talon)
    for call in history.auction or ():
        if auction.round == 1 and call.round == 2:
            auction = close(auction)  # the holder's closing pass may be missing in either round
        auction = make_call(auction, call)
    auction = close(auction)
    if auction.turn is not None:
        raise IllegalBid(f"the auction breaks off after {len(auction.calls)} calls; seat {auction.turn} has to speak")
    return auction


def _passed_out(history: HandHistory, base: Replay) -> Replay:
    for name, value in (("kontras", history.kontras), ("plays", history.plays), ("marriages", history.marriages)):
        if value:
            raise IllegalDecision(f"{name}: nobody bid, so there are none")
    if history.trump is not None or history.discard is not None or history.conceded:
        raise IllegalDecision("nobody bid, so no trump, discard or concession is written")
    claims = differences((), (0, 0, 0), claimed_outcome=history.outcome, claimed_payoffs=history.payoffs)
    return replace(
        base,
        level="full",
        termination="passed_out",
        hands=history.hands,
        laid=history.talon,
        payoffs=(0, 0, 0),
        disagreements=claims,
    )


def _played(history: HandHistory, rules: Ruleset, contract: Contract, base: Replay) -> Replay:
    bid = contract.bid
    base = replace(
        base,
        declarer=contract.declarer,
        contract=bid,
        trump=None if contract.trump == NO_TRUMP else contract.trump,
        hands=contract.hands,
        laid=contract.laid,
        pickup=contract.pickup,
        termination="abandoned" if history.abandoned else "played",
    )
    if history.conceded:
        return _conceded(history, rules, contract, base)
    if rules.concede_simple == "mandatory" and bid.name == "simple" and history.plays:
        raise IllegalDecision(f"plays: a plain simple game must be conceded under {rules.id} (concede_simple=mandatory)")
    kontras = history.kontras or ()
    levels, reached = say_kontras(rules, bid, contract.declarer, kontras)
    base = replace(base, kontras=kontras, levels=reached)
    if contract.trump is None:
        return _by_claims(history, rules, contract, base, levels)
    marriages, facts = _play(history, rules, contract)
    base = replace(base, marriages=marriages, **_points(facts, len(history.plays or ()) // 3))
    if not is_finished(rules, contract, facts, len(history.plays or ())):
        return _by_claims(history, rules, contract, base, levels)
    table = rule_table(rules)
    outcome = np.zeros(N_OUTCOME, np.int64)
    judge(table, bid.number, facts, outcome)
    components, payoffs = score(table, bid.number, outcome, levels, declarer=contract.declarer, factor=contract.factor)
    steps, decisions = kontra_gains(rules, bid, contract.declarer, kontras, reached, levels, outcome, contract.factor)
    claims = differences(components, payoffs, claimed_outcome=history.outcome, claimed_payoffs=history.payoffs)
    return replace(
        base,
        level="full",
        components=components,
        payoffs=payoffs,
        step_gains=steps,
        decision_gains=decisions,
        disagreements=claims,
    )


def _conceded(history: HandHistory, rules: Ruleset, contract: Contract, base: Replay) -> Replay:
    check_concession(rules, contract.bid)
    if history.kontras:
        raise IllegalKontra("kontras: a conceded game has none")
    if history.plays:
        raise IllegalCard("plays: a game is conceded before the first lead, so no card is played")
    if history.marriages:
        raise IllegalMarriage("marriages: a game is conceded before the first lead, so none is declared")
    components, payoffs = conceded_score(
        rule_table(rules), contract.bid.number, declarer=contract.declarer, factor=contract.factor
    )
    claims = differences(components, payoffs, claimed_outcome=history.outcome, claimed_payoffs=history.payoffs)
    return replace(base, level="full", termination="conceded", components=components, payoffs=payoffs, disagreements=claims)


def _by_claims(history: HandHistory, rules: Ruleset, contract: Contract, base: Replay, levels: IntArray) -> Replay:
    """Finish a hand whose cards do not tell the result: by its claims, where it has any."""
    unknown = tuple(None for _ in base.kontras)
    base = replace(base, step_gains=unknown, decision_gains=unknown)
    if history.abandoned:
        if history.payoffs is not None or history.outcome is not None:
            raise ClaimError("an abandoned hand has no result: leave out payoffs and outcome")
        return base
    components, payoffs = claimed_result(
        rule_table(rules),
        contract.bid,
        levels,
        declarer=contract.declarer,
        outcome=history.outcome,
        payoffs=history.payoffs,
        factors=(contract.factor,),
    )
    return replace(base, components=components, payoffs=payoffs)


def is_finished(rules: Ruleset, contract: Contract, facts: IntArray, n_plays: int) -> bool:
    """Return whether the plays settle the hand: all thirty, or a no-trump game decided where play stops early.

    Cards behind the deciding trick change nothing, so their number does not matter (RULES.md, 5.1, point 5).
    """
    if n_plays == N_PLAYS:
        return True
    if not rules.stop_early or contract.bid.has_trumps:
        return False
    own, theirs = int(facts[TRICKS]), int(facts[TRICKS + 1] + facts[TRICKS + 2])
    return own > 0 if Component.BETLI in contract.bid.components else theirs > 0


def _points(facts: IntArray, n_tricks: int) -> dict[str, object]:
    return {
        "winners": tuple(winner_of(facts, trick) for trick in range(n_tricks)),
        "declarer_points": int(facts[TRICK_POINTS]),
        "defender_points": int(facts[TRICK_POINTS + 1]),
        "declarer_marriage_points": int(facts[MARRIAGE_POINTS]),
        "defender_marriage_points": int(facts[MARRIAGE_POINTS + 1]),
        "talon_points": int(facts[TALON_POINTS]),
    }


def _play(history: HandHistory, rules: Ruleset, contract: Contract) -> tuple[tuple[Marriage, ...], IntArray]:
    """Check every card and marriage; return the marriages as declared and the facts of the play."""
    table, bid = rule_table(rules), contract.bid.number
    trump = contract.trump
    assert trump is not None
    plays = history.plays or ()
    if len(plays) > N_PLAYS:
        raise IllegalCard(f"plays: {len(plays)} cards; a hand has {N_PLAYS}")
    hands = np.array(contract.hands, np.int64)
    leader = int(_first_leader(table, contract))
    allowed = int(marriages_allowed(table, bid, trump, contract.declarer, hands))
    seats = who_played(table, contract, leader, plays)
    if history.marriages is None:
        declared = first_moments(rules, allowed, plays, seats)
    else:
        declared = tuple(history.marriages)
        check_marriages(rules, contract, declared, plays, seats)
    suits = sum(1 << (4 * marriage.seat + marriage.suit) for marriage in declared)
    facts = np.zeros(N_FACTS, np.int64)
    why, ply = play_out(
        table, bid, trump, contract.declarer, leader, hands, contract.laid, np.array(plays, np.int64), len(plays), suits, facts
    )
    if why != PLAY_OK:
        raise _illegal_card(table, contract, seats, plays, int(ply))
    return declared, facts


def _first_leader(table: RuleTable, contract: Contract) -> int:
    return contract.forehand if table.flags[FOREHAND_LEADS] else contract.declarer


def who_played(table: RuleTable, contract: Contract, leader: int, plays: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seat of each play: the winner of a trick leads the next."""
    seats: list[int] = []
    turn = leader
    for start in range(0, len(plays), 3):
        trick = plays[start : start + 3]
        seats.extend((turn + place) % 3 for place in range(len(trick)))
        if len(trick) == 3:
            turn = (turn + trick_winner(table, contract.trump if contract.trump is not None else NO_TRUMP, trick)) % 3
    return tuple(seats)


def _illegal_card(table: RuleTable, contract: Contract, seats: tuple[int, ...], plays: tuple[int, ...], ply: int) -> IllegalCard:
    seat, trick = seats[ply], ply // 3
    hand = contract.hands[seat]
    for earlier in range(ply):
        if seats[earlier] == seat:
            hand &= ~(1 << plays[earlier])
    why = explain_card(
        table,
        contract.bid.number,
        contract.trump if contract.trump is not None else NO_TRUMP,
        hand,
        plays[3 * trick : ply],
        plays[ply],
        is_declarer=seat == contract.declarer,
        trick=trick,
    )
    return IllegalCard(f"plays: trick {trick + 1}, seat {seat}: {why}")
