"""Verdicts at the beginning and at the end against a plain count."""

from __future__ import annotations

import pytest

from analysis.labels import due
from analysis.measures import distribution
from protocols.answer_format import VERDICTS
from tests.analysis.counting import cells, coursed, two_seats
from tests.analysis.synthetic import Debate, draw

pytestmark = pytest.mark.long


def latest(debates: list[Debate], model: str, when: str) -> int:
    """The last round that a verdict of `model` given then is from; 0 where none is readable."""
    rounds = [0]
    for debate in debates:
        for i in (i for i, name in enumerate(debate.models) if name == model):
            readable = [number for number, turns in enumerate(debate.said, start=1) if turns[i].label]
            ends = {"round 1": 1, "last round": len(debate.said), "last readable": max(readable, default=0)}
            rounds.append(ends[when])
    return max(rounds)


def verdicts(debates: list[Debate], model: str, when: str) -> list[str | None]:
    """What the seats of `model` said then, None where unreadable."""
    given: list[str | None] = []
    for debate in debates:
        for i in (i for i, name in enumerate(debate.models) if name == model):
            own = [turns[i].label for turns in debate.said]
            readable = [label for label in own if label is not None]
            last = readable[-1] if readable else None
            given.append({"round 1": own[0], "last round": own[-1], "last readable": last}[when])
    return given


@pytest.mark.parametrize("seed", range(4))
def test_equals_the_plain_count(seed: int) -> None:
    debates = draw(seed, 120, unreadable=0.4)
    for cell, rows in cells(distribution.estimate(coursed(debates))).items():
        here = [debate for debate in debates if debate.cell == cell]
        played = [debate for debate in here if not debate.error]
        assert set(rows["model"]) == {model for debate in played for model in debate.models}
        assert list(rows["when"].unique()) == list(distribution.WHEN)
        for row in rows.itertuples():
            given = verdicts(played, str(row.model), str(row.when))
            readable = [label for label in given if label is not None]
            assert (row.numerator, row.denominator) == (readable.count(str(row.verdict)), len(readable))
            assert row.unreadable == given.count(None)
            assert row.latest == latest(played, str(row.model), str(row.when))
            assert row.failed == len(here) - len(played)
        for _, one in rows.groupby(["model", "when"]):
            assert list(one["verdict"]) == list(VERDICTS)
            assert one["denominator"].iloc[0] == 0 or one["estimate"].sum() == pytest.approx(1)


def test_where_nothing_was_readable_shares_are_null() -> None:
    found = distribution.estimate(coursed([two_seats("??")]))
    assert (found["unreadable"] == 1).all()
    assert found["estimate"].isna().all()


def test_answers_to_questions_have_rows_of_their_own() -> None:
    assert due(["B", "A", "B"]) == ["A", "B"]
    assert due(["YTA"]) == list(VERDICTS)
