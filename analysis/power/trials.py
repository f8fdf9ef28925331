"""Many draws of a study, in processes of their own, within a time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context

from analysis.power.size import Size
from analysis.power.trial import Study, Trial, trial

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""What tells libraries of linear algebra how many threads to take."""


def trials(study: Study, quota: Mapping[Size, int], processes: int, seconds: float) -> list[Trial]:
    """The draws of every size, as many as `quota` says, or the first of them if `seconds` have passed.

    Every size is drawn at least once, however long that takes. Sorted by size and number, and the same
    whatever the number of `processes`, of which 1 is this one.
    """
    until = time.monotonic() + seconds
    work = _work(quota)
    made = _here(study, work, until) if processes == 1 else _beside(study, work, until, processes)
    return sorted(made, key=lambda each: (each.size, each.number))


def _work(quota: Mapping[Size, int]) -> Iterator[tuple[Size, int]]:
    """Each size once, the dearest first, then each again while its quota lasts."""
    dearest = sorted(quota, key=lambda size: size.dilemmas * size.repetitions, reverse=True)
    for number in range(max(quota.values())):
        yield from ((size, number) for size in dearest if number < quota[size])


def _here(study: Study, work: Iterator[tuple[Size, int]], until: float) -> Iterator[Trial]:
    for size, number in work:
        if number and time.monotonic() >= until:
            return
        yield trial(study, size, number)


def _beside(study: Study, work: Iterator[tuple[Size, int]], until: float, processes: int) -> Iterator[Trial]:
    """As many draws under way as there are processes; those begun in time are finished."""
    with _one_thread_each(), ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        under_way: set[Future[Trial]] = set()
        for size, number in work:
            if number and time.monotonic() >= until:
                break
            under_way.add(pool.submit(trial, study, size, number))
            if len(under_way) > processes:
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)
        yield from (each.result() for each in wait(under_way).done)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes that begin meanwhile do linear algebra in one thread: they share the CPUs as it is."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
