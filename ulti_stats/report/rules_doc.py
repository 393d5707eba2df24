"""`docs/rules.md`: the whole rules page as Markdown, made from the data. `python -m ulti_stats.report.rules_doc` prints it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ulti_stats.game.kontra import level_name
from ulti_stats.game.options import COMBINATIONS, OPTIONS
from ulti_stats.game.rule_table import kontra_multiplier
from ulti_stats.game.rulesets import PRESETS, Ruleset, ruleset
from ulti_stats.report.rules_page import equal_rungs, parts_of, shown, trump_of

_HEAD = """# The rules page

Every rule on which tables differ, as the program knows it. This page is made from the data by
`python -m ulti_stats.report.rules_doc > docs/rules.md`; a test compares the two.

`ulti rules list` names the presets, `ulti rules show ID` prints one, `ulti rules diff A B` two beside each other.
An option is set by `--option NAME=VALUE`, in a file of house rules ([house-rules.md](house-rules.md)), or in a record's
`options`. Stored hands carry preset, options and digest, so a later change of a preset never scores them anew in silence.
"""
_OPTIONS_HEAD = """A value in bold differs from `rablo`. A dash stands for null: the option has no meaning there or is not set.
"""
_LADDERS_HEAD = """Lowest rung first; bids on one rung cannot overbid each other. Units are what each defender pays when every
part is made.
"""


def rules_markdown() -> str:
    """Return presets, options, combinations, kontra levels and ladders as Markdown; ends with a newline."""
    sections = [
        _HEAD,
        "## Presets\n",
        *_table(("id", "rules", "source", "bids", "unit", "digest"), map(_preset, PRESETS.values())),
        "\n## Options\n",
        _OPTIONS_HEAD,
        *_table(("option", "question", "values", *PRESETS), _options()),
        "\n## Options that do not go together\n",
        *(f"- {'Refused' if each.is_refused else 'Warned of'}: {each.text}." for each in COMBINATIONS),
        "\n## Kontra levels\n",
        *_table(("level", "kontra_multipliers=pow2", "literal_b", "kontra_names=hirs_then_mord", "mord_then_hirs"), _levels()),
        "\n## Ladders\n",
        _LADDERS_HEAD,
        *(line for rules in PRESETS.values() for line in _ladder(rules)),
    ]
    return "\n".join(sections).rstrip("\n") + "\n"


def _preset(rules: Ruleset) -> tuple[str, ...]:
    return f"`{rules.id}`", rules.title, rules.source, str(len(rules.ladder)), rules.unit, f"`{rules.digest}`"


def _options() -> Iterator[tuple[str, ...]]:
    base = PRESETS["rablo"]
    for name, option in OPTIONS.items():
        values = []
        for rules in PRESETS.values():
            text = shown(getattr(rules, name))
            values.append(text if getattr(rules, name) == getattr(base, name) else f"**{text}**")
        yield f"`{name}`", option.question, option.allowed(), *values


def _levels() -> Iterator[tuple[str, ...]]:
    hirs, mord = (ruleset("rablo", {"kontra_names": names}) for names in ("hirs_then_mord", "mord_then_hirs"))
    literal = ruleset("rablo", {"kontra_multipliers": "literal_b"})
    for level in range(1, hirs.kontra_max_level + 1):
        factors = (kontra_multiplier(rules, level) for rules in (hirs, literal))
        yield str(level), *(f"x{factor}" for factor in factors), level_name(hirs, level), level_name(mord, level)


def _ladder(rules: Ruleset) -> Iterator[str]:
    yield f"### `{rules.id}`\n"
    rows = (
        (str(rung), f"`{bid.name}`", str(bid.value), trump_of(rules, bid), parts_of(bid))
        for rung, group in enumerate(equal_rungs(rules), 1)
        for bid in group
    )
    yield from _table(("rung", "bid", "units", "trumps", "parts"), rows)
    yield ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    print(rules_markdown(), end="")
