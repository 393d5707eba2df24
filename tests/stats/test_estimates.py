"""The worked numbers of the estimators, one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ulti_stats.stats.estimates import (
    Moments,
    bid_break_even,
    break_even,
    break_even_with_rekontra,
    contrast,
    design_effect,
    jackknife,
    mean,
    median,
    n_effective,
    paired_difference,
    rate,
    ratio,
    weighted_mean,
    weighted_rate,
    wilson,
)
from ulti_stats.stats.quantiles import Z95, median_rank, t_quantile, t_tail


def loose_hands(values, tries=None):
    y = np.asarray(values, dtype=float)
    x = np.ones_like(y) if tries is None else np.asarray(tries, dtype=float)
    return Moments(len(y), y.sum(), x.sum(), y @ y, x @ y, x @ x)


@pytest.mark.parametrize(
    ("df", "expected"),
    [(1, 12.706205), (2, 4.302653), (3, 3.182446), (9, 2.262157), (30, 2.042272), (127, 1.978820), (1000, 1.962339)],
)
def test_t_quantiles_agree_with_the_printed_table(df, expected):
    assert t_quantile(0.975, df) == pytest.approx(expected, abs=1e-6)


def test_t_tail_is_exact_where_a_closed_form_exists():
    for t in (0.1, 1.0, 5.0, 40.0):
        assert t_tail(t, 1) == pytest.approx(0.5 - math.atan(t) / math.pi, rel=1e-10)
        assert t_tail(t, 2) == pytest.approx(0.5 - t / (2 * math.sqrt(2 + t * t)), rel=1e-9)


def test_the_t_quantile_tends_to_the_normal_one():
    assert t_quantile(0.975, 1e8) == pytest.approx(Z95, abs=1e-9)
    assert t_quantile(0.975, 1e6) == pytest.approx(Z95, abs=1e-5)


@pytest.mark.parametrize("probability", [0.5, 1.0, 0.2])
def test_a_t_quantile_below_one_half_is_refused(probability):
    with pytest.raises(ValueError, match="no t quantile for probability"):
        t_quantile(probability, 5)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"), [(3, 4, 0.3006, 0.9544), (18, 20, 0.6990, 0.9721), (0, 10, 0.0, 0.2775), (5, 8, 0.306, 0.863)]
)
def test_wilson_as_worked(k, n, low, high):
    found = wilson(k, n)
    digits = 3 if n == 8 else 4
    assert (round(found.low, digits), round(found.high, digits)) == (low, high)
    assert (found.k, found.n) == (k, n)


def test_wilson_at_no_success_ends_at_z_squared_over_n_plus_z_squared():
    assert wilson(0, 10).high == pytest.approx(Z95**2 / (10 + Z95**2))
    assert wilson(10, 10).low == pytest.approx(10 / (10 + Z95**2))


def test_no_tries_give_no_rate():
    found = wilson(0, 0)
    assert (found.value, found.low, found.high) == (None, None, None)


def test_a_mean_of_hands_that_stand_alone_has_the_usual_t_interval():
    values = [4.0, -2.0, 6.0, 0.0, 1.0]
    found = ratio(loose=loose_hands(values))
    error = np.std(values, ddof=1) / math.sqrt(5)
    assert found.value == pytest.approx(1.8)
    assert found.standard_error == pytest.approx(error)
    assert (found.df, found.clusters) == (4, 5)


def test_a_ratio_of_hands_follows_the_moment_formula():
    y, x = np.array([2.0, 0.0, 5.0, 1.0]), np.array([1.0, 1.0, 2.0, 1.0])
    r, n = y.sum() / x.sum(), 4
    variance = n / (n - 1) * (y @ y - 2 * r * (x @ y) + r * r * (x @ x)) / x.sum() ** 2
    assert ratio(loose=loose_hands(y, x)).standard_error == pytest.approx(math.sqrt(variance))


def test_the_units_of_ten_hands_clustered_by_session():
    found = ratio([8, -14, -6], [4, 4, 2])
    assert found.value == -1.2
    assert found.standard_error**2 == pytest.approx(4.7365, abs=1e-4)
    assert found.high - found.value == pytest.approx(9.36, abs=5e-3)
    assert (found.clusters, found.df) == (3, 2)


def test_the_kontra_gain_of_ten_hands_clustered_by_session():
    found = ratio([-4, 10, 6], [2, 3, 1])
    assert found.value == 2.0
    assert found.standard_error**2 == pytest.approx(4.2785, abs=1e-4)
    assert found.standard_error == pytest.approx(2.068, abs=1e-3)


def test_hands_without_a_session_count_as_sessions_of_one():
    loose = [3.0, -1.0, 2.0]
    mixed = ratio([8, -14], [4, 4], loose=loose_hands(loose))
    spelt_out = ratio([8, -14, *loose], [4, 4, 1, 1, 1])
    assert mixed.standard_error == pytest.approx(spelt_out.standard_error)
    assert mixed.clusters == spelt_out.clusters == 5


def test_one_session_gives_no_interval():
    found = ratio([8], [4])
    assert (found.value, found.low, found.high) == (2.0, None, None)
    assert rate([3], [4]).low is None
    assert rate([3], [4]).value == 0.75


def test_a_session_without_the_bid_is_no_cluster():
    assert ratio([8, 0, -14], [4, 0, 4]) == ratio([8, -14], [4, 4])


def test_simple_in_ten_hands_clustered_by_session():
    found = rate([3, 2, 0], [4, 3, 1])
    assert found.value == 0.625
    assert (round(found.low, 3), round(found.high, 3)) == (0.124, 0.952)
    assert design_effect([3, 2, 0], [4, 3, 1]) == 1.0
    assert ratio([3, 2, 0], [4, 3, 1]).standard_error ** 2 == pytest.approx(0.01615, abs=1e-5)
    assert (found.df, found.k, found.n) == (2, 5, 8)


def test_sessions_that_differ_widen_the_interval():
    k, n = [10, 0, 9, 1], [10, 10, 10, 10]
    deff = design_effect(k, n)
    plain, clustered = wilson(20, 40), rate(k, n)
    assert deff > 5
    assert clustered.n_eff == pytest.approx(40 / deff)
    assert clustered.low < plain.low
    assert clustered.high > plain.high


def test_a_rate_of_nothing_takes_the_design_effect_of_the_table():
    narrow, wide = rate([0, 0, 0], [5, 5, 5]), rate([0, 0, 0], [5, 5, 5], table_deff=3.0)
    assert wide.n_eff == 5
    assert wide.high > narrow.high


def test_hands_that_stand_alone_have_the_plain_wilson_interval():
    assert rate(loose=Moments(8, 5, 8, 5, 5, 8)) == wilson(5, 8)


def test_the_paired_gap_as_worked():
    gap = paired_difference(both=60, first_only=5, second_only=15, neither=20)
    assert gap.value == -0.1
    assert (round(gap.low, 3), round(gap.high, 3)) == (-0.184, -0.012)
    assert paired_difference(both=0, first_only=0, second_only=0, neither=0).value is None


def test_the_median_is_bounded_by_the_sixth_and_fifteenth_of_twenty():
    assert median_rank(20) == 6
    found = median([float(value) for value in range(20, 0, -1)])
    assert (found.value, found.low, found.high) == (10.5, 6.0, 15.0)


def test_a_median_of_five_has_no_interval():
    found = median([3.0, 1.0, 2.0, 5.0, 4.0])
    assert (found.value, found.low) == (3.0, None)
    assert median([]).value is None


def test_weights_as_worked():
    found = weighted_rate([1, 0, 1], [1, 2, 1])
    assert found.value == 0.5
    assert found.n_eff == pytest.approx(16 / 6)
    assert n_effective([1, 2, 1]) == pytest.approx(16 / 6)


def test_equal_weights_change_nothing():
    assert weighted_rate([1, 0, 1, 1], [2, 2, 2, 2]).low == pytest.approx(wilson(3, 4).low)
    weighted, plain = weighted_mean([4, -2, 1], [3, 3, 3]), mean([4, -2, 1])
    assert (weighted.value, weighted.low) == (plain.value, pytest.approx(plain.low))
    assert weighted.n == 3


def test_the_jackknife_of_a_ratio_is_the_ratio_interval():
    y, x = [8.0, -14.0, -6.0], [4.0, 4.0, 2.0]
    found = jackknife(lambda sums: sums[..., 0] / sums[..., 1], np.column_stack([y, x]))
    assert found.standard_error == pytest.approx(ratio(y, x).standard_error)


def test_the_contrast_of_four_deals_as_worked():
    # U_A - U_B = 2, -1, 0, 3 on the same four deals.
    a, b = np.array([5.0, 1.0, 0.0, 7.0]), np.array([3.0, 2.0, 0.0, 4.0])
    found = contrast(a, np.ones(4), b, np.ones(4))
    assert found.value == 1.0
    assert found.standard_error == pytest.approx(0.913, abs=1e-3)


def test_a_contrast_needs_both_sides_without_each_deal():
    found = contrast([1.0, 0.0], [1.0, 0.0], [0.0, 2.0], [0.0, 1.0])
    assert (found.value, found.low) == (-1.0, None)


def test_break_even_of_ten_hands():
    assert break_even(gain_failed=4, gain_made=-2) == pytest.approx(1 / 3)
    assert break_even(gain_failed=1, gain_made=-2) == pytest.approx(2 / 3)
    assert (4 + 2) * (2 / 3 - break_even(gain_failed=4, gain_made=-2)) == pytest.approx(2.0)
    assert break_even(gain_failed=3, gain_made=3) is None


# Break-even of a kontra alone, from what the part that a kontra raises pays: (V, P that is doubled with it).
PARTS = {
    "simple": (1, 0, 1 / 2),
    "simple in hearts": (2, 0, 1 / 2),
    "40-100 or four aces": (4, 0, 1 / 2),
    "20-100": (8, 0, 1 / 2),
    "betli": (5, 0, 1 / 2),
    "open betli": (20, 0, 1 / 2),
    "durchmars": (6, 0, 1 / 2),
    "open no-trump durchmars": (24, 0, 1 / 2),
    "ulti, fixed penalty": (4, 0, 1 / 2),
    "ulti, doubled penalty": (4, 4, 1 / 3),
    "hearts ulti, doubled penalty": (8, 8, 1 / 3),
}


@pytest.mark.parametrize("part", PARTS)
def test_break_even_of_every_part(part):
    value, doubled_penalty, expected = PARTS[part]
    a, b = value + doubled_penalty, value
    q = break_even(gain_failed=a, gain_made=-b)
    assert q == pytest.approx(expected)
    assert abs(q * a - (1 - q) * b) < 1e-9
    # A rekontra pays from the success rate a / (a + b).
    assert a / (a + b) == pytest.approx(1 - expected)


def test_a_simple_that_carries_bonuses_breaks_even_later():
    assert break_even(gain_failed=1.2, gain_made=-1.5) == pytest.approx(5 / 9)


def expected_gain(q, a, b, r, s):
    """Enumerate: not answered failed, not answered made, answered made, answered failed; an answer trebles."""
    failed_unanswered = q - r * (1 - s)
    made_unanswered = 1 - r - failed_unanswered
    return failed_unanswered * a - made_unanswered * b + 3 * r * (1 - s) * a - 3 * r * s * b


REKONTRA = [
    (0.05, 0.9, 0.540, 0.357),
    (0.1, 0.8, 0.560, 0.360),
    (0.1, 0.9, 0.580, 0.380),
    (0.2, 0.8, 0.620, 0.387),
    (0.2, 0.9, 0.660, 0.427),
    (0.3, 0.8, 0.680, 0.413),
]


@pytest.mark.parametrize(("r", "s", "plain", "ulti_doubled"), REKONTRA)
def test_break_even_with_a_rekontra_by_enumeration(r, s, plain, ulti_doubled):
    for a, b, expected in ((4, 4, plain), (8, 4, ulti_doubled)):
        q = break_even_with_rekontra(a=a, b=b, answered=r, made_when_answered=s)
        assert round(q, 3) == expected
        assert abs(expected_gain(q, a, b, r, s)) < 1e-9


def test_break_even_with_a_rekontra_for_any_numbers():
    draws = np.random.default_rng(12).uniform(size=(500, 4))
    for first, second, r, s in draws:
        a, b = 0.1 + 10 * first, 0.1 + 10 * second
        q = break_even_with_rekontra(a=a, b=b, answered=0.5 * r, made_when_answered=s)
        assert abs(expected_gain(q, a, b, 0.5 * r, s)) < 1e-9
        assert break_even_with_rekontra(a=a, b=b, answered=0, made_when_answered=s) == pytest.approx(b / (a + b))


def test_a_bid_part_pays_from_one_half_and_an_ulti_later():
    assert bid_break_even(value=5) == 0.5
    ulti = [bid_break_even(value=4, penalty=4, multiplier=m) for m in (1, 2, 4)]
    assert ulti == pytest.approx([2 / 3, 3 / 5, 5 / 9])
    doubled = [bid_break_even(value=4 * m, penalty=4 * m) for m in (1, 2, 4)]
    assert doubled == pytest.approx([2 / 3, 2 / 3, 2 / 3])
