"""The bias of `fe`, and what leaving out debates takes off it."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.model.design import design, part
from analysis.model.features import rows_of
from analysis.model.fit import fit
from analysis.model.jackknife import deals
from analysis.model.rows import Rows
from analysis.model.truth import PAPER_TRUTH
from tests.analysis.model.debates import simulated


@pytest.fixture(scope="module")
def rows() -> Rows:
    return rows_of(simulated(120))


def test_debates_of_every_case_are_dealt_evenly_and_whole(rows: Rows) -> None:
    dealt = deals(rows, 5, 0)
    assert all(len(np.unique(dealt[rows.debate == debate])) == 1 for debate in range(0, 1_000, 97))
    of_case = {(case, fold) for case, fold in zip(rows.case, dealt, strict=True)}
    assert len(of_case) == 120 * 5
    assert (dealt != deals(rows, 5, 1)).any(), "another deal is another one"


def test_a_part_has_the_parameters_of_the_whole(rows: Rows) -> None:
    whole = design(rows, slope_by=("model", "protocol"))
    kept = rows.protocol == 0
    some = part(whole, kept)
    assert some.names() == whole.names()
    assert some.given.sum() == kept.sum()
    every = part(whole, np.ones(len(rows), bool))
    assert np.array_equal(every.totals, whole.totals)
    assert np.array_equal(every.x[:, :, every.pattern], rows.x)


def test_it_takes_bias_off(rows: Rows) -> None:
    true = PAPER_TRUTH.slopes[:, [PAPER_TRUTH.models.index(model) for model in rows.models]].reshape(-1)
    off = {name: fit(rows, name).table()["coef"].to_numpy() - true for name in ("fe", "jackknife")}
    assert off["jackknife"][:3].mean() > off["fe"][:3].mean(), "inertia is drawn towards 0 by `fe`"
    assert np.abs(off["jackknife"]).mean() < np.abs(off["fe"]).mean()
