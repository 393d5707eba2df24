"""What UltiArena does not write down: the deal, which follows from the seed, and the discards before the last.

Every bid takes the talon and lays two of twelve. The record keeps the hands after the auction, so a seat's last discard
is what it held and no longer holds; earlier ones are searched for.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

from ulti_stats.game.cards import N_CARDS, Suit, cards_of

Hands = tuple[int, int, int]

# The site's suits in its own order; its ranks run as ours do, from the seven to the ace.
SITE_SUITS = (Suit.HEARTS, Suit.BELLS, Suit.LEAVES, Suit.ACORNS)
MAX_STEPS = 50_000


def card_of(site_card: int) -> int:
    """Return our number of a card that the site numbers 8 x suit + rank, suits hearts, bells, leaves, acorns.

    >>> from ulti_stats.game.cards import format_card
    >>> [format_card(card_of(number)) for number in (0, 15, 22, 25)]
    ['H7', 'BA', 'LT', 'A8']
    """
    return 8 * SITE_SUITS[site_card >> 3] + (site_card & 7)


def mask_of(site_cards: list[int]) -> int:
    """Return the mask of a list of site cards."""
    return sum(1 << card_of(card) for card in set(site_cards))


def dealt_from(seed: int) -> tuple[Hands, int]:
    """Return the hands and the talon that a seed deals: forehand (seat 0) is dealt the talon too."""
    deck = list(range(N_CARDS))
    random.Random(seed).shuffle(deck)
    return (mask_of(deck[:10]), mask_of(deck[12:22]), mask_of(deck[22:])), mask_of(deck[10:12])


@dataclass(frozen=True, slots=True)
class Discards:
    """The two cards that each bidder laid, as masks in order, and whether no other choice leads to the same hands."""

    masks: tuple[int, ...]
    is_unique: bool


def recover_discards(*, hands: Hands, talon: int, bidders: tuple[int, ...], final: Hands, laid: int) -> Discards | None:
    """Return discards that lead from a deal to the hands and the talon after the auction, or None where none do.

    `bidders` are the seats that took the talon, in order. A search that takes too long counts as not unique.

    >>> from ulti_stats.game.cards import parse_cards
    >>> dealt, after = parse_cards("AA AK A7"), parse_cards("AA AK AT")
    >>> recover_discards(hands=(dealt, 0, 0), talon=parse_cards("AT L8"), bidders=(0,), final=(after, 0, 0),
    ...                  laid=parse_cards("A7 L8")).is_unique
    True
    """
    if any(hands[seat] != final[seat] for seat in range(3) if seat not in bidders):
        return None
    search = _Search(bidders, final, laid)
    found = list(islice(search.solutions(hands, talon, 0), 2))
    if not found:
        return None
    return Discards(found[0], len(found) == 1 and search.steps <= MAX_STEPS)


@dataclass(slots=True)
class _Search:
    """Depth-first over the choices of seats that will take the talon again; the rest is forced."""

    bidders: tuple[int, ...]
    final: Hands
    laid: int
    steps: int = 0

    def solutions(self, hands: Hands, talon: int, turn: int) -> Iterator[tuple[int, ...]]:
        """Yield every list of discards from this turn on that ends in the final hands and talon."""
        if turn == len(self.bidders):
            if talon == self.laid and hands == self.final:
                yield ()
            return
        seat = self.bidders[turn]
        twelve = hands[seat] | talon
        for discard in self._choices(seat, turn, twelve):
            self.steps += 1
            if self.steps > MAX_STEPS:
                return
            kept = (*hands[:seat], twelve & ~discard, *hands[seat + 1 :])
            for rest in self.solutions((kept[0], kept[1], kept[2]), discard, turn + 1):
                yield (discard, *rest)

    def _choices(self, seat: int, turn: int, twelve: int) -> list[int]:
        """Return the pairs worth trying, those first that the seat does not hold in the end."""
        later = self.bidders[turn + 1 :]
        n_again = later.count(seat)
        foreign = twelve & ~self.final[seat]
        if n_again == 0:
            return [foreign] if foreign.bit_count() == 2 else []
        # A card laid here must reach its last place: the final talon, or a seat that takes the talon later.
        reachable = self.laid
        for other in set(later):
            reachable |= self.final[other]
        pairs = (1 << one | 1 << two for one, two in combinations(cards_of(twelve & reachable), 2))
        fitting = [pair for pair in pairs if (foreign & ~pair).bit_count() <= 2 * n_again]
        return sorted(fitting, key=lambda pair: (pair & self.final[seat]).bit_count())
