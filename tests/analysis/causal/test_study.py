"""The table of the arms, what it says as text, and its section in a report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.causal.lines import COLUMNS
from analysis.causal.quantities import BY_NAME, QUANTITIES
from analysis.causal.reading import Arms, read_arms
from analysis.causal.study import Causal, causal
from analysis.model.features import rows_of
from analysis.model.fit import fit
from analysis.model.reading import read_debates
from analysis.power.pilot import pilot
from analysis.report.causal import causal_sections
from analysis.report.document import Document
from analysis.report.page import contents, html
from tests.analysis.causal.hand import planted, reasked
from tests.analysis.causal.played import run_with_arms
from tests.analysis.replication.runs import played, write_run
from tests.analysis.report.pages import Page


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_with_arms(tmp_path_factory.mktemp("arms") / "run", 40)


@pytest.fixture(scope="module")
def found(run: Path) -> Causal:
    rows = rows_of(read_debates(run))
    fits = {name: fit(rows, name) for name in ("re", "pairwise_same_model")}
    return causal(read_arms(run), fits)


def test_every_estimate_has_its_line_with_what_it_rests_on(found: Causal) -> None:
    table = found.table
    assert tuple(table.columns) == COLUMNS
    own = table[table["model"] == "gpt"]
    expected = [one.name for one in QUANTITIES if not one.name.endswith("_prev")]
    assert sorted(own["quantity"]) == sorted(expected)
    shares = own.set_index("quantity")
    assert shares.loc["kept", "denominator"] == 40 * 3 * 5
    assert shares.loc["kept_elsewhere", "denominator"] == 40 * 5 * 3 * 2
    assert shares.loc["follows", "denominator"] == 40 * 3
    assert shares.loc["follows_other", "denominator"] == 40 * 3 * 4
    share, other = shares.loc["follows"], shares.loc["follows_other"]
    difference = share["numerator"] / 120 - other["numerator"] / 480
    assert shares.loc["conformity", "estimate"] == pytest.approx(difference)
    assert shares.loc["conformity", "p"] < 0.05
    known = table[table["reason"] == ""]
    assert (known["low"] < known["estimate"]).all()
    assert (known["estimate"] < known["high"]).all()


def test_debates_without_arms_of_a_model_stand_alone(found: Causal) -> None:
    """gemini sits in no debate of this run: its arms have no estimate of Eq. 2 beside them."""
    own = found.table[found.table["model"] == "gemini"].set_index("quantity")
    assert "gamma_debates" not in own.index
    assert own.loc["conformity_eq2", "reason"] == "debates do not tell the slope of this model on these cases"


def test_the_text_says_what_each_estimate_assumes(found: Causal) -> None:
    said = " ".join(found.summary().split())
    for name in dict.fromkeys(found.table["quantity"]):
        assert BY_NAME[name].says in said
    assert "* inertia, within conversations" in said


def test_arms_are_not_among_the_debates(run: Path) -> None:
    turns = read_debates(run)
    assert turns["debate_id"].nunique() == 80
    assert set(turns["protocol"]) == {"synchronous", "round_robin"}


def test_the_section_has_tables_and_figures(found: Causal) -> None:
    [section] = causal_sections(found)
    document = Document("Report", "run", [], [section], [])
    text = Page(html(document, "report")).text
    assert "Inertia alone, by asking again" in text
    assert "Conformity within the round, by planted verdicts" in text
    files = contents(document)
    for name in (
        "figures/causal-alpha.svg",
        "figures/causal-gamma_within-shares.svg",
        "tables/causal-alpha.csv",
    ):
        assert name in files


def test_without_arms_there_is_no_section() -> None:
    assert causal_sections(causal(Arms(None, None, ()))) == []


def test_what_cannot_be_estimated_says_why() -> None:
    found = causal(Arms(reasked("AAA", "ABA", cases=[0, 0]), planted("AB", "AA", before="BB"), ()))
    reasons = found.table.set_index("quantity")["reason"]
    assert reasons["kept_more"] == "one case only: no interval"
    assert reasons["alpha_within"] == "no conversation has 4 readable verdicts in a row"
    assert "alpha_reask" not in reasons
    assert np.isfinite(found.table.set_index("quantity").loc["conformity", "estimate"])


def test_an_empty_table_has_its_columns() -> None:
    empty = causal(Arms(None, None, ())).table
    assert isinstance(empty, pd.DataFrame)
    assert tuple(empty.columns) == COLUMNS


def test_agents_are_learned_from_debates_alone(tmp_path: Path, run: Path) -> None:
    """What `moot power --like` takes for the models of a run does not depend on its arms."""
    conditions = [("synchronous", ("gpt", "claude")), ("round_robin", ("gpt", "claude"))]
    alone = write_run(tmp_path / "run", played(40, 1, conditions=conditions))
    assert np.array_equal(pilot(str(run)).slopes, pilot(str(alone)).slopes)
