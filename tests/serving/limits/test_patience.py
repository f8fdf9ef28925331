"""What is tried again, for how long it is waited, and what is raised in the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.errors import (
    AskRefused,
    AuthError,
    DeadlinePassed,
    EngineDead,
    Overloaded,
    RateLimited,
    ServingError,
    TransportError,
)
from serving.limits.patience import patient
from tests.serving.limits.virtual_time import now, run

FAILURES = [Overloaded, TransportError, DeadlinePassed]


def course(outcomes: Iterator[ServingError | str], times: list[float]) -> Callable[[], Awaitable[str]]:
    """A call that takes one second and has these outcomes in turn; `times` are those of its starts."""

    async def call() -> str:
        times.append(now())
        await asyncio.sleep(1.0)
        outcome = next(outcomes)
        if isinstance(outcome, ServingError):
            raise outcome
        return outcome

    return call


def asked(
    *outcomes: ServingError | str, tries: int = 3, **options: object
) -> tuple[str, int, float, list[float]]:
    times: list[float] = []

    async def story() -> tuple[str, int, float]:
        call = course(iter(outcomes), times)
        return await patient(call, tries=tries, clock=now, **options)  # type: ignore[arg-type]

    return (*run(story()), times)


def test_an_answer_at_once_is_one_attempt_without_waiting() -> None:
    assert asked("yes") == ("yes", 1, 0.0, [0.0])


@settings(max_examples=20)
@given(st.lists(st.floats(0, 100), min_size=1, max_size=5))
def test_retry_after_is_waited_out_exactly(waits: list[float]) -> None:
    refusals = [RateLimited("slow down", wait) for wait in waits]
    _, attempts, waited, times = asked(*refusals, "yes", tries=1)
    assert attempts == len(waits) + 1
    assert waited == pytest.approx(sum(waits))
    assert [later - earlier - 1 for earlier, later in pairwise(times)] == pytest.approx(waits)


@settings(max_examples=20)
@given(st.lists(st.sampled_from([*FAILURES, RateLimited]), max_size=8))
def test_failures_cost_tries_and_refusals_do_not(kinds: list[type[ServingError]]) -> None:
    outcomes = [kind("no luck") for kind in kinds]
    failures = [error for error in outcomes if not isinstance(error, RateLimited)]
    if len(failures) < 3:
        assert asked(*outcomes, "yes")[1] == len(outcomes) + 1
    else:
        with pytest.raises(ServingError) as caught:
            asked(*outcomes)
        assert caught.value is failures[2]


@pytest.mark.parametrize("kind", FAILURES, ids=lambda kind: kind.kind)
def test_after_its_tries_the_last_error_is_raised_with_what_was_tried(kind: type[ServingError]) -> None:
    error = kind("third")
    with pytest.raises(kind) as caught:
        asked(TransportError("first"), TransportError("second"), error, "never asked")
    assert caught.value is error
    assert "attempts: 3" in caught.value.__notes__[0]


@pytest.mark.parametrize("error", [AskRefused("no"), AuthError("no"), EngineDead("no")], ids=lambda e: e.kind)
def test_all_else_is_raised_at_once(error: ServingError) -> None:
    with pytest.raises(type(error)):
        asked(error, "never asked")


def test_an_error_that_is_final_is_raised_as_it_is() -> None:
    with pytest.raises(AskRefused) as caught:
        asked(AskRefused("no"), "never asked")
    assert not hasattr(caught.value, "__notes__")


def test_a_fault_in_the_call_is_raised_at_once() -> None:
    async def broken() -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(patient(broken, tries=3, clock=now))


@pytest.mark.parametrize("error", [RateLimited("come tomorrow", 3600.0), Overloaded("down", 3600.0)])
def test_a_retry_after_above_the_patience_is_told_and_not_waited_for(error: ServingError) -> None:
    with pytest.raises(type(error)) as caught:
        asked(error, "never asked")
    assert "attempts: 1;" in caught.value.__notes__[0]
    assert "after 3600.0 s" in caught.value.__notes__[0]


@pytest.mark.parametrize("retry_after", [None, 10.0])
def test_refusals_without_any_success_end_when_the_patience_does(retry_after: float | None) -> None:
    times: list[float] = []
    storm = iter(lambda: RateLimited("slow down", retry_after), None)
    with pytest.raises(RateLimited):
        run(patient(course(storm, times), tries=3, patience=600.0, clock=now))
    assert 600 - 61 <= times[-1] <= 601


def test_an_ask_refused_while_others_are_answered_is_given_six_times_the_patience() -> None:
    times: list[float] = []
    storm = iter(lambda: RateLimited("too large", 10.0), None)
    with pytest.raises(RateLimited) as caught:
        run(patient(course(storm, times), tries=3, patience=100.0, last_success=now, clock=now))
    assert 600 - 12 <= times[-1] <= 601
    assert not caught.value.stops_model


def answered_until(moment: float) -> Callable[[], float]:
    """When a model that answers all the time until then has answered last."""
    return lambda: min(now(), moment)


def test_a_long_retry_after_among_good_answers_is_waited_for_as_long_as_the_patience() -> None:
    """The model answers others: the ask is put again after 600 of the 700 seconds, and has its answer."""
    refusal = RateLimited("slow down", 700.0)
    text, attempts, waited, times = asked(refusal, "yes", last_success=answered_until(1e9))
    assert (text, attempts, waited, times) == ("yes", 2, 600.0, [0.0, 601.0])


def test_a_long_retry_after_of_a_model_that_has_gone_silent_stops_it_within_the_patience() -> None:
    times: list[float] = []
    storm = iter(lambda: RateLimited("come tomorrow", 86_400.0), None)
    with pytest.raises(RateLimited) as caught:
        run(
            patient(
                course(storm, times), tries=3, patience=600.0, last_success=answered_until(0.5), clock=now
            )
        )
    assert times == [0.0, 601.0]
    assert caught.value.stops_model
    assert "after 86400.0 s" in caught.value.__notes__[0]


def test_a_long_retry_after_again_and_again_ends_the_ask_and_not_the_model() -> None:
    times: list[float] = []
    storm = iter(lambda: RateLimited("you not", 700.0), None)
    with pytest.raises(RateLimited) as caught:
        run(patient(course(storm, times), tries=3, patience=100.0, last_success=now, clock=now))
    assert times == [101.0 * n for n in range(6)]
    assert (caught.value.stops_model, caught.value.spent) == (False, True)


def test_what_is_spent_is_not_asked_again() -> None:
    """As a gate tells those that wait of what has stopped the model."""
    spent = RateLimited("the model has stopped")
    spent.spent = True
    with pytest.raises(RateLimited) as caught:
        asked(TransportError("lost"), spent, "never asked")
    assert (caught.value, caught.value.attempts, caught.value.stops_model) == (spent, 2, True)


def test_waits_without_a_retry_after_widen_from_half_a_second_to_a_minute() -> None:
    times: list[float] = []
    storm = iter(lambda: RateLimited("slow down"), None)
    with pytest.raises(RateLimited):
        run(patient(course(storm, times), tries=3, patience=7200.0, clock=now))
    waits = [later - earlier - 1 for earlier, later in pairwise(times)]
    assert min(waits) >= 0.5 - 1e-6
    assert max(waits[:3]) <= 4 + 1e-6
    assert max(waits) <= 60 + 1e-6


def test_cancelling_ends_the_waiting() -> None:
    async def story() -> float:
        call = course(iter([RateLimited("slow down", 100.0)]), [])
        task = asyncio.ensure_future(patient(call, tries=3, clock=now))
        await asyncio.sleep(5.0)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        return now()

    assert run(story()) == pytest.approx(5.0)
