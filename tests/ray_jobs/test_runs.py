"""Runs on Ray from file to tables: complete, the same however they are run, and extended by what is new."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from analysis.render import render
from analysis.summary import summarise
from ray_jobs.cases import load_cases
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.experiment import load_experiment
from ray_jobs.log import Log
from ray_jobs.show import _example
from ray_jobs.store import Store
from tests.ray_jobs.moot_runs import (
    check_as_played_here,
    check_whole,
    moot,
    parts,
    table,
    write_study,
)
from tests.ray_jobs.plays import played

pytestmark = pytest.mark.ray

MODELS: dict[str, Any] = {
    "a": {"backend": "simulated"},
    "b": {"backend": "simulated", "alpha": 0.2, "in_flight": 5},
}
DESIGNS: list[dict[str, Any]] = [
    {"panels": [["a"], ["b"]], "protocols": ["solo", "synchronous"]},
    {"panels": [["a", "b"], ["b", "b", "a"]], "protocols": ["synchronous", "round_robin"], "answer": "json"},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The experiment file and the run directory of this module."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def file(folder: Path) -> Path:
    return write_study(folder, 12, models=MODELS, designs=DESIGNS, repetitions=1, seed=5)


@pytest.fixture(scope="module")
def run(folder: Path, file: Path) -> Path:
    """The run of the experiment, played once."""
    moot("run", file, "--out", folder / "run")
    return folder / "run"


def change(file: Path, **keys: Any) -> Path:
    """The experiment with other keys, in a file beside it."""
    changed = file.with_name("changed.yaml")
    changed.write_text(yaml.safe_dump({**yaml.safe_load(file.read_text()), **keys}, sort_keys=False))
    return changed


def test_a_run_holds_what_was_planned_and_said(run: Path, file: Path) -> None:
    check_whole(run, file)
    check_as_played_here(run, file)


def test_a_finished_run_is_left_alone(run: Path, file: Path) -> None:
    before = parts(run)
    again = moot("run", file, "--out", run)
    assert "0 are to play" in again.stdout
    assert parts(run) == before


def test_what_is_shown_is_what_the_analysis_gives(run: Path) -> None:
    shown = moot("show", run).stdout
    console = Console(width=120, force_terminal=False)
    with console.capture() as expected:
        console.print(render(summarise(run)))
    assert shown.startswith(expected.get())
    debate = _example(Store(str(run)))
    assert f"moot show {run} {debate}" in shown
    assert f"debate {debate}" in " ".join(moot("show", run, debate).stdout.split())


def test_a_run_of_other_questions_is_refused(run: Path, file: Path) -> None:
    before = parts(run)
    for keys, says in (
        ({"seed": 6}, "seed: was 5, is 6"),
        ({"models": {**MODELS, "a": {"backend": "simulated", "alpha": 3}}}, "models.a.alpha: was 1.5, is 3"),
    ):
        refused = moot("run", change(file, **keys), "--out", run, code=2)
        assert says in refused.stderr
    assert parts(run) == before


def test_a_log_of_other_questions_stops_a_run(tmp_path: Path) -> None:
    """With the seat and the difference, as the debate found it, not with a worker's stack."""
    file = write_study(tmp_path, 1, models={"a": MODELS["a"]}, panels=[["a"]], protocols=["solo"])
    experiment = load_experiment(file)
    store = Store(str(tmp_path / "run"))
    claim_run(store, experiment, claim_id())
    log = Log(store, "earlier")
    [rows] = played(experiment.model_copy(update={"seed": 1}), load_cases(experiment))
    for row in rows["replies"]:
        log.append(row)
    log.close()
    stopped = moot("run", file, "--out", tmp_path / "run", code=2)
    assert "error: seat1, step 0, slot 0: the log holds the reply to another question: seed" in stopped.stderr


def test_an_extended_run_plays_what_is_new_with_as_many_replicas_as_there_are(run: Path, file: Path) -> None:
    """The earlier parts stay as they are; the tables are those of one run, however many replicas answered."""
    before = parts(run)
    models = {name: {**block, "replicas": 3} for name, block in MODELS.items()}
    extended = change(file, repetitions=2, models=models)
    first = len(table(run, "debates"))
    told = moot("run", extended, "--out", run)
    assert f"{first} of {2 * first} debates have ended, {first} are to play" in told.stdout
    assert before.items() <= parts(run).items()
    check_whole(run, extended)
    check_as_played_here(run, extended)
    assert len({row["claim"] for row in table(run, "replies")}) == 2


def test_a_debate_that_fails_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    """A script without a reply for one case."""
    replies = [{"case_id": f"case{n}", "text": "NTA"} for n in range(1, 5)]
    replies[0]["text"] = "half \ud83d of a pair: NTA"
    models = {"s": {"backend": "scripted", "replies": replies}}
    file = write_study(tmp_path, 5, models=models, panels=[["s", "s"]], protocols=["synchronous"])
    told = moot("run", file, "--out", tmp_path / "run", code=4)
    assert "1 failed" in told.stdout
    assert "warning: model 's': bad_request: no scripted reply" in " ".join(told.stdout.split())
    assert (
        "1 debates and judgments have failed: 1 bad_request of model s. To read of one: moot show"
        in told.stderr
    )
    [failure] = table(tmp_path / "run", "failures")
    assert (failure["case_id"], failure["error_class"]) == ("case5", "bad_request")
    assert failure["message"].startswith("model 's': no scripted reply for case 'case5'")
    assert len(table(tmp_path / "run", "debates")) == 4
    assert "half \ufffd of a pair: NTA" in [row["text"] for row in table(tmp_path / "run", "replies")]
    assert "bad_request of s" in moot("show", tmp_path / "run").stdout
    one = moot("show", tmp_path / "run", failure["debate_id"]).stdout
    assert "seat1, model s: bad_request" in one
