"""The experiment file: its shape, its defaults, its frozen form."""

import json
import pickle
from pathlib import Path

import pytest
import yaml

from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.located import ExperimentError
from serving.remote_block import RemoteBlock

ROOT = Path(__file__).parents[2]
CASE = '{"id": "one", "title": "A title.", "text": "A text."}\n'
STUDY = """\
name: study
cases: {file: cases.jsonl}
models:
  a: {backend: simulated}
  b: {backend: scripted, file: replies.jsonl}
panels: [[a, b]]
protocols: [synchronous, round_robin: {orders: latin, stop: never}]
"""


def write(folder: Path, text: str) -> Path:
    """An experiment file in `folder`, with the files that it names."""
    (folder / "cases.jsonl").write_text(CASE)
    (folder / "replies.jsonl").write_text('{"text": "NTA"}\n')
    (folder / "study.yaml").write_text(text)
    return folder / "study.yaml"


def test_what_a_file_leaves_out_has_its_default(tmp_path: Path) -> None:
    experiment = load_experiment(write(tmp_path, STUDY))
    [product] = experiment.products
    assert (product.rounds, product.steering, product.answer, product.labels) == (
        4,
        ("default",),
        ("text",),
        "balanced",
    )
    assert (experiment.repetitions, experiment.seed, experiment.cases.limit) == (1, 0, None)


def test_a_design_overrides_the_top_level_axis_by_axis(tmp_path: Path) -> None:
    text = STUDY.replace("panels: [[a, b]]\n", "").replace(
        "protocols: [synchronous, round_robin: {orders: latin, stop: never}]",
        "designs:\n"
        "  - {panels: [[a, a]], protocols: [solo], steering: none, rounds: 2}\n"
        "  - {panels: [[a, b]], protocols: [synchronous], answer: [text, json], labels: crossed}\n"
        "steering: [balanced, [default, none]]\n"
        "rounds: 3",
    )
    first, second = load_experiment(write(tmp_path, text)).products
    assert (first.steering, first.rounds, first.answer) == (("none",), 2, ("text",))
    assert (second.steering, second.rounds) == (("balanced", ("default", "none")), 3)
    assert (second.answer, second.labels) == (("text", "json"), "crossed")


def test_a_frozen_experiment_needs_none_of_its_files(tmp_path: Path) -> None:
    """Through JSON and through YAML, after its files are gone."""
    file = write(tmp_path, STUDY + "prompts: words\nseed: 3\n")
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "task.txt").write_text("Judge.\n")
    (tmp_path / "words" / "README.md").write_text("No section.")
    experiment = load_experiment(file)
    frozen = experiment.frozen()
    for gone in [*tmp_path.glob("*.*"), *tmp_path.glob("words/*")]:
        gone.unlink()
    for thawed in (
        Experiment.thawed(json.loads(json.dumps(frozen))),
        Experiment.thawed(yaml.safe_load(yaml.safe_dump(frozen))),
    ):
        assert thawed.frozen() == frozen
        assert thawed.products == experiment.products
        assert thawed.models == experiment.models
        assert thawed.identities() == experiment.identities()
        assert thawed.wording.text("task") == "Judge."


def test_the_ready_experiments_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the root of the repository, where their paths begin."""
    monkeypatch.chdir(ROOT)
    first_light = load_experiment("experiments/first_light.yaml")
    assert (first_light.name, first_light.cases.limit, first_light.seed) == ("first-light", 4, 7)
    assert [product.panels for product in first_light.products] == [(("smollm2", "smollm2"),)] * 2
    remote = load_experiment("experiments/remote.yaml")
    assert (remote.name, remote.budget is not None, len(remote.stages)) == ("remote", True, 1)
    assert all(isinstance(block, RemoteBlock) for block in remote.models.values())


def test_paths_are_sought_beside_the_file_and_then_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "far").mkdir()
    file = write(tmp_path / "far", STUDY)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases.jsonl").write_text(CASE)
    assert Path(load_experiment(file).cases.file) == tmp_path / "far" / "cases.jsonl"
    (tmp_path / "far" / "cases.jsonl").unlink()
    assert load_experiment(file).cases.file == "cases.jsonl"
    (tmp_path / "cases.jsonl").unlink()
    with pytest.raises(ExperimentError) as refused:
        load_experiment(file)
    for part in (
        f"{file}:2: cases.file: found 'cases.jsonl'",
        f"no {tmp_path}/far/cases.jsonl and no cases.jsonl",
        "allowed: what exists, beside the experiment file or in",
    ):
        assert part in str(refused.value)


def test_a_model_folder_beside_the_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "models" / "mine").mkdir(parents=True)
    text = STUDY.replace("backend: simulated", "backend: vllm, model: models/mine")
    experiment = load_experiment(write(tmp_path, text))
    assert experiment.models["a"].identity()["model"] == str(tmp_path / "models" / "mine")


def test_an_error_survives_pickling(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError) as refused:
        load_experiment(write(tmp_path, STUDY.replace("[a, b]", "[a, c]")))
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


def test_frozen_data_of_another_shape_is_refused(tmp_path: Path) -> None:
    frozen = load_experiment(write(tmp_path, STUDY)).frozen()
    with pytest.raises(ExperimentError, match=r"the frozen experiment: rounds: found 99; allowed: less than"):
        Experiment.thawed({**frozen, "rounds": 99})
