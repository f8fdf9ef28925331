"""`moot status` tells from the run directory alone who plays, what has ended, and what would be continued."""

import json
import time
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from ray_jobs import bulletin, lease
from ray_jobs.bulletin import Bulletin
from ray_jobs.case_table import add_cases
from ray_jobs.claims import claim_id, claim_ids, claim_run
from ray_jobs.ending import ending
from ray_jobs.line import AskFailed
from ray_jobs.located import ExperimentError
from ray_jobs.log import Log
from ray_jobs.parts import Parts, write_batch
from ray_jobs.playing import failure_rows
from ray_jobs.readings import BudgetReading, GateReading, Spent
from ray_jobs.status_page import show_status
from ray_jobs.store import Store
from serving.limits.condition import Condition
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study


def told(run: Path) -> str:
    page = StringIO()
    show_status(str(run), Console(width=120, file=page))
    return page.getvalue()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Of five debates two are finished, one has failed, and the replies of one are in the log."""
    store = Store(str(tmp_path))
    experiment = study(panels=[["a", "b"]], protocols=["synchronous"], rounds=2)
    claim_run(store, experiment, claim_id())
    add_cases(store, case_rows(5), {"run_id": "r"}, "cases")
    one, two, three, four, _ = played(experiment, case_rows(5))
    parts, log = Parts("w"), Log(store, "w")
    failed = failure_rows(three["debates"][0], AskFailed("seat1", "a", "PromptTooLong", "too long", 0.0))
    for rows in (one, two, failed):
        parts.add(rows, 0.0)
    write_batch(store, parts.take())
    for row in [*one["replies"], *four["replies"]]:
        log.append(row)
    log.close()
    return tmp_path


def test_progress_failures_and_the_log(run: Path) -> None:
    """The log's rows of a debate that is in the tables do not count."""
    text = " ".join(told(run).split())
    assert "is not being played now; started once" in text
    assert "synchronous a+b 1-2 default text 2 5" in text
    assert "Failed: 1 PromptTooLong of model a; the same command with --retry-failed" in text
    assert "PromptTooLong of model a: too long" in text
    assert "replies of 1 open debates" in text


def test_who_plays_and_what_is_waited_for(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "SETTLE_SECONDS", {True: 0.0, False: 0.0})
    store = Store(str(run))
    words = Bulletin(
        claim_ids(store)[-1],
        time.time(),
        "2 of 5",
        {"a": {"calls": 4.0}},
        ["replica 0 of b"],
        ["debate 12ab waits"],
    )
    bulletin.post(store, words)
    with lease.lease(store, claim_id()):
        playing = told(run)
    assert "is being played by process" in playing
    for line in (
        "2 of 5",
        "a: 4 calls since that start",
        "being started again: replica 0 of b",
        "debate 12ab waits",
    ):
        assert line in playing
    assert "debate 12ab waits" not in told(run), "nobody waits when nobody plays"


CLOSED = Condition(
    limit=22,
    ceiling=32,
    in_flight=12,
    cuts=2,
    waiting=3,
    waited=4.4,
    circuit="closed",
    retry_in=None,
    failure=None,
    failed_ago=None,
    answered_ago=0.7,
    held=0.0,
    requests=55,
    requests_per_minute=60.0,
    tokens=1234,
    tokens_per_minute=None,
)
OPEN = replace(
    CLOSED, circuit="open", retry_in=8.0, failure="overloaded: 503", failed_ago=2.0, waiting=0, held=30.0
)


def test_gates_and_budget_are_told_while_it_is_played(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a model that has answered nothing yet; afterwards only what was spent."""
    monkeypatch.setattr(lease, "SETTLE_SECONDS", {True: 0.0, False: 0.0})
    store = Store(str(run))
    gates = [GateReading("a", 0, CLOSED), GateReading("b", 0, OPEN), GateReading("b", 1, CLOSED)]
    budget = BudgetReading(5.0, 2_000, Spent(1.25, 900), Spent(0.5, 70), {"a": Spent(1.0, 800)})
    newest = claim_ids(store)[-1]
    words = Bulletin(newest, time.time(), "2 of 5", {"a": {"calls": 4.0}}, [], [], gates, budget)
    bulletin.post(store, words)
    assert bulletin.latest(store) == words
    with lease.lease(store, claim_id()):
        playing = told(run)
    for line in (
        "a: 4 calls since that start",
        "    12 in flight, now 22 at a time of at most 32, after 2 cuts; 3 waiting, the first for 4 s\n",
        "    in the last minute 55 of 60 requests, 1,234 tokens\n",
        "    circuit closed; answered 1 s ago\n",
        "b: 0 calls since that start",
        "    replica 0: 12 in flight, now 22 at a time of at most 32, after 2 cuts; none waiting",
        "    circuit open, tried again in 8 s; answered 1 s ago; told to wait for 30 s more; failed 2 s ago:",
        "budget: $1.2500 of $5.0000, $0.5000 reserved; 900 of 2,000 tokens, 70 reserved",
        "  a has spent $1.0000 and 800 tokens since that start",
    ):
        assert line in playing, playing
    over = told(run)
    assert "circuit" not in over
    assert "budget: $1.2500 of $5.0000" in over


def test_a_bulletin_of_an_earlier_moot_is_read(run: Path) -> None:
    old = {"claim": "c", "time": 1.0, "line": "2 of 5", "models": {}, "restarting": [], "waiting": []}
    Store(str(run)).write(bulletin.NAME, json.dumps(old).encode())
    assert "told at last: 2 of 5" in told(run)


def test_a_start_that_has_told_nothing_yet_is_starting(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the one before it has told says nothing of it."""
    monkeypatch.setattr(lease, "SETTLE_SECONDS", {True: 0.0, False: 0.0})
    store = Store(str(run))
    bulletin.post(store, Bulletin("earlier", time.time(), "2 of 5", {}, [], [], left="0:01:00 left"))
    with lease.lease(store, claim_id()):
        playing = told(run)
    assert "starting: nothing has been told of this start yet" in playing
    assert "2 of 5" not in playing


@pytest.mark.parametrize(
    ("stopped", "says"),
    [
        ({}, "interrupted; the same command goes on with it"),
        ({"m": "auth: HTTP 401: no"}, "stopped: m: auth: HTTP 401: no"),
        (
            {"m": "budget: $4 of $5 are spent. Raise the budget"},
            "are spent. Raise the budget (budget.usd or budget.tokens) and run the same command again",
        ),
    ],
)
def test_a_run_that_is_not_played_says_why_and_no_time_left(
    run: Path, stopped: dict[str, str], says: str
) -> None:
    store = Store(str(run))
    newest = claim_ids(store)[-1]
    words = Bulletin(newest, time.time(), "2 of 5", {}, [], [], left="0:01:00 left", stopped=stopped)
    bulletin.post(store, words)
    text = told(run)
    assert says in " ".join(text.split())
    assert "told at last: 2 of 5\n" in text
    assert " left" not in text
    assert "interrupted" not in text or not stopped


def test_a_run_whose_debates_have_all_ended_is_finished() -> None:
    assert ending(0, 0, {}) == [], "as stands above"
    assert ending(3, 3, {}) == ["all has ended, 3 have failed"]
    assert ending(4, 3, {}) == ["interrupted; the same command goes on with it"]


def test_a_damaged_bulletin_is_named(run: Path) -> None:
    Store(str(run)).write(bulletin.NAME, b'{"claim": "c"')
    with pytest.raises(ExperimentError, match=r"status.json: found no bulletin .* remove it"):
        told(run)


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="found no run of moot"):
        told(tmp_path)
