"""The rules a second time: slow, plain, with card texts, sets and loops, written from the rules page and not from the kernels.

`rules` is anything with the option names as attributes. Cards are texts (`HA`), hands sets of them, trumps a suit letter or
None, seats numbers in order of play. Roles: 0 the declarer, 1 and 2 the defenders after him.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

SUITS = "ALHB"
DECK = [suit + rank for suit in SUITS for rank in "789UOKTA"]
TEN_HIGH, TEN_LOW = "789UOKTA", "789TUOKA"
PARTS = ("simple", "forty_hundred", "twenty_hundred", "ulti", "four_aces", "durchmars", "betli")
SILENT = (
    *("silent_hundred", "silent_ulti", "silent_four_aces", "silent_durchmars"),
    *("silent_forty_hundred", "silent_twenty_hundred", "silent_ulti_defender"),
)
VALUES = {"simple": 1, "forty_hundred": 4, "twenty_hundred": 8, "ulti": 4, "four_aces": 4, "durchmars": 6, "betli": 5}
HALF = {"hundred": 2, "four_aces": 2, "ulti": 2, "durchmars": 3, "forty_hundred": 2, "twenty_hundred": 4}


# --- bids -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bid:
    """A bid taken apart from its name: which parts are named, which are played, and what each pays."""

    name: str
    named: tuple[str, ...]
    values: dict[str, int]
    has_trumps: bool
    hearts: bool  # hearts are trumps by the bid
    times: int  # what hearts make of every amount

    @property
    def value(self) -> int:
        return sum(self.values.values())


def bid_of(rules: Any, name: str) -> Bid:
    """Take a bid id apart and value its parts."""
    words, _, suffix = name.partition("@")
    no_trump = words in ("betli", "open_betli", "durchmars_nt", "open_durchmars_nt")
    named, is_open = [], False
    for word in words.removesuffix("_nt").split("+"):
        is_open = is_open or word.startswith("open_")
        named.append(word.removeprefix("open_"))
    played = list(named)
    if rules.implied_simple and all(part in ("ulti", "four_aces") for part in named):
        played.append("simple")
    if no_trump:
        times = 2 if suffix else 1
    else:
        times = rules.hearts_multiplier if suffix or rules.hearts_always_trump else 1
    values = {}
    for part in played:
        values[part] = VALUES[part] * times
        if is_open and part == "betli":
            values[part] *= rules.open_betli_factor
        elif is_open and part == "durchmars":
            values[part] *= rules.open_durchmars_nt_factor if no_trump else rules.open_durchmars_factor
        elif is_open and part == "ulti" and "durchmars" not in named:
            values[part] *= 2
    return Bid(name, tuple(named), values, not no_trump, bool(suffix) and not no_trump, times)


# --- cards ------------------------------------------------------------------------------------------------------------


def ranking(rules: Any, suit: str, trump: str | None) -> str:
    """Return the ranks of a suit, lowest first."""
    if rules.ten_rank == "high_always":
        return TEN_HIGH
    if rules.ten_rank == "high_trump_suit_only":
        return TEN_HIGH if suit == trump else TEN_LOW
    return TEN_LOW if trump is None else TEN_HIGH


def tops(rules: Any, trump: str | None, card: str, other: str) -> bool:
    """Return whether a card ranks above another of its suit."""
    order = ranking(rules, card[0], trump)
    return card[0] == other[0] and order.index(card[1]) > order.index(other[1])


def winning_card(rules: Any, trump: str | None, trick: Sequence[str]) -> str:
    """Return the highest trump of a trick, else the highest card of the suit led."""
    trumps = [card for card in trick if card[0] == trump]
    candidates = trumps or [card for card in trick if card[0] == trick[0][0]]
    best = candidates[0]
    for card in candidates:
        if tops(rules, trump, card, best):
            best = card
    return best


def legal_cards(
    rules: Any, bid: Bid, trump: str | None, hand: set[str], trick: Sequence[str], *, is_declarer: bool, number: int
) -> set[str]:
    """Return the cards that may be played to trick `number` (1 to 10), on which `trick` lies already."""
    legal = _duties(rules, trump, hand, trick)
    if rules.hold_trump_seven and is_declarer and "ulti" in bid.named and trump is not None and number < 10:
        without = {card for card in legal if card != trump + "7"}
        if without:
            return without
    return legal


def _duties(rules: Any, trump: str | None, hand: set[str], trick: Sequence[str]) -> set[str]:
    if not trick:
        return set(hand)
    led = trick[0][0]
    is_trumped = led != trump and any(card[0] == trump for card in trick)
    follow = {card for card in hand if card[0] == led}
    if follow:
        in_suit = [card for card in trick if card[0] == led]
        higher = {card for card in follow if all(tops(rules, trump, card, other) for other in in_suit)}
        must = rules.overtake_when_trumped if is_trumped else rules.must_overtake
        return higher if must and higher else follow
    trumps = {card for card in hand if trump is not None and card[0] == trump}
    if trumps:
        lying = [card for card in trick if card[0] == trump]
        higher = {card for card in trumps if all(tops(rules, trump, card, other) for other in lying)}
        return higher if lying and rules.must_overtrump and higher else trumps
    return set(hand)


def points(rules: Any, cards: Sequence[str] | set[str]) -> int:
    """Return what cards count."""
    worth = {"A": 10, "T": 10}
    if rules.card_points == "ace11":
        worth = {"A": 11, "T": 10}
    elif rules.card_points == "full":
        worth = {"A": 11, "T": 10, "K": 4, "O": 3, "U": 2}
    return sum(worth.get(card[1], 0) for card in cards)


# --- the play ---------------------------------------------------------------------------------------------------------


@dataclass
class Play:
    """What a play came to, by role."""

    tricks: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)  # winner's role, cards
    players: list[list[int]] = field(default_factory=list)  # roles in the order of each trick
    illegal: list[str] = field(default_factory=list)


def play(
    rules: Any, bid: Bid, trump: str | None, hands: Sequence[set[str]], plays: Sequence[str], *, declarer: int, leader: int
) -> Play:
    """Play the cards one by one; `hands` by seat. Cards against the rules are listed and played all the same."""
    found = Play()
    left = [set(hand) for hand in hands]
    seat = leader
    for start in range(0, len(plays) - 2, 3):
        trick: list[str] = []
        seats = []
        for card in plays[start : start + 3]:
            number = start // 3 + 1
            legal = legal_cards(rules, bid, trump, left[seat], trick, is_declarer=seat == declarer, number=number)
            if card not in legal:
                found.illegal.append(f"trick {number}, seat {seat}: {card}")
            left[seat].discard(card)
            trick.append(card)
            seats.append(seat)
            seat = (seat + 1) % 3
        seat = seats[trick.index(winning_card(rules, trump, trick))]
        found.tricks.append(((seat - declarer) % 3, tuple(trick)))
        found.players.append([(each - declarer) % 3 for each in seats])
    return found


def side_points(rules: Any, found: Play) -> tuple[int, int]:
    """Return the points of declarer and defenders in tricks, the last trick's bonus included."""
    sides = [0, 0]
    for number, (role, cards) in enumerate(found.tricks, 1):
        sides[min(role, 1)] += points(rules, cards) + (rules.last_trick_bonus if number == 10 else 0)
    return sides[0], sides[1]


def pairs_in(hand: set[str]) -> list[str]:
    """Return the suits of which a hand holds king and over."""
    return [suit for suit in SUITS if suit + "K" in hand and suit + "O" in hand]


def declarable(rules: Any, bid: Bid, trump: str | None, hand: set[str], *, is_declarer: bool) -> list[str]:
    """Return the suits of the marriages that a seat may declare; of a 20-100 the first side pair."""
    if not bid.has_trumps:
        return []
    pairs = pairs_in(hand)
    hundred = [part for part in bid.named if part.endswith("_hundred")]
    if not hundred or rules.hundred_marriage_ban == "none":
        return pairs
    if is_declarer:
        wanted = [suit for suit in pairs if (suit == trump) == (hundred == ["forty_hundred"])]
        return wanted[:1]
    return [] if rules.hundred_marriage_ban == "all" else pairs


def moment(rules: Any, suit: str, own_plays: Sequence[tuple[int, str]]) -> int | None:
    """Return the first moment (number of the card, from 0) at which a seat may declare; `own_plays` are its cards."""
    if rules.marriage_timing == "first_trick":
        return own_plays[0][0]
    moments = [number for number, card in own_plays if card in (suit + "K", suit + "O")]
    wanted = 1 if rules.marriage_timing == "second_card" else 0
    return moments[wanted] if len(moments) > wanted else None


# --- what was made ----------------------------------------------------------------------------------------------------


def _has(declared: Sequence[tuple[int, str]], trump: str | None, *, side: int, in_trumps: bool) -> bool:
    return any(min(role, 1) == side and (suit == trump) == in_trumps for role, suit in declared)


@dataclass(frozen=True)
class Totals:
    """The points on which components are judged."""

    own: int
    theirs: int
    own_marriages: int
    their_marriages: int


def totals(rules: Any, trump: str | None, found: Play, laid: set[str], counting: Sequence[tuple[int, str]]) -> Totals:
    """Add up tricks, talon and the marriages that count (role, suit)."""
    own, theirs = side_points(rules, found)
    if rules.talon_mode != "none":
        if rules.talon_points == "declarer":
            own += points(rules, laid)
        elif rules.talon_points == "defenders":
            theirs += points(rules, laid)
    marriages = [0, 0]
    for role, suit in counting:
        marriages[min(role, 1)] += 40 if suit == trump else 20
    return Totals(own, theirs, marriages[0], marriages[1])


def outcome(
    rules: Any,
    bid: Bid,
    trump: str | None,
    found: Play,
    laid: set[str],
    declared: Sequence[tuple[int, str]],
    declarer_cards: set[str],
) -> dict[str, str]:
    """Return `made` or `failed` for every part and every silent bonus won or lost.

    `declared` are marriages as (role, suit). The key `dropped` stands for a 100 part whose marriage is missing, the
    key `seven` for the role whose silent ulti it is.
    """
    counting = list(declared)
    if rules.marriage_needs_trick:
        winners = {min(role, 1) for role, _ in found.tricks}
        counting = [(role, suit) for role, suit in declared if min(role, 1) in winners]
    sums = totals(rules, trump, found, laid, counting)
    tricks = [sum(role == each for role, _ in found.tricks) for each in range(3)]
    result: dict[str, str] = {}

    def judge(part: str, made: bool) -> None:
        result[part] = "made" if made else "failed"

    played = list(bid.values)
    for part, marriage in (("forty_hundred", 40), ("twenty_hundred", 20)):
        if part in played:
            has = _has(counting, trump, side=0, in_trumps=part == "forty_hundred")
            judge(part, has and sums.own + marriage >= 100)
            held = any((suit == trump) == (part == "forty_hundred") for suit in pairs_in(declarer_cards))
            if rules.missing_marriage == "dropped" and not held:
                result["dropped"] = part
                played.remove(part)
                if "durchmars" not in played:
                    played.append("simple")
    if "simple" in played:
        if rules.simple_target == "threshold":
            judge("simple", sums.own >= rules.simple_threshold)
        else:
            judge("simple", sums.own + sums.own_marriages > sums.theirs + sums.their_marriages)
    seven_role, seven_wins = _seven_in_last_trick(rules, trump, found)
    if "ulti" in played:
        judge("ulti", seven_role == 0 and seven_wins)
    if "four_aces" in played:
        judge("four_aces", all(role == 0 for role, cards in found.tricks if _has_ace(cards)))
    if "durchmars" in played:
        judge("durchmars", tricks[1] + tricks[2] == 0)
    if "betli" in played:
        judge("betli", tricks[0] == 0)
    if bid.has_trumps:
        _silent(rules, trump, found, counting, sums, played, result, tricks)
    return result


def _has_ace(cards: Sequence[str]) -> bool:
    return any(card[1] == "A" for card in cards)


def _seven_in_last_trick(rules: Any, trump: str | None, found: Play) -> tuple[int | None, bool]:
    """Return who (role) played the trump seven to trick 10, and whether it won."""
    if trump is None or len(found.tricks) < 10:
        return None, False
    winner, cards = found.tricks[9]
    if trump + "7" not in cards:
        return None, False
    role = found.players[9][cards.index(trump + "7")]
    return role, role == winner


def _silent(
    rules: Any,
    trump: str | None,
    found: Play,
    counting: Sequence[tuple[int, str]],
    sums: Totals,
    played: list[str],
    result: dict[str, str],
    tricks: list[int],
) -> None:
    paid = rules.silent_set
    if "hundred" in paid and "simple" in played:
        if sums.own + sums.own_marriages >= 100:
            result["silent_hundred"] = "made"
        elif sums.theirs + sums.their_marriages >= 100:
            result["silent_hundred"] = "failed"
    if "four_aces" in paid and "four_aces" not in played and "durchmars" not in played:
        winners = {role for role, cards in found.tricks if _has_ace(cards)}
        if winners <= {0}:
            result["silent_four_aces"] = "made"
        elif winners in ({1}, {2}):
            result["silent_four_aces"] = "failed"
    if "ulti" not in played and ("durchmars" not in played or rules.silent_under_durchmars):
        role, wins = _seven_in_last_trick(rules, trump, found)
        if role == 0 and "ulti" in paid:
            result["silent_ulti"] = "made" if wins else "failed"
        if role in (1, 2) and rules.silent_ulti_defender != "none":
            if wins:
                result["silent_ulti_defender"], result["seven"] = "made", str(role)
            elif rules.silent_ulti_defender_loss == "double":
                result["silent_ulti_defender"] = "failed"
    if "durchmars" in paid and "durchmars" not in played:
        if tricks[1] + tricks[2] == 0:
            result["silent_durchmars"] = "made"
        elif tricks[0] == 0 and (rules.silent_durchmars_loss == "team" or 0 in tricks[1:]):
            result["silent_durchmars"] = "failed"
    bid_hundred = any(part.endswith("_hundred") for part in played)
    for kind, needed in (("twenty_hundred", 80), ("forty_hundred", 60)):
        if kind not in paid or kind in played:
            continue
        in_trumps = kind == "forty_hundred"
        if _has(counting, trump, side=0, in_trumps=in_trumps) and sums.own >= needed:
            result[f"silent_{kind}"] = "made"
        elif rules.silent_hundred_sides == "declarer" or bid_hundred:
            continue
        elif _has(counting, trump, side=1, in_trumps=in_trumps) and sums.theirs >= needed:
            result[f"silent_{kind}"] = "failed"
    if rules.silent_hundred_paid == "better" and "silent_twenty_hundred" in result:
        result.pop("silent_forty_hundred", None)


# --- what is paid -----------------------------------------------------------------------------------------------------


def factor_of(rules: Any, level: int) -> int:
    """Return by what a kontra level multiplies."""
    table = [1, 2, 4, 4, 8, 16, 32] if rules.kontra_multipliers == "literal_b" else [1, 2, 4, 8, 16, 32, 64]
    return table[level]


def _silent_factor(rules: Any, played: Sequence[str], name: str, levels: dict[str, tuple[int, int]], d: int) -> int:
    if rules.silent_kontra == "never":
        return 1
    if rules.silent_kontra == "with_simple_not_ulti":
        carriers = [] if "ulti" in name else ["simple"]
    else:
        carriers = ["simple", "forty_hundred", "twenty_hundred", "durchmars"]
    for carrier in carriers:
        if carrier in played:
            return factor_of(rules, levels.get(carrier, (0, 0))[d])
    return 1


def _silent_amount(rules: Any, bid: Bid, name: str) -> int:
    kind = "ulti" if name == "silent_ulti_defender" else name.removeprefix("silent_")
    value = dict(rules.silent_values).get(kind, HALF[kind])
    if kind == "durchmars" and bid.named == ("simple",):
        value = rules.silent_durch_simple
    return value * bid.times


def units(
    rules: Any, bid: Bid, made: dict[str, str], levels: dict[str, tuple[int, int]], factor: int = 1
) -> dict[str, tuple[int, int]]:
    """Return for every component what each of the two defenders pays the declarer."""
    found = {}
    values = dict(bid.values)
    dropped = made.get("dropped")
    if dropped:
        values.pop(dropped)
        if "simple" in made:
            values.setdefault("simple", bid.times)
    for part in PARTS:
        if part in values:
            found[part] = tuple(_part_units(rules, bid, part, values[part] * factor, made[part], levels, d) for d in (0, 1))
        elif part == dropped:
            found[part] = (0, 0)
    replaced = False
    for name in SILENT:
        if name not in made:
            continue
        amounts = [_silent_units(rules, bid, list(values), name, made, levels, d) for d in (0, 1)]
        found[name] = (amounts[0], amounts[1])
        is_hundred = name in ("silent_hundred", "silent_forty_hundred", "silent_twenty_hundred")
        replaced = replaced or (is_hundred and rules.hundred_mode == "replace")
        replaced = replaced or (name == "silent_durchmars" and rules.durchmars_mode == "replace")
    if replaced and "simple" in found:
        found["simple"] = (0, 0)
    return found


def _part_units(rules: Any, bid: Bid, part: str, value: int, made: str, levels: dict[str, tuple[int, int]], d: int) -> int:
    times = factor_of(rules, levels.get(part, (0, 0))[d])
    if made == "made":
        return value * times
    penalty = 0
    if part == "ulti":
        penalty = rules.ulti_fail_penalty * bid.times * (times if rules.penalty_under_kontra == "doubled" else 1)
    return -value * times - penalty


def _silent_units(
    rules: Any,
    bid: Bid,
    played: Sequence[str],
    name: str,
    made: dict[str, str],
    levels: dict[str, tuple[int, int]],
    d: int,
) -> int:
    amount = _silent_amount(rules, bid, name) * _silent_factor(rules, played, name, levels, d)
    if name == "silent_ulti_defender":
        if made[name] == "failed":
            return 2 * amount
        owed = rules.silent_ulti_defender == "team" or int(made["seven"]) == d + 1
        return -amount if owed else 0
    if made[name] == "made":
        return amount
    costs = {
        "none": 0,
        "same_per_defender": 1,
        "double_per_defender": 2,
        "double_ulti_only": 2 if name == "silent_ulti" else 1,
        "ulti_only": 1 if name == "silent_ulti" else 0,
    }
    return -amount * costs[rules.silent_loss]


def payoffs(rules: Any, made: dict[str, str], paid: dict[str, tuple[int, int]], *, declarer: int) -> tuple[int, int, int]:
    """Return the units of each seat."""
    from_first = sum(pair[0] for pair in paid.values())
    from_second = sum(pair[1] for pair in paid.values())
    result = {0: from_first + from_second, 1: -from_first, 2: -from_second}  # by role
    if rules.settlement == "declarer_only":
        result = {0: from_first, 1: 0, 2: 0}
    elif rules.settlement == "c_literal":
        result[0] = from_first
    role = int(made.get("seven", 0))
    if role and rules.silent_ulti_defender == "individual":
        amount = -paid["silent_ulti_defender"][role - 1]
        if rules.settlement != "per_defender" and role == 2:
            result[0] -= amount  # the declarer pays it once, whichever defender it is
        if rules.settlement != "declarer_only":
            result[role] += amount
            result[3 - role] -= amount
    return tuple(result[(seat - declarer) % 3] for seat in range(3))  # pyright: ignore[reportReturnType]


def concession(rules: Any, *, declarer: int, factor: int = 1) -> tuple[int, int, int]:
    """Return the payoffs of a conceded simple game: as if kontra'd once."""
    value = bid_of(rules, "simple").values["simple"] * 2 * factor
    paid = {"simple": (-value, -value)}
    return payoffs(rules, {}, paid, declarer=declarer)
