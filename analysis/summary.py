"""The summary of a run: every first measure, from one pass over its tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyarrow import fs

from analysis import change, consensus, distribution, failures, judgments, readings, totals, turns
from analysis.part import Part, load
from analysis.storage import opened
from analysis.tables import for_each, survey
from analysis.tally import CONDITION, TALLY, chosen, groups, merge, pick

COUNTED_HERE = 64 * 2**20
"""Bytes of parts that are counted in less time than Ray takes to start."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The first measures of a run; the columns of each frame are told by the `estimate` it is from.

    `consensus`, `change`, `verdicts` and `judgments` are told by the columns `by`, of which the stage is
    always one, pooled over the rest of `CONDITION`. `conditions` are the distinct conditions of the debates
    that finished or failed, one a row; `judged` are those of the judgments that finished.
    """

    run: str
    missing: consensus.Missing
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


def summarise(
    run: str | Path,
    missing: consensus.Missing = "disagree",
    connect: Callable[[], AbstractContextManager[object]] = nullcontext,
    by: Sequence[str] = CONDITION,
) -> Summary:
    """Reads a run, finished or still going on; estimates pool debates of a stage that are alike in `by`.

    Where all parts that it reads are together smaller than `COUNTED_HERE`, they are counted in this
    process, which spares the start of Ray. Otherwise Ray Data counts them inside `connect()`: on the
    cluster that this connects to, else on the one that this process is connected to, or that Ray Data
    then starts here.
    Raises `tally.UnknownColumn` for a column not in `CONDITION`, `tables.RunNotFound`, or
    `part.PartError` for a part that is torn or foreign.
    """
    by = chosen(by)
    files, _ = opened(run)
    surveyed, work = survey(run, *COUNTED), partial(count, files)
    if sum(part.size for part in surveyed) < COUNTED_HERE:
        return summary(str(run), merge(map(work, surveyed)), missing, by)
    with connect():
        tallied = for_each(surveyed, work, TALLY).iter_batches(batch_size=None, batch_format="pyarrow")
        return summary(str(run), merge(tallied), missing, by)


def summary(
    run: str,
    tallies: pa.Table,
    missing: consensus.Missing = "disagree",
    by: Sequence[str] = CONDITION,
) -> Summary:
    """The summary that merged tallies give. Raises `tally.UnknownColumn` as `summarise` does."""
    by = chosen(by)
    return Summary(
        run=run,
        missing=missing,
        by=by,
        conditions=groups(CONDITION, pick(tallies, "consensus"), failures.failed(tallies)),
        judged=groups(CONDITION, pick(tallies, "judgments")),
        consensus=consensus.estimate(tallies, missing, by),
        change=change.estimate(tallies, by),
        verdicts=distribution.estimate(tallies, by),
        judgments=judgments.estimate(tallies, by),
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
    "judgments": (judgments.COLUMNS, judgments.count),
    "failures": (failures.COLUMNS, failures.count),
}
"""The tables that the summary reads: which columns of each, and what counts in them."""
