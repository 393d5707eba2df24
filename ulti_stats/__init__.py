"""Hand-history database and statistics for Ulti, Hungary's three-player card game.

The calls below are those of the command line; each is imported when it is first used, so `import ulti_stats` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ulti_stats.errors import UltiError

if TYPE_CHECKING:
    from ulti_stats.asking import bid_report, connect, kontra_report, rescore, session_report, talon_report
    from ulti_stats.game.history import HandHistory
    from ulti_stats.game.house_rules import ruleset_from_file
    from ulti_stats.game.notation import format_history, parse_history
    from ulti_stats.game.replay import replay
    from ulti_stats.game.rulesets import Ruleset, ruleset
    from ulti_stats.library import export, find_hand, import_files, simulate
    from ulti_stats.solving import evaluate, solve

__version__ = "0.1.0"

__all__ = [
    "HandHistory",
    "Ruleset",
    "UltiError",
    "__version__",
    "bid_report",
    "connect",
    "evaluate",
    "export",
    "find_hand",
    "format_history",
    "import_files",
    "kontra_report",
    "parse_history",
    "replay",
    "rescore",
    "ruleset",
    "ruleset_from_file",
    "session_report",
    "simulate",
    "solve",
    "talon_report",
]

_HOMES = {
    "HandHistory": "game.history",
    "Ruleset": "game.rulesets",
    "bid_report": "asking",
    "connect": "asking",
    "evaluate": "solving",
    "export": "library",
    "find_hand": "library",
    "format_history": "game.notation",
    "import_files": "library",
    "kontra_report": "asking",
    "parse_history": "game.notation",
    "replay": "game.replay",
    "rescore": "asking",
    "ruleset": "game.rulesets",
    "ruleset_from_file": "game.house_rules",
    "session_report": "asking",
    "simulate": "library",
    "solve": "solving",
    "talon_report": "asking",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ulti_stats' has no attribute '{name}'")
    return getattr(import_module(f"ulti_stats.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
