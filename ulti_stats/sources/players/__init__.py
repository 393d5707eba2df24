"""The players: policies that bid, lay, kontra and play from what a seat can know.

A policy is a module of compiled functions and one line in `POLICIES`; `dispatch.py` calls it by its number.
"""

from __future__ import annotations

from ulti_stats.errors import UltiError
from ulti_stats.game.rulesets import nearest

# Policy name -> number in compiled code.
POLICIES: dict[str, int] = {"random": 0, "club": 1}


def parse_players(text: str) -> tuple[str, str, str]:
    """Return the policies of the three seats: one name for all, or three separated by commas.

    Raises `UltiError` for an unknown policy.

    >>> parse_players("club,random,club")
    ('club', 'random', 'club')
    """
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in POLICIES:
            raise UltiError(f"unknown players '{name}'{nearest(name, POLICIES)}")
    if len(names) == 1:
        names *= 3
    if len(names) != 3:
        raise UltiError(f"players '{text}' name {len(names)} seats; give one policy for all or three, as in club,random,club")
    return (names[0], names[1], names[2])
