"""The auction: whose turn it is, which calls are legal, who holds the talon, and when it is over."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ulti_stats.errors import IllegalBid
from ulti_stats.game.cards import SUIT_NAMES, format_cards
from ulti_stats.game.history import PASS, Call
from ulti_stats.game.jit import lean
from ulti_stats.game.rule_table import HOLDER_CLOSES, PASS_FINAL, IntArray, plain_suits, rule_table
from ulti_stats.game.rulesets import Bid, Ruleset, nearest

NOBODY = -1


@lean
def next_turn(flags: IntArray, turn: int, holder: int, passed: int, out: int) -> int:
    """Return the seat that speaks after `turn`, or -1 when the auction is over (RULES.md, rows 17 to 21).

    `holder` made the standing bid (-1: nobody yet), `passed` is the bit set of seats that passed since that bid,
    `out` of seats that passed for good.
    """
    for step in range(1, 4):
        seat = (turn + step) % 3
        if seat == holder:
            # Everybody else has passed: the holder closes the auction himself, or it is over.
            if flags[HOLDER_CLOSES] != 0 and passed >> seat & 1 == 0:
                return seat
            return -1
        if flags[PASS_FINAL] != 0 and out >> seat & 1:
            continue
        if holder < 0 and passed >> seat & 1:
            return -1  # all three passed without a bid
        return seat
    return -1


@dataclass(frozen=True, slots=True)
class Auction:
    """An auction under way: calls so far, the standing bid and its holder, the hands and the talon as they are now.

    `turn` is the seat to speak, None when the auction is over. `hands` and `talon` are card masks, None where the
    cards are unknown. `pickup` is what the holder's last pickup brought, None without one.
    """

    rules: Ruleset
    forehand: int
    turn: int | None
    hands: tuple[int, int, int]
    talon: int
    standing: Bid | None = None
    holder: int = NOBODY
    passed: int = 0
    out: int = 0
    pickup: int | None = None
    pickup_is_dealt: bool = True
    n_pickups: int = 0
    round: int = 2
    factor: int = 1
    is_confirming: bool = False
    calls: tuple[Call, ...] = ()

    @property
    def is_over(self) -> bool:
        """Return whether nobody has to speak any more."""
        return self.turn is None

    @property
    def is_closing(self) -> bool:
        """Return whether only the holder's own closing pass or self-raise is left."""
        return self.turn is not None and self.turn == self.holder and not self.is_confirming


def start_auction(rules: Ruleset, *, forehand: int, hands: tuple[int, int, int], talon: int) -> Auction:
    """Return the auction before the first call."""
    return Auction(rules, forehand, forehand, hands, talon, round=1 if rules.two_round_auction else 2)


def must_bid(auction: Auction) -> bool:
    """Return whether the seat to speak may not pass: a forced opening (row 16), or the winner of the five-card round."""
    return auction.is_confirming or (auction.rules.opening_bid_forced and not auction.calls)


def may_hold(auction: Auction) -> bool:
    """Return whether forehand may match the standing bid (row 92)."""
    standing_elsewhere = auction.standing is not None and auction.holder != auction.forehand
    return auction.rules.hold == "forehand" and auction.turn == auction.forehand and standing_elsewhere


def may_follow(auction: Auction, bid: Bid) -> bool:
    """Return whether a bid may follow the standing one (RULES.md, rows 23 to 25; 5.1, point 8)."""
    standing = auction.standing
    if standing is None:
        return True
    if auction.is_confirming:
        if bid.name == standing.name:
            return True
        if bid.form.trump_class is not standing.form.trump_class:
            return False
    return auction.rules.overbids(bid, standing, factor=auction.factor)


def legal_bids(auction: Auction) -> tuple[Bid, ...]:
    """Return the bids that the seat to speak may make, lowest first."""
    if auction.turn is None or (auction.is_closing and not auction.rules.self_raise):
        return ()
    return tuple(bid for bid in auction.rules.ladder if may_follow(auction, bid))


def takes_talon(auction: Auction, call: Call) -> bool:
    """Return whether a bid comes with the talon: always when it is robbed, if wanted where that is optional."""
    mode = auction.rules.talon_mode
    if auction.round == 1:
        return False
    return mode == "rob" or (mode == "rob_optional" and call.discard is not None)


def check_call(auction: Auction, call: Call) -> None:
    """Raise `IllegalBid` where the call is not allowed, saying why and what would be."""
    place = f"call {len(auction.calls) + 1}, seat {call.seat}"
    if auction.turn is None:
        raise IllegalBid(f"{place}: the auction is over; no call may follow")
    if call.seat != auction.turn:
        raise IllegalBid(f"{place}: it is seat {auction.turn}'s turn")
    if call.round != auction.round:
        right = "this is the five-card round" if auction.round == 1 else "the five-card round is over"
        raise IllegalBid(f"{place}: round {call.round} is written, but {right}")
    if call.is_pass:
        if auction.is_confirming and auction.standing is not None:
            raise IllegalBid(f"{place}: the winner of the five-card round confirms {auction.standing.name} or raises; no pass")
        if must_bid(auction):
            raise IllegalBid(f"{place}: forehand must bid; lowest bid: {auction.rules.ladder[0].name}")
        if call.discard is not None or call.trump is not None or call.hold:
            raise IllegalBid(f"{place}: a pass takes no talon, names no trump and holds nothing")
        return
    if not auction.rules.knows_bid(call.bid):
        hint = nearest(call.bid, [bid.name for bid in auction.rules.ladder])
        raise IllegalBid(f"{place}: unknown bid '{call.bid}' under {auction.rules.id}{hint}")
    _check_height(auction, call, place)
    _check_talon(auction, call, place)
    _check_trump(auction, call, place)


def _check_height(auction: Auction, call: Call, place: str) -> None:
    if call.hold:
        if not may_hold(auction):
            raise IllegalBid(f"{place}: only forehand may hold a bid of another, and only with hold=forehand")
        if auction.standing is not None and call.bid != auction.standing.name:
            raise IllegalBid(f"{place}: a hold repeats the standing bid {auction.standing.name}")
        return
    if auction.is_closing and not auction.rules.self_raise:
        raise IllegalBid(f"{place}: the holder may not raise himself; he passes")
    bid, standing = auction.rules.bid(call.bid), auction.standing
    if standing is not None and not may_follow(auction, bid):
        legal = legal_bids(auction)
        lowest = f"lowest: {legal[0].name}" if legal else "nothing is higher; pass"
        kept = f" at factor {auction.factor}" if auction.factor > 1 else ""
        same = " in the same trump class" if auction.is_confirming else ""
        raise IllegalBid(f"{place}: {call.bid} does not overbid {standing.name}{kept}{same}; {lowest}")


def _check_talon(auction: Auction, call: Call, place: str) -> None:
    mode = auction.rules.talon_mode
    if auction.round == 1:
        if call.discard is not None:
            raise IllegalBid(f"{place}: the talon is not dealt yet in the five-card round; no discard")
        return
    if mode == "rob" and call.discard is None:
        raise IllegalBid(f"{place}: a bid takes the talon and lays two cards; discard is missing")
    if mode in ("winner_takes", "none") and call.discard is not None:
        raise IllegalBid(f"{place}: nobody takes the talon during this auction (talon_mode={mode}); no discard")
    if call.discard is not None:
        twelve = auction.hands[call.seat] | auction.talon
        if call.discard.bit_count() != 2 or call.discard & ~twelve:
            raise IllegalBid(f"{place}: laid {format_cards(call.discard)}; two cards of these are right: {format_cards(twelve)}")


def _check_trump(auction: Auction, call: Call, place: str) -> None:
    if call.trump is None:
        return
    if auction.rules.trump_named != "at_bid":
        raise IllegalBid(f"{place}: the suit is named after the auction; no trump in the call")
    problem = trump_problem(auction.rules, auction.rules.bid(call.bid), call.trump)
    if problem:
        raise IllegalBid(f"{place}: {problem}")


def trump_problem(rules: Ruleset, bid: Bid, trump: int) -> str | None:
    """Return why this suit may not be trumps under the bid, or None (RULES.md, 5.1, points 3 and 16)."""
    if not bid.has_trumps:
        return f"{bid.name} is played without trumps; no suit is named"
    allowed = 0b0100 if bid.form.is_hearts else plain_suits(rules)
    if allowed >> trump & 1:
        return None
    names = " or ".join(name for suit, name in enumerate(SUIT_NAMES) if allowed >> suit & 1)
    return f"{bid.name} is played in {names}, not {SUIT_NAMES[trump]}"


def make_call(auction: Auction, call: Call) -> Auction:
    """Return the auction after a call; raises `IllegalBid` where it is not allowed."""
    check_call(auction, call)
    after = _after_pass(auction, call) if call.is_pass else _after_bid(auction, call)
    if after.turn is None and after.round == 1 and after.standing is not None:
        # The winner of the five-card round takes the talon, everybody gets five more cards, and he speaks.
        factor = after.rules.round1_factor
        return replace(after, round=2, turn=after.holder, is_confirming=True, factor=factor, passed=0, out=0)
    return after


def _after_pass(auction: Auction, call: Call) -> Auction:
    passed, out = auction.passed | 1 << call.seat, auction.out | 1 << call.seat
    flags = rule_table(auction.rules).flags
    turn = next_turn(flags, call.seat, auction.holder, passed, out) if call.seat != auction.holder else NOBODY
    return replace(auction, passed=passed, out=out, turn=_seat(turn), calls=(*auction.calls, call))


def _after_bid(auction: Auction, call: Call) -> Auction:
    hands, talon, pickup, n_pickups = auction.hands, auction.talon, None, auction.n_pickups
    if takes_talon(auction, call) and call.discard is not None:
        hands = with_hand(hands, call.seat, (hands[call.seat] | talon) & ~call.discard)
        pickup, talon, n_pickups = talon, call.discard, n_pickups + 1
    elif call.seat == auction.holder:
        pickup = auction.pickup
    flags = rule_table(auction.rules).flags
    keeps_factor = auction.is_confirming and auction.standing is not None and call.bid == auction.standing.name
    return replace(
        auction,
        standing=auction.rules.bid(call.bid),
        holder=call.seat,
        passed=0,
        turn=_seat(next_turn(flags, call.seat, call.seat, 0, auction.out)),
        hands=hands,
        talon=talon,
        pickup=pickup,
        pickup_is_dealt=auction.n_pickups == 0,
        n_pickups=n_pickups,
        factor=auction.factor if keeps_factor or call.hold else 1,
        is_confirming=False,
        calls=(*auction.calls, call),
    )


def with_hand(hands: tuple[int, int, int], seat: int, hand: int) -> tuple[int, int, int]:
    """Return the three hands with one of them changed."""
    return tuple(hand if place == seat else old for place, old in enumerate(hands))  # pyright: ignore[reportReturnType]


def _seat(turn: int) -> int | None:
    return None if turn < 0 else int(turn)


def close(auction: Auction) -> Auction:
    """Return the auction with the holder's closing pass made where only that is missing (FORMAT.md)."""
    if auction.is_closing and auction.turn is not None:
        return make_call(auction, Call(auction.turn, PASS, round=auction.round))
    return auction
