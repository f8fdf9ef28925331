"""Two runs compared: paired by case, zero for equal runs, and told where they cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.report.compare import COMPARED, Side, compare
from analysis.report.errors import NothingInCommon
from analysis.report.page import html
from tests.analysis.counting import said
from tests.analysis.report.pages import Page
from tests.analysis.report.runs import TWO_SEATS, tallies

pytestmark = pytest.mark.long

A = Side("runs/a", tallies(TWO_SEATS))


def test_equal_runs_do_not_differ() -> None:
    made = compare(A, replace(A, run="runs/b"), [])
    differences = made.sections[1].exhibits
    assert len(differences) == len(COMPARED)
    for exhibit in differences:
        data = exhibit.tables[0].data
        assert (data["estimate"].dropna() == 0).all()
        assert (data["low"].dropna() == 0).all()
        assert "0 lie outside 0" in exhibit.text[-1]
    assert "Not compared are" in Page(html(made, "compare")).text
    assert made.title == "a and b compared"
    assert "Models, sampling, prompts and seed are the same in both." in Page(html(made, "compare")).text


def test_a_difference_is_that_of_b_less_a_in_the_cases_of_both() -> None:
    never = [replace(one, said=said("NY", "NY")) for one in TWO_SEATS]
    other = Side("runs/b", tallies([one for one in never if one.case != "c3"]))
    [consensus] = compare(A, other, [], COMPARED[:1]).sections[1].exhibits
    data = consensus.tables[0].data
    first = data[(data["round"] == 1) & (data["order"] == "1-2")]
    assert first["estimate"].tolist() == pytest.approx([-1 / 3])
    assert first["cases"].tolist() == [3]


def test_conditions_of_one_run_alone_are_told() -> None:
    other = Side("runs/b", tallies([one for one in TWO_SEATS if one.order == "1-2"]))
    [shown] = compare(A, other, [], []).sections[0].exhibits
    assert [[cell.said for cell in line] for line in shown.tables[0].groups[0].rows] == [
        ["alpha first", "both"],
        ["beta first", "A"],
    ]


def test_designs_that_differ_are_told_first() -> None:
    text = Page(html(compare(A, A, ["seed: was 1, is 2"], []), "compare")).text
    assert "The designs differ" in text
    assert "seed: was 1, is 2" in text


def test_runs_without_a_common_case_or_condition_are_refused() -> None:
    elsewhere = Side("runs/b", tallies([replace(one, case="x") for one in TWO_SEATS]))
    with pytest.raises(NothingInCommon, match="no case in common"):
        compare(A, elsewhere, [])
    otherwise = Side("runs/b", tallies([replace(one, steering="kind") for one in TWO_SEATS]))
    with pytest.raises(NothingInCommon, match="no condition in common"):
        compare(A, otherwise, [])
