"""A study on a real engine under Ray: two runs of one seed say the same, word for word."""

from pathlib import Path
from typing import Any

import pytest

from serving.catalogue import prepare
from tests.ray_jobs.moot_runs import check_whole, moot, table, write_study
from tests.ray_jobs.plays import steady

pytestmark = [pytest.mark.ray, pytest.mark.engine, pytest.mark.timeout(600)]

TINY: dict[str, Any] = {
    "backend": "vllm",
    "model": "tiny",
    "max_tokens": 24,
    "engine": {"max_num_seqs": 1, "max_model_len": 2048},
}


def test_two_seeded_runs_on_the_engine_have_the_same_tables(tmp_path: Path) -> None:
    """In JSON and as text; later rounds find the beginning of their prompts in the prefix cache."""
    prepare("tiny")
    design = {"panels": [["t", "t"]], "protocols": ["synchronous", "round_robin"], "answer": ["json", "text"]}
    file = write_study(tmp_path, 2, models={"t": TINY}, rounds=2, seed=3, **design)
    runs = [tmp_path / "one", tmp_path / "other"]
    for run in runs:
        moot("run", file, "--out", run)
        check_whole(run, file)
    for name in ("replies", "turns", "debates"):
        one, other = (steady(table(run, name), name) for run in runs)
        assert one == other
    replies = table(runs[0], "replies")
    assert all(row["text"] and row["completion_tokens"] and row["seed_sent"] for row in replies)
    assert any(row["cached_tokens"] for row in replies if row["round"] == 2)
