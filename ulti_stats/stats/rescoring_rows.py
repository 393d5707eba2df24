"""The same decisions under other rules, in bulk: stored rows replayed under both rules as batches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ulti_stats.game import batch as b
from ulti_stats.game.batch_replay import replay_batch
from ulti_stats.game.bids import N_BIDS
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import Ruleset, ruleset
from ulti_stats.game.verdicts import OPEN, REFUSALS, SETTLED
from ulti_stats.stats.population import Stratum, stratum_of
from ulti_stats.stats.rescoring import OPEN_THERE, reason_of
from ulti_stats.stats.tally import Session
from ulti_stats.store.unbatch import DECISIONS, FITS_A_BATCH, decode_batch

Array = NDArray[Any]

COLUMNS = tuple(dict.fromkeys((*DECISIONS, "ruleset", "options", "policies", "source", "session", "seed")))
# Hands that are rescored in bulk; of a simulated hand without a seed the record has to be read.
IN_BULK = f"({FITS_A_BATCH} AND (seed IS NOT NULL OR source IS DISTINCT FROM 'simulate'))"
REASONS = {OPEN: OPEN_THERE} | {verdict: reason_of(refusal.kind(refusal.words)) for verdict, refusal in REFUSALS.items()}


class Side(NamedTuple):
    """What hands came to under one of the two rules: `payoffs` [3, n], `units` of the declarer and `paid` for each component
    by both defenders [14, n], `outcome` [14, n], and which components are in play [14, n]."""

    payoffs: Array
    units: Array
    paid: Array
    outcome: Array
    in_play: Array


class Rescored(NamedTuple):
    """Hands of one stratum: how many are open under their own rules, and of the others the place of the session in
    `sessions` (-1: it stands alone) and the verdict under the other rules; behind that those that are legal and
    have a result there too.

    `legal` are places among the others; `contract` is a bid number, `N_BIDS` in a passed-out deal.
    """

    stratum: Stratum
    n_open: int
    sessions: tuple[Session, ...]
    session: Array
    verdicts: Array
    legal: Array
    contract: Array
    own: Side
    other: Side


def rescore_rows(tables: Iterable[pa.Table], rules: Ruleset) -> Iterator[Rescored]:
    """Yield the hands of stored rows (`COLUMNS` of those that are `IN_BULK`) under both rules, apart by stratum."""
    for rows in tables:
        numbers, named = _numbered(rows, ("ruleset", "options"))
        for number, (preset, options) in enumerate(named):
            own = ruleset(preset, None if options is None else json.loads(options))
            yield from _rescore(rows if len(named) == 1 else rows.filter(pa.array(numbers == number)), own, preset, rules)


def _rescore(rows: pa.Table, own: Ruleset, preset: str, other: Ruleset) -> Iterator[Rescored]:
    decisions = decode_batch(rows).batch
    mine, theirs = (replay_batch(rule_table(rules), decisions, len(rows)) for rules in (own, other))
    if (mine.verdicts > OPEN).any():
        kind, words = REFUSALS[int(mine.verdicts.max())]
        raise kind(f"a stored hand is not legal under its own rules, {preset} {own.digest[:8]}: {words}")
    session, sessions = _numbered(rows, ("source", "session"))
    alone = rows["seed"].is_valid().to_numpy() | rows["session"].is_null().to_numpy()
    session = np.where(alone, -1, session)
    numbers, policies = _numbered(rows, ("policies",))
    for number, (names,) in enumerate(policies):
        row = {"ruleset": preset, "ruleset_digest": own.digest, "is_simulated": names is not None, "policies": names}
        chosen = np.flatnonzero((numbers == number) & (mine.verdicts == SETTLED))
        verdicts = theirs.verdicts[chosen]
        legal = np.flatnonzero(verdicts == SETTLED)
        both = chosen[legal]
        declarer = mine.batch.meta[b.DECLARER, both]
        yield Rescored(
            stratum_of(row),
            int(np.count_nonzero(numbers == number)) - len(chosen),
            tuple(sessions),
            session[chosen],
            verdicts,
            legal,
            np.where(declarer < 0, N_BIDS, mine.batch.meta[b.BID, both]),
            _side(mine.batch, both),
            _side(theirs.batch, both),
        )


def _numbered(rows: pa.Table, names: tuple[str, ...]) -> tuple[Array, list[tuple[Any, ...]]]:
    """Return the number of each row's values in these columns, and the values by number."""
    codes, words = np.zeros(len(rows), np.int64), []
    for name in names:
        column = pa.chunked_array(rows[name].cast(pa.string()).chunks, pa.string()).combine_chunks()
        column = pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column
        found = column.dictionary_encode(null_encoding="encode")
        words.append(found.dictionary.to_pylist())
        codes = codes * max(1, len(words[-1])) + found.indices.to_numpy(zero_copy_only=False)
    kinds, numbers = np.unique(codes, return_inverse=True)
    values: list[tuple[Any, ...]] = []
    for kind in kinds.tolist():
        value: list[Any] = []
        for known in reversed(words):
            kind, place = divmod(kind, len(known))
            value.insert(0, known[place])
        values.append(tuple(value))
    return numbers, values


def _side(batch: b.Batch, chosen: Array) -> Side:
    payoffs, declarer = batch.payoffs[:, chosen].astype(np.int64), batch.meta[b.DECLARER, chosen]
    outcome = batch.outcome[:, chosen]
    paid = batch.units[:, 0, chosen].astype(np.int64) + batch.units[:, 1, chosen]
    units = np.where(declarer < 0, 0, np.choose(np.maximum(declarer, 0), payoffs))
    return Side(payoffs, units, paid, outcome, outcome >= 0)
