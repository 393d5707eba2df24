"""The validation plan: in worlds whose truth is known, 95 % intervals must hold it about 95 times in 100."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from ulti_stats.stats.estimates import Moments, contrast, mean, paired_difference, rate, ratio, wilson

NORMAL = NormalDist()


def probit(x):
    """Return the normal distribution function of an array."""
    return 0.5 * (1.0 + np.vectorize(math.erf)(x / math.sqrt(2.0)))


def binomial_chances(n, p):
    k = np.arange(n + 1)
    logs = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in k]
    return np.exp(np.array(logs) + k * math.log(p) + (n - k) * math.log1p(-p))


def exact_wilson_coverage(n, p):
    inside = [found.low <= p <= found.high for found in (wilson(k, n) for k in range(n + 1))]
    return float(binomial_chances(n, p)[inside].sum())


def covers(found, truth):
    return found.low is not None and found.low <= truth <= found.high


@pytest.mark.parametrize(("p", "seen"), [(0.05, 0.9245), (0.1, 0.9568), (0.3, 0.9752), (0.5, 0.9586), (0.9, 0.9568)])
def test_row_1_wilson_exactly_at_twenty_tries(p, seen):
    assert exact_wilson_coverage(20, p) == pytest.approx(seen, abs=5e-5)


@pytest.mark.parametrize(
    ("n", "average", "worst"), [(10, 0.955, 0.904), (20, 0.954, 0.925), (50, 0.950, 0.911), (200, 0.950, 0.933)]
)
def test_row_2_wilson_over_all_rates(n, average, worst):
    bounds = [(found.low, found.high) for found in (wilson(k, n) for k in range(n + 1))]
    coverages = []
    for p in np.arange(1, 100) / 100:
        inside = [low <= p <= high for low, high in bounds]
        coverages.append(binomial_chances(n, p)[inside].sum())
    assert np.mean(coverages) == pytest.approx(average, abs=1e-3)
    assert min(coverages) == pytest.approx(worst, abs=1e-3)


@pytest.mark.parametrize("sessions", [5, 10, 20, 50])
def test_row_3_rates_in_sessions(sessions):
    chance = np.random.default_rng(3_000 + sessions)
    clustered = plain = 0
    for _ in range(2_000):
        sizes = chance.choice([3, 6, 12, 24], sessions)
        made = chance.binomial(sizes, probit(0.5 * chance.standard_normal(sessions)))
        clustered += covers(rate(made, sizes), 0.5)
        plain += covers(wilson(made.sum(), sizes.sum()), 0.5)
    assert 0.925 <= clustered / 2_000 <= 0.98
    assert plain / 2_000 < 0.85


def test_row_4_rare_successes_in_sessions():
    chance = np.random.default_rng(4)
    base, truth = NORMAL.inv_cdf(0.061) * math.sqrt(1.36), 0.061
    inside = 0
    for _ in range(2_000):
        sizes = chance.integers(4, 25, 30)
        made = chance.binomial(sizes, probit(base + 0.6 * chance.standard_normal(30)))
        inside += covers(rate(made, sizes), truth)
    assert 0.925 <= inside / 2_000 <= 0.97


@pytest.mark.parametrize("sessions", [5, 10, 20, 40])
def test_row_5_units_in_sessions(sessions):
    chance = np.random.default_rng(5_000 + sessions)
    values, weights = np.array([1.0, 2.0, 4.0, 8.0]), np.array([0.4, 0.3, 0.2, 0.1])
    made_rate = NORMAL.cdf(0.3 / math.sqrt(1.49))
    truth = float(values @ weights) * 1.15 * (2 * made_rate - 1)
    inside = 0
    for _ in range(2_000):
        sizes = chance.integers(4, 25, sessions)
        session = np.repeat(np.arange(sessions), sizes)
        made = chance.random(len(session)) < np.repeat(probit(0.3 + 0.7 * chance.standard_normal(sessions)), sizes)
        units = chance.choice(values, len(session), p=weights) * np.where(chance.random(len(session)) < 0.15, 2, 1)
        sums = np.bincount(session, np.where(made, units, -units), sessions)
        inside += covers(ratio(sums, sizes), truth)
    assert 0.92 <= inside / 2_000 <= 0.97


def test_row_6_two_bidders_on_the_same_deals():
    chance = np.random.default_rng(6)

    def selected_strength(threshold):
        scaled = threshold / math.sqrt(2)
        return NORMAL.pdf(scaled) / (1 - NORMAL.cdf(scaled)) / math.sqrt(2)

    truth = 2 * (selected_strength(0.0) - selected_strength(0.5))
    inside, paired, unpaired = 0, 0.0, 0.0
    for _ in range(2_000):
        strength, luck, own = chance.standard_normal(400), chance.standard_normal(400), chance.standard_normal((4, 400))
        bids_a, bids_b = strength + own[0] > 0.0, strength + own[1] > 0.5
        units_a, units_b = 2 * strength + 2 * luck + 0.7 * own[2], 2 * strength + 2 * luck + 0.7 * own[3]
        found = contrast(units_a * bids_a, bids_a, units_b * bids_b, bids_b)
        inside += covers(found, truth)
        paired += found.standard_error**2
        unpaired += mean(units_a[bids_a]).standard_error ** 2 + mean(units_b[bids_b]).standard_error ** 2
    assert 0.93 <= inside / 2_000 <= 0.97
    assert paired / unpaired < 0.6


@pytest.mark.parametrize("n", [20, 50, 200])
def test_row_8_the_paired_gap(n):
    draws = np.random.default_rng(8_000 + n).multinomial(n, [0.6, 0.05, 0.15, 0.2], size=5_000)
    inside = sum(
        covers(paired_difference(both=both, first_only=first, second_only=second, neither=neither), 0.05 - 0.15)
        for both, first, second, neither in draws.tolist()
    )
    assert 0.93 <= inside / 5_000 <= 0.97


def test_units_of_hands_that_stand_alone():
    chance = np.random.default_rng(2)
    inside = 0
    for _ in range(2_000):
        units = chance.choice([1.0, -1.0, 5.0, -9.0], 40, p=[0.4, 0.3, 0.2, 0.1])
        loose = Moments(40, units.sum(), 40, units @ units, units.sum(), 40)
        inside += covers(ratio(loose=loose), 0.2)
    assert 0.92 <= inside / 2_000 <= 0.97
