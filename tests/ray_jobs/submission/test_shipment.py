"""What is sent with a job is small, complete, the same each time, and holds no secret."""

import os
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import distribution
from pathlib import Path

import pytest

from ray_jobs.case_block import CaseFile
from ray_jobs.cases import load_cases
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.submission import shipment as shipment_module
from ray_jobs.submission.order import Order, attempt_of
from ray_jobs.submission.shipment import STUDY, shipment
from tests.ray_jobs.moot_runs import write_study
from tests.ray_jobs.studies import model_folder

pytestmark = pytest.mark.long

DESIGN = {"panels": [["a", "b"]], "protocols": ["synchronous"]}
SECRET = "sk-not-for-the-cluster"


@pytest.fixture
def experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Experiment:
    """With prompts and replies in files of their own, and a remote model whose key is here."""
    monkeypatch.setenv("SOME_KEY", SECRET)
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "role.txt").write_text("You judge.")
    (tmp_path / "said.jsonl").write_text('{"case": "case1", "seat": "seat1", "text": "NTA"}\n')
    models = {
        "a": {"backend": "simulated"},
        "b": {"backend": "openai", "model": "far", "base_url": "http://far/v1", "key": "SOME_KEY"},
    }
    return load_experiment(write_study(tmp_path, 3, models=models, **DESIGN))


def sent(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_experiment_arrives_as_it_was(experiment: Experiment) -> None:
    with shipment(experiment) as folder:
        arrived = load_experiment(folder / STUDY)
        cases = [[replace(row, place="") for row in load_cases(each)] for each in (experiment, arrived)]
        assert cases[0] == cases[1]
        one, other = experiment.frozen(), arrived.frozen()
        one["cases"].pop("file"), other["cases"].pop("file")
        assert one == other


def test_it_is_small_and_the_same_each_time_and_without_secrets(experiment: Experiment) -> None:
    with shipment(experiment) as folder:
        first = sent(folder)
    with shipment(experiment) as folder:
        assert sent(folder) == first
    assert sum(map(len, first.values())) < 5 * 2**20
    assert not any("__pycache__" in name or name.startswith(("tests", "docs", ".git")) for name in first)
    assert not any(SECRET.encode() in text for text in first.values())


def test_a_job_knows_the_lock_though_moot_is_not_installed_there(experiment: Experiment) -> None:
    code = "import importlib.metadata as m; d = m.distribution('moot'); print(d.locate_file('x'), d.requires)"
    hidden = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with shipment(experiment) as folder:
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=folder, env=hidden, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"x {distribution('moot').requires}"


def test_what_a_cluster_could_not_find_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    model_folder(tmp_path / "models" / "mine", 99)
    models = {"a": {"backend": "vllm", "model": "models/mine"}, "b": {"backend": "simulated"}}
    experiment = load_experiment(write_study(Path(), 1, models=models, **DESIGN))
    monkeypatch.setattr(shipment_module, "MOST_BYTES", 10)
    with pytest.raises(ExperimentError) as refused, shipment(experiment):
        pass
    models_line, cases_line = str(refused.value).splitlines()
    assert (
        "models.a.model: found 'models/mine', a folder of this machine; allowed: for a cluster" in models_line
    )
    assert "cases.file: found 'cases.jsonl' of 0 MiB; allowed: up to 0 MiB" in cases_line


def test_cases_of_a_data_set_have_the_same_bound(
    experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = load_cases(experiment)
    monkeypatch.setattr(shipment_module, "load_cases", lambda _: cases)
    monkeypatch.setattr(shipment_module, "MOST_BYTES", 10)
    hub = CaseFile(dataset="org/set", split="test", format="hle")
    large = experiment.model_copy(update={"cases": hub})
    told = r"cases: found 'org/set, test' of 0 MiB; allowed: up to 0 MiB"
    with pytest.raises(ExperimentError, match=told), shipment(large):
        pass


def test_attempts_at_the_same_are_numbered_and_all_else_has_another_name(
    experiment: Experiment, tmp_path: Path
) -> None:
    order = Order(experiment, "/shared/run")
    assert order.id(2) == f"moot-study-{order.fingerprint}-2"
    assert Order(experiment, "/shared/run", cpus=2.0).name == order.name
    assert attempt_of(order.id(12), order.name) == 12
    assert attempt_of(order.id(1), order.name[:-1]) is None
    assert attempt_of("raysubmit_x", order.name) is None
    (tmp_path / "more").mkdir()
    more = write_study(tmp_path / "more", 4, models=experiment.frozen()["models"], **DESIGN)
    others = [
        Order(experiment, "/shared/other"),
        Order(experiment, "/shared/run", ("--retry-failed",)),
        Order(experiment.model_copy(update={"seed": 2}), "/shared/run"),
        Order(load_experiment(more), "/shared/run"),
    ]
    assert len({each.name for each in [order, *others]}) == 5
    assert order.entrypoint == "python -m ray_jobs.run study.yaml --out /shared/run"
