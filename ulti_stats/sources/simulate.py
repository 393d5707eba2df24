"""Simulation: hands of a seed, dealt and played by policies, in batches of any size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ulti_stats.errors import UltiError
from ulti_stats.game.batch import Batch, Run, clear_hands, new_batch
from ulti_stats.game.batch_result import Scratch, finish_hands, new_scratch
from ulti_stats.game.bids import BID_IDS, TrumpClass
from ulti_stats.game.cards import SUIT_NAMES
from ulti_stats.game.lanes import Words, new_block
from ulti_stats.game.rule_table import FOLLOWS, PLAIN_SUITS, IntArray, RuleTable, rule_table
from ulti_stats.game.rulesets import Ruleset, nearest, ruleset
from ulti_stats.sources.lockstep import play_in_step
from ulti_stats.sources.players import POLICIES, parse_players
from ulti_stats.sources.players.view import N_VIEW
from ulti_stats.sources.table import bid_hands
from ulti_stats.sources.table_play import play_hands

# Part of a simulated hand's identity. Change it whenever the same seed would give other hands.
ENGINE = "1"
# Hands played at a time, a row group of the store: a batch of this size takes some 150 MB.
CHUNK = 125_000
# Hands that each of the kernels takes in turn.
STRIDE = 2048
SEEDS = range(2**63)


def plan_run(
    *,
    seed: int,
    rules: str = "rablo",
    options: Mapping[str, Any] | None = None,
    players: str = "club",
    contract: str | None = None,
    trump: str | None = None,
) -> Run:
    """Return what a simulation is to play; raises `UltiError` for an unknown ruleset, option, policy, bid or seed.

    `players` names one policy for all, or one for each person at the table (three, or four where the dealer sits out).
    With a `contract` there is card play alone: forehand bids it whatever he holds, nobody answers or says kontra, and the
    policies lay, name trumps (unless `trump` names the suit) and play.

    >>> plan_run(seed=1, players="random").players
    ('random', 'random', 'random')
    """
    if seed not in SEEDS:
        raise UltiError(f"seed {seed} is out of range; a seed is a whole number from 0 to {SEEDS[-1]}")
    in_force = ruleset(rules, options)
    return Run(
        rules=in_force,
        preset=rules,
        options=dict(options) if options else None,
        players=parse_players(players, n_people=in_force.players),
        seed=seed,
        engine=ENGINE,
        **_given(in_force, contract, trump),
    )


def _given(rules: Ruleset, contract: str | None, trump: str | None) -> dict[str, Any]:
    """Return the contract and suit (0 to 3) that are given, checked."""
    if contract is None:
        if trump is not None:
            raise UltiError(f"trump '{trump}' needs a contract in which a suit is named")
        return {}
    if not rules.knows_bid(contract):
        raise UltiError(f"unknown bid '{contract}' under {rules.id}{nearest(contract, [bid.name for bid in rules.ladder])}")
    bid, table = rules.bid(contract), rule_table(rules)
    if not table.calls[FOLLOWS, 0] >> BID_IDS[bid.name] & 1:
        raise UltiError(f"forehand cannot open with {contract} under {rules.id}; give another contract")
    if rules.concede_simple == "mandatory" and bid.name == "simple":
        raise UltiError(f"simple must be conceded under {rules.id}; set concede_simple=off, or give another contract")
    if trump is None:
        return {"contract": bid.name}
    suits = table.flags[PLAIN_SUITS] if bid.form.trump_class == TrumpClass.PLAIN else 0
    right = [name for suit, name in enumerate(SUIT_NAMES) if suits >> suit & 1]
    if trump not in right:
        answer = f"right would be {', '.join(right)}" if right else "leave it out"
        raise UltiError(f"no trump suit '{trump}' can be named in {contract}; {answer}")
    return {"contract": bid.name, "trump": SUIT_NAMES.index(trump)}


def play_run(run: Run, first: int, end: int, batch: Batch | None = None) -> Iterator[tuple[int, Batch, int]]:
    """Yield hands `first` to `end - 1` of a run as (number of the first hand, batch, number of hands in it).

    Hand i is the same whatever the range or the size of the batches. A batch holds its hands until the next one is asked
    for, which is filled in its place, or in `batch`, whatever that holds: new memory for each took a tenth of the time.
    """
    table, batch = new_table(run), new_batch(min(CHUNK, end - first)) if batch is None else batch
    room = batch.meta.shape[1]
    while first < end:
        played = fill_batch(table, first, min(room, end - first), batch)
        yield first, batch, played
        first += played


class Table(NamedTuple):
    """A table ready to play: its rules, who sits at it, and room to work in; one for each thread."""

    rules: RuleTable
    policies: IntArray
    dealers: IntArray
    forehands: IntArray
    given: IntArray
    seed: int
    view: IntArray
    scratch: Scratch
    block: IntArray
    keys: Words


def new_table(run: Run) -> Table:
    """Return the table of a run."""
    seatings = run.seatings
    numbers = {name: POLICIES[policy] for name, policy in zip(run.names, run.players, strict=True)}
    given = -1 if run.contract is None else BID_IDS[run.contract]
    return Table(
        rule_table(run.rules),
        np.array([[numbers[name] for name in seating.players] for seating in seatings], np.int64),
        np.array([-1 if seating.dealer is None else seating.dealer for seating in seatings], np.int64),
        np.array([seating.forehand for seating in seatings], np.int64),
        np.array([given, -1 if run.trump is None else run.trump], np.int64),
        run.seed,
        np.zeros(N_VIEW, np.int64),
        new_scratch(),
        *new_block(),
    )


def fill_batch(table: Table, index: int, n_hands: int, batch: Batch) -> int:
    """Play `n_hands` hands of a seed from number `index` on into a batch, whatever it holds; return how many had room.

    Deal and auction, play, and result are three kernels; they take turns every few thousand hands, which then are still in
    the processor's cache.
    """
    rules, policies, dealers, forehands, given, seed, view, scratch, block, keys = table
    in_step = not policies.any()
    done = 0
    while done < n_hands:
        wanted, number = min(done + STRIDE, n_hands), index + done
        clear_hands(batch, done, wanted)
        seats = (rules, policies, dealers, forehands, given)
        end = int(bid_hands(*seats, seed, number, done, wanted, view, scratch, block, keys, batch))
        if in_step:
            end = int(play_in_step(rules, policies, given, seed, number, done, end, view, scratch, block, keys, batch))
        else:
            end = int(play_hands(rules, policies, given, seed, number, done, end, view, scratch, batch))
        finish_hands(rules, done, end, scratch, batch)
        done = end
        if end < wanted:
            break
    return done
