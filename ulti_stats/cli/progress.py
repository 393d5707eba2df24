"""The progress bar of whatever works through hands."""

from __future__ import annotations

import sys
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text


class RateColumn(ProgressColumn):
    """Hands a second."""

    def render(self, task: Task) -> Text:
        """Return the rate of a task as text."""
        rate = task.finished_speed or task.speed
        return Text(f"{rate:,.0f} hands/s" if rate else "starting …" if not task.completed else "")


class HandProgress:
    """A bar on standard error that counts hands; `advance` may be called from several threads."""

    def __init__(self, total: int, doing: str = "simulating") -> None:
        columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), RateColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=Console(file=sys.stderr))
        self._task = self._progress.add_task("hands", total=total)

    def advance(self, n_hands: int) -> None:
        """Count hands that are done."""
        self._progress.advance(self._task, n_hands)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
