"""Whatever is killed, and whenever: the run goes on from there, and its tables are as if nothing had been."""

import random
import re
import time
from pathlib import Path
from typing import Any

import pytest

from ray_jobs.open_log import OpenLog
from ray_jobs.store import Store
from tests.ray_jobs.campaign import Play, campaign, write_campaign
from tests.ray_jobs.moot_runs import check_as_played_here, check_whole, moot, table, write_study

pytestmark = [pytest.mark.ray, pytest.mark.fault, pytest.mark.timeout(300)]

SLOW: dict[str, Any] = {"backend": "simulated", "latency": {"median": 0.3, "sigma": 0.5}, "in_flight": 6}


def test_a_run_killed_three_times_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    run, moments = tmp_path / "run", random.Random(11)
    designs = [
        {"panels": [["a", "b"]], "protocols": ["synchronous", "round_robin"]},
        {"panels": [["b", "a", "a"]], "protocols": ["synchronous"]},
    ]
    file = write_study(tmp_path, 28, models={"a": SLOW, "b": SLOW}, designs=designs)
    for _ in range(3):
        play = Play.start(file, run)
        assert play.under_way()
        time.sleep(moments.uniform(0.2, 1.5))
        play.kill("driver")
    claims = {row["claim"] for row in open_rows(run)}
    assert len(claims) == 3, "every start got something done, and none of it is lost"
    moot("run", file, "--out", run)
    check_whole(run, file)
    check_as_played_here(run, file)
    assert claims < {row["claim"] for row in table(run, "replies")}


def open_rows(run: Path) -> list[dict[str, Any]]:
    """Every row of the log."""
    log = OpenLog(Store(str(run)))
    return [row for debate_id in list(log._places) for row in log.rows(debate_id)]


def test_agents_and_moderators_that_are_killed_cost_a_run_nothing_but_time(tmp_path: Path) -> None:
    """Agent, moderator, agent within one start: it ends well, as if nothing had been, and leaves nothing."""
    file, run = write_campaign(tmp_path), tmp_path / "run"
    with (tmp_path / "told").open("wb") as told:
        play = Play.start(file, run, told)
        for victim in ("agent", "moderator", "agent"):
            assert play.under_way()
            play.kill(victim)
        assert play.end() == 0
    message = " ".join((tmp_path / "told").read_text().split())
    assert len(re.findall(r"replica 0 of \w is gone: .*? it is started again", message)) == 2
    assert message.count("moderator 0 died; another goes on from its log") == 1
    assert "Traceback" not in message
    check_whole(run, file)
    check_as_played_here(run, file)
    assert {row["attempts"] for row in table(run, "replies")} >= {1, 2}


def test_a_campaign_of_random_kills_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """`make faults` plays longer ones."""
    tally = campaign(tmp_path, seed=5, kills=4, seconds=60)
    assert tally.kills.total() == 4
    assert (tally.lost, tally.doubled) == (0, 0)
