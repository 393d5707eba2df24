"""The options of the rules page: what each means, its allowed values, and which of them contradict each other."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ulti_stats.errors import RulesetError

if TYPE_CHECKING:
    from ulti_stats.game.rulesets import Ruleset

MOST_SILENT_UNITS = 100
SILENT_KINDS = ("hundred", "four_aces", "ulti", "durchmars", "forty_hundred", "twenty_hundred")


class RulesetWarning(UserWarning):
    """Options that are allowed together, though hardly anybody would mean them."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: the question that it answers, and its allowed values (`kind` int, bool, text, subset or object)."""

    question: str
    values: tuple[Any, ...] = ()
    kind: str = "choice"
    nullable: bool = False

    def allowed(self) -> str:
        """Return the allowed values as text."""
        match self.kind:
            case "bool":
                text = "true, false"
            case "int":
                text = f"a whole number from {self.values[0]} to {self.values[1]}"
            case "text":
                text = "a text"
            case "subset":
                text = "a list from " + ", ".join(self.values)
            case "object":
                text = f"an object with keys from {', '.join(self.values)} and whole numbers from 0 to {MOST_SILENT_UNITS}"
            case _:
                text = ", ".join(str(value) for value in self.values)
        return text + (" or null" if self.nullable else "")


def _bool(question: str, nullable: bool = False) -> Option:
    return Option(question, (True, False), "bool", nullable)


def _int(question: str, low: int, high: int, nullable: bool = False) -> Option:
    return Option(question, (low, high), "int", nullable)


def _choice(question: str, *values: Any, nullable: bool = False) -> Option:
    return Option(question, values, "choice", nullable)


# fmt: off
OPTIONS: dict[str, Option] = {
    "players": _choice("How many sit at the table (the fourth, who deals, sits out)?", 3, 4),
    "direction": _choice("Which way do deal and play turn?", "ccw", "cw"),
    "forehand": _choice("Who speaks first?", "dealer_right", "dealer_left"),
    "deal_pattern": _choice("In which batches is it dealt (matters for recorded shuffles only)?",
                            "5-7/5/5", "5-5+2aside", "5-2mid-5"),
    "misdeal": _choice("What follows a misdeal?", "redeal_same"),
    "ten_rank": _choice("Where does the ten rank: high in all suits of trump games, in the trump suit only, or always?",
                        "high_all_in_trump", "high_trump_suit_only", "high_always"),
    "card_points": _choice("What are cards worth: A 10 T 10; A 11 T 10; A 11 T 10 K 4 O 3 U 2?", "tens10", "ace11", "full"),
    "last_trick_bonus": _int("How many points does the last trick bring?", 0, 100),
    "simple_target": _choice("Is the simple game a comparison of totals or a threshold of card points?", "compare", "threshold"),
    "simple_threshold": _int("How many points make the simple game under simple_target=threshold?", 1, 200, nullable=True),
    "talon_points": _choice("To whom do the points of the talon go?", "defenders", "declarer", "none"),
    "opening_bid_forced": _bool("Must forehand bid?"),
    "all_pass": _choice("What if nobody bids?", "impossible", "redeal_next", "redeal_same"),
    "talon_mode": _choice("Who takes the talon: every bidder, a bidder who wants it, the winner of the auction, nobody?",
                          "rob", "rob_optional", "winner_takes", "none"),
    "pass_final": _bool("Is a pass final?"),
    "self_raise": _bool("May the holder raise himself when both others have passed?"),
    "auction_end": _choice("What ends the auction?", "all_incl_holder", "two_passes", "all_others"),
    "hold": _choice("May forehand match a later bid?", "off", "forehand"),
    "bid_order": _choice("Which order decides what may follow?",
                         "table", "literal", "value_parts", "ladder_b", "value_squares"),
    "min_components": _choice("How many named parts must a bid have?", 1, 2),
    "two_round_auction": _bool("Is there an auction on five cards first?"),
    "round1_factor": _int("By how much does a bid of the five-card round pay?", 1, 8),
    "trump_named": _choice("When is the trump suit named?", "after_auction", "at_bid"),
    "hearts_always_trump": _bool("Are hearts always trumps?"),
    "hearts_under_plain": _bool("May hearts be named, undoubled, under a plain bid?"),
    "first_lead": _choice("Who leads to the first trick?", "declarer", "forehand"),
    "must_overtake": _bool("Must a player who follows suit beat the trick if he can?"),
    "must_overtrump": _bool("Must a player who trumps overtrump if he can?"),
    "overtake_when_trumped": _bool("Must a player who follows suit top the card led though the trick is trumped?"),
    "hold_trump_seven": _bool("Must the declarer of an ulti keep the trump seven for trick 10 unless forced?"),
    "stop_early": _bool("May a no-trump game end with the trick that decides it?"),
    "marriage_timing": _choice("When is a marriage declared?", "first_trick", "either_card", "first_card", "second_card"),
    "marriage_needs_trick": _bool("Does a side need a trick for its marriages to count?"),
    "hundred_marriage_ban": _choice("Who may declare only the promised marriage in a 100-game?", "none", "declarer", "all"),
    "four_aces": _bool("Is Four Aces a bid?"),
    "trump_durchmars": _choice("May a durchmars be played with trumps?", "none", "combined_only", "free"),
    "implied_simple": _bool("Is a simple game implied beside ulti and Four Aces?"),
    "ulti_fail_penalty": _int("What does a failed ulti cost on top (hearts x2 where hearts double)?", 0, 100),
    "penalty_under_kontra": _choice("Does a kontra raise that penalty?", "fixed", "doubled", nullable=True),
    "hearts_multiplier": _choice("By how much do hearts multiply?", 1, 2),
    "open_betli_factor": _int("By how much does an open betli multiply?", 1, 16),
    "open_durchmars_nt_factor": _int("By how much does an open no-trump durchmars multiply?", 1, 16),
    "open_durchmars_factor": _int("By how much does an open trump durchmars multiply?", 1, 16, nullable=True),
    "open_ulti": _bool("Is there an open ulti (x2)?"),
    "open_who": _choice("Who shows cards in open games?", "all", "declarer"),
    "open_when": _choice("When are they shown?", "after_trick_1", "before_lead"),
    "concede_simple": _choice("May (or must) a plain simple game be conceded?", "off", "allowed", "mandatory"),
    "missing_marriage": _choice("A 100-game whose promised marriage is not held: lost, or dropped from the contract?",
                                "lost", "dropped"),
    "kontra_deadline": _choice("Until when may kontra be said?", "end_trick_1"),
    "kontra_scope": _choice("Does a kontra bind both defenders or its sayer?", "joint", "individual_notrump", "individual"),
    "kontra_max_level": _int("How high may kontra go?", 0, 6),
    "kontra_multipliers": _choice("Factors 2, 4, 8, 16, 32, 64, or the literal 2, 4, 4, 8, 16, 32?", "pow2", "literal_b"),
    "kontra_names": _choice("What are levels 4 and 5 called?", "hirs_then_mord", "mord_then_hirs"),
    "silent_set": Option("Which bonuses are paid unbid?", SILENT_KINDS, "subset"),
    "silent_values": Option("What is each silent bonus worth (half the bid unless set)?", SILENT_KINDS, "object"),
    "silent_durch_simple": _choice("What is a silent durchmars worth under the Simple contract?", 3, 4),
    "silent_loss": _choice("What does a lost silent bonus cost?",
                           "none", "same_per_defender", "double_per_defender", "double_ulti_only", "ulti_only"),
    "silent_ulti_defender": _choice("Does a defender's silent ulti pay?", "none", "team", "individual"),
    "silent_ulti_defender_loss": _choice("What does a defender's failed silent ulti bring the declarer?", "none", "double"),
    "silent_durchmars_loss": _choice("Is a silent durchmars lost to one defender or to both together?", "one_defender", "team"),
    "silent_hundred_sides": _choice("Who can score a silent 40-100 or 20-100?", "declarer", "both"),
    "silent_hundred_paid": _choice("Are silent 40-100 and 20-100 paid each, or the better one?", "each", "better"),
    "silent_under_durchmars": _bool("Is the silent ulti paid beside a trump durchmars?", nullable=True),
    "hundred_mode": _choice("Does a silent hundred come on top of the simple game or in its place?",
                            "add", "replace", nullable=True),
    "durchmars_mode": _choice("Does a silent durchmars come on top of the simple game or in its place?", "add", "replace"),
    "silent_kontra": _choice("Are silent bonuses multiplied by a kontra on the game that carries them?",
                             "with_carrier", "never", "with_simple_not_ulti"),
    "settlement": _choice("Who pays whom?", "per_defender", "declarer_only", "c_literal"),
    "session_deals": _int("After how many deals does a session end?", 1, 10_000, nullable=True),
    "session_target": _int("At how many chips does a session end?", 1, 1_000_000, nullable=True),
    "session_tiebreak_deals": _int("How many deals break a tie at the end?", 1, 1_000, nullable=True),
    "unit": Option("What is one unit?", (), "text"),
}
# fmt: on


def check_option(name: str, value: Any) -> Any:
    """Return an option's value in the page's own form; raises `RulesetError` with the allowed values.

    >>> check_option("silent_set", ["durchmars", "ulti"])
    ('ulti', 'durchmars')
    """
    option = OPTIONS[name]
    refused = RulesetError(f"option {name}={value!r} is not allowed; allowed: {option.allowed()}")
    if value is None:
        if not option.nullable:
            raise refused
        return None
    return _checked(option, value, refused)


def option_text(name: str, value: Any) -> str:
    """Return an option with its value as the command line takes it.

    >>> option_text("four_aces", False), option_text("hold", "forehand"), option_text("silent_set", ["ulti"])
    ('four_aces=false', 'hold=forehand', 'silent_set=["ulti"]')
    """
    return f"{name}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"


def _checked(option: Option, value: Any, refused: RulesetError) -> Any:
    is_int = isinstance(value, int) and not isinstance(value, bool)
    match option.kind:
        case "bool":
            good = isinstance(value, bool)
        case "int":
            good = is_int and option.values[0] <= value <= option.values[1]
        case "text":
            good = isinstance(value, str) and bool(value)
        case "subset":
            if not isinstance(value, list | tuple) or not all(kind in option.values for kind in value):
                raise refused
            if len(set(value)) != len(value):
                raise refused
            return tuple(kind for kind in option.values if kind in value)
        case "object":
            if not isinstance(value, dict) or not set(value) <= set(option.values):
                raise refused
            if not all(type(units) is int and 0 <= units <= MOST_SILENT_UNITS for units in value.values()):
                raise refused
            return tuple((kind, value[kind]) for kind in option.values if kind in value)
        case _:
            good = value in option.values and type(value) is type(option.values[0])
    if not good:
        raise refused
    return value


@dataclass(frozen=True, slots=True)
class Combination:
    """Options that do not go together: in which rules they meet, what is wrong, and whether that is refused or warned of."""

    meets: Callable[[Ruleset], bool]
    text: str
    is_refused: bool = True


# fmt: off
COMBINATIONS: tuple[Combination, ...] = (
    Combination(
        lambda rules: rules.talon_mode == "winner_takes" and rules.opening_bid_forced,
        "talon_mode=winner_takes with opening_bid_forced: nobody has the talon at the opening; set opening_bid_forced=false"),
    Combination(
        lambda rules: not rules.opening_bid_forced and rules.all_pass == "impossible",
        "opening_bid_forced=false with all_pass=impossible: a deal can be passed out; set all_pass"),
    Combination(
        lambda rules: rules.bid_order == "ladder_b" and rules.four_aces,
        "bid_order=ladder_b with four_aces: the ladder has no rung for it; set four_aces=false"),
    Combination(
        lambda rules: rules.bid_order == "ladder_b" and rules.trump_durchmars == "free",
        "bid_order=ladder_b with trump_durchmars=free: the ladder has no rung for it; set trump_durchmars"),
    Combination(
        lambda rules: rules.bid_order == "table" and ("simple+ulti" in rules.bids or rules.open_ulti),
        "bid_order=table has no place for open_ulti or simple+ulti; set bid_order=value_parts"),
    Combination(
        lambda rules: rules.settlement != "per_defender" and rules.kontra_scope != "joint",
        "settlement=declarer_only or c_literal with an individual kontra_scope: one account cannot hold two levels; "
        "set kontra_scope=joint"),
    Combination(
        lambda rules: rules.simple_target == "threshold" and rules.simple_threshold is None,
        "simple_target=threshold needs simple_threshold"),
    Combination(
        lambda rules: rules.two_round_auction and rules.talon_mode in ("none", "winner_takes"),
        "two_round_auction with talon_mode=none or winner_takes: the winner of round one takes the talon; set talon_mode=rob"),
    Combination(
        lambda rules: rules.hearts_always_trump and rules.hearts_multiplier == 2,
        "hearts_always_trump with hearts_multiplier=2 doubles every trump game", is_refused=False),
    Combination(
        lambda rules: rules.silent_loss != "none" and not rules.silent_set,
        "silent_loss is set though silent_set is empty", is_refused=False),
)
# fmt: on


def check_combinations(rules: Ruleset) -> None:
    """Raise `RulesetError` for options that contradict each other, warn for odd ones (RULES.md, sections 5 and 5.1)."""
    for found in COMBINATIONS:
        if not found.meets(rules):
            continue
        if found.is_refused:
            raise RulesetError(f"{rules.id}: {found.text}")
        warnings.warn(RulesetWarning(found.text), stacklevel=4)
