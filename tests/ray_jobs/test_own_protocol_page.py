"""What docs/tutorials/own_protocol.md shows is so: its files are written, and its commands run, in order."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ray_jobs.cli import app
from tests.ray_jobs.moot_runs import moot

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tutorials" / "own_protocol.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILES = {name: text for _, name, text in BLOCK.findall(PAGE) if name}
COMMANDS = [line for kind, _, text in BLOCK.findall(PAGE) if kind == "sh" for line in text.splitlines()]
SAID = [text for kind, _, text in BLOCK.findall(PAGE) if kind == "text"]
PLAYED = ("run", "show", "report")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all files of the page, and the cases of the ready experiment, where its commands run."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    shutil.copytree(ROOT / "experiments" / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def as_shown(shown: str) -> re.Pattern[str]:
    """What the page shows of an output; … stands for anything on its line."""
    return re.compile(re.escape(shown.strip()).replace("…", ".*"))


def test_the_files_are_those_of_the_repository() -> None:
    for name in ("own.yaml", "own/moderated.py", "own/weighted.py", "own/decided.py", "own/blame.py"):
        assert FILES[name] == (ROOT / "experiments" / name).read_text("utf-8")


def test_every_block_is_a_file_a_command_or_an_output() -> None:
    assert {kind for kind, name, _ in BLOCK.findall(PAGE) if not name} == {"sh", "text"}
    assert all(line.startswith("moot ") for line in COMMANDS)
    assert PAGE.count("```") == 2 * len(BLOCK.findall(PAGE))


@pytest.mark.timeout(400)
@pytest.mark.usefixtures("folder")
def test_what_is_checked() -> None:
    """Every `moot check` and `moot plan` of the page, and what it shows of them."""
    told = {}
    for line in COMMANDS:
        words = shlex.split(line)[1:]
        if words[0] not in PLAYED:
            done = CliRunner().invoke(app, words)
            assert done.exit_code == (2 if "wrong.py" in line else 0), done.output
            told[line] = done.stdout
    assert as_shown(SAID[0]).search(told["moot check my_protocol.py"])
    assert as_shown(SAID[1]).search(told["moot check wrong.py --seats 3"])
    assert "devils_advocate@" in told["moot plan study.yaml"]


@pytest.mark.ray
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("folder")
def test_what_is_played() -> None:
    """Every `moot run`, `show` and `report` of the page, and the run that needs its file no more."""
    for line in COMMANDS:
        words = shlex.split(line)[1:]
        if words[0] in PLAYED:
            moot(*words)
    moot("report", "advocates")
    assert "devils-advocate (" in Path("advocates/report.html").read_text()
    assert "Verdicts of a vote weighted by confidence" in Path("own-run/report.html").read_text()
    Path("my_protocol.py").unlink()
    moot("run", "advocates/experiment.yaml", "--out", "advocates")
