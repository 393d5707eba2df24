"""`talons`: one row per hand with known cards and a contract, and what the talon brought its declarer."""

from __future__ import annotations

from ulti_stats.game.cards import ACES, TENS
from ulti_stats.store.views.hands import ALL_CARRIED
from ulti_stats.store.views.view import Field, View, scan

# fmt: off
_FIELDS = (
    Field("had_pickup", "pickup IS NOT NULL", "whether the declarer took up a talon that is known"),
    Field("pickup_from", "CASE WHEN pickup IS NULL THEN NULL WHEN n_pickups > 1 THEN 'laid' ELSE 'dealt' END",
          "whether he took the talon as dealt, or what another bidder (or he himself) had laid; null without a pickup"),
    Field("pickup_text", "cards_text(pickup)", "the two cards that his last pickup brought, as text"),
    Field("kept", "bit_count(pickup & play_declarer)", "how many of the two stayed in the hand played: 0, 1 or 2"),
    Field("pickup_aces", f"bit_count(pickup & {ACES})", "aces among the two"),
    Field("pickup_tens", f"bit_count(pickup & {TENS})", "tens among the two"),
    Field("pickup_trumps", "bit_count(pickup & trump_mask(trump))", "trumps among the two; null without trumps"),
    Field("pickup_trump_seven", "(pickup & trump_seven(trump)) <> 0", "whether the trump seven was among the two"),
    Field("pickup_marriage_half", "(pickup & trump_marriage(trump)) <> 0",
          "whether the king or the over of trumps was among the two"),
    Field("laid_text", "cards_text(laid)", "the two cards in the talon when play starts, as text"),
    Field("laid_aces", f"bit_count(laid & {ACES})", "aces laid"),
    Field("laid_tens", f"bit_count(laid & {TENS})", "tens laid"),
    Field("laid_trumps", "bit_count(laid & trump_mask(trump))", "trumps laid; null without trumps"),
    Field("laid_points", "talon_points", "card points laid; null where no card was played"),
)
# fmt: on
TALONS = View(
    "talons",
    "hand with known cards and a contract",
    _FIELDS,
    ALL_CARRIED,
    scan(_FIELDS, source="raw.hands", carried=ALL_CARRIED, where="contract IS NOT NULL AND play_declarer IS NOT NULL"),
)
