"""A contract that is given: forehand plays it in every hand, nobody answers, and all else is as the rules have it."""

import pytest

from tests.sources.against_reference import check_hand, hands_of, simulate
from ulti_stats import library
from ulti_stats.errors import UltiError
from ulti_stats.game import batch as b
from ulti_stats.game.bids import BID_IDS
from ulti_stats.game.replay import replay
from ulti_stats.game.rulesets import ruleset
from ulti_stats.sources.simulate import plan_run

N_HANDS = 200
TABLES = [
    ("rablo", None, "ulti"),
    ("rablo", None, "open_betli"),
    ("hungarian", None, "forty_hundred+ulti"),
    ("hungarian", {"two_round_auction": True}, "ulti"),
    ("ultimato", None, "durchmars_nt"),
    ("ladder", None, "twenty_hundred"),
    ("ultiarena", None, "ulti@hearts"),
    ("rablo", {"talon_mode": "winner_takes", "opening_bid_forced": False, "all_pass": "redeal_next"}, "ulti"),
    ("rablo", {"talon_mode": "none"}, "betli"),
]


@pytest.mark.parametrize(("preset", "options", "contract"), TABLES)
@pytest.mark.parametrize("players", ["random", "club"])
def test_forehand_plays_the_given_contract_as_the_reference_does(preset, options, contract, players):
    rules = ruleset(preset, options)
    batch, n_hands = simulate(N_HANDS, seed=4, rules=preset, options=options, players=players, contract=contract)
    assert (batch.meta[b.BID, :n_hands] == BID_IDS[contract]).all()
    assert (batch.meta[b.DECLARER, :n_hands] == batch.meta[b.FOREHAND, :n_hands]).all()
    assert (batch.meta[b.TERMINATION, :n_hands] == b.PLAYED).all()
    assert batch.kontra_start[n_hands] == 0
    hands = list(hands_of(batch, n_hands, rules))
    assert len(hands) == n_hands
    for hand in hands:
        check_hand(hand, rules)


def test_the_deal_is_that_of_a_hand_with_an_auction():
    given, free = (simulate(N_HANDS, seed=4, **words)[0].masks[b.HAND : b.HAND + 4] for words in ({"contract": "ulti"}, {}))
    assert (given == free).all()


def test_trumps_are_the_suit_given_or_any_that_the_player_names():
    named = simulate(N_HANDS, contract="ulti", trump="leaves")[0].meta[b.TRUMP]
    assert set(named.tolist()) == {1}
    assert set(simulate(N_HANDS, contract="ulti")[0].meta[b.TRUMP].tolist()) == {0, 1, 3}  # hearts would be another bid


def test_hands_of_a_given_contract_are_stored_as_hands_of_their_own(tmp_path):
    for contract in (None, "ulti"):
        library.simulate(N_HANDS, seed=4, players="random", contract=contract, store=tmp_path)
    with library.connect(tmp_path) as warehouse:
        policies = warehouse.sql("SELECT DISTINCT policies FROM hands ORDER BY 1").column(0).to_pylist()
        histories = list(warehouse.histories("player_0 = 'random given ulti'"))
    assert policies == ["random / random / random", "random given ulti / random given ulti / random given ulti"]
    assert len(histories) == N_HANDS
    for history in histories:
        replayed = replay(history)
        assert (replayed.contract.name, replayed.level) == ("ulti", "full")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"contract": "ultti"}, "unknown bid 'ultti' under rablo; did you mean 'ulti'"),
        ({"contract": "betli", "trump": "leaves"}, "no trump suit 'leaves' can be named in betli; leave it out"),
        ({"contract": "ulti", "trump": "hearts"}, "right would be acorns, leaves, bells"),
        ({"contract": "ulti", "trump": "clubs"}, "right would be acorns, leaves, bells"),
        ({"contract": "ulti@hearts", "trump": "hearts"}, "no trump suit 'hearts' can be named in ulti@hearts; leave it out"),
        ({"contract": "simple", "rules": "ultiarena"}, "simple must be conceded under ultiarena; set concede_simple=off"),
        ({"trump": "leaves"}, "trump 'leaves' needs a contract"),
    ],
)
def test_a_contract_that_cannot_be_given_is_refused(words, message):
    with pytest.raises(UltiError, match=message):
        plan_run(seed=1, **words)
