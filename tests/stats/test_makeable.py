"""Made in play beside makeable with open cards, on hands counted by hand."""

import pyarrow as pa
import pytest

from tests.stats.ten_hands import hand, ten_hands, warehouse_of
from ulti_stats.report.charts import draw_chart
from ulti_stats.report.tables import report_text
from ulti_stats.stats.bids import bid_success
from ulti_stats.stats.makeable import ALL_NAMED
from ulti_stats.stats.selection import Selection
from ulti_stats.store.solutions import SOLVER, Solutions, stage_schema
from ulti_stats.store.warehouse import open_warehouse

HELD = "AA AT AK AO A7 LA LT L9 H8 H7"


def solve(warehouse, results):
    """Write these open-card results for the hands of a store, in its order, and open it anew; None is not solved."""
    path = warehouse.store.path
    hashes = warehouse.query("SELECT hand_hash FROM raw.hands").column(0).to_pylist()
    rows = [
        {"hand_hash": one, "solver": SOLVER, **{f"makeable_{part}": value for part, value in result.items()}}
        for one, result in zip(hashes, results, strict=True)
        if result is not None
    ]
    Solutions(path).add("parts", pa.Table.from_pylist(rows, stage_schema("parts")))
    return open_warehouse(path)


def ulti(made, *, simple=True, **more):
    outcome = {"ulti": made, "simple": simple}
    return hand(declarer=0, contract="ulti", outcome=outcome, units=5, trump="acorns", cards=HELD, laid="B9 B8", **more)


@pytest.fixture
def report(store_of):
    """Twenty ultis: 12 made and makeable, 1 given by the defence, 3 lost though makeable, 3 neither, 1 not solved."""
    cells = [(True, True)] * 12 + [(True, False)] + [(False, True)] * 3 + [(False, False)] * 3
    hands = [ulti(made, deal_no=number) for number, (made, _) in enumerate(cells, 1)] + [ulti(True, deal_no=20)]
    results = [{"ulti": makeable, "simple": True, "all": makeable} for _, makeable in cells] + [None]
    return bid_success(solve(store_of(hands), results))


def test_four_cells_gap_and_what_is_not_solved(report):
    table = report.table("makeable")
    rows = {row.keys: row for row in table.rows}
    assert rows["ulti", "named"].counts == (12, 1, 3, 3, 1)
    made, makeable, gap = (cell.interval for cell in rows["ulti", "named"].cells)
    assert (made.k, made.n) == (13, 19)
    assert (makeable.k, makeable.n) == (15, 19)
    # (1 - 3) / 19; ½ more in each cell: D = -2/21, V = (5/21 - D²)/21, ± 1.96 √V.
    assert gap.value == pytest.approx(-2 / 19)
    assert (gap.low, gap.high) == (pytest.approx(-0.2999, abs=1e-4), pytest.approx(0.1094, abs=1e-4))
    assert rows["simple", "implied"].counts == (19, 0, 0, 0, 1)
    assert (ALL_NAMED, "named") not in rows


def test_it_is_labelled_open_card_with_its_caveat(report):
    text = report_text(report)
    assert "B4 makeable" in text
    assert "78.9 %†○" in text
    assert "○ open-card" in report.captions()[0]
    assert "left out: from B4, hands not solved 1" in report.captions()[0]
    assert "all three see every card" in report.notes[-1]
    assert "−10.5 %†○" in text


def test_made_and_makeable_are_drawn_on_one_scale(store_of):
    hands = [ulti(number % 2 == 0, deal_no=number) for number in range(1, 25)]
    drawing = draw_chart(bid_success(solve(store_of(hands), [{"ulti": True, "simple": True, "all": True}] * 24)))
    made, makeable = drawing.axes[-2:]
    assert (made.get_title(loc="left"), makeable.get_title(loc="left")) == ("made in play, %", "makeable, %")
    assert made.get_xlim() == makeable.get_xlim()


def test_without_solutions_the_report_is_as_before(store_of):
    report = bid_success(store_of([ulti(True)]))
    assert [table.name for table in report.tables] == ["components", "contracts", "failures"][: len(report.tables)]
    assert report.notes == ()


def test_several_named_parts_have_a_row_together_and_rows_split(store_of):
    both = hand(
        declarer=1,
        contract="forty_hundred+ulti",
        outcome={"forty_hundred": True, "ulti": False},
        trump="acorns",
        cards=HELD,
        laid="B9 B8",
    )
    warehouse = store_of([both, ulti(True)])
    result = {"forty_hundred": True, "ulti": True, "all": False}
    table = bid_success(
        solve(warehouse, [result, {"ulti": True, "simple": True, "all": True}]), Selection(by=("declarer",))
    ).table("makeable")
    assert {row.keys: row.counts for row in table.rows} == {
        ("simple", "implied", 0): (1, 0, 0, 0, 0),
        ("forty_hundred", "named", 1): (1, 0, 0, 0, 0),
        ("ulti", "named", 0): (1, 0, 0, 0, 0),
        ("ulti", "named", 1): (0, 0, 1, 0, 0),
        (ALL_NAMED, "named", 1): (0, 0, 0, 1, 0),
    }


def test_the_gap_of_recorded_sessions_is_clustered(tmp_path):
    warehouse = warehouse_of(ten_hands(), tmp_path / "store")
    contracts = warehouse.query("SELECT contract FROM raw.hands").column(0).to_pylist()
    results = [{"simple": True, "ulti": True} if contract in ("simple", "ulti") else None for contract in contracts]
    table = bid_success(solve(warehouse, results)).table("makeable")
    gap = table.cell("gap", "simple", "named").interval
    # Three of four made, all makeable; the conceded one named no trump, so it cannot be solved and is not asked about.
    assert gap.value == pytest.approx(-1 / 4)
    assert "clustered by session" in gap.method
