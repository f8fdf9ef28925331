"""Whatever is killed, and whenever: the run goes on from there, and its tables are as if nothing had been."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.ray_jobs.campaign import disturb
from tests.ray_jobs.moot_runs import table, write_study
from tests.ray_jobs.tally import Tally
from tests.ray_jobs.theatre import Theatre, simulated
from tests.ray_jobs.two_nodes import two_nodes

pytestmark = [pytest.mark.ray, pytest.mark.fault, pytest.mark.timeout(300)]

SLOW: dict[str, Any] = {"backend": "simulated", "latency": {"median": 0.3, "sigma": 0.5}, "in_flight": 6}


def test_a_run_killed_three_times_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    run = tmp_path / "run"
    designs = [
        {"panels": [["a", "b"]], "protocols": ["synchronous", "round_robin"]},
        {"panels": [["b", "a", "a"]], "protocols": ["synchronous"]},
    ]
    file = write_study(tmp_path, 28, models={"a": SLOW, "b": SLOW}, designs=designs)
    theatre = Theatre(file, in_flight=6, at_once=12, seats=3)
    kills = disturb(theatre, run, ["driver"] * 3, random.Random(11))
    assert len(kills) == 3
    Tally().add(theatre, run, kills)
    claims = {row["claim"] for row in table(run, "replies")}
    assert len(claims) == 4, "what every start got done is in the tables"


def test_agents_and_moderators_that_are_killed_cost_a_run_nothing_but_time(tmp_path: Path) -> None:
    """Agent, moderator, agent within one start: it ends well, as if nothing had been, and leaves nothing."""
    theatre, run = simulated(tmp_path), tmp_path / "run"
    kills = disturb(theatre, run, ["agent", "moderator", "agent"], random.Random(5))
    assert len(kills) == 3
    message = " ".join((tmp_path / "run.told").read_text().split())
    assert len(re.findall(r"replica 0 of \w is gone: .*? it is started again", message)) == 2
    assert message.count("moderator 0 died; another goes on from its log") == 1
    assert "Traceback" not in message
    Tally().add(theatre, run, kills)
    assert {row["attempts"] for row in table(run, "replies")} >= {1, 2}


def test_a_run_outlives_nodes_of_its_cluster_and_leaves_nothing_on_it(tmp_path: Path) -> None:
    """Node, driver, node; `make faults` plays longer campaigns."""
    theatre, run = simulated(tmp_path, replicas=3), tmp_path / "run"
    with two_nodes() as cluster:
        kills = disturb(theatre, run, ["node", "driver", "node"], random.Random(3), cluster)
    assert {kill.victim for kill in kills} == {"node", "driver"}
    Tally().add(theatre, run, kills)
