"""Requests and tokens per minute: never more in any minute, and always on."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from serving.limits.limits_block import Limits
from serving.limits.rates import Bucket, Rates

AMOUNTS = st.lists(st.tuples(st.floats(1, 500), st.floats(0, 100)), min_size=1, max_size=30)


def passages(bucket: Bucket, asks: list[tuple[float, float]], now: float = 0.0) -> list[tuple[float, float]]:
    """When each amount of a line was taken, where each came `pause` seconds after the one before."""
    taken = []
    for amount, pause in asks:
        now += pause
        now += bucket.delay(amount, now)
        bucket.take(amount, now)
        taken.append((now, amount))
    return taken


def most_in_a_minute(taken: list[tuple[float, float]]) -> float:
    return max(sum(amount for time, amount in taken if 0 <= time - start <= 60) for start, _ in taken)


@settings(max_examples=40)
@given(st.floats(1, 1000), st.floats(1, 600), AMOUNTS)
def test_no_minute_takes_more_than_rate_and_burst(
    rate: float, burst: float, asks: list[tuple[float, float]]
) -> None:
    """An amount above the burst counts as a burst of its size."""
    widest = max(burst, *(amount for amount, _ in asks))
    taken = passages(Bucket(rate, burst), asks)
    assert most_in_a_minute(taken) <= (rate + widest) * (1 + 1e-6)


@settings(max_examples=40)
@given(st.floats(1, 1000), st.data(), AMOUNTS)
def test_no_minute_takes_more_net_of_what_it_gives_back(
    rate: float, data: st.DataObject, asks: list[tuple[float, float]]
) -> None:
    bucket, now = Bucket(rate, burst=500), 0.0
    net: list[tuple[float, float]] = []
    for amount, pause in asks:
        [(now, _)] = passages(bucket, [(amount, pause)], now)
        bucket.take(-(back := data.draw(st.floats(0, amount))), now)
        net += [(now, amount), (now, -back)]
    assert most_in_a_minute(net) <= (rate + 500) * (1 + 1e-6)


@settings(max_examples=40)
@given(st.floats(1, 1000), st.floats(1, 600), AMOUNTS)
def test_nothing_starves(rate: float, burst: float, asks: list[tuple[float, float]]) -> None:
    """The last of a line that came at once has waited as long as the rate makes it, and for the first."""
    crowd = [(amount, 0.0) for amount, _ in asks]
    last, _ = passages(Bucket(rate, burst), crowd)[-1]
    assert last <= (sum(amount for amount, _ in crowd) + crowd[0][0]) / rate * 60 * (1 + 1e-6)


@settings(max_examples=40)
@given(st.floats(1, 1000), st.floats(1, 600), st.floats(1, 2000), st.floats(0, 100))
def test_after_its_delay_an_amount_may_be_taken(rate: float, burst: float, amount: float, now: float) -> None:
    bucket = Bucket(rate, burst)
    bucket.take(amount, now)
    assert bucket.delay(amount, now + bucket.delay(amount, now)) == 0


@settings(max_examples=40)
@given(st.integers(1, 600), st.integers(2, 100))
def test_a_burst_of_one_spaces_requests_evenly(rate: int, requests: int) -> None:
    taken = passages(Bucket(rate, burst=1), [(1.0, 0.0)] * requests)
    assert [time for time, _ in taken] == pytest.approx([60 / rate * n for n in range(1, requests + 1)])


@settings(max_examples=40)
@given(st.floats(1, 1000), st.floats(1, 1000))
def test_what_is_given_back_is_as_if_never_taken(reserved: float, used: float) -> None:
    settled, plain = Bucket(600, burst=10), Bucket(600, burst=10)
    settled.take(reserved, now=5.0)
    settled.take(used - reserved, now=5.0)
    plain.take(used, now=5.0)
    assert settled.delay(10, now=5.0) == pytest.approx(plain.delay(10, now=5.0))


def test_what_has_leaked_away_is_not_given_back() -> None:
    bucket = Bucket(per_minute=60, burst=10)
    bucket.take(10, now=0.0)
    bucket.take(-10, now=100.0)
    bucket.take(10, now=100.0)
    assert bucket.delay(10, now=100.0) == pytest.approx(10.0)


def test_the_scarcer_of_requests_and_tokens_decides() -> None:
    rates = Rates(Limits(requests_per_minute=60, tokens_per_minute=600))
    assert rates.delay(100, now=0.0) == pytest.approx(100 / 10), "a new start is granted nothing at once"
    rates.take(100, now=10.0)
    assert rates.delay(1, now=10.0) == pytest.approx((100 + 1 - 10) / 10)
    rates.settle(reserved=100, used=5, now=10.0)
    assert rates.delay(1, now=10.0) == pytest.approx(1.0)


def test_undeclared_rates_never_delay() -> None:
    rates = Rates(Limits())
    rates.take(10**9, now=0.0)
    rates.settle(10**9, 10**10, now=0.0)
    assert rates.delay(10**9, now=0.0) == 0


@pytest.mark.parametrize(
    "block", [{"burst": 5}, {"requests_per_minute": 0}, {"tokens_per_minute": -1}, {"rpm": 3}, {"start": 0}]
)
def test_limits_that_make_no_sense_are_refused(block: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Limits.model_validate(block)
