"""Agents that are lost are replaced, once each; a model that only dies ends the run. Without Ray."""

import pytest
from ray.exceptions import RayActorError

from ray_jobs import crew, gauges
from ray_jobs.cluster.capacity import Capacity
from ray_jobs.crew import DEATHS, Crew, CrewLost
from ray_jobs.ledger import Cap, Ledger, Settlement
from ray_jobs.readings import BudgetReading, GateReading, Spent
from ray_jobs.treasury import Funds
from serving.blocks import SimulatedBlock
from serving.purse import NANOS, NOTHING, Amount
from serving.remote_block import RemoteBlock
from tests.ray_jobs.fake_ray import FakeRay


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    fake = FakeRay(open=7)
    monkeypatch.setattr(crew, "ray", fake)
    monkeypatch.setattr(crew.Capacity, "of_cluster", lambda: Capacity(({"CPU": 2},), ({"CPU": 2},)))
    return fake


@pytest.fixture
def opened(ray: FakeRay) -> Crew:
    """Two replicas of one model, open."""
    made = Crew({"m": SimulatedBlock(backend="simulated", replicas=2)})
    made.open_all()
    return made


def reopen(opened: Crew) -> None:
    """What was started is now open."""
    for opening in list(opened.opening):
        assert opened.settle(opening) is not None


def test_a_lost_replica_is_replaced_once(ray: FakeRay, opened: Crew) -> None:
    """Several moderators tell of the same death, before and after the new actor is open."""
    assert opened.in_flight == 14
    lost, other = opened.replicas["m", 0], opened.replicas["m", 1]
    assert opened.replace("m", 0, 0, "gone", calls=1)
    assert not opened.replace("m", 0, 0, "gone", calls=1)
    assert ray.killed == [lost.agent]
    assert list(opened.replicas.values()) == [other]
    [replica] = map(opened.settle, list(opened.opening))
    assert replica is not None
    assert (replica.number, replica.generation) == (0, 1)
    assert opened.replicas["m", 0] is replica
    assert not opened.replace("m", 0, 0, "gone", calls=1)
    assert opened.replace("m", 0, 1, "gone again", calls=2)


def test_a_replica_that_dies_without_a_reply_between_ends_the_run(opened: Crew) -> None:
    for generation in range(DEATHS - 1):
        assert opened.replace("m", 0, generation, "gone", calls=5)
        reopen(opened)
    with pytest.raises(CrewLost, match=rf"replica 0 of model 'm' died {DEATHS} times .*: out of memory"):
        opened.replace("m", 0, DEATHS - 1, "out of memory", calls=5)


def test_a_reply_between_two_deaths_begins_the_count_anew(opened: Crew) -> None:
    for generation in range(3 * DEATHS):
        assert opened.replace("m", 0, generation, "gone", calls=generation // (DEATHS - 1))
        reopen(opened)


def test_many_replicas_that_die_at_once_are_no_sign_of_a_bad_model(ray: FakeRay) -> None:
    """A node was lost."""
    node = Crew({"m": SimulatedBlock(backend="simulated", replicas=DEATHS + 2)})
    node.open_all()
    for number in range(DEATHS + 2):
        assert node.replace("m", number, 0, "the node is gone", calls=9)
    assert len(node.opening) == DEATHS + 2


def test_a_start_that_fails_is_made_again_and_not_for_ever(ray: FakeRay, opened: Crew) -> None:
    opened.replace("m", 1, 0, "gone", calls=3)
    ray.results["open"] = RayActorError()
    for attempt in range(1, DEATHS):
        [opening] = opened.opening
        if attempt == DEATHS - 1:
            break
        assert opened.settle(opening) is None
        assert opening.actor in ray.killed
    with pytest.raises(CrewLost, match="replica 1 of model 'm'"):
        opened.settle(opening)


def test_what_a_dead_agent_had_reserved_is_forfeit_and_the_treasury_ends_last(ray: FakeRay) -> None:
    """Each start of a replica has a name of its own there."""
    made = Crew({"m": SimulatedBlock(backend="simulated")}, Funds(Cap(tokens=5), NOTHING, "run", "claim"))
    made.open_all()
    treasury, agent = ray.actors
    assert agent.made[1:] == ("m-0-0", treasury, 0)
    assert made.replace("m", 0, 0, "gone", calls=1)
    assert ray.actors[2].made[1:] == ("m-0-1", treasury, 0)
    assert [call.given for call in treasury.calls if call.method == "forfeit"] == [("m-0-0",)]
    reopen(made)
    made.close()
    assert treasury.calls[-1].method == "close"
    assert ray.killed[-1] is treasury


def test_remote_gates_and_the_treasury_are_read(ray: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an agent spent counts for its model, also before it died."""
    monkeypatch.setattr(gauges, "ray", ray)
    remote = RemoteBlock(backend="openai", model="far", replicas=2)
    made = Crew(
        {"m": SimulatedBlock(backend="simulated"), "r-1": remote},
        Funds(Cap(nanos=5 * NANOS), NOTHING, "run", "claim"),
    )
    made.open_all()
    ledger = Ledger(Cap(nanos=5 * NANOS), Amount(NANOS, 10))
    ledger.transact("r-1-0-0", [], [Amount(NANOS, 7)])
    ledger.forfeit("r-1-0-0")
    ledger.transact("r-1-0-1", [Settlement(NOTHING, Amount(NANOS, 3))], [Amount(2 * NANOS, 4)])
    ray.results |= {"condition": "open", "accounts": ledger.accounts()}
    gates, budget = made.read(0.0)
    assert gates == [GateReading("r-1", 0, "open"), GateReading("r-1", 1, "open")]  # type: ignore[arg-type]
    assert budget == BudgetReading(5.0, None, Spent(3.0, 20), Spent(2.0, 4), {"r-1": Spent(2.0, 10)}), (
        "with what earlier starts have spent"
    )
    ray.results["condition"] = RayActorError()
    assert made.read(0.0)[0] == [], "those that are gone say nothing"


def test_an_agent_that_costs_nothing_knows_no_treasury(ray: FakeRay) -> None:
    for funds in (None, Funds(Cap(nanos=5), NOTHING, "run", "claim")):
        made = Crew({"m": SimulatedBlock(backend="simulated")}, funds)
        made.open_all()
        assert ray.actors[-1].made[1:] == ("m-0-0", None, 0)
