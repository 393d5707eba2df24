"""Start-up: the help must be there at once."""

import subprocess
import sys

from tests.cli.conftest import SAMPLE

HEAVY = ("pandas", "numba", "numpy", "matplotlib", "pyarrow", "duckdb", "deltalake", "rich")


def test_help_imports_nothing_heavy():
    code = "import sys; sys.argv = ['ulti', '--help']; from ulti_stats.cli import main; main()"
    ran = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True)
    imported = {line.split("|")[-1].strip().split(".")[0] for line in ran.stderr.splitlines() if line.startswith("import time:")}
    assert "typer" in imported
    assert not imported & set(HEAVY)


def test_the_library_is_imported_without_anything_heavy():
    code = "import sys, ulti_stats; print([name for name in sys.argv[1:] if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code, *HEAVY], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_report_loads_nothing_that_plays_or_draws(ulti):
    ulti("import", SAMPLE)
    code = "import sys; from ulti_stats.cli import main\ntry: main()\nfinally: print(sorted(set(sys.modules) & {HEAVY}))"
    for report in ("bids", "kontra", "talon"):
        program = code.replace("HEAVY", "'numba', 'pandas', 'matplotlib'")
        ran = subprocess.run([sys.executable, "-c", program, "report", report], capture_output=True, text=True, check=True)
        assert ran.stdout.splitlines()[-1] == "[]"


def test_simulating_loads_nothing_that_asks_or_draws(tmp_path):
    code = "import sys; from ulti_stats.cli import main\ntry: main()\nfinally: print(sorted(set(sys.modules) & {HEAVY}))"
    program = code.replace("HEAVY", "'duckdb', 'pandas', 'matplotlib', 'rich', 'ulti_stats.stats.bids'")
    words = ["simulate", "--hands", "5", "--seed", "1", "--store", str(tmp_path / "store")]
    ran = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"
