"""What a replay derives from the decisions of a hand: who played what, who won, and what was paid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ulti_stats.game.history import Kontra, Marriage
from ulti_stats.game.rulesets import Bid, Ruleset

Level = Literal["full", "deal", "sheet"]
Termination = Literal["played", "conceded", "passed_out", "abandoned"]


@dataclass(frozen=True, slots=True)
class ComponentResult:
    """One component of a hand: whether it was made, at which kontra level and units against each defender.

    The pairs are for the two defenders in order of play after the declarer. `units` is what that defender pays the
    declarer (negative: is paid). `made` and `units` are None where the record leaves them open.
    """

    component: str
    made: bool | None
    kontra_levels: tuple[int, int] = (0, 0)
    units: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Everything that follows from a hand's decisions under its rules.

    `hands` are the three masks at the start of play by seat, `laid` the two cards that lie in the talon then, `pickup`
    the two cards that the declarer's last pickup brought (None without one), all None where cards are unknown.
    `winners` holds seats, trick by trick. Points are card points: in tricks (last-trick bonus included), in declared
    marriages that count, and in the talon. `levels` gives each kontra its level; `step_gains` what the step alone moved,
    in units per defender that it binds and positive for its sayer, `decision_gains` the same with every answer that it
    made possible (None where the component's result is unknown). `disagreements` lists claims that differ from what was
    derived.
    """

    rules: Ruleset
    level: Level
    termination: Termination
    forehand: int | None = None
    dealer: int | None = None
    declarer: int | None = None
    contract: Bid | None = None
    trump: int | None = None
    hands: tuple[int, int, int] | None = None
    laid: int | None = None
    pickup: int | None = None
    marriages: tuple[Marriage, ...] = ()
    kontras: tuple[Kontra, ...] = ()
    levels: tuple[int, ...] = ()
    step_gains: tuple[int | None, ...] = ()
    decision_gains: tuple[int | None, ...] = ()
    winners: tuple[int, ...] = ()
    declarer_points: int | None = None
    defender_points: int | None = None
    declarer_marriage_points: int | None = None
    defender_marriage_points: int | None = None
    talon_points: int | None = None
    components: tuple[ComponentResult, ...] = ()
    payoffs: tuple[int, int, int] | None = None
    disagreements: tuple[str, ...] = ()

    @property
    def defenders(self) -> tuple[int, int] | None:
        """Return the two defenders in order of play after the declarer, or None in a passed-out deal."""
        if self.declarer is None:
            return None
        return ((self.declarer + 1) % 3, (self.declarer + 2) % 3)

    def component(self, name: str) -> ComponentResult | None:
        """Return the result of one component, or None where it was neither bid nor scored."""
        return next((found for found in self.components if found.component == name), None)
