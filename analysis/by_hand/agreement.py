"""How a sheet that somebody fills agrees with the judges that have labelled the same explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from analysis.by_hand.explanation import Place, sheet_id
from analysis.by_hand.rows import Labels as Given
from analysis.part import load
from analysis.reliability.measure import reliability
from analysis.reliability.raters import HUMAN as WITH_JUDGES
from analysis.schema import schema
from analysis.storage import opened
from analysis.tables import survey
from analysis.values.labels import COLUMNS, HUMAN, Labelling, Labels, gather
from analysis.values.places import read_labels
from analysis.values.taxonomy import Taxonomy

NO_JUDGE = "No judge has labelled this run by these values: moot label RUN --judge MODEL does."
NO_TURN = "None of the explanations on this sheet has labels by a judge yet."


class NothingToCompare(ValueError):
    """There are no labels of a judge beside those of a person; the message says what is missing."""


def agreement(run: str | Path, given: Mapping[str, Given], taxonomy: Taxonomy, person: str) -> pd.DataFrame:
    """How the labels `given` by explanation agree with each judge, as `reliability` measures it.

    A row for each judge and statistic. Raises `NothingToCompare` where no judge has labelled any of these
    explanations by the values of `taxonomy`, and as `read_labels` does.
    """
    judged = [one for one in _judged(run, taxonomy) if not one.human]
    if not judged:
        raise NothingToCompare(NO_JUDGE)
    own = gather([_rows(run, given, person)], taxonomy)
    (mine,) = own.labellings
    shared = [_among(one, mine) for one in judged]
    if not any(len(one.turns) for one in shared):
        raise NothingToCompare(NO_TURN)
    found = reliability(Labels(taxonomy, own.cases, (*shared, mine))).agreement
    return found[found["kind"] == WITH_JUDGES].reset_index(drop=True)


def _judged(run: str | Path, taxonomy: Taxonomy) -> Iterator[Labelling]:
    return (one for labels in read_labels(run) if labels.taxonomy == taxonomy for one in labels.labellings)


def _among(judged: Labelling, mine: Labelling) -> Labelling:
    """What a judge said of the turns that the person has labelled, under the person's numbers of cases."""
    place = np.searchsorted(mine.turns, judged.turns)
    there = np.isin(judged.turns, mine.turns, assume_unique=True)
    return replace(
        judged,
        turns=judged.turns[there],
        cases=mine.cases[place[there]],
        states=judged.states[there],
        sets=judged.sets[there],
    )


def _rows(run: str | Path, given: Mapping[str, Given], person: str) -> pa.Table:
    """The labels as rows of `judgments`, with the columns that labels are read from."""
    rows: list[dict[str, Any]] = [
        {
            **{
                "stage": f"human-{person}",
                "kind": "label",
                "judge": HUMAN + person,
                "pass": 1,
                "status": "ok",
            },
            **{"case_id": case, "judged_labels": list(given[sheet_id(place)])},
            **dict(zip(("source_debate", "source_round", "source_seat"), place, strict=True)),
        }
        for place, case in _places(run)
        if sheet_id(place) in given
    ]
    return pa.Table.from_pylist(rows, pa.schema([schema("judgments").field(name) for name in COLUMNS]))


def _places(run: str | Path) -> Iterator[tuple[Place, str]]:
    """Where something was said in a debate that has ended, and the case."""
    files, _ = opened(run)
    columns: Sequence[str] = ("debate_id", "round", "seat", "case_id", "opening")
    for part in survey(run, "turns"):
        rows = load(files, part, columns)
        rows = rows.filter(pc.invert(rows["opening"]))
        for debate, round, seat, case in zip(*(rows[name].to_pylist() for name in columns[:4]), strict=True):
            yield (debate, round, seat), case
