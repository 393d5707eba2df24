"""Open cards, for notebooks and scripts: what a hand is worth, and solving the hands of a store."""

from __future__ import annotations

from collections.abc import Iterable

from ulti_stats.errors import NotationError
from ulti_stats.game.cards import format_cards, parse_cards
from ulti_stats.game.rulesets import Ruleset, ruleset
from ulti_stats.stats.evaluate import Evaluation
from ulti_stats.stats.evaluate import evaluate as evaluate_hand


def evaluate(
    cards: str,
    talon: str | None = None,
    *,
    rules: Ruleset | str = "rablo",
    seat: int = 0,
    after_passes: int = 0,
    bids: str | Iterable[str] = (),
    all_bids: bool = False,
    exact: bool = False,
    precision: float = 0.02,
    seed: int = 1,
    workers: int | None = None,
) -> Evaluation:
    """Return what a hand is worth to a declarer, bid by bid, over sampled layouts with open cards.

    Ten cards with a talon, or twelve, lay the best two; ten alone are played as they stand, two unknown cards in the talon.
    `seat` is 0 (forehand), 1 or 2; `after_passes` players spoke before and passed. `precision` is half the width of
    the 95 % interval of a chance. Raises `UltiError` for cards and arguments that are wrong.
    """
    own, taken = parse_cards(cards), parse_cards(talon or "")
    if talon is not None and (taken.bit_count() != 2 or own.bit_count() != 10 or own & taken):
        raise NotationError(
            f"talon '{talon}' does not fit '{format_cards(own)}'; right are ten cards and two others, or twelve at once"
        )
    return evaluate_hand(
        own | taken,
        ruleset(rules) if isinstance(rules, str) else rules,
        seat=seat,
        n_passed=after_passes,
        bids=(bids,) if isinstance(bids, str) else tuple(bids),
        show_all=all_bids,
        is_exact=exact,
        precision=precision,
        seed=seed,
        workers=workers,
    )
