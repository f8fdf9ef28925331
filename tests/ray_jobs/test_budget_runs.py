"""A run with a budget: what the server bills never exceeds it, and with more the run goes on to its end."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.ray_jobs.disturbed import Play
from tests.ray_jobs.moot_runs import ENVIRONMENT, check_whole, moot, table, wait_until, write_study

pytestmark = [pytest.mark.ray, pytest.mark.timeout(400)]

FAULTS = {"rate_limited": 0.05, "slow": 0.02}
SLOW = {"rate_limited": 0.05, "slow": 0.6}
PRICE = {"input": 0.02, "cached": 0.002, "output": 100.0}
REPLY = (40 * 0.02 + 60 * 0.002 + 20 * 100.0) / 1e6  # USD of one, by the server's usage
CALLS = 2 * 2 * 12


@pytest.fixture(params=[FAULTS])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a faulty server in a process of its own."""
    command = [sys.executable, "-m", "tests.serving.faulty_server", "5", json.dumps(request.param)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "STUDY_KEY", "sk-any")


def study_of(folder: Path, url: str, budget: dict[str, Any], cases: int = 12, **block: Any) -> Path:
    """Debates of two rounds between two remote models: 4 calls a case, each with replies of max_tokens."""
    remote = {"backend": "openai", "base_url": url, "key": "STUDY_KEY", "in_flight": 6, "max_tokens": 20}
    remote |= block
    models = {
        "official": {**remote, "model": "m", "price": PRICE},
        "lean": {**remote, "model": "n", "price": PRICE, "transport": "lean", "replicas": 2},
    }
    protocols = [{"synchronous": {"stop": "never"}}]
    panels = [["official", "lean"]]
    return write_study(
        folder, cases, models=models, panels=panels, protocols=protocols, rounds=2, budget=budget
    )


def bill(url: str) -> dict[str, int]:
    with urlopen(url.replace("/v1", "/bill"), timeout=10) as answer:
        return dict(json.load(answer))


def test_a_budget_is_never_passed_and_the_run_goes_on_with_a_higher_one(url: str, tmp_path: Path) -> None:
    cap, run = CALLS * REPLY / 2, tmp_path / "run"
    told = moot("run", study_of(tmp_path, url, {"usd": cap}), "--out", run, code=3)
    assert "are spent, and the next call may take $" in told.stderr
    assert "Raise the budget" in told.stderr
    first = bill(url)["replies"]
    assert 0.7 * cap < first * REPLY <= cap

    moot("run", study_of(tmp_path, url, {"usd": cap}), "--out", run, code=3)  # nothing is left of it
    assert bill(url)["replies"] * REPLY <= cap

    file = study_of(tmp_path, url, {"usd": 3 * cap, "tokens": 1_000_000})
    moot("run", file, "--out", run)
    check_whole(run, file)
    assert table(run, "failures") == []
    replies = table(run, "replies")
    assert bill(url) == {"replies": CALLS, "questions": CALLS}
    assert len(replies) == CALLS
    assert sum(row["cost_usd"] for row in replies) == pytest.approx(CALLS * REPLY)


@pytest.mark.fault
@pytest.mark.parametrize("url", [SLOW], indirect=True)
def test_a_budget_holds_while_agents_are_killed(url: str, tmp_path: Path) -> None:
    """What a dead agent had under way is billed, and no reply comes of it."""
    cap, run = CALLS * REPLY * 0.6, tmp_path / "run"
    play = Play.start(study_of(tmp_path, url, {"usd": cap}), run)
    kills = 0
    while kills < 2 and play.under_way():
        kills += play.kill("agent") is not None
    assert play.end() == 3
    assert kills
    assert bill(url)["replies"] * REPLY <= cap

    file = study_of(tmp_path, url, {"usd": 3 * cap})
    moot("run", file, "--out", run)
    check_whole(run, file)
    assert sum(row["cost_usd"] for row in table(run, "replies")) == pytest.approx(CALLS * REPLY)
    billed = bill(url)
    assert billed["questions"] == CALLS <= billed["replies"]
    assert billed["replies"] * REPLY <= 3 * cap


@pytest.mark.fault
def test_a_budget_holds_over_kills_of_everything(url: str, tmp_path: Path) -> None:
    """Driver, treasury and agents die before anything of what was billed has reached log or tables."""
    cases, each, run = 120, 30, tmp_path / "run"
    cap = 4 * cases * REPLY * 0.6
    pace = {"requests_per_minute": 1200}
    file = study_of(tmp_path, url, {"usd": cap}, cases, limits=pace)
    for _ in range(2):
        billed = bill(url)["replies"]
        play = Play.start(file, run)
        wait_until(lambda: bill(url)["replies"] >= billed + each, lambda: "little is asked", 120)  # noqa: B023
        assert play.kill_all()
    moot("run", file, "--out", run, code=3)
    assert 2 * each <= bill(url)["replies"]
    assert 0.5 * cap < bill(url)["replies"] * REPLY <= cap

    file = study_of(tmp_path, url, {"usd": 4 * cap}, cases)
    moot("run", file, "--out", run)
    check_whole(run, file)
    assert bill(url)["questions"] == 4 * cases
    assert bill(url)["replies"] * REPLY <= 4 * cap
