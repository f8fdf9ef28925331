"""The circuit as a state machine: no open time is ever shortened, one probe at a time, success closes it."""

from __future__ import annotations

import pytest
from hypothesis import settings as tried
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from pydantic import ValidationError

from serving.limits.circuit import Circuit
from serving.limits.limits_block import CircuitLimits

FIRST, LONGEST = 5.0, 40.0
AHEAD = 1e-6
"""Rounding of sums of times."""


class CircuitMachine(RuleBasedStateMachine):
    """Asks pass, fail, are answered or given up in any order, while time goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.out: list[float] = []
        self.open_until = 0.0
        self.opened = float("-inf")
        self.last_open = 0.0
        self.told: list[bool] = []  # since it last opened: which calls have failed

    @initialize(window=st.integers(1, 8), failures=st.floats(0.05, 1.0))
    def a_closed_circuit(self, window: int, failures: float) -> None:
        limits = CircuitLimits(failures=failures, window=window, cooldown=FIRST, longest=LONGEST)
        self.circuit, self.window, self.enough = Circuit(limits), window, limits.enough

    @rule(seconds=st.floats(0.01, 30))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @precondition(lambda self: self.circuit.delay(self.now) == 0)
    @rule()
    def an_ask_passes(self) -> None:
        was_open = self.circuit.state == "open"
        self.circuit.enter()
        self.out.append(self.now)
        assert self.circuit.state == ("probing" if was_open else "closed")

    @precondition(lambda self: self.out)
    @rule(data=st.data())
    def an_ask_fails(self, data: st.DataObject) -> None:
        sent, before = self._one_of_those_out(data), self.circuit.state
        counts = sent > self.opened
        self.told += [True] * counts
        share_reached = sum(self.told[-self.window :]) >= self.enough
        self.circuit.failed(sent, self.now)
        opens = counts and (before == "probing" or share_reached)
        assert self.circuit.state == ("open" if opens else before)
        if before != "open" and self.circuit.state == "open":
            length = self.circuit.delay(self.now)
            assert FIRST - AHEAD <= length <= LONGEST + AHEAD
            if before == "probing":
                assert length >= min(LONGEST, 2 * self.last_open) - AHEAD
            self.open_until, self.last_open = self.now + length, length
            self.opened, self.told = self.now, []

    @precondition(lambda self: self.out)
    @rule(data=st.data())
    def an_ask_is_answered(self, data: st.DataObject) -> None:
        sent, before = self._one_of_those_out(data), self.circuit.state
        counts = sent > self.opened
        self.told += [False] * counts
        self.circuit.answered(sent)
        assert self.circuit.state == ("closed" if counts else before)

    @precondition(lambda self: self.out)
    @rule(data=st.data())
    def an_ask_ends_without_telling(self, data: st.DataObject) -> None:
        sent, before = self._one_of_those_out(data), self.circuit.state
        self.circuit.unclear(sent)
        ended_the_probe = before == "probing" and sent >= self.open_until - AHEAD
        assert self.circuit.state == ("open" if ended_the_probe else before)

    def _one_of_those_out(self, data: st.DataObject) -> float:
        sent: float = data.draw(st.sampled_from(self.out))
        self.out.remove(sent)
        return sent

    @invariant()
    def nothing_passes_before_the_open_time_is_over(self) -> None:
        if self.now < self.open_until - AHEAD:
            assert self.circuit.state == "open"
            assert self.circuit.delay(self.now) >= self.open_until - self.now - AHEAD

    @invariant()
    def a_waiting_ask_is_always_let_in_in_the_end(self) -> None:
        """Unless a probe is out, some finite time brings the next passage; when it ends, so too."""
        if self.circuit.state == "probing":
            assert any(sent >= self.open_until - AHEAD for sent in self.out)
        else:
            assert self.circuit.delay(self.now) <= LONGEST + AHEAD


TestCircuit = CircuitMachine.TestCase
TestCircuit.settings = tried(max_examples=30, stateful_step_count=40)


def circuit_of(failures: int, window: int = 6) -> Circuit:
    """One that so many failures among `window` calls open."""
    return Circuit(CircuitLimits(failures=failures / window, window=window, cooldown=5.0, longest=60.0))


def fail(circuit: Circuit, times: int, now: float) -> None:
    for _ in range(times):
        circuit.failed(now, now)


def answer(circuit: Circuit, times: int, sent: float) -> None:
    for _ in range(times):
        circuit.answered(sent)


def test_the_share_of_failures_among_the_last_calls_opens_it() -> None:
    """Three of any six in a row, with answers between them or not; three of seven do not."""
    circuit = circuit_of(3)
    fail(circuit, 2, now=1.0)
    answer(circuit, 5, sent=1.0)
    fail(circuit, 1, now=2.0)
    assert circuit.state == "closed"
    answer(circuit, 3, sent=2.0)
    fail(circuit, 1, now=3.0)
    assert circuit.state == "closed", "of the last six calls two have failed"
    answer(circuit, 1, sent=3.0)
    fail(circuit, 1, now=4.0)
    assert circuit.state == "closed"
    fail(circuit, 1, now=5.0)
    assert circuit.state == "open"


def test_a_provider_that_never_answers_opens_it_before_the_window_is_full() -> None:
    circuit = circuit_of(3, window=1000)
    fail(circuit, 3, now=1.0)
    assert circuit.state == "open"


def test_a_share_is_rounded_up_to_whole_calls() -> None:
    assert CircuitLimits(failures=0.1, window=30).enough == 3
    assert CircuitLimits(failures=0.1, window=31).enough == 4
    assert CircuitLimits(failures=0.01, window=5).enough == 1
    assert CircuitLimits(failures=1.0, window=5).enough == 5


def test_late_failures_of_asks_sent_before_it_opened_change_nothing() -> None:
    circuit = circuit_of(3)
    fail(circuit, 3, now=10.0)
    circuit.enter()
    circuit.answered(sent=15.0)
    for late in range(100):
        circuit.failed(sent=9.0, now=16.0 + late)
    assert circuit.state == "closed"


def test_an_early_ask_given_up_while_the_probe_is_out_lets_no_second_one_pass() -> None:
    circuit = circuit_of(3)
    fail(circuit, 3, now=10.0)
    circuit.enter()
    circuit.unclear(sent=9.0)
    assert circuit.state == "probing"


def test_each_failed_probe_doubles_the_open_time_up_to_the_longest() -> None:
    circuit, now, lengths = circuit_of(1), 1.0, []
    for _ in range(6):
        circuit.failed(sent=now, now=now)
        lengths.append(circuit.delay(now))
        now += circuit.delay(now)
        circuit.enter()
    assert lengths == [5, 10, 20, 40, 60, 60]


def test_a_provider_that_answers_only_its_probes_is_left_alone_for_longer_each_time() -> None:
    circuit, now, lengths = circuit_of(3), 1.0, []
    for _ in range(3):
        fail(circuit, 3, now)
        lengths.append(circuit.delay(now))
        now += circuit.delay(now)
        circuit.enter()
        circuit.answered(sent=now)
        now += 1.0
    assert lengths == [5, 10, 20]


def test_a_whole_window_that_does_not_open_it_forgets_the_earlier_openings() -> None:
    """Two failures among its six calls included; five calls are not enough."""
    for answers, length in ((4, 5.0), (3, 10.0)):
        circuit = circuit_of(3)
        fail(circuit, 3, now=1.0)
        circuit.enter()
        answer(circuit, answers, sent=6.0)
        fail(circuit, 2, now=6.5)
        fail(circuit, 1, now=7.0)
        assert circuit.delay(7.0) == length


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"failures": 0.0}, "failures"),
        ({"failures": 1.1}, "failures"),
        ({"window": 0}, "window"),
        ({"window": 2.5}, "window"),
        ({"cooldown": 90.0}, "'longest' is 60, less than the 'cooldown' of 90 seconds; raise it"),
        ({"cool_down": 1.0}, "cool_down"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, float], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        CircuitLimits.model_validate(settings)
