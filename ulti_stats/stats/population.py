"""Who is counted: the hands behind a report, apart by ruleset and by source, and what was left out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from ulti_stats.errors import QueryError
from ulti_stats.game.rulesets import Ruleset, nearest, ruleset
from ulti_stats.stats.selection import Query, Selection, Sent, Warehouse, ask, compose, fetch

TERMINATIONS = {"played": "played", "conceded": "conceded", "passed_out": "passed out", "abandoned": "abandoned"}


@dataclass(frozen=True, slots=True, order=True)
class Stratum:
    """What is never pooled: the rules in force, and recorded hands or hands of one set of policies."""

    ruleset: str
    digest: str
    source: str


@dataclass(frozen=True, slots=True)
class Population:
    """The selected hands of one stratum, by completeness level and by how they ended.

    `terminations` counts all of them, `levels` those that ended as the measure wants (`counted`); `differing` are hands
    whose claims differ from the replay.
    """

    stratum: Stratum
    options: Mapping[str, Any] = field(default_factory=dict)
    hands: int = 0
    counted: int = 0
    levels: Mapping[str, int] = field(default_factory=dict)
    terminations: Mapping[str, int] = field(default_factory=dict)
    differing: int = 0
    seeds: tuple[int, int] | None = None

    @property
    def rules(self) -> Ruleset:
        """Return the rules in force, from preset and options."""
        return ruleset(self.stratum.ruleset, self.options)


def stratum_of(row: Mapping[str, Any]) -> Stratum:
    """Return the stratum of a row that carries ruleset, ruleset_digest, is_simulated and policies."""
    return _stratum(row["ruleset"], row["ruleset_digest"], bool(row["is_simulated"]), row["policies"])


@cache
def _stratum(ruleset: str, digest: str, is_simulated: bool, policies: str | None) -> Stratum:
    if not is_simulated:
        return Stratum(ruleset, digest, "recorded")
    named = sorted({policy for policy in (policies or "").split(" / ") if policy})
    return Stratum(ruleset, digest, " ".join(["simulated", " + ".join(named)]).strip())


def count_population(
    warehouse: Warehouse, selection: Selection, *, view: str = "hands", counted: tuple[str, ...]
) -> tuple[dict[Stratum, Population], Query]:
    """Return the population by stratum, and the statement that counted it.

    `view` is where the condition makes sense, `counted` the terminations that the measure counts. Raises `QueryError`
    where `selection.rules` names none of the rulesets found.
    """
    where = selection.where
    if where and view != "hands":
        where = f"hand_id IN (SELECT hand_id FROM {view} WHERE (\n{where}\n))"
    query = compose("population", Selection(where=where), lone=warehouse.lone_values)
    found: dict[Stratum, Population] = {}
    for row in fetch(warehouse, query):
        stratum = stratum_of(row)
        found[stratum] = _with(found.get(stratum, Population(stratum)), row, counted)
    if selection.rules is not None:
        found = {stratum: one for stratum, one in found.items() if _is_named(stratum, selection.rules)} or _refuse(
            warehouse, selection.rules
        )
    return dict(sorted(found.items())), query


def count_beside(
    warehouse: Warehouse,
    selection: Selection,
    question: str,
    *,
    view: str,
    counted: tuple[str, ...],
) -> tuple[dict[Stratum, Population], Query, Sent]:
    """Return the population as `count_population` does, and another question that was sent meanwhile.

    It waits for the population where that says which rulesets it is about.
    """

    def send(digests: tuple[str, ...] | None) -> Sent:
        return ask(warehouse, compose(question, selection, digests=digests, lone=warehouse.lone_values))

    sent = send(None) if selection.rules is None else None
    populations, counting = count_population(warehouse, selection, view=view, counted=counted)
    return populations, counting, sent or send(chosen_digests(selection, populations))


def chosen_digests(selection: Selection, populations: Iterable[Stratum]) -> tuple[str, ...] | None:
    """Return the digests of the rulesets that a selection names and has hands of; None where it names none."""
    return None if selection.rules is None else tuple({stratum.digest for stratum in populations})


def individual_digests(populations: Mapping[Stratum, Population]) -> dict[str, list[str]]:
    """Return the digests of rules whose kontra binds its sayer only: always, and in no-trump games."""
    scopes = {stratum.digest: population.rules.kontra_scope for stratum, population in populations.items()}
    return {
        scope: sorted(digest for digest, found in scopes.items() if found == scope)
        for scope in ("individual", "individual_notrump")
    }


def _with(population: Population, row: Mapping[str, Any], counted: tuple[str, ...]) -> Population:
    hands, ended, level = row["hands"], row["termination"], row["level"]
    counts = hands if ended in counted else 0
    seeds = [seed for seed in (*(population.seeds or ()), row["first_seed"], row["last_seed"]) if seed is not None]
    return replace(
        population,
        options=json.loads(row["options"]) if row["options"] else {},
        hands=population.hands + hands,
        counted=population.counted + counts,
        levels={**population.levels, level: population.levels.get(level, 0) + counts},
        terminations={**population.terminations, ended: population.terminations.get(ended, 0) + hands},
        differing=population.differing + row["differing"],
        seeds=(min(seeds), max(seeds)) if seeds else None,
    )


def _is_named(stratum: Stratum, rules: str) -> bool:
    return stratum.ruleset == rules or (len(rules) >= 4 and stratum.digest.startswith(rules))


def _refuse(warehouse: Warehouse, rules: str) -> dict[Stratum, Population]:
    """Return nothing where the store knows these rules but no selected hand has them; raise `QueryError` else."""
    known = fetch(warehouse, Query("SELECT DISTINCT ruleset, ruleset_digest FROM hands", {}))
    if any(_is_named(Stratum(row["ruleset"], row["ruleset_digest"], ""), rules) for row in known):
        return {}
    names = sorted({row["ruleset"] for row in known})
    raise QueryError(f"--rules: no hands under '{rules}'{nearest(rules, names) if names else '; the store is empty'}")
