"""A real engine whose core is killed is replaced, and every debate is played as if it had not been."""

import random
from pathlib import Path

import pytest

from tests.ray_jobs.campaign import disturb, undisturbed
from tests.ray_jobs.disturbed import Kill
from tests.ray_jobs.moot_runs import table
from tests.ray_jobs.tally import Tally
from tests.ray_jobs.theatre import Theatre, on_engine

pytestmark = [pytest.mark.ray, pytest.mark.engine, pytest.mark.fault, pytest.mark.timeout(900)]


def test_a_run_outlives_the_core_of_its_engine(tmp_path: Path) -> None:
    """The core runs in a process of its own; the agent that has lost it is replaced with all it holds."""
    theatre = on_engine(tmp_path)
    theatre.undisturbed = undisturbed(theatre, tmp_path / "undisturbed")
    run, kills = _killed(theatre, tmp_path)
    Tally().add(theatre, run, kills)
    assert "replica 0 of t is gone: " in " ".join(run.with_suffix(".told").read_text().split())
    assert {row["attempts"] for row in table(run, "replies")} == {1, 2}
    assert table(run, "failures") == []


def _killed(theatre: Theatre, folder: Path) -> tuple[Path, list[Kill]]:
    """A run whose engine was killed. Where nobody saw its core before the end: once more."""
    for number in range(3):
        run = folder / f"run{number}"
        if kills := disturb(theatre, run, ["engine"], random.Random(number)):
            return run, kills
    raise AssertionError("in three runs no core of an engine was found to be killed; see above what was seen")
