"""Charts: what is drawn, what is not, and the files beside them."""

from __future__ import annotations

import csv
import io
from functools import cache

import pytest

from tests.stats.ten_hands import hand, said, ten_hands, warehouse_of
from ulti_stats.errors import UltiError
from ulti_stats.report.charts import draw_chart, save_chart, title_of_bid
from ulti_stats.report.tables import report_text
from ulti_stats.stats.bids import bid_success
from ulti_stats.stats.kontra import kontra_gain
from ulti_stats.stats.talon import talon_observed


@cache
def many_hands():
    """Forty ultis of which every third failed, half of them kontra'd; three betlis, too few to draw."""
    rows = []
    for number in range(40):
        made = number % 3 != 0
        kontras = (said(1, "ulti", -4 if made else 4, declarer=0),) if number % 2 else ()
        units = (1 if made else -1) * 4 * (2 if kontras else 1) - (0 if made else 4) + 1
        outcome = {"ulti": made, "simple": True}
        rows.append(hand(declarer=0, contract="ulti", outcome=outcome, units=units, kontras=kontras, trump="acorns",
                         cards="AA AT AK AO A7 LA LT L9 H8 H7", pickup="AA B7" if number % 4 else None))  # fmt: skip
    return (*rows, *(hand(declarer=1, contract="betli", outcome={"betli": True}, units=5) for _ in range(3)))


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    return warehouse_of(list(many_hands()), tmp_path_factory.mktemp("many") / "store")


@pytest.fixture(scope="module")
def bids(warehouse):
    return bid_success(warehouse)


def texts(drawing):
    return [text.get_text() for text in drawing.texts]


def markers(axes):
    """The points drawn, each as (value, place)."""
    return [line.get_xydata()[0].tolist() for line in axes.lines if line.get_marker() == "o"]


def test_every_point_has_its_line(bids):
    for axes in draw_chart(bids).axes:
        intervals = [line for line in axes.lines if line.get_linewidth() == 1.4]
        assert len(intervals) == len(markers(axes)) > 0


def test_rows_show_their_names_and_n(bids):
    shown = texts(draw_chart(bids))
    assert "ulti" in shown
    assert "simple · implied" in shown
    assert "40" in shown
    assert "betli" not in shown


def test_rows_of_few_hands_are_not_drawn_and_counted_in_the_caption(bids):
    caption = " ".join(texts(draw_chart(bids)))
    assert "Not drawn: 1 of 3 rows of components (rablo, recorded), with fewer than 20 hands (rates) or 30 (units)" in caption


def test_a_figure_without_one_row_of_enough_hands_has_no_panel(tmp_path):
    """25 hands are enough for a rate and too few for mean units."""
    few = [hand(declarer=0, contract="betli", outcome={"betli": number % 2 == 0}, units=5) for number in range(25)]
    drawing = draw_chart(bid_success(warehouse_of(few, tmp_path / "store")))
    assert all(markers(axes) for axes in drawing.axes)
    assert "Not drawn: per defender of contracts (rablo, recorded)" in " ".join(texts(drawing))


def test_the_caption_below_is_the_reports_own(bids):
    caption = " ".join(texts(draw_chart(bids)))
    assert " ".join(bids.captions()[0].split()) in " ".join(caption.split())


def test_rates_stand_where_they_are(bids):
    components = draw_chart(bids).axes[0]
    assert [value for value, _ in markers(components)] == pytest.approx([100.0, 100 * 26 / 40])


def test_units_have_a_zero_line(bids):
    units = draw_chart(bids).axes[2]
    assert any(list(line.get_xdata()) == [0, 0] for line in units.lines)


def test_failures_carry_the_break_even_tick(warehouse, tmp_path):
    rows = []
    for number in range(60):
        made = number % 3 != 0
        step = said(1, "ulti", -4 if made else 4, declarer=0)
        rows.append(
            hand(declarer=0, contract="ulti", outcome={"ulti": made, "simple": True}, units=9 if made else -11, kontras=(step,))
        )
    drawing = draw_chart(kontra_gain(warehouse_of(rows, tmp_path / "store")))
    failed = drawing.axes[1]
    assert any(list(line.get_xdata()) == [50.0, 50.0] for line in failed.lines)
    assert failed.get_title("right").endswith("break-even q*")
    assert "ulti · kontra" in texts(drawing)


def test_a_report_with_too_few_hands_says_so(tmp_path):
    ten = warehouse_of(ten_hands(), tmp_path / "store")
    assert "Nothing to draw: no row has 20 hands (rates) or 30 (units)." in texts(draw_chart(talon_observed(ten)))


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_the_same_report_gives_the_same_bytes(bids, tmp_path, suffix):
    first, second = (save_chart(bids, tmp_path / name / f"bids{suffix}")[0] for name in "ab")
    assert first.read_bytes() == second.read_bytes()
    assert b"Date" not in first.read_bytes()[:2000]


def test_beside_the_chart_lie_its_figures_and_its_statements(bids, tmp_path):
    chart, figures, statements = save_chart(bids, tmp_path / "reports" / "bids.svg")
    assert chart.read_text(encoding="utf-8").startswith("<?xml")
    assert figures.read_text(encoding="utf-8") == report_text(bids, "csv")
    assert any(record["component"] == "betli" for record in csv.DictReader(io.StringIO(figures.read_text(encoding="utf-8"))))
    assert "-- How often is each contract made" in statements.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["bids.pdf", "bids"])
def test_another_suffix_is_refused_before_anything_is_written(bids, tmp_path, name):
    with pytest.raises(UltiError, match=r"ends in \.svg or \.png"):
        save_chart(bids, tmp_path / "reports" / name)
    assert not (tmp_path / "reports").exists()


def test_a_place_that_cannot_be_written_is_one_clear_line(bids, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UltiError, match="cannot be written"):
        save_chart(bids, tmp_path / "file" / "bids.svg")


def test_bids_are_named_as_an_article_names_them():
    assert title_of_bid("simple") == "simple"
    assert title_of_bid("durchmars_nt@hearts") == "durchmars, no trumps, hearts"
    assert title_of_bid("twenty_hundred+four_aces") == "20-100 four aces"
