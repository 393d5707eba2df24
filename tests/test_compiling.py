"""Kernels compiled ahead, side by side: the process that asked finds them in the cache."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ulti_stats.compiling import JOBS, PARTS, REPLAY, UNITS, compile_missing, for_players, missing, share_out

ROOT = Path(__file__).parents[1]


def run(code: str, cache: Path) -> list[str]:
    variables = {name: value for name, value in os.environ.items() if name not in ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT")}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env=variables | {"ULTI_CACHE": str(cache)}, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_a_fresh_installation_has_everything_to_compile(tmp_path: Path):
    code = "from ulti_stats.compiling import JOBS, missing; print(*missing(JOBS), sep='\\n')"
    assert " ".join(run(code, tmp_path)) == " ".join(JOBS)


def test_what_was_compiled_in_other_processes_is_found(tmp_path: Path):
    code = """
from ulti_stats.compiling import compile_missing, missing
jobs = ("replay", "columns")
compile_missing(jobs)
print(len(missing(jobs)))
from ulti_stats.game.hashing import _hash_hands
from ulti_stats.compiling import JOBS
JOBS["columns"].run()
print(sum(_hash_hands.stats.cache_hits.values()), sum(_hash_hands.stats.cache_misses.values()))
"""
    assert run(code, tmp_path) == ["0", "1", "0"]


@pytest.mark.parametrize("name", JOBS)
def test_a_job_compiles_the_kernels_that_it_names(name: str):
    JOBS[name].run()
    assert missing([name]) == []


def test_every_command_names_jobs_that_there_are():
    named = {*for_players("random"), *for_players("club, random, club"), *REPLAY, *UNITS, *PARTS}
    assert named == set(JOBS)


def test_kernels_of_the_solver_are_compiled_in_one_process():
    assert ["parts", "units"] in [share[:2] for share in share_out(JOBS, 2)]
    assert sorted(name for share in share_out(JOBS, 3) for name in share) == sorted(JOBS)


def test_one_job_alone_is_left_to_the_first_call(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ulti_stats.compiling.are_compiled", lambda *_: False)
    monkeypatch.setattr("ulti_stats.compiling.subprocess.run", lambda *_, **__: pytest.fail("no process is needed"))
    compile_missing(["units"])
