"""The summary of a run: every first measure, from one pass over its tables."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyarrow import fs

from analysis import change, consensus, distribution, failures, readings, totals, turns
from analysis.part import Part, load
from analysis.tables import PARTS_PER_TASK, filesystem, for_each, survey
from analysis.tally import TALLY, merge


@dataclass(frozen=True, slots=True)
class Summary:
    """The first measures of a run; the columns of each frame are told by the `estimate` it is from."""

    run: str
    missing: consensus.Missing
    consensus: pd.DataFrame
    change: pd.DataFrame
    verdicts: pd.DataFrame
    readings: pd.DataFrame
    totals: pd.DataFrame
    models: pd.DataFrame
    failures: pd.DataFrame


def summarise(
    run: str | Path,
    missing: consensus.Missing = "disagree",
    connect: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Summary:
    """Reads a run, finished or still going on.

    A run of so few parts that they make one task is counted in this process, which spares the start of
    Ray. Any other one is counted by Ray Data inside `connect()`: on the cluster that this connects to,
    else on the one that this process is connected to, or that Ray Data then starts here.
    Raises `tables.RunNotFound`, or `part.PartError` for a part that is torn or foreign.
    """
    files, _ = filesystem(run)
    surveyed, work = survey(run, *COUNTED), partial(count, files)
    if len(surveyed) <= PARTS_PER_TASK:
        return summary(str(run), merge(map(work, surveyed)), missing)
    with connect():
        tallied = for_each(surveyed, work, TALLY).iter_batches(batch_size=None, batch_format="pyarrow")
        return summary(str(run), merge(tallied), missing)


def summary(run: str, tallies: pa.Table, missing: consensus.Missing = "disagree") -> Summary:
    """The summary that merged tallies give."""
    return Summary(
        run=run,
        missing=missing,
        consensus=consensus.estimate(tallies, missing),
        change=change.estimate(tallies),
        verdicts=distribution.estimate(tallies),
        readings=readings.estimate(tallies),
        totals=totals.estimate(tallies),
        models=totals.estimate_models(tallies),
        failures=failures.estimate(tallies),
    )


def count(files: fs.FileSystem, part: Part) -> pa.Table:
    """The tallies of one part of any table in `COUNTED`."""
    columns, counted = COUNTED[part.table]
    return merge([counted(load(files, part, columns, encoded=True))])


def count_turns(rows: pa.Table) -> pa.Table:
    """The tallies of every measure that reads `turns`."""
    said = turns.frame(rows)
    return pa.concat_tables(measure.count(said) for measure in (consensus, change, distribution, readings))


COUNTED: dict[str, tuple[tuple[str, ...], Callable[[pa.Table], pa.Table]]] = {
    "turns": (turns.COLUMNS, count_turns),
    "replies": (totals.REPLY_COLUMNS, totals.count_replies),
    "debates": (totals.DEBATE_COLUMNS, totals.count_debates),
    "failures": (failures.COLUMNS, failures.count),
}
"""The tables that the summary reads: which columns of each, and what counts in them."""
