"""Cards and card sets: 32 cards, numbered 8 x suit + rank, and sets of them as bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum

from ulti_stats.errors import NotationError


class Suit(IntEnum):
    """The four suits in the order of notation: acorns, leaves, hearts, bells."""

    ACORNS = 0
    LEAVES = 1
    HEARTS = 2
    BELLS = 3

    @property
    def text(self) -> str:
        """Return the name used in records: `acorns`, `leaves`, `hearts` or `bells`."""
        return self.name.lower()


SUIT_LETTERS = "ALHB"
RANK_LETTERS = "789UOKTA"
N_CARDS = 32
FULL_DECK = (1 << N_CARDS) - 1
SUIT_MASKS = tuple(0xFF << (8 * suit) for suit in range(4))
# Ranks by their place in RANK_LETTERS.
SEVEN, EIGHT, NINE, UNDER, OVER, KING, TEN, ACE = range(8)
ACES = sum(1 << (8 * suit + ACE) for suit in range(4))
TENS = sum(1 << (8 * suit + TEN) for suit in range(4))
# Export writes the ranks of a suit from the ace down: A T K O U 9 8 7, which is the order of ids reversed.
CARD_TEXTS = tuple(SUIT_LETTERS[card >> 3] + RANK_LETTERS[card & 7] for card in range(N_CARDS))
_CARD_IDS = {text: card for card, text in enumerate(CARD_TEXTS)}
SUIT_NAMES = tuple(suit.text for suit in Suit)


def card_id(suit: int, rank: int) -> int:
    """Return the number of a card, 0 to 31.

    >>> CARD_TEXTS[card_id(Suit.HEARTS, ACE)]
    'HA'
    """
    return 8 * suit + rank


def parse_card(text: str) -> int:
    """Return the number of the card written as suit letter then rank letter.

    Raises `NotationError` where the text is no card.

    >>> parse_card("H7")
    16
    """
    card = _CARD_IDS.get(text)
    if card is not None:
        return card
    if len(text) != 2:
        raise NotationError(f"'{text}' is no card; a card is a suit letter and a rank letter, as in HA")
    if text[0] not in SUIT_LETTERS:
        raise NotationError(f"unknown suit '{text[0]}' in card '{text}'; suits are A L H B")
    raise NotationError(f"unknown rank '{text[1]}' in card '{text}'; ranks are 7 8 9 U O K T A")


def parse_card_list(text: str) -> tuple[int, ...]:
    """Return the cards of a text in the order written.

    >>> parse_card_list("HA B7")
    (23, 24)
    """
    return tuple(parse_card(word) for word in text.split())


def parse_cards(text: str) -> int:
    """Return the mask of a card set; raises `NotationError` at a card that stands twice.

    >>> format_cards(parse_cards("B7 HA HT"))
    'HA HT B7'
    """
    mask = 0
    for card in parse_card_list(text):
        if mask >> card & 1:
            raise NotationError(f"card {CARD_TEXTS[card]} stands twice in '{text}'")
        mask |= 1 << card
    return mask


def format_card(card: int) -> str:
    """Return suit letter and rank letter of a card."""
    return CARD_TEXTS[card]


def format_card_list(cards: Iterable[int]) -> str:
    """Return cards in the order given, separated by spaces."""
    return " ".join(CARD_TEXTS[card] for card in cards)


def cards_of(mask: int) -> Iterator[int]:
    """Yield the cards of a mask, lowest number first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def format_cards(mask: int) -> str:
    """Return a card set as text, suits A L H B, ranks from the ace down.

    >>> format_cards(parse_cards("L7 AA LT"))
    'AA LT L7'
    """
    cards = sorted(cards_of(mask), key=lambda card: (card >> 3, -(card & 7)))
    return format_card_list(cards)


def parse_suit(text: str) -> Suit:
    """Return the suit with this name; raises `NotationError`.

    >>> parse_suit("bells")
    <Suit.BELLS: 3>
    """
    try:
        return Suit(SUIT_NAMES.index(text))
    except ValueError:
        raise NotationError(f"unknown suit '{text}'; suits are {', '.join(SUIT_NAMES)}") from None


def marriages_in(hand: int) -> tuple[Suit, ...]:
    """Return the suits of which a hand holds king and over, in the order acorns, leaves, hearts, bells.

    >>> marriages_in(parse_cards("HK HO LK L7 BO BK"))
    (<Suit.HEARTS: 2>, <Suit.BELLS: 3>)
    """
    pair = 1 << KING | 1 << OVER
    return tuple(suit for suit in Suit if hand >> (8 * suit) & pair == pair)
