"""One deal that many tests share, and ways to write auctions, plays and facts that one can read.

seat 0   AA AT AK AO A7 HA HT LA B9 B8   the trump pair in acorns
seat 1   A8 AU LT LO L8 HK HO H7 BA BU   a pair in hearts
seat 2   A9 LK LU L9 HU H9 H8 BT BK BO   a pair in bells
talon    L7 B7
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tests import reference
from ulti_stats.game import play
from ulti_stats.game.auction import Auction, make_call, start_auction
from ulti_stats.game.bids import PART_TEXTS
from ulti_stats.game.cards import CARD_TEXTS, SUIT_NAMES, cards_of, parse_card_list, parse_cards
from ulti_stats.game.history import PASS, Call, HandHistory, Kontra, Marriage
from ulti_stats.game.replay import replay
from ulti_stats.game.result import Replay
from ulti_stats.game.rule_table import rule_table
from ulti_stats.game.rulesets import Ruleset, ruleset
from ulti_stats.game.scoring import N_OUTCOME, judge, score

Scored = tuple[dict[str, tuple[int, int]], tuple[int, int, int]]
HANDS = ("AA AT AK AO A7 HA HT LA B9 B8", "A8 AU LT LO L8 HK HO H7 BA BU", "A9 LK LU L9 HU H9 H8 BT BK BO")
TALON = "L7 B7"
MASKS = (parse_cards(HANDS[0]), parse_cards(HANDS[1]), parse_cards(HANDS[2]))


def texts(mask: int) -> set[str]:
    """Return the cards of a mask as texts."""
    return {CARD_TEXTS[card] for card in cards_of(int(mask))}


def call(words: str) -> Call:
    """Return a call written as `0 ulti L7 B7`, `1 pass`, `0 hold ulti`, `2 ulti in bells`, `1 ulti round 1`."""
    seat, *rest = words.split()
    found = Call(int(seat), PASS)
    while rest:
        word = rest.pop(0)
        if word == "hold":
            found = replace(found, hold=True)
        elif word == "in":
            found = replace(found, trump=SUIT_NAMES.index(rest.pop(0)))
        elif word == "round":
            found = replace(found, round=int(rest.pop(0)))
        elif word in CARD_TEXTS:
            found = replace(found, discard=parse_cards(f"{word} {rest.pop(0)}"))
        else:
            found = replace(found, bid=word)
    return found


def auction(rules: Ruleset, *calls: str, forehand: int = 0) -> Auction:
    """Return the auction on the shared deal after these calls."""
    state = start_auction(rules, forehand=forehand, hands=MASKS, talon=parse_cards(TALON))
    for words in calls:
        state = make_call(state, call(words))
    return state


def history(*calls: str, preset: str = "rablo", options: dict[str, Any] | None = None, **given: Any) -> HandHistory:
    """Return a hand on the shared deal; `plays`, `discard` and `trump` may be texts."""
    for name, parse in (("plays", parse_card_list), ("discard", parse_cards), ("trump", SUIT_NAMES.index)):
        if isinstance(given.get(name), str):
            given[name] = parse(given[name])
    if isinstance(given.get("hands"), tuple) and isinstance(given["hands"][0], str):
        given["hands"] = tuple(parse_cards(hand) for hand in given["hands"])
    if isinstance(given.get("talon"), str):
        given["talon"] = parse_cards(given["talon"])
    base: dict[str, Any] = {"hands": MASKS, "talon": parse_cards(TALON), "forehand": 0}
    return HandHistory(ruleset=preset, options=options, auction=tuple(call(words) for words in calls), **(base | given))


def bid_alone(bid: str, rules: Ruleset, *, discard: str = TALON) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return calls and keys of a hand that forehand, seat 0, wins with his first bid."""
    passes = ["1 pass", "2 pass", "0 pass"] if rules.auction_end == "all_incl_holder" else ["1 pass", "2 pass"]
    lays = f" {discard}" if rules.talon_mode in ("rob", "rob_optional") else ""
    after = {"discard": discard} if rules.talon_mode == "winner_takes" else {}
    return (f"0 {bid}{lays}", *passes), after


def played(
    bid: str,
    plays: str = "",
    *,
    preset: str = "rablo",
    options: dict[str, Any] | None = None,
    trump: str | None = "acorns",
    discard: str = TALON,
    finish: bool = True,
    **given: Any,
) -> HandHistory:
    """Return a hand of the shared deal in which seat 0 plays a bid: these cards first, then the lowest legal ones."""
    rules = ruleset(preset, options)
    calls, after = bid_alone(bid, rules, discard=discard)
    hand = history(*calls, preset=preset, options=options, trump=trump, **(after | given))
    cards = plays.split()
    if finish:
        cards = finished(hand, rules, cards)
    return replace(hand, plays=parse_card_list(" ".join(cards)))


def finished(hand: HandHistory, rules: Ruleset, cards: list[str]) -> list[str]:
    """Return all thirty cards: those given, then for every seat the lowest legal one."""
    start = replay(replace(hand, plays=(), kontras=None, marriages=None), rules=rules)
    assert start.hands is not None
    assert start.declarer is not None
    assert start.contract is not None
    bid = reference.bid_of(rules, start.contract.name)
    trump = None if start.trump is None else "ALHB"[start.trump]
    left = [texts(mask) for mask in start.hands]
    seat = start.forehand if rules.first_lead == "forehand" else start.declarer
    found: list[str] = []
    trick: list[str] = []
    seats: list[int] = []
    while len(found) < 30:
        assert seat is not None
        legal = reference.legal_cards(
            rules, bid, trump, left[seat], trick, is_declarer=seat == start.declarer, number=len(found) // 3 + 1
        )
        card = cards[len(found)] if len(found) < len(cards) else min(legal, key=_height)
        left[seat].discard(card)
        found.append(card)
        trick.append(card)
        seats.append(seat)
        seat = (seat + 1) % 3
        if len(trick) == 3:
            seat = seats[trick.index(reference.winning_card(rules, trump, trick))]
            trick, seats = [], []
    return found


def _height(card: str) -> tuple[int, str]:
    return "789UOKTA".index(card[1]), card[0]


def results(found: Replay) -> dict[str, str]:
    """Return `made` or `failed` by component."""
    return {part.component: "made" if part.made else "failed" for part in found.components if part.made is not None}


def facts_of(
    *,
    points: tuple[int, int] = (50, 40),
    pair: tuple[int, int] = (0, 0),
    side: tuple[int, int] = (0, 0),
    talon: int = 0,
    seven: tuple[str, bool] | None = None,
    seven_of: tuple[int, bool] | None = None,
    tricks: tuple[int, int, int] = (5, 3, 2),
    aces: tuple[int, int] = (1, 1),
    own_aces: int = 2,
    factor: int = 1,
) -> np.ndarray:
    """Return the facts array of a play; unless said otherwise no silent condition is met."""
    facts = np.zeros(play.N_FACTS, np.int64)
    facts[play.TRICKS : play.TRICKS + 3] = tricks
    facts[play.N_TRICKS] = sum(tricks)
    facts[play.TRICK_POINTS : play.TRICK_POINTS + 2] = points
    facts[play.TALON_POINTS] = talon
    for who in (0, 1):
        facts[play.MARRIAGE_POINTS + who] = 40 * pair[who] + 20 * side[who]
        facts[play.DECLARED + who] = (pair[who] > 0) + 2 * (side[who] > 0)
    facts[play.HELD] = (pair[0] > 0) + 2 * (side[0] > 0)
    facts[play.ACE_TRICKS : play.ACE_TRICKS + 3] = (own_aces, *aces)
    # Without a word of the seven the first defender has played it to an earlier trick.
    facts[play.SEVEN_HOLDER], facts[play.SEVEN_TRICK] = (0, 9) if seven else (1, 4)
    facts[play.LAST_WINNER] = 0 if seven is None or seven[1] else 2
    if seven_of:
        role, wins = seven_of
        facts[play.SEVEN_HOLDER], facts[play.SEVEN_TRICK], facts[play.LAST_WINNER] = role, 9, role if wins else 0
    return facts


def judged(rules: Ruleset, bid: str, levels: dict[str, tuple[int, int]] | None = None, **facts: Any) -> Scored:
    """Return units by component and payoffs of a bid played by seat 0, for the facts of a play."""
    table, number = rule_table(rules), rules.bid(bid).number
    outcome, heights = np.zeros(N_OUTCOME, np.int64), np.zeros((7, 2), np.int64)
    judge(table, number, facts_of(**facts), outcome)
    for part, pair in (levels or {}).items():
        heights[PART_TEXTS.index(part)] = pair
    components, payoffs = score(table, number, outcome, heights, declarer=0, factor=facts.get("factor", 1))
    return {part.component: part.units for part in components if part.units is not None}, payoffs


def kontra(words: str) -> Kontra:
    """Return a kontra written as `1 ulti`, `0 betli against 2`, `1 simple after 2`."""
    seat, component, *rest = words.split()
    keys = dict(zip(rest[::2], map(int, rest[1::2]), strict=True))
    return Kontra(int(seat), component, keys.get("against"), keys.get("after", 0))


def marriage(words: str) -> Marriage:
    """Return a marriage written as `0 acorns 0`: seat, suit, number of the card."""
    seat, suit, play = words.split()
    return Marriage(int(seat), SUIT_NAMES.index(suit), int(play))
