"""The views that analysts query, each with its columns documented; a view is one value in one file."""

from ulti_stats.store.views.auction import CALLS, KONTRAS, LISTS
from ulti_stats.store.views.components import COMPONENTS
from ulti_stats.store.views.hands import DERIVED, HANDS, HIDDEN
from ulti_stats.store.views.macros import MACROS, Macro
from ulti_stats.store.views.play import PLAYS, TRICKS
from ulti_stats.store.views.seats import SEATS
from ulti_stats.store.views.solved import BEST, ERRORS, MAKEABLE, PAR
from ulti_stats.store.views.talons import TALONS
from ulti_stats.store.views.view import Field, View

_PLAYED = (HANDS, COMPONENTS, CALLS, KONTRAS, TRICKS, PLAYS, TALONS, SEATS)
VIEWS: dict[str, View] = {view.name: view for view in (*_PLAYED, MAKEABLE, PAR, BEST, ERRORS)}

__all__ = ["DERIVED", "HIDDEN", "LISTS", "MACROS", "VIEWS", "Field", "Macro", "View"]
