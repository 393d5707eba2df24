"""`makeable`, `par`, `best` and `errors`: what the open-card solver says of hands that `ulti solve` has solved."""

from __future__ import annotations

from ulti_stats.store.solutions import STAGES
from ulti_stats.store.views.hands import ALL_CARRIED
from ulti_stats.store.views.view import Field, View, role_of, scan


def _solved(stage: str) -> str:
    return f"raw.hands JOIN raw.solved_{stage} USING (hand_hash)"


def _columns(stage: str) -> tuple[Field, ...]:
    """Return the stored columns of a stage but its keys."""
    return tuple(Field(column.name, column.name, column.meaning) for column in STAGES[stage][2:])


def _view(name: str, row: str, fields: tuple[Field, ...], source: str) -> View:
    return View(name, row, fields, ALL_CARRIED, scan(fields, source=source, carried=ALL_CARRIED))


MAKEABLE = _view("makeable", "hand solved part by part (`ulti solve --parts`)", _columns("parts"), _solved("parts"))

# fmt: off
_PAR = (
    *_columns("par"),
    Field("over_par", "units_per_defender - par_units",
          "what the play brought the declarer above par, units per defender; below 0 the defence gained"),
)
_BEST = (
    *_columns("best"),
    Field("best_discard_text", "cards_text(best_discard)", "the two cards to lay for it, as text"),
    Field("over_best", "units_per_defender - best_units", "what the hand paid the declarer above that par, per defender"),
)
_ERRORS = (
    Field("ply", "entry.ply", "number of the card in the hand, 0 to 29"),
    Field("trick", "CAST(entry.ply // 3 + 1 AS TINYINT)", "number of the trick, 1 to 10"),
    Field("seat", "entry.seat", "seat that played it"),
    Field("role", role_of("entry.seat"), "declarer, defender_1 or defender_2"),
    Field("card", "entry.card", "card played, 0 to 31"),
    Field("card_text", "card_text(entry.card)", "card played, as text"),
    Field("best_card", "entry.best_card", "a card that would have given nothing away, 0 to 31"),
    Field("best_card_text", "card_text(entry.best_card)", "that card as text"),
    Field("cost", "entry.cost", "units per defender (the mean of the two) that the card moved to the other side, above 0"),
    Field("decided_ply", "decided_ply",
          "the last card of the hand that changed what open cards make of a named part; -1 where none did"),
)
# fmt: on
PAR = _view("par", "hand whose contract is solved whole (`ulti solve --par`)", _PAR, _solved("par"))
BEST = _view("best", "hand whose best contract is known (`ulti solve --best`)", _BEST, _solved("best"))
ERRORS = _view(
    "errors",
    "play that gave units away (`ulti solve --errors`)",
    _ERRORS,
    f"(SELECT *, unnest(errors) AS entry FROM {_solved('errors')})",
)
