"""A study on Ray Serve LLM: the same study as on engines of ours, and nothing is left when it has ended."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from ray_jobs.log import Row
from serving.catalogue import prepare
from tests.ray_jobs.moot_runs import check_whole, moot, start, table, wait_until, write_study
from tests.ray_jobs.plays import steady
from tests.ray_jobs.two_nodes import TwoNodes, two_nodes

pytestmark = [pytest.mark.ray, pytest.mark.engine, pytest.mark.fault, pytest.mark.timeout(900)]

ELSEWHERE = ("provider", "fingerprint", "cached_tokens")
"""Columns of replies that tell who answered, which differs."""

SHARED = 256
"""Tokens of prompts that all debates begin with, in whole blocks; each debate goes on from there.

Of second rounds that fell to one of two replicas by chance, three in four would find more; of those that keep
to theirs, all but the few whose replica is killed."""

TINY: dict[str, Any] = {
    "model": "tiny",
    "max_tokens": 24,
    "sampling": {"top_k": 50},
    "engine": {"max_num_seqs": 4, "max_model_len": 2048},
}
HERE = {"backend": "vllm", **TINY}
SERVED = {"backend": "serve", "replicas": 2, "start_seconds": 240, **TINY}


@pytest.fixture
def nodes() -> Iterator[TwoNodes]:
    with two_nodes() as nodes:
        yield nodes


def study(folder: Path, model: dict[str, Any]) -> Path:
    """Two protocols, both forms of answer, twelve debates of each."""
    folder.mkdir()
    design = {"panels": [["t", "t"]], "protocols": ["synchronous", "round_robin"], "answer": ["json", "text"]}
    return write_study(folder, 12, models={"t": model}, rounds=2, seed=3, **design)


def told(run: Path, name: str) -> list[Row]:
    rows = steady(table(run, name), name)
    return [{key: value for key, value in row.items() if key not in ELSEWHERE} for row in rows]


def engines() -> list[psutil.Process]:
    """The replicas of served models that run on this machine."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if "ServeReplica" in (words := " ".join(process.info["cmdline"] or ())) and "LLMServer" in words:
            found.append(process)
    return found


def kill_one_engine(run: Path) -> None:
    """Kills a replica, and the engine that it holds, once the run is well under way."""
    log = run / "log"
    wait_until(
        lambda: sum(file.stat().st_size for file in log.rglob("*") if file.is_file()) > 100_000,
        lambda: f"nothing is played: {(run.parent / 'told').read_text()}",
        patience=300,
    )
    replica = engines()[0]
    for process in [*replica.children(recursive=True), replica]:
        process.kill()


def test_a_served_study_outlives_a_replica_and_says_what_engines_of_ours_say(
    tmp_path: Path, nodes: TwoNodes
) -> None:
    """On two nodes. Debates keep to their replica, whose cache then holds how their prompts begin."""
    prepare("tiny")
    files = {name: study(tmp_path / name, model) for name, model in (("here", HERE), ("served", SERVED))}
    with (tmp_path / "told").open("wb") as log:
        run = start("run", files["served"], "--out", tmp_path / "served-run", *nodes.words, told=log)
        kill_one_engine(tmp_path / "served-run")
        assert run.wait(timeout=300) == 0, (tmp_path / "told").read_text()
    nodes.check_no_engine_left()
    assert engines() == []
    moot("run", files["here"], "--out", tmp_path / "here-run", *nodes.words)
    for name in files:
        check_whole(tmp_path / f"{name}-run", files[name])
    for name in ("replies", "turns", "debates"):
        assert told(tmp_path / "served-run", name) == told(tmp_path / "here-run", name), name
    assert table(tmp_path / "served-run", "failures") == []
    replies = table(tmp_path / "served-run", "replies")
    assert {row["provider"] for row in replies} == {"serve"}
    assert any(row["attempts"] > 1 for row in replies)
    second = [row["cached_tokens"] for row in replies if row["round"] == 2]
    assert sum(tokens > SHARED for tokens in second) > 0.85 * len(second)
