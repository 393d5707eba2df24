"""`components`: one row per component of a hand, whether it was bid, implied or scored silently."""

from __future__ import annotations

from ulti_stats.game.bids import COMPONENT_TEXTS, N_PARTS
from ulti_stats.store.views.hands import ALL_CARRIED
from ulti_stats.store.views.view import Field, View, scan, union

_PART = """CASE WHEN '{c}' = 'simple' AND NOT starts_with(contract, 'simple') THEN 'implied'
WHEN starts_with('{c}', 'silent_') THEN 'silent' ELSE 'named' END"""

# fmt: off
_FIELDS = (
    Field("component", "'{c}'", "simple, forty_hundred, twenty_hundred, ulti, four_aces, durchmars, betli or silent_..."),
    Field("part", _PART, "named in the bid, implied (a simple game that the bid does not name) or silent"),
    Field("made", "{c}_made", "whether it was made (silent_ulti_defender: by a defender); null where that is not known"),
    Field("kontra_1", "{k}1", "kontra level against the first defender after the declarer; null for silent ones"),
    Field("kontra_2", "{k}2", "kontra level against the second defender; null for silent ones"),
    Field("kontra_level", "greatest({k}1, {k}2)", "the higher of the two levels; null for silent ones"),
    Field("units_1", "{c}_units_1", "units that the first defender pays the declarer for it"),
    Field("units_2", "{c}_units_2", "units that the second defender pays the declarer for it"),
    Field("units", "({c}_units_1 + {c}_units_2) / 2", "units per defender, the mean of the two"),
)
# fmt: on


def _scan(number: int, name: str) -> str:
    if number < N_PARTS:
        return scan(
            _FIELDS,
            source="raw.hands",
            carried=ALL_CARRIED,
            where="{k}1 IS NOT NULL",
            words={"c": name, "k": f"{name}_kontra_"},
        )
    # A silent bonus rides on the kontra of another component, so it has no level of its own: CAST(NULL ...).
    fields = [Field(f.name, f.sql.replace("{k}1", _NONE).replace("{k}2", _NONE), f.meaning) for f in _FIELDS]
    return scan(fields, source="raw.hands", carried=ALL_CARRIED, where="{c}_made IS NOT NULL", words={"c": name})


_NONE = "CAST(NULL AS TINYINT)"

COMPONENTS = View(
    "components",
    "component of a hand that was bid or implied, or a silent bonus that was won or lost",
    _FIELDS,
    ALL_CARRIED,
    union(_scan(number, name) for number, name in enumerate(COMPONENT_TEXTS)),
)
