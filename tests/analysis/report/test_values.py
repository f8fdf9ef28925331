"""The sections on values: what judges do to the differences stands by condition, in a reader's numbers."""

from __future__ import annotations

import re

import pandas as pd

from analysis.report.latex import latex
from analysis.report.values import labellings, noise_exhibit
from tests.analysis.report.frames import conditions, design, frame

STEERED = [design(steering="kind+kind"), design()]
NOISE = frame(
    [
        {
            **{name: one[name] for name in ("stage", "protocol", "steering", "panel")},
            **{"model": "alpha", "against": "beta", "value": "Care", "labellings": 4, "judges": 2},
            **{
                "estimate": -0.016843971631205677,
                "low": -0.07,
                "high": 0.03,
                "lowest": -0.03,
                "highest": 0.0,
            },
            **{"within": 0.0006187962286842599, "between": 0.0001, "between_judges": 0.0, "total": 0.1},
            **{"between_passes": None, "stable": 0.75, "rank": 1},
        }
        for one in STEERED
    ]
)


def test_noise_is_grouped_by_condition_and_rounded() -> None:
    [table] = noise_exhibit(NOISE, conditions(*STEERED), "").tables
    assert [group.label for group in table.groups] == ["alpha + beta: default", "alpha + beta: kind"]
    said = [cell.said for cell in table.groups[0].rows[0]]
    assert said == ["alpha less beta", "Care", "−1.7", "−3.0", "+0.0", "75.0"]
    text = latex(table)
    assert "longtable}{llrrrr}" in text
    assert not re.search(r"\d\.\d{2,}", text)


def test_labellings_say_who_labelled_how_much() -> None:
    made = pd.DataFrame({"judge": ["judge-a", "human:ann"], "pass": [1, 1], "labels": [8, 2]})
    [table] = labellings(made, 8, "").tables
    assert [[cell.said for cell in line] for line in table.groups[0].rows] == [
        ["judge-a", "a model", "1", "8", "8", "100.0"],
        ["ann", "a person", "1", "2", "8", "25.0"],
    ]
