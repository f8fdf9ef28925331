"""What a call may cost, what is charged for it, and where a price comes from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.dialogue import Ask, Message, Reply, Sampling
from serving.blocks import ModelBlock, RemoteBlock
from serving.errors import BudgetSpent, ServingError, Unreached
from serving.opening import open_backend
from serving.price import Price
from serving.prices import listed_prices, price_of
from serving.purse import FREE, NOTHING, Amount, charge, nanos, paying
from serving.remote.backend import Remote
from serving.remote.key import Key
from serving.worst_case import worst_case
from tests.serving.faulty_server import script, serving

WriteAsk = Callable[..., Ask]
Read = Callable[..., ModelBlock]

PRICE = {"input": 1.0, "cached": 0.1, "output": 2.0}
PRICES = st.floats(0, 100)


class Counting:
    """A purse that notes what is reserved and settled; with `refuses` it pays for nothing."""

    def __init__(self, refuses: bool = False) -> None:
        self.refuses, self.reserved, self.settled = refuses, [], []  # type: ignore[var-annotated]

    async def reserve(self, amount: Amount) -> None:
        if self.refuses:
            raise BudgetSpent("nothing is left")
        self.reserved.append(amount)

    def settle(self, reserved: Amount, used: Amount) -> None:
        assert reserved in self.reserved
        self.settled.append(used)


def ask_remote(purse: Counting, ask: Ask, *faults: str, **keys: object) -> Reply | ServingError:
    """The reply of a server that meets the asks with these faults, or the error, at 1 and 2 USD a million."""

    async def play() -> Reply | ServingError:
        async with serving(script(*faults)) as faulty:
            block = {"backend": "openai", "model": "m", "base_url": faulty.base_url, "key": None, **keys}
            read = RemoteBlock.model_validate({"price": PRICE, "transport": "lean", "tries": 2, **block})
            remote = Remote(read, Key.read(None), sleep=lambda _: asyncio.sleep(0), purse=purse)
            try:
                return await remote.answer(ask)
            except ServingError as error:
                return error
            finally:
                await remote.close()

    return asyncio.run(play())


def test_a_call_is_reserved_at_its_worst_and_settled_at_what_it_cost(write_ask: WriteAsk) -> None:
    """Each attempt on its own; one that was turned away costs nothing, one that broke off its worst."""
    purse, ask = Counting(), write_ask(sampling=Sampling(max_tokens=30))
    reply = ask_remote(purse, ask, "rate_limited", "truncated")
    worst = worst_case(ask.messages, 30, Price.model_validate(PRICE))
    assert isinstance(reply, Reply)
    assert reply.cost_usd == pytest.approx(86e-6)
    assert purse.reserved == [worst] * 3
    assert purse.settled == [NOTHING, worst, Amount(86_000, 120)]
    assert worst.tokens >= 30 + sum(len(message.content.encode()) for message in ask.messages)


@pytest.mark.parametrize("fault", ["storm", "quota", "bad_key", "bad_request", "too_long", "no_model"])
def test_what_was_refused_costs_nothing(fault: str, write_ask: WriteAsk) -> None:
    purse = Counting()
    ask_remote(purse, write_ask(), *[fault] * 9, limits={"patience": 0.01})
    assert set(purse.settled) == {NOTHING}
    assert len(purse.settled) == len(purse.reserved)


@pytest.mark.parametrize("fault", ["overloaded", "page", "reset", "truncated", "invalid"])
def test_what_may_have_been_billed_costs_its_worst(fault: str, write_ask: WriteAsk) -> None:
    purse = Counting()
    ask_remote(purse, write_ask(), fault, fault)
    assert purse.settled[:2] == purse.reserved[:2]
    assert len(purse.settled) == len(purse.reserved) >= 2


@pytest.mark.parametrize("transport", ["lean", "official"])
def test_what_never_left_costs_nothing(transport: str, write_ask: WriteAsk) -> None:
    """Nobody listens at that port."""
    purse = Counting()
    error = ask_remote(
        purse, write_ask(), base_url="http://127.0.0.1:9/v1", transport=transport, limits={"unreached": 0.1}
    )
    assert isinstance(error, Unreached)
    assert set(purse.settled) == {NOTHING}
    assert len(purse.settled) == len(purse.reserved)


def test_a_content_filter_without_a_usage_costs_its_worst(write_ask: WriteAsk) -> None:
    purse = Counting()
    reply = ask_remote(purse, write_ask(), "filtered")
    assert isinstance(reply, Reply)
    assert reply.cost_usd is None
    assert purse.settled == purse.reserved


def test_nothing_is_sent_that_is_not_paid_for(write_ask: WriteAsk) -> None:
    error = ask_remote(Counting(refuses=True), write_ask(), "too_long")
    assert isinstance(error, BudgetSpent)


def test_an_engine_of_our_own_costs_tokens_and_no_dollars(read_block: Read, write_ask: WriteAsk) -> None:
    """A table does not know its tokens, so they count as the worst case."""
    ask = write_ask()

    def used(purse: Counting, **block: object) -> Reply:
        async def play() -> Reply:
            backend = await open_backend(read_block(**block), purse)
            reply = await backend.answer(ask)
            await backend.close()
            return reply

        return asyncio.run(play())

    purse = Counting()
    reply = used(purse, backend="simulated")
    assert purse.settled == [Amount(0, (reply.prompt_tokens or 0) + (reply.completion_tokens or 0))]
    used(purse, backend="scripted", replies=[{"text": "NTA"}])
    assert purse.settled[1] == purse.reserved[1] == worst_case(ask.messages, ask.sampling.max_tokens)
    with pytest.raises(BudgetSpent):
        used(Counting(refuses=True), backend="simulated")


def test_a_call_that_is_given_up_costs_its_worst() -> None:
    purse = Counting()

    async def play() -> None:
        async def call() -> None:
            async with paying(purse, Amount(5, 5)):
                await asyncio.sleep(10)

        task = asyncio.create_task(call())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(play())
    assert purse.settled == [Amount(5, 5)]
    asyncio.run(FREE.reserve(Amount(10**18, 10**18)))


@given(
    st.lists(st.text(), max_size=4),
    st.integers(1, 1000),
    st.builds(Price, input=PRICES, output=PRICES, cached=st.none() | PRICES),
    st.data(),
)
def test_no_usage_within_the_bound_costs_more_than_the_worst_case(
    texts: list[str], max_tokens: int, price: Price, data: st.DataObject
) -> None:
    """The bound: a token for every byte and what a template adds, and replies of max_tokens."""
    worst = worst_case([Message("user", text) for text in texts], max_tokens, price)
    completion = data.draw(st.integers(0, max_tokens))
    prompt = data.draw(st.integers(0, worst.tokens - max_tokens))
    cached = data.draw(st.integers(0, prompt))
    usd = price.usd(prompt, completion, cached)
    reply = Reply("", prompt_tokens=prompt, completion_tokens=completion, cost_usd=usd)
    used = charge(reply, worst)
    assert used.nanos <= worst.nanos
    assert used.tokens <= worst.tokens
    assert used.nanos >= usd * 1e9 - 0.01


def test_dollars_are_rounded_up() -> None:
    assert (nanos(86e-6), nanos(1e-10), nanos(0.1 + 0.2), nanos(0.0)) == (86_000, 1, 300_000_000, 0)


def test_a_price_is_the_blocks_own_or_that_of_host_and_model(read_block: Read) -> None:
    def price(**keys: object) -> Price | None:
        block = read_block(**{"backend": "openai", "model": "gpt-4o-mini", **keys})
        assert isinstance(block, RemoteBlock)
        return price_of(block)

    listed = price()
    assert listed is not None
    assert (listed.input, listed.cached, listed.output) == (0.15, 0.075, 0.60)
    own = price(price={"input": 7.0, "output": 8.0})
    assert own is not None
    assert own.input == 7.0
    assert price(base_url="https://elsewhere.example/v1") is None
    assert price(model="gpt-4o-mini-2024-07-18") is None


def test_every_listed_price_has_a_source_and_stands_once() -> None:
    rows = listed_prices()
    assert len({(row.model, row.host) for row in rows}) == len(rows)
    for row in rows:
        assert row.source.startswith("https://")
        assert row.cached is not None
        assert row.cached < row.input < row.output
