"""Import end to end: each hand once, claims compared, and everything wrong collected while the rest goes on."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ulti_stats.game.notation import format_history
from ulti_stats.sources.importers import Problem
from ulti_stats.sources.importing import Difference, ImportResult, check_file, import_files, stream_hands, write_rejects

ROOT = Path(__file__).parent.parent.parent
DATA = ROOT / "tests" / "data"
SAMPLES = ROOT / "data" / "samples"
RECORDS = [json.loads(line) for line in (DATA / "rablo.jsonl").read_text(encoding="utf-8").splitlines()]


def _file(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def _without(record: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in keys}


SHEET = {
    "format": "ulti-hand/1",
    "ruleset": "rablo",
    "session": "club night",
    "declarer": 0,
    "contract": "betli",
    "payoffs": [10, -5, -5],
}


def _found(result: ImportResult) -> list[tuple[str, str]]:
    return [(problem.place, problem.field) for problem in result.findings]


@pytest.mark.parametrize("name", ["rablo", "ladder", "ultimato", "hungarian"])
def test_the_verified_records_are_imported_without_a_finding(name: str):
    result = import_files([DATA / f"{name}.jsonl"])
    assert (len(result.histories), result.findings, result.n_duplicates) == (150, [], 0)


def test_both_files_of_the_site_hold_the_same_25_hands():
    paths = [SAMPLES / "ultiarena_games.db", SAMPLES / "ultiarena_games.jsonl"]
    result = import_files(paths)
    assert (result.n_hands, result.n_duplicates, result.findings) == (25, 25, [])
    assert set(result.sources.values()) == {tuple(map(str, paths))}
    assert result.summary == "25 hands, 25 duplicates, 0 records rejected, 0 claims that differ from the replay"


def test_what_is_exported_is_the_same_hand_when_it_is_imported(tmp_path: Path):
    first = import_files([SAMPLES / "ultiarena_games.db", *sorted(DATA.glob("*.jsonl"))])
    exported = tmp_path / "export.jsonl.gz"
    exported.write_bytes(gzip.compress("\n".join(format_history(hand.history) for hand in first.histories).encode()))
    again = import_files([exported])
    assert [hand.history for hand in again.histories] == [hand.history for hand in first.histories]
    assert [hand.hand_hash for hand in again.histories] == [hand.hand_hash for hand in first.histories]


def test_a_file_imported_twice_adds_nothing(tmp_path: Path):
    path = _file(tmp_path / "a.jsonl", *RECORDS[:5])
    result = import_files([path, path])
    assert (result.n_hands, result.n_duplicates) == (5, 5)
    assert set(result.sources.values()) == {(str(path),)}


def test_the_holders_closing_pass_does_not_make_another_hand(tmp_path: Path):
    open_ended = RECORDS[0] | {"auction": RECORDS[0]["auction"][:-1]}
    assert RECORDS[0]["auction"][-1]["bid"] == "pass"
    result = import_files([_file(tmp_path / "a.jsonl", RECORDS[0]), _file(tmp_path / "b.jsonl", open_ended)])
    assert (result.n_hands, result.n_duplicates) == (1, 1)


# --- duplicates -------------------------------------------------------------------------------------------------------


def test_the_same_id_and_hand_twice_in_a_file_is_counted(tmp_path: Path):
    result = import_files([_file(tmp_path / "a.jsonl", RECORDS[0], RECORDS[1], RECORDS[0])])
    assert (result.n_hands, result.n_duplicates, result.findings) == (2, 1, [])


def test_the_same_id_for_another_hand_is_an_error_at_the_second(tmp_path: Path):
    other = RECORDS[1] | {"id": RECORDS[0]["id"]}
    path = _file(tmp_path / "a.jsonl", RECORDS[0], other, RECORDS[2])
    result = import_files([path])
    assert result.n_hands == 2
    assert _found(result) == [(f"{path}:2", "id")]
    assert f"stands at {path}:1 too" in result.findings[0].reason


def test_the_same_id_in_two_files_is_no_error(tmp_path: Path):
    paths = [_file(tmp_path / "a.jsonl", RECORDS[0]), _file(tmp_path / "b.jsonl", RECORDS[1] | {"id": RECORDS[0]["id"]})]
    assert import_files(paths).findings == []


def test_equal_rows_of_a_score_sheet_are_different_hands_of_one_evening(tmp_path: Path):
    path = _file(tmp_path / "a.jsonl", SHEET, SHEET, SHEET | {"payoffs": [-10, 5, 5]}, SHEET)
    result = import_files([path])
    assert (result.n_hands, result.n_duplicates, result.findings) == (4, 0, [])
    # The same evening from another file brings the same four hands.
    again = import_files([path, _file(tmp_path / "b.jsonl", *[SHEET] * 3)])
    assert (again.n_hands, again.n_duplicates) == (4, 3)


def test_equal_score_sheets_with_one_id_are_a_duplicate(tmp_path: Path):
    result = import_files([_file(tmp_path / "a.jsonl", SHEET | {"id": "x"}, SHEET | {"id": "x"})])
    assert (result.n_hands, result.n_duplicates) == (1, 1)


# --- what is wrong ----------------------------------------------------------------------------------------------------


def _swapped(plays: str) -> str:
    first, second, *rest = plays.split()
    return " ".join([second, first, *rest])


# fmt: off
WRONG = (
    # change to a good record                                               field       words of the reason
    ({"plays": _swapped(RECORDS[0]["plays"])},                              "plays",    "trick 1"),
    ({"auction": RECORDS[0]["auction"][1:]},                                "auction",  "seat 1's turn"),
    ({"auction": RECORDS[0]["auction"][:2]},                                "auction",  "breaks off"),
    ({"hands": [RECORDS[0]["hands"][0], RECORDS[0]["hands"][0], RECORDS[0]["hands"][2]]}, "hands", "two places"),
    ({"kontras": [{"seat": 1, "component": "simple", "after_play": 2}]},    "kontras",  "level 1"),
    ({"kontras": [{"seat": 2, "component": "ulti", "after_play": 2}]},      "kontras",  "no part of simple"),
    ({"kontras": [{"seat": 2, "component": "simple", "against": 1}]},       "kontras",  "joint"),
    ({"marriages": [{"seat": 0, "suit": "bells", "play": 0}]},              "marriages", "bells"),
    ({"ruleset": "rabblo"},                                                 "ruleset",  "did you mean 'rablo'"),
)
# fmt: on


@pytest.mark.parametrize(("changes", "field", "reason"), WRONG, ids=range(len(WRONG)))
def test_an_illegal_hand_is_rejected_and_the_others_are_unharmed(
    tmp_path: Path, changes: dict[str, Any], field: str, reason: str
):
    path = _file(tmp_path / "a.jsonl", RECORDS[1], RECORDS[0] | changes, RECORDS[2])
    result = import_files([path])
    assert [hand.history.id for hand in result.histories] == [RECORDS[1]["id"], RECORDS[2]["id"]]
    assert _found(result) == [(f"{path}:2", field)]
    assert reason in result.problems[0].reason
    assert json.loads(result.problems[0].raw) == RECORDS[0] | changes


def test_a_claim_of_a_score_sheet_that_fits_no_outcome_is_rejected(tmp_path: Path):
    result = import_files([_file(tmp_path / "a.jsonl", SHEET | {"payoffs": [7, -4, -3]})])
    assert result.n_hands == 0
    assert result.problems[0].field == "payoffs"


def test_a_differing_claim_is_listed_and_the_hand_kept(tmp_path: Path):
    payoffs = [units + (2, -1, -1)[seat] for seat, units in enumerate(RECORDS[0]["payoffs"])]
    path = _file(tmp_path / "a.jsonl", RECORDS[0] | {"payoffs": payoffs, "outcome": {"simple": "failed"}}, RECORDS[1])
    result = import_files([path])
    assert (result.n_hands, result.problems) == (2, [])
    assert [(found.place, found.field) for found in result.differences] == [
        (f"{path}:1", "payoffs"),
        (f"{path}:1", "outcome.simple"),
    ]
    assert result.differences[0].reason == f"claimed {payoffs}, replay gives {RECORDS[0]['payoffs']}"
    assert result.histories[0].replay.disagreements


def test_checking_a_file_lists_everything_in_the_order_of_the_lines(tmp_path: Path):
    differing = RECORDS[1] | {"payoffs": [0, 0, 0]}
    path = _file(tmp_path / "a.jsonl", _without(RECORDS[0], "talon"), differing, RECORDS[2], RECORDS[3] | {"trump": "red"})
    report = check_file(path)
    assert _found(report) == [(f"{path}:1", "talon"), (f"{path}:2", "payoffs"), (f"{path}:4", "trump")]
    assert [isinstance(found, Difference) for found in report.findings] == [False, True, False]
    assert report.histories == []
    assert report.summary == "2 hands, 0 duplicates, 2 records rejected, 1 claim that differs from the replay"


def test_a_file_that_cannot_be_read_harms_no_other(tmp_path: Path):
    good = _file(tmp_path / "good.jsonl", RECORDS[0])
    junk = tmp_path / "junk.jsonl"
    junk.write_bytes(bytes(range(256)))
    result = import_files([tmp_path / "missing.jsonl", junk, good])
    assert result.n_hands == 1
    assert [problem.place for problem in result.problems] == [str(tmp_path / "missing.jsonl"), str(junk)]


def test_hands_are_streamed_one_by_one():
    result = ImportResult()
    hands = stream_hands([DATA / "rablo.jsonl"], result)
    next(hands)
    assert result.n_hands == 1
    assert len(list(hands)) == 149
    assert result.histories == []


def test_rejected_records_are_written_as_json_lines(tmp_path: Path):
    problems = [Problem("a.jsonl:1", "talon", "is missing", '{"id": "Ő"}'), Problem("a.jsonl:2", "", "no JSON", "x")]
    assert write_rejects(problems, tmp_path / "rejects.jsonl") == 2
    lines = (tmp_path / "rejects.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == {"place": "a.jsonl:1", "field": "talon", "reason": "is missing", "raw": '{"id": "Ő"}'}
    assert len(lines) == 2
