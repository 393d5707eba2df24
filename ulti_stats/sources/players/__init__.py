"""The players: policies that bid, lay, kontra and play from what a seat can know.

A policy is a module of compiled functions and one line in `POLICIES`; `dispatch.py` calls it by its number.
"""

from __future__ import annotations

from ulti_stats.errors import UltiError
from ulti_stats.game.rulesets import nearest

# Policy name -> number in compiled code.
POLICIES: dict[str, int] = {"random": 0, "club": 1}


def parse_players(text: str, *, n_people: int = 3) -> tuple[str, ...]:
    """Return the policies of the people at the table: one name for all, or one each, separated by commas.

    Raises `UltiError` for an unknown policy or another number of them.

    >>> parse_players("club,random,club")
    ('club', 'random', 'club')
    """
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in POLICIES:
            raise UltiError(f"unknown players '{name}'{nearest(name, POLICIES)}")
    if len(names) == 1:
        names *= n_people
    if len(names) != n_people:
        right = ",".join(["club", "random", "club", "club"][:n_people])
        raise UltiError(f"players '{text}' name {len(names)} people; give one policy for all or {n_people}, as in {right}")
    return tuple(names)
