"""What replay finds about a hand, as numbers: settled, open, or refused with the first decision that the rules do not allow.

Batch replay gives these numbers where replay of one hand raises; `REFUSALS` says which error each of them stands for.
"""

from __future__ import annotations

from typing import NamedTuple

from ulti_stats.errors import IllegalBid, IllegalCard, IllegalDeal, IllegalDecision, IllegalKontra, UltiError

SETTLED = 0
OPEN = 1  # legal as far as it goes, but its cards do not tell the result

# The deal. The place is a seat where one is named, else -1.
# Ten, ten, ten and two cards none of which lies in two places are all 32.
TALON_EMPTY, FIVE_WRONG, HAND_COUNT, TALON_COUNT, CARD_TWICE, FIVE_MISSING = range(2, 8)
# The auction. The place is the number of the call, from 0; closing passes that a record leaves out are counted.
AUCTION_OVER, WRONG_TURN, WRONG_ROUND, MUST_CONFIRM, MUST_BID, PASS_AND_MORE, UNKNOWN_BID = range(8, 15)
MAY_NOT_HOLD, HOLDS_ANOTHER, NO_SELF_RAISE, TOO_LOW = range(15, 19)
NO_TALON_YET, LAYS_NOTHING, NO_TALON_NOW, LAYS_OTHERS, TRUMP_LATER, TRUMP_OF_CALL, BREAKS_OFF = range(19, 26)
# What stands behind the auction. There is no place: -1.
NO_KONTRA_HERE, NO_PLAYS_HERE, NOTHING_HERE = range(26, 29)
DISCARD_MISSING, DISCARD_WRONG, DISCARD_IN_CALL = range(29, 32)
TRUMP_OF_NONE, TRUMP_DIFFERS, TRUMP_MISSING, TRUMP_WRONG = range(32, 36)
NOT_CONCEDED, CONCEDED_KONTRA, CONCEDED_PLAYS, MUST_CONCEDE = range(36, 40)
# Kontras. The place is the number of the step, from 0.
KONTRA_LATE, KONTRA_ORDER, KONTRA_PART, KONTRA_AGAINST, KONTRA_STEP = range(40, 45)
# Cards. The place is the number of the card, 0 to 29.
NOT_HELD, AGAINST_DUTY = 45, 46


class Refusal(NamedTuple):
    """The error that replay of one hand raises, and a pattern that its text meets."""

    kind: type[UltiError]
    words: str


# fmt: off
REFUSALS: dict[int, Refusal] = {
    TALON_EMPTY: Refusal(IllegalDeal, "the talon is empty"),
    FIVE_WRONG: Refusal(IllegalDeal, "five of a seat's own cards"),
    HAND_COUNT: Refusal(IllegalDeal, "seat . was dealt"),
    TALON_COUNT: Refusal(IllegalDeal, "the talon has"),
    CARD_TWICE: Refusal(IllegalDeal, "lies in two places"),
    FIVE_MISSING: Refusal(IllegalDeal, "the first five cards of each hand are needed"),
    AUCTION_OVER: Refusal(IllegalBid, "the auction is over; no call may follow"),
    WRONG_TURN: Refusal(IllegalBid, "it is seat .'s turn"),
    WRONG_ROUND: Refusal(IllegalBid, "round . is written"),
    MUST_CONFIRM: Refusal(IllegalBid, "the winner of the five-card round confirms"),
    MUST_BID: Refusal(IllegalBid, "forehand must bid"),
    PASS_AND_MORE: Refusal(IllegalBid, "a pass takes no talon, names no trump and holds nothing"),
    UNKNOWN_BID: Refusal(IllegalBid, "unknown bid"),
    MAY_NOT_HOLD: Refusal(IllegalBid, "only forehand may hold a bid of another"),
    HOLDS_ANOTHER: Refusal(IllegalBid, "a hold repeats the standing bid"),
    NO_SELF_RAISE: Refusal(IllegalBid, "the holder may not raise himself"),
    TOO_LOW: Refusal(IllegalBid, "does not overbid"),
    NO_TALON_YET: Refusal(IllegalBid, "the talon is not dealt yet"),
    LAYS_NOTHING: Refusal(IllegalBid, "a bid takes the talon and lays two cards"),
    NO_TALON_NOW: Refusal(IllegalBid, "nobody takes the talon during this auction"),
    LAYS_OTHERS: Refusal(IllegalBid, "laid .*; two cards of these are right"),
    TRUMP_LATER: Refusal(IllegalBid, "the suit is named after the auction"),
    TRUMP_OF_CALL: Refusal(IllegalBid, "is played"),
    BREAKS_OFF: Refusal(IllegalBid, "the auction breaks off"),
    NO_KONTRA_HERE: Refusal(IllegalDecision, "kontras: nobody bid"),
    NO_PLAYS_HERE: Refusal(IllegalDecision, "plays: nobody bid"),
    NOTHING_HERE: Refusal(IllegalDecision, "nobody bid, so no trump"),
    DISCARD_MISSING: Refusal(IllegalDecision, "discard: .*none are written"),
    DISCARD_WRONG: Refusal(IllegalDecision, "discard: .*two cards of these are right"),
    DISCARD_IN_CALL: Refusal(IllegalDecision, "discard: .*cards are laid in a call"),
    TRUMP_OF_NONE: Refusal(IllegalDecision, "trump: .*is played without trumps"),
    TRUMP_DIFFERS: Refusal(IllegalDecision, "trump: .*was named with the bid"),
    TRUMP_MISSING: Refusal(IllegalDecision, "trump: .*its suit must be written"),
    TRUMP_WRONG: Refusal(IllegalDecision, "trump: .*is played in"),
    NOT_CONCEDED: Refusal(IllegalDecision, "conceded: "),
    CONCEDED_KONTRA: Refusal(IllegalKontra, "a conceded game has none"),
    CONCEDED_PLAYS: Refusal(IllegalCard, "plays: a game is conceded before the first lead"),
    MUST_CONCEDE: Refusal(IllegalDecision, "plays: a plain simple game must be conceded"),
    KONTRA_LATE: Refusal(IllegalKontra, "until trick 2 is led"),
    KONTRA_ORDER: Refusal(IllegalKontra, "yet the one before it after"),
    KONTRA_PART: Refusal(IllegalKontra, "is no part of"),
    KONTRA_AGAINST: Refusal(IllegalKontra, "'against'"),
    KONTRA_STEP: Refusal(IllegalKontra, "(stands at level|to say)"),
    NOT_HELD: Refusal(IllegalCard, "is not held"),
    AGAINST_DUTY: Refusal(IllegalCard, "(must be kept|does not)"),
}
# fmt: on
