"""A run on remote models whose server fails now and then ends whole, and tells its key to nobody."""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import pytest

from protocols.columns import TABLES
from tests.ray_jobs.faulty import faulty
from tests.ray_jobs.moot_runs import ENVIRONMENT, check_whole, moot, table, write_study

pytestmark = pytest.mark.ray

KEY = "sk-planted-0123456789abcdef"
FAULTS = {
    "reset": 0.03,
    "rate_limited": 0.05,
    "page": 0.03,
    "overloaded": 0.03,
    "truncated": 0.02,
    "invalid": 0.02,
    "filtered": 0.04,
}


@pytest.fixture
def ray_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where Ray writes its logs; a short path, for it opens sockets there."""
    with TemporaryDirectory(prefix="ray-") as folder:
        monkeypatch.setitem(ENVIRONMENT, "RAY_TMPDIR", folder)
        yield Path(folder)


@pytest.fixture
def url() -> Iterator[str]:
    with faulty(FAULTS) as address:
        yield address


def test_a_run_on_a_faulty_server_ends_whole(
    url: str, ray_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "STUDY_KEY", KEY)
    remote = {"backend": "openai", "model": "m", "base_url": url, "key": "STUDY_KEY", "in_flight": 16}
    price = {"input": 1.0, "cached": 0.1, "output": 2.0}
    models = {
        "official": {**remote, "price": price},
        "lean": {**remote, "transport": "lean", "replicas": 2, "accepts": {"seed": False}},
    }
    file = write_study(
        tmp_path,
        8,
        models=models,
        panels=[["official", "lean"]],
        protocols=["synchronous", "round_robin"],
        answer=["text", "json"],
    )
    told = moot("run", file, "--out", tmp_path / "run")
    check_whole(tmp_path / "run", file)
    assert table(tmp_path / "run", "failures") == []

    replies = table(tmp_path / "run", "replies")
    with urlopen(url.replace("/v1", "/count"), timeout=10) as count:
        assert sum(row["attempts"] for row in replies) == json.load(count) > len(replies)
    for row in replies:
        filtered = row["finish_reason"] == "content_filter"
        official = row["model"] == "official"
        assert (row["model_answered"], row["provider"]) == (
            ("m", "127.0.0.1") if filtered else ("m-2026", "Somewhere")
        )
        assert row["seed_sent"] == official
        assert row["reasoning"] == ("" if filtered else "Let me think.")
        assert row["cost_usd"] == (None if filtered or not official else pytest.approx(86e-6))

    said = [told.stdout, told.stderr, *(str(table(tmp_path / "run", name)) for name in TABLES)]
    assert not any(KEY in text for text in said)
    written = [*files(tmp_path / "run"), *files(ray_folder)]
    assert any("logs" in file.parts for file in written)
    assert not [file for file in written if KEY.encode() in file.read_bytes()]


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def test_a_model_that_stops_leaves_its_own_debates_unplayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends incomplete, with a message; once that is mended the same command goes on to its end."""
    monkeypatch.setitem(ENVIRONMENT, "STUDY_KEY", KEY)
    run = tmp_path / "run"
    with faulty({"quota": 1.0}) as address:
        remote = {"backend": "openai", "model": "m", "base_url": address, "key": "STUDY_KEY", "in_flight": 4}
        models = {"remote": remote, "local": {"backend": "simulated"}}
        panels = [["local", "remote"], ["local"]]
        file = write_study(tmp_path, 30, models=models, panels=panels, protocols=["synchronous"])
        ended = moot("run", file, "--out", run, code=3)
    assert "model 'remote' answers nothing more in this run: quota: " in " ".join(ended.stdout.split())
    assert "30 debates and judgments are left unplayed" in ended.stderr
    assert KEY not in ended.stdout + ended.stderr
    assert [row["panel"] for row in table(run, "debates")] == ["local"] * 30
    assert table(run, "failures") == []
    with faulty({}, int(address.split(":")[2].split("/")[0])):
        moot("run", file, "--out", run)
    check_whole(run, file)
    assert table(run, "failures") == []
