"""What a unit is worth in money."""

from ulti_stats.game.units import parse_unit


def test_ten_forints_a_unit_turn_twelve_lost_units_into_120_forints() -> None:
    assert parse_unit("10 forints").worth(-12) == "-120 forints"


def test_half_a_euro_may_have_a_comma_or_a_point() -> None:
    assert parse_unit("0,5 euro").worth(3) == parse_unit("0.5 euro").worth(3) == "+1.5 euro"


def test_a_unit_without_a_number_keeps_its_name() -> None:
    assert parse_unit("chip").worth(24) == "+24 chip"
    assert parse_unit("20").worth(2) == "+40"
