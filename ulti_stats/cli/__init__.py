"""The command `ulti`: each command parses, calls the library's function, and prints."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import warnings
from collections.abc import Callable

from ulti_stats.errors import UltiError

INTERRUPTED = 130


def main() -> None:
    """Run the command line; an `UltiError` becomes one line and exit code 1."""
    # What a command loads stays until it ends: to search that for rubbish, while it loads and again at the end, takes longer
    # than printing a report.
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
    from ulti_stats.cli.app import app

    try:
        with warnings.catch_warnings():
            warnings.showwarning = one_line_warnings(warnings.showwarning)
            app()
    except UltiError as error:
        # One line, whatever the error quotes.
        print(f"ulti: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(1)
    except SystemExit as stop:
        # Typer turns an interrupt into this code without a word.
        if stop.code == INTERRUPTED:
            print("ulti: stopped", file=sys.stderr)
        raise
    except BrokenPipeError:
        # The reader of a pipe went away; that is no error of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def one_line_warnings(show: Callable[..., None]) -> Callable[..., None]:
    """Return what shows warnings: those about rules as one line each, once; any other as `show` does."""
    from ulti_stats.game.options import RulesetWarning

    seen: set[str] = set()

    def shown(message: Warning | str, category: type[Warning], *place: object, **more: object) -> None:
        if not issubclass(category, RulesetWarning):
            show(message, category, *place, **more)
        elif str(message) not in seen:
            seen.add(str(message))
            print(f"ulti: note: {message}", file=sys.stderr)

    return shown
