"""What follows from imported debates: labels by further judges, and forks, which take over nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from ray_jobs.case_table import CaseTable
from ray_jobs.claims import earlier_claims
from ray_jobs.elsewhere import Elsewhere
from ray_jobs.experiment import Experiment
from ray_jobs.label_folder import label_store
from ray_jobs.parts import read_parts
from ray_jobs.plan import Plan
from ray_jobs.published.debate_files import find_files
from ray_jobs.published.study import cell_of
from ray_jobs.repertoire import Repertoire
from ray_jobs.said import said
from ray_jobs.store import Store
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.published.files import write_study
from tests.ray_jobs.studies import study
from tests.ray_jobs.test_cli import moot

DEBATES = 4


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return tmp_path / "files"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.mark.parametrize("holding", ["sync_h2h", "3way_cla"])
def test_an_imported_debate_is_known_by_its_turns(files: Path, run: Path, holding: str) -> None:
    written = write_study(files, DEBATES, holding=holding)
    assert moot("import", "interaction-protocol", files, "--out", run).exit_code == 0
    store = Store(str(run))
    experiment = Experiment.thawed(earlier_claims(store)[-1].frozen)
    plan = Plan(experiment, CaseTable(store).ids)
    repertoire = Repertoire(store, experiment)
    for file in find_files(files)[0]:
        place = cell_of(file, plan.cells)
        for at, debate in enumerate(written[file.path.stem]):
            found = repertoire.transcript(plan.debate(at * len(plan.cells) + place))
            assert [turn.label for turn in found.turns] == [turn.label for turns in debate for turn in turns]
            assert [turn.shown for turn in found.turns] == [turn.text for turns in debate for turn in turns]
            steps = len(found.turns) if file.protocol == "round_robin" else len(debate)
            assert len(found.steps) == steps
            assert [turn.model for turn in found.in_round(1)] == list(file.models)


@pytest.mark.parametrize("protocol", ["synchronous", "round_robin"])
def test_turns_as_they_are_kept_are_what_was_said(protocol: str) -> None:
    experiment = study(panels=[["a", "b"]], protocols=[protocol], rounds=3)
    for rows in played(experiment, case_rows(5)):
        turns = sorted(rows["turns"], key=lambda row: (row["round"], row["position"]))
        found = said(turns, in_turn=protocol == "round_robin")
        kept = ("round", "position", "seat", "model", "label", "shown")
        assert [{name: getattr(turn, name) for name in kept} for turn in found.turns] == [
            {name: row[name] for name in kept} for row in turns
        ]
        assert [turn.reading.explanation for turn in found.turns] == [row["explanation"] for row in turns]
        assert len(found.steps) == len({row["step"] for row in rows["replies"]})


def test_a_fork_of_an_imported_run_takes_nothing_over(files: Path, run: Path) -> None:
    write_study(files, DEBATES, holding="h2h_gpt_vs_cla")
    assert moot("import", "interaction-protocol", files, "--out", run).exit_code == 0
    [ids, *_] = (
        part["debate_id"].to_pylist() for part in read_parts(Store(str(run)), "debates", ["debate_id"])
    )
    assert [Elsewhere(str(run)).replies(debate) for debate in ids] == [{}] * len(ids)


@pytest.mark.ray
@pytest.mark.timeout(300)
def test_an_imported_run_is_labelled_by_a_model(files: Path, run: Path, tmp_path: Path) -> None:
    written = write_study(files, DEBATES, holding="h2h_gpt_vs_cla")
    assert moot("import", "interaction-protocol", files, "--out", run).exit_code == 0
    (tmp_path / "models.yaml").write_text("models: {judge: {backend: simulated}}\n")
    told = moot("label", run, "--judge", "judge", "--models", tmp_path / "models.yaml")
    assert told.exit_code == 0, told.output
    turns = [turn for debates in written.values() for debate in debates for each in debate for turn in each]
    store = label_store(Store(str(run)), "judge")
    found = sum(len(part) for part in read_parts(store, "judgments", ["judge"]))
    assert found == sum(turn.label is not None for turn in turns)
