"""A real engine whose core is killed is replaced, and every debate is played as if it had not been."""

import random
from pathlib import Path

import pytest

from tests.ray_jobs.campaign import disturb, undisturbed
from tests.ray_jobs.moot_runs import table
from tests.ray_jobs.tally import Tally
from tests.ray_jobs.theatre import on_engine

pytestmark = [pytest.mark.ray, pytest.mark.engine, pytest.mark.fault, pytest.mark.timeout(600)]


def test_a_run_outlives_the_core_of_its_engine(tmp_path: Path) -> None:
    """The core runs in a process of its own; the agent that has lost it is replaced with all it holds."""
    theatre, run = on_engine(tmp_path), tmp_path / "run"
    theatre.undisturbed = undisturbed(theatre, tmp_path / "undisturbed")
    kills = disturb(theatre, run, ["engine"], random.Random(1))
    assert len(kills) == 1
    Tally().add(theatre, run, kills)
    assert "replica 0 of t is gone: " in " ".join((tmp_path / "run.told").read_text().split())
    assert {row["attempts"] for row in table(run, "replies")} == {1, 2}
    assert table(run, "failures") == []
