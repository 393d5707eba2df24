"""One deal that many tests share, and ways to write auctions, plays and facts that one can read.

seat 0   AA AT AK AO A7 HA HT LA B9 B8   the trump pair in acorns
seat 1   A8 AU LT LO L8 HK HO H7 BA BU   a pair in hearts
seat 2   A9 LK LU L9 HU H9 H8 BT BK BO   a pair in bells
talon    L7 B7
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests import reference
from ulti_stats.game.auction import Auction, make_call, start_auction
from ulti_stats.game.cards import CARD_TEXTS, SUIT_NAMES, cards_of, parse_card_list, parse_cards
from ulti_stats.game.history import PASS, Call, HandHistory, Kontra, Marriage
from ulti_stats.game.replay import replay
from ulti_stats.game.result import Replay
from ulti_stats.game.rulesets import Ruleset, ruleset

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


def kontra(words: str) -> Kontra:
    """Return a kontra written as `1 ulti`, `0 betli against 2`, `1 simple after 2`."""
    seat, component, *rest = words.split()
    keys = dict(zip(rest[::2], map(int, rest[1::2]), strict=True))
    return Kontra(int(seat), component, keys.get("against"), keys.get("after", 0))


def marriage(words: str) -> Marriage:
    """Return a marriage written as `0 acorns 0`: seat, suit, number of the card."""
    seat, suit, play = words.split()
    return Marriage(int(seat), SUIT_NAMES.index(suit), int(play))
