"""Sessions: running totals over a sitting, its end by the rules, and its winner (D2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ulti_stats.errors import QueryError
from ulti_stats.game.options import option_text
from ulti_stats.game.rulesets import Ruleset, nearest, ruleset
from ulti_stats.game.units import Unit, parse_unit
from ulti_stats.stats.population import Population, count_population
from ulti_stats.stats.selection import Query, Selection, Warehouse, compose, fetch

if TYPE_CHECKING:
    import pyarrow as pa

COUNTED = ("played", "conceded", "passed_out")
# Options that say how a sitting is settled, and nothing about how a hand is played.
SESSION_OPTIONS = ("session_deals", "session_target", "session_tiebreak_deals", "unit")
Row = Mapping[str, Any]


class Phase(StrEnum):
    """When a deal was played: in the sitting, in its tie-break, or after its end, where it counts no more."""

    regular = "regular"
    tie_break = "tie-break"
    after_end = "after the end"


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: what it brought each person, and where everybody stands after it.

    `units` and `totals` are in the order of `Session.people`. Units are None for who was not at the table and 0 for the
    fourth who sat out; totals are empty after the end.
    """

    number: int
    hand_id: str
    deal_no: int | None
    contract: str | None
    trump: str | None
    declarer: str | None
    sitting_out: str | None
    units: tuple[int | None, ...]
    totals: tuple[int, ...] = ()
    phase: Phase = Phase.regular


@dataclass(frozen=True, slots=True)
class Standing:
    """One person at the end: place from 1 (shared where totals are equal), units, and what they are worth."""

    place: int
    person: str
    units: int
    worth: str


@dataclass(frozen=True, slots=True)
class Session:
    """A sitting, deal by deal. `rules` are those of its hands, with the options by which it was settled.

    `ended_by` says which rule ended it, None where none did: then `is_open` tells a sitting that its rules would let go on
    from one without a set length. `left_out` counts deals that have no part in the totals, by reason.
    """

    name: str
    source: str | None
    population: Population
    rules: Ruleset
    people: tuple[str, ...]
    deals: tuple[Deal, ...]
    ended_by: str | None
    is_open: bool
    left_out: Mapping[str, int]
    queries: tuple[Query, ...]

    @property
    def unit(self) -> Unit:
        """Return what one unit is worth."""
        return parse_unit(self.rules.unit)

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the units of each person where the sitting ends, in the order of `people`."""
        counted = [deal.totals for deal in self.deals if deal.phase is not Phase.after_end]
        return counted[-1] if counted else (0,) * len(self.people)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Return everybody by place, most units first."""
        totals = self.totals
        order = sorted(range(len(totals)), key=lambda person: -totals[person])
        return tuple(
            Standing(
                1 + sum(other > totals[who] for other in totals), self.people[who], totals[who], self.unit.worth(totals[who])
            )
            for who in order
        )

    @property
    def winners(self) -> tuple[str, ...]:
        """Return who has most units: one person, or several where a tie stands. Of an open sitting: who leads."""
        return tuple(standing.person for standing in self.standings if standing.place == 1)

    def records(self) -> list[dict[str, Any]]:
        """Return one record per deal and person."""
        head = {
            "session": self.name,
            "ruleset": self.population.stratum.ruleset,
            "ruleset_digest": self.population.stratum.digest,
        }
        return [
            head
            | {"deal": deal.number, "deal_no": deal.deal_no, "hand_id": deal.hand_id, "contract": deal.contract}
            | {"declarer": deal.declarer, "player": person, "units": deal.units[who]}
            | {
                "total": deal.totals[who] if deal.totals else None,
                "sits_out": person == deal.sitting_out,
                "phase": deal.phase.value,
            }
            for deal in self.deals
            for who, person in enumerate(self.people)
        ]

    def to_arrow(self) -> pa.Table:
        """Return the records as an Arrow table."""
        import pyarrow as pa

        return pa.Table.from_pylist(self.records())

    def caption(self) -> str:
        """Return what a reader must know: measure, rules, hands counted and left out, and that totals are exact."""
        stratum, population = self.population.stratum, self.population
        settled = {name: value for name in SESSION_OPTIONS if (value := getattr(self.rules, name)) is not None}
        options = "".join(f", {option_text(name, value)}" for name, value in {**population.options, **settled}.items())
        n_counted = len(self.deals) - sum(deal.phase is Phase.after_end for deal in self.deals)
        parts = [
            "D2 session",
            f"{stratum.ruleset} {stratum.digest}{options}",
            stratum.source,
            "levels " + ", ".join(f"{level} {n}" for level, n in sorted(population.levels.items()) if n),
            f"{counted(n_counted)} counted",
            *(f"left out: {why} {n}" for why, n in self.left_out.items() if n),
            *([f"claims that differ {population.differing}"] if population.differing else []),
            "totals are exact; no interval",
        ]
        return " · ".join(parts)


def session_report(
    warehouse: Warehouse,
    name: str,
    *,
    source: str | None = None,
    rules: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Session:
    """Return a recorded sitting: every deal with units and running totals, its end and winner by its rules.

    People are the players' names, or seats where no deal names them. `options` settle it otherwise than its hands say:
    those of `SESSION_OPTIONS`. Raises `QueryError` for an unknown session, for one that two sources have (give `source`), for
    one under two rulesets (give `rules`: an id, or the start of a digest), and for another option.
    """
    chosen = _chosen_source(warehouse, name, source)
    where = f"NOT is_simulated AND session = {_quoted(name)} AND source IS NOT DISTINCT FROM {_quoted(chosen)}"
    populations, counting = count_population(warehouse, Selection(where=where, rules=rules), counted=COUNTED)
    population = _only(name, tuple(populations.values()), rules)
    in_force = _settling_rules(population, options or {})
    query = compose("session", Selection(where=where), digests=(population.stratum.digest,))
    rows, left_out = _usable(fetch(warehouse, query), of_four=in_force.players == 4)
    people = _people(rows)
    deals, ended_by = settle_session(in_force, [_deal(number, row, people) for number, row in enumerate(rows, 1)])
    has_length = in_force.session_deals is not None or in_force.session_target is not None
    return Session(
        name=name,
        source=chosen,
        population=population,
        rules=in_force,
        people=people,
        deals=deals,
        ended_by=ended_by,
        is_open=has_length and ended_by is None,
        left_out=left_out,
        queries=(counting, query),
    )


# finding the sitting ----------------------------------------------------------------------------------------------


def _chosen_source(warehouse: Warehouse, name: str, source: str | None) -> str | None:
    found = fetch(warehouse, Query("SELECT DISTINCT session, source FROM hands WHERE session IS NOT NULL ORDER BY ALL", {}))
    sources = [row["source"] for row in found if row["session"] == name]
    if not sources:
        names = sorted({row["session"] for row in found})
        raise QueryError(f"--session: no session '{name}'{nearest(name, names) if names else '; no hand of the store has one'}")
    if source is not None:
        if source not in sources:
            raise QueryError(f"--source: session '{name}' has no source '{source}'{nearest(source, _names(sources))}")
        return source
    if len(sources) > 1:
        raise QueryError(f"session '{name}' is in {len(sources)} sources: {', '.join(_names(sources))}; choose one with --source")
    return sources[0]


def _names(sources: list[str | None]) -> list[str]:
    return [source or "(none given)" for source in sources]


def _only(name: str, populations: Sequence[Population], rules: str | None) -> Population:
    if len(populations) == 1:
        return populations[0]
    if not populations:
        raise QueryError(f"--rules: session '{name}' has no hands under '{rules}'")
    found = ", ".join(f"{each.stratum.ruleset} {each.stratum.digest[:8]} ({counted(each.hands, 'hand')})" for each in populations)
    raise QueryError(f"session '{name}' was played under {len(populations)} rulesets: {found}; choose one with --rules")


def _settling_rules(population: Population, options: Mapping[str, Any]) -> Ruleset:
    for option in options:
        if option not in SESSION_OPTIONS:
            known = f"{', '.join(SESSION_OPTIONS[:-1])} and {SESSION_OPTIONS[-1]}"
            raise QueryError(f"option {option} cannot be changed after the hands were played; {known} can")
    return ruleset(population.stratum.ruleset, {**population.options, **options})


def _quoted(text: str | None) -> str:
    return "NULL" if text is None else "'" + text.replace("'", "''") + "'"


# deals and people -------------------------------------------------------------------------------------------------


def _usable(rows: Sequence[Row], *, of_four: bool) -> tuple[list[Row], dict[str, int]]:
    """Return the rows that have a part in the totals, and how many have none, by reason.

    Where some deals name their people, or a fourth sits out in turn, a seat is no person: deals without names are left out.
    """
    by_name = of_four or any(_is_named(row) or row["sitting_out"] for row in rows)
    kept, left_out = [], {"abandoned": 0, "payoffs unknown": 0, "names missing": 0}
    for row in rows:
        if row["termination"] not in COUNTED:
            left_out["abandoned"] += 1
        elif row["payoff_0"] is None:
            left_out["payoffs unknown"] += 1
        elif by_name and not _is_named(row):
            left_out["names missing"] += 1
        else:
            kept.append(row)
    return kept, left_out


def _is_named(row: Row) -> bool:
    """Return whether a deal tells its people apart by name."""
    names = [row["player_0"], row["player_1"], row["player_2"], *([row["sitting_out"]] if row["sitting_out"] else [])]
    return all(names) and len(set(names)) == len(names)


def _seated(row: Row) -> tuple[str, str, str]:
    return (row["player_0"], row["player_1"], row["player_2"]) if _is_named(row) else ("seat 0", "seat 1", "seat 2")


def _people(rows: Iterable[Row]) -> tuple[str, ...]:
    """Return everybody in the order of coming to the table."""
    found: dict[str, None] = {}
    for row in rows:
        found |= dict.fromkeys(_seated(row))
        if row["sitting_out"] and _is_named(row):
            found[row["sitting_out"]] = None
    return tuple(found)


def _deal(number: int, row: Row, people: tuple[str, ...]) -> Deal:
    seated = _seated(row)
    units = dict(zip(seated, (row["payoff_0"], row["payoff_1"], row["payoff_2"]), strict=True))
    fourth = row["sitting_out"] if _is_named(row) else None
    if fourth is not None:
        units[fourth] = 0
    return Deal(
        number=number,
        hand_id=row["hand_id"],
        deal_no=row["deal_no"],
        contract=row["contract"],
        trump=row["trump"],
        declarer=None if row["declarer"] is None else seated[row["declarer"]],
        sitting_out=fourth,
        units=tuple(units.get(person) for person in people),
    )


# totals and the end -----------------------------------------------------------------------------------------------


def settle_session(rules: Ruleset, deals: Sequence[Deal]) -> tuple[tuple[Deal, ...], str | None]:
    """Return the deals with totals and phase, and which rule ended the sitting (None: none did).

    It ends after `session_deals` deals or when somebody has `session_target` units. Where two or more lead then,
    `session_tiebreak_deals` more are played, again and again until one leads; without that option the tie stands. A deal
    that nobody bid on counts as one, unless the same dealer deals again (`all_pass=redeal_same`).
    """
    settled: list[Deal] = []
    totals = (0,) * (len(deals[0].units) if deals else 0)
    n_played, ends_at, reached, n_reached, ended_by = 0, rules.session_deals, "", 0, None
    for deal in deals:
        if ended_by is not None:
            settled.append(replace(deal, phase=Phase.after_end))
            continue
        totals = tuple(total + (units or 0) for total, units in zip(totals, deal.units, strict=True))
        n_played += deal.contract is not None or rules.all_pass != "redeal_same"
        settled.append(replace(deal, totals=totals, phase=Phase.tie_break if reached else Phase.regular))
        has_target = not reached and rules.session_target is not None and max(totals) >= rules.session_target
        if not has_target and (ends_at is None or n_played < ends_at):
            continue
        if not reached:
            reached, n_reached = f"{rules.session_target} units" if has_target else counted(n_played), n_played
        if rules.session_tiebreak_deals is None or totals.count(max(totals)) == 1:
            n_more = n_played - n_reached
            ended_by = f"{reached} and {counted(n_more, 'tie-break deal')}" if n_more else reached
        else:
            ends_at = n_played + rules.session_tiebreak_deals
    return tuple(settled), ended_by


def counted(number: int, word: str = "deal") -> str:
    """Return a number of things in words.

    >>> counted(1), counted(3, "tie-break deal")
    ('1 deal', '3 tie-break deals')
    """
    return f"{number} {word}{'' if number == 1 else 's'}"
