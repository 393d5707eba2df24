"""Functions for analysts: cards and suits as text in the notation of records."""

from __future__ import annotations

from dataclasses import dataclass

from ulti_stats.game.bids import BID_NAMES, COMPONENT_TEXTS
from ulti_stats.game.cards import KING, OVER, RANK_LETTERS, SEVEN, SUIT_LETTERS, SUIT_MASKS, SUIT_NAMES
from ulti_stats.game.history import PASS
from ulti_stats.store.packing import CALL_BID, CALL_PASS
from ulti_stats.store.schema import OUTCOME_BITS


@dataclass(frozen=True, slots=True)
class Macro:
    """A scalar function of SQL: how it is called, its expression, what it returns."""

    signature: str
    sql: str
    meaning: str


def _by_trump(values: list[int]) -> str:
    cases = " ".join(f"WHEN '{name}' THEN {value}" for name, value in zip(SUIT_NAMES, values, strict=True))
    return f"CASE trump {cases} END"


def _was_made() -> str:
    """Return the SQL that reads a component's two bits of `outcomes`."""
    places = " ".join(f"WHEN '{name}' THEN {OUTCOME_BITS * number}" for number, name in enumerate(COMPONENT_TEXTS))
    return f"CASE (outcomes >> CASE component {places} END) & 3 WHEN 1 THEN false WHEN 2 THEN true END"


# Suits in the order of notation, ranks from the ace down.
_IN_ORDER = [8 * suit + rank for suit in range(4) for rank in reversed(range(8))]

MACROS: tuple[Macro, ...] = (
    Macro(
        "card_text(card)",
        f"substr('{SUIT_LETTERS}', (card >> 3) + 1, 1) || substr('{RANK_LETTERS}', (card & 7) + 1, 1)",
        "a card number as text: 23 is `HA`",
    ),
    Macro(
        "cards_text(mask)",
        f"CASE WHEN mask IS NOT NULL THEN array_to_string([card_text(c) for c in {_IN_ORDER} if (mask >> c) & 1 = 1], ' ') END",
        "a card mask as text, suits A L H B, ranks from the ace down",
    ),
    Macro("trump_mask(trump)", _by_trump(list(SUIT_MASKS)), "mask of the trump suit's eight cards, null without trumps"),
    Macro(
        "trump_seven(trump)",
        _by_trump([1 << 8 * suit + SEVEN for suit in range(4)]),
        "mask of the trump seven alone, null without trumps",
    ),
    Macro(
        "trump_marriage(trump)",
        _by_trump([1 << 8 * suit + KING | 1 << 8 * suit + OVER for suit in range(4)]),
        "mask of king and over of trumps, null without trumps",
    ),
    Macro(
        "call_bid(call)",
        f"coalesce(list_extract({[*BID_NAMES]}, 1 + nullif((call >> {CALL_BID}) & 255, {CALL_PASS})), '{PASS}')",
        "bid id of an entry of `calls` in `raw.hands`, or pass",
    ),
    Macro(
        "was_made(outcomes, component)",
        _was_made(),
        "whether a component was made, from the bits of `outcomes`; null where it was not in play or is not known",
    ),
)
