"""Hands with one decision changed, most of them into an illegal one."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from ulti_stats.game.bids import BID_NAMES, PART_TEXTS
from ulti_stats.game.history import PASS, Call, HandHistory, Kontra
from ulti_stats.game.rulesets import Ruleset


def with_forehand(history: HandHistory, rules: Ruleset) -> HandHistory:
    """Return a hand that names its forehand in place of its dealer."""
    forehand = history.forehand if history.dealer is None else rules.first_speaker(history.dealer)
    return replace(history, dealer=None, forehand=forehand)


def tampered(history: HandHistory, rng: random.Random) -> HandHistory:
    """Return a hand with one decision changed."""
    calls, plays, kontras = list(history.auction or ()), list(history.plays or ()), list(history.kontras or ())
    place, other = (rng.randrange(max(1, len(plays))) for _ in range(2))
    call = rng.randrange(len(calls))
    match rng.choice(("card", "swap", "twice", "end", "call", "calls", "kontra", "deal", "else")):
        case "card" if plays:
            plays[place] = rng.randrange(32)
        case "swap" if plays:
            plays[place], plays[other] = plays[other], plays[place]
        case "twice" if plays:
            plays[place] = plays[other]
        case "end":
            plays = plays[: rng.randrange(len(plays) + 1)]
        case "call":
            calls[call] = changed_call(calls[call], rng)
        case "calls":
            rng.choice((lambda: calls.pop(call), lambda: calls.insert(call, Call(rng.randrange(3), PASS))))()
        case "kontra":
            step = Kontra(rng.randrange(3), rng.choice(PART_TEXTS), rng.choice((None, None, 0, 1, 2)), rng.randrange(5))
            kontras.insert(rng.randrange(len(kontras) + 1), step)
        case "deal":
            return changed_deal(history, rng)
        case _:
            return replace(history, **changed_settling(history, rng))
    return replace(history, auction=tuple(calls), plays=tuple(plays), kontras=tuple(kontras))


def changed_call(call: Call, rng: random.Random) -> Call:
    two = sum(1 << card for card in rng.sample(range(32), 2))
    changes: list[dict[str, Any]] = [
        {"seat": rng.randrange(3)},
        {"bid": rng.choice(BID_NAMES)},
        {"bid": PASS},
        {"bid": PASS, "discard": None},
        {"trump": rng.randrange(4)},
        {"discard": None},
        {"discard": two},
        {"discard": (call.discard or 0) | 1},
        {"hold": not call.hold},
        {"round": 3 - call.round},
    ]
    return replace(call, **rng.choice(changes))


def changed_deal(history: HandHistory, rng: random.Random) -> HandHistory:
    first, second, third = history.hands or (0, 0, 0)
    low = first & -first
    five = tuple(hand & (1 << rng.randrange(28, 33)) - 1 for hand in (first, second, third))
    changes: list[dict[str, Any]] = [
        {"hands": (first ^ low, second, third)},
        {"hands": (first ^ low, second | low, third)},
        {"hands": (first, second ^ (second & -second) | low, third)},
        {"hands": (first, first, third)},
        {"talon": 0},
        {"talon": (history.talon or 0) | low},
        {"five": five},
        {"five": None},
        {"forehand": rng.randrange(3)},
    ]
    return replace(history, **rng.choice(changes))


def changed_settling(history: HandHistory, rng: random.Random) -> dict[str, Any]:
    changes: list[dict[str, Any]] = [
        {"trump": rng.randrange(4)},
        {"trump": None},
        {"trump": None, "plays": ()},
        {"discard": rng.choice((None, history.talon, 3, 7))},
        {"conceded": not history.conceded},
        {"conceded": True, "plays": ()},
        {"conceded": True, "plays": (), "kontras": ()},
        {"conceded": None},
        {"conceded": None, "plays": (rng.randrange(32),)},
    ]
    return rng.choice(changes)
