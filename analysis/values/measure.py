"""All measures of values of a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import pandas as pd
import pyarrow as pa
import ray
from pyarrow import fs

from analysis.counting import COUNTED_HERE
from analysis.part import Part, load
from analysis.storage import opened
from analysis.tables import for_each, survey
from analysis.tally import CONDITION, chosen
from analysis.values import inherited, likeness, use
from analysis.values.census import census, notes
from analysis.values.counted import Counted, counted
from analysis.values.counting import count
from analysis.values.inheritance import WINDOWS
from analysis.values.join import NO_ORIGINS, Origins
from analysis.values.labels import Labels
from analysis.values.places import read_origins
from analysis.values.said import COLUMNS
from analysis.values.similarity import WEIGHT
from analysis.values.sums import SUMS, merge
from analysis.values.taxonomy import Taxonomy
from analysis.values.telling import Told

Shared: TypeAlias = "ray.ObjectRef[tuple[Labels, Origins]]"

ROWS_AT_ONCE = 200_000
"""Turns that are counted together at the least, where there are as many."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the measures leave open; the defaults are those of the paper on interaction protocols.

    `rounds`: all, or 1 for the use of values in round 1 alone. `weight`: of a pair of related values in the
    soft similarity. `window` and `per` of inheritance: see `inheritance.WINDOWS` and `inherited.PER`.
    """

    by: Sequence[str] = CONDITION
    rounds: str = "all"
    weight: float = WEIGHT
    window: str = WINDOWS[0]
    per: str = inherited.PER[0]
    baselines: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class ValueMeasures:
    """The measures of one taxonomy; the columns of each are told where they are estimated.

    `labels` says how labels were read and `notes` what is wrong with them.
    """

    taxonomy: Taxonomy
    labels: pd.DataFrame
    notes: list[str]
    use: Told
    differences: Told
    verdicts: Told
    steering: Told
    similarity: Told
    similarity_difference: Told
    ends: Told
    change: Told
    inheritance: Told
    inheritance_difference: Told


def measure_values(
    run: str | Path,
    labels: Iterable[Labels],
    choices: Choices = Choices(),
    connect: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> list[ValueMeasures]:
    """The measures of values for each taxonomy of the `labels` of a run, as `places.read_labels` gives them.

    Of a run that goes on they are read before its turns, so that no label is without its turn.

    People label samples: they are measured with only where no model labelled. Large runs are counted by
    Ray Data inside `connect()`, as in `summary.summarise`. Raises `taxonomy.TaxonomyError`,
    `tally.UnknownColumn`, `ValueError` for a choice that there is not, and what reading a run raises.
    """
    chosen(choices.by)
    if choices.window not in WINDOWS:
        raise ValueError(f"window is {choices.window!r}; it may be {', '.join(WINDOWS)}")
    found = [_judged(each) for each in labels]
    origins = read_origins(run) if found else NO_ORIGINS
    return [estimate(labels, sums(run, labels, origins, choices, connect), choices) for labels in found]


def sums(
    run: str | Path,
    labels: Labels,
    origins: Origins,
    choices: Choices = Choices(),
    connect: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> pa.Table:
    """The merged sums of all turns of a run with these labels."""
    files, _ = opened(run)
    surveyed = survey(run, "turns")
    weight, window = choices.weight, choices.window
    if sum(part.size for part in surveyed) < COUNTED_HERE:
        return merge(count(rows, labels, origins, weight, window) for rows in _together(files, surveyed))
    with connect():
        work = partial(_far, files, ray.put((labels, origins)), weight, window)
        counts = for_each(surveyed, work, SUMS).iter_batches(batch_size=None, batch_format="pyarrow")
        return merge(counts)


def estimate(labels: Labels, merged: pa.Table, choices: Choices = Choices()) -> ValueMeasures:
    """What merged sums with these labels give."""
    by = choices.by
    found: Counted = counted(merged, labels)
    used, differences = use.estimate(found, by, choices.rounds)
    similarity, similarity_difference = likeness.estimate(found, by)
    ends, change = likeness.estimate_change(found, by)
    inheritance, inheritance_difference = inherited.estimate(found, by, choices.per)
    read = census(labels, found)
    return ValueMeasures(
        taxonomy=labels.taxonomy,
        labels=read,
        notes=notes(read),
        use=used,
        differences=differences,
        verdicts=use.estimate_verdicts(found, by, choices.rounds),
        steering=use.contrasts(found, "steering", by, choices.baselines, choices.rounds),
        similarity=similarity,
        similarity_difference=similarity_difference,
        ends=ends,
        change=change,
        inheritance=inheritance,
        inheritance_difference=inheritance_difference,
    )


def _judged(labels: Labels) -> Labels:
    """The labels of models, if there are any."""
    models = tuple(one for one in labels.labellings if not one.human)
    return replace(labels, labellings=models or labels.labellings)


def _together(files: fs.FileSystem, surveyed: Iterable[Part]) -> Iterator[pa.Table]:
    """The turns of the parts, of several small ones together."""
    tables: list[pa.Table] = []
    for part in surveyed:
        tables.append(load(files, part, COLUMNS, encoded=True))
        if sum(map(len, tables)) >= ROWS_AT_ONCE:
            yield pa.concat_tables(tables)
            tables = []
    if tables:
        yield pa.concat_tables(tables)


def _far(files: fs.FileSystem, shared: Shared, weight: float, window: str, part: Part) -> pa.Table:
    """The sums of one part, on whichever machine."""
    labels, origins = ray.get(shared)
    return count(load(files, part, COLUMNS, encoded=True), labels, origins, weight, window)
