"""Agents die, and their debates go on with others; an ask that kills every engine it meets is set aside."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from protocols.dialogue import Reply
from ray_jobs import crew
from ray_jobs.agent import GUILTY, SUSPECT, Agent
from ray_jobs.line import AgentLost, AskFailed, Line, Replica
from ray_jobs.post import TRIES, Correspondence, Post
from serving.backend import Backend
from tests.ray_jobs.backends import Echo, Hanging, Mortal, agent_of, ask_of, replica_of
from tests.ray_jobs.plays import Local


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


def of(backend: Backend, number: int = 0, generation: int = 0, model: str = "m") -> Replica:
    return replica_of(Local(agent_of(backend)), model, number, generation)


@asynccontextmanager
async def replaced(post: Post, engines: list[Mortal]) -> AsyncIterator[None]:
    """Sees to it that each replica that is lost gets another engine, which joins `engines`."""

    async def replace() -> None:
        while True:
            for model, number, generation in post.lost:
                engines.append(Mortal())
                await post.connect(of(engines[-1], number, generation + 1, model))
            await asyncio.sleep(0.001)

    replacing = asyncio.create_task(replace())
    yield
    replacing.cancel()
    post.close()


async def debate(post: Post, questions: Sequence[str]) -> list[Reply | BaseException]:
    """What comes of the asks of one debate, put all at once."""
    agents = Correspondence(post)
    asks = (agents.ask(ask_of(question)) for question in questions)
    answers = await asyncio.gather(*asks, return_exceptions=True)
    agents.end()
    return answers


async def until(true: Any) -> None:
    while not true():
        await asyncio.sleep(0.001)


def test_a_debate_keeps_its_replica_and_the_next_takes_the_idlest() -> None:
    async def work() -> None:
        post = Post([of(Echo(), number, model=model) for model in "mn" for number in range(2)], "moderator0")
        one, two = await post.assign("m"), await post.assign("m")
        assert one is not two
        post.release(two)
        assert await post.assign("m") is two
        post.release(one)
        assert await post.assign("m") is one
        assert (await post.assign("n")).replica.model == "n"
        agents = Correspondence(post)
        await agents.ask(ask_of("one"))
        held = dict(agents._lines)
        await agents.ask(ask_of("two"))
        assert agents._lines == held
        post.close()

    run(work())


def test_what_waits_for_a_dead_agent_is_asked_of_another() -> None:
    """Replies that were there stay as they are; the others tell of their second attempt."""

    async def work() -> None:
        engines = [Mortal(in_flight=2, seconds=0.05), Mortal(in_flight=2)]
        post = Post([of(engine, number) for number, engine in enumerate(engines)], "moderator0")
        agents = Correspondence(post)
        [first] = await asyncio.gather(agents.ask(ask_of("before")))
        assert first.attempts == 1
        waiting = [asyncio.create_task(agents.ask(ask_of(f"question {n}"))) for n in range(10)]
        await until(lambda: len(engines[0].met) == 3)
        engines[0]._death.set()
        replies = await asyncio.gather(*waiting)
        assert [(reply.text, reply.attempts) for reply in replies] == [
            (f"question {n}", 2) for n in range(10)
        ]
        assert "before" not in {question for met in engines[1].met for question in met}
        assert list(post.lost) == [("m", 0, 0)]
        agents.end()
        assert set(post._debates.values()) == {0}
        post.close()

    run(work())


def test_without_a_live_replica_a_debate_waits_for_one() -> None:
    async def work() -> None:
        engine = Mortal()
        engine._death.set()
        post = Post([of(engine)], "moderator0")
        going_on = asyncio.create_task(debate(post, ["one", "two", "three"]))
        await until(lambda: post.lost)
        await asyncio.sleep(0.02)
        assert not going_on.done()
        await post.connect(of(Mortal(), generation=1))
        replies = await going_on
        assert [(reply.text, reply.attempts) for reply in replies if isinstance(reply, Reply)] == [
            ("one", 2),
            ("two", 2),
            ("three", 2),
        ]
        assert post.lost == {}
        assert set(post._debates.values()) == {0}, "also where several asks of a debate turn at once"
        post.close()

    run(work())


def test_a_poisonous_ask_is_set_aside_and_the_crowd_is_answered() -> None:
    """It takes four engines, the last of them alone; every innocent ask gets its reply."""

    async def work() -> None:
        engines = [Mortal()]
        post = Post([of(engines[0])], "moderator0")
        crowd = [f"innocent {n}" for n in range(20)]
        async with replaced(post, engines):
            debates = [debate(post, [question]) for question in [*crowd[:5], "poison", *crowd[5:]]]
            answers = [answer for [answer] in await asyncio.gather(*debates)]
        [failed] = [answer for answer in answers if isinstance(answer, BaseException)]
        assert isinstance(failed, AskFailed)
        assert failed.error_class == "EngineKilled"
        assert "asked alone, replica 0 of m is gone" in failed.message
        assert [answer.text for answer in answers if isinstance(answer, Reply)] == crowd
        killed = [met for engine in engines if (met := engine.met) and engine._death.is_set()]
        assert len(killed) == GUILTY + 1 < crew.DEATHS, "a guilty ask alone does not end a run"
        assert killed[-1][-1] == ("poison",)
        assert set(post._debates.values()) == {0}

    run(work())


def test_several_poisonous_asks_are_set_aside_one_after_the_other() -> None:
    async def work() -> None:
        engines = [Mortal()]
        post = Post([of(engines[0])], "moderator0")
        async with replaced(post, engines):
            answers = await debate(post, ["poison 1", "innocent", "poison 2"])
        assert [getattr(answer, "error_class", "") for answer in answers] == [
            "EngineKilled",
            "",
            "EngineKilled",
        ]
        assert len([engine for engine in engines if engine._death.is_set()]) < crew.DEATHS

    run(work())


@pytest.mark.parametrize(("deaths", "company"), [(SUSPECT, True), (GUILTY, False)])
def test_suspects_go_one_at_a_time_and_then_alone(deaths: int, company: bool) -> None:
    async def work() -> None:
        engine = Mortal(in_flight=4)
        line = Line(of(engine), "moderator0")
        asks = [
            line.ask(ask_of(f"{kind} {n}"), deaths * (kind == "suspect"))
            for n in range(12)
            for kind in ("fresh", "suspect")
        ]
        assert len(await asyncio.gather(*asks)) == 24
        with_suspects = [met for met in engine.met if any(each.startswith("suspect") for each in met)]
        assert len(with_suspects) >= 12
        assert all(sum(each.startswith("suspect") for each in met) == 1 for met in with_suspects)
        assert (max(map(len, with_suspects)) > 1) == company
        assert max(map(len, engine.met)) == 4, "the others go on side by side"
        line.close()

    run(work())


def test_an_ask_is_not_guilty_of_a_death_before_its_trial() -> None:
    """Another moderator's ask killed the engine while this one waited for it to be free."""

    async def work() -> None:
        agent = Local(agent_of(Mortal(in_flight=2, seconds=0.02)))
        lines = [Line(replica_of(agent), f"moderator{n}") for n in range(2)]
        killing = asyncio.create_task(lines[0].ask(ask_of("poison")))
        await asyncio.sleep(0.001)
        with pytest.raises(AgentLost) as lost:
            await lines[1].ask(ask_of("innocent"), GUILTY)
        assert not lost.value.alone
        with pytest.raises(AgentLost):
            await killing
        for line in lines:
            line.close()

    run(work())


def test_an_ask_lost_on_the_way_again_and_again_fails() -> None:
    async def work() -> None:
        backend = Echo()
        post = Post([of(backend)], "moderator0")
        [failed] = await debate(post, ["lose"])
        assert isinstance(failed, AskFailed)
        assert (failed.error_class, backend.asks) == ("TransportError", TRIES)
        assert post.lost == {}
        post.close()

    run(work())


@asynccontextmanager
async def watched(backend: Backend) -> AsyncIterator[Line]:
    """A line to an agent that watches over its engine."""
    agent: Agent = agent_of(backend)
    agent._watching = asyncio.create_task(agent._watch())
    line = Line(replica_of(Local(agent)), "moderator0")
    yield line
    line.close()
    await agent.close()


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence is noticed, and a probe given up, within hundredths of a second."""
    monkeypatch.setattr("ray_jobs.agent.SILENT_SECONDS", 0.02)
    monkeypatch.setattr("ray_jobs.agent.PROBE_SECONDS", 0.05)


def test_an_engine_that_hangs_is_given_up(soon: None) -> None:
    async def work() -> None:
        async with watched(Hanging()) as line:
            asks = [line.ask(ask_of(str(n)), n) for n in range(GUILTY + 1)]
            errors = await asyncio.gather(*asks, return_exceptions=True)
            assert all(isinstance(error, AgentLost) for error in errors)
            assert "silent for" in str(errors[0])
            assert "a probe failed" in str(errors[0])

    run(work())


def test_an_engine_that_is_slow_is_left_to_its_work(soon: None) -> None:
    async def work() -> None:
        backend = Hanging(slow=True)
        async with watched(backend) as line:
            asking = asyncio.create_task(line.ask(ask_of("long")))
            await until(lambda: backend.probes == 4)
            backend.freed["long"].set()
            assert (await asking).text == "long"

    run(work())


def test_an_engine_that_answers_while_a_probe_waits_is_alive(soon: None) -> None:
    async def work() -> None:
        backend = Hanging()
        async with watched(backend) as line:
            asking = [asyncio.create_task(line.ask(ask_of(question))) for question in ("one", "two")]
            for probes, question in enumerate(("one", "two"), start=1):
                await until(lambda probes=probes: backend.probes == probes)
                backend.freed[question].set()
            assert [reply.text for reply in await asyncio.gather(*asking)] == ["one", "two"]

    run(work())
