"""An agent answers the debates that started first, and works for nobody who is gone. Without Ray."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from protocols.dialogue import Ask, Reply
from ray_jobs.agent import GUILTY, SUSPECT, Agent
from ray_jobs.line import Line, NotNow
from ray_jobs.mail import Forgotten, Posted
from tests.ray_jobs.backends import Echo, Hanging, agent_of, ask_of, replica_of
from tests.ray_jobs.plays import Local


class Ordered(Echo):
    """An engine that answers all but what is "endless" once it is `open`; `met` lists what came, in order."""

    def __init__(self, in_flight: int) -> None:
        super().__init__()
        self.in_flight = in_flight
        self.met: list[str] = []
        self.at_work = 0
        self.open = asyncio.Event()

    async def answer(self, ask: Ask) -> Reply:
        question = ask.messages[0].content
        self.met.append(question)
        self.at_work += 1
        try:
            await (asyncio.Event() if question == "endless" else self.open).wait()
        finally:
            self.at_work -= 1
        return Reply(question)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


async def until(true: Any) -> None:
    while not true():
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("deaths", [0, SUSPECT, GUILTY])
def test_the_debate_that_started_first_goes_first(deaths: int) -> None:
    """Of the asks of two moderators that wait, whichever came first, suspect and guilty ones too."""

    async def work() -> None:
        backend = Ordered(in_flight=2)
        agent = agent_of(backend)
        lines = [Line(replica_of(Local(agent)), f"moderator{n}") for n in range(2)]
        asking = [asyncio.create_task(lines[n].ask(ask_of("now"))) for n in range(2)]
        await until(lambda: len(backend.met) == 2)
        asks = [lines[n % 2].ask(ask_of(f"rank {9 - n}"), deaths, 9.0 - n) for n in range(10)]
        asking += [asyncio.create_task(ask) for ask in asks]
        await until(lambda: len(agent._tasks) == 12)
        backend.open.set()
        await asyncio.gather(*asking)
        head = ["rank 9"] if deaths else []  # the one suspect that stands in the line for places already
        assert [each for each in backend.met[2:] if each not in head] == [
            f"rank {n}" for n in range(10 - len(head))
        ]
        for line in lines:
            line.close()

    run(work())


def test_what_a_forgotten_moderator_asked_is_given_up_and_others_go_on() -> None:
    """Its asks leave the engine, those that wait never get there, and its mail is gone."""

    async def work() -> None:
        backend = Ordered(in_flight=2)
        agent = agent_of(backend)
        await agent.submit("gone", [Posted(n, ask_of("endless"), n % 4, float(n)) for n in range(12)])
        line = Line(replica_of(Local(agent)), "moderator0")
        asking = [asyncio.create_task(line.ask(ask_of(f"live {n}"), 0, 99.0)) for n in range(5)]
        await until(lambda: len(agent._tasks) == 17)
        backend.open.set()
        await agent.forget("gone")
        assert [(await each).text for each in asking] == [f"live {n}" for n in range(5)]
        assert backend.at_work == 0
        assert backend.met.count("endless") == 2
        assert list(agent._mail) == ["moderator0"]
        assert not agent._tasks
        line.close()

    run(work())


def test_a_late_letter_of_a_forgotten_moderator_is_not_answered() -> None:
    async def work() -> None:
        backend = Echo()
        agent = agent_of(backend)
        await agent.forget("gone")
        await agent.submit("gone", [Posted(0, ask_of("late"))])
        assert not agent._tasks
        assert not agent._mail
        with pytest.raises(Forgotten, match="gone"):
            await agent.collect("gone")
        await agent.submit("gone", [Posted(1, ask_of("back"))])
        [(number, reply)] = await agent.collect("gone")
        assert (number, backend.asks) == (1, 1)
        assert isinstance(reply, Reply)

    run(work())


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has not come for mail for a moment is gone."""
    monkeypatch.setattr("ray_jobs.mail.KNOWN_SECONDS", 0.05)
    monkeypatch.setattr("ray_jobs.agent.SILENT_SECONDS", 0.04)


async def watching(backend: Echo) -> Agent:
    agent = agent_of(backend)
    agent._watching = asyncio.create_task(agent._watch())
    return agent


def test_who_never_comes_for_mail_is_forgotten_and_who_waits_for_it_is_not(impatient: None) -> None:
    """A moderator whose one question takes long has a call with the agent all the while."""

    async def work() -> None:
        backend = Hanging(slow=True)
        agent = await watching(backend)
        line = Line(replica_of(Local(agent)), "moderator0")
        asking = asyncio.create_task(line.ask(ask_of("long")))
        await agent.submit("gone", [Posted(n, ask_of("endless")) for n in range(20)])
        await until(lambda: "gone" in agent._forgotten)
        assert list(agent._mail) == ["moderator0"]
        await asyncio.sleep(0.2)
        backend.freed["long"].set()
        assert (await asking).text == "long"
        line.close()
        await agent.close()

    run(work())


def test_a_moderator_taken_for_gone_by_mistake_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its line stands; what was under way is told to have been lost on the way."""
    monkeypatch.setattr("ray_jobs.mail.COLLECT_SECONDS", 0.05)

    async def work() -> None:
        backend = Hanging()
        agent = agent_of(backend)
        line = Line(replica_of(Local(agent)), "moderator0")
        asking = [asyncio.create_task(line.ask(ask_of(str(n)))) for n in range(12)]
        await until(lambda: len(agent._tasks) == 12)
        await agent.forget("moderator0")
        lost = await asyncio.gather(*asking, return_exceptions=True)
        assert {str(each) for each in lost} == {"Forgotten: the agent took this moderator for gone"}
        assert {type(each) for each in lost} == {NotNow}
        assert (line.lost, line.outstanding) == (None, 0)
        backend.freed["again"].set()
        assert (await line.ask(ask_of("again"))).text == "again"
        line.close()

    run(work())
