"""Every answer comes back to the ask it belongs to, in whatever order; a broken agent is told to all."""

import asyncio
import pickle
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any

import pytest

from protocols.dialogue import Reply
from ray_jobs.agent import GUILTY
from ray_jobs.line import AgentLost, AskFailed, Line, NotNow
from ray_jobs.mail import Failure, Forgotten, Mailbox, Posted, Trial
from tests.ray_jobs.backends import Echo, agent_of, ask_of, replica_of
from tests.ray_jobs.plays import Local


def line_to(backend: Echo, moderator: str = "moderator0") -> Line:
    return Line(replica_of(Local(agent_of(backend))), moderator)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


def test_five_hundred_answers_find_their_asks() -> None:
    async def work() -> None:
        backend = Echo()
        line = line_to(backend)
        questions = [f"question {number}" for number in range(500)]
        replies = await asyncio.gather(*(line.ask(ask_of(question)) for question in questions))
        assert [reply.text for reply in replies] == questions
        assert backend.most_at_once == backend.in_flight
        assert all(reply.wait_seconds >= 1.0 for reply in replies)
        line.close()

    run(work())


def test_moderators_get_their_own_answers() -> None:
    async def work() -> None:
        agent = Local(agent_of(Echo()))
        lines = [Line(replica_of(agent), f"moderator{number}") for number in range(3)]
        replies = await asyncio.gather(*(line.ask(ask_of(str(at))) for at, line in enumerate(lines * 10)))
        assert [reply.text for reply in replies] == [str(at) for at in range(30)]
        for line in lines:
            line.close()

    run(work())


@pytest.mark.parametrize(
    ("question", "error", "says"),
    [
        ("refuse", AskFailed, "seat1: bad_request: cannot"),
        ("die", AgentLost, "replica 0 of m is gone: dead"),
        ("lose", NotNow, "transient: lost"),
        ("bug", AskFailed, "KeyError"),
    ],
)
def test_a_failure_reaches_the_ask_it_belongs_to(question: str, error: type[Exception], says: str) -> None:
    """What another try may mend is told from what it may not; what was answered beside it is kept."""

    async def work() -> None:
        line = line_to(Echo())
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
        line = line_to(Echo())
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
        line = Line(replica_of(Local(SimpleNamespace(**methods))), "moderator0")
        waiting = [line.ask(ask_of(str(number))) for number in range(20)]
        errors = await asyncio.gather(*waiting, return_exceptions=True)
        assert {type(error) for error in errors} == {AgentLost}
        with pytest.raises(AgentLost, match=r"replica 0 of m is gone: ConnectionError: actor died"):
            await line.ask(ask_of("later"))
        line.close()

    run(work())


def test_an_ask_given_up_does_not_break_the_line() -> None:
    async def work() -> None:
        line = line_to(Echo())
        given_up = asyncio.create_task(line.ask(ask_of("given up")))
        await asyncio.sleep(0)
        given_up.cancel()
        for question in ("next", "and next", "and last"):
            assert (await line.ask(ask_of(question))).text == question
        line.close()

    run(work())


def test_errors_travel() -> None:
    failed = pickle.loads(pickle.dumps(AskFailed("seat1", "m", "AskRefused", "no", 0.5, attempts=3)))
    assert (str(failed), failed.wait_seconds, failed.attempts) == ("seat1: AskRefused: no", 0.5, 3)
    assert str(pickle.loads(pickle.dumps(Forgotten("taken for gone")))) == "taken for gone"
    lost = pickle.loads(pickle.dumps(AgentLost("gone", alone=True)))
    assert (str(lost), lost.alone) == ("gone", True)


def test_a_trial_is_announced_once_the_moderator_has_come_again() -> None:
    async def work() -> None:
        mailbox = Mailbox()
        announcing = asyncio.create_task(mailbox.announce(7))
        assert await mailbox.take() == [(7, Trial())]
        await asyncio.sleep(0.01)
        assert not announcing.done()
        coming = asyncio.create_task(mailbox.take())
        await announcing
        coming.cancel()

    run(work())


def test_a_trial_that_nobody_hears_of_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its moderator is gone; the engine is there for others again, and so is the mail."""
    monkeypatch.setattr("ray_jobs.mail.KNOWN_SECONDS", 0.01)

    async def work() -> None:
        agent = agent_of(Echo())
        await agent.submit("gone", [Posted(0, ask_of("on trial"), GUILTY)])
        line = Line(replica_of(Local(agent)), "moderator0")
        assert (await line.ask(ask_of("after"))).text == "after"
        trial, lost = await agent.collect("gone")
        assert trial == (0, Trial())
        assert isinstance(lost[1], Failure)
        assert (lost[1].error_class, lost[1].retriable, lost[1].dead) == ("transient", True, False)
        line.close()

    run(work())


def test_a_trial_cut_short_does_not_spoil_the_mail() -> None:
    async def work() -> None:
        mailbox = Mailbox()
        announcing = asyncio.create_task(mailbox.announce(1))
        await mailbox.take()
        announcing.cancel()
        mailbox.put(2, Reply("two"))
        assert await mailbox.take() == [(2, Reply("two"))]

    run(work())
