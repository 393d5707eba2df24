"""The command line, run inside the test's process."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from ulti_stats.cli import main

SAMPLE = Path("data/samples/ultiarena_games.jsonl").absolute()


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def ulti(monkeypatch, capsys, tmp_path):
    """Return a function that runs `ulti` with arguments in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ULTI_STORE", raising=False)

    def run(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["ulti", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 0
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
