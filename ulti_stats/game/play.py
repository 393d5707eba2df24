"""Card play: which cards are legal, who wins a trick, and what a whole play comes to.

Kernels, replay and solver share these functions. Inside them a card is its *strength number*: 8 x suit + a rank in which
higher is stronger under the trump in force, so that "beats" is "greater than" (`RuleTable.cards` maps to and fro).
"""

from __future__ import annotations

from ulti_stats.errors import IllegalCard
from ulti_stats.game.bids import Component
from ulti_stats.game.cards import ACES, KING, OVER, SUIT_NAMES, cards_of, format_card, format_cards
from ulti_stats.game.jit import fused, inlined, kernel, lean, popcount
from ulti_stats.game.rule_table import (
    FOREHAND_LEADS,
    HOLD_TRUMP_SEVEN,
    LAST_TRICK_BONUS,
    LOW_TENS,
    MARRIAGE_NEEDS_TRICK,
    MUST_OVERTAKE,
    MUST_OVERTRUMP,
    NAMED,
    NO_TRUMP,
    OVERTAKE_WHEN_TRUMPED,
    PARTS,
    PHYSICAL,
    POINT_BITS,
    STOP_EARLY,
    STRENGTH,
    IntArray,
    RuleTable,
)

# What a play comes to: places in a facts array. Sides: the declarer, and both defenders together.
TRICKS = 0  # +0 declarer, +1 first defender after him, +2 second
TRICK_POINTS = 3  # +0 declarer, +1 defenders; last-trick bonus included
TALON_POINTS = 5
MARRIAGE_POINTS = 6  # +0 declarer, +1 defenders; what counts
DECLARED = 8  # +0 declarer, +1 defenders: bit 0 a trump pair that counts, bit 1 a side pair
SEVEN_HOLDER = 10  # role that played the trump seven (0 declarer, 1, 2), -1 nobody
SEVEN_TRICK = 11  # trick of it, 0 to 9, -1 never
LAST_WINNER = 12  # role that won trick 10, -1 where play stopped
ACE_TRICKS = 13  # +0 declarer, +1, +2: tricks with an ace won
N_TRICKS = 16
WINNERS = 17  # seats, 2 bits a trick
MARRIAGE_SUITS = 18  # 4 bits a seat: suits declared
HELD = 19  # bit 0 the declarer holds the trump pair, bit 1 a side pair, declared or not
N_FACTS = 20

# Why a play is refused.
PLAY_OK, CARD_NOT_HELD, CARD_ILLEGAL = range(3)


@inlined
def legal_mask(flags: IntArray, hand: int, led: int, best: int, trump: int) -> int:
    """Return the cards of `hand` that may follow, given the card led (-1 for a lead) and the best card so far.

    Rows 31 to 37 of RULES.md: follow suit, beat within the suit, trump, overtrump, as the rules page says.
    """
    if led < 0:
        return hand
    in_suit = hand & (0xFF << (led & 24))
    if in_suit != 0:
        if best >> 3 == led >> 3:
            higher = in_suit & -(2 << best)
            if flags[MUST_OVERTAKE] != 0 and higher != 0:
                return higher
        elif flags[OVERTAKE_WHEN_TRUMPED] != 0:
            higher = in_suit & -(2 << led)
            if higher != 0:
                return higher
        return in_suit
    if trump != NO_TRUMP:
        trumps = hand & (0xFF << (8 * trump))
        if trumps != 0:
            higher = trumps & -(2 << best)
            if flags[MUST_OVERTRUMP] != 0 and best >> 3 == trump and higher != 0:
                return higher
            return trumps
    return hand


@inlined
def keeping_seven(legal: int, seven: int) -> int:
    """Return the legal cards of a declarer who must keep the trump seven: it goes only when there is no other."""
    rest = legal & ~seven
    return rest if rest != 0 else legal


@inlined
def kept_seven(flags: IntArray, parts: int, trump: int) -> int:
    """Return the mask of the trump seven where the declarer must keep it for trick 10, else 0 (row 39)."""
    if flags[HOLD_TRUMP_SEVEN] != 0 and trump != NO_TRUMP and parts & (1 << Component.ULTI) != 0:
        return 1 << (8 * trump)
    return 0


@inlined
def roles_that_stop(flags: IntArray, parts: int, trump: int) -> int:
    """Return the bit set of roles with whose first trick a game without trumps is decided and may stop, 0 where none does."""
    if flags[STOP_EARLY] == 0 or trump != NO_TRUMP:
        return 0
    return 0b001 if parts & (1 << Component.BETLI) != 0 else 0b110


@inlined
def beats(card: int, best: int, trump: int) -> bool:
    """Return whether `card` takes the trick from `best`."""
    if card >> 3 == best >> 3:
        return card > best
    return card >> 3 == trump


@kernel
def to_strength(cards: IntArray, mask: int, trump: int) -> int:
    """Return a set of card numbers as strength numbers under a trump."""
    result = 0
    for card in range(32):
        if mask >> card & 1:
            result |= 1 << cards[STRENGTH, trump, card]
    return result


@inlined
def strengths_of(flags: IntArray, mask: int, trump: int) -> int:
    """Return the same by moving bits: where the ten is low, four ranks change places."""
    moved = mask & flags[LOW_TENS + trump]
    return mask & ~moved | moved & 0x87878787 | (moved & 0x38383838) << 1 | (moved & 0x40404040) >> 3


@inlined
def card_points(flags: IntArray, mask: int) -> int:
    """Return the card points of a set of card numbers."""
    points = 0
    for bit in range(4):
        points += popcount(mask & flags[POINT_BITS + bit]) << bit
    return points


@inlined
def first_leader(flags: IntArray, declarer: int, forehand: int) -> int:
    """Return the seat that leads to trick 1 (row 30)."""
    return forehand if flags[FOREHAND_LEADS] != 0 else declarer


@lean
def play_out(
    rules: RuleTable,
    bid: int,
    trump: int,
    declarer: int,
    leader: int,
    hands: IntArray,
    laid: int,
    plays: IntArray,
    n_plays: int,
    marriages: int,
    facts: IntArray,
) -> tuple[int, int]:
    """Check a play card by card and fill in `facts`; return (PLAY_OK, n) or (why, number of the refused card).

    `hands` [3] and `laid` are card masks, `plays` card numbers, `marriages` 4 bits a seat of what was declared.
    """
    flags, cards = rules.flags, rules.cards
    own_0 = strengths_of(flags, hands[declarer], trump)
    own_1 = strengths_of(flags, hands[(declarer + 1) % 3], trump)
    own_2 = strengths_of(flags, hands[(declarer + 2) % 3], trump)
    won_0, won_1, won_2, trick = 0, 0, 0, 0
    ace_tricks, winners, last, seven_holder, seven_trick = 0, 0, -1, -1, -1
    seven = kept_seven(flags, rules.bids[bid, PARTS], trump)
    trump_seven = 8 * trump if trump != NO_TRUMP else -1
    role = (leader - declarer + 3) % 3
    led, best, best_role = -1, -1, role
    for ply in range(n_plays):
        own = own_0 if role == 0 else own_1 if role == 1 else own_2
        card = cards[STRENGTH, trump, plays[ply]]
        if own >> card & 1 == 0:
            return CARD_NOT_HELD, ply
        legal = legal_mask(flags, own, led, best, trump)
        if seven != 0 and role == 0 and ply < 27:
            legal = keeping_seven(legal, seven)
        if legal >> card & 1 == 0:
            return CARD_ILLEGAL, ply
        if role == 0:
            own_0 ^= 1 << card
        elif role == 1:
            own_1 ^= 1 << card
        else:
            own_2 ^= 1 << card
        if led < 0:
            led, best, best_role = card, card, role
        elif beats(card, best, trump):
            best, best_role = card, role
        trick |= 1 << plays[ply]
        if card == trump_seven:
            seven_holder, seven_trick = role, ply // 3
        role = (role + 1) % 3
        if ply % 3 == 2:
            won_0 |= trick if best_role == 0 else 0
            won_1 |= trick if best_role == 1 else 0
            won_2 |= trick if best_role == 2 else 0
            ace_tricks += int(trick & ACES != 0) << (8 * best_role)
            winners |= (declarer + best_role) % 3 << 2 * (ply // 3)
            last = best_role if ply == 29 else -1
            role, led, best, trick = best_role, -1, -1, 0
    sum_up(flags, won_0, won_1, won_2, ace_tricks, winners, last, seven_holder, seven_trick, facts)
    facts[TALON_POINTS] = card_points(flags, laid)
    facts[HELD] = pairs_held(hands[declarer], trump)
    count_marriages(flags, facts, trump, declarer, marriages)
    return PLAY_OK, n_plays


def trick_winner(rules: RuleTable, trump: int, cards: tuple[int, ...]) -> int:
    """Return the place (0 to 2) of the card that takes a trick; `cards` are card numbers in the order played."""
    return cards.index(_best_of(rules, trump, cards))


def winner_of(facts: IntArray, trick: int) -> int:
    """Return the seat that won a trick, 0 to 9."""
    return int(facts[WINNERS]) >> (2 * trick) & 3


@fused
def sum_up(
    flags: IntArray,
    won_0: int,
    won_1: int,
    won_2: int,
    ace_tricks: int,
    winners: int,
    last: int,
    seven_holder: int,
    seven_trick: int,
    facts: IntArray,
) -> None:
    """Fill in what the tricks tell: `won_*` are the cards (card masks) in each role's tricks, `ace_tricks` 8 bits a role."""
    facts[:] = 0
    facts[TRICKS], facts[TRICKS + 1], facts[TRICKS + 2] = popcount(won_0) // 3, popcount(won_1) // 3, popcount(won_2) // 3
    facts[N_TRICKS] = facts[TRICKS] + facts[TRICKS + 1] + facts[TRICKS + 2]
    facts[TRICK_POINTS] = card_points(flags, won_0)
    facts[TRICK_POINTS + 1] = card_points(flags, won_1 | won_2)
    if last >= 0:
        facts[TRICK_POINTS + min(last, 1)] += flags[LAST_TRICK_BONUS]
    for role in range(3):
        facts[ACE_TRICKS + role] = ace_tricks >> (8 * role) & 0xFF
    facts[WINNERS], facts[LAST_WINNER] = winners, last
    facts[SEVEN_HOLDER], facts[SEVEN_TRICK] = seven_holder, seven_trick


@inlined
def pairs_in(hand: int) -> int:
    """Return the bit set of suits of which a hand (card mask) holds king and over."""
    pairs = hand >> KING & hand >> OVER & 0x01010101
    return (pairs | pairs >> 7 | pairs >> 14 | pairs >> 21) & 15


@inlined
def pairs_held(hand: int, trump: int) -> int:
    """Return bit 0 where a hand holds the trump pair, bit 1 where it holds a side pair."""
    suits = pairs_in(hand)
    in_trumps = suits >> trump & 1
    return in_trumps | (2 if popcount(suits) > in_trumps else 0)


@fused
def count_marriages(flags: IntArray, facts: IntArray, trump: int, declarer: int, marriages: int) -> None:
    """Note the marriages declared (4 bits a seat) and what they bring, after `sum_up`."""
    facts[MARRIAGE_SUITS] = marriages
    for seat in range(3):
        suits = marriages >> (4 * seat) & 15
        side = 0 if seat == declarer else 1
        won_a_trick = facts[TRICKS] > 0 if side == 0 else facts[TRICKS + 1] + facts[TRICKS + 2] > 0
        if suits == 0 or (flags[MARRIAGE_NEEDS_TRICK] != 0 and not won_a_trick):
            continue
        in_trumps = suits >> trump & 1
        others = popcount(suits) - in_trumps
        facts[MARRIAGE_POINTS + side] += 40 * in_trumps + 20 * others
        facts[DECLARED + side] |= in_trumps | (2 if others > 0 else 0)


def explain_card(
    rules: RuleTable,
    bid: int,
    trump: int,
    hand: int,
    on_table: tuple[int, ...],
    card: int,
    *,
    is_declarer: bool,
    trick: int,
) -> str:
    """Return why a card may not be played, in words, and what would have been legal.

    `hand` is a card mask as it was before the card, `on_table` and `card` are card numbers, `trick` is 0 to 9.
    """
    legal = legal_cards(rules, bid, trump, hand, on_table, is_declarer=is_declarer, trick=trick)
    text = format_card(card)
    if not hand >> card & 1:
        return f"{text} is not held; legal: {format_cards(legal)}"
    if not on_table:
        return f"{text} must be kept for trick 10; legal: {format_cards(legal)}"
    led, best = on_table[0], _best_of(rules, trump, on_table)
    suit = SUIT_NAMES[led >> 3]
    in_suit = hand & (0xFF << (led & 24))
    if in_suit and card >> 3 != led >> 3:
        why = f"{text} does not follow {suit}"
    elif bid_keeps_seven(rules, bid) and card == 8 * trump and is_declarer:
        why = f"{text} must be kept for trick 10"
    elif in_suit:
        why = f"{text} does not beat {format_card(best if best >> 3 == led >> 3 else led)}"
    elif card >> 3 != trump:
        why = f"{text} does not trump"
    else:
        why = f"{text} does not overtrump {format_card(best)}"
    return f"{why}; legal: {format_cards(legal)}"


def bid_keeps_seven(rules: RuleTable, bid: int) -> bool:
    """Return whether the declarer of this bid must keep the trump seven for trick 10."""
    return bool(rules.flags[HOLD_TRUMP_SEVEN]) and bool(rules.bids[bid, NAMED] & (1 << Component.ULTI))


def _best_of(rules: RuleTable, trump: int, on_table: tuple[int, ...]) -> int:
    strengths = [int(rules.cards[STRENGTH, trump, card]) for card in on_table]
    best = strengths[0]
    for card in strengths[1:]:
        if (card >> 3 == best >> 3 and card > best) or (card >> 3 != best >> 3 and card >> 3 == trump):
            best = card
    return int(rules.cards[PHYSICAL, trump, best])


@lean
def _legal_strengths(flags: IntArray, hand: int, led: int, best: int, trump: int) -> int:
    return legal_mask(flags, hand, led, best, trump)


def legal_cards(
    rules: RuleTable, bid: int, trump: int, hand: int, on_table: tuple[int, ...], *, is_declarer: bool, trick: int
) -> int:
    """Return the mask of cards that a seat may play; `on_table` holds the cards of this trick in order.

    `trick` is 0 to 9; `trump` is a suit number or `NO_TRUMP`.
    """
    led = int(rules.cards[STRENGTH, trump, on_table[0]]) if on_table else -1
    best = int(rules.cards[STRENGTH, trump, _best_of(rules, trump, on_table)]) if on_table else -1
    legal = int(_legal_strengths(rules.flags, int(to_strength(rules.cards, hand, trump)), led, best, trump))
    if is_declarer and trick < 9 and trump != NO_TRUMP and bid_keeps_seven(rules, bid):
        seven = 1 << 8 * trump
        legal = legal & ~seven or legal
    return sum(1 << int(rules.cards[PHYSICAL, trump, strength]) for strength in cards_of(legal))


def check_card(
    rules: RuleTable,
    bid: int,
    trump: int,
    hand: int,
    on_table: tuple[int, ...],
    card: int,
    *,
    is_declarer: bool,
    trick: int,
    seat: int,
) -> None:
    """Raise `IllegalCard`, saying why and what is legal, where the card may not be played."""
    if not legal_cards(rules, bid, trump, hand, on_table, is_declarer=is_declarer, trick=trick) >> card & 1:
        why = explain_card(rules, bid, trump, hand, on_table, card, is_declarer=is_declarer, trick=trick)
        raise IllegalCard(f"trick {trick + 1}, seat {seat}: {why}")
