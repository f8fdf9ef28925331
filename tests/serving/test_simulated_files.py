"""The file of what a simulated model knows is found beside the experiment file, as files of models are."""

from __future__ import annotations

from pathlib import Path

import pytest

from ray_jobs.experiment import load_experiment
from ray_jobs.located import ExperimentError

EXPERIMENT = """
name: study
cases: {file: questions.jsonl}
models:
  a: {backend: simulated, oversight: {knows: KNOWN, right: 0.25}}
panels: [[a, a]]
protocols: [solo]
"""
QUESTION = '{"id": "q", "text": "?", "options": ["x", "y"], "truth": "y"}\n'


def study(folder: Path, known: str) -> Path:
    (folder / "questions.jsonl").write_text(QUESTION)
    file = folder / "study.yaml"
    file.write_text(EXPERIMENT.replace("KNOWN", known))
    return file


def test_it_is_found_beside_the_experiment(tmp_path: Path) -> None:
    block = load_experiment(study(tmp_path, "questions.jsonl")).models["a"]
    assert block.model_dump()["oversight"]["knows"] == {"q": {"truth": "y", "right": None}}


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ("none.csv", ":5: models.a.oversight.knows: found 'none.csv', but there is no"),
        ("study.yaml", ":5: models.a.oversight.knows: cannot read"),
        ("questions.jsonl, q: 2", ":5: models.a.oversight.q: found 2; allowed: less than or equal to 1"),
        (
            "questions.jsonl, adopt: 1",
            ":5: models.a.oversight.adopt: found the unknown key 'adopt'; allowed: ",
        ),
    ],
)
def test_what_is_wrong_is_told_by_line_and_key(known: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ExperimentError) as refusal:
        load_experiment(study(tmp_path, known))
    assert message in str(refusal.value)
