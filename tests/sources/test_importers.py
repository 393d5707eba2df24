"""Files of every kind: what is good is read, and each thing that is wrong is one problem with its place."""

import gzip
import json
import random
import sqlite3
from pathlib import Path

import pyarrow as pa
import pytest

from ulti_stats.sources.importers import IMPORTERS, Problem, Record, read_records
from ulti_stats.sources.importers.files import MAX_LINE_BYTES

ROOT = Path(__file__).parent.parent.parent
RABLO = ROOT / "tests" / "data" / "rablo.jsonl"
SAMPLES = ROOT / "data" / "samples"
LINES = RABLO.read_bytes().splitlines()


def _write(path: Path, *lines: bytes, end: bytes = b"\n") -> Path:
    path.write_bytes(b"".join(line + end for line in lines))
    return path


def _read(path: Path) -> tuple[list[Record], list[Problem]]:
    found = list(read_records(path))
    return [each for each in found if isinstance(each, Record)], [each for each in found if isinstance(each, Problem)]


def _only_problem(path: Path) -> Problem:
    records, problems = _read(path)
    assert records == []
    assert len(problems) == 1
    assert "\n" not in str(problems[0])
    return problems[0]


def test_records_come_with_their_place_and_raw_text():
    records, problems = _read(RABLO)
    assert problems == []
    assert [record.place for record in records] == [f"{RABLO}:{number}" for number in range(1, 151)]
    assert records[2].raw.encode() == LINES[2]
    assert records[0].history.id == "rablo-0000"


def test_blank_lines_a_byte_order_mark_and_crlf_are_accepted(tmp_path: Path):
    path = _write(tmp_path / "hands.jsonl", b"\xef\xbb\xbf" + LINES[0], b"", b"  ", LINES[1], end=b"\r\n")
    records, problems = _read(path)
    assert problems == []
    assert [record.place for record in records] == [f"{path}:1", f"{path}:4"]


@pytest.mark.parametrize("name", ["hands.jsonl.gz", "hands.jsonl.zst", "named_otherwise"])
def test_compressed_files_are_known_by_their_first_bytes(tmp_path: Path, name: str):
    path = tmp_path / name
    data = RABLO.read_bytes()
    path.write_bytes(pa.compress(data, codec="zstd", asbytes=True) if name.endswith("zst") else gzip.compress(data))
    records, problems = _read(path)
    assert (len(records), problems) == (150, [])
    assert records[149].place == f"{path}:150"


def test_a_plain_file_with_a_compressed_name_is_read(tmp_path: Path):
    assert len(_read(_write(tmp_path / "hands.jsonl.gz", LINES[0]))[0]) == 1


# fmt: off
WRONG_LINES = (
    # the line between two good ones                                     field         words of the reason
    (b'{"format": "ulti-hand/1", "ruleset": "rable"}',                   "ruleset",    "did you mean 'rablo'"),
    (LINES[1].replace(b'"rablo"', b'"rablo", "options": {"hold": 1}'),   "options",    "option hold=1 is not allowed"),
    (LINES[1].replace(b'"talon"', b'"tallon"'),                          "tallon",     "did you mean 'talon'"),
    (LINES[1].replace(b"B8 AO", b"B8 XO", 1),                            "talon",      "suits are A L H B"),
    (LINES[1].replace(b"simple@hearts", b"simpel@hearts"),               "auction[0].bid", "did you mean 'simple@hearts'"),
    (b'{"format": "ulti-hand/1", "id": "Zs\xf3fi"}',                     "",           "not UTF-8 at byte 36"),
    (b"\x00\x01\x02\xff\xfe",                                            "",           "not UTF-8"),
    (b"once upon a time",                                                "",           "no JSON at column 1"),
    (LINES[1][:201],                                                     "",           "breaks off after 201 characters"),
    (b"{" + b" " * MAX_LINE_BYTES + b"}",                                "format",     "is missing"),
)
# fmt: on


@pytest.mark.parametrize(("line", "field", "reason"), WRONG_LINES, ids=range(len(WRONG_LINES)))
def test_a_wrong_line_is_one_problem_and_the_others_are_unharmed(tmp_path: Path, line: bytes, field: str, reason: str):
    path = _write(tmp_path / "hands.jsonl", LINES[0], line, LINES[2])
    records, problems = _read(path)
    assert [record.place for record in records] == [f"{path}:1", f"{path}:3"]
    assert [problem.place for problem in problems] == [f"{path}:2"]
    assert problems[0].field == field
    assert reason in problems[0].reason
    assert problems[0].raw


def test_a_line_without_end_does_not_fill_the_memory(tmp_path: Path):
    path = _write(tmp_path / "hands.jsonl", LINES[0], b"x" * (3 * MAX_LINE_BYTES), LINES[2])
    records, problems = _read(path)
    assert len(records) == 2
    assert len(problems) == 1
    assert "longer than" in problems[0].reason
    assert len(problems[0].raw) < 10_000


def test_a_truncated_last_line_is_named_and_the_rest_kept(tmp_path: Path):
    path = tmp_path / "hands.jsonl"
    path.write_bytes(b"\n".join(LINES)[:-100])
    records, problems = _read(path)
    assert len(records) == 149
    assert [problem.place for problem in problems] == [f"{path}:150"]
    assert "cut short" in problems[0].reason


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_the_records_before_the_break_of_a_compressed_file_are_kept(tmp_path: Path, codec: str):
    path = tmp_path / "hands.jsonl"
    noise = random.Random(1)
    plain = [line for line in LINES * 5 if b'"extra"' not in line]
    lines = [line[:-1] + b', "extra": {"noise": "' + noise.randbytes(200).hex().encode() + b'"}}' for line in plain]
    packed = pa.compress(b"\n".join(lines), codec=codec, asbytes=True)
    path.write_bytes(packed[: len(packed) * 2 // 3])
    records, problems = _read(path)
    assert 200 < len(records) < len(lines)
    assert [problem.place for problem in problems] == [f"{path}:{len(records) + 1}"]
    assert "cut short" in problems[0].reason
    assert "records before are kept" in problems[0].reason


def test_damage_inside_a_compressed_file_is_one_problem(tmp_path: Path):
    path = tmp_path / "hands.jsonl.gz"
    packed = bytearray(gzip.compress(b"\n".join(LINES)))
    packed[len(packed) // 2 : len(packed) // 2 + 40] = b"\xff" * 40
    path.write_bytes(packed)
    records, problems = _read(path)
    assert len(records) > 20
    assert [problem.place for problem in problems] == [f"{path}:{len(records) + 1}"]
    assert "damaged" in problems[0].reason


# fmt: off
UNREADABLE = (
    # content of the file                                     words of the reason
    (b"",                                                     "holds no record"),
    (b"\n  \r\n\n",                                           "holds no record"),
    (b"\xef\xbb\xbf",                                         "holds no record"),
    (gzip.compress(b""),                                      "holds no record"),
    (bytes(range(256)) * 40,                                  "no known format"),
    (b"seat;bid\n0;ulti\n1;pass\n",                           "no known format"),
    (b"\x1f\x8b\x08",                                         "cut short"),
    (b"\x28\xb5\x2f\xfd\x04",                                 "cut short"),
    (b"\x1f\x8b" + b"junk" * 20,                              "damaged"),
    (b"SQLite format 3\x00" + b"\x00" * 200,                  "table games"),
    (b'[{"soloist_seat": 1,',                                 "cut short"),
)
# fmt: on


@pytest.mark.parametrize(("content", "reason"), UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_file_that_cannot_be_read_is_one_problem(tmp_path: Path, content: bytes, reason: str):
    path = tmp_path / "hands.jsonl"
    path.write_bytes(content)
    problem = _only_problem(path)
    assert problem.place.startswith(str(path))
    assert reason in problem.reason


def test_a_missing_file_and_a_folder_are_one_problem_each(tmp_path: Path):
    assert "No such file" in _only_problem(tmp_path / "missing.jsonl").reason
    assert "cannot be read" in _only_problem(tmp_path).reason


def test_an_unknown_file_with_a_compressed_name_says_so(tmp_path: Path):
    path = tmp_path / "hands.jsonl.gz"
    path.write_bytes(b"no gzip at all")
    assert "named like a gzip file" in _only_problem(path).reason


def test_a_truncated_database_is_one_problem(tmp_path: Path):
    path = tmp_path / "games.db"
    path.write_bytes((SAMPLES / "ultiarena_games.db").read_bytes()[:30_000])
    _, problems = _read(path)
    assert len(problems) == 1
    assert "cannot be read on" in problems[0].reason


def test_a_database_without_games_is_one_problem(tmp_path: Path):
    with sqlite3.connect(tmp_path / "games.db") as connection:
        connection.execute("CREATE TABLE other (id TEXT)")
    assert "no such table: games" in _only_problem(tmp_path / "games.db").reason
    with sqlite3.connect(tmp_path / "empty.db") as connection:
        connection.execute("CREATE TABLE games (id TEXT)")
    assert "holds no record" in _only_problem(tmp_path / "empty.db").reason


def test_nothing_is_written_beside_a_database(tmp_path: Path):
    path = tmp_path / "games.db"
    path.write_bytes((SAMPLES / "ultiarena_games.db").read_bytes())
    assert len(_read(path)[0]) == 25
    assert [each.name for each in tmp_path.iterdir()] == ["games.db"]


def test_every_importer_knows_its_own_files_only():
    heads = {name: (SAMPLES / name).read_bytes()[:4096] for name in ("ultiarena_games.db", "ultiarena_games.jsonl")}
    heads["rablo.jsonl"] = RABLO.read_bytes()[:4096]
    # The first importer that knows a file reads it.
    first = {name: next(each.name for each in IMPORTERS if each.sniff(head)) for name, head in heads.items()}
    assert first == {
        "ultiarena_games.db": "UltiArena database (SQLite)",
        "ultiarena_games.jsonl": "UltiArena games (JSON)",
        "rablo.jsonl": "ulti-hand/1 (JSON Lines; plain, gzip or zstd)",
    }


def test_games_of_the_site_are_read_from_lines_a_list_and_a_page(tmp_path: Path):
    games = [json.loads(line) for line in (SAMPLES / "ultiarena_games.jsonl").read_text(encoding="utf-8").splitlines()]
    lines = _read(SAMPLES / "ultiarena_games.jsonl")[0]
    for content in (games, {"games": games, "cursor": None}):
        for indent in (None, 2):
            path = tmp_path / "games.json"
            path.write_text(json.dumps(content, indent=indent), encoding="utf-8")
            records, problems = _read(path)
            assert problems == []
            assert [record.history for record in records] == [record.history for record in lines]
            assert records[0].place == f"{path}:game 1"


def test_the_rows_of_a_game_list_say_where_the_whole_game_is(tmp_path: Path):
    game = json.loads((SAMPLES / "ultiarena_games.jsonl").read_text(encoding="utf-8").splitlines()[0])
    row = {key: value for key, value in game.items() if key not in ("seed", "seat_gp", "players", "transcript")}
    path = tmp_path / "page.json"
    path.write_text(json.dumps([row]), encoding="utf-8")
    problem = _only_problem(path)
    assert problem.field == "transcript"
    assert "/api/v1/games/{id}" in problem.reason
