"""What the driver does about deaths and silence, and what a chair hands to a successor. Without Ray."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ray.exceptions import GetTimeoutError, RayActorError

from ray_jobs import chair
from ray_jobs.bulletin import latest
from ray_jobs.chair import DEATHS, Chair
from ray_jobs.claims import Claim
from ray_jobs.crew import CrewLost
from ray_jobs.debate import Debate
from ray_jobs.driver import Driver, Stalled
from ray_jobs.parts import write_part
from ray_jobs.plan import Plan
from ray_jobs.readings import GateReading
from ray_jobs.status import Status, Task
from ray_jobs.store import Store
from serving.limits.condition import Condition
from serving.limits.limits_block import Limits
from tests.ray_jobs.fake_ray import FakeRay
from tests.ray_jobs.studies import study

JUDGED = {"name": "judged", "keep": "consensus", "judges": ["a"]}
PLAN = Plan(study(panels=[["a", "b"]], protocols=["synchronous"], stages=[JUDGED]), ["case"])


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return Task(str(tmp_path), Claim("claim", "run", {}), "claim", frozenset("ab"))


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    fake = FakeRay(status=Status.of("m", ["debate", "judged"]))
    monkeypatch.setattr(chair, "ray", fake)
    return fake


def debates(*numbers: int) -> list[Debate]:
    return [Debate(f"{number:016x}", "case", 1, 0, 0) for number in numbers]


def status_of(calls: int, **counts: Any) -> Status:
    """What a moderator tells after so many calls of model m."""
    return replace(Status.of("m", ["debate", "judged"]), calls=Counter(m=calls), **counts)


def driver_of(task: Task, chairs: list[Any], crew: Any = None, stall_seconds: float = 1000) -> Driver:
    progress: Any = SimpleNamespace(
        warn=lambda _: None, report=lambda _: None, line="", left="", models={}, budget=lambda _: None
    )
    crew = crew or SimpleNamespace(limits={})
    return Driver(task, PLAN, crew, chairs, progress, 10, stall_seconds)


def test_silence_ends_the_run_and_leaves_a_list_of_what_is_waited_for(task: Task) -> None:
    chairs = [SimpleNamespace(where=lambda n=n: [f"debate {n} waits for a"]) for n in range(2)]
    driver_of(task, chairs)._watch(0)
    impatient = driver_of(task, chairs, stall_seconds=0)
    for moves in (1, 2, 3):
        impatient._watch(moves)
    with pytest.raises(Stalled, match=r"2 open debates wait for stands in .*/stalls/claim\.txt"):
        impatient._watch(3)
    assert Store(task.run).read("stalls/claim.txt") == b"debate 0 waits for a\ndebate 1 waits for a"


def test_an_agent_that_moderators_have_lost_is_replaced(task: Task) -> None:
    """The replies of its model are counted over all moderators, the dead included."""
    told: list[tuple[object, ...]] = []
    crew = SimpleNamespace(
        limits={}, opening={}, replace=lambda *given: told.append(given), read=lambda _: ([], None)
    )

    def moderator(calls: int, *past: int) -> SimpleNamespace:
        statuses = [status_of(count) for count in (*past, calls)]
        statuses[-1].lost = {("m", 1, 4): "replica 1 of m is gone"}
        return SimpleNamespace(statuses=statuses, status=statuses[-1], hear=lambda: None, where=list)

    driver_of(task, [moderator(2), moderator(3, 10, 20)], crew)._hear()
    assert told == [("m", 1, 4, "replica 1 of m is gone", 35)] * 2


def test_what_goes_wrong_is_told_once(task: Task) -> None:
    """The first failure of each model and class, an outage, a model that has stopped."""
    far = Condition(8, 8, 0, 0, 0, 0.0, "open", 5.0, "overloaded: HTTP 503", 1.0, None, 0.0, 9, None, 9, None)
    crew = SimpleNamespace(
        limits={"far": Limits()}, opening={}, read=lambda _: ([GateReading("far", 0, far)], None)
    )
    failures = {("far", "bad_request"): "HTTP 400: no", ("m", "too_long"): "long"}
    status = status_of(1, failures=failures, stopped={"far": "auth: HTTP 401"})
    chairs = [
        SimpleNamespace(statuses=[status], status=status, hear=lambda: None, where=list) for _ in range(2)
    ]
    told: list[str] = []
    driver = driver_of(task, chairs, crew)
    driver._progress.warn = told.append  # type: ignore[method-assign]
    for _ in range(2):
        driver._hear()
        driver._tell([])
    assert told[:3] == [
        "model 'far' answers nothing more in this run: auth: HTTP 401",
        "model 'far': bad_request: HTTP 400: no",
        "model 'm': too_long: long",
    ]
    [outage] = told[3:]
    assert outage.startswith("model 'far': 10 of its last 20 calls failed, the last: overloaded: HTTP 503;")
    bulletin = latest(Store(task.run))
    assert bulletin is not None
    assert bulletin.stopped == {"far": "auth: HTTP 401"}


def test_moderators_that_die_in_a_row_without_doing_anything_end_the_run(task: Task, ray: FakeRay) -> None:
    """One that dies while it is being seated counts as any other; one that got something done does not."""
    seat, store = Chair(0, task, PLAN, 5, []), Store(task.run)
    for _ in range(DEATHS + 2):
        seat.status = status_of(1)
        seat.replace(store, [])
    assert seat.deaths == DEATHS + 2
    ray.results["open"] = RayActorError()
    with pytest.raises(CrewLost, match=f"moderator 0 died {DEATHS} times in a row"):
        seat.replace(store, [])
    assert seat.deaths == 2 * DEATHS + 1


def test_a_successor_plays_what_is_not_in_the_tables(task: Task, ray: FakeRay) -> None:
    """Of three blocks the first is in the tables as was told, the second in part, the third open."""
    seat = Chair(0, task, PLAN, 5, [])
    for block in (debates(1, 2), debates(3, 4, 5), debates(6, 7)):
        seat.play(block)
    first, second, _ = seat.blocks
    for call, batch in ((first, 0), (second, 1)):
        ray.results["play"] = batch
        seat.end(call)
    ray.results["status"] = status_of(9, finished=Counter({("debate", "agree"): 4}), ended=4, batches=1)
    seat.hear()
    store = Store(task.run)
    for number in (0, 1):
        write_ended(store, "debates", f"claim-moderator0-0-{number:06d}", *((1, 2), (3,))[number])
    write_ended(store, "failures", "claim-moderator0-0-000001", 5)
    ray.results["status"] = RayActorError()
    seat.hear()
    assert seat.status.ended == 4, "what was told last stands"
    seat.replace(store, [])
    assert [call.method for call in ray.actors[1].calls] == ["open", "play"]
    [(call, left)] = seat.blocks.items()
    assert call.actor is seat.actor is ray.actors[1]
    assert left == debates(4, 6, 7) == call.given[0]
    assert sum((status.finished for status in seat.statuses), Counter()) == {("debate", "disagree"): 3}
    assert sum((status.failed for status in seat.statuses), Counter()) == {"debate": 1}
    assert sum(status.calls.total() for status in seat.statuses) == 9
    assert (seat.held, seat.deaths) == (3, 1)
    assert [actor.made[0] for actor in ray.actors] == ["claim-moderator0-0", "claim-moderator0-1"]


def write_ended(store: Store, table: str, stem: str, *numbers: int, standing: str = "disagree") -> None:
    rows = [{"debate_id": f"{number:016x}", "stage": "debate"} for number in numbers]
    further = {"standing": standing} if table == "debates" else {}
    write_part(store, table, stem, [{**row, **further} for row in rows])


def test_a_successor_plays_again_what_failed_in_an_earlier_start(task: Task, ray: FakeRay) -> None:
    """It had been handed out to be tried once more."""
    seat, store = Chair(0, task, PLAN, 5, []), Store(task.run)
    seat.play(held := debates(1, 2))
    write_ended(store, "failures", "earlier-moderator0-0-000000", 1, 2)
    write_ended(store, "failures", "claim-moderator0-0-000000", 2)
    seat.replace(store, [])
    [left] = seat.blocks.values()
    assert left == held[:1]


def test_a_successor_plays_what_follows_from_debates_that_are_in_the_tables(task: Task, ray: FakeRay) -> None:
    """Of three debates that a judge is to read, one is open, one is judged, one waits for its judgment."""
    seat, store = Chair(0, task, PLAN, 5, []), Store(task.run)
    seat.play(held := debates(1, 2, 3))
    write_ended(store, "debates", "claim-moderator0-0-000000", 2, 3, standing="agree")
    judged, waiting = (PLAN.after(debate, "agree")[0] for debate in held[1:])
    row = {"debate_id": judged.debate_id, "stage": "judged", "standing": "judgment"}
    write_part(store, "debates", "claim-moderator0-0-000001", [row])
    seat.replace(store, [])
    [left] = seat.blocks.values()
    assert left == [held[0], waiting]
    assert sum((status.finished for status in seat.statuses), Counter()) == {
        ("debate", "agree"): 2,
        ("judged", "judgment"): 1,
    }


def test_a_moderator_that_does_not_tell_is_asked_again(task: Task, ray: FakeRay) -> None:
    seat = Chair(0, task, PLAN, 5, [])
    ray.results |= {"status": GetTimeoutError("busy"), "where": GetTimeoutError("busy")}
    seat.hear()
    [line] = seat.where()
    assert line.startswith("moderator 0 does not say: GetTimeoutError")
    ray.results["close"] = GetTimeoutError("hung")
    seat.close()
    assert ray.killed == [seat.actor]


def test_blocks_that_have_ended_hold_nothing_however_old_the_status(task: Task, ray: FakeRay) -> None:
    """Else a driver whose moderators do not tell would take a plan that it has not walked for played."""
    seat = Chair(0, task, PLAN, 5, [])
    seat.play(debates(1, 2, 3))
    assert seat.held == 3
    ray.results["status"] = status_of(2, finished=Counter({("debate", "agree"): 2}), ended=2)
    seat.hear()
    assert seat.held == 1, "what was told counts before its block has ended"
    ray.results["play"] = 0
    seat.end(next(iter(seat.blocks)))
    assert seat.held == 0, "and a block that has ended before what is told of it"
