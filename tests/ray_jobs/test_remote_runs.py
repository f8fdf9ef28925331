"""A run on remote models whose server fails now and then ends whole, and tells its key to nobody."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import pytest
from rich.console import Console

from protocols.columns import TABLES
from ray_jobs.status_page import show_status
from tests.ray_jobs.faulty import faulty
from tests.ray_jobs.moot_runs import (
    ENVIRONMENT,
    check_whole,
    kill_group,
    moot,
    start,
    table,
    wait_until,
    write_study,
)

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


def test_status_tells_how_a_gate_and_the_budget_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a server that answers nothing: the circuit is open, why, and what that may have cost."""
    monkeypatch.setitem(ENVIRONMENT, "STUDY_KEY", KEY)
    run, page = tmp_path / "run", ""
    with faulty({"overloaded": 1.0}) as address:
        limits = {"requests_per_minute": 600, "circuit": {"window": 4, "cooldown": 60}}
        price = {"input": 1.0, "output": 1.0}
        remote = {"backend": "openai", "model": "m", "base_url": address, "key": "STUDY_KEY", "price": price}
        models = {"far": {**remote, "limits": limits}}
        budget = {"usd": 5.0, "tokens": 1_000_000}
        panels, protocols = [["far", "far"]], ["synchronous"]
        file = write_study(tmp_path, 30, models=models, panels=panels, protocols=protocols, budget=budget)
        process = start("run", file, "--out", run)

        def tells() -> bool:
            nonlocal page
            if (run / "claims").exists():
                sheet = io.StringIO()
                show_status(str(run), Console(width=200, file=sheet))
                page = sheet.getvalue()
            return "circuit open" in page

        try:
            wait_until(tells, lambda: page)
        finally:
            kill_group(process)
    assert "far: 0 calls since that start" in page
    assert re.search(r" waiting, the first for \d+ s\n", page)
    assert re.search(r"in the last minute \d+ of 600 requests, [0-9,]+ tokens\n", page)
    assert re.search(
        r"circuit open, tried again in \d+ s; no answer yet; failed \d+ s ago: overloaded: ", page
    )
    assert re.search(r"budget: \$0\.\d+ of \$5\.0000, \$\d\.\d+ reserved; [0-9,]+ of 1,000,000 tokens", page)
    assert re.search(r"far has spent \$0\.\d+ and [0-9,]+ tokens since that start", page)
    assert KEY not in page


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


def test_a_model_that_is_not_there_stops_and_is_told_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One debate ends as many would: unplayed. What was wrong stands in status, too."""
    monkeypatch.setitem(ENVIRONMENT, "STUDY_KEY", KEY)
    remote = {"backend": "openai", "model": "m", "base_url": "http://127.0.0.1:9/v1", "key": "STUDY_KEY"}
    models = {"gone": {**remote, "limits": {"unreached": 8}}}
    file = write_study(tmp_path, 1, models=models, panels=[["gone", "gone"]], protocols=["synchronous"])
    ended = moot("run", file, "--out", tmp_path / "run", code=3)
    told = " ".join(ended.stdout.split())
    assert "ready after" in told
    assert "model 'gone': no call has been answered yet, the last: transient: cannot connect to" in told
    assert "1 debates and judgments are left unplayed" in ended.stderr
    assert (
        "gone: unreached: nothing has come back from http://127.0.0.1:9/v1/chat/completions" in ended.stderr
    )
    assert table(tmp_path / "run", "failures") == []
    status = moot("status", tmp_path / "run").stdout
    assert "stopped: gone: unreached: nothing has come back from" in status


def test_a_model_that_refuses_every_ask_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what the endpoint said; the few that failed before can be read, and are played with the rest."""
    monkeypatch.setitem(ENVIRONMENT, "STUDY_KEY", KEY)
    run = tmp_path / "run"
    with faulty({"bad_request": 1.0}) as address:
        remote = {"backend": "openai", "model": "m", "base_url": address, "key": "STUDY_KEY", "in_flight": 4}
        models = {"picky": remote}
        file = write_study(tmp_path, 30, models=models, panels=[["picky"]], protocols=["solo"])
        ended = moot("run", file, "--out", run, code=3)
    told = " ".join(ended.stdout.split())
    assert "warning: model 'picky': bad_request: HTTP 400: Unsupported parameter: 'seed'. If a" in told
    assert (
        "picky: unusable: it has refused its first 8 asks and given no reply, at last: HTTP 400"
        in ended.stderr
    )
    failures = table(run, "failures")
    assert 0 < len(failures) < 8
    assert f"{len(failures)} debates and judgments have failed: {len(failures)} bad_request" in ended.stderr
    page = moot("show", run, failures[0]["debate_id"]).stdout
    assert "seat1, model picky: bad_request" in page
    assert "Unsupported parameter: 'seed'" in page
    with faulty({}, int(address.split(":")[2].split("/")[0])):
        moot("run", file, "--out", run, "--retry-failed")
    check_whole(run, file)
