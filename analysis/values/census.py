"""How the labels of a run were read, and what of them is of no use."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.values.counted import Counted
from analysis.values.counting import USED
from analysis.values.labels import STATES, Labels

COLUMNS = (
    "judge",
    "pass",
    "labels",
    "labelled",
    "unreadable",
    "unknown",
    "too_many",
    "repeated",
    "without_turn",
)
"""A row for each judge, as it is called, and pass: the turns that it has a label of, by how these were read
(`unknown` and `too_many` are label errors); turns left out because it has several labels of them under one
name; labels of turns that the run does not have."""


def census(labels: Labels, counted: Counted) -> pd.DataFrame:
    """A frame with `COLUMNS`, a row for each labelling that was measured with."""
    rows = []
    for one in labels.labellings:
        states = np.bincount(one.states, minlength=len(STATES)).tolist()
        used = counted.total(USED, one.name)
        rows.append((one.called, one.number, len(one.turns), *states, one.repeated, len(one.turns) - used))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def notes(found: pd.DataFrame) -> list[str]:
    """In words, what of the labels is of no use, and what to do about it."""
    said = []
    for row in found.to_dict("records"):
        who = f"{row['judge']}, pass {row['pass']}"
        if row["without_turn"]:
            said.append(
                f"{row['without_turn']:,} of {row['labels']:,} labels by {who} are of turns that the run does"
                " not have, and were left out: are they for another run? Label this one with `moot label`"
            )
        if row["repeated"]:
            said.append(
                f"{row['repeated']:,} turns have several labels by {who} under one name, and were left out:"
                " which of them holds cannot be told; label them again with `moot label` and another `--name`"
            )
        errors = row["unknown"] + row["too_many"]
        if errors:
            said.append(
                f"{errors:,} of {row['labels']:,} labels by {who} are errors ({row['unknown']:,} name a value"
                f" that is not in the list, {row['too_many']:,} more than five), and are in no figure"
            )
    return said
