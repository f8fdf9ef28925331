"""Sizes of a study, and how often each is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LEAST, MOST = 8, 200
"""Draws of one size, where nobody says how many."""

SECONDS_A_VERDICT = 8e-6
"""Of CPU, that simulating and fitting a verdict takes with an estimator that knows phi; measured."""

SECONDS_A_PAIR = 1e-6
"""Of CPU, that an estimator of pairs takes for two verdicts of one dilemma; measured."""

SECONDS_A_DRAW = 0.1
"""Of CPU, that any draw takes."""


@dataclass(frozen=True, slots=True, order=True)
class Size:
    """How many dilemmas are debated, and how often each of them is under every condition."""

    repetitions: int
    dilemmas: int

    def __str__(self) -> str:
        return f"{self.dilemmas:,} × {self.repetitions}"


def quotas(verdicts: Mapping[Size, float], estimator: str, seconds: float) -> dict[Size, int]:
    """How often to draw each size so that all take about so many `seconds` of CPU, each size as long.

    `verdicts` is how many a dilemma has at each size. The same on every machine: times are assumed.
    """
    share = seconds / len(verdicts)
    return {
        size: min(MOST, max(LEAST, int(share / _seconds(size, each, estimator))))
        for size, each in verdicts.items()
    }


def sizes(dilemmas: Sequence[int], repetitions: Sequence[int]) -> list[Size]:
    """Every number of dilemmas with every number of repetitions, each once, from small to large."""
    return sorted({Size(times, cases) for cases in dilemmas for times in repetitions})


def _seconds(size: Size, verdicts: float, estimator: str) -> float:
    """CPU seconds of a draw."""
    of_pairs = size.dilemmas * verdicts**2 * SECONDS_A_PAIR if estimator.startswith("pairwise") else 0.0
    return SECONDS_A_DRAW + size.dilemmas * verdicts * SECONDS_A_VERDICT + of_pairs
