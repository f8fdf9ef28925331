"""Both transports against a server that fails: a fault has its error or reply, nothing tells the key."""

from __future__ import annotations

import asyncio
import pickle
import re
import socket
import traceback
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from protocols.dialogue import Ask, Reply
from serving.errors import (
    AuthError,
    DeadlinePassed,
    EngineDead,
    ModelError,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    ServingError,
    TransportError,
    Unreached,
)
from serving.remote.backend import Remote
from serving.remote.key import Key
from serving.remote_block import RemoteBlock
from tests.serving.faulty_server import Faulty, mix, script, serving

pytestmark = pytest.mark.long

T = TypeVar("T")
WriteAsk = Callable[..., Ask]
Use = Callable[[Remote, Faulty], Awaitable[T]]

KEY = "sk-planted/0123456789abcdef"

KINDS = {
    "storm": "rate_limited",
    "rate_limited": "rate_limited",
    "quota": "quota",
    "unpaid": "quota",
    "overloaded": "overloaded",
    "inside": "overloaded",
    "page": "overloaded",
    "reset": "unreached",
    "truncated": "unreached",
    "invalid": "transient",
    "no_model": "model",
    "moved": "model",
    "bad_key": "auth",
    "too_long": "too_long",
    "bad_request": "bad_request",
    "echo": "bad_request",
}
PASSING = ("rate_limited", "overloaded", "inside", "page", "reset", "truncated", "invalid")


@pytest.fixture(params=["official", "lean"])
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDY_KEY", KEY)


async def at_once(_: float) -> None:
    """Sleeps not at all."""
    await asyncio.sleep(0)


def remote(url: str, transport: str, waiting: bool = False, **keys: object) -> Remote:
    """A client whose waits between attempts are cut short, unless it is `waiting`."""
    block = {"backend": "openai", "model": "m", "base_url": url, "key": "STUDY_KEY"}
    read = RemoteBlock.model_validate({**block, "transport": transport, **keys})
    return Remote(read, Key.read(read.key), sleep=None if waiting else at_once)


def run(
    choose: Callable[[int], str],
    transport: str,
    use: Callable[[Remote, Faulty], Awaitable[T]],
    waiting: bool = False,
    **keys: object,
) -> T:
    """What `use` gives of a client and its server."""

    async def play() -> T:
        async with serving(choose) as faulty:
            client = remote(faulty.base_url, transport, waiting, **keys)
            try:
                return await use(client, faulty)
            finally:
                await client.close()

    return asyncio.run(play())


def fails(fault: str, transport: str, ask: Ask, **keys: object) -> ServingError:
    """The error of an ask whose request meets the fault, with one try and hardly any patience."""
    limits = {"patience": 0.1, "unreached": 0.1, "circuit": {"window": 1}}

    async def use(client: Remote, _: Faulty) -> ServingError:
        with pytest.raises(ServingError) as raised:
            await client.answer(ask)
        return raised.value

    return run(lambda _: fault, transport, use, tries=1, limits=limits, **keys)


@pytest.mark.parametrize(("fault", "kind"), KINDS.items(), ids=KINDS)
def test_every_fault_has_its_kind(fault: str, kind: str, transport: str, write_ask: WriteAsk) -> None:
    error = fails(fault, transport, write_ask())
    assert error.kind == kind
    assert not str(error).startswith("m: "), "the model has another name in the experiment"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_the_key_is_told_by_no_error_and_no_reply(
    transport: str, write_ask: WriteAsk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    told = [f"{Key.read('STUDY_KEY')!r}"]
    for fault in KINDS:
        error = fails(fault, transport, write_ask())
        told += [*traceback.format_exception(error), repr(error), repr(error.args)]
        told += [repr(cause) for cause in (error.__cause__, error.__context__)]

    async def use(client: Remote, _: Faulty) -> Reply:
        return await client.answer(write_ask())

    told.append(repr(run(script("loud"), transport, use)))
    assert "[key]" in "".join(told)
    for hidden in (KEY, KEY.replace("/", r"\/"), "sk-planted"):
        assert hidden not in "".join(told) + caplog.text


def test_a_key_that_cannot_be_sent_is_told_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("", "sk-planted\nx"):
        monkeypatch.setenv("STUDY_KEY", value)
        with pytest.raises(AuthError, match="STUDY_KEY") as error:
            Key.read("STUDY_KEY")
        assert "planted" not in str(error.value)


def test_a_word_in_place_of_a_key_is_no_secret_and_spoils_no_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDY_KEY", "EMPTY")
    assert Key.read("STUDY_KEY").scrub("an EMPTY room") == "an EMPTY room"


@pytest.mark.parametrize("fault", ["filtered", "moderated"])
def test_a_content_filter_is_a_reply(fault: str, transport: str, write_ask: WriteAsk) -> None:
    async def use(client: Remote, _: Faulty) -> Reply:
        return await client.answer(write_ask())

    reply = run(script(fault), transport, use)
    assert (reply.finish_reason, reply.text, reply.attempts) == ("content_filter", "", 1)
    assert (reply.prompt_tokens, reply.cost_usd) == (None, None)


def test_what_passes_is_asked_again_and_every_attempt_is_counted(transport: str, write_ask: WriteAsk) -> None:
    async def use(client: Remote, faulty: Faulty) -> tuple[Reply, int]:
        reply = await client.answer(write_ask())
        return reply, len(faulty.bodies)

    reply, requests = run(script(*PASSING), transport, use, tries=7)
    assert reply.text.startswith("My current verdict")
    assert reply.attempts == requests == len(PASSING) + 1
    assert 0 < reply.seconds < reply.seconds + reply.wait_seconds
    assert reply.wait_seconds > 0.02  # the Retry-After, at the least


def test_a_storm_of_refusals_burns_no_tries(transport: str, write_ask: WriteAsk) -> None:
    async def use(client: Remote, _: Faulty) -> Reply:
        return await client.answer(write_ask())

    assert run(script(*["rate_limited"] * 9), transport, use, tries=1).attempts == 10


def test_tries_are_what_the_block_says(transport: str, write_ask: WriteAsk) -> None:
    """Of a model that has answered once; until then nobody knows whether it is there at all."""

    async def use(client: Remote, faulty: Faulty) -> int:
        await client.answer(write_ask())
        with pytest.raises(TransportError):
            await client.answer(write_ask())
        return len(faulty.bodies)

    assert run(lambda number: "reset" if number else "none", transport, use, tries=3) == 1 + 3


def test_a_mix_of_faults_leaves_every_reply_as_it_is_without(transport: str, write_ask: WriteAsk) -> None:
    asks = [write_ask(user=f"Case {n}", seed=n) for n in range(40)]

    async def use(client: Remote, _: Faulty) -> list[Reply]:
        return await asyncio.gather(*map(client.answer, asks))

    shares = dict.fromkeys(PASSING, 0.05)
    faulty, sound = (run(mix(7, each), transport, use) for each in (shares, {}))
    assert [reply.text for reply in faulty] == [reply.text for reply in sound]
    assert sum(reply.attempts for reply in faulty) > len(asks) == sum(reply.attempts for reply in sound)


@pytest.mark.parametrize("asks", [1, 20])
def test_a_model_that_is_not_there_stops_however_many_ask(
    asks: int, transport: str, write_ask: WriteAsk
) -> None:
    """Whoever asks later hears the same at once."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]

        async def ask() -> list[object]:
            client = remote(f"http://127.0.0.1:{port}/v1", transport, tries=1, limits={"unreached": 0.3})
            asked = [client.answer(write_ask()) for _ in range(asks)]
            ended = await asyncio.gather(*asked, return_exceptions=True)
            ended += await asyncio.gather(client.answer(write_ask()), return_exceptions=True)
            await client.close()
            return list(ended)

        ended = asyncio.run(ask())
    assert [type(each) for each in ended] == [Unreached] * (asks + 1)
    told = f"nothing has come back from http://127.0.0.1:{port}/v1/chat/completions within 0.3 s, at last:"
    assert str(ended[0]).startswith(f"{told} cannot connect to 127.0.0.1:{port} (connection refused). Check")


def test_an_outage_of_a_model_that_has_answered_costs_tries_and_stops_nothing(
    transport: str, write_ask: WriteAsk
) -> None:
    async def use(client: Remote, _: Faulty) -> ServingError:
        with pytest.raises(ServingError):
            await client.answer(write_ask())
        with pytest.raises(ServingError) as raised:
            await client.answer(write_ask())
        return raised.value

    error = run(script("overloaded", *["reset"] * 9), transport, use, tries=1, limits={"unreached": 0.01})
    assert (error.kind, error.stops_model) == ("transient", False)


def test_a_server_that_comes_up_late_has_all_its_asks(transport: str, write_ask: WriteAsk) -> None:
    """More of them fail at first than there are tries."""

    async def use(client: Remote, _: Faulty) -> Reply:
        return await client.answer(write_ask())

    assert run(script(*["reset"] * 4), transport, use, tries=2, limits={"unreached": 30}).attempts == 5


def test_a_model_that_refuses_its_first_asks_stops_with_the_eighth(
    transport: str, write_ask: WriteAsk
) -> None:
    async def use(client: Remote, _: Faulty) -> list[ServingError]:
        errors: list[ServingError] = []
        for _ask in range(9):
            with pytest.raises(ServingError) as raised:
                await client.answer(write_ask())
            errors.append(raised.value)
        return errors

    errors = run(lambda _: "bad_request", transport, use)
    assert [error.kind for error in errors] == ["bad_request"] * 7 + ["unusable"] * 2
    assert "HTTP 400: Unsupported parameter: 'seed'. If a parameter" in str(errors[-1])
    later = run(lambda number: "bad_request" if number else "none", transport, after_one_reply(write_ask))
    assert [error.kind for error in later] == ["bad_request"] * 9


def after_one_reply(write_ask: WriteAsk) -> Use[list[ServingError]]:
    """The errors of nine asks that come after one which is answered."""

    async def use(client: Remote, _: Faulty) -> list[ServingError]:
        await client.answer(write_ask())
        ended = await asyncio.gather(*(client.answer(write_ask()) for _ in range(9)), return_exceptions=True)
        return [error for error in ended if isinstance(error, ServingError)]

    return use


def test_what_is_not_there_is_told_with_its_address(transport: str, write_ask: WriteAsk) -> None:
    error = str(fails("no_model", transport, write_ask()))
    assert re.match(r"POST http://127\.0\.0\.1:\d+/v1/chat/completions: HTTP 404: The model", error)
    assert ".." not in error


def test_a_connection_that_does_not_come_about_has_a_deadline(transport: str, write_ask: WriteAsk) -> None:
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for each in (first, second):
            each.setblocking(False)
            each.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}/v1"

        async def ask() -> None:
            client = remote(url, transport, tries=1, deadlines={"connect": 0.2}, limits={"unreached": 0.3})
            with pytest.raises(Unreached, match=r"at last: no connection within 0\.2 s"):
                await client.answer(write_ask())
            await client.close()

        asyncio.run(ask())


@pytest.mark.parametrize(
    ("fault", "deadlines", "limit"),
    [
        ("hang", {"first_byte": 0.2}, r"no byte within 0\.2 s"),
        ("slow", {"total": 0.3}, r"no whole reply within 0\.3 s"),
    ],
)
def test_a_deadline_says_which_it_is(
    fault: str, deadlines: dict[str, float], limit: str, transport: str, write_ask: WriteAsk
) -> None:
    error = fails(fault, transport, write_ask(), deadlines=deadlines)
    assert isinstance(error, DeadlinePassed)
    assert re.search(limit, str(error))


def test_retry_after_comes_with_the_error(transport: str, write_ask: WriteAsk) -> None:
    limited, busy, storm = (
        fails(each, transport, write_ask()) for each in ("rate_limited", "overloaded", "storm")
    )
    assert isinstance(limited, RateLimited)
    assert isinstance(storm, RateLimited)
    assert isinstance(busy, Overloaded)
    assert (limited.retry_after, busy.retry_after, storm.retry_after) == (0.02, 0.01, None)


def test_what_nobody_can_mend_meanwhile_stops_the_model(transport: str, write_ask: WriteAsk) -> None:
    stopping = [fails(each, transport, write_ask()) for each in ("quota", "unpaid", "bad_key", "no_model")]
    assert [type(error) for error in stopping] == [QuotaExhausted, QuotaExhausted, AuthError, ModelError]
    assert [error.stops_model for error in stopping[:3]] == [True, True, True]


@pytest.mark.parametrize("fault", ["bad_key", "quota", "no_model"])
def test_what_waits_is_told_at_once_that_the_model_has_stopped(
    fault: str, transport: str, write_ask: WriteAsk
) -> None:
    """In line for its turn, or resting for a Retry-After: nothing more is sent, and all have one error."""

    async def use(client: Remote, faulty: Faulty) -> tuple[list[str], int]:
        asks = [client.answer(write_ask(seed=seed)) for seed in range(20)]
        ended = await asyncio.wait_for(asyncio.gather(*asks, return_exceptions=True), 20)
        with pytest.raises(ServingError):
            await client.answer(write_ask())
        return [f"{type(each).__name__} {each}" for each in ended], len(faulty.bodies)

    limits = {"start": 3}
    ended, requests = run(script("later", "later", fault), transport, use, waiting=True, limits=limits)
    assert requests == 3
    assert len(ended) == 20
    assert len(set(ended)) == 1


def test_closing_ends_what_is_in_flight_and_what_waits(transport: str, write_ask: WriteAsk) -> None:
    async def use(client: Remote, faulty: Faulty) -> list[object]:
        asks = [asyncio.create_task(client.answer(write_ask())) for _ in range(3)]
        while not faulty.bodies:
            await asyncio.sleep(0.01)
        await client.close()
        ended = await asyncio.gather(*asks, return_exceptions=True)
        with pytest.raises(EngineDead):
            await client.answer(write_ask())
        return [type(each) for each in ended]

    deadlines = {"first_byte": 60.0, "total": 60.0}
    ended = run(lambda _: "hang", transport, use, in_flight=2, deadlines=deadlines)
    assert ended == [TransportError] * 3
