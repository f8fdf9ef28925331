"""Every kind of bad value in an experiment file: the message names file, line, key, found and allowed."""

from pathlib import Path

import pytest
import yaml

from ray_jobs.experiment import load_experiment
from ray_jobs.located import ExperimentError

STUDY = """\
name: study
cases: {file: cases.jsonl}
models:
  a: {backend: simulated}
  b: {backend: scripted, replies: [{text: NTA}]}
panels: [[a, b]]
protocols: [synchronous]
rounds: 3
steering: default
answer: json
labels: fixed
repetitions: 1
seed: 7
"""
BAD = yaml.safe_load((Path(__file__).parent / "bad_experiments.yaml").read_text("utf-8"))


@pytest.mark.parametrize("bad", BAD, ids=[bad["says"] for bad in BAD])
def test_the_message_names_file_line_key_found_and_allowed(tmp_path: Path, bad: dict[str, str]) -> None:
    (tmp_path / "cases.jsonl").touch()
    file = tmp_path / "study.yaml"
    assert bad["for"] in STUDY or bad["for"] == "(all)"
    file.write_text(bad["write"] if bad["for"] == "(all)" else STUDY.replace(bad["for"], bad["write"], 1))
    with pytest.raises(ExperimentError) as refused:
        load_experiment(file)
    lines = str(refused.value).splitlines()
    assert all(line.startswith(f"{file}:") for line in lines)
    assert any(line.startswith(f"{file}{bad['says']}") for line in lines), str(refused.value)


@pytest.mark.parametrize(
    ("good", "near"),
    [("seed", "sede"), ("cases", "case"), ("backend: simulated", "backend: simulate"), ("a, b", "a, b1")],
)
def test_a_near_miss_is_told_what_was_meant(tmp_path: Path, good: str, near: str) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(STUDY.replace("  b: ", "  b12: ").replace("a, b]", "a, b12]").replace(good, near, 1))
    with pytest.raises(ExperimentError, match="did you mean '"):
        load_experiment(file)


def test_everything_that_is_wrong_is_listed(tmp_path: Path) -> None:
    """A line for each of two mistakes of shape, and for each of four across keys."""
    file = tmp_path / "study.yaml"
    file.write_text(STUDY.replace("seed: 7", "seed: x").replace("answer: json", "answer: xml"))
    with pytest.raises(ExperimentError) as refused:
        load_experiment(file)
    assert len(str(refused.value).splitlines()) == 2
    file.write_text(
        STUDY.replace("[a, b]", "[x, y]").replace("default", "none, none").replace("synchronous", "s")
    )
    with pytest.raises(ExperimentError) as refused:
        load_experiment(file)
    assert len(str(refused.value).splitlines()) == 4


def test_the_base_of_these_cases_is_good(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").touch()
    (tmp_path / "study.yaml").write_text(STUDY)
    assert load_experiment(tmp_path / "study.yaml").rounds == 3
