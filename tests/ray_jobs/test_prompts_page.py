"""`moot plan --prompts` shows every kind of prompt once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from typer.testing import CliRunner

from ray_jobs.cli import app
from ray_jobs.experiment import load_experiment
from ray_jobs.prompts_page import prompts

STUDY = """
name: kinds
cases: {file: experiments/data/questions.jsonl, limit: 1}
models: {a: {backend: simulated}, b: {backend: simulated}}
panels: [[a, b]]
protocols: [solo]
stages:
  - name: argued
    stance_swap: crossed
    protocols:
      - debate
      - {debate: {best_of_n: {n: 2}, words: 60}}
      - disagreement_resolution
      - {disagreement_resolution: {critiqued: {critic: b}, history: full}}
  - {name: judged, from: argued, judges: {models: [a, b], passes: 2}}
  - {name: won, from: argued, judges: {models: [a], sees: positions, answers: winner}}
"""


def written(tmp_path: Path) -> Path:
    file = tmp_path / "study.yaml"
    file.write_text(STUDY)
    return file


def shown(tmp_path: Path) -> list[tuple[str, str]]:
    """Each prompt of the study: its name, and what is asked last."""
    (tmp_path / "study.yaml").write_text(STUDY)
    return [
        (head, ask.messages[-1].content) for head, ask in prompts(load_experiment(tmp_path / "study.yaml"))
    ]


def test_each_kind_stands_there_once(tmp_path: Path) -> None:
    heads = Counter(head for head, _ in shown(tmp_path))
    argued = [head for head in heads if head.startswith("stage argued")]
    assert len([head for head in argued if "words 60" in head and "choice of a draft" in head]) == 1
    assert len([head for head in argued if "words 60" in head and " draft" in head]) == 2
    assert len([head for head in argued if "history full" in head and "critique ·" in head]) == 1
    judged = [head for head in heads if head.startswith("stage judged")]
    assert sorted(head.split(" · ")[1] for head in judged) == ["debate", "disagreement_resolution"]
    assert len([head for head in heads if "sees positions, answers with winner" in head]) == 2
    assert set(heads.values()) == {1}


def test_no_prompt_is_shown_twice(tmp_path: Path) -> None:
    texts = Counter((head.split(" · ")[0], said) for head, said in shown(tmp_path))
    assert set(texts.values()) == {1}


def test_long_names_are_not_cut(tmp_path: Path) -> None:
    shown(tmp_path)
    printed = CliRunner().invoke(
        app, ["plan", str(tmp_path / "study.yaml"), "--prompts"], env={"COLUMNS": "60"}
    )
    assert printed.exit_code == 0, printed.output
    assert (
        "critiqued (critic b), history full · steering vanilla · answer text · critique · seat"
        in printed.output
    )
