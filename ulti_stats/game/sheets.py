"""Score sheets: hands of which only contract, kontra levels and result were written down."""

from __future__ import annotations

import numpy as np

from ulti_stats.errors import ClaimError, IllegalDecision, IllegalKontra
from ulti_stats.game.auction import trump_problem
from ulti_stats.game.bids import N_PARTS, PART_TEXTS, TrumpClass
from ulti_stats.game.cards import Suit
from ulti_stats.game.claims import claimed_result, differences
from ulti_stats.game.history import HandHistory
from ulti_stats.game.kontra import kontra_is_individual
from ulti_stats.game.result import Replay
from ulti_stats.game.rule_table import IntArray, rule_table
from ulti_stats.game.rulesets import Bid, Ruleset, nearest
from ulti_stats.game.scoring import conceded_score


def replay_sheet(history: HandHistory, rules: Ruleset) -> Replay:
    """Return what a score sheet settles: results, levels and payoffs, never anything about cards.

    Raises `IllegalDecision` or `ClaimError` where the sheet contradicts the rules or itself.
    """
    if history.declarer is None or history.contract is None:
        raise ClaimError("a score sheet needs declarer and contract")
    bid = rules.bid(history.contract)
    if history.trump is not None and (problem := trump_problem(rules, bid, history.trump)):
        raise IllegalDecision(f"trump: {problem}")
    if history.conceded:
        check_concession(rules, bid)
    table = rule_table(rules)
    levels = sheet_levels(history, rules, bid)
    if history.conceded:
        if levels.any():
            raise IllegalKontra("a conceded game has no kontra")
        components, payoffs = conceded_score(table, bid.number, declarer=history.declarer)
        if history.payoffs is not None and history.payoffs != payoffs:
            raise ClaimError(f"payoffs {list(history.payoffs)} are not those of a concession: {list(payoffs)}")
        claims = differences(components, payoffs, claimed_outcome=history.outcome, claimed_payoffs=history.payoffs)
    else:
        factors = (1, rules.round1_factor) if rules.two_round_auction else (1,)
        components, payoffs = claimed_result(
            table,
            bid,
            levels,
            declarer=history.declarer,
            outcome=history.outcome,
            payoffs=history.payoffs,
            factors=factors,
        )
        claims = ()
    in_hearts = bid.form.trump_class is TrumpClass.HEARTS or (bid.has_trumps and rules.hearts_always_trump)
    return Replay(
        rules=rules,
        level="sheet",
        termination="conceded" if history.conceded else "abandoned" if history.abandoned else "played",
        declarer=history.declarer,
        contract=bid,
        trump=Suit.HEARTS if in_hearts else history.trump,
        components=components,
        payoffs=payoffs,
        disagreements=claims,
    )


def check_concession(rules: Ruleset, bid: Bid) -> None:
    """Raise `IllegalDecision` where a contract may not be conceded: only a simple game in a plain suit (row 65)."""
    if rules.concede_simple == "off":
        raise IllegalDecision(f"conceded: nothing is conceded under {rules.id} (concede_simple=off); play it out")
    if bid.name != "simple":
        raise IllegalDecision(f"conceded: only a simple game in a plain suit is conceded, not {bid.name}")


def sheet_levels(history: HandHistory, rules: Ruleset, bid: Bid) -> IntArray:
    """Return the kontra levels [7, 2] of a sheet; one number in an individual game means both defenders."""
    levels = np.zeros((N_PARTS, 2), np.int64)
    names = [component.text for component in bid.components]
    for name, level in (history.kontra_levels or {}).items():
        if name not in names:
            raise IllegalKontra(f"kontra_levels: {name} is no part of {bid.name}{nearest(name, names)}")
        pair = level if isinstance(level, tuple) else (level, level)
        if pair[0] != pair[1] and not kontra_is_individual(rules, bid):
            raise IllegalKontra(f"kontra_levels: {name} is kontra'd jointly here; {list(pair)} are two levels")
        if not all(0 <= step <= rules.kontra_max_level for step in pair):
            raise IllegalKontra(f"kontra_levels: {name} at {list(pair)}; levels go from 0 to {rules.kontra_max_level}")
        levels[PART_TEXTS.index(name)] = pair
    return levels
