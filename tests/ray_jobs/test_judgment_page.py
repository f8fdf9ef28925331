"""What is shown of a run with judges: the page of a judgment, and the debate named as one to read."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ray_jobs.case_table import add_cases
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.cli import app
from ray_jobs.experiment import Experiment
from ray_jobs.log import Row
from ray_jobs.parts import ORDER, write_part
from ray_jobs.store import Store
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study

pytestmark = pytest.mark.long


def experiment(sees: str) -> Experiment:
    """Two cases, each debated and judged in JSON."""
    judges = {"models": ["c"], "sees": sees, "answer": "json"}
    stages = [{"name": "judged", "judges": judges}]
    return study(panels=[["a", "b"]], protocols=["synchronous"], rounds=2, stages=stages)


def a_run(folder: Path, sees: str = "transcript", judged: bool = True) -> tuple[Path, list[Row]]:
    """A run of it, played in this process, maybe without its judgments; and its rows of `debates`."""
    run, plan = folder / "run", experiment(sees)
    store = Store(str(run))
    claim_run(store, plan, claim_id())
    add_cases(store, case_rows(2), {"run_id": "r"}, "cases")
    trees = [tree for tree in played(plan, case_rows(2)) if judged or "judgments" not in tree]
    for table in ORDER:
        rows = [row for tree in trees for row in tree.get(table, ())]
        if rows:
            write_part(store, table, "all", rows)
    return run, [row for tree in trees for row in tree["debates"]]


def shown(*given: object) -> str:
    return words("show", *given)


def words(*given: object) -> str:
    """What a command prints, as one line."""
    result = CliRunner().invoke(app, [*map(str, given)])
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("sees", "says"),
    [
        ("transcript", "shown: all that was said"),
        ("positions", "shown: what each seat said last"),
        ("nothing", "shown: nothing but the case"),
    ],
)
def test_the_page_of_a_judgment_tells_what_was_judged_and_what_was_decided(
    tmp_path: Path, sees: str, says: str
) -> None:
    run, debates = a_run(tmp_path, sees)
    first, judgment = debates[:2]
    page = shown(run, judgment["debate_id"])
    assert "The story of conflict 1." in page
    assert "stage judged" in page
    assert f"{says} · of debate {first['debate_id']} after round {first['rounds']}" in page
    assert "Judge · c · pass 1" in page
    assert f"1 call, {judgment['prompt_tokens'] + judgment['completion_tokens']:,} tokens" in page
    assert f"judgment {judgment['debate_id']}" in page
    assert '"explanation"' not in page, "the explanation, not the JSON that it came in"


def test_the_debate_to_read_is_no_judgment(tmp_path: Path) -> None:
    run, debates = a_run(tmp_path)
    page = shown(run)
    assert "2 debates finished, 0 failed; 2 judgments, 0 failed" in page
    named = {row["debate_id"]: row["outcome"] for row in debates if f"{run} {row['debate_id']}" in page}
    (debate, judgment) = named.values()
    assert debate != "judgment" == judgment


def test_judgments_that_failed_are_told_by_judge(tmp_path: Path) -> None:
    """Not one that a later try has finished, nor the failure of a debate."""
    run, debates = a_run(tmp_path)
    told = {"error_class": "overloaded", "seat": "judge", "message": "judge 'c': down"}
    lost = {"error_class": "transient", "seat": "seat1", "message": "judge 'c': no"}
    ids = ["0000000000000001", "0000000000000002", debates[1]["debate_id"]]
    rows = [{"debate_id": id, **told} for id in ids] + [{"debate_id": "0000000000000003", **lost}]
    write_part(Store(str(run)), "failures", "all", rows)
    assert "Judgments failed: 2 overloaded of judge c." in shown(run)
    assert "Failed: 2 overloaded of judge c, 1 transient;" in words("status", run)


def test_judgments_that_are_to_follow_are_told(tmp_path: Path) -> None:
    run, _ = a_run(tmp_path, judged=False)
    assert "Of stage judged 0 are finished, 2 are to follow." in shown(run)
