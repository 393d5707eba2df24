"""Simulated hands against the slow reference: every card, marriage, component and payoff of a batch once more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests import reference
from ulti_stats.game import batch as b
from ulti_stats.game.batch import Batch
from ulti_stats.game.bids import BID_NAMES, COMPONENT_TEXTS, PART_TEXTS
from ulti_stats.game.cards import CARD_TEXTS, cards_of
from ulti_stats.game.rulesets import Ruleset
from ulti_stats.sources.simulate import plan_run, play_run


def simulate(
    n_hands: int, *, seed: int = 1, rules: str = "rablo", options: Any = None, players: str = "random", **given: str
) -> tuple[Batch, int]:
    """Return the first hands of a seed as one batch, and how many there are."""
    run = plan_run(seed=seed, rules=rules, options=options, players=players, **given)
    ((_, batch, played),) = play_run(run, 0, n_hands)
    assert played == n_hands
    return batch, played


@dataclass(frozen=True)
class Hand:
    """One simulated hand in words."""

    number: int
    bid: str
    declarer: int
    conceded: bool
    trump: str | None
    leader: int
    factor: int
    hands: list[set[str]]  # by seat, at the start of play
    laid: set[str]
    plays: list[str]
    marriages: list[tuple[int, int, int]]
    outcome: dict[str, str]
    units: dict[str, tuple[int, int]]
    levels: dict[str, tuple[int, int]]
    payoffs: tuple[int, ...]


def hands_of(batch: Batch, n_hands: int, rules: Ruleset) -> Iterator[Hand]:
    """Yield every hand that somebody played or conceded."""
    for n in range(n_hands):
        if batch.meta[b.DECLARER, n] >= 0:
            yield _hand(batch, n, rules)


def _texts(mask: int) -> set[str]:
    return {CARD_TEXTS[card] for card in cards_of(int(mask))}


def _hand(batch: Batch, n: int, rules: Ruleset) -> Hand:
    meta = [int(value) for value in batch.meta[:, n]]
    declarer = meta[b.DECLARER]
    by_role = [_texts(batch.masks[b.AT_PLAY + role, n]) for role in range(3)]
    scored = [number for number in range(len(COMPONENT_TEXTS)) if batch.outcome[number, n] >= 0]
    return Hand(
        number=n,
        bid=BID_NAMES[meta[b.BID]],
        declarer=declarer,
        conceded=meta[b.TERMINATION] == b.CONCEDED,
        trump=None if meta[b.TRUMP] not in range(4) else "ALHB"[meta[b.TRUMP]],
        leader=meta[b.FOREHAND] if rules.first_lead == "forehand" else declarer,
        factor=meta[b.FACTOR],
        hands=[by_role[(seat - declarer) % 3] for seat in range(3)],
        laid=_texts(batch.masks[b.LAID, n]),
        plays=[CARD_TEXTS[card] for card in batch.plays[: meta[b.N_PLAYED], n]],
        marriages=[tuple(map(int, row)) for row in batch.marriages[:, batch.marriage_start[n] : batch.marriage_start[n + 1]].T],
        outcome={COMPONENT_TEXTS[number]: "made" if batch.outcome[number, n] == 1 else "failed" for number in scored},
        units={COMPONENT_TEXTS[number]: (int(batch.units[number, 0, n]), int(batch.units[number, 1, n])) for number in scored},
        levels={part: (int(pair[0]), int(pair[1])) for part, pair in zip(PART_TEXTS, batch.levels[:, :, n], strict=True)},
        payoffs=tuple(map(int, batch.payoffs[:, n])),
    )


def check_hand(hand: Hand, rules: Ruleset) -> None:
    """Assert that the reference finds the same."""
    where = (hand.number, hand.bid)
    if hand.conceded:
        assert hand.payoffs == reference.concession(rules, declarer=hand.declarer, factor=hand.factor), where
        return
    bid = reference.bid_of(rules, hand.bid)
    play = reference.play(rules, bid, hand.trump, hand.hands, hand.plays, declarer=hand.declarer, leader=hand.leader)
    assert play.illegal == [], where
    marriages = _marriages(hand, rules, bid, play)
    assert sorted(hand.marriages) == sorted(marriages), where
    declared = [((seat - hand.declarer) % 3, "ALHB"[suit]) for seat, suit, _ in marriages]
    made = reference.outcome(rules, bid, hand.trump, play, hand.laid, declared, hand.hands[hand.declarer])
    assert hand.outcome == {name: result for name, result in made.items() if name not in ("dropped", "seven")}, where
    units = reference.units(rules, bid, made, hand.levels, factor=hand.factor)
    assert hand.units == units, where
    assert hand.payoffs == reference.payoffs(rules, made, units, declarer=hand.declarer), where


def _marriages(hand: Hand, rules: Ruleset, bid: reference.Bid, play: reference.Play) -> list[tuple[int, int, int]]:
    """Return (seat, suit, card) of the marriages that are declared at the first moment allowed."""
    found = []
    cards = [(role, 3 * trick + place) for trick, roles in enumerate(play.players) for place, role in enumerate(roles)]
    for role in range(3):
        seat = (hand.declarer + role) % 3
        own = [(number, hand.plays[number]) for each, number in cards if each == role]
        for suit in reference.declarable(rules, bid, hand.trump, hand.hands[seat], is_declarer=role == 0):
            moment = reference.moment(rules, suit, own)
            if moment is not None:
                found.append((seat, "ALHB".index(suit), moment))
    return found
