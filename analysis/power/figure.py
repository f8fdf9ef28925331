"""The figure of a power analysis: how wide intervals would be, by number of dilemmas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pandas as pd

from analysis.power.trial import SLOPE
from analysis.report.figure import NARROW, Figure, Panel, headed, legend
from analysis.report.svg import line, tag, tooltip, words

LEFT, RIGHT, HEIGHT = 34.0, NARROW.width - 14, 130.0
"""Where the scales of a panel begin and end, in its units; 0 stands at the bottom."""

STEPS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Between the ticks of half-widths."""


@dataclass(frozen=True, slots=True)
class Scales:
    """Dilemmas from left to right, logarithmic, with a tick at each; half-widths from 0 up to `most`."""

    dilemmas: Sequence[int]
    step: float
    most: float

    def x(self, dilemmas: int) -> float:
        """Where a number of dilemmas stands."""
        first, last = math.log(self.dilemmas[0]), math.log(self.dilemmas[-1])
        share = 0.5 if first == last else (math.log(dilemmas) - first) / (last - first)
        return LEFT + 12 + share * (RIGHT - LEFT - 24)

    def y(self, half_width: float) -> float:
        """Where a half-width stands."""
        return HEIGHT * (1 - half_width / self.most)


def figure(parameters: pd.DataFrame) -> Figure:
    """A panel for each slope of `Expected.parameters`, a line for each number of repetitions."""
    slopes = parameters[parameters["kind"] == SLOPE]
    repetitions = sorted(slopes["repetitions"].unique())
    scales = _scales(slopes)
    panels = [
        _panel(f"{term}, {model}: ± log-odds", rows, repetitions, scales)
        for (term, model), rows in slopes.groupby(["term", "model"], sort=False)
    ]
    keys = [(_key(place), _times(times)) for place, times in enumerate(repetitions)]
    return Figure(
        name="precision",
        caption="Half of the width of the expected 95% interval of each slope, in log-odds, by number of"
        " dilemmas; a line for each number of repetitions.",
        legend=legend(keys),
        panels=panels,
        data=slopes[["term", "model", "repetitions", "dilemmas", "half_width", "draws"]],
    )


def _scales(slopes: pd.DataFrame) -> Scales:
    most = float(slopes["half_width"].max())
    step = next((step for step in STEPS if most / step <= 5), STEPS[-1])
    return Scales(sorted(slopes["dilemmas"].unique()), step, step * math.ceil(most / step))


def _panel(title: str, rows: pd.DataFrame, repetitions: Sequence[int], scales: Scales) -> Panel:
    drawn = [_axes(scales)]
    for place, times in enumerate(repetitions):
        drawn.append(_line(place, rows[rows["repetitions"] == times], scales))
    return headed(title, HEIGHT + 34, tag("g", *drawn, transform="translate(0 6)"))


def _line(place: int, rows: pd.DataFrame, scales: Scales) -> str:
    points = [
        (int(cases), float(half)) for cases, half in zip(rows["dilemmas"], rows["half_width"], strict=True)
    ]
    at = [(scales.x(cases), scales.y(half)) for cases, half in points]
    between = [line(*one, *other, f"interval s{place % 6 + 1}") for one, other in pairwise(at)]
    times = int(rows["repetitions"].iloc[0]) if len(rows) else 0
    marks = [
        tag(
            "circle",
            tooltip(f"{cases:,} dilemmas, {_times(times)}: ± {half:.2f}"),
            kind=f"f{place % 6 + 1}",
            cx=x,
            cy=y,
            r=3.4,
        )
        for (cases, half), (x, y) in zip(points, at, strict=True)
    ]
    return "".join(between + marks)


def _axes(scales: Scales) -> str:
    drawn = []
    for place in range(round(scales.most / scales.step) + 1):
        y = scales.y(place * scales.step)
        drawn += [
            line(LEFT, y, RIGHT, y, "grid" if place else "axis"),
            words(LEFT - 5, y + 4, f"{place * scales.step:.10g}", "soft", "end"),
        ]
    ticks = [words(scales.x(each), HEIGHT + 14, f"{each:,}", "soft", "middle") for each in scales.dilemmas]
    return "".join([*drawn, *ticks, words(RIGHT, HEIGHT + 27, "dilemmas", "soft", "end")])


def _key(place: int) -> str:
    stroke = line(0, 0, 14, 0, f"interval s{place % 6 + 1}")
    return stroke + tag("circle", kind=f"f{place % 6 + 1}", cx=7, cy=0, r=3.4)


def _times(repetitions: int) -> str:
    return f"{repetitions} repetition" + ("" if repetitions == 1 else "s")
