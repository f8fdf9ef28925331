"""What docs/dilemmas.md shows is so."""

from __future__ import annotations

import re
from pathlib import Path

import orjson
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from ray_jobs.case_block import CaseFile
from ray_jobs.cases import read_cases
from ray_jobs.cli import app
from ray_jobs.dilemmas.selection import CHOSEN, FEW, LESS
from ray_jobs.dilemmas.submissions import KEPT, REASONS
from ray_jobs.experiment import load_experiment

PAGE = (Path(__file__).parents[3] / "docs" / "dilemmas.md").read_text("utf-8")
POSTS, COMMENTS = re.findall(r"```jsonl\n(.*?)```", PAGE, re.DOTALL)
COMMAND, PRINTED = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)[:1] + re.findall(
    r"```\n(RS\.jsonl.*?)```", PAGE, re.DOTALL
)


@pytest.fixture
def printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the command of the page prints on its dumps."""
    monkeypatch.chdir(tmp_path)
    Path("RS.jsonl").write_text(POSTS, "utf-8")
    Path("RC.jsonl").write_text(COMMENTS, "utf-8")
    words = COMMAND.replace(".zst", ".jsonl").split()[1:]
    done = CliRunner().invoke(app, [*words, "--verdicts", "2"])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_output_is_as_shown(printed: str) -> None:
    assert [line.rstrip() for line in printed.splitlines()] == PRINTED.splitlines()


@pytest.mark.usefixtures("printed")
def test_the_case_is_without_edit_and_names() -> None:
    [case] = read_cases(CaseFile(file="dilemmas/cases.jsonl"))
    assert case.text.endswith("does not speak to me.")
    assert "; [someone] says that" in case.text
    assert case.contestation == 1.0
    written = orjson.loads(Path("dilemmas/cases.jsonl").read_bytes())
    assert (written["share_NTA"], written["weighted_NTA"], written["weighted_YTA"]) == (0.5, 40 / 49, 9 / 49)


@pytest.mark.usefixtures("printed")
def test_the_columns_are_named_on_the_page() -> None:
    table = pq.read_table("dilemmas/posts.parquet")
    assert "title" not in table.column_names
    assert set(pq.read_table("dilemmas/cases.parquet").column_names) < {"title", "text", "source"} | set(
        table.column_names
    )
    for name in (
        "n_verdicts",
        "n_no_verdict",
        "n_several_verdicts",
        "n_gone",
        "n_judged",
        "contestation",
        "share_NTA",
    ):
        assert name in table.column_names
        assert f"`{name}`" in PAGE


def test_the_study_of_judges_loads(printed: str, tmp_path: Path) -> None:
    assert "comments for a judge" not in printed
    [block] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    words = COMMAND.replace(".zst", ".jsonl").replace("--out dilemmas", "--out new").split()[1:]
    done = CliRunner().invoke(app, [*words, "--verdicts", "2", "--unread"])
    assert done.exit_code == 0, done.output
    Path("judges.yaml").write_text(block.replace("dilemmas/", "new/"), "utf-8")
    [case] = read_cases(load_experiment(tmp_path / "judges.yaml").cases)
    assert "YTA for the cake, NTA for the train" in case.text


def test_every_option_is_on_the_page() -> None:
    helped = CliRunner().invoke(app, ["dilemmas", "build", "--help"], env={"COLUMNS": "200"}).output
    options = set(re.findall(r"--[a-z]+", helped)) - {"--help", "--no"}
    assert options == set(re.findall(r"`(--[a-z]+)`", PAGE.split("## Dumps")[0]))


def test_every_reason_is_on_the_page() -> None:
    rows = "".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE))
    assert {why for why in (*REASONS, CHOSEN, FEW, LESS) if f"`{why}`" not in rows} == {KEPT}
