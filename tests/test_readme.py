"""The README's examples run as they stand; only large numbers of hands are made small."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from ulti_stats.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SMALL = {"100000": "300", "2_000": "300"}


def blocks(language):
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.S | re.M)
    return [text for name, text in fences if name == language]


def small(text):
    for large, few in SMALL.items():
        text = text.replace(large, few)
    return text


def exit_code():
    try:
        main()
    except SystemExit as stop:
        return stop.code or 0
    return 0


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "samples").symlink_to(ROOT / "data" / "samples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ULTI_STORE", raising=False)
    return tmp_path


def test_the_library_example_runs(folder):
    (example,) = blocks("python")
    names = {}
    exec(small(example), names)
    assert len(names["bids"]) > 10
    assert set(names["longest"]["calls"]) != set()
    assert len([line for line in example.splitlines() if line]) <= 6


def test_the_commands_run_one_after_the_other(folder, monkeypatch, capsys):
    commands = [line for block in blocks("") for line in block.splitlines() if line.startswith("ulti ")]
    assert len(commands) >= 5
    for command in commands:
        monkeypatch.setattr(sys, "argv", shlex.split(small(command)))
        assert (exit_code(), command) == (0, command), capsys.readouterr().err
    assert (folder / "kontra.svg").exists()


def test_every_document_that_is_named_exists():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 10
    missing = [link for link in links if not link.startswith("http") and not (ROOT / link).exists()]
    assert missing == []
