"""Comparisons of conditions that differ in one column of the design, paired by case.

With `vary="order"` these are order effects, with "steering" those of prompts, each against the one in which
every seat has the steering `default`, with "panel" those of models and their sizes, with "protocol" those of
protocols. Orders and steerings name something for every seat: they are compared within a panel, which is
always among the keys, and between debates that are alike in all else.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import pandas as pd

from analysis.contrast import differences, pairs
from analysis.courses import Courses
from analysis.estimates import Terms, lookup
from analysis.measures import change
from analysis.measures.consensus import debates, unreadable
from analysis.measures.distribution import decided
from analysis.naming import USUAL
from analysis.outcomes import Missing
from analysis.tally import CONDITION

OF_SEATS = ("order", "steering")
"""Columns whose values name something for every seat."""


def consensus(
    courses: Courses, vary: str, missing: Missing = "disagree", by: Sequence[str] = CONDITION
) -> pd.DataFrame:
    """Differences in the share of debates with consensus by each round: first in it, not up to it.

    Keys: those of `by` but `vary`; round, null for never; value; against.
    """
    by = _told_by(vary, by)
    courses, keys = _comparable(courses, vary, by), _others(by, vary)
    rows = debates(courses, missing)
    rows = rows.rename(columns={"agreed": "round"})
    grid = pairs(rows, keys, vary, _baselines(rows, vary))
    last = int(rows["round"].max()) if len(rows) else 0
    rounds = pd.DataFrame({"round": [*range(1, last + 1), 0]})
    grid = grid.merge(rounds, how="cross")[[*keys, "round", "value", "against"]]
    found = differences(
        grid,
        vary,
        Terms(rows, [*keys, "round", vary]),
        Terms(rows, [*keys, vary]),
        unreadable(courses, [*keys, vary]),
        Terms(courses.lost(), [*keys, vary]),
    )
    return found.assign(round=found["round"].astype("Int64").mask(found["round"] == 0))


def changes(courses: Courses, vary: str, by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """Differences in the rate of change of verdict, of the same seats or models under both conditions.

    Keys: those of `by` but `vary`; level, model, seat, among and event as in `change.estimate`; value;
    against. Between panels that share no model only the level `panel` can be compared.
    """
    by = _told_by(vary, by)
    courses, keys = _comparable(courses, vary, by), [*_others(by, vary), *change.SEATED]
    happened = change.happened(courses, by)
    told = [*keys, "among", "event"]
    eligible = happened[happened["event"] == "eligible"]
    grid = pairs(eligible, [*keys, "among"], vary, _baselines(eligible, vary))
    grid = grid.merge(pd.DataFrame({"event": change.EVENTS}), how="cross")
    above, below, lost = change.terms(happened, [*keys, vary])
    failed = Terms(courses.lost(heard=True), [*_others(by, vary), vary])
    return differences(grid[[*told, "value", "against"]], vary, above, below, lost, failed)


def verdicts(
    courses: Courses, vary: str, missing: Missing = "disagree", by: Sequence[str] = CONDITION
) -> pd.DataFrame:
    """Differences in what panels agree on, among the cases with consensus under both.

    Keys: those of `by` but `vary`; verdict; value; against.
    """
    by = _told_by(vary, by)
    courses, keys = _comparable(courses, vary, by), _others(by, vary)
    rows = decided(courses, missing)
    grid = pairs(rows, keys, vary, _baselines(rows, vary))
    grid = grid.merge(pd.DataFrame({"verdict": courses.vocabulary}), how="cross")
    return differences(
        grid[[*keys, "verdict", "value", "against"]],
        vary,
        Terms(rows, [*keys, "verdict", vary]),
        Terms(rows, [*keys, vary]),
        unreadable(courses, [*keys, vary]),
        Terms(courses.lost(), [*keys, vary]),
    )


def _told_by(vary: str, by: Sequence[str]) -> Sequence[str]:
    """`by`, and the panel where the values of `vary` are of one panel only."""
    return tuple(dict.fromkeys((*by, "panel"))) if vary in OF_SEATS else by


def _comparable(courses: Courses, vary: str, by: Sequence[str]) -> Courses:
    """Only the debates of which there are others that are alike but for `vary`: in `by`, or in all else."""
    alike = CONDITION if vary in OF_SEATS else by
    kinds = courses.rows[list(alike)].drop_duplicates()
    several = kinds.groupby(_others(alike, vary), observed=True)[vary].transform("nunique") > 1
    chosen = kinds[several]
    return replace(courses, rows=courses.rows[lookup(courses.rows, chosen, alike) < len(chosen)])


def _others(by: Sequence[str], vary: str) -> list[str]:
    return [name for name in by if name != vary]


def _baselines(rows: pd.DataFrame, vary: str) -> Collection[str]:
    """What the other values stand against: the usual steering in all seats; for other columns none."""
    values = set(map(str, rows[vary].unique()))
    return {value for value in values if set(value.split("+")) == {USUAL[vary]}} if vary in USUAL else ()
