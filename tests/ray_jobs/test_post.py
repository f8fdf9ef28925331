"""Agents die, and their debates go on with others; an ask that kills every engine it meets is set aside."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.dialogue import Ask, Reply, Sampling
from ray_jobs import crew
from ray_jobs.agent import GUILTY, SUSPECT, Agent
from ray_jobs.line import AgentLost, AskFailed, Line, Replica
from ray_jobs.mail import Answer, Answers, Failure, Letter
from ray_jobs.post import TRIES, Correspondence, Post
from serving.backend import Backend
from tests.ray_jobs.backends import Echo, Hanging, Mortal, agent_of, ask_of, replica_of
from tests.ray_jobs.plays import Local

pytestmark = pytest.mark.long


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
    agents = Correspondence(post, "debate")
    asks = (agents.ask(ask_of(question)) for question in questions)
    answers = await asyncio.gather(*asks, return_exceptions=True)
    agents.end()
    return answers


async def until(true: Any) -> None:
    while not true():
        await asyncio.sleep(0.001)


def test_a_debate_keeps_its_replica_and_the_next_takes_the_idlest() -> None:
    """Where nothing is under way, that with fewest debates, and of those the first."""

    async def work() -> None:
        post = Post([of(Echo(), number, model=model) for model in "mn" for number in range(2)], "moderator0")
        one, two = await post.assign("m"), await post.assign("m")
        assert [line.replica.number for line in (one, two)] == [0, 1]
        post.release(two)
        assert await post.assign("m") is two
        post.release(one)
        assert await post.assign("m") is one
        assert (await post.assign("n")).replica.model == "n"
        agents = Correspondence(post, "debate")
        await agents.ask(ask_of("one"))
        held = dict(agents._lines)
        await agents.ask(ask_of("two"))
        assert agents._lines == held
        post.close()

    run(work())


def test_every_ask_of_a_debate_carries_its_id() -> None:
    """Also those of what follows from it, and when they are asked again: they begin alike."""

    class Noting(Echo):
        """Notes whose asks it was given."""

        def __init__(self) -> None:
            super().__init__()
            self.heard: list[str] = []

        async def answer(self, ask: Ask) -> Reply:
            self.heard.append(ask.conversation)
            return await super().answer(ask)

    async def work() -> None:
        engine = Noting()
        post = Post([of(engine)], "moderator0")
        for debate_id in ("one", "two"):
            agents = Correspondence(post, debate_id)
            await agents.ask(ask_of("question"))
            await agents.ask(replace(ask_of("another"), kind="judge"))
            agents.end()
        assert engine.heard == ["one", "one", "two", "two"]
        post.close()

    run(work())


class Desk:
    """An agent whose answers the test gives: `questions` are those it was asked, by number."""

    def __init__(self) -> None:
        self.questions: dict[str, int] = {}
        self._answers: asyncio.Queue[Answers] = asyncio.Queue()

    async def submit(self, _: str, letter: Letter) -> None:
        self.questions |= {posted.ask.messages[0].content: posted.number for posted in letter}

    async def collect(self, _: str) -> Answers:
        return await self._answers.get()

    def answer(self, question: str, answer: Answer) -> None:
        self._answers.put_nowait([(self.questions[question], answer)])


def load(ask: Ask) -> int:
    """What `Post` is to count an ask as."""
    return len(ask.messages[0].content) // 4 + ask.sampling.max_tokens


def sized(number: int, length: int, max_tokens: int) -> Ask:
    return replace(ask_of(f"{number} ".ljust(length)), sampling=Sampling(max_tokens=max_tokens))


REFUSED = Failure("bad_request", "no", 0.0)
LOST = Failure("transient", "lost", 0.0, retriable=True)
DEAD = Failure("engine_dead", "dead", 0.0, retriable=True, dead=True)
ENDS: list[Answer | None] = [Reply("yes"), REFUSED, LOST, None]
"""How an ask may end; None: whoever asked gives up."""
ASKS = st.tuples(st.integers(8, 50_000), st.integers(1, 4_000), st.sampled_from(ENDS))


@settings(max_examples=50)
@given(st.lists(ASKS, max_size=12), st.randoms(use_true_random=False), st.booleans())
def test_outstanding_tokens_are_those_of_the_asks_under_way(
    planned: list[tuple[int, int, Answer | None]], chance: Random, dies: bool
) -> None:
    """On each line, at every moment, however asks end; nothing is left when all have, or the agent died."""

    async def work() -> None:
        desks = [Desk(), Desk()]
        post = Post([replica_of(Local(desk), "m", number) for number, desk in enumerate(desks)], "moderator0")
        under_way: list[tuple[Line, Desk, Ask, Answer | None, asyncio.Task[Reply]]] = []

        def check() -> None:
            for line in post._lines.values():
                assert line.outstanding == sum(load(each[2]) for each in under_way if each[0] is line)

        async def settle() -> None:
            line, desk, ask, end, asking = under_way.pop(chance.randrange(len(under_way)))
            if end is None:
                asking.cancel()
            else:
                desk.answer(ask.messages[0].content, end)
            await asyncio.wait([asking])
            post.release(line)
            check()

        for number, (length, max_tokens, end) in enumerate(planned):
            line = await post.assign("m")
            assert line.outstanding == min(each.outstanding for each in post._lines.values())
            ask, desk = sized(number, length, max_tokens), desks[line.replica.number]
            under_way.append((line, desk, ask, end, asyncio.create_task(line.ask(ask))))
            await until(lambda ask=ask, desk=desk: ask.messages[0].content in desk.questions)
            check()
            if chance.random() < 0.3:
                await settle()
        if dies and under_way:
            line, desk, ask, *_ = under_way[0]
            desk.answer(ask.messages[0].content, DEAD)
            asking = [each[-1] for each in under_way if each[0] is line]
            errors = await asyncio.gather(*asking, return_exceptions=True)
            assert {type(error) for error in errors} == {AgentLost}
            under_way[:] = [each for each in under_way if each[0] is not line]
            check()
        while under_way:
            await settle()
        assert {line.outstanding for line in post._lines.values()} == {0}
        post.close()

    run(work())


async def loads(lengths: Sequence[int]) -> list[int]:
    """The tokens outstanding with each of two replicas after so many debates have begun to ask."""
    post = Post([replica_of(Local(Desk()), "m", number) for number in range(2)], "moderator0")
    debates = [
        asyncio.create_task(Correspondence(post, "debate").ask(sized(number, length, 100)))
        for number, length in enumerate(lengths)
    ]
    await asyncio.sleep(0.001)
    found = [line.outstanding for line in post._lines.values()]
    for debate in debates:
        debate.cancel()
    post.close()
    return found


@settings(max_examples=50)
@given(st.lists(st.integers(10, 100_000), min_size=1, max_size=30))
def test_two_replicas_differ_by_no_more_than_one_ask(lengths: list[int]) -> None:
    """Also where many debates start at the same moment."""
    one, two = asyncio.run(loads(lengths))
    assert one + two == sum(load(sized(n, length, 100)) for n, length in enumerate(lengths))
    assert abs(one - two) <= max(lengths) // 4 + 100


def test_long_and_short_debates_are_spread_by_what_they_ask() -> None:
    """By turns, as debates are counted, one replica would have nearly all."""
    one, two = asyncio.run(loads([40_000, 400] * 10))
    assert abs(one - two) < 0.1 * (one + two)


def test_what_waits_for_a_dead_agent_is_asked_of_another() -> None:
    """Replies that were there stay as they are; the others tell of their second attempt."""

    async def work() -> None:
        engines = [Mortal(in_flight=2, seconds=0.05), Mortal(in_flight=2)]
        post = Post([of(engine, number) for number, engine in enumerate(engines)], "moderator0")
        agents = Correspondence(post, "debate")
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
        assert (failed.error_class, failed.attempts) == ("engine_dead", GUILTY + 1)
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
            "engine_dead",
            "",
            "engine_dead",
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
        assert (failed.error_class, failed.attempts, backend.asks) == ("transient", TRIES, TRIES)
        assert post.lost == {}
        post.close()

    run(work())


def test_attempts_before_a_refusal_are_counted() -> None:
    """An ask that was lost with an engine, and that the next one refuses."""

    async def work() -> None:
        engine = Mortal()
        engine._death.set()
        post = Post([of(engine)], "moderator0")
        asking = asyncio.create_task(debate(post, ["refuse"]))
        await until(lambda: post.lost)
        await post.connect(of(Echo(), generation=1))
        [failed] = await asking
        assert isinstance(failed, AskFailed)
        assert (failed.error_class, failed.attempts) == ("bad_request", 2)
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
