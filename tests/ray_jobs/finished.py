"""Runs that were played in the test's own process: their directories are as if Ray had played them."""

from pathlib import Path

from ray_jobs.case_table import add_cases
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.experiment import Experiment
from ray_jobs.parts import ORDER, Rows, write_part
from ray_jobs.store import Store
from tests.ray_jobs.plays import case_rows, played


def finished(run: Path, experiment: Experiment, cases: int = 3, debates: int | None = None) -> list[Rows]:
    """Writes a run of so many cases; the first `debates` (None: all) have ended, whose rows are returned."""
    store = Store(str(run))
    claim_run(store, experiment, claim_id())
    add_cases(store, case_rows(cases), {"run_id": "r"}, "cases")
    trees = played(experiment, case_rows(cases))[:debates]
    for table in ORDER:
        if rows := [row for tree in trees for row in tree.get(table, ())]:
            write_part(store, table, "all", rows)
    return trees
