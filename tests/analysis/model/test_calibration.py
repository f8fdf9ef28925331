"""What a fit holds likely beside what was said, and what slopes rest on."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.model.calibration import KEPT, by_decile, by_round
from analysis.model.features import NothingToFit, rows_of
from analysis.model.fit import fit
from analysis.model.predictive import NoCases
from analysis.model.support import refuse, support, thin
from tests.analysis.model.debates import debate, simulated


@pytest.mark.parametrize("estimator", ["re", "fe"])
def test_a_right_model_is_calibrated(estimator: str) -> None:
    told = by_decile(fit(simulated(100), estimator))
    assert told["n"].sum() == 5 * len(rows_of(simulated(100)))
    assert told["predicted"].is_monotonic_increasing
    assert (told["predicted"] - told["observed"]).abs().max() < 0.05


def test_rounds_add_up_and_tell_how_often_verdicts_were_kept() -> None:
    rows = rows_of(simulated(100))
    told = by_round(fit(rows))
    shares = told[told["label"] != KEPT].groupby("round")[["predicted", "observed"]].sum()
    assert shares.to_numpy() == pytest.approx(1)
    kept = told[told["label"] == KEPT]
    assert kept["round"].tolist() == [2, 3, 4]
    assert kept["n"].tolist() == [int((rows.round == r).sum()) for r in (2, 3, 4)]
    assert (kept["predicted"] - kept["observed"]).abs().max() < 0.06


def test_pairs_give_no_probabilities() -> None:
    with pytest.raises(NoCases):
        by_decile(fit(simulated(10), "pairwise"))


def test_support_is_counted_by_hand() -> None:
    """b hears a in round 1, goes along in the first debate and not in the second, then both change places."""
    turns = pd.concat(
        [
            debate("1", "round_robin", ("a", "b"), "NN", case="x"),
            debate("2", "round_robin", ("a", "b"), "NY", "YN", case="y"),
        ],
        ignore_index=True,
    )
    told = support(rows_of(turns)).set_index(["term", "model"])
    assert told.loc[("alpha", "a")].tolist() == [1, 0, 1]
    assert told.loc[("gamma_prev", "a")].tolist() == [1, 1, 0]
    assert told.loc[("gamma_within", "b")].tolist() == [3, 1, 2]
    said = list(thin(rows_of(turns)))
    assert "alpha[a] rests on little: of 1 verdicts 0 follow their own last verdict." in said


def test_what_no_slope_rests_on_is_said() -> None:
    turns = pd.concat(
        [debate(str(n), "synchronous", ("a", "a"), "NN", case=f"c{n}") for n in range(3)], ignore_index=True
    )
    said = " ".join(thin(rows_of(turns)))
    assert "alpha is not identified: no readable verdict follows one of the same seat" in said
    assert "gamma_within is not identified: nobody heard another in the same round" in said
    assert "There is one model, a" in said


@pytest.mark.parametrize(
    ("words", "cases", "says"),
    [
        ((("NN",), ("NN",)), 2, "all 4 verdicts are NTA"),
        ((("NN",), ("YY",)), 2, "none departs from what came before"),
        ((("NY", "YY"), ("YN", "YN")), 1, "all debates are of one case"),
        ((("??",), ("??",)), 2, "no turn has a readable label"),
    ],
)
def test_what_cannot_be_fitted_is_refused(words: tuple[tuple[str, ...], ...], cases: int, says: str) -> None:
    turns = pd.concat(
        [
            debate(str(n), "synchronous", ("a", "b"), *said, case=f"c{n % cases}")
            for n, said in enumerate(words)
        ],
        ignore_index=True,
    )
    with pytest.raises(NothingToFit, match=says):
        refuse(rows_of(turns))
