"""Real engines of one model on two nodes of a cluster, in a job: the tables are those of one engine here."""

from pathlib import Path
from typing import Any

import pytest
from ray.util.state import list_actors

from serving.catalogue import prepare
from tests.ray_jobs.moot_runs import check_whole, kill_group, moot, start, wait_until, write_study
from tests.ray_jobs.theatre import uncached
from tests.ray_jobs.two_nodes import TwoNodes, two_nodes

pytestmark = [pytest.mark.ray, pytest.mark.engine, pytest.mark.timeout(400)]

TINY: dict[str, Any] = {
    "backend": "vllm",
    "model": "tiny",
    "max_tokens": 16,
    "engine": {"max_num_seqs": 2, "max_model_len": 2048},
}
DESIGN: dict[str, Any] = {"panels": [["t", "t"]], "protocols": ["synchronous"], "rounds": 2, "seed": 3}
PATIENCE = 150.0  # seconds for two engines to start at once


def test_two_engines_on_two_nodes_say_what_one_says_here(tmp_path: Path) -> None:
    prepare("tiny")
    (tmp_path / "one").mkdir()
    file = write_study(tmp_path, 10, models={"t": {**TINY, "replicas": 2}}, **DESIGN)
    alone = write_study(tmp_path / "one", 10, models={"t": TINY}, **DESIGN)
    run, told = tmp_path / "run", tmp_path / "told"
    with two_nodes() as cluster:
        with told.open("wb") as output:
            job = start("submit", file, "--out", run, "--address", cluster.job_server, told=output)
            try:
                wait_until(lambda: len(hosts(cluster)) == 2, lambda: told.read_text(), PATIENCE)
                assert job.wait(150) == 0, told.read_text()
            finally:
                if job.poll() is None:
                    kill_group(job)
        cluster.check_left()
    check_whole(run, file)
    moot("run", alone, "--out", tmp_path / "here")
    for name in ("replies", "turns", "debates"):
        assert uncached(run, name) == uncached(tmp_path / "here", name), name


def hosts(cluster: TwoNodes) -> set[str]:
    """The nodes on which an agent is."""
    agents = list_actors(cluster.address, filters=[("class_name", "=", "Agent"), ("state", "=", "ALIVE")])
    return {str(agent.node_id) for agent in agents}
