"""Adaptive concurrency: bounded, cut once a burst, and near what the server takes."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.limits.adaptive import Adaptive
from serving.limits.limits_block import Limits

EVENTS = st.lists(
    st.tuples(st.booleans(), st.floats(0, 3), st.floats(0, 5), st.integers(1, 300)), max_size=60
)


def adaptive_from(start: int, in_flight: int) -> Adaptive:
    """With the default settings."""
    return Adaptive(in_flight, Limits(start=start))


def clean_round(adaptive: Adaptive, now: float) -> None:
    for _ in range(adaptive.limit):
        adaptive.succeeded(now, busy=adaptive.limit)


SETTINGS = st.builds(
    Limits, start=st.integers(1, 300), cut_to=st.floats(0.01, 0.99), cut_cooldown=st.floats(0, 10)
)


@given(st.integers(1, 300), SETTINGS, EVENTS)
def test_the_limit_stays_between_one_and_in_flight(
    in_flight: int, limits: Limits, events: list[tuple[bool, float, float, int]]
) -> None:
    adaptive, now = Adaptive(in_flight, limits), 0.0
    for answered, pause, age, busy in events:
        now += pause
        if answered:
            adaptive.succeeded(now - age, busy)
        else:
            adaptive.refused(now - age, now)
        assert 1 <= adaptive.limit <= in_flight


@settings(max_examples=40)
@given(st.integers(2, 300), st.lists(st.floats(0, 9.9), min_size=1, max_size=50))
def test_a_burst_of_refusals_cuts_once(limit: int, ages: list[float]) -> None:
    """Whatever was sent before the first refusal of a burst, and however late its refusal arrives."""
    adaptive = adaptive_from(limit, in_flight=300)
    for late, age in enumerate(sorted(ages, reverse=True)):
        adaptive.refused(sent=10.0 - age, now=10.0 + late)
    assert adaptive.cuts == 1
    assert adaptive.limit == max(1, int(limit * 0.7))


def test_what_a_cut_leaves_and_how_long_it_protects_are_settings() -> None:
    adaptive = Adaptive(100, Limits(start=100, cut_to=0.5, cut_cooldown=4.0))
    for now in (1.0, 4.9, 5.0):
        adaptive.refused(sent=now - 0.01, now=now)
    assert (adaptive.limit, adaptive.cuts) == (25, 2)


def test_within_the_cooldown_asks_sent_after_a_cut_do_not_cut_again() -> None:
    adaptive = adaptive_from(100, in_flight=100)
    adaptive.refused(sent=0.0, now=1.0)
    adaptive.refused(sent=1.1, now=1.9)
    assert adaptive.cuts == 1
    adaptive.refused(sent=1.1, now=2.0)
    assert adaptive.cuts == 2


def test_clean_rounds_double_until_the_first_cut_and_add_one_after_it() -> None:
    adaptive, limits = adaptive_from(4, in_flight=1000), []
    for now in range(1, 4):
        clean_round(adaptive, float(now))
        limits.append(adaptive.limit)
    adaptive.refused(sent=5.0, now=6.0)
    limits.append(adaptive.limit)
    for now in range(7, 9):
        clean_round(adaptive, float(now))
        limits.append(adaptive.limit)
    assert limits == [8, 16, 32, 22, 23, 24]


def test_a_refusal_ends_a_clean_round_even_where_it_does_not_cut() -> None:
    adaptive = adaptive_from(10, in_flight=100)
    adaptive.refused(sent=0.0, now=1.0)
    for now in (2.0, 3.0):
        adaptive.refused(sent=0.5, now=now)
        for _ in range(6):
            adaptive.succeeded(now, busy=7)
    assert (adaptive.limit, adaptive.cuts) == (7, 1)
    adaptive.succeeded(sent=4.0, busy=7)
    assert adaptive.limit == 8


@settings(max_examples=30)
@given(st.integers(1, 60), st.integers(1, 60), st.lists(st.floats(0, 60), max_size=20))
def test_a_clean_time_leads_back_to_in_flight(in_flight: int, start: int, refusals: list[float]) -> None:
    adaptive = adaptive_from(start, in_flight=in_flight)
    for now in sorted(refusals):
        adaptive.refused(now, now)
    for _ in range(in_flight):
        clean_round(adaptive, now=61.0)
    assert adaptive.limit == in_flight


def test_room_that_nobody_uses_is_not_taken_for_proven() -> None:
    adaptive = adaptive_from(8, in_flight=100)
    for now in range(1, 1000):
        adaptive.succeeded(float(now), busy=3)
    assert adaptive.limit == 8


@dataclass
class Server:
    """Takes `capacity` asks at once, refuses the rest at once, and answers after one second."""

    capacity: int
    adaptive: Adaptive
    ends: list[float] = field(default_factory=list)
    tick: int = 0
    refused: int = 0
    answered: int = 0

    def live(self, seconds: int) -> None:
        """Clients that always ask as much as they may, a tick of 0.1 s at a time."""
        for _ in range(seconds * 10):
            self.tick += 1
            now = self.tick / 10
            self._answer(now)
            while len(self.ends) < self.adaptive.limit:
                if len(self.ends) >= self.capacity:
                    self.adaptive.refused(now, now)
                    self.refused += 1
                    break
                self.ends.append(now + 1.0)

    def _answer(self, now: float) -> None:
        done = [end for end in self.ends if end <= now]
        for end in done:
            self.adaptive.succeeded(end - 1.0, len(self.ends))
        self.answered += len(done)
        self.ends = [end for end in self.ends if end > now]


@settings(max_examples=15)
@given(st.integers(2, 100), st.integers(1, 16))
def test_it_finds_the_hidden_capacity_of_a_server(capacity: int, start: int) -> None:
    """Within a factor of two at any time after a minute, and with most of the capacity in use."""
    server = Server(capacity, adaptive_from(start, in_flight=256))
    server.live(60)
    for _ in range(60):
        server.live(1)
        assert capacity // 2 <= server.adaptive.limit <= capacity + 1


@pytest.mark.parametrize(("capacity", "share"), [(5, 0.1), (20, 0.02), (100, 0.002)])
def test_few_asks_are_refused_at_the_hidden_capacity(capacity: int, share: float) -> None:
    """Growing by one a round, a limit of L meets its ceiling once in about L / 3 rounds of L asks."""
    server = Server(capacity, adaptive_from(4, in_flight=256))
    server.live(300)
    assert server.answered > 0.7 * capacity * 299
    assert server.refused < share * server.answered
