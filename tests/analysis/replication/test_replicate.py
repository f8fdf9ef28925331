"""Repetitions from turns to a page: what comes out, and that the order of rows does not matter."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from analysis.model.convention import PAPER
from analysis.model.features import NothingToFit
from analysis.model.reading import ordered
from analysis.model.truth import PAPER_TRUTH
from analysis.replication.files import write_files
from analysis.replication.page import page
from analysis.replication.replicate import Replication, replicate
from tests.analysis.replication.runs import again, found, played

pytestmark = pytest.mark.long

SOME = [
    ("synchronous", ("claude", "gpt")),
    ("synchronous", ("gemini", "gpt")),
    ("round_robin", ("gemini", "claude", "gpt")),
    ("round_robin", ("gpt", "claude", "gemini")),
]


@pytest.fixture(scope="module")
def turns() -> pd.DataFrame:
    return played(60, 3, conditions=SOME)


@pytest.fixture(scope="module")
def made(turns: pd.DataFrame) -> Replication:
    """With as many draws as in a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analysis.bootstrap.DRAWS", 1000)
        return replicate(found(turns), {}, "fe")


def text(made: Replication, width: int = 120) -> str:
    console = Console(width=width, record=True, file=None, quiet=False, force_terminal=False)
    with console.capture() as captured:
        console.print(page(made))
    return captured.get()


def test_everything_is_told(made: Replication) -> None:
    said = " ".join(text(made).split())
    for part in (
        "3 repetitions of one design",
        "60 cases, 4 conditions, models claude, gemini, gpt",
        "Outcome:",
        "By the review's rule taken literally",
        "Do inertia and conformity come back?",
        "Each repetition alone",
        "Against the paper's Table 1",
        "The review's rule",
        "Does gpt keep its verdict where claude does not?",
        "Where does the outcome of a debate vary?",
        "Does a case come out the same way again?",
        "Does a model give the same first verdict again?",
    ):
        assert part in said, part


def test_no_line_is_wider_than_the_page(made: Replication) -> None:
    assert max(map(len, text(made, 80).splitlines())) <= 80


def test_means_are_near_the_truth(made: Replication) -> None:
    slopes = made.own.slopes
    assert (slopes["repetitions"] == 3).all()
    assert slopes.loc["alpha[gpt]", "mean"] == pytest.approx(PAPER_TRUTH.slopes[0, 0], abs=0.5)
    assert slopes.loc["gamma_within[gpt]", "mean"] > slopes.loc["gamma_within[claude]", "mean"]


def test_the_order_of_rows_does_not_matter(turns: pd.DataFrame, made: Replication) -> None:
    mixed = ordered(turns.sample(frac=1, random_state=1))
    other = replicate(found(mixed), {}, "fe")
    pd.testing.assert_frame_equal(other.own.slopes, made.own.slopes, check_exact=True)
    pd.testing.assert_frame_equal(other.variance, made.variance, check_exact=True)
    assert text(other) == text(made)


def test_other_models_are_told_from_the_papers() -> None:
    turns = played(60, 3, seed=4, conditions=SOME)  # in which no repetition threatens the ranking
    named = turns.assign(
        model=turns["model"].cat.rename_categories({"gpt": "a", "claude": "b", "gemini": "c"}),
        panel=[
            word.replace("gpt", "a").replace("claude", "b").replace("gemini", "c") for word in turns["panel"]
        ],
    )
    own = found(ordered(named))
    said = " ".join(text(replicate(own, {}, "fe")).split())
    assert "No model of the paper (gpt, claude, gemini) is among these" in said
    assert "Outcome" not in said
    mapped = replicate(own, {"gpt": "a", "claude": "b"}, "fe")
    said = " ".join(text(mapped).split())
    assert "As the paper's gpt: a, claude: b" in said
    assert "say which one it is with --as gemini=MODEL" in said
    assert len(mapped.falsifier) == 6


def test_asked_for_as_the_paper_does_it_is_fitted_once(turns: pd.DataFrame) -> None:
    made = replicate(found(turns), {}, "paper", PAPER)
    assert made.own is made.as_paper
    assert "As the paper" in text(made)


def test_repetitions_without_a_change_of_verdict_are_refused_by_name() -> None:
    agreed = played(5, 2, conditions=[("synchronous", ("gpt", "claude"))])
    agreed = agreed[agreed["round"] == 1].assign(label="NTA")
    with pytest.raises(NothingToFit, match="repetition 1: all 10 verdicts are NTA"):
        replicate(found(ordered(agreed)), {})


def test_figures_are_written(made: Replication, tmp_path: Path) -> None:
    count = write_files(made, tmp_path / "new" / "folder")
    files = {file.name: pd.read_csv(file) for file in (tmp_path / "new" / "folder").iterdir()}
    assert len(files) == count == 12
    assert files["slopes.csv"]["mean"].to_numpy() == pytest.approx(made.own.slopes["mean"].to_numpy())
    assert set(files["repetitions.csv"]["repetition"]) == {1, 2, 3}
    assert np.isfinite(files["paper-equivalence.csv"]["ratio"]).all()


def test_slopes_that_differ_between_repetitions_are_found() -> None:
    truth = replace(PAPER_TRUTH, slopes=PAPER_TRUTH.slopes * np.array([[0.2], [1], [1]]))
    both = pd.concat([played(80, 1, conditions=SOME), again(played(80, 1, truth=truth, conditions=SOME))])
    slopes = replicate(found(ordered(both)), {}, "fe").own.slopes
    assert slopes.loc["alpha[gpt]", "q_p"] < 0.05
    assert slopes.loc["alpha[gpt]", "i2"] > 0.5
