"""A run in a notebook: tables, figures, the model, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.measures.catalogue import verdict_measures
from analysis.run import NothingToDraw, Run, UnknownMeasure, open_run
from analysis.tables import RunNotFound
from tests.analysis.causal.played import arm_turns, run_with_arms
from tests.analysis.replication.runs import write_run

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return open_run(run_with_arms(tmp_path_factory.mktemp("run") / "run", 30))


def test_measures_are_those_of_a_report(run: Run) -> None:
    tables = verdict_measures(run.place)
    assert list(tables) == run.measures
    assert run.measure("change").equals(tables["change"])
    assert not run.measure("consensus", "worst").equals(run.measure("order_change"))


def test_figures_show_themselves(run: Run) -> None:
    figure = run.figure("change")
    assert figure._repr_svg_() == figure.file
    assert repr(figure).startswith("change: Percent of debates")
    assert run.figure("inertia").name == "inertia"


def test_the_model_and_the_arms(run: Run) -> None:
    assert run.fit("fe").estimator == "fe"
    assert {"conformity", "gamma_debates"} <= set(run.causal().table["quantity"])


def test_arms_stand_without_debates(tmp_path: Path) -> None:
    alone = open_run(write_run(tmp_path / "run", arm_turns(8))).causal().table
    assert "conformity" in set(alone["quantity"])
    assert "gamma_debates" not in set(alone["quantity"])


def test_what_there_is_not_is_told(run: Run, tmp_path: Path) -> None:
    with pytest.raises(UnknownMeasure, match="no measure 'chang'; did you mean change"):
        run.measure("chang")
    with pytest.raises(NothingToDraw, match="one panel under two steerings"):
        run.figure("steering_change")
    with pytest.raises(RunNotFound, match="no run directory"):
        open_run(tmp_path)
