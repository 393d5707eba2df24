"""The rules page: every number and order on which tables differ, as frozen data.

Options carry the names and values of RULES.md, section 5. A preset is written as its difference from `rablo`; house rules
are a preset with options. Code asks the page (`rules.ladder`, `rules.value_of(...)`), never the ruleset's id.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any

from ulti_stats.errors import RulesetError
from ulti_stats.game import bids
from ulti_stats.game.bids import BID_FORMS, BidForm, Component, TrumpClass
from ulti_stats.game.options import OPTIONS, check_combinations, check_option


@dataclass(frozen=True, slots=True)
class Bid:
    """A rung of a ruleset's ladder: its form, its components (an implied simple too) and what each pays a defender."""

    form: BidForm
    number: int
    components: tuple[Component, ...]
    values: tuple[int, ...]
    multiplier: int

    @property
    def name(self) -> str:
        """Return the bid id of FORMAT.md."""
        return self.form.name

    @property
    def value(self) -> int:
        """Return the units that each defender pays when every component is made."""
        return sum(self.values)

    @property
    def has_trumps(self) -> bool:
        """Return whether the bid is played with a trump suit."""
        return self.form.trump_class is not TrumpClass.NONE


@dataclass(frozen=True)
class Ruleset:
    """One table's rules. The defaults are `rablo`; see `docs/rules.md` for what each option means."""

    id: str = "rablo"
    title: str = "Rablóulti"
    source: str = "encyclopedia descriptions of Rablóulti with their 54-bid table"
    bids: tuple[str, ...] = bids.RABLO_BIDS
    # table
    players: int = 3
    direction: str = "ccw"
    forehand: str = "dealer_right"
    deal_pattern: str = "5-7/5/5"
    misdeal: str = "redeal_same"
    # cards
    ten_rank: str = "high_all_in_trump"
    card_points: str = "tens10"
    last_trick_bonus: int = 10
    simple_target: str = "compare"
    simple_threshold: int | None = None
    talon_points: str = "defenders"
    # auction
    opening_bid_forced: bool = True
    all_pass: str = "impossible"
    talon_mode: str = "rob"
    pass_final: bool = False
    self_raise: bool = True
    auction_end: str = "all_incl_holder"
    hold: str = "off"
    bid_order: str = "table"
    min_components: int = 1
    two_round_auction: bool = False
    round1_factor: int = 2
    trump_named: str = "after_auction"
    hearts_always_trump: bool = False
    hearts_under_plain: bool = False
    # play
    first_lead: str = "declarer"
    must_overtake: bool = True
    must_overtrump: bool = True
    overtake_when_trumped: bool = False
    hold_trump_seven: bool = True
    stop_early: bool = False
    marriage_timing: str = "first_trick"
    marriage_needs_trick: bool = False
    hundred_marriage_ban: str = "declarer"
    # contracts
    four_aces: bool = True
    trump_durchmars: str = "free"
    implied_simple: bool = True
    ulti_fail_penalty: int = 4
    penalty_under_kontra: str | None = "fixed"
    hearts_multiplier: int = 2
    open_betli_factor: int = 4
    open_durchmars_nt_factor: int = 4
    open_durchmars_factor: int | None = 2
    open_ulti: bool = False
    open_who: str = "all"
    open_when: str = "after_trick_1"
    concede_simple: str = "allowed"
    missing_marriage: str = "lost"
    # kontra
    kontra_deadline: str = "end_trick_1"
    kontra_scope: str = "joint"
    kontra_max_level: int = 6
    kontra_multipliers: str = "pow2"
    kontra_names: str = "hirs_then_mord"
    # silent bonuses
    silent_set: tuple[str, ...] = ("hundred", "four_aces", "ulti", "durchmars")
    silent_values: tuple[tuple[str, int], ...] = (("hundred", 2), ("four_aces", 2), ("ulti", 2), ("durchmars", 3))
    silent_durch_simple: int = 3
    silent_loss: str = "same_per_defender"
    silent_ulti_defender: str = "none"
    silent_ulti_defender_loss: str = "none"
    silent_durchmars_loss: str = "one_defender"
    silent_hundred_sides: str = "declarer"
    silent_hundred_paid: str = "each"
    silent_under_durchmars: bool | None = True
    hundred_mode: str | None = "add"
    durchmars_mode: str = "add"
    silent_kontra: str = "with_carrier"
    # settlement and session
    settlement: str = "per_defender"
    session_deals: int | None = None
    session_target: int | None = None
    session_tiebreak_deals: int | None = None
    unit: str = "10 forints"

    @cached_property
    def ladder(self) -> tuple[Bid, ...]:
        """Return the bids that these rules know, lowest first."""
        known = [self._bid(form) for form in BID_FORMS if self._knows(form)]
        return tuple(sorted(known, key=self.order_key))

    @cached_property
    def _by_name(self) -> dict[str, Bid]:
        return {bid.name: bid for bid in self.ladder}

    def bid(self, name: str) -> Bid:
        """Return the bid with this id; raises `RulesetError` where these rules do not know it."""
        found = self._by_name.get(name)
        if found is None:
            raise RulesetError(f"unknown bid '{name}' under {self.id}{nearest(name, self._by_name)}")
        return found

    def knows_bid(self, name: str) -> bool:
        """Return whether the ladder has a bid with this id."""
        return name in self._by_name

    def _knows(self, form: BidForm) -> bool:
        c = Component
        trump_durch = c.DURCHMARS in form.parts and form.trump_class is not TrumpClass.NONE
        suit_hearts = form.trump_class is TrumpClass.HEARTS
        return (
            (form.name in self.bids or (self.open_ulti and form.is_open and c.ULTI in form.parts and len(form.parts) == 1))
            and (self.four_aces or c.FOUR_ACES not in form.parts)
            and (self.open_ulti or not (form.is_open and form.parts == (c.ULTI,)))
            and not (trump_durch and self.trump_durchmars == "none")
            and not (trump_durch and self.trump_durchmars == "combined_only" and len(form.parts) == 1)
            and not (trump_durch and form.is_open and self.open_durchmars_factor is None)
            and not (suit_hearts and (self.hearts_multiplier == 1 or self.hearts_always_trump))
            and not (form.is_hearts and not suit_hearts and self.hearts_multiplier == 1 and not self.hearts_always_trump)
            and len(form.parts) >= self.min_components
        )

    def _bid(self, form: BidForm) -> Bid:
        c = Component
        parts = list(form.parts)
        if self.implied_simple and set(parts) <= {c.ULTI, c.FOUR_ACES}:
            parts.append(c.SIMPLE)
        nominal = form.is_hearts and form.trump_class is TrumpClass.NONE
        multiplier = self.hearts_multiplier if form.is_hearts else 1
        if nominal:
            multiplier = 2
        elif self.hearts_always_trump and form.trump_class is TrumpClass.PLAIN:
            multiplier = self.hearts_multiplier
        values = tuple(BASE_VALUES[part] * multiplier * self._open_factor(form, part) for part in parts)
        return Bid(form, bids.BID_IDS[form.name], tuple(parts), values, multiplier)

    def _open_factor(self, form: BidForm, part: Component) -> int:
        if not form.is_open:
            return 1
        if part is Component.BETLI:
            return self.open_betli_factor
        if part is Component.ULTI:
            return 2 if form.parts == (Component.ULTI,) else 1
        if part is not Component.DURCHMARS:
            return 1
        if form.trump_class is TrumpClass.NONE:
            return self.open_durchmars_nt_factor
        return self.open_durchmars_factor or 1

    def order_key(self, bid: Bid) -> tuple[Any, ...]:
        """Return what sorts a bid in the ladder under `bid_order`; equal keys cannot overbid each other."""
        singles = bids.LADDER_RANKS
        match self.bid_order:
            case "table":
                return (bids.RABLO_RANKS[bid.name],)
            case "ladder_b":
                single = bid.name in singles
                return (0, singles[bid.name], 0) if single else (1, bid.value, -len(bid.components))
            case "value_squares":
                return (bid.value, sum(value * value for value in bid.values), -int(bid.form.is_hearts))
            case _:
                return (bid.value, -len(bid.components))

    def overbids(self, new: Bid, standing: Bid, *, factor: int = 1) -> bool:
        """Return whether `new` may follow `standing` (RULES.md, rows 23 to 25).

        `factor` multiplies a standing bid kept from the five-card round; then effective values decide, and at equal
        ones fewer parts (5.1, point 8).
        """
        if factor != 1:
            return (new.value, -len(new.components)) > (standing.value * factor, -len(standing.components))
        if self.bid_order == "literal":
            return _overbids_literally(new, standing)
        return self.order_key(new) > self.order_key(standing)

    @cached_property
    def digest(self) -> str:
        """Return 16 hex digits that name these rules: equal for equal rules, whatever their id.

        Only what differs from the defaults goes in, so a new option does not change the digest of older rules.
        """
        named = {"id", "title", "source", "unit"}
        plain = Ruleset()
        parts = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in named}
        changed = {name: value for name, value in parts.items() if value != getattr(plain, name)}
        text = json.dumps(changed, sort_keys=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def silent_value(self, silent: str) -> int:
        """Return the base units of a silent bonus, before hearts and kontra; half the bid's value unless set."""
        return dict(self.silent_values).get(silent, _SILENT_DEFAULTS[silent])

    def first_speaker(self, dealer: int) -> int:
        """Return forehand's seat: seats run in the order of play, which turns with `direction`."""
        step = 1 if (self.direction == "ccw") == (self.forehand == "dealer_right") else 2
        return (dealer + step) % 3


# Units per defender for a plain suit, closed cards (RULES.md, rows 48 to 55).
BASE_VALUES: dict[Component, int] = {
    Component.SIMPLE: 1,
    Component.FORTY_HUNDRED: 4,
    Component.TWENTY_HUNDRED: 8,
    Component.ULTI: 4,
    Component.FOUR_ACES: 4,
    Component.DURCHMARS: 6,
    Component.BETLI: 5,
}
_SILENT_DEFAULTS = {"hundred": 2, "four_aces": 2, "ulti": 2, "durchmars": 3, "forty_hundred": 2, "twenty_hundred": 4}


def _overbids_literally(new: Bid, standing: Bid) -> bool:
    """Compare by the stated rule of A: value, then fewer parts, then ulti above four aces, with the named exception."""
    exception_low = {"ulti@hearts", "four_aces@hearts"}
    exception_high = {"forty_hundred+durchmars", "ulti+durchmars"}
    if standing.name in exception_low and new.name in exception_high:
        return True
    if new.name in exception_low and standing.name in exception_high:
        return False
    new_key, old_key = (new.value, -len(new.components)), (standing.value, -len(standing.components))
    if new_key != old_key:
        return new_key > old_key
    swapped = {Component.FOUR_ACES: Component.ULTI}
    return (
        Component.ULTI in new.form.parts
        and Component.FOUR_ACES in standing.form.parts
        and Component.FOUR_ACES not in new.form.parts
        and Component.ULTI not in standing.form.parts
        and sorted(new.form.parts) == sorted(swapped.get(part, part) for part in standing.form.parts)
        and new.form.is_hearts == standing.form.is_hearts
        and new.form.is_open == standing.form.is_open
    )


def nearest(word: str, known: Mapping[str, Any] | tuple[str, ...] | list[str]) -> str:
    """Return a hint that names the nearest known word, or the first few.

    >>> nearest("must_overtak", ("must_overtake", "hold"))
    "; did you mean 'must_overtake'?"
    """
    close = difflib.get_close_matches(word, list(known), n=1)
    if close:
        return f"; did you mean '{close[0]}'?"
    shown = list(known)
    return f"; known: {', '.join(shown[:12])}{', ...' if len(shown) > 12 else ''}"


RABLO = Ruleset()
LADDER = replace(
    RABLO,
    id="ladder",
    title="Ladder of ten contracts",
    source="how-to-play pages with a fixed ladder",
    bids=bids.LADDER_BIDS,
    deal_pattern="5-5+2aside",
    ten_rank="high_trump_suit_only",
    simple_threshold=41,
    opening_bid_forced=False,
    all_pass="redeal_next",
    talon_mode="rob_optional",
    self_raise=False,
    auction_end="two_passes",
    bid_order="ladder_b",
    trump_named="at_bid",
    first_lead="forehand",
    hold_trump_seven=False,
    marriage_timing="either_card",
    four_aces=False,
    trump_durchmars="combined_only",
    implied_simple=False,
    open_durchmars_factor=None,
    open_who="declarer",
    concede_simple="off",
    silent_set=("ulti", "durchmars"),
    silent_values=(("ulti", 2), ("durchmars", 3)),
    silent_loss="none",
    silent_kontra="never",
    session_deals=24,
    session_tiebreak_deals=3,
    unit="chip",
)
ULTIMATO = replace(
    RABLO,
    id="ultimato",
    title="Ultimátó, 120 points",
    source="article with 120 card points and the talon for the winner of the auction",
    bids=bids.ULTIMATO_BIDS,
    direction="cw",
    deal_pattern="5-2mid-5",
    ten_rank="high_always",
    card_points="full",
    last_trick_bonus=0,
    simple_threshold=61,
    talon_points="declarer",
    opening_bid_forced=False,
    all_pass="redeal_next",
    talon_mode="winner_takes",
    pass_final=True,
    self_raise=False,
    auction_end="all_others",
    bid_order="value_parts",
    first_lead="forehand",
    must_overtake=False,
    must_overtrump=False,
    hold_trump_seven=False,
    stop_early=True,
    marriage_timing="first_card",
    four_aces=False,
    trump_durchmars="none",
    ulti_fail_penalty=0,
    penalty_under_kontra=None,
    hearts_multiplier=1,
    open_durchmars_factor=None,
    open_who="declarer",
    concede_simple="off",
    kontra_max_level=4,
    silent_set=("ulti", "durchmars"),
    silent_values=(("ulti", 2), ("durchmars", 3)),
    silent_loss="ulti_only",
    silent_under_durchmars=None,
    hundred_mode=None,
    silent_kontra="never",
    settlement="c_literal",
    unit="point",
)
HUNGARIAN = replace(
    RABLO,
    id="hungarian",
    title="Hungarian practice",
    source="practice in Hungary, from public pages, competition sheets and engines",
    stop_early=True,
    marriage_needs_trick=True,
    four_aces=False,
    open_who="declarer",
    kontra_scope="individual_notrump",
    kontra_names="mord_then_hirs",
    silent_set=("hundred", "ulti", "durchmars"),
    silent_values=(("hundred", 2), ("ulti", 2), ("durchmars", 3)),
    silent_loss="double_ulti_only",
    silent_ulti_defender="team",
    unit="point",
)
ULTIARENA = replace(
    RABLO,
    id="ultiarena",
    title="UltiArena, the live site",
    source="recorded games of the public web app, data/samples",
    bids=bids.ULTIARENA_BIDS,
    bid_order="value_squares",
    hearts_under_plain=True,
    stop_early=True,
    four_aces=False,
    trump_durchmars="combined_only",
    concede_simple="mandatory",
    missing_marriage="dropped",
    kontra_scope="individual_notrump",
    kontra_max_level=2,
    kontra_names="mord_then_hirs",
    silent_set=("ulti", "durchmars", "forty_hundred", "twenty_hundred"),
    silent_values=(("ulti", 2), ("durchmars", 3), ("forty_hundred", 2), ("twenty_hundred", 4)),
    silent_loss="double_ulti_only",
    silent_ulti_defender="team",
    silent_ulti_defender_loss="double",
    silent_durchmars_loss="team",
    silent_hundred_sides="both",
    silent_hundred_paid="better",
    hundred_mode="replace",
    durchmars_mode="replace",
    silent_kontra="with_simple_not_ulti",
    unit="point",
)
PRESETS: dict[str, Ruleset] = {rules.id: rules for rules in (RABLO, LADDER, ULTIMATO, HUNGARIAN, ULTIARENA)}


def ruleset(preset: str = "rablo", options: Mapping[str, Any] | None = None) -> Ruleset:
    """Return a preset, or its variant with `options` as in a record (names and values of RULES.md, section 5).

    Raises `RulesetError` for an unknown preset, option or value, and for options that contradict each other.

    >>> ruleset("rablo", {"kontra_max_level": 2}).kontra_max_level
    2
    """
    base = PRESETS.get(preset)
    if base is None:
        raise RulesetError(f"unknown ruleset '{preset}'{nearest(preset, PRESETS)}")
    if not options:
        return base
    return _variant(preset, json.dumps(dict(options), sort_keys=True))


@lru_cache(maxsize=256)
def _variant(preset: str, options_text: str) -> Ruleset:
    options = json.loads(options_text)
    for name in options:
        if name not in OPTIONS:
            raise RulesetError(f"unknown option '{name}'{nearest(name, OPTIONS)}")
    changes = {name: check_option(name, value) for name, value in options.items()}
    if changes.get("hearts_always_trump") and "hearts_multiplier" not in changes:
        changes["hearts_multiplier"] = 1
    base = PRESETS[preset]
    rules = replace(base, **changes)
    rules = replace(rules, bids=_varied_bids(base, rules))
    check_combinations(rules)
    return rules


def _varied_bids(base: Ruleset, rules: Ruleset) -> tuple[str, ...]:
    """Return the preset's bids and those that options add to it, so that no option is without effect."""
    freedom = ("none", "combined_only", "free")
    return bids.varied(
        base.bids,
        hearts=rules.hearts_multiplier > base.hearts_multiplier,
        four_aces=rules.four_aces and not base.four_aces,
        durchmars=freedom.index(rules.trump_durchmars) > freedom.index(base.trump_durchmars),
        open_durchmars=rules.open_durchmars_factor is not None and base.open_durchmars_factor is None,
    )
