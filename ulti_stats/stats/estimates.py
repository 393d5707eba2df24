"""Estimators: from counts and sums to a figure with its 95 % interval, and break-even rates.

Every measure is a ratio of sums R = Σy/Σx. A *cluster* is what is independent: the hand, or the session where hands
of one sitting go together. Functions take sums, never rows, so that a database can do the adding. Where no interval
can be had (one cluster, or a leave-one-out that is not defined) `low` and `high` are None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ulti_stats.stats.quantiles import Z95, median_rank, t_quantile

Numbers = npt.ArrayLike
Sums = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95 % interval and what it was made from.

    `n` counts what the figure speaks of (hands, components, steps), `k` those that succeeded (rates only), `y` and `x`
    are the two sums of the ratio, `clusters` and `df` are G and the degrees of freedom of t (None where neither is
    used), `n_eff` the number of independent observations that go into Wilson.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    k: float | None = None
    y: float | None = None
    x: float | None = None
    clusters: int | None = None
    df: float | None = None
    n_eff: float | None = None

    @property
    def standard_error(self) -> float | None:
        """Return half the width over the t or normal quantile; only for symmetric intervals."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / (2.0 * _critical(self.df))


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over independent hands: their number, Σy, Σx, Σy², Σxy, Σx²."""

    hands: int = 0
    y: float = 0.0
    x: float = 0.0
    yy: float = 0.0
    xy: float = 0.0
    xx: float = 0.0

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.hands + other.hands,
            self.y + other.y,
            self.x + other.x,
            self.yy + other.yy,
            self.xy + other.xy,
            self.xx + other.xx,
        )

    def spread(self, ratio: float) -> float:
        """Return Σ(y − ratio·x)², never below 0."""
        return max(0.0, self.yy - 2.0 * ratio * self.xy + ratio * ratio * self.xx)


NO_HANDS = Moments()


def _critical(df: float | None) -> float:
    return Z95 if df is None else t_quantile(0.975, df)


# E1 ---------------------------------------------------------------------------------------------------------------


def wilson_bounds(p: float, n: float, critical: float = Z95) -> tuple[float, float]:
    """Return the Wilson bounds of a rate p seen in n independent tries; critical as for a normal or t interval.

    >>> [round(bound, 4) for bound in wilson_bounds(0.75, 4)]
    [0.3006, 0.9544]
    """
    square = critical * critical
    middle = p + square / (2.0 * n)
    half = critical * math.sqrt(p * (1.0 - p) / n + square / (4.0 * n * n))
    scale = 1.0 + square / n
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def wilson(k: float, n: float) -> Interval:
    """Return the rate k/n of independent tries with its 95 % Wilson interval (E1).

    >>> round(wilson(0, 10).high, 4)
    0.2775
    """
    if n <= 0:
        return Interval(None, None, None, 0, "95 % Wilson", k=k, y=k, x=n)
    low, high = wilson_bounds(k / n, n)
    return Interval(k / n, low, high, round(n), "95 % Wilson", k=k, y=k, x=n, n_eff=n)


# E2, E3 -----------------------------------------------------------------------------------------------------------


def ratio(y: Numbers = (), x: Numbers = (), *, loose: Moments = NO_HANDS) -> Interval:
    """Return R = Σy/Σx with its 95 % t interval by the delete-one jackknife (E2, E3).

    `y` and `x` are the sums of each cluster; `loose` holds the moments of hands that stand alone. Hands alone give
    exactly the usual t interval of a mean or ratio.

    >>> found = ratio([4.5, 3.5], [2, 2], loose=Moments(2, 4.0, 2.0, 10.0, 4.0, 2.0))
    >>> found.value, found.clusters
    (2.0, 4)
    """
    y_sums, x_sums = _pairs(y, x)
    total_y, total_x = float(y_sums.sum()) + loose.y, float(x_sums.sum()) + loose.x
    clusters = len(x_sums) + loose.hands
    by_session = "clustered by session" if len(x_sums) else "independent hands"
    found = Interval(None, None, None, round(total_x), f"95 % t, {by_session}", y=total_y, x=total_x, clusters=clusters)
    if total_x <= 0:
        return found
    value = total_y / total_x
    variance = _jackknife_variance(y_sums, x_sums, loose, value, total_x)
    if variance is None:
        return replace(found, value=value)
    half = _critical(clusters - 1) * math.sqrt(variance)
    return replace(found, value=value, low=value - half, high=value + half, df=clusters - 1)


def mean(values: Numbers) -> Interval:
    """Return the mean of independent values with its 95 % t interval.

    >>> round(mean([2, -1, 0, 3]).standard_error, 3)
    0.913
    """
    seen = np.asarray(values, dtype=np.float64)
    return ratio(loose=Moments(len(seen), float(seen.sum()), len(seen), float(seen @ seen), float(seen.sum()), len(seen)))


def jackknife(statistic: Callable[[Sums], Numbers], sums: Numbers) -> Interval:
    """Return a smooth function of sums with its 95 % interval by leaving out one cluster after the other (E3).

    `sums` has one row a cluster. `statistic` takes totals along the last axis, and gives nan where it is not defined.

    >>> jackknife(lambda totals: totals[..., 0] / totals[..., 1], [[4, 2], [-2, 2]]).value
    0.5
    """
    table = np.asarray(sums, dtype=np.float64)
    clusters, totals = len(table), table.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(np.asarray(statistic(totals)))
        left_out = np.asarray(statistic(totals - table), dtype=np.float64)
    if not math.isfinite(value):
        return Interval(None, None, None, clusters, "95 % t, jackknife", clusters=clusters)
    found = Interval(value, None, None, clusters, "95 % t, jackknife", clusters=clusters)
    if clusters < 2 or not np.all(np.isfinite(left_out)):
        return found
    deviations = left_out - value
    variance = (clusters - 1) / clusters * float(deviations @ deviations)
    half = _critical(clusters - 1) * math.sqrt(variance)
    return replace(found, low=value - half, high=value + half, df=clusters - 1)


def contrast(y_a: Numbers, x_a: Numbers, y_b: Numbers, x_b: Numbers) -> Interval:
    """Return R_a − R_b with its interval, the sums of both sides left out together (E3 on the union of clusters).

    All four have one entry a cluster, 0 where a side has nothing in it.
    """
    columns = [np.asarray(column, dtype=np.float64) for column in (y_a, x_a, y_b, x_b)]
    return jackknife(lambda totals: totals[..., 0] / totals[..., 1] - totals[..., 2] / totals[..., 3], np.column_stack(columns))


def _pairs(y: Numbers, x: Numbers) -> tuple[Sums, Sums]:
    """Return cluster sums as arrays, without clusters that hold nothing."""
    y_sums, x_sums = np.asarray(y, dtype=np.float64), np.asarray(x, dtype=np.float64)
    held = x_sums != 0
    return y_sums[held], x_sums[held]


def _jackknife_variance(y: Sums, x: Sums, loose: Moments, value: float, total_x: float) -> float | None:
    clusters = len(x) + loose.hands
    rest = total_x - x
    if clusters < 2 or np.any(rest <= 0):
        return None
    # Leaving out (y, x) moves the ratio by (R·x − y)/(X − x); for hands alone the sum of squares comes from moments.
    moved = (value * x - y) / rest
    squares = float(moved @ moved)
    if loose.hands:
        others = total_x - loose.x / loose.hands
        if others <= 0:
            return None
        squares += loose.spread(value) / (others * others)
    return (clusters - 1) / clusters * squares


# E4 ---------------------------------------------------------------------------------------------------------------


def design_effect(k: Numbers = (), n: Numbers = (), *, loose: Moments = NO_HANDS) -> float:
    """Return by what factor clusters widen the variance of a rate, at least 1; 1 where it cannot be told."""
    k_sums, n_sums = _pairs(k, n)
    total_n = float(n_sums.sum()) + loose.x
    if total_n <= 0:
        return 1.0
    p = (float(k_sums.sum()) + loose.y) / total_n
    variance = _jackknife_variance(k_sums, n_sums, loose, p, total_n)
    if variance is None or not 0.0 < p < 1.0:
        return 1.0
    return max(1.0, variance / (p * (1.0 - p) / total_n))


def rate(k: Numbers = (), n: Numbers = (), *, loose: Moments = NO_HANDS, table_deff: float = 1.0) -> Interval:
    """Return Σk/Σn with the 95 % Wilson interval for clusters: n over the design effect, t for z (E4).

    `k` and `n` are the sums of each cluster. Hands that stand alone, each with one try, get the plain Wilson interval
    (E1) where there are no others. `table_deff` is the design effect of the table's total row, for k = 0 or k = n.

    >>> found = rate([3, 2, 0], [4, 3, 1])
    >>> round(found.low, 3), round(found.high, 3)
    (0.124, 0.952)
    """
    k_sums, n_sums = _pairs(k, n)
    total_k, total_n = float(k_sums.sum()) + loose.y, float(n_sums.sum()) + loose.x
    if not len(n_sums) and loose.xx == loose.x:
        return wilson(total_k, total_n)
    clusters = len(n_sums) + loose.hands
    by = "session" if len(n_sums) else "hand"
    method = f"95 % Wilson, clustered by {by}"
    found = Interval(None, None, None, round(total_n), method, k=total_k, y=total_k, x=total_n, clusters=clusters)
    if total_n <= 0:
        return found
    p = total_k / total_n
    if clusters < 2 or np.any(n_sums >= total_n):
        return replace(found, value=p)
    deff = design_effect(k_sums, n_sums, loose=loose) if 0.0 < p < 1.0 else max(1.0, table_deff)
    low, high = wilson_bounds(p, total_n / deff, _critical(clusters - 1))
    return replace(found, value=p, low=low, high=high, df=clusters - 1, n_eff=total_n / deff)


# E5, E7, E8 -------------------------------------------------------------------------------------------------------


def paired_difference(*, both: int, first_only: int, second_only: int, neither: int) -> Interval:
    """Return the rate of the first less the rate of the second on the same hands (E5).

    The value is the raw difference; the interval adds one half to each of the four cells.

    >>> gap = paired_difference(both=60, first_only=5, second_only=15, neither=20)
    >>> round(gap.value, 3), round(gap.low, 3), round(gap.high, 3)
    (-0.1, -0.184, -0.012)
    """
    n = both + first_only + second_only + neither
    if n == 0:
        return Interval(None, None, None, 0, "95 % paired, ½ added to each cell")
    widened, first, second = n + 2.0, first_only + 0.5, second_only + 0.5
    middle = (first - second) / widened
    half = Z95 * math.sqrt(((first + second) / widened - middle * middle) / widened)
    raw = (first_only - second_only) / n
    return Interval(raw, middle - half, middle + half, n, "95 % paired, ½ added to each cell", y=first_only - second_only, x=n)


def median(values: Sequence[float] | Numbers) -> Interval:
    """Return the median of independent values, bounded by two of the values themselves (E7).

    >>> found = median(range(1, 21))
    >>> found.value, found.low, found.high
    (10.5, 6.0, 15.0)
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    n = len(ordered)
    method = "95 % order statistics"
    if n == 0:
        return Interval(None, None, None, 0, method)
    rank = median_rank(n)
    middle = float(np.median(ordered))
    if rank < 1:
        return Interval(middle, None, None, n, method)
    return Interval(middle, float(ordered[rank - 1]), float(ordered[n - rank]), n, method)


def n_effective(weights: Numbers) -> float:
    """Return how many equal weights carry as much as these: (Σw)²/Σw² (E8).

    >>> round(n_effective([1, 2, 1]), 2)
    2.67
    """
    w = np.asarray(weights, dtype=np.float64)
    squares = float(w @ w)
    return float(w.sum()) ** 2 / squares if squares > 0 else 0.0


def weighted_rate(successes: Numbers, weights: Numbers) -> Interval:
    """Return Σwy/Σw with a Wilson interval on the effective number of tries (E8)."""
    y, w = np.asarray(successes, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    total, n_eff = float(w.sum()), n_effective(w)
    method = "95 % Wilson, weighted"
    if total <= 0:
        return Interval(None, None, None, len(w), method, n_eff=0.0)
    low, high = wilson_bounds(float(w @ y) / total, n_eff)
    return Interval(float(w @ y) / total, low, high, len(w), method, k=float(y.sum()), y=float(w @ y), x=total, n_eff=n_eff)


def weighted_mean(values: Numbers, weights: Numbers) -> Interval:
    """Return Σwy/Σw with its 95 % t interval, each value a cluster (E2 on wy and w, E8)."""
    y, w = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    wy = w * y
    sums = Moments(len(w), float(wy.sum()), float(w.sum()), float(wy @ wy), float(wy @ w), float(w @ w))
    return replace(ratio(loose=sums), n=len(w), n_eff=n_effective(w), method="95 % t, weighted")


# break-even -------------------------------------------------------------------------------------------------------


def break_even(*, gain_failed: float, gain_made: float) -> float | None:
    """Return the failure rate q* at which a kontra neither gains nor loses (K3).

    `gain_failed` is its mean gain where the component failed, `gain_made` where it was made (negative for a defender).
    Mean gain = (gain_failed − gain_made)·(q − q*) exactly. None where the gain does not depend on the outcome.

    >>> break_even(gain_failed=4, gain_made=-2)
    0.3333333333333333
    """
    swing = gain_failed - gain_made
    return -gain_made / swing if swing else None


def break_even_with_rekontra(*, a: float, b: float, answered: float, made_when_answered: float) -> float:
    """Return q* of a kontra that gains `a` on a failure, costs `b` on a success, and may be rekontra'd (K3).

    `answered` is the chance of a rekontra, `made_when_answered` the chance that the component is then made.

    >>> round(break_even_with_rekontra(a=4, b=4, answered=0.1, made_when_answered=0.8), 3)
    0.56
    """
    failed_when_answered = 1.0 - made_when_answered
    return (b - 2.0 * answered * (failed_when_answered * a - made_when_answered * b)) / (a + b)


def bid_break_even(*, value: float, penalty: float = 0.0, multiplier: float = 1.0) -> float:
    """Return the success rate at which a bid part pays 0 on average (B3).

    `value` is paid times `multiplier` either way, `penalty` once on a failure.

    >>> bid_break_even(value=4, penalty=4), bid_break_even(value=4, penalty=4, multiplier=2)
    (0.6666666666666666, 0.6)
    """
    won = multiplier * value
    return (won + penalty) / (2.0 * won + penalty)
