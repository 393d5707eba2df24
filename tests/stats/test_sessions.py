"""Sessions, counted by hand: running totals, ends, ties, four at the table, money."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.stats.ten_hands import ten_hands, warehouse_of
from ulti_stats.errors import QueryError
from ulti_stats.game.rulesets import ruleset
from ulti_stats.library import connect, import_files
from ulti_stats.report.session_page import ending, session_text
from ulti_stats.stats.sessions import Deal, Phase, Session, session_report, settle_session

THREE = ("Anna", "Bea", "Cili")


def deals(*units: Sequence[int | None], contract: str | None = "simple") -> list[Deal]:
    """Return deals with these units for each person."""
    return [
        Deal(number, f"{number:032x}", number, contract, None, None, None, tuple(each)) for number, each in enumerate(units, 1)
    ]


def settled(
    rules: str, options: Mapping[str, Any], found: Sequence[Deal]
) -> tuple[list[tuple[int, ...]], list[Phase], str | None]:
    played, ended_by = settle_session(ruleset(rules, options), found)
    return [deal.totals for deal in played], [deal.phase for deal in played], ended_by


def sheet(deal_no: int, declarer: int, payoffs: list[int], **more: Any) -> dict[str, Any]:
    """Return a score-sheet record of one deal on a Friday."""
    record: dict[str, Any] = {"format": "ulti-hand/1", "ruleset": "rablo", "session": "friday", "deal_no": deal_no}
    return record | {"players": list(THREE), "declarer": declarer, "contract": "simple", "payoffs": payoffs} | more


def friday(folder: Path, *records: dict[str, Any], **wanted: Any) -> Session:
    """Return the report of a Friday's score sheets, imported in the order given."""
    file = folder / "friday.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    imported = import_files(file, store=folder / "store")
    assert not imported.read.problems
    with connect(folder / "store") as warehouse:
        return session_report(warehouse, "friday", **wanted)


# totals -----------------------------------------------------------------------------------------------------------


def test_the_four_deals_of_the_first_sitting_run_up_as_counted_by_hand(tmp_path: Path) -> None:
    rows = ten_hands()
    for row in rows:
        units = int(row["units_per_defender"])
        row |= {f"payoff_{seat}": 2 * units if seat == row["declarer"] else -units for seat in range(3)}
    with warehouse_of(rows, tmp_path / "store") as warehouse:
        session = session_report(warehouse, "s1")
    assert session.people == ("seat 0", "seat 1", "seat 2")
    assert [deal.totals for deal in session.deals] == [(2, -1, -1), (3, -3, 0), (7, -5, -2), (1, -11, 10)]
    assert [deal.declarer for deal in session.deals] == ["seat 0", "seat 1", "seat 0", "seat 2"]
    assert session.winners == ("seat 2",)
    assert (session.ended_by, session.is_open) == (None, False)


def test_deals_are_in_the_order_of_their_numbers_whatever_the_order_of_the_file(tmp_path: Path) -> None:
    session = friday(tmp_path, sheet(3, 2, [1, 1, -2]), sheet(1, 0, [2, -1, -1]), sheet(2, 1, [-1, 2, -1]))
    assert [deal.deal_no for deal in session.deals] == [1, 2, 3]
    assert [deal.totals for deal in session.deals] == [(2, -1, -1), (1, 1, -2), (2, 2, -4)]


def test_deals_without_numbers_are_in_the_order_of_their_moments(tmp_path: Path) -> None:
    late, early = (
        sheet(1, 0, [2, -1, -1], played_at="2026-10-19T21:00:00Z"),
        sheet(1, 1, [-1, 2, -1], played_at="2026-10-19T22:30:00+02:00"),
    )
    del late["deal_no"], early["deal_no"]
    assert [deal.declarer for deal in friday(tmp_path, late, early).deals] == ["Bea", "Anna"]


def test_a_person_who_changes_seats_takes_his_total_along(tmp_path: Path) -> None:
    session = friday(tmp_path, sheet(1, 0, [2, -1, -1]), sheet(2, 0, [2, -1, -1], players=["Cili", "Anna", "Bea"]))
    assert session.people == THREE
    assert [deal.totals for deal in session.deals] == [(2, -1, -1), (1, -2, 1)]


def test_a_newcomer_starts_from_nothing_and_was_not_at_the_table_before(tmp_path: Path) -> None:
    session = friday(tmp_path, sheet(1, 0, [2, -1, -1]), sheet(2, 0, [4, -2, -2], players=["Dora", "Bea", "Cili"]))
    assert session.people == (*THREE, "Dora")
    assert [deal.units for deal in session.deals] == [(2, -1, -1, None), (None, -2, -2, 4)]
    assert session.totals == (2, -3, -3, 4)


# four at the table ------------------------------------------------------------------------------------------------


def test_four_at_the_table_take_turns_and_the_sitter_scores_nothing(tmp_path: Path) -> None:
    four = ["Anna", "Bea", "Cili", "Dora"]

    def deal(number: int, dealer: int, payoffs: list[int]) -> dict[str, Any]:
        seated = [four[(dealer + place) % 4] for place in (1, 2, 3)]
        return sheet(number, 0, payoffs, options={"players": 4}, players=seated, sitting_out=four[dealer], forehand=0)

    # Dora deals: Anna plays and wins 2. Anna deals: Bea loses 4. Bea deals: Cili wins 2. Cili deals: Dora wins 8.
    units = ([2, -1, -1], [-4, 2, 2], [2, -1, -1], [8, -4, -4])
    session = friday(tmp_path, *(deal(n, (n + 2) % 4, found) for n, found in enumerate(units, 1)))
    assert session.people == ("Anna", "Bea", "Cili", "Dora")
    assert [deal.units for deal in session.deals] == [(2, -1, -1, 0), (0, -4, 2, 2), (-1, 0, 2, -1), (-4, -4, 0, 8)]
    assert [deal.sitting_out for deal in session.deals] == ["Dora", "Anna", "Bea", "Cili"]
    assert session.totals == (-3, -9, 3, 9)
    assert sum(session.totals) == 0
    assert "   out" in session_text(session)


def test_seats_of_four_without_names_are_no_persons_and_are_left_out(tmp_path: Path) -> None:
    unnamed = sheet(1, 0, [2, -1, -1], options={"players": 4}, forehand=0)
    del unnamed["players"]
    session = friday(tmp_path, unnamed)
    assert session.deals == ()
    assert session.left_out["names missing"] == 1
    assert ending(session) == "No deal of this session can be counted."


# the end ----------------------------------------------------------------------------------------------------------


def test_a_session_of_two_deals_ends_there_and_a_third_deal_counts_no_more() -> None:
    totals, phases, ended_by = settled("rablo", {"session_deals": 2}, deals((2, -1, -1), (-1, 2, -1), (-9, 0, 9)))
    assert totals == [(2, -1, -1), (1, 1, -2), ()]
    assert phases == [Phase.regular, Phase.regular, Phase.after_end]
    assert ended_by == "2 deals"


def test_a_tie_stands_where_no_tie_break_deals_are_set(tmp_path: Path) -> None:
    rules = {"session_deals": 2}
    session = friday(tmp_path, sheet(1, 0, [2, -1, -1], options=rules), sheet(2, 1, [-1, 2, -1], options=rules))
    assert session.winners == ("Anna", "Bea")
    assert [standing.place for standing in session.standings] == [1, 1, 3]
    assert ending(session) == "Over after 2 deals: Anna and Bea share the win."


def test_a_tie_of_the_leaders_is_played_off_in_three_more_deals() -> None:
    options = {"session_deals": 2, "session_tiebreak_deals": 3}
    more = ((2, -1, -1), (2, -1, -1), (-1, 2, -1), (-9, 0, 9))
    totals, phases, ended_by = settled("ladder", options, deals((2, -1, -1), (-1, 2, -1), *more))
    assert totals == [(2, -1, -1), (1, 1, -2), (3, 0, -3), (5, -1, -4), (4, 1, -5), ()]
    assert phases == [Phase.regular] * 2 + [Phase.tie_break] * 3 + [Phase.after_end]
    assert ended_by == "2 deals and 3 tie-break deals"


def test_a_tie_after_the_tie_break_is_played_off_again() -> None:
    options = {"session_deals": 2, "session_tiebreak_deals": 1}
    found = deals((2, -1, -1), (-1, 2, -1), (-1, -1, 2), (2, -1, -1))
    totals, _, ended_by = settled("ladder", options, found)
    # 1 1 -2, then 0 0 0: three lead, so one more deal.
    assert totals[1:] == [(1, 1, -2), (0, 0, 0), (2, -1, -1)]
    assert ended_by == "2 deals and 2 tie-break deals"


def test_a_tie_behind_the_leader_is_no_tie() -> None:
    options = {"session_deals": 1, "session_tiebreak_deals": 3}
    assert settled("ladder", options, deals((2, -1, -1)))[2] == "1 deal"


def test_whoever_reaches_the_chips_first_ends_the_session_though_deals_are_left() -> None:
    options = {"session_target": 10, "session_deals": 24}
    totals, phases, ended_by = settled("ladder", options, deals((8, -4, -4), (2, -1, -1), (2, -1, -1)))
    assert totals == [(8, -4, -4), (10, -5, -5), ()]
    assert phases[2] is Phase.after_end
    assert ended_by == "10 units"


def test_two_who_reach_the_chips_together_play_it_off() -> None:
    # The defenders of a lost ulti win 5 each.
    options = {"session_target": 5}
    totals, phases, ended_by = settled("ladder", options, deals((-10, 5, 5), (-1, 2, -1), (-1, 2, -1), (2, -1, -1)))
    assert totals[-1] == (-10, 8, 2)
    assert phases == [Phase.regular] + [Phase.tie_break] * 3
    assert ended_by == "5 units and 3 tie-break deals"


def test_a_deal_that_nobody_bids_on_counts_unless_the_same_dealer_deals_again() -> None:
    passed_out, played = deals((0, 0, 0), contract=None), deals((2, -1, -1), (2, -1, -1))
    options = {"session_deals": 2}
    assert settled("ladder", options, [*passed_out, *played])[1] == [Phase.regular, Phase.regular, Phase.after_end]
    again = {**options, "all_pass": "redeal_same"}
    assert settled("ladder", again, [*passed_out, *played])[1] == [Phase.regular] * 3


def test_a_ladder_session_of_three_deals_is_not_over_and_somebody_leads(tmp_path: Path) -> None:
    session = friday(tmp_path, *(sheet(n, 0, [2, -1, -1], ruleset="ladder") for n in (1, 2, 3)))
    assert session.is_open
    assert ending(session) == "Not over: Anna leads after 3 deals; a session ends at 24 deals."


def test_a_tie_that_is_being_played_off_is_said_so(tmp_path: Path) -> None:
    rules = {"session_deals": 2, "session_tiebreak_deals": 3}
    found = [sheet(1, 0, [2, -1, -1], options=rules), sheet(2, 1, [-1, 2, -1], options=rules)]
    assert (
        ending(friday(tmp_path, *found)) == "Not over: Anna and Bea lead after 2 deals; a tie is played off, 3 deals at a time."
    )


def test_a_sitting_can_be_settled_by_a_length_and_a_unit_that_its_hands_do_not_name(tmp_path: Path) -> None:
    found = [sheet(1, 0, [2, -1, -1]), sheet(2, 1, [-1, 2, -1]), sheet(3, 1, [-1, 2, -1])]
    session = friday(tmp_path, *found, options={"session_deals": 1, "unit": "5 forints"})
    assert session.winners == ("Anna",)
    assert (session.ended_by, session.standings[0].worth) == ("1 deal", "+10 forints")
    assert "session_deals=1, unit=5 forints" in session.caption()
    with connect(tmp_path / "store") as warehouse, pytest.raises(QueryError, match="must_overtake cannot be changed after"):
        session_report(warehouse, "friday", options={"must_overtake": False})


# money ------------------------------------------------------------------------------------------------------------


def test_units_are_worth_ten_forints_each_under_rablo_and_chips_under_ladder(tmp_path: Path) -> None:
    rablo = friday(tmp_path, sheet(1, 0, [2, -1, -1]))
    assert [standing.worth for standing in rablo.standings] == ["+20 forints", "-10 forints", "-10 forints"]
    (tmp_path / "b").mkdir()
    ladder = friday(tmp_path / "b", sheet(1, 0, [2, -1, -1], ruleset="ladder"))
    assert ladder.standings[0].worth == "+2 chip"
    (tmp_path / "c").mkdir()
    house = friday(tmp_path / "c", sheet(1, 0, [2, -1, -1], options={"unit": "0.5 euro"}))
    assert house.standings[1].worth == "-0.5 euro"


def test_under_the_literal_settlement_totals_need_not_sum_to_nothing(tmp_path: Path) -> None:
    session = friday(tmp_path, sheet(1, 0, [1, -1, -1], ruleset="ultimato"))
    assert session.totals == (1, -1, -1)


# what is left out, and what is asked for -----------------------------------------------------------------------------


def test_deals_without_names_beside_deals_with_names_are_left_out_and_counted(tmp_path: Path) -> None:
    unnamed = sheet(2, 1, [-1, 2, -1])
    del unnamed["players"]
    session = friday(tmp_path, sheet(1, 0, [2, -1, -1]), unnamed)
    assert session.totals == (2, -1, -1)
    assert "left out: names missing 1" in session.caption()


def test_two_people_of_one_name_cannot_be_told_apart(tmp_path: Path) -> None:
    session = friday(tmp_path, sheet(1, 0, [2, -1, -1], players=["Anna", "Anna", "Bea"]))
    assert session.people == ("seat 0", "seat 1", "seat 2")


def test_a_deal_whose_payoffs_nobody_wrote_down_is_left_out_and_counted(tmp_path: Path) -> None:
    unknown = sheet(2, 1, [0, 0, 0], contract="ulti", outcome={"ulti": "made"})
    del unknown["payoffs"]
    session = friday(tmp_path, sheet(1, 0, [2, -1, -1]), unknown)
    assert len(session.deals) == 1
    assert session.left_out["payoffs unknown"] == 1


def test_an_unknown_session_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    friday(tmp_path, sheet(1, 0, [2, -1, -1]))
    with connect(tmp_path / "store") as warehouse, pytest.raises(QueryError, match="no session 'fridy'; did you mean 'friday'"):
        session_report(warehouse, "fridy")


def test_a_session_of_two_sources_asks_which(tmp_path: Path) -> None:
    found = [sheet(1, 0, [2, -1, -1], source="app"), sheet(1, 0, [4, -2, -2], source="paper, kontra'd")]
    with pytest.raises(QueryError, match="is in 2 sources: app, paper, kontra'd; choose one with --source"):
        friday(tmp_path, *found)
    with connect(tmp_path / "store") as warehouse:
        assert session_report(warehouse, "friday", source="paper, kontra'd").totals == (4, -2, -2)
        with pytest.raises(QueryError, match="has no source 'ap'; did you mean 'app'"):
            session_report(warehouse, "friday", source="ap")


def test_a_session_under_two_rulesets_asks_which(tmp_path: Path) -> None:
    found = [sheet(1, 0, [2, -1, -1]), sheet(2, 0, [2, -1, -1], ruleset="ladder")]
    with pytest.raises(QueryError, match=r"was played under 2 rulesets: ladder .*, rablo .*; choose one with --rules"):
        friday(tmp_path, *found)
    with connect(tmp_path / "store") as warehouse:
        assert session_report(warehouse, "friday", rules="ladder").totals == (2, -1, -1)


def test_the_records_have_a_row_for_each_deal_and_person(tmp_path: Path) -> None:
    table = friday(tmp_path, sheet(1, 0, [2, -1, -1]), sheet(2, 1, [-1, 2, -1])).to_arrow()
    assert table.num_rows == 6
    assert table.column("player").to_pylist() == [*THREE, *THREE]
    assert table.column("total").to_pylist() == [2, -1, -1, 1, 1, -2]


def test_the_page_shows_deals_places_and_the_winner(tmp_path: Path) -> None:
    rules = {"session_deals": 2}
    found = [
        sheet(1, 0, [2, -1, -1], options=rules),
        sheet(2, 2, [-2, -2, 4], options=rules, trump="acorns", kontra_levels={"simple": 1}),
    ]
    lines = session_text(friday(tmp_path, *found, sheet(3, 0, [2, -1, -1], options=rules))).splitlines()
    assert [line.split() for line in lines[4:8]] == [
        ["1", "simple", "Anna", "+2", "2", "-1", "-1", "-1", "-1"],
        ["2", "simple", "acorns", "Cili", "-2", "0", "-2", "-3", "+4", "3"],
        ["after", "the", "end"],
        ["3", "simple", "Anna", "+2", "-1", "-1"],
    ]
    assert [line.split() for line in lines[9:13]] == [
        ["place", "player", "units", "worth"],
        ["1", "Cili", "+3", "+30", "forints"],
        ["2", "Anna", "+0", "+0", "forints"],
        ["3", "Bea", "-3", "-30", "forints"],
    ]
    assert lines[14] == "Over after 2 deals: Cili wins. 1 later deal does not count."
