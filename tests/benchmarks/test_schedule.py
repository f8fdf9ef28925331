"""The schedules that runs are measured by, against small ones worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.schedule import Steps, first_come, with_barrier
from benchmarks.tail import steps_of

SECONDS = st.integers(0, 20).map(float)
DEBATES = st.lists(
    st.lists(st.lists(SECONDS, min_size=1, max_size=3), min_size=1, max_size=4), min_size=1, max_size=8
)


@pytest.mark.parametrize(("in_flight", "seconds"), [(1, 4.0), (2, 2.0), (3, 2.0), (4, 1.0)])
def test_asks_share_the_places(in_flight: int, seconds: float) -> None:
    assert first_come([[[1.0, 1.0]], [[1.0, 1.0]]], in_flight, open_debates=2) == seconds
    assert with_barrier([[[1.0, 1.0]], [[1.0, 1.0]]], in_flight) == seconds


def test_a_step_begins_when_all_of_the_one_before_have_ended() -> None:
    assert first_come([[[1.0, 3.0], [2.0]]], in_flight=9, open_debates=1) == 5.0


@pytest.mark.parametrize(("open_debates", "seconds"), [(1, 4.0), (2, 2.0), (3, 2.0)])
def test_only_so_many_debates_are_open(open_debates: int, seconds: float) -> None:
    """With two, the third begins after 1 s, when the second has ended."""
    assert first_come([[[2.0]], [[1.0]], [[1.0]]], in_flight=9, open_debates=open_debates) == seconds


def test_of_asks_that_wait_those_of_the_earlier_debate_go_first() -> None:
    """After 1 s the first debate asks again, for 4 s, while the third waits; the other way round: 6 s."""
    assert first_come([[[1.0], [4.0]], [[2.0]], [[2.0]]], in_flight=2, open_debates=3) == 5.0


@pytest.mark.parametrize(("handed", "seconds"), [(-1, 6.0), (0, 5.0), (9, 5.0)])
def test_once_all_have_begun_earlier_steps_go_first(handed: int, seconds: float) -> None:
    """After 1 s the third debate's first ask goes before the second ask of the first one, or after it."""
    debates = [[[1.0], [1.0]], [[1.0], [3.0]], [[1.0], [3.0]]]
    assert first_come(debates, in_flight=2, open_debates=3, handed=handed) == seconds


def test_with_a_barrier_the_slowest_of_each_round_is_waited_for() -> None:
    """3 s and 3 s, where without one both debates take 4 s; a round that nobody plays any more takes none."""
    debates = [[[3.0], [1.0]], [[1.0], [3.0]], [[2.0]]]
    assert first_come(debates, in_flight=3, open_debates=3) == 4.0
    assert with_barrier(debates, in_flight=3) == 6.0


@given(DEBATES, st.integers(1, 8), st.integers(1, 8))
def test_no_schedule_is_shorter_than_its_work_or_than_its_longest_debate(
    debates: list[Steps], in_flight: int, open_debates: int
) -> None:
    """And with one place, or with room for all, it is exactly that."""
    work = sum(seconds for steps in debates for step in steps for seconds in step)
    longest = max(sum(map(max, steps)) for steps in debates)
    for took in (first_come(debates, in_flight, open_debates), with_barrier(debates, in_flight)):
        assert max(work / in_flight, longest) - 1e-9 <= took <= work
    assert first_come(debates, 1, open_debates) == with_barrier(debates, 1) == work
    assert first_come(debates, 100, 100) == longest


def test_latencies_are_taken_by_debate_step_and_slot_in_the_order_of_beginning() -> None:
    def row(debate: str, step: int, slot: int, seconds: float) -> dict[str, Any]:
        return {"debate_id": debate, "step": step, "slot": slot, "seconds": seconds}

    rows = [row("z", 0, 1, 2.0), row("a", 0, 0, 5.0), row("z", 1, 0, 3.0), row("z", 0, 0, 1.0)]
    assert steps_of(rows) == [[[1.0, 2.0], [3.0]], [[5.0]]]
