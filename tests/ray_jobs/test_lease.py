"""The lease: one process writes to a run at a time, and a dead one holds up nobody."""

import json
import os
import socket
import threading
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from ray_jobs import lease
from ray_jobs.lease import Holder, LeaseLost
from ray_jobs.located import ExperimentError
from ray_jobs.store import Store

pytestmark = pytest.mark.long

OLD, NEW = "20260101T000000000000-aaaaaaaa", "20260101T000001000000-bbbbbbbb"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setattr(lease, "SETTLE_SECONDS", {True: 0.0, False: 0.0})
    monkeypatch.setattr(lease, "WATCH_SECONDS", 0.2)
    return Store(str(tmp_path))


def put(store: Store, claim: str, **changes: object) -> None:
    """A claim as this process would have written it, with these changes."""
    holder = replace(Holder.me(holds=False), **changes)  # type: ignore[arg-type]
    store.write(f"lease/{claim}.json", json.dumps(asdict(holder)).encode())


def test_the_second_is_refused_with_the_holders_name(store: Store) -> None:
    with lease.lease(store, OLD):
        with pytest.raises(ExperimentError) as refused, lease.lease(store, NEW):
            pass
        assert f"process {os.getpid()} on {socket.gethostname()}" in str(refused.value)
        assert store.names("lease") == [f"lease/{OLD}.json"], "the second has withdrawn"
    assert store.names("lease") == []


def test_of_two_at_once_the_older_claim_wins(store: Store) -> None:
    put(store, NEW)
    with lease.lease(store, OLD):
        lease.check(store, OLD)


@pytest.mark.parametrize(
    "dead",
    [
        {"process": 2**22 + 1},
        {"started": 1.0},
        {"host": "elsewhere", "renewed": time.time() - lease.STALE_SECONDS - 1},
    ],
    ids=["its process has ended", "its process number is another's now", "silent on another machine"],
)
def test_a_dead_claim_is_taken_over_and_its_writer_told(store: Store, dead: dict[str, object]) -> None:
    put(store, OLD, **dead)
    with lease.lease(store, NEW), pytest.raises(LeaseLost, match=OLD):
        lease.check(store, OLD)


def test_a_silent_claim_of_another_machine_is_waited_for(store: Store) -> None:
    put(store, OLD, host="elsewhere", renewed=time.time() - lease.STALE_SECONDS + 10)
    with (
        pytest.raises(ExperimentError, match="on elsewhere, last heard of 50 s ago"),
        lease.lease(store, NEW),
    ):
        pass


def test_who_holds_the_run_is_not_ousted_by_an_older_claim(store: Store) -> None:
    """Which a process writes whose clock is behind."""
    with lease.lease(store, NEW):
        with pytest.raises(ExperimentError, match="is being played by process"), lease.lease(store, OLD):
            pass
        lease.check(store, NEW)


@pytest.mark.parametrize("skew", [-3600, 3600])
def test_a_holder_whose_clock_differs_is_known_by_its_renewals(store: Store, skew: float) -> None:
    def renew(times: int) -> None:
        for number in range(times):
            put(store, OLD, host="elsewhere", holds=True, renewed=time.time() + skew + number)
            time.sleep(0.05)

    renew(1)
    renewing = threading.Thread(target=renew, args=(12,))
    renewing.start()
    with pytest.raises(ExperimentError, match="on elsewhere"), lease.lease(store, NEW):
        pass
    renewing.join()
    with lease.lease(store, NEW):
        assert store.names("lease") == [f"lease/{NEW}.json"], "one that renews no more is dead"


def test_a_holder_renews_its_claim(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "BEAT_SECONDS", 0.01)
    with lease.lease(store, OLD):
        first = store.read(f"lease/{OLD}.json")
        deadline = time.monotonic() + 10
        while store.read(f"lease/{OLD}.json") == first:
            assert time.monotonic() < deadline
