"""Decisions of judges against a plain count over the judgments themselves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import judgments
from analysis.tally import CONDITION
from protocols.answer_format import VERDICTS
from tests.analysis.counting import cells, share_of, tallied, two_seats
from tests.analysis.synthetic import UNREADABLE, Debate, Judged, Said, draw, judge

pytestmark = pytest.mark.long

SAID = st.one_of(
    st.builds(Said, st.sampled_from(VERDICTS), st.sampled_from(["ok", "repaired"])),
    st.builds(Said, st.none(), st.sampled_from(UNREADABLE)),
)
JUDGED = st.builds(
    Judged,
    stage=st.sampled_from(["judged", "blind"]),
    judge=st.sampled_from(["anna", "bert"]),
    said=SAID,
    error=st.sampled_from([None, None, None, "Timeout"]),
    kind=st.sampled_from(["judge", "label"]),
)
DEBATES = st.lists(
    st.builds(
        Debate,
        id=st.uuids().map(str),
        protocol=st.sampled_from(["synchronous", "solo"]),
        models=st.just(("alpha", "beta")),
        order=st.sampled_from([None, "1-2"]),
        steering=st.just("default"),
        said=st.just(two_seats("NY").said),
        judged=st.lists(JUDGED, max_size=6).map(tuple),
    ),
    max_size=8,
    unique_by=lambda debate: debate.id,
)


def of_cell(debates: list[Debate], cell: tuple[str, ...]) -> Iterator[Judged]:
    """The judgments of one condition: that of the debate judged, but for the stage and the format."""
    for debate in debates:
        for one in debate.judged:
            if (one.stage, *debate.cell[1:-1], "text") == cell:
                yield one


def check(debates: list[Debate]) -> None:
    found = cells(judgments.estimate(tallied(debates, "judgments", "failures")))
    given = [(debate, one) for debate in debates for one in debate.judged]
    assert set(found) == {
        (one.stage, *debate.cell[1:-1], "text")
        for debate, one in given
        if one.kind == "judge" and not one.error
    }
    for cell, rows in found.items():
        here = list(of_cell(debates, cell))
        ended = [one for one in here if one.kind == "judge" and not one.error]
        assert list(rows["judge"].unique()) == sorted({one.judge for one in ended})
        for row in rows.itertuples():
            own = [one.said.label for one in ended if one.judge == row.judge]
            readable = [label for label in own if label is not None]
            assert (row.numerator, row.denominator) == (readable.count(str(row.decision)), len(readable))
            assert share_of(row) == (row.numerator / row.denominator if row.denominator else None)
            assert row.unreadable == own.count(None)
            assert row.failed == sum(bool(one.error) for one in here)
        for _, one in rows.groupby("judge"):
            assert list(one["decision"]) == list(VERDICTS)


@settings(max_examples=30)
@given(DEBATES)
def test_equals_the_plain_count(debates: list[Debate]) -> None:
    check(debates)


@pytest.mark.parametrize("seed", range(3))
def test_equals_the_plain_count_over_whole_runs(seed: int) -> None:
    check(judge(draw(seed, 120), seed, unreadable=0.4))


def test_a_label_without_a_readable_status_is_no_decision() -> None:
    odd = Debate("d", "solo", ("a",), None, "default", judged=(Judged("s", "j", Said("NTA", "invalid")),))
    found = judgments.estimate(tallied([odd], "judgments", "failures"))
    assert found["denominator"].tolist() == [0] * 5
    assert found["unreadable"].tolist() == [1] * 5
    assert found["estimate"].isna().all()


def test_without_judgments_there_is_no_row() -> None:
    found = judgments.estimate(tallied(draw(1, 20), "judgments", "failures"))
    assert found.empty
    assert set(CONDITION) <= set(found.columns)
