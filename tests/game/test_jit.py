"""Where compiled code is kept: an upgrade never runs what an older version compiled, and old folders go."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import ulti_stats
from ulti_stats.game.jit import KEPT_FOLDERS, forget_older

PACKAGE = Path(ulti_stats.__file__).parent
PROGRAM = """
import numpy as np
from ulti_stats.game.lanes import LANES, deal_lanes, new_block
block, keys = new_block()
deal_lanes(1, 0, 1, block, keys)
hands = np.zeros(3, np.int64)
for seat in range(3):
    hands[seat] = block[LANES * seat]
print(hands.tolist(), sum(deal_lanes.stats.cache_hits.values()))
"""


def wheel(folder: Path, version: str, old: str = "", new: str = "") -> Path:
    """Build a wheel of the package's game room with one text of `chance.py` changed."""
    path = folder / f"ulti_stats-{version}-py3-none-any.whl"
    info = f"ulti_stats-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        for source in sorted(PACKAGE.rglob("*.py")):
            text = source.read_text(encoding="utf-8")
            if source.name == "chance.py" and old:
                assert old in text
                text = text.replace(old, new)
            archive.writestr(f"ulti_stats/{source.relative_to(PACKAGE).as_posix()}", text)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: ulti-stats\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return path


def install(path: Path, place: Path) -> None:
    """Install a wheel as an upgrade does: its files replace the older ones, anything else stays."""
    with zipfile.ZipFile(path) as archive:
        archive.extractall(place)


def run(place: Path, cache: Path) -> tuple[str, int]:
    """Return the first deal of seed 1 by the installed package, and how often its kernel came from the cache."""
    variables = {name: value for name, value in os.environ.items() if name not in ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT")}
    variables |= {"PYTHONPATH": str(place), "ULTI_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=variables, cwd=place, capture_output=True, text=True, check=True)
    deal, hits = done.stdout.strip().rsplit(" ", 1)
    return deal, int(hits)


def test_an_upgrade_runs_its_own_code_though_the_kernels_file_did_not_change(tmp_path: Path):
    # The kernel stands in lanes.py; what changes stands in chance.py, which Numba's own cache does not look at.
    place, cache = tmp_path / "site", tmp_path / "cache"
    install(wheel(tmp_path, "1.0"), place)
    before, first_hits = run(place, cache)
    assert first_hits == 0
    assert run(place, cache) == (before, 1)
    install(wheel(tmp_path, "1.1", "_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)", "_MIX_1 = np.uint64(0xBF58476D1CE4E5BB)"), place)
    after, hits = run(place, cache)
    assert hits == 0
    assert after != before
    install(wheel(tmp_path, "1.0"), place)
    assert run(place, cache) == (before, 1)


def test_folders_of_older_versions_go_and_other_things_stay(tmp_path: Path):
    names = [f"{number:024x}" for number in range(7)]
    for age, name in enumerate(names):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1_000_000 + age, 1_000_000 + age))
    (tmp_path / "notes").mkdir()
    (tmp_path / ("f" * 24)).write_text("a file", encoding="utf-8")
    forget_older(tmp_path / f"{99:024x}")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == sorted([*names[-(KEPT_FOLDERS - 1) :], "notes", "f" * 24])
