"""The rules page: every default of every preset, which values options take, and which do not go together."""

import warnings
from dataclasses import fields, replace
from typing import Any

import pytest

from ulti_stats.errors import RulesetError
from ulti_stats.game.options import OPTIONS, RulesetWarning, check_option
from ulti_stats.game.rulesets import PRESETS, RABLO, Ruleset, ruleset

# The defaults of the four presets (rules page, section 5), in the order rablo, ladder, ultimato, hungarian; one value for all
# four where they agree. `-` is null.
MATRIX = """
    players                   3
    direction                 ccw ccw cw ccw
    forehand                  dealer_right
    deal_pattern              5-7/5/5 5-5+2aside 5-2mid-5 5-7/5/5
    misdeal                   redeal_same
    ten_rank                  high_all_in_trump high_trump_suit_only high_always high_all_in_trump
    card_points               tens10 tens10 full tens10
    last_trick_bonus          10 10 0 10
    simple_target             compare
    simple_threshold          - 41 61 -
    talon_points              defenders defenders declarer defenders
    opening_bid_forced        true false false true
    all_pass                  impossible redeal_next redeal_next impossible
    talon_mode                rob rob_optional winner_takes rob
    pass_final                false false true false
    self_raise                true false false true
    auction_end               all_incl_holder two_passes all_others all_incl_holder
    hold                      off
    bid_order                 table ladder_b value_parts table
    min_components            1
    two_round_auction         false
    round1_factor             2
    trump_named               after_auction at_bid after_auction after_auction
    hearts_always_trump       false
    first_lead                declarer forehand forehand declarer
    must_overtake             true true false true
    must_overtrump            true true false true
    overtake_when_trumped     false
    hold_trump_seven          true false false true
    stop_early                false false true true
    marriage_timing           first_trick either_card first_card first_trick
    marriage_needs_trick      false false false true
    hundred_marriage_ban      declarer
    four_aces                 true false false false
    trump_durchmars           free combined_only none free
    implied_simple            true false true true
    ulti_fail_penalty         4 4 0 4
    penalty_under_kontra      fixed fixed - fixed
    hearts_multiplier         2 2 1 2
    open_betli_factor         4
    open_durchmars_nt_factor  4
    open_durchmars_factor     2 - - 2
    open_ulti                 false
    open_who                  all declarer declarer declarer
    open_when                 after_trick_1
    concede_simple            allowed off off allowed
    kontra_deadline           end_trick_1
    kontra_scope              joint joint joint individual_notrump
    kontra_max_level          6 6 4 6
    kontra_multipliers        pow2
    kontra_names              hirs_then_mord hirs_then_mord hirs_then_mord mord_then_hirs
    silent_set                hundred,four_aces,ulti,durchmars ulti,durchmars ulti,durchmars hundred,ulti,durchmars
    silent_values             hundred=2,four_aces=2,ulti=2,durchmars=3 ulti=2,durchmars=3 ulti=2,durchmars=3 hundred=2,ulti=2,durchmars=3
    silent_durch_simple       3
    silent_loss               same_per_defender none ulti_only double_ulti_only
    silent_ulti_defender      none none none team
    silent_under_durchmars    true true - true
    hundred_mode              add add - add
    silent_kontra             with_carrier never never with_carrier
    settlement                per_defender per_defender c_literal per_defender
    session_deals             - 24 - -
    session_target            -
    session_tiebreak_deals    - 3 - -
    unit                      10_forints chip point point
"""  # noqa: E501
COLUMNS = ("rablo", "ladder", "ultimato", "hungarian")
ROWS = [line.split() for line in MATRIX.strip().splitlines()]


def _value(name: str, word: str) -> Any:
    if name == "silent_set":
        return tuple(word.split(","))
    if name == "silent_values":
        return tuple((part.split("=")[0], int(part.split("=")[1])) for part in word.split(","))
    constants = {"-": None, "true": True, "false": False, "10_forints": "10 forints"}
    return constants[word] if word in constants else int(word) if word.isdecimal() else word


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_preset_has_the_default_of_the_rules_page(row: list[str]):
    name, *words = row
    words = words * 4 if len(words) == 1 else words
    assert {preset: getattr(PRESETS[preset], name) for preset in COLUMNS} == {
        preset: _value(name, word) for preset, word in zip(COLUMNS, words, strict=True)
    }


def test_every_option_is_a_field_and_every_field_an_option():
    about = {"id", "title", "source", "bids"}
    assert {field.name for field in fields(Ruleset)} - about == set(OPTIONS)
    assert {row[0] for row in ROWS} <= set(OPTIONS)
    # What the live site adds changes nothing elsewhere.
    site = set(OPTIONS) - {row[0] for row in ROWS}
    assert {name: getattr(RABLO, name) for name in site} == {
        "hearts_under_plain": False,
        "missing_marriage": "lost",
        "silent_ulti_defender_loss": "none",
        "silent_durchmars_loss": "one_defender",
        "silent_hundred_sides": "declarer",
        "silent_hundred_paid": "each",
        "durchmars_mode": "add",
    }
    for preset in ("ladder", "ultimato", "hungarian"):
        assert all(getattr(PRESETS[preset], name) == getattr(RABLO, name) for name in site)


# --- values -----------------------------------------------------------------------------------------------------------


def _good(name: str) -> list[Any]:
    option = OPTIONS[name]
    values: list[Any] = {
        "int": [option.values[0], option.values[-1]] if option.values else [],
        "text": ["20 forints"],
        "subset": [[], list(option.values), list(option.values[:1])],
        "object": [{}, {option.values[0]: 5}] if option.values else [],
    }.get(option.kind, list(option.values))
    return [*values, None] if option.nullable else values


def _bad(name: str) -> list[Any]:
    option = OPTIONS[name]
    low, high = (option.values[0], option.values[-1]) if option.kind == "int" else (0, 0)
    values: list[Any] = {
        "bool": [1, 0, "true", [True]],
        "int": [True, 1.0, "1", low - 1, high + 1],
        "text": ["", 3],
        "subset": ["ulti", ["ulty"], ["ulti", "ulti"], [["ulti"]], {"ulti": 1}],
        "object": [["ulti"], {"ulty": 2}, {"ulti": 2.0}, {"ulti": True}, {"ulti": -1}, {"ulti": 101}],
        "choice": ["nonsense", True, 1.0, 2.0, 3.0, []],
    }[option.kind]
    return values if option.nullable else [*values, None]


@pytest.mark.parametrize("name", OPTIONS)
def test_every_allowed_value_is_taken(name: str):
    for value in _good(name):
        taken = check_option(name, value)
        if isinstance(value, list):
            assert taken == tuple(value)
        elif isinstance(value, dict):
            assert dict(taken) == value
        else:
            assert taken == value


@pytest.mark.parametrize("name", OPTIONS)
def test_every_other_value_is_refused_with_what_is_allowed(name: str):
    for value in _bad(name):
        with pytest.raises(RulesetError) as error:
            ruleset("rablo", {name: value})
        assert str(error.value).startswith(f"option {name}={value!r} is not allowed; allowed: ")
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["misdeal", "kontra_deadline"])
def test_an_option_with_one_value_refuses_any_other(name: str):
    (only,) = OPTIONS[name].values
    assert ruleset("rablo", {name: only}).digest == RABLO.digest
    for other in ("redeal_next", "end_trick_2"):
        with pytest.raises(RulesetError, match=f"allowed: {only}"):
            ruleset("rablo", {name: other})


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(RulesetError, match="unknown ruleset 'rabbo'; did you mean 'rablo'"):
        ruleset("rabbo")
    with pytest.raises(RulesetError, match="unknown option 'must_overtak'; did you mean 'must_overtake'"):
        ruleset("rablo", {"must_overtak": True})


def test_the_order_of_a_set_means_nothing():
    one = ruleset("rablo", {"silent_set": ["durchmars", "ulti"]})
    assert one.silent_set == ("ulti", "durchmars")
    assert one == ruleset("rablo", {"silent_set": ["ulti", "durchmars"]})


def test_a_silent_bonus_is_worth_half_the_bid_unless_it_is_set():
    rules = ruleset("rablo", {"silent_values": {"ulti": 5}})
    values = {kind: rules.silent_value(kind) for kind in OPTIONS["silent_values"].values}
    assert values == {"hundred": 2, "four_aces": 2, "ulti": 5, "durchmars": 3, "forty_hundred": 2, "twenty_hundred": 4}


# --- together ---------------------------------------------------------------------------------------------------------

# fmt: off
REJECTED = (
    ("rablo", {"talon_mode": "winner_takes"}, "talon_mode=winner_takes with opening_bid_forced"),
    ("rablo", {"opening_bid_forced": False}, "opening_bid_forced=false with all_pass=impossible"),
    ("ladder", {"all_pass": "impossible"}, "opening_bid_forced=false with all_pass=impossible"),
    ("rablo", {"bid_order": "ladder_b", "trump_durchmars": "none"}, "bid_order=ladder_b with four_aces"),
    ("ladder", {"four_aces": True}, "bid_order=ladder_b with four_aces"),
    ("rablo", {"bid_order": "ladder_b", "four_aces": False}, "bid_order=ladder_b with trump_durchmars=free"),
    ("ladder", {"trump_durchmars": "free"}, "bid_order=ladder_b with trump_durchmars=free"),
    ("rablo", {"open_ulti": True}, "bid_order=table has no place for open_ulti"),
    ("ladder", {"bid_order": "table"}, "bid_order=table has no place for open_ulti or simple.ulti"),
    ("rablo", {"settlement": "declarer_only", "kontra_scope": "individual"}, ".*one account cannot hold two levels"),
    ("hungarian", {"settlement": "c_literal"}, ".*one account cannot hold two levels"),
    ("ultimato", {"kontra_scope": "individual_notrump"}, ".*one account cannot hold two levels"),
    ("rablo", {"simple_target": "threshold"}, "simple_target=threshold needs simple_threshold"),
    ("rablo", {"two_round_auction": True, "talon_mode": "none"}, "two_round_auction with talon_mode=none"),
)
ACCEPTED = (
    ("rablo", {"four_aces": False}),
    ("rablo", {"opening_bid_forced": False, "all_pass": "redeal_same"}),
    ("rablo", {"bid_order": "ladder_b", "four_aces": False, "trump_durchmars": "combined_only"}),
    ("rablo", {"open_ulti": True, "bid_order": "value_parts"}),
    ("ladder", {"simple_target": "threshold"}),
    ("ultimato", {"simple_target": "threshold"}),
    ("ultimato", {"settlement": "declarer_only"}),
    ("hungarian", {"kontra_scope": "joint", "settlement": "declarer_only"}),
    ("rablo", {"talon_mode": "none"}),
)
# fmt: on


@pytest.mark.parametrize(("preset", "options", "says"), REJECTED)
def test_options_that_contradict_each_other_are_rejected(preset: str, options: dict[str, Any], says: str):
    with pytest.raises(RulesetError, match=f"{preset}: {says}"):
        ruleset(preset, options)


@pytest.mark.parametrize(("preset", "options"), ACCEPTED)
def test_options_that_go_together_are_accepted_in_silence(preset: str, options: dict[str, Any]):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ruleset(preset, options).ladder


def test_odd_options_are_warned_of():
    # Each text of options warns once for a process, so these are used in no other test.
    with pytest.warns(RulesetWarning, match="hearts_always_trump with hearts_multiplier=2 doubles every trump game"):
        ruleset("rablo", {"hearts_always_trump": True, "hearts_multiplier": 2, "session_deals": 7777})
    with pytest.warns(RulesetWarning, match="silent_loss is set though silent_set is empty"):
        ruleset("rablo", {"silent_set": [], "session_deals": 7777})


def test_hearts_always_trump_takes_the_doubling_away_unless_it_is_set():
    assert ruleset("rablo", {"hearts_always_trump": True}).hearts_multiplier == 1
    names = {bid.name for bid in ruleset("rablo", {"hearts_always_trump": True}).ladder}
    assert {name for name in names if name.endswith("@hearts")} == {"betli@hearts", "durchmars_nt@hearts"}


# --- digests ----------------------------------------------------------------------------------------------------------


def test_a_digest_names_the_rules_not_their_names():
    assert len({rules.digest for rules in PRESETS.values()}) == 5
    assert all(len(rules.digest) == 16 and int(rules.digest, 16) >= 0 for rules in PRESETS.values())
    assert replace(RABLO, id="club", title="Club", source="house", unit="5 cents").digest == RABLO.digest


def test_options_that_repeat_the_preset_change_no_digest():
    for preset, rules in PRESETS.items():
        for name in OPTIONS:
            value = getattr(rules, name)
            if name == "silent_values":
                value = dict(value)
            assert ruleset(preset, {name: value}).digest == rules.digest, (preset, name)


@pytest.mark.parametrize("name", sorted(set(OPTIONS) - {"unit", "misdeal", "kontra_deadline"}))
def test_every_option_changes_the_digest(name: str):
    changed = set()
    for value in _good(name):
        taken = check_option(name, value)
        if taken != getattr(RABLO, name):
            changed.add(replace(RABLO, **{name: taken}).digest)
    assert changed
    assert RABLO.digest not in changed


def test_two_ways_to_the_same_rules_have_one_digest():
    hungarian = {name: getattr(PRESETS["hungarian"], name) for name in OPTIONS}
    options = {name: dict(value) if name == "silent_values" else value for name, value in hungarian.items()}
    assert ruleset("rablo", options).digest == PRESETS["hungarian"].digest
