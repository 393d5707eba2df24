"""Bringing hands in, taking them out, and showing them, as a user does."""

import json

import pytest

from tests.cli.conftest import SAMPLE

REVOKE = {
    "format": "ulti-hand/1",
    "ruleset": "rablo",
    "dealer": 2,
    "hands": [
        "AA AT AK AO A7 HA HT LA B9 B8",
        "A9 A8 AU LT LK LO HK HO BA BT",
        "L9 L8 LU H9 H8 H7 HU BK BO BU",
    ],
    "talon": "L7 B7",
    "auction": [
        {"seat": 0, "bid": "ulti", "discard": "B9 B8"},
        {"seat": 1, "bid": "pass"},
        {"seat": 2, "bid": "pass"},
        {"seat": 0, "bid": "pass"},
    ],
    "trump": "acorns",
    "plays": "AA BA",
}


def write(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_a_file_is_imported_once_whatever_its_format(ulti):
    first = ulti("import", SAMPLE)
    assert first.code == 0
    assert "25 hands added to data/store" in first.out
    again = ulti("import", SAMPLE)
    assert again.code == 0
    assert "0 hands added" in again.out
    assert "25 duplicates" in again.out
    other_format = ulti("import", SAMPLE.with_suffix(".db"))
    assert "0 hands added" in other_format.out
    assert "further source" in other_format.out


def test_a_revoke_is_rejected_with_place_and_remedy_and_good_records_are_kept(ulti, tmp_path):
    good = {**REVOKE, "plays": "AA A9"}
    file = write(tmp_path / "hands.jsonl", REVOKE, good)
    ran = ulti("import", file)
    assert ran.code == 1
    assert "1 hands added" in ran.out
    assert "hands.jsonl:1: plays: trick 1, seat 1: BA does not follow acorns; legal: AU A9 A8" in ran.err
    rejects = [json.loads(line) for line in (tmp_path / "hands.jsonl.rejects.jsonl").read_text().splitlines()]
    assert len(rejects) == 1
    assert rejects[0]["place"].endswith("hands.jsonl:1")


def test_a_file_that_is_not_there_leaves_nothing_behind(ulti, tmp_path):
    ran = ulti("import", tmp_path / "none.jsonl")
    assert ran.code == 1
    assert "none.jsonl: cannot be read" in ran.err
    assert list(tmp_path.glob("**/*.rejects.jsonl")) == []
    assert not (tmp_path / "data").exists()


def test_a_chart_of_an_unknown_kind_is_refused_before_any_table(ulti, tmp_path):
    assert ulti("import", SAMPLE).code == 0
    ran = ulti("report", "bids", "--chart", "bids.pdf")
    assert (ran.code, ran.out) == (1, "")
    assert "unknown kind '.pdf'" in ran.err


def test_an_interrupted_run_says_that_it_was_stopped(ulti, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("ulti_stats.library.simulate", interrupted)
    ran = ulti("simulate", "--hands", 10)
    assert (ran.code, ran.out, ran.err) == (130, "", "ulti: stopped\n")


def test_what_is_wrong_is_said_before_anything_is_compiled(ulti, monkeypatch):
    monkeypatch.setattr("ulti_stats.compiling.missing", lambda _: pytest.fail("too early"))
    for words in (
        ("simulate", "--hands", 0),
        ("simulate", "--hands", 5, "--players", "rand"),
        ("simulate", "--hands", 5, "--contract", "ultti"),
        ("rescore", "--rules", "hungarian", "--store", "nowhere"),
        ("solve", "--store", "nowhere"),
        ("evaluate", "AA AT XX"),
        ("evaluate", "AA AT AK AO A7 HA HT LA B9 B8", "--precision", "7"),
    ):
        ran = ulti(*words)
        assert (ran.code, ran.err.count("\n")) == (1, 1)


def test_check_finds_what_import_would_and_stores_nothing(ulti, tmp_path):
    file = write(tmp_path / "hands.jsonl", REVOKE)
    ran = ulti("check", file)
    assert ran.code == 1
    assert "does not follow acorns" in ran.out
    assert not (tmp_path / "data").exists()
    assert ulti("check", SAMPLE).code == 0


def test_a_differing_claim_is_a_problem_for_check_and_kept_by_import(ulti, tmp_path):
    game = json.loads(SAMPLE.read_text().splitlines()[1])
    assert game["contract"] == "passz"
    game["seat_gp"] = [-2.0, 1.0, 1.0]
    file = write(tmp_path / "games.jsonl", game)
    checked = ulti("check", file)
    assert checked.code == 1
    assert "claimed [-2, 1, 1], replay gives [-4, 2, 2]" in checked.out
    imported = ulti("import", file)
    assert imported.code == 0
    assert "1 claims differ" in imported.out


def test_a_simulation_of_the_same_seed_adds_only_the_rest(ulti):
    first = ulti("simulate", "--hands", 300, "--seed", 5, "--players", "random")
    assert "300 hands added to data/store (seed 5, rablo, random); 0 were there." in first.out
    assert "0 hands added" in ulti("simulate", "--hands", 300, "--seed", 5, "--players", "random").out
    assert "200 hands added" in ulti("simulate", "--hands", 500, "--seed", 5, "--players", "random").out
    assert "300 hands added" in ulti("simulate", "--hands", 300, "--seed", 6, "--players", "random").out


def test_without_a_seed_one_is_drawn_and_printed(ulti):
    ran = ulti("simulate", "--hands", 10, "--players", "random", "--store", "drawn")
    seed = ran.out.split("seed ")[1].split(",")[0]
    again = ulti("simulate", "--hands", 10, "--seed", seed, "--players", "random", "--store", "drawn")
    assert "0 hands added" in again.out


def test_exported_hands_come_back_the_same(ulti, tmp_path):
    ulti("simulate", "--hands", 200, "--seed", 1, "--players", "random")
    ulti("import", SAMPLE)
    for name in ("a.jsonl", "b.jsonl.gz", "c.jsonl.zst"):
        assert "225 hands written" in ulti("export", "--out", name).out
        assert "225 hands added" in ulti("import", name, "--store", f"store-{name}").out
        ulti("export", "--out", "again.jsonl", "--store", f"store-{name}")
        assert sorted((tmp_path / "again.jsonl").read_text().splitlines()) == sorted(
            (tmp_path / "a.jsonl").read_text().splitlines()
        )


def test_a_hand_is_shown_trick_by_trick(ulti):
    ulti("import", SAMPLE)
    ran = ulti("show", "ea82827c72ac")
    assert ran.code == 0
    for words in (
        "Contract: ulti+open_durchmars@hearts in hearts",
        "trick  lead",
        "silent_twenty_hundred  made",
        "+80",
        "Laid in the talon: BO AU",
    ):
        assert words in ran.out


def test_a_simulated_hand_is_found_by_seed_and_number(ulti):
    ulti("simulate", "--hands", 20, "--seed", 3, "--players", "random")
    assert "Simulated: seed 3, hand 7" in ulti("show", "3:7").out
    missing = ulti("show", "3:99")
    assert missing.code == 1
    assert "no hand '3:99'" in missing.err


def test_sql_answers_and_only_reads(ulti):
    ulti("import", SAMPLE)
    assert ulti("sql", "SELECT count(*) AS n FROM hands", "--format", "csv").out == "n\n25\n"
    refused = ulti("sql", "DROP VIEW hands")
    assert refused.code == 1
    assert "right is one statement that only reads" in refused.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("simulate", "--hands", 0), "simulate at least 1"),
        (("simulate", "--hands", -5), "simulate at least 1"),
        (("simulate", "--hands", 10**12), "bytes"),
        (("simulate", "--hands", 5, "--rules", "rabló"), "did you mean 'rablo'"),
        (("simulate", "--hands", 5, "--players", "clubb"), "did you mean 'club'"),
        (("simulate", "--hands", 5, "--option", "must_overtak=true"), "did you mean 'must_overtake'"),
        (("simulate", "--hands", 5, "--option", "must_overtake=perhaps"), "allowed: true, false"),
        (("simulate", "--hands", 5, "--option", "must_overtake"), "write NAME=VALUE"),
        (("simulate", "--hands", 5, "--seed", -1), "seed -1 is out of range"),
        (("sql", "SELECT 1"), "no store at data/store"),
        (("show", "abc"), "no store at data/store"),
        (("export",), "no store at data/store"),
        (("rules", "show", "rablö"), "did you mean 'rablo'"),
    ],
)
def test_a_bad_argument_is_one_clear_line_and_creates_nothing(ulti, tmp_path, arguments, words):
    ran = ulti(*arguments)
    assert ran.code == 1
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file holds no record"),
        (b"\x00\x01\x02\xff junk" * 50, "no known format"),
        (b'{"format": "ulti-hand/1", "ruleset": "rablo"\n', ":1"),
        ('{"format": "ulti-hand/1", "source": "p\u00e9nz"}\n'.encode("latin-1"), "UTF-8"),
    ],
)
def test_a_broken_file_is_one_clear_line(ulti, tmp_path, content, words):
    file = tmp_path / "broken.jsonl"
    file.write_bytes(content)
    ran = ulti("import", file)
    assert ran.code == 1
    assert words in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "data").exists()


def test_a_foreign_folder_is_said_so_and_left_alone(ulti, tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").write_bytes(b"x")
    for arguments in (("sql", "SELECT 1"), ("import", SAMPLE), ("simulate", "--hands", 3, "--players", "random")):
        ran = ulti(*arguments, "--store", "photos")
        assert ran.code == 1
        assert "not" in ran.err
        assert "store of ulti_stats" in ran.err
    assert [path.name for path in (tmp_path / "photos").iterdir()] == ["a.jpg"]


def test_a_wrong_usage_is_code_two(ulti):
    assert ulti("simulate").code == 2
    assert ulti("no-such-command").code == 2


def test_the_store_can_come_from_the_environment(ulti, monkeypatch):
    monkeypatch.setenv("ULTI_STORE", "elsewhere")
    assert "added to elsewhere" in ulti("import", SAMPLE).out
