"""The command `ulti`: each command parses, calls the library's function, and prints."""

from __future__ import annotations

import os
import sys

from ulti_stats.errors import UltiError


def main() -> None:
    """Run the command line; an `UltiError` becomes one line and exit code 1."""
    from ulti_stats.cli.app import app

    try:
        app()
    except UltiError as error:
        # One line, whatever the error quotes.
        print(f"ulti: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("ulti: stopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of a pipe went away; that is no error of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
