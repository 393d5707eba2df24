"""The rules page in print: one ruleset as text or Markdown, and how two differ; made from the data alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ulti_stats.game.options import OPTIONS
from ulti_stats.game.rulesets import PRESETS, Bid, Ruleset


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


def rules_text(rules: Ruleset) -> str:
    """Return a ruleset as text: its ladder with values, and every option; ends with a newline."""
    lines = [f"{rules.id} · {rules.title} · digest {rules.digest}", f"Source: {rules.source}", "", "Ladder, lowest first"]
    lines += [f"  {rung}" for rung in _rungs(rules)]
    lines += ["", "Options"]
    lines += [f"  {name:<26} {shown(getattr(rules, name))}" for name in OPTIONS]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _rungs(rules: Ruleset) -> Iterator[str]:
    for rank, group in enumerate(_equal_rungs(rules), 1):
        for bid in group:
            parts = " + ".join(f"{part.text} {value}" for part, value in zip(bid.components, bid.values, strict=True))
            yield f"{rank:>3}  {bid.name:<42} {bid.value:>3}  {parts}"


def _equal_rungs(rules: Ruleset) -> list[list[Bid]]:
    """Return the ladder in groups of bids that cannot overbid each other in either direction."""
    groups: list[list[Bid]] = []
    for bid in rules.ladder:
        if groups and not any(rules.overbids(bid, other) or rules.overbids(other, bid) for other in groups[-1]):
            groups[-1].append(bid)
        else:
            groups.append([bid])
    return groups


def rules_list() -> str:
    """Return the presets, a line each; ends with a newline."""
    lines = [f"{rules.id:<10} {len(rules.ladder):>3} bids  {rules.digest}  {rules.title}" for rules in PRESETS.values()]
    return "\n".join(lines) + "\n"


def rules_diff(first: Ruleset, second: Ruleset) -> str:
    """Return the options and bids in which two rulesets differ, a line each; ends with a newline."""
    rows = [(name, shown(getattr(first, name)), shown(getattr(second, name))) for name in OPTIONS]
    rows = [row for row in rows if row[1] != row[2]]
    rows += [(f"bid {name}", ours, theirs) for name, ours, theirs in _bid_differences(first, second)]
    if not rows:
        return f"{first.id} and {second.id} do not differ\n"
    rows.insert(0, ("", first.id, second.id))
    widths = [max(len(row[place]) for row in rows) for place in range(2)]
    lines = [f"{name:<{widths[0]}}  {ours:<{widths[1]}}  {theirs}".rstrip() for name, ours, theirs in rows]
    return "\n".join(lines) + "\n"


def _bid_differences(first: Ruleset, second: Ruleset) -> Iterator[tuple[str, str, str]]:
    values = [{bid.name: bid.value for bid in rules.ladder} for rules in (first, second)]
    for name in dict.fromkeys((*values[0], *values[1])):
        ours, theirs = values[0].get(name), values[1].get(name)
        if ours != theirs:
            yield name, shown(ours), shown(theirs)
