"""The rules page in print: the presets, one ruleset, and how two differ; made from the data alone."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from ulti_stats.game.bids import TrumpClass
from ulti_stats.game.options import OPTIONS
from ulti_stats.game.rulesets import PRESETS, Bid, Ruleset

WIDTH = 110
# Up to this many pairs of bids in another order are listed one by one.
FEW_PAIRS = 12
TRUMPS = {TrumpClass.PLAIN: "suit", TrumpClass.HEARTS: "hearts", TrumpClass.NONE: "none"}
LITERAL_NOTE = "bid_order=literal compares bids pair by pair; no single ladder holds it all, this is by value and parts."


def shown(value: Any) -> str:
    """Return an option's value as a record would write it.

    >>> shown((("ulti", 2), ("durchmars", 3)))
    'ulti 2, durchmars 3'
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(f"{item[0]} {item[1]}" if isinstance(item, tuple) else str(item) for item in value) or "none"
    return str(value)


def trump_of(rules: Ruleset, bid: Bid) -> str:
    """Return what is trumps under a bid: suit, hearts or none."""
    if rules.hearts_always_trump and bid.has_trumps:
        return "hearts"
    return TRUMPS[bid.form.trump_class]


def parts_of(bid: Bid) -> str:
    """Return the parts of a bid with the units of each, as in `ulti 4 + simple 1`."""
    return " + ".join(f"{part.text} {value}" for part, value in zip(bid.components, bid.values, strict=True))


def equal_rungs(rules: Ruleset) -> list[list[Bid]]:
    """Return the ladder in groups of bids that cannot overbid each other in either direction."""
    groups: list[list[Bid]] = []
    for bid in rules.ladder:
        if groups and not any(rules.overbids(bid, other) or rules.overbids(other, bid) for other in groups[-1]):
            groups[-1].append(bid)
        else:
            groups.append([bid])
    return groups


def differing(rules: Ruleset, base: Ruleset) -> list[str]:
    """Return the names of the options in which rules differ from others, in the order of the page."""
    return [name for name in OPTIONS if getattr(rules, name) != getattr(base, name)]


def rules_list() -> str:
    """Return the presets, a line each; ends with a newline."""
    rows = [("id", "bids", "digest", "rules"), *((r.id, str(len(r.ladder)), r.digest, r.title) for r in PRESETS.values())]
    return _lines(_columns(rows))


def rules_text(rules: Ruleset, *, base: Ruleset | None = None) -> str:
    """Return a ruleset as text: the options that differ from `base`, the ladder with units, every other option.

    A preset is compared with `rablo`, anything else with the preset that it extends. Ends with a newline.
    """
    base = PRESETS["rablo"] if base is None or rules is base else base
    changed = differing(rules, base)
    groups = equal_rungs(rules)
    lines = [
        f"{rules.id} · {rules.title}",
        f"Source: {rules.source}",
        f"Digest {rules.digest} · {len(rules.ladder)} bids on {len(groups)} rungs · unit: {rules.unit}",
    ]
    if changed:
        rows = [("option", "here" if base.id == rules.id else rules.id, base.id)]
        rows += [(name, shown(getattr(rules, name)), shown(getattr(base, name))) for name in changed]
        lines += ["", f"Options that differ from {base.id}", *_columns(rows, indent=2)]
    lines += ["", "Ladder, lowest rung first; units that each defender pays when every part is made"]
    lines += [f"  {LITERAL_NOTE}"] if rules.bid_order == "literal" else []
    lines += [*_columns(_rungs(rules, groups), right=(0, 2), indent=2), "  = is a rung shared: neither bid overbids the other"]
    rows = [(name, shown(getattr(rules, name))) for name in OPTIONS if name not in changed]
    lines += ["", f"Options as in {base.id}" if changed else "Options", *_columns(rows, indent=2)]
    return _lines(lines)


def _rungs(rules: Ruleset, groups: list[list[Bid]]) -> list[tuple[str, ...]]:
    rows = [("rung", "bid", "units", "trumps", "parts")]
    for rung, group in enumerate(groups, 1):
        for bid in group:
            mark = str(rung) if bid is group[0] else "="
            rows.append((mark, bid.name, str(bid.value), trump_of(rules, bid), parts_of(bid)))
    return rows


def rules_diff(first: Ruleset, second: Ruleset) -> str:
    """Return in which options, bids, values and order of bids two rulesets differ; ends with a newline."""
    changed = differing(first, second)
    ours, theirs = ({bid.name: bid for bid in rules.ladder} for rules in (first, second))
    both = [name for name in ours if name in theirs]
    lines: list[str] = []
    names = _two_names(first, second)
    if changed:
        rows = [("option", *names)]
        rows += [(name, shown(getattr(first, name)), shown(getattr(second, name))) for name in changed]
        lines += _columns(rows)
    revalued = [name for name in both if parts_of(ours[name]) != parts_of(theirs[name])]
    if revalued:
        rows = [("bid, units per defender", *names)]
        rows += [(name, *(f"{bids[name].value} ({parts_of(bids[name])})" for bids in (ours, theirs))) for name in revalued]
        lines += ["", *_columns(rows)]
    for name, bids, others in ((names[0], ours, theirs), (names[1], theirs, ours)):
        only = [f"{bid.name} {bid.value}" for bid in bids.values() if bid.name not in others]
        lines += ["", *_wrapped(f"Bids of {name} only ({len(only)}): ", only)] if only else []
    lines += _order_differences(first, second, both)
    if not lines:
        return f"{names[0]} and {names[1]} do not differ\n"
    return _lines(lines[1:] if not lines[0] else lines)


def _two_names(first: Ruleset, second: Ruleset) -> tuple[str, str]:
    """Return the ids, with a digest behind them where they are the same."""
    if first.id != second.id:
        return first.id, second.id
    return f"{first.id} {first.digest[:4]}", f"{second.id} {second.digest[:4]}"


def _order_differences(first: Ruleset, second: Ruleset, both: list[str]) -> list[str]:
    """Return how the bids that both know are ordered, where that differs."""
    pairs = list(combinations(both, 2))
    moved = [pair for pair in pairs if _order(first, *pair) != _order(second, *pair)]
    if not moved:
        return []
    lines = ["", f"Order of the {len(both)} bids that both know: {len(moved)} of {len(pairs)} pairs stand otherwise"]
    if len(moved) <= FEW_PAIRS:
        rows = [("two bids", *_two_names(first, second))]
        rows += [(f"{one}, {other}", *(_relation(rules, one, other) for rules in (first, second))) for one, other in moved]
        return lines + list(_columns(rows, indent=2))
    for name, rules in zip(_two_names(first, second), (first, second), strict=True):
        groups = [[bid.name for bid in group if bid.name in both] for group in equal_rungs(rules)]
        lines += _wrapped(f"  {name}: ", [" = ".join(group) for group in groups if group], " < ")
    return lines


def _relation(rules: Ruleset, one: str, other: str) -> str:
    return "=><"[_order(rules, one, other)]


def _order(rules: Ruleset, one: str, other: str) -> int:
    a, b = rules.bid(one), rules.bid(other)
    return rules.overbids(a, b) - rules.overbids(b, a)


def _wrapped(head: str, words: Iterable[str], joint: str = ", ") -> list[str]:
    text = head + joint.join(words)
    return textwrap.wrap(text, WIDTH, subsequent_indent=" " * 4, break_long_words=False, break_on_hyphens=False)


def _columns(rows: list[tuple[str, ...]], *, right: tuple[int, ...] = (), indent: int = 0) -> Iterator[str]:
    """Yield rows as lines of equal columns; those in `right` stand at their right edge."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        sized = enumerate(zip(row, widths, strict=True))
        cells = [f"{cell:>{width}}" if place in right else f"{cell:<{width}}" for place, (cell, width) in sized]
        yield " " * indent + "  ".join(cells).rstrip()


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
