"""The section on inertia and conformity: all of it where a run can tell it, else what is missing."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.model.features import NothingToFit
from analysis.model.reading import ordered
from analysis.model.study import Study, study
from analysis.report.document import Document, Section
from analysis.report.forest import Mark, Row, odds_scale
from analysis.report.inertia import inertia
from analysis.report.page import contents, html
from analysis.report.units import ODDS
from tests.analysis.replication.runs import played
from tests.analysis.report.pages import Page

pytestmark = pytest.mark.long

SYNCHRONOUS = [("synchronous", ("gpt", "claude")), ("synchronous", ("gpt", "gemini"))]


@pytest.fixture(scope="module")
def whole() -> Study:
    return study(played(60, 1))


def text(section: Section) -> str:
    return Page(html(Document("Report", "run", [], [section], []), "report")).text


def test_everything_is_on_the_page(whole: Study) -> None:
    section = inertia(whole)
    titles = [exhibit.title for exhibit in section.exhibits]
    assert titles == [
        "Odds ratios",
        "What the slopes rest on",
        "Estimators side by side",
        "Is each part needed?",
        "Slopes by protocol",
        "Do models lean to verdicts of their own on a case?",
        "Would the model play these debates?",
        "Calibration",
        "Diagnostics",
    ]
    assert all(exhibit.tables and not exhibit.absent for exhibit in section.exhibits)
    said = text(section)
    assert "Counted: counts of others in the last round" in said
    assert "slopes are the same under every protocol: chi2(6)" in said
    for estimator in ("re", "fe", "l2", "paper", "pairwise", "pairwise_same_model"):
        assert whole.fits[estimator].estimate.converged
        assert estimator in said


def test_files_of_figures_and_tables_lie_beside_it(whole: Study) -> None:
    files = contents(Document("Report", "run", [], [inertia(whole)], []))
    assert {"figures/inertia.svg", "figures/inertia-estimators.svg", "tables/inertia.tex"} <= set(files)
    assert files["figures/inertia.svg"].count("</title>") >= 9
    assert r"gamma\_within" in files["tables/inertia.tex"]
    data = files["tables/inertia.csv"].splitlines()
    assert data[0].startswith("parameter,coef,se")
    assert len(data) == 10


def test_the_page_does_not_depend_on_the_order_of_rows(whole: Study) -> None:
    mixed = ordered(played(60, 1).sample(frac=1, random_state=3))
    pages = [html(Document("", "", [], [inertia(one)], []), "r") for one in (whole, study(mixed))]
    assert pages[0] == pages[1]


def test_synchronous_debates_do_not_tell_conformity_within_a_round() -> None:
    said = text(inertia(study(played(80, 1, conditions=SYNCHRONOUS))))
    assert "gamma_within is not identified: nobody heard another in the same round" in said
    assert "All debates are of one protocol." in said
    assert "fewer than 20" in said


def test_one_model_is_told() -> None:
    conditions = [("synchronous", ("gpt", "gpt")), ("round_robin", ("gpt", "gpt"))]
    said = text(inertia(study(played(80, 1, conditions=conditions))))
    assert "There is one model, gpt: nothing tells models apart." in said
    assert "There is one model only." in said


def test_too_few_changes_are_told() -> None:
    few = text(inertia(study(played(12, 1, conditions=SYNCHRONOUS[:1]))))
    assert "rests on little" in few


def test_what_cannot_be_fitted_says_why() -> None:
    turns = played(5, 1, conditions=SYNCHRONOUS)
    agreed = turns[turns["round"] == 1].assign(label="NTA")
    with pytest.raises(NothingToFit) as refused:
        study(ordered(agreed))
    said = text(inertia(str(refused.value)))
    assert "Nothing can be fitted: all 20 verdicts are NTA" in said
    with pytest.raises(NothingToFit, match="no finished debate of two seats or more"):
        study(pd.DataFrame())


def test_questions_are_fitted_by_their_answers() -> None:
    turns = played(60, 1)
    letters = dict(zip(turns["label"].cat.categories, "ABCDE", strict=True))
    found = study(turns.assign(label=turns["label"].cat.rename_categories(letters)))
    assert found.main.rows.labels == ("A", "B", "C", "D", "E")


@pytest.mark.parametrize(
    ("value", "says"),
    [(0.0, "1.00"), (2.12, "8.33"), (-0.7, "0.497"), (5.0, "148"), (20.0, "∞"), (-20.0, "0")],
)
def test_odds_ratios_have_three_digits(value: float, says: str) -> None:
    assert ODDS.number(value) == says


def test_the_axis_of_odds_has_round_ticks_around_one() -> None:
    close = odds_scale([Row("", "", [Mark(0.5, -0.1, 1.2)])])
    assert [ODDS.number(tick) for tick in close.ticks] == ["0.500", "1.00", "2.00", "5.00"]
    wide = odds_scale([Row("", "", [Mark(9.0, 2.0, 30.0)])])
    assert ODDS.number(wide.ticks[-1]) == "100"
    assert wide.x(9.0) == wide.x(100.0)


def test_debates_that_all_go_on_from_others_are_told_of() -> None:
    """Then there is a fit, and nothing that it could play."""
    turns = played(12, 1)
    found = study(turns.assign(opening=turns["round"] == 1))
    assert "Nothing can be played: every debate goes on from another" in text(inertia(found))
