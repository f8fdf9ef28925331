"""A real engine whose core is killed is replaced, and every debate is played to its end."""

from pathlib import Path

import pytest

from serving.catalogue import prepare
from tests.ray_jobs.campaign import Play, title
from tests.ray_jobs.moot_runs import alive, check_whole, table, wait_until, write_study

pytestmark = [pytest.mark.ray, pytest.mark.engine, pytest.mark.fault, pytest.mark.timeout(600)]


def test_a_run_outlives_the_core_of_its_engine(tmp_path: Path) -> None:
    """The core runs in a process of its own; the agent that has lost it is replaced with all it holds."""
    prepare("tiny")
    engine = {"max_num_seqs": 4, "max_model_len": 2048}
    model = {"backend": "vllm", "model": "tiny", "max_tokens": 24, "engine": engine}
    design = {"panels": [["t", "t"]], "protocols": ["synchronous", "round_robin"], "answer": "text"}
    file = write_study(tmp_path, 20, models={"t": model}, rounds=2, **design)
    run = tmp_path / "run"
    with (tmp_path / "told").open("wb") as told:
        play = Play.start(file, run, told)
        wait_until(lambda: play.ended() or any(run.glob("log/*/*.arrow")), lambda: said(tmp_path), 240)
        assert play.under_way(), said(tmp_path)
        [core] = [process for process in play.seen if "EngineCore" in title(process) and alive(process)]
        core.kill()
        assert play.end() == 0, said(tmp_path)
    assert "replica 0 of t is gone: " in said(tmp_path)
    check_whole(run, file)
    replies = table(run, "replies")
    assert {row["attempts"] for row in replies} == {1, 2}
    assert table(run, "failures") == []


def said(folder: Path) -> str:
    """All that the command printed."""
    return " ".join((folder / "told").read_text().split())
