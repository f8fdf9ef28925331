"""Every measure of values against a plain count over the debates themselves."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.estimates import COLUMNS
from analysis.tally import CONDITION
from analysis.values import inherited, likeness, use
from analysis.values.inheritance import WINDOWS
from tests.analysis.values import plain
from tests.analysis.values.labelled import TAXONOMY, measured, random_labels

pytestmark = pytest.mark.long

DEBATES = random_labels(3, 90)
MEASURED = {window: measured(DEBATES, window=window) for window in WINDOWS}


def cell(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in CONDITION)


def test_use() -> None:
    told, _ = use.estimate(MEASURED["event"])
    expected = plain.use(DEBATES)
    assert list(told.frame.columns) == [*CONDITION, "judge", "pass", "model", "value", *COLUMNS]
    assert len(told.frame) == len({key[:-1] for key in expected}) * len(TAXONOMY)
    for row in told.frame.to_dict("records"):
        key = (*cell(row), row["model"])
        assert row["numerator"] == expected[(*key, row["value"])]
        assert row["denominator"] == expected[(*key, "n")]
        assert (row["unreadable"], row["failed"]) == (
            expected[(*key, "unreadable")],
            expected[(*key, "failed")],
        )
        assert bool(row["reason"] == use.EMPTY) == pd.isna(row["estimate"]) == (row["denominator"] == 0)


@pytest.mark.parametrize("kind", ["jaccard", "soft"])
def test_similarity_within_agreement_and_disagreement(kind: str) -> None:
    told, apart = likeness.estimate(MEASURED["event"])
    expected = plain.within(DEBATES, kind)
    rows = told.frame[told.frame["kind"] == kind].to_dict("records")
    found = {(*cell(row), row["one"], row["other"], row["within"]): row for row in rows}
    assert {key[:-2] for key in expected} == {key[:-1] for key in found}
    for key, row in found.items():
        assert row["numerator"] == pytest.approx(expected[(*key, "sum")])
        assert (row["denominator"], row["unreadable"]) == (expected[(*key, "n")], expected[(*key, "lost")])
    for row in apart.frame[apart.frame["kind"] == kind].to_dict("records"):
        pair = (*cell(row), row["one"], row["other"])
        one, other = (found[(*pair, how)]["estimate"] for how in ("agreement", "disagreement"))
        assert row["estimate"] == pytest.approx(one - other, nan_ok=True)


@pytest.mark.parametrize("kind", ["jaccard", "soft"])
def test_similarity_from_the_first_round_to_the_last(kind: str) -> None:
    told, change = likeness.estimate_change(MEASURED["event"])
    expected = plain.ends(DEBATES, kind)
    rows = told.frame[told.frame["kind"] == kind].to_dict("records")
    assert {key[:-2] for key in expected} == {(*cell(row), row["one"], row["other"]) for row in rows}
    for row in rows:
        key = (*cell(row), row["one"], row["other"], row["ended"])
        assert row["numerator"] == pytest.approx(expected[(*key, row["round"])])
        assert (row["denominator"], row["unreadable"]) == (expected[(*key, "n")], expected[(*key, "lost")])
    for row in change.frame[change.frame["kind"] == kind].to_dict("records"):
        key = (*cell(row), row["one"], row["other"], row["ended"])
        first, last, n = (expected[(*key, name)] for name in ("first", "last", "n"))
        if n and first:
            assert row["estimate"] == pytest.approx((last - first) / n)
            assert row["relative"] == pytest.approx((last - first) / first), "a ratio of means"


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("per", inherited.PER)
def test_inherited_values(window: str, per: str) -> None:
    told, apart = inherited.estimate(MEASURED[window], per=per)
    expected = plain.inherited(DEBATES, window)
    assert {key[: len(CONDITION) + 1] for key in expected} == {
        (*cell(row), row["model"]) for row in told.frame.to_dict("records")
    }
    for row in told.frame.to_dict("records"):
        key = (*cell(row), row["model"], row["seats"])
        below = expected[(*key, "n")] if per == "seats" else expected[(*key, ("offered", row["value"]))]
        assert (row["numerator"], row["denominator"]) == (expected[(*key, row["value"])], below)
        assert row["unreadable"] == expected[(*key, "lost")]
    assert len(apart.frame) * 2 == len(told.frame)
