"""moot fit and moot replicate: what they print of a written run, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from ray_jobs.case_table import add_cases
from ray_jobs.cases import CaseRow
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.store import Store
from tests.analysis.causal.played import arm_turns
from tests.analysis.replication.runs import played, write_run
from tests.ray_jobs.studies import study
from tests.ray_jobs.test_cli import moot, refused

pytestmark = pytest.mark.long

PAIRS = [("synchronous", ("gpt", "claude")), ("round_robin", ("gpt", "claude"))]


def begun(folder: Path, turns: pd.DataFrame, seed: int = 1) -> Path:
    """A run of these turns with a claim on it, as if it had been played."""
    store = Store(str(folder))
    models = {name: {"backend": "simulated"} for name in ("gpt", "claude")}
    panels = [["gpt", "claude"]]
    experiment = study(models=models, panels=panels, protocols=["synchronous"], seed=seed)
    claim_run(store, experiment, claim_id())
    cases = sorted(set(turns["case_id"]))
    add_cases(store, [CaseRow(case, case, case) for case in cases], {"run_id": folder.name}, "cases")
    return write_run(folder, turns)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three repetitions of two conditions on forty cases."""
    return begun(tmp_path_factory.mktemp("study") / "run", played(40, 3, conditions=PAIRS))


def test_a_fit_is_printed_with_its_tests(run: Path) -> None:
    told = moot("fit", run, "--protocols")
    assert told.exit_code == 0, told.output
    for part in (
        "Inertia and conformity: multinomial model of verdicts",
        "gamma_within[claude]",
        "Convention: counts of others in the last round",
        "no inertia",
        "model marginals only",
        "slopes are the same under every protocol: chi2(4)",
    ):
        assert part in told.stdout, part


def test_options_of_a_fit_are_told_with_it(run: Path) -> None:
    told = moot("fit", run, "--estimator", "paper", "--window", "cumulative", "--scale", "share")
    assert told.exit_code == 0, told.output
    assert "Estimator paper" in told.stdout
    assert "shares of others in all earlier rounds" in told.stdout


def test_repetitions_of_a_run_are_compared(run: Path, tmp_path: Path) -> None:
    told = moot("replicate", run, "--estimator", "fe", "--out", tmp_path / "figures")
    assert told.exit_code == 0, told.output
    assert "3 repetitions of one design" in told.stdout
    assert "12 files in" in told.stdout
    assert (tmp_path / "figures" / "slopes.csv").exists()


def test_repetitions_of_several_runs_are_compared(run: Path, tmp_path: Path) -> None:
    other = begun(tmp_path / "other", played(40, 1, 4, conditions=PAIRS), seed=2)
    told = moot("replicate", run, other, "--estimator", "fe")
    assert told.exit_code == 0, told.output
    assert "4 repetitions of one design" in told.stdout
    assert "other 1" in told.stdout
    assert "seed: was 1, is 2" in " ".join(told.stdout.split())


def test_what_cannot_be_replicated_is_refused(run: Path, tmp_path: Path) -> None:
    once = begun(tmp_path / "once", played(5, 1, conditions=PAIRS))
    refused(moot("replicate", once), "found 1 repetition, expected two or more")
    refused(moot("replicate", run, once), "not of one design", "cases case 00005")
    refused(moot("replicate", run, run), "is named twice")
    refused(moot("replicate", run, "--as", "gpt"), "--as gpt: expected PAPER=MODEL")
    refused(moot("replicate", run, "--as", "gpt=x"), "no model 'x'; they have claude, gpt")
    refused(moot("replicate", run, "--as", "gpt=gpt", "--as", "gpt=claude"), "gpt was given before")
    refused(moot("replicate", tmp_path), "found no run of moot")


def test_what_cannot_be_fitted_is_refused(run: Path, tmp_path: Path) -> None:
    agreed = played(5, 1, conditions=PAIRS)
    nothing = begun(tmp_path / "agreed", agreed[agreed["round"] == 1].assign(label="NTA"))
    refused(moot("fit", nothing), "all 20 verdicts are NTA")
    refused(moot("fit", run, "--steering", "kind"), "no debate has the steering 'kind'")
    assert moot("fit", run, "--estimator", "ols").exit_code == 2


def test_designed_arms_are_printed_beside_the_debates(tmp_path: Path) -> None:
    turns = pd.concat([played(20, 1, conditions=PAIRS).assign(planted=None, stance=None), arm_turns(20)])
    told = moot("causal", begun(tmp_path / "arms", turns))
    assert told.exit_code == 0, told.output
    for part in (
        "Conformity within the round",
        "inertia, within conversations",
        "what Eq. 2 on debates expects",
    ):
        assert part in told.stdout, part


def test_arms_without_debates_stand_alone(tmp_path: Path) -> None:
    arms = begun(tmp_path / "arms", arm_turns(10))
    assert "debates with a planted verdict, 90, are in none of these tables" in moot("show", arms).stdout
    told = moot("causal", arms)
    assert told.exit_code == 0, told.output
    assert "Beside the arms stands no estimate of Eq. 2" in " ".join(told.stdout.split())


def test_a_run_without_arms_is_refused(run: Path) -> None:
    refused(moot("causal", run), "found no designed arm")
