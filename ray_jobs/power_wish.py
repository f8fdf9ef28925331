"""What is asked of `moot power`, and what is tried where that is left open."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.model.estimators import ESTIMATORS
from analysis.power.size import Size, sizes
from ray_jobs.located import ExperimentError, one_of

FRACTIONS = (0.25, 0.5, 1.0, 2.0)
"""Of the dilemmas of the file, tried where nobody says how many."""

REPETITIONS = (1, 2, 5)
"""Tried beside those of the file."""

CPUS = len(os.sched_getaffinity(0))
"""That this process may use."""

FEWEST_DILEMMAS = 2
MOST_DEBATES = 1_000_000
"""Of one draw, which is held in memory."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Options; what is empty or null is chosen by the experiment, `draws` by the `seconds` there are."""

    dilemmas: Sequence[int] = ()
    repetitions: Sequence[int] = ()
    draws: int | None = None
    estimator: str = "re"
    seed: int = 0
    truth: Path | None = None
    like: str | None = None
    steering: str | None = None
    seconds: float = 60.0
    processes: int = CPUS
    out: Path | None = None

    def __post_init__(self) -> None:
        wrong = list(self._wrong())
        if wrong:
            raise ExperimentError("\n".join(wrong))

    def _wrong(self) -> Iterator[str]:
        for option, numbers, least in (
            ("--dilemmas", self.dilemmas, FEWEST_DILEMMAS),
            ("--repetitions", self.repetitions, 1),
            ("--draws", [] if self.draws is None else [self.draws], 1),
            ("--processes", [self.processes], 1),
            ("--seconds", [self.seconds], 1),
            ("--seed", [self.seed], 0),
        ):
            for number in numbers:
                if not least <= number < math.inf:
                    yield f"{option}: found {number:g}; allowed: {least} or more{WHY.get(option, '')}"
        if self.estimator not in ESTIMATORS:
            yield f"--estimator: found '{self.estimator}'; allowed: {one_of(ESTIMATORS, self.estimator)}"
        if self.truth is not None and self.like is not None:
            yield f"found --truth {self.truth} beside --like {self.like}; allowed: one of them"


WHY = {"--dilemmas": ", since errors are learned from how dilemmas differ"}


def tried(wish: Wish, dilemmas: int, repetitions: int, conditions: int) -> list[Size]:
    """The sizes to simulate, for a file of so many dilemmas and repetitions.

    Raises `ExperimentError` for one that is too small, or too large for the memory.
    """
    if not wish.dilemmas and dilemmas < FEWEST_DILEMMAS:
        raise ExperimentError(
            f"cases.file: found {dilemmas} dilemma; allowed: {FEWEST_DILEMMAS} or more{WHY['--dilemmas']};"
            " add some, or say how many there are to be with --dilemmas"
        )
    cases = wish.dilemmas or [max(FEWEST_DILEMMAS, round(part * dilemmas)) for part in FRACTIONS]
    found = sizes(cases, wish.repetitions or [*REPETITIONS, repetitions])
    for size in found:
        if (debates := size.dilemmas * size.repetitions * conditions) > MOST_DEBATES:
            raise ExperimentError(
                f"found {size.dilemmas:,} dilemmas × {size.repetitions:,} repetitions × {conditions}"
                f" conditions = {debates:,} debates; allowed: up to {MOST_DEBATES:,}; try fewer with"
                " --dilemmas and --repetitions: a standard error halves with four times as many dilemmas"
            )
    return found


def planned(found: Sequence[Size], dilemmas: int, repetitions: int) -> Size:
    """The size that the file states, or the largest tried, where that was not."""
    stated = Size(repetitions, dilemmas)
    return stated if stated in found else max(found, key=lambda size: size.dilemmas * size.repetitions)


def numbers(option: str, said: str | None) -> list[int]:
    """The numbers of an option, such as "50,100"; none where it was not given. Raises `ExperimentError`."""
    try:
        return [int(each) for each in said.split(",")] if said is not None else []
    except ValueError:
        raise ExperimentError(
            f"{option}: found '{said}'; allowed: whole numbers with commas between, such as 50,100"
        ) from None
