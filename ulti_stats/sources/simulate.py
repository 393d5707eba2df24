"""Simulation: hands of a seed, dealt and played by policies, in batches of any size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ulti_stats.errors import UltiError
from ulti_stats.game.batch import Batch, Run, new_batch
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import ruleset
from ulti_stats.sources.players import POLICIES, parse_players
from ulti_stats.sources.table import play_hands

# Part of a simulated hand's identity. Change it whenever the same seed would give other hands.
ENGINE = "1"
# Hands played at a time: a batch of this size takes some 60 MB.
CHUNK = 50_000
SEEDS = range(2**63)


def plan_run(*, seed: int, rules: str = "rablo", options: Mapping[str, Any] | None = None, players: str = "club") -> Run:
    """Return what a simulation is to play; raises `UltiError` for an unknown ruleset, option, policy or seed.

    `players` names one policy for all, or one for each person at the table (three, or four where the dealer sits out).

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
    )


def play_run(run: Run, first: int, end: int) -> Iterator[tuple[int, Batch, int]]:
    """Yield hands `first` to `end - 1` of a run as (number of the first hand, batch, number of hands in it).

    Hand i is the same whatever the range or the size of the batches.
    """
    table = rule_table(run.rules)
    seatings = run.seatings
    policies = np.array([[POLICIES[name] for name in seating.players] for seating in seatings], np.int64)
    dealers = np.array([-1 if seating.dealer is None else seating.dealer for seating in seatings], np.int64)
    forehands = np.array([seating.forehand for seating in seatings], np.int64)
    while first < end:
        wanted = min(CHUNK, end - first)
        batch = new_batch(wanted)
        played = int(play_hands(table, policies, dealers, forehands, run.seed, first, wanted, batch))
        yield first, batch, played
        first += played
