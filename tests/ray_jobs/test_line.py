"""Every answer comes back to the ask it belongs to, in whatever order; a broken agent is told to all."""

import asyncio
import pickle
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any

import pytest

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Message, Reply, Sampling
from ray_jobs.agent import Agent
from ray_jobs.line import AgentLost, AskFailed, Line
from ray_jobs.post import Post
from serving.errors import AskRefused, EngineDead
from tests.ray_jobs.plays import Local


class Echo:
    """A backend that answers with the question, those of even numbers before those of odd ones.

    A question that names an error raises it.
    """

    in_flight = 8

    def __init__(self) -> None:
        self.asks = 0
        self.at_once = self.most_at_once = 0

    async def answer(self, ask: Ask) -> Reply:
        question = ask.messages[0].content
        self.asks += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0.001 * (self.asks % 2))
        self.at_once -= 1
        match question:
            case "refuse":
                raise AskRefused("cannot")
            case "die":
                raise EngineDead("dead")
            case "bug":
                raise KeyError("half \ud83d")
            case _:
                return Reply(question, reasoning="\ud83d\ude00", wait_seconds=1.0)

    async def close(self) -> None: ...


def ask_of(question: str, model: str = "m") -> Ask:
    return Ask("seat1", model, (Message("user", question),), Sampling(), AnswerFormat())


def agent_of(backend: Echo) -> Agent:
    """The agent that stands before a backend."""
    agent = Agent(None)
    agent._backend, agent._free = backend, asyncio.Semaphore(backend.in_flight)  # type: ignore[assignment]
    return agent


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


def test_five_hundred_answers_find_their_asks() -> None:
    async def work() -> None:
        backend = Echo()
        lines = [Line(Local(agent_of(backend)), "moderator0")]
        questions = [f"question {number}" for number in range(500)]
        replies = await asyncio.gather(*(lines[0].ask(ask_of(question)) for question in questions))
        assert [reply.text for reply in replies] == questions
        assert backend.most_at_once == backend.in_flight
        assert lines[0].load == 0
        assert all(reply.wait_seconds >= 1.0 for reply in replies)
        lines[0].close()

    run(work())


def test_moderators_get_their_own_answers() -> None:
    async def work() -> None:
        agent = Local(agent_of(Echo()))
        lines = [Line(agent, f"moderator{number}") for number in range(3)]
        replies = await asyncio.gather(*(line.ask(ask_of(str(at))) for at, line in enumerate(lines * 10)))
        assert [reply.text for reply in replies] == [str(at) for at in range(30)]
        for line in lines:
            line.close()

    run(work())


@pytest.mark.parametrize(
    ("question", "error", "says"),
    [
        ("refuse", AskFailed, "seat1: AskRefused: cannot"),
        ("die", AgentLost, "m: EngineDead: dead"),
        ("bug", AskFailed, "KeyError"),
    ],
)
def test_a_failure_reaches_the_ask_it_belongs_to(question: str, error: type[Exception], says: str) -> None:
    """What another try may mend suspends the debate, what it may not fails it; other asks go on."""

    async def work() -> None:
        line = Line(Local(agent_of(Echo())), "moderator0")
        answers = await asyncio.gather(
            *(line.ask(ask_of(each)) for each in ("one", question, "two")), return_exceptions=True
        )
        one, failed, two = answers
        assert isinstance(one, Reply)
        assert isinstance(two, Reply)
        assert isinstance(failed, error)
        assert says in str(failed)
        str(failed).encode()
        line.close()

    run(work())


def test_text_that_cannot_be_stored_is_replaced_before_anyone_hears_it() -> None:
    async def work() -> None:
        line = Line(Local(agent_of(Echo())), "moderator0")
        reply = await line.ask(ask_of("half \ud83d of a pair, \0"))
        assert reply.text == "half \ufffd of a pair, \0"
        assert reply.reasoning == "\N{GRINNING FACE}"
        line.close()

    run(work())


@pytest.mark.parametrize("broken", ["submit", "collect"])
def test_a_broken_agent_fails_all_that_wait_and_all_that_come(broken: str) -> None:
    async def breaks(*_: object) -> None:
        raise ConnectionError("actor died")

    async def works(*_: object) -> list[object]:
        await asyncio.sleep(0.001)
        return []

    async def work() -> None:
        methods = {"submit": works, "collect": works, broken: breaks}
        line = Line(Local(SimpleNamespace(**methods)), "moderator0")
        waiting = [line.ask(ask_of(str(number))) for number in range(20)]
        errors = await asyncio.gather(*waiting, return_exceptions=True)
        assert {type(error) for error in errors} == {AgentLost}
        with pytest.raises(AgentLost, match=r"the line to an agent broke.*actor died"):
            await line.ask(ask_of("later"))
        assert line.load == 0
        line.close()

    run(work())


def test_an_ask_given_up_does_not_break_the_line() -> None:
    async def work() -> None:
        line = Line(Local(agent_of(Echo())), "moderator0")
        given_up = asyncio.create_task(line.ask(ask_of("given up")))
        await asyncio.sleep(0)
        given_up.cancel()
        for question in ("next", "and next", "and last"):
            assert (await line.ask(ask_of(question))).text == question
        assert line.load == 0
        line.close()

    run(work())


def test_errors_travel() -> None:
    failed = pickle.loads(pickle.dumps(AskFailed("seat1", "AskRefused", "no", 0.5)))
    assert (str(failed), failed.wait_seconds) == ("seat1: AskRefused: no", 0.5)
    assert str(pickle.loads(pickle.dumps(AgentLost("gone")))) == "gone"


def test_a_debate_keeps_its_replica_and_the_next_takes_the_idlest() -> None:
    async def work() -> None:
        agents = {name: [Local(agent_of(Echo())) for _ in range(2)] for name in ("m", "n")}
        post = Post(agents, "moderator0")
        with post.lines(["m", "n", "m"]) as one:
            assert set(one) == {"m", "n"}
            with post.lines(["m"]) as two:
                assert two["m"] is not one["m"]
            with post.lines(["m", "n"]) as three:
                assert three["m"] is two["m"]
                assert three["n"] is not one["n"]
                assert (await three["m"].ask(ask_of("hello"))).text == "hello"
        with post.lines(["m"]) as four:
            assert four["m"] is one["m"]
        post.close()

    run(work())
