"""What a view shows in place of columns that files hold packed: see `schema.py` for what each of those means."""

from __future__ import annotations

from ulti_stats.game.bids import COMPONENT_TEXTS, N_PARTS
from ulti_stats.store.schema import LEVEL_BITS, OUTCOME_BITS
from ulti_stats.store.views.view import Field

# fmt: off
_HAND_2 = Field("hand_2", "~(hand_0 | hand_1 | talon)", "cards dealt to seat 2, mask")
_DEFENDERS = (
    Field("play_defender_1", "xor(exchanged, CASE declarer WHEN 0 THEN hand_1 WHEN 1 THEN hand_2 ELSE hand_0 END)",
          "cards of the first defender after the declarer when play starts, mask"),
    Field("play_defender_2", "~(play_declarer | play_defender_1 | laid)", "cards of the second defender when play starts, mask"),
)
# fmt: on


def _payoff(seat: int) -> Field:
    gap, defender = f"payoff_gap_{seat}", "-floor(coalesce(units_per_defender, 0))"
    sql = f"{gap} + CASE WHEN declarer IS NULL THEN 0 WHEN declarer = {seat} THEN declarer_units ELSE {defender} END"
    known = " (replay; the claim where cards do not tell)" if seat == 0 else ""
    return Field(f"payoff_{seat}", f"CAST({sql} AS INTEGER)", f"units won by seat {seat}{known}")


def _made(number: int, name: str) -> Field:
    sql = f"CASE (outcomes >> {OUTCOME_BITS * number}) & {2**OUTCOME_BITS - 1} WHEN 1 THEN false WHEN 2 THEN true END"
    return Field(f"{name}_made", sql, f"{name}: made, failed, or null where it was not in play or is not known")


def _second_units(number: int, name: str) -> Field:
    sql = f"{name}_units_1 + coalesce(units_gaps[{number + 1}], 0)"
    return Field(f"{name}_units_2", sql, f"{name}: units that the second defender pays the declarer")


def _levels(number: int, name: str) -> tuple[Field, ...]:
    if number >= N_PARTS:
        return ()
    level = f"CAST(nullif(({{levels}} >> {LEVEL_BITS * number}) & {2**LEVEL_BITS - 1}, 0) - 1 AS TINYINT)"
    first, second = level.format(levels="kontra_levels"), level.format(levels="xor(kontra_levels, kontra_levels_differ)")
    return (
        Field(f"{name}_kontra_1", first, f"{name}: kontra level against the first defender; null where not bid"),
        Field(f"{name}_kontra_2", second, f"{name}: kontra level against the second defender"),
    )


# By stored column: those that come before it, behind it, and those that stand in its place.
BEFORE: dict[str, tuple[Field, ...]] = {
    "talon": (_HAND_2,),
    **{f"{name}_units_1": (_made(number, name),) for number, name in enumerate(COMPONENT_TEXTS)},
}
BEHIND: dict[str, tuple[Field, ...]] = {
    f"{name}_units_1": (_second_units(number, name), *_levels(number, name)) for number, name in enumerate(COMPONENT_TEXTS)
}
INSTEAD: dict[str, tuple[Field, ...]] = {
    "exchanged": _DEFENDERS,
    **{f"payoff_gap_{seat}": (_payoff(seat),) for seat in range(3)},
    "units_gaps": (),
}
UNPACKED: tuple[Field, ...] = tuple(
    field for fields in (*BEFORE.values(), *BEHIND.values(), *INSTEAD.values()) for field in fields
)
