"""Questions to the rules page whose answers depend on one option each, for `test_options_matter.py`."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.game.hands import HANDS, TALON, auction, call, history, judged, kontra, played
from ulti_stats.errors import UltiError
from ulti_stats.game.auction import make_call
from ulti_stats.game.cards import format_cards, parse_card_list, parse_cards
from ulti_stats.game.options import OPTIONS
from ulti_stats.game.play import legal_cards, trick_winner
from ulti_stats.game.replay import replay
from ulti_stats.game.rule_table import NO_TRUMP, rule_table
from ulti_stats.game.rulesets import Ruleset, ruleset

Question = Callable[[Ruleset], Any]


def accepted(rules: Ruleset, *calls: str) -> bool:
    """Return whether the last of these calls may be made after the others."""
    state = auction(rules, *calls[:-1])
    try:
        make_call(state, call(calls[-1]))
    except UltiError:
        return False
    return True


def talon_in_calls(rules: Ruleset) -> tuple[bool, bool]:
    """May a bid come with two cards laid, and may it come without?"""
    return accepted(rules, f"0 simple {TALON}"), accepted(rules, "0 simple")


def total(rules: Ruleset) -> int:
    """How many card points are there in all?"""
    found = replay(played("simple", options=_options(rules)))
    return (found.declarer_points or 0) + (found.defender_points or 0) + (found.talon_points or 0)


def _options(rules: Ruleset) -> dict[str, Any]:
    """Return the options that make `rablo` play like these rules."""
    rablo = ruleset("rablo")
    found = {name: getattr(rules, name) for name in OPTIONS if getattr(rules, name) != getattr(rablo, name)}
    return {name: dict(value) if name == "silent_values" else value for name, value in found.items()}


def legal(hand: str, on_table: str, *, bid: str = "simple", is_declarer: bool = False) -> Question:
    """Return the question which cards may follow, hearts being trumps."""

    def ask(rules: Ruleset) -> str:
        number, cards = rules.bid(bid).number, parse_card_list(on_table)
        mask = legal_cards(rule_table(rules), number, 2, parse_cards(hand), cards, is_declarer=is_declarer, trick=0)
        return format_cards(mask)

    return ask


def paid(bid: str, component: str, levels: dict[str, tuple[int, int]] | None = None, **facts: Any) -> Question:
    """Return the question what the defenders pay for a component (None where it was neither made nor failed)."""
    return lambda rules: judged(rules, bid, levels, **facts)[0].get(component)


def payoffs(bid: str, levels: dict[str, tuple[int, int]] | None = None, **facts: Any) -> Question:
    """Return the question what everybody is paid."""
    return lambda rules: judged(rules, bid, levels, **facts)[1]


def value(bid: str) -> Question:
    """Return the question what a bid is worth (None: unknown)."""
    return lambda rules: rules.bid(bid).value if rules.knows_bid(bid) else None


def knows(*bids: str) -> Question:
    """Return the question which of these bids there are."""
    return lambda rules: [bid for bid in bids if rules.knows_bid(bid)]


def ten_beats_king(rules: Ruleset) -> tuple[bool, bool]:
    """Does the ten beat the king in a side suit, and without trumps?"""
    table, cards = rule_table(rules), parse_card_list("LK LT")
    return trick_winner(table, 2, cards) == 1, trick_winner(table, NO_TRUMP, cards) == 1


def order(rules: Ruleset) -> list[bool]:
    """Which of these raises are allowed?"""
    raises = (
        ("ulti", "forty_hundred+ulti"),
        ("betli", "forty_hundred"),
        ("ulti@hearts", "forty_hundred+durchmars"),
        ("forty_hundred@hearts", "twenty_hundred"),
        ("ulti@hearts", "betli@hearts"),
    )
    return [rules.overbids(rules.bid(high), rules.bid(low)) for low, high in raises]


def two_rounds(rules: Ruleset) -> int:
    """In which round does the auction begin?"""
    return auction(rules).round


def confirmed(rules: Ruleset) -> tuple[int, int, int] | None:
    """What does a confirmed simple game pay that is conceded?"""
    round_1 = ("0 simple round 1", "1 pass round 1", "2 pass round 1", "0 pass round 1")
    calls = (*round_1, f"0 simple {TALON}", "1 pass", "2 pass", "0 pass")
    five = tuple(parse_cards(hand[:14]) for hand in HANDS)
    return replay(history(*calls, five=five, conceded=True), rules=rules).payoffs


def first_leader(rules: Ruleset) -> int:
    """Which seat leads where forehand is outbid by seat 1? AA is seat 0's, AU seat 1's."""
    calls = (f"0 simple {TALON}", f"1 simple@hearts {TALON}", "2 pass", "0 pass", "1 pass")
    for seat, card in ((0, "AA"), (1, "AU")):
        try:
            replay(history(*calls, plays=card), rules=rules)
        except UltiError:
            continue
        return seat
    return -1


def moment(rules: Ruleset) -> int:
    """At which card does silence declare the pair AK AO?"""
    return replay(played("simple", "AA A8 A9 AK AU L9 AO", options=_options(rules))).marriages[0].play


def may_declare_late(rules: Ruleset) -> bool:
    """May the pair be declared with its second card?"""
    hand = played("simple", "AA A8 A9 AK AU L9 AO", options=_options(rules))
    late = replay(replace(hand, options=None), rules=ruleset("rablo", {"marriage_timing": "second_card"})).marriages[:1]
    try:
        return bool(replay(replace(hand, marriages=late)))
    except UltiError:
        return False


def marriage_points(bid: str, trump: str = "acorns") -> Question:
    """Return the question what declarer and defenders count for marriages on the shared deal."""

    def ask(rules: Ruleset) -> tuple[int | None, int | None]:
        found = replay(played(bid, trump=trump, options=_options(rules)))
        return found.declarer_marriage_points, found.defender_marriage_points

    return ask


def trickless_marriage(rules: Ruleset) -> int | None:
    """What does a marriage count for a declarer without a trick?"""
    hands = ("A8 A7 A9 L8 L9 H8 H7 H9 HK HO", "AA AT AK L7 LT LA HA HT BA BT", "AU AO LK LO LU HU BK BO BU B9")
    hand = played("simple", trump="bells", hands=hands, talon="B8 B7", discard="B8 B7", options=_options(rules))
    return replay(hand).declarer_marriage_points


def concedes(rules: Ruleset) -> tuple[bool, bool]:
    """May a simple game be conceded, and may it be played?"""
    calls = (f"0 simple {TALON}", "1 pass", "2 pass", "0 pass")
    answers = []
    for hand in (history(*calls, conceded=True), played("simple")):
        try:
            answers.append(bool(replay(hand, rules=rules)))
        except UltiError:
            answers.append(False)
    return answers[0], answers[1]


def level_after_the_losing_trick(rules: Ruleset) -> str:
    """Is a betli settled with the first trick that its declarer wins?"""
    hand = played("betli", "AA", trump=None)
    assert hand.plays is not None
    return replay(replace(hand, plays=hand.plays[:3]), rules=rules).level


def one_kontra(bid: str) -> Question:
    """Return the question what the first defender's kontra does to each."""

    def ask(rules: Ruleset) -> tuple[int, int] | None:
        hand = replace(played(bid, trump="acorns" if bid == "ulti" else None), kontras=(kontra(f"1 {bid}"),))
        part = replay(hand, rules=rules).component(bid)
        return None if part is None else part.units

    return ask


def highest_kontra(rules: Ruleset) -> int:
    """How many steps may be said on a betli?"""
    hand, said = played("betli", trump=None), []
    for step in range(7):
        said.append(kontra(f"{1 - step % 2} betli"))
        try:
            replay(replace(hand, kontras=tuple(said)), rules=rules)
        except UltiError:
            return step
    return 7


def made_and_failed(**facts: Any) -> Question:
    """Return the question which silent bonuses a simple game with these facts has."""
    return lambda rules: sorted(name for name in judged(rules, "simple", **facts)[0] if name != "simple")
