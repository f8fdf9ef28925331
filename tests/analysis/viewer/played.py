"""Runs for the viewer, played in the test's own process by simulated agents and written as a run's tables.

`moral` has every table: debates of two panels in two protocols, judges, labels of two judges in two passes
and a debate that failed; `asked` has questions, whose disagreements go on. What models and files say there
may be put in place by others, see `hostile`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from protocols.values import VALUES_48, write_taxonomy
from ray_jobs.case_table import add_cases
from ray_jobs.cases import CaseRow
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.experiment import Experiment
from ray_jobs.line import AskFailed
from ray_jobs.log import Row
from ray_jobs.parts import ORDER, Rows, write_part
from ray_jobs.playing import failure_rows
from ray_jobs.store import Store
from tests.ray_jobs.plays import played
from tests.ray_jobs.studies import study

Change = Callable[[str, Row], Row]
"""Makes of a row of a table another."""

REASON = "The context of 2,048 tokens is too short."


def moral(run: Path, change: Change | None = None, cases: int = 8) -> Path:
    """A run of dilemmas: synchronous and round-robin, judged, labelled; its last debate has failed."""
    rows = tuple(
        CaseRow(
            f"case-{n}",
            f"The ladder of neighbour {n}",
            f"A ladder was lent to neighbour {n}.\n\nIt never came back, and nobody has said a word since.",
            source="made up",
            contestation=n / cases,
        )
        for n in range(1, cases + 1)
    )
    experiment = study(
        name="ladders",
        panels=[["a", "b"], ["a", "c"]],
        protocols=["synchronous", {"round_robin": {"orders": "all"}}],
        rounds=3,
        repetitions=2,
        stages=[
            {"name": "judged", "judges": ["c"]},
            {"name": "values", "labels": {"models": ["b", "c"], "passes": 1}},
        ],
    )
    return _written(run, experiment, rows, change, failed=1)


def asked(run: Path, change: Change | None = None, cases: int = 6) -> Path:
    """A run of questions: two openings each, and where they differ a disagreement resolution and a debate."""
    rows = tuple(
        CaseRow(
            f"question-{n}",
            f"Question {n}",
            f"Which of these is right in case {n}?",
            options=["The first", "The second", "The third"],
            truth="The second",
        )
        for n in range(1, cases + 1)
    )
    experiment = study(
        name="questions",
        panels=[["a", "b"]],
        protocols=["solo"],
        repetitions=2,
        stages=[
            {"name": "argued", "keep": "disagree", "protocols": ["disagreement_resolution", "debate"]},
            {"name": "judged", "from": "argued", "judges": ["c"]},
        ],
    )
    return _written(run, experiment, rows, change)


def write(run: Path, trees: Iterable[Rows], change: Change | None) -> None:
    """Writes the tables of these debates as one part each, each row as `change` makes it."""
    store, held = Store(str(run)), list(trees)
    for table in ORDER:
        rows = [row for tree in held for row in tree.get(table, ())]
        if rows:
            write_part(store, table, "all", [change(table, row) if change else row for row in rows])


def _written(
    run: Path, experiment: Experiment, cases: Sequence[CaseRow], change: Change | None, failed: int = 0
) -> Path:
    store = Store(str(run))
    claim_run(store, experiment, claim_id())
    told = [CaseRow(**change("cases", vars(case))) if change else case for case in cases]
    add_cases(store, told, {"run_id": "made-up"}, "cases")
    trees = played(experiment, cases)
    lost = [tree for tree in trees if tree["debates"][0]["outcome"] != "judgment"][-failed:] if failed else []
    gone = {tree["debates"][0]["debate_id"] for tree in lost}
    kept = [tree for tree in trees if not _of(tree) & gone]
    error = AskFailed("seat1", "a", "PromptTooLong", REASON, 0.0)
    failures = [failure_rows(tree["debates"][0], error) for tree in lost]
    write(run, [*kept, *failures], change)
    for stage in experiment.stages:
        if stage.labels:
            store.write(f"values/{stage.name}.csv", write_taxonomy(VALUES_48).encode())
    return run


def _of(tree: Rows) -> set[str]:
    """The debate of these rows, and the one that it goes on from or judges."""
    return {tree["debates"][0]["debate_id"], tree["debates"][0]["source_debate"]}
