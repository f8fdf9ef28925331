"""Tables of frames: what stands where, and that nothing is left out."""

from __future__ import annotations

from analysis.report.table import LONG, Cell, Table
from analysis.report.tabulated import Layout, probability, tabulated
from analysis.report.units import PERCENT, POINTS
from tests.analysis.report.frames import conditions, design, frame, row, shares

TWO = [design(), design(protocol="round_robin")]


def lines(table: Table) -> list[list[str]]:
    return [[cell.said for cell in line] for group in table.groups for line in group.rows]


def test_conditions_with_one_row_each_stand_below_what_they_have_in_common() -> None:
    found = shares(TWO, {"round": [1, None]})
    table = tabulated("one", "", found, Layout(conditions(*TWO), PERCENT, "round"))
    assert table.heads == ["condition", "round 1", "never", "n", "cases"]
    assert [group.label for group in table.groups] == ["alpha + beta"]
    assert lines(table) == [
        ["round-robin", "50.0", "50.0", "40", "20"],
        ["synchronous", "50.0", "50.0", "40", "20"],
    ]
    assert table.groups[0].rows[0][1] == Cell("50.0", "40.0–60.0")


def test_keys_stand_below_the_name_of_their_condition() -> None:
    found = frame([row(0.2, **one, model=model) for one in TWO for model in "ab"])
    table = tabulated("one", "", found, Layout(conditions(*TWO), PERCENT))
    assert table.heads == ["model", "%", "n", "cases"]
    assert [group.label for group in table.groups] == [
        "alpha + beta: round-robin",
        "alpha + beta: synchronous",
    ]
    assert [line[0] for line in lines(table)] == ["a", "b", "a", "b"]


def test_what_was_lost_has_columns_only_where_there_is_any() -> None:
    clean, lossy = row(0.2, **TWO[0]), row(0.2, **TWO[0], unreadable=3, failed=1)
    layout = Layout(conditions(*TWO), PERCENT)
    assert tabulated("one", "", frame([clean]), layout).heads[-2:] == ["n", "cases"]
    table = tabulated("one", "", frame([lossy]), layout)
    assert table.heads[-2:] == ["unreadable", "failed"]
    assert lines(table)[0][-2:] == ["3", "1"]


def test_what_cannot_be_estimated_says_why() -> None:
    table = tabulated("one", "", frame([row(None, **TWO[0])]), Layout(conditions(*TWO), PERCENT))
    assert lines(table) == [["synchronous", "–¹", "0", "20"]]
    assert table.caption == "¹ nothing to count."


def test_differences_have_signs_and_adjusted_p_values() -> None:
    found = frame([row(-0.05, **TWO[0], value="a")]).assign(p=0.0004, p_adjusted=0.02, test="McNemar")
    table = tabulated("one", "", found, Layout(conditions(TWO[0]), POINTS))
    assert table.heads == ["value", "points", "p", "p adjusted", "n", "cases"]
    assert lines(table) == [["a", "−5.0", "<0.001", "0.020", "40", "20"]]
    assert table.groups[0].rows[0][1].interval == "−15.0 to +5.0"


def test_denominators_that_differ_along_a_line_stand_below_their_estimates() -> None:
    found = frame(
        [
            row(0.2, **TWO[0], among="all"),
            row(0.2, **TWO[0], among="some", denominator=7, cases=5),
        ]
    )
    table = tabulated("one", "", found, Layout(conditions(TWO[0]), PERCENT, "among"))
    assert table.heads == ["condition", "all", "some"]
    assert [cell.rests for cell in table.groups[0].rows[0][1:]] == ["n 40, 20 cases", "n 7, 5 cases"]


def test_a_difference_has_both_denominators() -> None:
    found = frame([row(0.1, **TWO[0], denominator=83)]).assign(against_denominator=90)
    assert lines(tabulated("one", "", found, Layout(conditions(TWO[0]), POINTS)))[0][-2:] == ["83; 90", "20"]


def test_what_is_alike_in_all_rows_is_in_the_caption() -> None:
    found = frame([row(0.2, **TWO[0], judge="j", value=name) for name in "ab"])
    table = tabulated("one", "Shares.", found, Layout(conditions(TWO[0]), PERCENT))
    assert table.heads == ["value", "%", "n", "cases"]
    assert table.caption == "Shares. Judge: j."


def test_where_all_cases_agree_the_interval_is_that_of_wilson() -> None:
    found = frame([row(0.0, **TWO[0], low=0.0, high=0.0, wilson_low=0.0, wilson_high=0.088)])
    table = tabulated("one", "", found, Layout(conditions(TWO[0]), PERCENT))
    assert table.groups[0].rows[0][1] == Cell("0.0", "0.0–8.8†")
    assert "† All cases agree" in table.caption


def test_a_long_table_is_known_as_one() -> None:
    found = frame([row(0.2, **TWO[0], value=str(number)) for number in range(LONG + 1)])
    assert tabulated("one", "", found, Layout(conditions(TWO[0]), PERCENT)).long
    assert not tabulated("one", "", found[:LONG], Layout(conditions(TWO[0]), PERCENT)).long


def test_small_p_values_are_not_zero() -> None:
    assert [probability(p) for p in (0.0, 0.0009, 0.001, 0.5, None)] == [
        "<0.001",
        "<0.001",
        "0.001",
        "0.500",
        "–",
    ]
