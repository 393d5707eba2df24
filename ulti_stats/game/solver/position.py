"""Positions to solve: one as a value, many as arrays, and how a kernel lays one out on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ulti_stats.errors import IllegalDecision
from ulti_stats.game.bids import N_PARTS
from ulti_stats.game.cards import cards_of
from ulti_stats.game.contract import Contract, settle_contract
from ulti_stats.game.history import HandHistory
from ulti_stats.game.jit import inlined, kernel
from ulti_stats.game.kontra import say_kontras
from ulti_stats.game.marriages import marriages_allowed
from ulti_stats.game.play import N_FACTS, PLAY_OK, WINNERS, first_leader, legal_cards, play_out, to_strength
from ulti_stats.game.replay import N_PLAYS, run_auction, seats_of, who_played
from ulti_stats.game.rule_table import (
    FOREHAND_LEADS,
    LAST_TRICK_BONUS,
    POINTS,
    STRENGTH,
    IntArray,
    RuleTable,
    rule_table,
)
from ulti_stats.game.rulesets import Ruleset, ruleset
from ulti_stats.game.solver.workspace import to_front

Levels = tuple[tuple[int, int], ...]
ILLEGAL = -(1 << 40)  # in place of a value: the cards played are not a legal play
NO_KONTRA: Levels = ((0, 0),) * N_PARTS


class Positions(NamedTuple):
    """n positions as arrays: what was agreed, the cards when play started, and the cards played since.

    `hands` [n, 3] by seat and `laid` are card masks, `leader` is the seat that leads to trick 1, `marriages` holds 4
    bits a seat of what is declared in the whole hand, `plays` [n, 30] card numbers of which `n_plays` count, `levels`
    [n, 7, 2] kontra levels by part and defender, `factor` that of a bid kept from the five-card round.
    """

    bid: IntArray
    trump: IntArray
    declarer: IntArray
    leader: IntArray
    hands: IntArray
    laid: IntArray
    marriages: IntArray
    plays: IntArray
    n_plays: IntArray
    levels: IntArray
    factor: IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A position of one hand: the contract with the cards as they were when play started, and the cards played.

    `marriages` holds 4 bits a seat: those that are declared in this hand, before or after the position; None stands
    for all that may be. `levels` are kontra levels by part against the first and the second defender.
    """

    rules: Ruleset
    contract: Contract
    plays: tuple[int, ...] = ()
    marriages: int | None = None
    levels: Levels = NO_KONTRA

    @property
    def trump(self) -> int:
        """Return the trump suit's number, or `NO_TRUMP`."""
        if self.contract.trump is None:
            raise IllegalDecision(f"trump: {self.contract.bid.name} has not named its suit, so it cannot be solved")
        return self.contract.trump

    @property
    def leader(self) -> int:
        """Return the seat that leads to trick 1."""
        leads = rule_table(self.rules).flags[FOREHAND_LEADS]
        return self.contract.forehand if leads else self.contract.declarer

    @property
    def turn(self) -> int | None:
        """Return the seat that plays next; None after the last card."""
        if len(self.plays) == N_PLAYS:
            return None
        table = rule_table(self.rules)
        seats = who_played(table, self.contract, self.leader, (*self.plays, 0))
        return seats[-1]

    @property
    def hands(self) -> tuple[int, int, int]:
        """Return the cards that each seat still holds."""
        gone = sum(1 << card for card in self.plays)
        first, second, third = self.contract.hands
        return (first & ~gone, second & ~gone, third & ~gone)

    @property
    def legal(self) -> tuple[int, ...]:
        """Return the cards that may be played next, lowest number first."""
        seat = self.turn
        if seat is None:
            return ()
        trick = len(self.plays) // 3
        mask = legal_cards(
            rule_table(self.rules),
            self.contract.bid.number,
            self.trump,
            self.hands[seat],
            self.plays[3 * trick :],
            is_declarer=seat == self.contract.declarer,
            trick=trick,
        )
        return tuple(cards_of(mask))

    def after(self, *cards: int) -> Position:
        """Return the position after some more cards."""
        return replace(self, plays=self.plays + cards)


def position_in(history: HandHistory, n_plays: int = N_PLAYS, *, rules: Ruleset | None = None) -> Position:
    """Return the position of a recorded hand after `n_plays` of its cards, with its kontras and marriages.

    Raises `IllegalDecision` where the auction is not legal, nobody bid, or the cards are not known.
    """
    rules = rules or ruleset(history.ruleset, history.options)
    if history.hands is None or history.talon is None:
        raise IllegalDecision("hands: a score sheet has no cards to solve")
    _, forehand = seats_of(history, rules)
    auction = run_auction(history, rules, forehand)
    if auction.standing is None:
        raise IllegalDecision("auction: nobody bid, so there is nothing to solve")
    contract = settle_contract(history, rules, auction)
    levels, _ = say_kontras(rules, contract.bid, contract.declarer, history.kontras or ())
    marriages = None
    if history.marriages is not None:
        marriages = sum(1 << (4 * marriage.seat + marriage.suit) for marriage in history.marriages)
    pairs = tuple((int(first), int(second)) for first, second in levels)
    plays = (history.plays or ())[:n_plays]
    return Position(rules=rules, contract=contract, plays=plays, marriages=marriages, levels=pairs)


def as_arrays(rules: Ruleset, positions: Sequence[Position]) -> Positions:
    """Return positions, all under these rules, as arrays."""
    n = len(positions)
    result = deals(
        rules,
        hands=[position.contract.hands for position in positions],
        laid=[position.contract.laid for position in positions],
        bid=[position.contract.bid.number for position in positions],
        trump=[position.trump for position in positions],
        declarer=[position.contract.declarer for position in positions],
        forehand=[position.contract.forehand for position in positions],
    )
    for i, position in enumerate(positions):
        if position.marriages is not None:
            result.marriages[i] = position.marriages
        result.plays[i, : len(position.plays)] = position.plays
        result.n_plays[i] = len(position.plays)
        result.levels[i] = position.levels
        result.factor[i] = position.contract.factor
    assert len(result.bid) == n
    return result


def deals(
    rules: Ruleset,
    *,
    hands: ArrayLike,
    laid: ArrayLike,
    bid: ArrayLike,
    trump: ArrayLike,
    declarer: ArrayLike,
    forehand: ArrayLike | None = None,
) -> Positions:
    """Return n deals before the first lead as arrays: no kontra, and every marriage declared that may be.

    `hands` [n, 3] by seat and `laid` [n] are card masks as play starts; `bid` (bid numbers), `trump` (suit or
    `NO_TRUMP`), `declarer` and `forehand` (seats, forehand the declarer unless given) are [n] or one number for all.
    """
    masks = np.ascontiguousarray(hands, np.int64).reshape(-1, 3)
    n = len(masks)

    def column(values: ArrayLike) -> IntArray:
        return np.array(np.broadcast_to(np.asarray(values, np.int64), (n,)))

    result = Positions(
        bid=column(bid),
        trump=column(trump),
        declarer=column(declarer),
        leader=column(declarer if forehand is None else forehand),
        hands=masks,
        laid=column(laid),
        marriages=np.zeros(n, np.int64),
        plays=np.full((n, N_PLAYS), -1, np.int64),
        n_plays=np.zeros(n, np.int64),
        levels=np.zeros((n, N_PARTS, 2), np.int64),
        factor=np.ones(n, np.int64),
    )
    _open(rule_table(rules), result)
    return result


@kernel
def _open(rules: RuleTable, positions: Positions) -> None:
    """Fill in who leads (from the forehand written there) and the marriages that may be declared."""
    for i in range(len(positions.bid)):
        bid, trump, declarer = positions.bid[i], positions.trump[i], positions.declarer[i]
        positions.leader[i] = first_leader(rules.flags, declarer, positions.leader[i])
        positions.marriages[i] = marriages_allowed(rules, bid, trump, declarer, positions.hands[i])


# Places of a board: a position as the searches read it, at the start of the trick it stands in.
OWN = 0  # +0 declarer, +1, +2: cards in front form, those on the table included
LEADER = 3  # role that leads this trick
FIRST = 4  # mask of the card led, 0 where none is
SECOND = 5
REST = 6  # points still in play, last-trick bonus included
N_LEFT = 7  # tricks not yet complete; -1 where the plays are not legal
N_BOARD = 8


class Boards(NamedTuple):
    """n positions laid out: `boards` [n, 8], and the `facts` [n, 20] of their complete tricks. Where the plays are not legal
    `N_LEFT` is -1."""

    boards: IntArray
    facts: IntArray


def lay_out(table: RuleTable, positions: Positions) -> Boards:
    """Return positions as the searches read them."""
    n = len(positions.bid)
    laid_out = Boards(np.empty((n, N_BOARD), np.int64), np.empty((n, N_FACTS), np.int64))
    _lay_out(table, positions, laid_out)
    return laid_out


@kernel
def _lay_out(rules: RuleTable, positions: Positions, laid_out: Boards) -> None:
    for i in range(len(positions.bid)):
        board = laid_out.boards[i]
        if not _fill_in(rules, positions, i, board, laid_out.facts[i]):
            board[N_LEFT] = -1


@inlined
def _fill_in(rules: RuleTable, positions: Positions, i: int, board: IntArray, facts: IntArray) -> bool:
    """Fill in the board of a position and the facts of its complete tricks; return whether the plays are legal."""
    bid, trump, declarer = positions.bid[i], positions.trump[i], positions.declarer[i]
    hands, plays, n_plays = positions.hands[i], positions.plays[i], positions.n_plays[i]
    laid, marriages = positions.laid[i], positions.marriages[i]
    why, _ = play_out(rules, bid, trump, declarer, positions.leader[i], hands, laid, plays, n_plays, marriages, facts)
    n_complete = n_plays - n_plays % 3
    if n_complete != n_plays:
        play_out(rules, bid, trump, declarer, positions.leader[i], hands, laid, plays, n_complete, marriages, facts)
    gone = np.int64(0)
    for ply in range(n_complete):
        gone |= np.int64(1) << plays[ply]
    for role in range(3):
        own = hands[(declarer + role) % 3] & ~gone
        board[OWN + role] = to_front(to_strength(rules.cards, own, trump), trump)
    board[FIRST] = 0
    board[SECOND] = 0
    for ply in range(n_complete, n_plays):
        board[FIRST + ply - n_complete] = to_front(1 << rules.cards[STRENGTH, trump, plays[ply]], trump)
    leader = positions.leader[i] if n_complete == 0 else facts[WINNERS] >> (2 * (n_complete // 3 - 1)) & 3
    board[LEADER] = (leader - declarer + 3) % 3
    board[N_LEFT] = 10 - n_complete // 3
    board[REST] = rules.flags[LAST_TRICK_BONUS] if n_complete < 30 else 0
    for card in range(32):
        if (hands[0] | hands[1] | hands[2]) & ~gone & np.int64(1) << card != 0:
            board[REST] += rules.cards[POINTS, trump, rules.cards[STRENGTH, trump, card]]
    return why == PLAY_OK
