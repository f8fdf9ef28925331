"""A key that is not there is told before anything starts."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ray_jobs.cli import app

STUDY = """\
name: study
cases: {file: cases.jsonl}
models:
  far: {backend: openai, model: m, base_url: "http://127.0.0.1:9/v1", key: STUDY_KEY}
panels: [[far, far]]
protocols: [synchronous]
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study on a remote model; no other process wants its run."""
    monkeypatch.setattr("ray_jobs.lease.SETTLE_SECONDS", {True: 0.0, False: 0.0})
    monkeypatch.delenv("STUDY_KEY", raising=False)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    (tmp_path / "cases.jsonl").write_text(json.dumps({"id": "c", "title": "T", "text": "Story."}) + "\n")
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path / "study.yaml"


def test_a_run_on_this_machine_is_refused_before_ray_starts(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("ray_jobs.connection.ray.init")
    for value in (None, " "):
        if value is not None:
            monkeypatch.setenv("STUDY_KEY", value)
        refused = CliRunner().invoke(app, ["run", str(file), "--out", str(file.parent / "run")])
        assert refused.exit_code == 2
        assert (
            "study.yaml:4: models.far.key: found 'STUDY_KEY', which is not set in this shell"
            in refused.stderr
        )


def test_a_plan_notes_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = "STUDY_KEY is not set in this shell"
    assert note in CliRunner().invoke(app, ["plan", str(file)]).stdout
    monkeypatch.setenv("STUDY_KEY", "sk-any")
    assert note not in CliRunner().invoke(app, ["plan", str(file)]).stdout
