"""The same decisions under other rules: each stored hand replayed, what is illegal there with its reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ulti_stats.errors import (
    IllegalBid,
    IllegalCard,
    IllegalDeal,
    IllegalKontra,
    IllegalMarriage,
    UltiError,
)
from ulti_stats.game.history import HandHistory
from ulti_stats.game.replay import replay
from ulti_stats.game.result import Replay
from ulti_stats.game.rulesets import Ruleset
from ulti_stats.stats.population import Stratum, stratum_of

# What is wrong with a hand under other rules, in the words of a table.
_REASONS: tuple[tuple[type[UltiError], str, str], ...] = (
    (IllegalDeal, "", "deal: other cards are needed"),
    (IllegalBid, "unknown bid", "auction: a bid that these rules do not know"),
    (IllegalBid, "does not overbid", "auction: a bid that is not higher"),
    (IllegalBid, "(turn|over;|breaks off|has to speak)", "auction: another order of calls or another end"),
    (IllegalBid, "(discard|laid|talon)", "auction: another way to take the talon"),
    (IllegalBid, "must bid", "auction: the first hand must bid"),
    (IllegalBid, "", "auction: a call that is not allowed"),
    (IllegalKontra, "", "kontra: a step that is not allowed"),
    (IllegalMarriage, "", "marriage: not allowed, or not at that moment"),
    (IllegalCard, "", "play: a card against the duties of play"),
    (UltiError, "^(discard|trump|conceded|plays)", "settling: discard, trump or concession"),
    (UltiError, "", "something else"),
)
# Legal, but the play stopped where the other rules go on, so that nobody knows what it would have paid.
OPEN_THERE = "result not known there: the play stopped early"
UNKNOWN = "result not known from cards (deal only, score sheet, or broken off)"


@dataclass(frozen=True, slots=True)
class Pair:
    """One hand under its own rules and under the others; `other` is None where `reason` says what is illegal."""

    stratum: Stratum
    session: tuple[str | None, str] | None
    own: Replay
    other: Replay | None
    reason: str = ""


def reason_of(error: UltiError) -> str:
    """Return why a hand cannot be played under other rules, as a short class of reasons.

    >>> reason_of(IllegalBid("call 1, seat 0: unknown bid 'four_aces' under hungarian"))
    'auction: a bid that these rules do not know'
    """
    return next(reason for kind, words, reason in _REASONS if isinstance(error, kind) and re.search(words, str(error)))


def rescore_hand(history: HandHistory, own: Replay, rules: Ruleset) -> Replay:
    """Return the replay of a hand's decisions under other rules; raises the `UltiError` of the first that is illegal.

    Forehand stays who he was: other rules may derive another one from the dealer. Claims are left aside.
    """
    moved = replace(history.without_claims(), dealer=None, forehand=own.forehand, sitting_out=history.sitting_out)
    return replay(moved, rules=rules)


def rescore_hands(histories: Iterator[HandHistory], rules: Ruleset, unknown: Counter[Stratum]) -> Iterator[Pair]:
    """Yield each hand with its result under both rules; hands without a result from cards are counted in `unknown`."""
    for history in histories:
        own = replay(history)
        stratum = _stratum(history, own)
        if own.level != "full" or own.payoffs is None:
            unknown[stratum] += 1
            continue
        session = None if history.session is None or history.simulated else (history.source, history.session)
        try:
            other = rescore_hand(history, own, rules)
        except UltiError as error:
            yield Pair(stratum, session, own, None, reason_of(error))
            continue
        known = other.payoffs is not None
        yield Pair(stratum, session, own, other if known else None, "" if known else OPEN_THERE)


def _stratum(history: HandHistory, own: Replay) -> Stratum:
    return stratum_of(
        {
            "ruleset": history.ruleset,
            "ruleset_digest": own.rules.digest,
            "is_simulated": history.simulated is not None,
            "policies": " / ".join(history.players or ()),
        }
    )
