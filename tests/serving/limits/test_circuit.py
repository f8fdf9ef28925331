"""The circuit as a state machine: no open time is ever shortened, one probe at a time, success closes it."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from serving.limits.circuit import Circuit

FAILURES, FIRST, LONGEST = 3, 5.0, 40.0
AHEAD = 1e-6
"""Rounding of sums of times."""


class CircuitMachine(RuleBasedStateMachine):
    """Asks pass, fail, are answered or given up in any order, while time goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.out: list[float] = []
        self.open_until = 0.0
        self.last_open = 0.0

    @initialize()
    def a_closed_circuit(self) -> None:
        self.circuit = Circuit(FAILURES, FIRST, LONGEST)

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
        self.circuit.failed(sent, self.now)
        if before != "open" and self.circuit.state == "open":
            length = self.circuit.delay(self.now)
            assert FIRST - AHEAD <= length <= LONGEST + AHEAD
            if before == "probing":
                assert length >= min(LONGEST, 2 * self.last_open) - AHEAD
            self.open_until, self.last_open = self.now + length, length

    @precondition(lambda self: self.out)
    @rule(data=st.data())
    def an_ask_is_answered(self, data: st.DataObject) -> None:
        sent, before = self._one_of_those_out(data), self.circuit.state
        self.circuit.answered(sent)
        assert self.circuit.state in ("closed", before)

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
TestCircuit.settings = settings(max_examples=30, stateful_step_count=40)


def fail(circuit: Circuit, times: int, now: float) -> None:
    for _ in range(times):
        circuit.failed(now, now)


def test_failures_in_a_row_open_it_and_an_answer_between_them_does_not() -> None:
    circuit = Circuit(failures=3)
    fail(circuit, 2, now=1.0)
    circuit.answered(sent=1.0)
    fail(circuit, 2, now=2.0)
    assert circuit.state == "closed"
    fail(circuit, 1, now=3.0)
    assert circuit.state == "open"


def test_late_failures_of_asks_sent_before_it_opened_change_nothing() -> None:
    circuit = Circuit(failures=3, cooldown=5.0)
    fail(circuit, 3, now=10.0)
    circuit.enter()
    circuit.answered(sent=15.0)
    for late in range(100):
        circuit.failed(sent=9.0, now=16.0 + late)
    assert circuit.state == "closed"


def test_an_early_ask_given_up_while_the_probe_is_out_lets_no_second_one_pass() -> None:
    circuit = Circuit(failures=3, cooldown=5.0)
    fail(circuit, 3, now=10.0)
    circuit.enter()
    circuit.unclear(sent=9.0)
    assert circuit.state == "probing"


def test_each_failed_probe_doubles_the_open_time_up_to_the_longest() -> None:
    circuit, now, lengths = Circuit(failures=1, cooldown=5.0, longest=60.0), 1.0, []
    for _ in range(6):
        circuit.failed(sent=now, now=now)
        lengths.append(circuit.delay(now))
        now += circuit.delay(now)
        circuit.enter()
    assert lengths == [5, 10, 20, 40, 60, 60]


def test_a_provider_that_answers_only_its_probes_is_left_alone_for_longer_each_time() -> None:
    circuit, now, lengths = Circuit(failures=3, cooldown=5.0), 1.0, []
    for _ in range(3):
        fail(circuit, 3, now)
        lengths.append(circuit.delay(now))
        now += circuit.delay(now)
        circuit.enter()
        circuit.answered(sent=now)
        now += 1.0
    assert lengths == [5, 10, 20]


def test_as_many_answers_as_failures_forget_the_earlier_openings() -> None:
    circuit = Circuit(failures=3, cooldown=5.0)
    fail(circuit, 3, now=1.0)
    circuit.enter()
    for _ in range(3):
        circuit.answered(sent=6.0)
    fail(circuit, 3, now=7.0)
    assert circuit.delay(7.0) == 5.0


def test_answers_with_a_failure_among_them_do_not() -> None:
    circuit = Circuit(failures=3, cooldown=5.0)
    fail(circuit, 3, now=1.0)
    circuit.enter()
    for _ in range(2):
        circuit.answered(sent=6.0)
        fail(circuit, 1, now=6.0)
        circuit.answered(sent=6.0)
    fail(circuit, 3, now=7.0)
    assert circuit.delay(7.0) == 10.0
