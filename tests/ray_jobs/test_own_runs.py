"""Runs on Ray of protocols of one's own: played like built-in ones, and what fails in them fails alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ray_jobs.moot_runs import check_as_played_here, check_whole, moot, table
from tests.ray_jobs.test_own_protocols import GOOD, HASH, study

pytestmark = pytest.mark.ray
ROOT = Path(__file__).parents[2]
OOPS = GOOD.replace("rounds=3", "rounds=3, oops=True").replace(
    "replies = yield step", "replies = yield step\n        1 / (case.text != 'Story 2.' or round < 2)"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="module")
def run(folder: Path) -> Path:
    """A run whose protocol's file is gone when it has ended."""
    file = study(folder, protocols=["mine.py:tried", "synchronous"], rounds=2)
    moot("run", file, "--out", folder / "run")
    check_whole(folder / "run", file)
    check_as_played_here(folder / "run", file)
    (folder / "mine.py").unlink()
    return folder / "run"


def test_the_run_keeps_what_was_played(run: Path) -> None:
    assert {row["protocol"] for row in table(run, "debates")} == {f"tried@{HASH}", "synchronous"}
    assert (run / "sources" / HASH / "mine.py").read_text() == GOOD


def test_it_goes_on_without_the_file(run: Path) -> None:
    """From what it has kept of the experiment, with another repetition."""
    kept = run / "experiment.yaml"
    more = run.with_name("more.yaml")
    more.write_text(kept.read_text().replace("repetitions: 1", "repetitions: 2").replace("file: ", "file: "))
    told = moot("run", more, "--out", run).stdout
    assert "4 of 8 debates have ended, 4 are to play" in told
    assert len(table(run, "debates")) == 8


def test_another_text_is_told_and_played_beside_the_earlier(run: Path, folder: Path) -> None:
    file = study(folder, GOOD + "\n# changed\n", protocols=["mine.py:tried"], rounds=2)
    told = " ".join(moot("run", file, "--out", run).stdout.split())
    assert "warning: mine.py is another text than when this run was last begun" in told
    names = sorted({row["protocol"] for row in table(run, "debates")})
    assert [name.partition("@")[0] for name in names] == ["synchronous", "tried", "tried"]
    assert "tried (" in (moot("report", run) and (run / "report.html").read_text())


def test_a_protocol_that_fails_fails_its_debate_alone(tmp_path: Path) -> None:
    file = study(tmp_path, OOPS)
    ended = moot("run", file, "--out", tmp_path / "run", code=4)
    line = 1 + OOPS.splitlines().index("        1 / (case.text != 'Story 2.' or round < 2)")
    [failure] = table(tmp_path / "run", "failures")
    assert (failure["case_id"], failure["error_class"], failure["seat"]) == ("case2", "protocol_error", None)
    assert failure["message"].startswith(f"mine.py:{line}: ZeroDivisionError: division by zero, in: 1 /")
    assert [row["case_id"] for row in table(tmp_path / "run", "debates")] == ["case1"]
    assert f"mine.py:{line}: ZeroDivisionError" in " ".join(ended.stdout.split())
    page = " ".join(moot("show", tmp_path / "run", failure["debate_id"]).stdout.split())
    assert f"the protocol: protocol_error mine.py:{line}: ZeroDivisionError" in page
    assert "protocol_error" in moot("show", tmp_path / "run").stdout


def test_the_worked_examples_and_their_measure(tmp_path: Path) -> None:
    file = ROOT / "experiments" / "own.yaml"
    moot("run", file, "--out", tmp_path / "run")
    check_whole(tmp_path / "run", file)
    check_as_played_here(tmp_path / "run", file)
    moot("report", tmp_path / "run", "--measure", f"{ROOT}/experiments/own/decided.py:decided")
    page = (tmp_path / "run" / "report.html").read_text()
    assert "Verdicts of a vote weighted by confidence" in page
    stated = [row["confidence"] for row in table(tmp_path / "run", "turns") if "weighted" in row["protocol"]]
    assert None not in stated
    assert {row["kind"] for row in table(tmp_path / "run", "replies")} == {"turn", "judge"}
