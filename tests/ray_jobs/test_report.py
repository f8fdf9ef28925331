"""moot report and moot compare: pages from run directories, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis import bootstrap
from analysis.measures.catalogue import VERDICTS
from analysis.report import run as report_of_a_run
from ray_jobs.parts import write_part
from ray_jobs.store import Store
from tests.analysis.causal.played import arm_turns
from tests.analysis.replication.runs import played as debates
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study
from tests.ray_jobs.test_cli import a_run, moot, refused
from tests.ray_jobs.test_model_commands import begun

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few measures of few draws, and no Ray."""
    monkeypatch.setattr(bootstrap, "DRAWS", 100)
    monkeypatch.setattr(report_of_a_run.report, "__defaults__", (VERDICTS[:1],))
    monkeypatch.delattr("ray_jobs.connection.ray.init")


def test_a_report_is_written_into_the_run_with_its_files_beside_it(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    told = moot("report", run)
    assert told.exit_code == 0, told.output
    assert str(run / "report.html") in told.stdout
    page = (run / "report.html").read_text("utf-8")
    assert "rounds at most, stopping at consensus" in page
    assert "What a said comes from a simulation or a script" in page
    assert "moot label RUN --judge MODEL" in page
    assert "Inertia and conformity" in page
    assert "Designed arms" not in page
    assert (run / "report/figures/consensus.svg").exists()
    assert (run / "report/tables/consensus.tex").exists()


def test_inertia_and_conformity_are_reported(tmp_path: Path) -> None:
    pairs = [("synchronous", ("gpt", "claude")), ("round_robin", ("gpt", "claude"))]
    run = begun(tmp_path / "run", debates(40, 1, conditions=pairs))
    told = moot("report", run)
    assert told.exit_code == 0, told.output
    for name in ("figures/inertia.svg", "tables/inertia.csv", "tables/inertia-predictive.csv"):
        assert (run / "report" / name).exists(), name


def test_designed_arms_are_reported_where_there_are_some(tmp_path: Path) -> None:
    run = begun(tmp_path / "run", arm_turns(10))
    told = moot("report", run)
    assert told.exit_code == 0, told.output
    page = (run / "report.html").read_text("utf-8")
    assert "Designed arms" in page
    assert "90 further debates with a planted verdict" in page
    assert (run / "report/tables/causal-gamma_within.csv").exists()


def test_a_report_is_the_same_each_time(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    pages = []
    for name in ("one.html", "two.html"):
        assert moot("report", run, "--out", tmp_path / name).exit_code == 0
        pages.append((tmp_path / name).read_text("utf-8").replace(name.split(".")[0] + "/", ""))
    assert pages[0] == pages[1]


def test_a_run_that_is_not_finished_is_told(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    for table in ("turns", "replies", "debates"):
        (run / "tables" / table / "2.parquet").unlink()
    assert moot("report", run).exit_code == 0
    assert "2 of 3 planned debates are finished." in (run / "report.html").read_text("utf-8")


def test_two_runs_are_compared(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one, other = a_run(tmp_path), a_run(tmp_path / "other")
    told = moot("compare", one, other)
    assert told.exit_code == 0, told.output
    page = (other / "compare.html").read_text("utf-8")
    assert "Models, sampling, prompts and seed are the same in both." in page
    assert "3 cases in both, 0 cases only in A, 0 cases only in B." in page


def test_a_run_is_not_compared_with_itself(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    refused(moot("compare", run, f"{run}/"), "are the same run", "two runs of one design")


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    refused(moot("report", tmp_path / "none"), str(tmp_path / "none"), "found no run of moot")
    refused(moot("report", tmp_path), str(tmp_path), "found no run of moot")
    refused(moot("compare", run, tmp_path), str(tmp_path), "found no run of moot")


def test_a_page_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    refused(moot("report", run, "--out", tmp_path), "--out: found the folder", "report.html")
    refused(
        moot("report", run, "--out", tmp_path / "no" / "page.html"), "there is no folder", "make it first"
    )
    refused(moot("report", run, "--out", tmp_path / "page"), "has no ending", "page.html")
    refused(moot("report", run, "--out", tmp_path / "page.pdf"), "a page is HTML", "page.html", "as PDF")
    (tmp_path / "taken").write_text("")
    refused(moot("report", run, "--out", tmp_path / "taken.html"), "taken", "cannot be written")


def test_runs_on_other_cases_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one, other = a_run(tmp_path), a_run(tmp_path / "other")
    experiment = study(models={"a": {"backend": "simulated"}}, panels=[["a", "a"]], protocols=["synchronous"])
    for table in ("turns", "replies", "debates"):
        for number in range(3):
            (other / "tables" / table / f"{number}.parquet").unlink()
    for number, rows in enumerate(played(experiment, case_rows(3))):
        for table in ("turns", "replies", "debates"):
            told = [{**row, "case_id": f"other {row['case_id']}"} for row in rows[table]]
            write_part(Store(str(other)), table, str(number), told)
    refused(moot("compare", one, other), "have no case in common")
