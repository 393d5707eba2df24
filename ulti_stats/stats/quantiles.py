"""Quantiles that the intervals need: normal and Student's t, without a statistics library."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)


@lru_cache(maxsize=4096)
def t_quantile(probability: float, df: float) -> float:
    """Return the `probability` quantile of Student's t with `df` degrees of freedom (`probability` above one half).

    Raises `ValueError` outside 0.5 < probability < 1 or df > 0.

    >>> round(t_quantile(0.975, 2), 3), round(t_quantile(0.975, 1e9), 4)
    (4.303, 1.96)
    """
    if not (0.5 < probability < 1.0 and df > 0):
        raise ValueError(f"no t quantile for probability {probability}, df {df}; needed: 0.5 < probability < 1, df > 0")
    if df > 1e7:
        return NormalDist().inv_cdf(probability)
    if df > 1000:
        return _near_normal(NormalDist().inv_cdf(probability), df)
    tail = 1.0 - probability
    low, high = 0.0, 2.0
    while t_tail(high, df) > tail:
        low, high = high, 2.0 * high
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if t_tail(middle, df) > tail else (low, middle)
    return 0.5 * (low + high)


def _near_normal(z: float, df: float) -> float:
    """Return the t quantile behind a normal one for many degrees of freedom (Fisher's expansion, to eleven digits)."""
    s = z * z
    terms = (
        z * (s + 1.0) / 4.0,
        z * ((5.0 * s + 16.0) * s + 3.0) / 96.0,
        z * (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / 384.0,
        z * ((((79.0 * s + 776.0) * s + 1482.0) * s - 1920.0) * s - 945.0) / 92160.0,
    )
    return z + sum(term / df**power for power, term in enumerate(terms, 1))


def t_tail(t: float, df: float) -> float:
    """Return the chance that Student's t with `df` degrees of freedom exceeds `t` (t at least 0).

    >>> round(t_tail(1.0, 1), 6)
    0.25
    """
    return 0.5 * incomplete_beta(0.5 * df, 0.5, df / (df + t * t))


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b).

    >>> round(incomplete_beta(2, 3, 0.4), 4)
    0.5248
    """
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    front = math.exp(log_front)
    # The fraction converges fast below the mean only; above it the mirrored one does.
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, 1.0 - x) / b


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 500):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 + term * d
            d = 1.0 / (d if abs(d) > tiny else tiny)
            c = 1.0 + term / c
            c = c if abs(c) > tiny else tiny
            value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value


@lru_cache(maxsize=1024)
def median_rank(n: int) -> int:
    """Return r for which order statistics r and n - r + 1 enclose the median with 95 %; 0 where n is too small.

    r is the 2.5 % quantile of Binomial(n, 1/2).

    >>> median_rank(20)
    6
    """
    if n < 1:
        return 0
    total = 0.0
    for r in range(n + 1):
        total += math.exp(math.lgamma(n + 1) - math.lgamma(r + 1) - math.lgamma(n - r + 1) - n * math.log(2.0))
        if total >= 0.025:
            return r
    return 0
