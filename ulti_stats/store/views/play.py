"""`tricks` and `plays`: one row per trick, and one per card played, each a union of column scans."""

from __future__ import annotations

from ulti_stats.game.cards import ACES, SUIT_NAMES, TENS
from ulti_stats.store.schema import N_PLAYS
from ulti_stats.store.views.hands import WITHOUT_PLAYS
from ulti_stats.store.views.view import Field, View, role_of, scan, union

# Who led trick 1 follows from who held its first card; later tricks are led by the winner before.
_FIRST_LEADER = """CASE WHEN (play_declarer >> p00) & 1 = 1 THEN declarer
WHEN (play_defender_1 >> p00) & 1 = 1 THEN (declarer + 1) % 3 ELSE (declarer + 2) % 3 END"""


def _winner(trick: int) -> str:
    return f"CASE WHEN n_tricks >= {trick} THEN (winners >> {2 * trick - 2}) & 3 END"


def _leader(trick: int) -> str:
    leader = _FIRST_LEADER if trick == 1 else f"(winners >> {2 * trick - 4}) & 3"
    return f"CAST({leader} AS TINYINT)"


_SUIT = " ".join(f"WHEN {suit} THEN '{name}'" for suit, name in enumerate(SUIT_NAMES))

# fmt: off
_TRICKS = (
    Field("trick", "{trick}", "number of the trick, 1 to 10"),
    Field("leader", "{leader}", "seat that led"),
    Field("leader_role", "{leader_role}", "declarer, defender_1 or defender_2"),
    Field("winner", "CAST({winner} AS TINYINT)", "seat that won; null where the play broke off in this trick"),
    Field("winner_role", "CASE WHEN n_tricks >= {trick} THEN {winner_role} END", "declarer, defender_1 or defender_2"),
    Field("card_1", "{p1}", "card led, 0 to 31"),
    Field("card_2", "{p2}", "second card"),
    Field("card_3", "{p3}", "third card"),
    Field("card_1_text", "card_text({p1})", "card led, as text"),
    Field("card_2_text", "card_text({p2})", "second card, as text"),
    Field("card_3_text", "card_text({p3})", "third card, as text"),
    Field("trick_aces", f"bit_count({{mask}} & {ACES})", "aces in the trick"),
    Field("trick_tens", f"bit_count({{mask}} & {TENS})", "tens in the trick"),
)
_PLAYS = (
    Field("ply", "{ply}", "number of the card in the hand, 0 to 29"),
    Field("trick", "{trick}", "number of the trick, 1 to 10"),
    Field("place", "{place}", "place in the trick: 1 led, 2, 3"),
    Field("seat", "{seat}", "seat that played it"),
    Field("role", "{role}", "declarer, defender_1 or defender_2"),
    Field("card", "{card}", "card number, 0 to 31"),
    Field("card_text", "card_text({card})", "card as text"),
    Field("card_suit", f"CASE {{card}} >> 3 {_SUIT} END", "acorns, leaves, hearts or bells"),
    Field("card_rank", "substr(card_text({card}), 2, 1)", "7 8 9 U O K T A"),
)
# fmt: on


def _trick_scan(trick: int) -> str:
    cards = [f"p{ply:02d}" for ply in range(3 * trick - 3, 3 * trick)]
    words = {
        "trick": f"CAST({trick} AS TINYINT)",
        "leader": _leader(trick),
        "leader_role": role_of(_leader(trick)),
        "winner": _winner(trick),
        "winner_role": role_of(_winner(trick)),
        "mask": "(" + " | ".join(f"coalesce(1::BIGINT << {card}, 0)" for card in cards) + ")",
        **{f"p{place}": card for place, card in enumerate(cards, 1)},
    }
    return scan(_TRICKS, source="raw.hands", carried=WITHOUT_PLAYS, where=f"{cards[0]} IS NOT NULL", words=words)


def _play_scan(ply: int) -> str:
    trick, place = divmod(ply, 3)
    seat = f"CAST(({_leader(trick + 1)} + {place}) % 3 AS TINYINT)"
    words = {
        "ply": f"CAST({ply} AS TINYINT)",
        "trick": f"CAST({trick + 1} AS TINYINT)",
        "place": f"CAST({place + 1} AS TINYINT)",
        "seat": seat,
        "role": role_of(seat),
        "card": f"p{ply:02d}",
    }
    return scan(_PLAYS, source="raw.hands", carried=WITHOUT_PLAYS, where="{card} IS NOT NULL", words=words)


TRICKS = View("tricks", "trick, begun or whole", _TRICKS, WITHOUT_PLAYS, union(_trick_scan(trick) for trick in range(1, 11)))
PLAYS = View("plays", "card played", _PLAYS, WITHOUT_PLAYS, union(_play_scan(ply) for ply in range(N_PLAYS)))
