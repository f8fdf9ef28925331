"""`moot show` of a run on questions: who was right, and a debate with all that its turns state."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from typer.testing import CliRunner

from ray_jobs.case_table import add_cases
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.cli import app
from ray_jobs.log import Row
from ray_jobs.parts import ORDER, write_part
from ray_jobs.setting import setting
from ray_jobs.store import Store
from tests.ray_jobs.plays import played
from tests.ray_jobs.test_oversight import argued, questions

pytestmark = pytest.mark.long

PROTOCOLS = ("consultancy", "double_consultancy", "debate", "disagreement_resolution")


@cache
def run() -> tuple[Path, list[Row]]:
    """A study of every protocol, and its rows of `debates`."""
    folder = Path(mkdtemp()) / "run"
    store, plan = Store(str(folder)), argued("one_right")
    claim_run(store, plan, claim_id())
    add_cases(store, questions(6), {"run_id": "r"}, "cases")
    trees = played(plan, questions(6))
    for table in ORDER:
        rows = [row for tree in trees for row in tree.get(table, ())]
        if rows:
            write_part(store, table, "all", rows)
    return folder, [row for tree in trees for row in tree["debates"]]


def shown(*given: str) -> str:
    """What `moot show` prints of it, as one line."""
    result = CliRunner().invoke(app, ["show", str(run()[0]), *given])
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.replace("│", " ").split())


def a_debate(protocol: str, **columns: object) -> Row:
    """A debate of this protocol that is no judgment."""
    return next(
        row
        for row in run()[1]
        if row["protocol"] == protocol
        and row["outcome"] != "judgment"
        and all(row[name] == value for name, value in columns.items())
    )


def test_a_run_tells_who_was_right_how_it_ended_and_what_was_done() -> None:
    said = shown()
    for title in (
        "How often are judges right?",
        "How do disagreement resolutions end?",
        "What do consultants do while they differ?",
    ):
        assert title in said


def test_stages_that_keep_some_debates_are_known_to_the_report() -> None:
    assert setting(Store(str(run()[0]))).kept == {"argued": "one_right"}


@pytest.mark.parametrize(
    "protocol", ["consultancy", "double_consultancy", "debate", "disagreement_resolution"]
)
def test_every_protocol_has_a_page(protocol: str) -> None:
    debate = a_debate(protocol)
    said = shown(debate["debate_id"])
    assert "← right" in said
    assert "round 1, openings" in said
    assert "round 2, turn 1 of " in said
    assert ("argues for" in said) == (protocol != "disagreement_resolution")
    assert ("confidence" in said) == (protocol == "disagreement_resolution")


def test_drafts_and_critiques_stand_on_the_page() -> None:
    best = next(row for row in run()[1] if "best_of_n" in row["variant"] and row["outcome"] != "judgment")
    assert shown(best["debate_id"]).count("draft · seat2 · b") == 3
    critical = next(row for row in run()[1] if "critiqued" in row["variant"] and row["outcome"] != "judgment")
    assert "critique · seat1 · c" in shown(critical["debate_id"])


def test_a_judgment_is_told_right_or_wrong() -> None:
    judgment = next(row for row in run()[1] if row["stage"] == "judged")
    said = shown(judgment["debate_id"])
    assert (" is right" in said) or ("  right" in said) or (" right shown:" in said)
    assert "Answer:" not in said
