"""The same decisions under other rules, on hands whose result one can count."""

from collections import defaultdict
from pathlib import Path

import pytest

from ulti_stats.game.notation import parse_history
from ulti_stats.game.replay import replay
from ulti_stats.game.rulesets import ruleset
from ulti_stats.sources.importing import import_files
from ulti_stats.stats.estimates import Moments, ratio
from ulti_stats.stats.rescore import rescore
from ulti_stats.stats.selection import Selection
from ulti_stats.store.rows import encode
from ulti_stats.store.table import Store
from ulti_stats.store.warehouse import open_warehouse


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A store of the 150 verified `rablo` hands and the 25 site games."""
    path = tmp_path_factory.mktemp("rescore") / "store"
    store = Store.create_or_open(path)
    for name in ("tests/data/rablo.jsonl", "data/samples/ultiarena_games.jsonl"):
        store.add(encode(import_files([name]).histories, sources=[name]))
    return open_warehouse(path)


def histories(name):
    lines = Path(f"tests/data/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [parse_history(line, place=name) for line in lines]


def test_under_its_own_rules_nothing_changes(recorded):
    report = rescore(recorded, ruleset("rablo"), Selection(rules="rablo"))
    assert report.table("legal").cell("share", "legal under both").interval.k == 150
    assert report.table("units").cell("difference", "all").interval.value == 0
    assert report.table("units").cell("changed", "all").interval.k == 0


def test_the_worth_of_a_silent_ulti_is_what_the_claims_say(recorded):
    """Without it in the set each hand pays exactly its silent ulti less: 2 (hearts 4) per defender, won or lost."""
    options = {"silent_set": ["hundred", "four_aces", "durchmars"], "silent_kontra": "never"}
    own = {"silent_kontra": "never"}
    with_ulti = rescore(recorded, ruleset("rablo", own), Selection(rules="rablo"))
    without = rescore(recorded, ruleset("rablo", options), Selection(rules="rablo"))
    lost = with_ulti.table("units").cell("units_b", "all").interval.y - without.table("units").cell("units_b", "all").interval.y
    expected = 0
    for history in histories("rablo"):
        result = (history.outcome or {}).get("silent_ulti")
        if result is not None:
            contract = [call.bid for call in history.auction if not call.is_pass][-1]
            base = 4 if contract.endswith("@hearts") else 2
            expected += 2 * (base if result == "made" else -base)
    assert expected != 0
    assert lost == expected


def test_the_worth_of_a_part_is_spread_over_all_hands_of_each_sitting(recorded):
    """The mean and the interval of simple games per hand, counted from the records sitting by sitting."""
    units, hands, alone = defaultdict(int), defaultdict(int), []
    for history in histories("rablo"):
        done = replay(history)
        if done.level != "full" or done.payoffs is None:
            continue
        paid = sum(sum(part.units or ()) for part in done.components if part.component == "simple")
        if history.session is None:
            alone.append(paid)
        else:
            units[history.source, history.session] += paid
            hands[history.source, history.session] += 1
    loose = Moments(len(alone), sum(alone), len(alone), sum(y * y for y in alone), sum(alone), len(alone))
    found = rescore(recorded, ruleset("rablo"), Selection(rules="rablo")).table("components").cell("per_hand_a", "simple", "part")
    expected = ratio(list(units.values()), list(hands.values()), loose=loose)
    assert found.interval.value == pytest.approx((sum(units.values()) + sum(alone)) / 150)
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low, expected.high))


def test_bids_that_the_other_rules_do_not_know_are_counted_by_reason(recorded):
    report = rescore(recorded, ruleset("hungarian"), Selection(rules="rablo"))
    known = ruleset("hungarian").knows_bid
    unknown = sum(any(not call.is_pass and not known(call.bid) for call in h.auction) for h in histories("rablo"))
    legal = report.table("legal")
    assert legal.cell("share", "auction: a bid that these rules do not know").interval.k == unknown > 0
    assert sum(row.counts[0] for row in legal.rows) == 150


def test_the_site_games_are_kept_apart_from_the_others(recorded):
    report = rescore(recorded, ruleset("hungarian"))
    assert {row.stratum.ruleset for row in report.table("legal").rows} == {"rablo", "ultiarena"}


def test_forehand_stays_who_he_was_though_the_other_rules_turn_round(recorded):
    report = rescore(recorded, ruleset("rablo", {"direction": "cw"}), Selection(rules="rablo"))
    assert report.table("legal").cell("share", "legal under both").interval.k == 150


def test_contracts_have_their_place_by_mean_units_under_both_rules(recorded):
    table = rescore(recorded, ruleset("rablo", {"kontra_multipliers": "literal_b"}), Selection(rules="rablo")).table("units")
    own = [row.cells[0].interval.value for row in table.rows[1:]]
    assert own == sorted(own, reverse=True)
    assert sorted(row.counts[1] for row in table.rows[1:]) == list(range(1, len(own) + 1))
