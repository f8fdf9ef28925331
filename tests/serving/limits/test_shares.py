"""Limits over replicas: together they stay within what is declared, whoever is asked and whenever."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.limits.gate import Gate
from serving.limits.limits_block import Limits
from serving.limits.rates import Rates
from serving.limits.share import Share
from tests.serving.limits.virtual_time import now, run

REPLICAS = st.integers(1, 30)
RATES = st.floats(1, 2000)
BURSTS = st.none() | st.integers(1, 60)
ASKS = st.lists(
    st.tuples(st.integers(0, 29), st.floats(0, 100), st.integers(1, 500)), min_size=1, max_size=60
)
Sent = tuple[float, int]


def together(
    limits: Limits,
    replicas: int,
    asks: Sequence[tuple[int, float, int]],
    since: float = 0.0,
    end: float = 1e9,
) -> list[Sent]:
    """When each ask of so many tokens was sent, and of how many, by replicas that begin together.

    Each ask comes to a replica, some time after the start; a replica sends its asks one after the other.
    """
    shares = [Share(number, replicas) for number in range(replicas)]
    rates = [Rates(limits.shared(share), share, since) for share in shares]
    lines: list[list[tuple[float, int]]] = [[] for _ in shares]
    for replica, comes, tokens in asks:
        lines[replica % replicas].append((since + comes, tokens))
    sent = []
    for own, line in zip(rates, lines, strict=True):
        moment = since
        for comes, tokens in sorted(line):
            moment = max(moment, comes)
            while (wait := own.delay(tokens, moment)) > 0:
                moment += wait
            own.take(tokens, moment)
            sent.append((moment, tokens))
    return sorted(each for each in sent if each[0] <= end)


def check_requests(times: Sequence[float], rate: float, burst: float) -> None:
    """No stretch of time has more requests than its rate grants, and the burst."""
    for first in range(len(times)):
        for last in range(first, len(times)):
            granted = (times[last] - times[first]) * rate / 60
            assert last - first + 1 <= (granted + burst) * (1 + 1e-6)


@settings(max_examples=60, deadline=None)
@given(REPLICAS, RATES, BURSTS, ASKS)
def test_requests_of_all_replicas_keep_to_rate_and_burst(
    replicas: int, rate: float, burst: int | None, asks: list[tuple[int, float, int]]
) -> None:
    limits = Limits(requests_per_minute=rate, burst=burst)
    times = [time for time, _ in together(limits, replicas, asks)]
    check_requests(times, rate, burst or max(1.0, rate / 60))
    assert all(place <= time * rate / 60 * (1 + 1e-6) + 1 for place, time in enumerate(times, 1)), (
        "and are ahead of the rate by no more than the turn that begins with the start"
    )


@settings(max_examples=60, deadline=None)
@given(REPLICAS, RATES, BURSTS, ASKS, st.floats(0, 60), st.floats(1e-3, 10))
def test_a_new_start_is_granted_nothing_anew(
    replicas: int,
    rate: float,
    burst: int | None,
    asks: list[tuple[int, float, int]],
    killed: float,
    pause: float,
) -> None:
    limits = Limits(requests_per_minute=rate, burst=burst)
    before = together(limits, replicas, asks, end=killed)
    after = together(limits, replicas, asks, since=killed + pause)
    check_requests([time for time, _ in before + after], rate, burst or max(1.0, rate / 60))


@settings(max_examples=40, deadline=None)
@given(REPLICAS, RATES)
def test_one_at_a_time_goes_round_the_replicas_evenly(replicas: int, rate: float) -> None:
    """While all have something to send."""
    times = [
        time
        for time, _ in together(
            Limits(requests_per_minute=rate, burst=1), replicas, [(n % replicas, 0.0, 1) for n in range(90)]
        )
    ]
    whole = times[: 90 // replicas * replicas]
    for one, next_one in pairwise(whole):
        assert next_one - one == pytest.approx(60 / rate)


@settings(max_examples=40, deadline=None)
@given(REPLICAS, st.floats(600, 1e6), st.integers(1, 20_000))
def test_equal_asks_of_all_replicas_are_never_ahead_of_the_tokens_granted(
    replicas: int, rate: float, tokens: int
) -> None:
    """From the start on, while all have something to send."""
    limits = Limits(tokens_per_minute=rate)
    sent = together(limits, replicas, [(n % replicas, 0.0, tokens) for n in range(3 * replicas)])
    for place, (time, _) in enumerate(sent, 1):
        assert place * tokens <= time * rate / 60 * (1 + 1e-6) + 1e-6


@settings(max_examples=60, deadline=None)
@given(REPLICAS, st.floats(600, 60_000), ASKS)
def test_each_replica_is_ahead_of_the_tokens_granted_by_one_ask_at_most(
    replicas: int, rate: float, asks: list[tuple[int, float, int]]
) -> None:
    sent = together(Limits(tokens_per_minute=rate), replicas, asks)
    largest = [rate / replicas / 60] * replicas
    for replica, _, tokens in asks:
        largest[replica % replicas] = max(largest[replica % replicas], tokens)
    for start, _ in sent:
        minute = sum(tokens for time, tokens in sent if 0 <= time - start <= 60)
        assert minute <= (rate + sum(largest)) * (1 + 1e-6)


@settings(max_examples=40)
@given(REPLICAS, st.integers(1, 100), st.integers(1, 100))
def test_the_shares_of_replicas_add_up_to_the_limits(replicas: int, burst: int, start: int) -> None:
    limits = Limits(requests_per_minute=100, tokens_per_minute=1e5, burst=burst, start=start)
    shares = [limits.shared(Share(number, replicas)) for number in range(replicas)]
    assert sum(share.requests_per_minute or 0 for share in shares) == pytest.approx(100)
    assert sum(share.tokens_per_minute or 0 for share in shares) == pytest.approx(1e5)
    assert sum(share.at_once for share in shares) == (burst if burst >= replicas else 0)
    assert sum(share.start for share in shares) == max(start, replicas)
    assert Limits().shared(Share(0, replicas)).requests_per_minute is None


@given(REPLICAS, st.floats(-100, 1e9), st.floats(0.01, 100), st.floats(0, 1e6))
def test_a_turn_is_the_next_of_this_replica_and_of_no_other(
    replicas: int, epoch: float, seconds: float, now: float
) -> None:
    turns = [Share(number, replicas, epoch).turn(now, seconds) for number in range(replicas)]
    for turn in turns:
        assert -1e-3 <= turn - now < replicas * seconds + 1e-3
    for one, next_one in pairwise(sorted(turns)):
        assert next_one - one == pytest.approx(seconds, abs=1e-3)


def test_the_gates_of_twenty_replicas_let_in_one_ask_a_second() -> None:
    """Sixty a minute, spaced evenly, though every replica is asked twice at once."""

    async def story() -> list[float]:
        limits = Limits(requests_per_minute=60, burst=1)
        shares = [Share(number, 20) for number in range(20)]
        gates = [Gate(limits.shared(share), 3, now, share) for share in shares]

        async def ask(gate: Gate) -> float:
            async with gate.passage(1):
                return now()

        return sorted(await asyncio.gather(*(ask(gate) for gate in gates * 2)))

    assert run(story()) == pytest.approx(list(range(40)))
