"""What docs/questions.md shows is so."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from ray_jobs.case_block import CaseFile
from ray_jobs.cases import read_cases
from ray_jobs.cli import app
from ray_jobs.experiment import load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.question_sets import QuestionSet, question_set, set_names
from tests.ray_jobs.made_up_sets import DESIGN, FILES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "questions.md").read_text("utf-8")


def shown(language: str) -> list[str]:
    """The blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_rows_are_cases(tmp_path: Path) -> None:
    own, opened = shown("jsonl")
    [table] = shown("csv")
    for name, text in (("own.jsonl", own), ("opened.jsonl", opened), ("own.csv", table)):
        (tmp_path / name).write_text(text, "utf-8")
    moons, third, still_open = read_cases(CaseFile(file=str(tmp_path / "own.jsonl")))
    assert (moons.truth, third.truth, still_open.truth) == ("Saturn", "A", None)
    [same] = read_cases(CaseFile(file=str(tmp_path / "own.csv")))
    assert same == moons
    [case] = read_cases(CaseFile(file=str(tmp_path / "opened.jsonl")))
    assert case.openings is not None
    assert [answer for answer, _ in case.openings] == ["Saturn", "Jupiter"]


def test_the_study_can_be_planned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    study, *_ = shown("yaml")
    (tmp_path / "study.yaml").write_text(study)
    planned = CliRunner().invoke(app, ["plan", str(tmp_path / "study.yaml")])
    assert planned.exit_code == 0, planned.output
    assert "questions: 12 cases" in planned.output


def test_the_blocks_of_published_sets_load(tmp_path: Path) -> None:
    _, *blocks, mapping = shown("yaml")
    formats = []
    for name in ("gpqa_diamond.csv", "anecdotes.jsonl"):
        (tmp_path / name).touch()
    for block in blocks:
        (tmp_path / "study.yaml").write_text(f"name: study\n{block}{DESIGN}")
        formats.append(load_experiment(tmp_path / "study.yaml").cases.format)
    assert formats == ["gpqa", "gpqa", "scruples_anecdotes"]
    names = re.findall(r"^\| `(\w+)` \| ", PAGE, re.MULTILINE)
    assert sorted(name for name in names if name != "format") == sorted(set_names())
    assert QuestionSet.model_validate(yaml.safe_load(mapping)) == question_set("scruples_anecdotes")


def test_the_messages_are_word_for_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused, warned = re.findall(r"```\n((?:questions|warning).*)\n```", PAGE)
    monkeypatch.chdir(tmp_path)
    row, *_ = shown("jsonl")[0].splitlines()
    Path("questions.jsonl").write_text(row.replace('"truth": "Saturn"', '"truth": "Neptune"'))
    with pytest.raises(ExperimentError) as error:
        list(read_cases(CaseFile(file="questions.jsonl")))
    assert str(error.value) == refused
    shutil.copy(FILES["hle"], tmp_path)
    Path("study.yaml").write_text(f"name: study\ncases: {{file: hle.jsonl, format: hle}}\n{DESIGN}")
    assert warned in CliRunner().invoke(app, ["plan", "study.yaml"]).output
