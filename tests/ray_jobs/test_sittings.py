"""Sizes that do not fit on the cluster together play one after the other, on real engines."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from serving.catalogue import prepare
from tests.ray_jobs.moot_runs import check_whole, moot, table, write_study
from tests.ray_jobs.one_node import one_node

pytestmark = [pytest.mark.ray, pytest.mark.engine, pytest.mark.timeout(600)]

TINY: dict[str, Any] = {
    "backend": "vllm",
    "model": "tiny",
    "max_tokens": 8,
    "engine": {"max_num_seqs": 8, "max_model_len": 2048},
}


def test_sizes_take_turns_and_their_judge_comes_back(tmp_path: Path) -> None:
    """Two CPUs: the small one has two engines and judges, so the large one waits, and then it is judged."""
    prepare("tiny")
    file = write_study(
        tmp_path,
        3,
        models={"small": {**TINY, "replicas": 2}, "large": TINY},
        panels=[["small", "small"], ["large", "large"]],
        protocols=["synchronous"],
        rounds=2,
        stages=[{"name": "judged", "judges": ["small"]}],
    )
    run = tmp_path / "run"
    with one_node(cpus=2) as node:
        told = moot("run", file, "--out", run, "--address", node.address)
        node.check_left()
    check_whole(run, file)
    assert told.stdout.count("no room for all models at once; later: large") == 1
    replies = sorted(table(run, "replies"), key=lambda row: row["time"])
    turns = [
        model for model, following in pairwise([*(row["model"] for row in replies), ""]) if model != following
    ]
    assert turns == ["small", "large", "small"], "sittings follow each other"
    assert len(table(run, "judgments")) == len(table(run, "debates")) // 2 == 6
    planned = moot("plan", file, "--like", run).stdout
    assert planned.count("tokens/s of one engine, as measured") == 2
