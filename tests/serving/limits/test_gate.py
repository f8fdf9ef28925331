"""The gate: all limits together, in order of arrival, and nothing leaks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.errors import (
    AskRefused,
    AuthError,
    BudgetSpent,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    ServingError,
    TransportError,
)
from serving.limits.condition import Condition
from serving.limits.gate import Gate
from serving.limits.limits_block import Limits
from serving.limits.patience import patient
from tests.serving.limits.virtual_time import now, run

FREE = Limits(start=1000)


def gate(limits: Limits = FREE, in_flight: int = 100) -> Gate:
    return Gate(limits, in_flight, clock=now)


async def ask(gate: Gate, work: float = 1.0, error: BaseException | None = None, tokens: int = 1) -> float:
    """One passage of `work` seconds, ending in `error`; the time at which it was let in."""
    async with gate.passage(tokens):
        entered = now()
        await asyncio.sleep(work)
        if error is not None:
            raise error
    return entered


async def fail(gate: Gate, error: ServingError, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(type(error)):
            await ask(gate, 0.1, error)


def test_at_most_in_flight_are_in_at_once_and_in_order_of_arrival() -> None:
    async def story() -> list[float]:
        shared = gate(in_flight=3)
        return await asyncio.gather(*(ask(shared) for _ in range(9)))

    assert run(story()) == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_a_passage_gives_the_seconds_waited_for_it() -> None:
    async def story() -> list[float]:
        shared = gate(in_flight=1)

        async def one() -> float:
            async with shared.passage(1) as waited:
                await asyncio.sleep(2.0)
            return waited

        return await asyncio.gather(*(one() for _ in range(3)))

    assert run(story()) == pytest.approx([0, 2, 4])


@settings(max_examples=15)
@given(st.integers(1, 120), st.lists(st.integers(1, 900), min_size=1, max_size=30))
def test_rates_hold_and_a_large_ask_is_not_overtaken(requests: int, tokens: list[int]) -> None:
    async def story() -> list[float]:
        shared = gate(Limits(requests_per_minute=requests, tokens_per_minute=600, start=100))
        return await asyncio.gather(*(ask(shared, tokens=amount) for amount in tokens))

    times = run(story())
    assert times == sorted(times)
    for start in times:
        minute = [amount for time, amount in zip(times, tokens, strict=True) if 0 <= time - start < 60]
        assert len(minute) <= requests + max(1, requests / 60)
        assert sum(minute) <= 600 + max(10, *tokens, 10)


def test_tokens_given_back_let_the_next_in_sooner() -> None:
    async def story() -> float:
        shared = gate(Limits(tokens_per_minute=60))
        async with shared.passage(30):
            assert now() == pytest.approx(30.0)
        later = asyncio.ensure_future(ask(shared))
        await asyncio.sleep(5.0)
        shared.settle(reserved=30, used=8)
        return await later

    assert run(story()) == pytest.approx(30.0 + 8.0, abs=0.01)


def test_a_refusal_cuts_and_holds_everybody_for_its_retry_after() -> None:
    async def story() -> tuple[float, Condition]:
        shared = gate()
        await fail(shared, RateLimited("slow down", retry_after=30.0))
        status = shared.condition
        return await ask(shared), status

    entered, status = run(story())
    assert entered == pytest.approx(30.1)
    assert status.limit == 70
    assert (status.cuts, status.held, status.circuit) == (1, pytest.approx(30.0), "closed")


def test_a_second_refusal_never_shortens_the_first_retry_after() -> None:
    async def story() -> float:
        shared = gate()
        refusals = [ask(shared, 1.0, RateLimited("", 30.0)), ask(shared, 2.0, RateLimited("", 1.0))]
        await asyncio.gather(*refusals, return_exceptions=True)
        return await ask(shared)

    assert run(story()) == pytest.approx(31.0)


def test_nobody_is_held_for_what_is_longer_than_the_patience() -> None:
    async def story() -> list[float]:
        shared, entered = gate(Limits(patience=60.0)), []
        for seconds in (86_400.0, 60.0):
            await fail(shared, RateLimited("come later", seconds))
            entered.append(await ask(shared, work=0.0))
        return entered

    assert run(story()) == pytest.approx([0.1, 60.2])


@settings(max_examples=30)
@given(
    st.integers(1, 4),
    st.lists(st.floats(0, 4), max_size=12),
    st.sampled_from([FREE, Limits(requests_per_minute=2), Limits(tokens_per_minute=1)]),
    st.sampled_from([AuthError("no such key"), QuotaExhausted("unpaid"), RateLimited("too much", 900.0)]),
)
def test_once_a_model_has_stopped_all_that_wait_are_told_so_and_send_nothing(
    in_flight: int, times: list[float], limits: Limits, error: ServingError
) -> None:
    """Whatever they wait for, and those that come later; what is in flight is answered."""
    sent: list[float] = []

    async def one(shared: Gate, comes: float) -> ServingError | None:
        await asyncio.sleep(comes)
        try:
            async with shared.passage(1):
                sent.append(now())
                await asyncio.sleep(10.0)
        except ServingError as told:
            told.add_note("its own")
            assert now() == max(comes, 2.0)
            return told
        return None

    async def story() -> list[ServingError | None]:
        shared = gate(limits, in_flight)
        asks = [asyncio.ensure_future(one(shared, comes)) for comes in [0.0, *times, 5.0]]
        resting = asyncio.ensure_future(shared.rest(500.0))
        await asyncio.sleep(2.0)
        shared.stop(error)
        shared.stop(AuthError("another"))
        await resting
        assert now() == 2.0
        return await asyncio.gather(*asks)

    told = run(story())
    assert all(time <= 2.0 for time in sent)
    assert told.count(None) == len(sent)
    for each in filter(None, told):
        assert (type(each), str(each), each.__notes__) == (type(error), str(error), ["its own"])
        assert (each.spent, each.unsent) == (True, True)
    assert not error.spent


def test_the_settings_of_limiter_and_circuit_are_those_of_the_block() -> None:
    async def story() -> tuple[int, str]:
        circuit = {"failures": 0.5, "window": 4, "cooldown": 3.0}
        shared = gate(Limits.model_validate({"start": 50, "cut_to": 0.5, "circuit": circuit}))
        await fail(shared, RateLimited("slow down"))
        await fail(shared, Overloaded("down"), times=2)
        assert shared.condition.retry_in == pytest.approx(3.0)
        return shared.condition.limit, shared.condition.circuit

    assert run(story()) == (25, "open")


def test_the_condition_tells_what_is_used_who_waits_and_what_failed_last() -> None:
    """Of two asks at a time each takes a second; the fourth of the first minute has waited for two."""

    async def story() -> list[Condition]:
        limits = Limits(requests_per_minute=600, tokens_per_minute=60_000, burst=10)
        shared = gate(limits, in_flight=1)
        await asyncio.sleep(10.0)  # in which its buckets have run out
        asks = [asyncio.ensure_future(ask(shared, tokens=100)) for _ in range(4)]
        await asyncio.sleep(2.5)
        busy = shared.condition
        await asyncio.gather(*asks)
        shared.settle(reserved=100, used=40)
        await fail(shared, Overloaded("down for repair"))
        seen = [busy, shared.condition]
        await asyncio.sleep(60.0)
        return [*seen, shared.condition]

    busy, tired, rested = run(story())
    assert (busy.limit, busy.ceiling, busy.in_flight, busy.waiting, busy.waited) == (1, 1, 1, 1, 2.5)
    assert (busy.requests, busy.requests_per_minute) == (3, 600)
    assert (busy.tokens, busy.tokens_per_minute) == (300, 60_000)
    assert (busy.answered_ago, busy.failure, busy.failed_ago) == (0.5, None, None)
    assert (tired.requests, tired.tokens, tired.waiting, tired.waited) == (5, 341, 0, 0.0)
    assert (tired.circuit, tired.failure, tired.failed_ago) == ("closed", "overloaded: down for repair", 0.0)
    assert (rested.requests, rested.tokens, rested.failed_ago) == (0, 0, pytest.approx(60.0))


def test_a_failing_provider_is_left_alone_and_then_probed_by_one_ask() -> None:
    async def story() -> list[float]:
        shared = gate()
        await fail(shared, Overloaded("down"), times=10)
        assert shared.condition.circuit == "open"
        assert shared.condition.retry_in == pytest.approx(5.0)
        return await asyncio.gather(*(ask(shared) for _ in range(4)))

    opened = 1.0
    assert run(story()) == pytest.approx([opened + 5, *[opened + 6] * 3], abs=0.01)


def test_rate_limits_and_refused_asks_open_no_circuit() -> None:
    async def story() -> float | str:
        shared = gate()
        await fail(shared, RateLimited("slow down"), times=30)
        await fail(shared, TransportError("lost"), times=9)
        await fail(shared, AskRefused("no"), times=11)
        await fail(shared, TransportError("lost"), times=9)
        return shared.condition.circuit

    assert run(story()) == "closed"


def test_a_probe_that_is_refused_leaves_the_next_one_to_probe() -> None:
    async def story() -> float:
        shared = gate()
        await fail(shared, Overloaded("down"), times=10)
        await fail(shared, RateLimited("slow down", retry_after=2.0))
        assert shared.condition.circuit == "open"
        return await ask(shared)

    assert run(story()) == pytest.approx(1.0 + 5.0 + 0.1 + 2.0)


def test_the_last_success_is_the_time_of_the_last_answer() -> None:
    async def story() -> list[float]:
        shared, seen = gate(), []
        for error in (TransportError("lost"), None, AskRefused("no"), RateLimited("slow down")):
            await asyncio.gather(ask(shared, error=error), return_exceptions=True)
            seen.append(shared.last_success())
        return seen

    assert run(story()) == [float("-inf"), 2.0, 3.0, 3.0]


def test_an_ask_that_is_not_paid_for_says_nothing_of_the_model() -> None:
    """It is no success, and as a probe it leaves the next one to probe."""

    async def story() -> tuple[float, object]:
        shared = gate()
        await fail(shared, Overloaded("busy"), times=10)
        assert shared.condition.circuit == "open"
        await asyncio.sleep(1000)
        await fail(shared, BudgetSpent("nothing is left"))
        before = shared.last_success()
        await ask(shared)
        return before, shared.condition.circuit

    assert run(story()) == (float("-inf"), "closed")


def test_a_probe_that_is_given_up_leaves_the_next_one_to_probe() -> None:
    async def story() -> float:
        shared = gate()
        await fail(shared, Overloaded("down"), times=10)
        probe = asyncio.ensure_future(ask(shared, work=1000.0))
        await asyncio.sleep(10.0)
        assert shared.condition.circuit == "probing"
        probe.cancel()
        return await ask(shared)

    assert run(story()) == pytest.approx(11.0)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.floats(0, 5), st.floats(0, 5), st.sampled_from([None, 0.5, 2.0, 6.0])),
        min_size=1,
        max_size=25,
    ),
    st.sampled_from([FREE, Limits(requests_per_minute=60, tokens_per_minute=200)]),
)
def test_cancelled_asks_leak_nothing(asks: list[tuple[float, float, float | None]], limits: Limits) -> None:
    """Whenever asks come and are cancelled, in line or in flight, the gate ends empty and lets in as many."""

    async def one(shared: Gate, comes: float, work: float, patience: float | None) -> None:
        await asyncio.sleep(comes)
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await ask(shared, work, tokens=20)

    async def story() -> tuple[Condition, list[float], float]:
        shared = gate(limits, in_flight=2)
        await asyncio.gather(*(one(shared, *parts) for parts in asks))
        status = shared.condition
        await asyncio.sleep(1000.0)
        began = now()
        return status, list(await asyncio.gather(ask(shared, tokens=1), ask(shared, tokens=1))), began

    status, entered, began = run(story())
    assert (status.in_flight, status.waiting) == (0, 0)
    assert entered == pytest.approx([began, began + (limits is not FREE)], abs=0.01)


class Provider:
    """Takes `capacity` asks at once and `rate` a minute, answers after one second, refuses the rest."""

    def __init__(self, capacity: int) -> None:
        self.capacity, self.busy, self.answered, self.refused = capacity, 0, 0, 0

    async def answer(self) -> str:
        if self.busy >= self.capacity:
            self.refused += 1
            await asyncio.sleep(0.05)
            raise RateLimited("slow down", 1.0)
        self.busy += 1
        await asyncio.sleep(1.0)
        self.busy -= 1
        self.answered += 1
        return "yes"


def through(shared: Gate, provider: Provider) -> Callable[[], Awaitable[str]]:
    async def call() -> str:
        async with shared.passage(1):
            return await provider.answer()

    return call


def test_all_asks_are_answered_near_the_hidden_capacity_with_few_refusals() -> None:
    """Six hundred asks at once to a provider that takes twenty: an ideal client needs 30 s."""
    provider = Provider(capacity=20)

    async def story() -> float:
        shared = gate(Limits(start=4), in_flight=256)
        calls = (
            patient(through(shared, provider), tries=1, last_success=shared.last_success, clock=now)
            for _ in range(600)
        )
        await asyncio.gather(*calls)
        return now()

    seconds = run(story())
    assert provider.answered == 600
    assert provider.refused < 0.1 * 600
    assert seconds < 2 * 30
