"""Studies submitted to a real cluster of several nodes on this machine, from a process outside of it."""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import psutil
import pytest
import ray
from ray._common.usage.usage_constants import CLUSTER_METADATA_KEY
from ray._raylet import GcsClient
from ray.job_submission import JobStatus

from ray_jobs.store import Store
from ray_jobs.submission.job_server import JobServer
from serving.catalogue import prepare
from tests.ray_jobs.moot_runs import (
    ENVIRONMENT,
    check_as_played_here,
    check_whole,
    kill_group,
    moot,
    start,
    table,
    wait_until,
    write_study,
)
from tests.ray_jobs.object_store import CREDENTIALS, ObjectServer
from tests.ray_jobs.two_nodes import TwoNodes, two_nodes
from tests.ray_jobs.unlike_nodes import can_have_disks_of_its_own, node_with_another, without_vllm

pytestmark = [pytest.mark.ray, pytest.mark.fault, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[3]
DESIGN: dict[str, Any] = {"panels": [["a", "b"]], "protocols": ["synchronous", "round_robin"]}
QUICK: dict[str, Any] = {"backend": "simulated"}
SLOW = {**QUICK, "latency": {"median": 0.6, "sigma": 0.3}, "in_flight": 3, "replicas": 3}
SECRET = "sk-for-nobody-to-see"


@pytest.fixture(scope="module")
def cluster() -> Iterator[TwoNodes]:
    """Three nodes, for all tests here; the environment they start in has credentials for a bucket."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in CREDENTIALS.items():
            patch.setenv(name, value)
        with two_nodes() as nodes:
            nodes.add()
            yield nodes


def words(message: str) -> str:
    """A message without the breaks of its lines."""
    return " ".join(message.split())


def driver_of(run: Path) -> psutil.Process | None:
    """The process that plays the run in a job."""
    for process in psutil.process_iter(["cmdline"]):
        line = process.info["cmdline"] or []
        if "ray_jobs.run" in line and str(run) in line and "-c" not in line:
            return process
    return None


def test_a_study_outlives_a_node_and_its_driver_and_is_as_if_played_on_one_machine(
    cluster: TwoNodes, tmp_path: Path
) -> None:
    """Submitted once: a node is killed, then the driver, and the second job goes on from there."""
    run = tmp_path / "run"
    file = write_study(tmp_path, 45, models={"a": SLOW, "b": SLOW}, seed=5, **DESIGN)
    told = tmp_path / "told"
    with told.open("wb") as output:
        where = ("--out", run, "--address", cluster.job_server)
        following = start("submit", file, *where, "--max-attempts", 3, told=output)
        try:
            log = Store(str(run))
            wait_until(lambda: bool(log.names("log")), lambda: told.read_text())
            cluster.kill_second()
            time.sleep(3)  # the loss is noticed, and what was there is started anew
            driver = driver_of(run)
            assert driver is not None, told.read_text()
            driver.kill()
            assert following.wait(190) == 0, told.read_text()
        finally:
            if following.poll() is None:
                kill_group(following)
    check_whole(run, file)
    check_as_played_here(run, file)
    assert len({row["claim"] for row in table(run, "replies")}) == 2, "nothing is asked twice"
    text = told.read_text()
    assert "the driver was ended from outside, with exit code 137" in text
    assert f"to see the result: moot show {run}" in words(text)
    jobs = JobServer(cluster.job_server).jobs()
    ends = {str(job.submission_id)[-2:]: job.status for job in jobs}
    assert ends == {"-1": JobStatus.FAILED, "-2": JobStatus.SUCCEEDED}
    cluster.check_left()


def test_by_hand_it_is_the_same(cluster: TwoNodes, tmp_path: Path) -> None:
    """As README has it, from the root of the repository."""
    file = write_study(tmp_path, 6, models={"a": QUICK, "b": QUICK}, seed=5, **DESIGN)
    run = f"python -m ray_jobs.run {file} --out {tmp_path / 'run'}"
    submitted = f"ray job submit --address {cluster.job_server} --working-dir . -- {run}"
    subprocess.run(submitted.split(), cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=True)
    check_whole(tmp_path / "run", file)
    check_as_played_here(tmp_path / "run", file)


def test_a_second_submission_joins_the_first_and_nothing_secret_is_sent(
    cluster: TwoNodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "OPENAI_API_KEY", SECRET)
    run = tmp_path / "run"
    file = write_study(tmp_path, 40, models={"a": SLOW, "b": SLOW}, **DESIGN)
    where = ("--out", run, "--address", cluster.job_server)
    server = JobServer(cluster.job_server)
    before = {job.submission_id for job in server.jobs()}
    moot("submit", file, *where, "--no-follow")
    [job] = [job for job in server.jobs() if job.submission_id not in before]
    assert SECRET not in job.model_dump_json()
    assert set(job.runtime_env or {}) <= {"working_dir", "_ray_commit"}
    assert f"{job.submission_id} plays this already" in words(
        moot("submit", file, *where, "--no-follow").stdout
    )
    file.write_text(file.read_text() + "seed: 3\n")
    refused = moot("submit", file, *where, code=2).stderr
    assert f"is being played by the job {job.submission_id}, of another experiment" in words(refused)
    stop = ["ray", "job", "stop", "--address", cluster.job_server, str(job.submission_id)]
    subprocess.run(stop, env=ENVIRONMENT, check=True, capture_output=True)


def test_what_a_node_lacks_is_found_before_anything_is_asked(cluster: TwoNodes, tmp_path: Path) -> None:
    """Without vLLM, model and key there; the doctor finds the same, and goes on to look at the rest."""
    prepare("tiny")
    models = {
        "a": {"backend": "vllm", "model": "tiny", "max_tokens": 8, "engine": {"max_model_len": 2048}},
        "b": {"backend": "openai", "model": "far", "base_url": "http://127.0.0.1:1/v1", "key": "FAR_KEY"},
    }
    run = tmp_path / "run"
    file = write_study(tmp_path, 1, models=models, rounds=1, **DESIGN)
    where = ("--out", run, "--address", cluster.job_server)
    lacking = cluster.add(env_vars=without_vllm(tmp_path))
    try:
        refused = words(moot("submit", file, *where, code=2).stdout)
        examined = moot("doctor", file, *where, code=2)
    finally:
        cluster.remove(lacking)
    assert "model 'a': vLLM is not installed on" in refused
    assert "is not prepared in" in refused
    assert "key FAR_KEY: not set on" in refused
    assert table(run, "replies") == []
    report = words(examined.stdout)
    assert "fail model 'a'" in report
    assert "read and written on 4 nodes" in report
    assert "in the way of a run" in report


def test_a_cluster_that_is_too_small_is_refused_with_the_sum(cluster: TwoNodes, tmp_path: Path) -> None:
    prepare("tiny")
    models = {"a": {"backend": "vllm", "model": "tiny", "max_tokens": 8, "replicas": 40}}
    design = {"panels": [["a", "a"]], "protocols": ["synchronous"], "rounds": 1}
    file = write_study(tmp_path, 1, models=models, **design)
    refused = moot("run", file, "--out", tmp_path / "run", *cluster.words, code=2).stderr
    assert "need 40 × 1 CPU for a, 40 CPUs in all; the cluster has 6 CPUs on 3 nodes (4 + 1 + 1)" in words(
        refused
    )


@pytest.mark.skipif(not can_have_disks_of_its_own(), reason="only root may start a node with other disks")
def test_a_run_directory_that_one_node_does_not_share_is_refused(cluster: TwoNodes, tmp_path: Path) -> None:
    (tmp_path / "unshared").mkdir()
    run = tmp_path / "unshared" / "run"
    file = write_study(tmp_path, 1, models={"a": QUICK, "b": QUICK}, **DESIGN)
    with node_with_another(tmp_path / "unshared", cluster.address):
        client = JobServer(cluster.job_server)
        wait_until(lambda: nodes_of(client) == 4, lambda: "the node does not join")
        refused = words(moot("run", file, "--out", run, *cluster.words, code=2).stderr)
    assert f"run directory {run}: on " in refused
    assert "what another node has written there is not seen; give a folder that all nodes share" in refused
    assert table(run, "replies") == []


def nodes_of(server: JobServer) -> int:
    """How many nodes are alive."""
    with urlopen(f"{server.address}/nodes?view=summary") as answer:
        summary = json.load(answer)["data"]["summary"]
    return sum(node["raylet"]["state"] == "ALIVE" for node in summary)


def test_a_bucket_that_cannot_be_written_ends_the_job_before_it_begins(
    cluster: TwoNodes, tmp_path: Path, server: ObjectServer
) -> None:
    file = write_study(tmp_path, 1, models={"a": QUICK, "b": QUICK}, **DESIGN)
    out = server.address()
    with server.strict():
        ended = moot("submit", file, "--out", out, "--address", cluster.job_server, code=2)
    assert "cannot be read from here, so the job is followed by its log" in words(ended.stdout)
    assert "cannot be reached: " in ended.stdout
    assert "give credentials that may list, read, write and delete there" in words(ended.stdout)


def test_a_cluster_of_another_ray_is_refused(cluster: TwoNodes, tmp_path: Path) -> None:
    """The cluster is made to say that it is of another version."""
    file = write_study(tmp_path, 1, models={"a": QUICK, "b": QUICK}, **DESIGN)
    client = GcsClient(address=cluster.address)
    space = ray._private.ray_constants.KV_NAMESPACE_CLUSTER
    true = client.internal_kv_get(CLUSTER_METADATA_KEY, space)
    told = {**json.loads(true), "ray_version": "2.40.0"}
    client.internal_kv_put(CLUSTER_METADATA_KEY, json.dumps(told).encode(), True, space)
    try:
        refused = words(moot("run", file, "--out", tmp_path / "run", *cluster.words, code=2).stderr)
    finally:
        client.internal_kv_put(CLUSTER_METADATA_KEY, true, True, space)
    assert "Ray did not connect to" in refused
    assert "Ray: 2.40.0" in refused
