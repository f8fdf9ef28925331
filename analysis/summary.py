"""The summary of a run: every first measure, from one pass over its tables."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa

from analysis import course_tally, courses, failures, judgments, readings, totals, turns
from analysis.counting import Connect, Counted, tallied
from analysis.estimates import plain
from analysis.measures import change, consensus, distribution
from analysis.outcomes import Missing
from analysis.tally import CONDITION, chosen, groups, pick


@dataclass(frozen=True, slots=True)
class Summary:
    """The first measures of a run; the columns of each frame are told by the `estimate` it is from.

    `consensus`, `change`, `verdicts` and `judgments` are told by the columns `by`, of which the stage is
    always one, pooled over the rest of `CONDITION`. `conditions` are the distinct conditions of the debates
    that finished or failed, one a row; `judged` are those of the judgments that finished. `planted` is how
    many debates have a planted verdict, and are in none of these.
    """

    run: str
    missing: Missing
    by: tuple[str, ...]
    conditions: pd.DataFrame
    judged: pd.DataFrame
    consensus: pd.DataFrame
    change: pd.DataFrame
    verdicts: pd.DataFrame
    judgments: pd.DataFrame
    readings: pd.DataFrame
    totals: pd.DataFrame
    models: pd.DataFrame
    failures: pd.DataFrame
    planted: int


def summarise(
    run: str | Path,
    missing: Missing = "disagree",
    connect: Connect = nullcontext,
    by: Sequence[str] = CONDITION,
) -> Summary:
    """Reads a run, finished or still going on; estimates pool debates of a stage that are alike in `by`.

    They are counted as `counting.tallied` does. Raises `tally.UnknownColumn` for a column not in `CONDITION`,
    and what that raises.
    """
    by = chosen(by)
    return summary(str(run), tallied(run, COUNTED, connect), missing, by)


def summary(
    run: str,
    tallies: pa.Table,
    missing: Missing = "disagree",
    by: Sequence[str] = CONDITION,
) -> Summary:
    """The summary that merged tallies give. Raises `tally.UnknownColumn` as `summarise` does."""
    by = chosen(by)
    found = courses.read(tallies)
    return Summary(
        run=run,
        missing=missing,
        by=by,
        conditions=plain(groups(CONDITION, found.rows, found.failed)),
        judged=groups(CONDITION, pick(tallies, "judgments")),
        consensus=consensus.estimate(found, missing, by),
        change=change.estimate(found, by),
        verdicts=distribution.estimate(found, by),
        judgments=judgments.estimate(tallies, by),
        readings=readings.estimate(tallies),
        totals=totals.estimate(tallies),
        models=totals.estimate_models(tallies),
        failures=failures.estimate(tallies),
        planted=int(pick(tallies, courses.PLANTED)["count"].sum()),
    )


def count_turns(rows: pa.Table) -> pa.Table:
    """The tallies of everything that reads `turns`."""
    said = turns.frame(rows)
    return pa.concat_tables([course_tally.count(said), readings.count(said)])


COUNTED: dict[str, Counted] = {
    "turns": (turns.COLUMNS, count_turns),
    "replies": (totals.REPLY_COLUMNS, totals.count_replies),
    "debates": (totals.DEBATE_COLUMNS, totals.count_debates),
    "judgments": (judgments.COLUMNS, judgments.count),
    "failures": (failures.COLUMNS, failures.count),
}
"""The tables that the summary reads: which columns of each, and what counts in them."""
