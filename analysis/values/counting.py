"""All sums of values of some turns, from one pass over them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from analysis.values import inheritance, similarity, usage
from analysis.values.course import course
from analysis.values.inheritance import WINDOWS
from analysis.values.join import NO_ORIGINS, Origins, join
from analysis.values.labels import Labels
from analysis.values.said import planted, said
from analysis.values.similarity import WEIGHT
from analysis.values.sums import Adding

USED = "labels used"
"""Counts the labels of a labelling that are of a turn, whether or not its debate is measured."""


def count(
    rows: pa.Table,
    labels: Labels,
    origins: Origins = NO_ORIGINS,
    weight: float = WEIGHT,
    window: str = WINDOWS[0],
) -> pa.Table:
    """The sums of these turns, of whole debates, with every labelling. `window` is that of inheritance.

    Debates with a planted verdict are left out, as what is said in them answers what the plan has drawn.
    """
    drawn = planted(rows)
    turns, apart = said(rows.filter(pc.invert(drawn))), said(rows.filter(drawn))
    names = {"design": turns.designs, "case_id": turns.cases, "one": turns.models, "other": turns.models}
    adding, through = Adding(names), course(turns)
    for labelling in labels.labellings:
        labelled = join(turns, labelling, origins)
        usage.count(adding, through, labelled)
        compared = similarity.compare(through, labelled, labels.taxonomy, weight)
        similarity.count(adding, through, labelled.name, compared)
        inheritance.count(adding, through, labelled, window)
        used = labelled.used + join(apart, labelling, origins).used
        adding.add(USED, labelled.name, {"item": np.zeros(1, np.int64)}, np.array([used]), items=("",))
    return adding.sums()
