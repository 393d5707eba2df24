"""Can all named parts of a contract be made in one line of play?

The search for units answers it under a scale on which each named part is worth one unit and nothing else any: the most
units that can be forced are those of all parts exactly where they can be made together.
"""

from __future__ import annotations

import threading

import numpy as np

from ulti_stats.game.bids import N_PARTS
from ulti_stats.game.rule_table import NAMED, SILENT_DEFENDER, SILENT_SET, ULTI_PENALTY, VALUES, RuleTable, rule_table
from ulti_stats.game.rulesets import Bid, Ruleset
from ulti_stats.game.solver.position import Positions
from ulti_stats.game.solver.solve import Solver


def all_named(rules: Ruleset, positions: Positions, bid: Bid) -> np.ndarray:
    """Return [n] whether the declarer can make every named part of a bid at once with open cards.

    The positions are all of this bid; their kontra levels do not matter.
    """
    if not len(positions.bid):
        return np.zeros(0, bool)
    plain = positions._replace(levels=np.zeros_like(positions.levels), factor=np.ones_like(positions.factor))
    return _solver(rules).units(plain) == 2 * len(bid.form.parts)


_own = threading.local()


def _solver(rules: Ruleset) -> Solver:
    """Return this thread's solver on the scale of named parts; it keeps the one used last."""
    kept: dict[str, Solver] = _own.__dict__.setdefault("solvers", {})
    if rules.digest not in kept:
        kept.clear()
        solver = Solver(rules)
        solver.table = _scale(rule_table(rules))
        kept[rules.digest] = solver
    return kept[rules.digest]


def _scale(table: RuleTable) -> RuleTable:
    """Return the rules with one unit for each named part, and no silent bonuses and penalties."""
    flags, bids = table.flags.copy(), table.bids.copy()
    flags[[SILENT_SET, SILENT_DEFENDER, ULTI_PENALTY]] = 0
    for part in range(N_PARTS):
        bids[:, VALUES + part] = bids[:, NAMED] >> part & 1
    return table._replace(flags=flags, bids=bids)
