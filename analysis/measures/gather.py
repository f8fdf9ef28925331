"""What happened in debates, added up by case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.outcomes import Flags


def gather(
    rows: pd.DataFrame, keys: Sequence[str], events: Mapping[tuple[str, ...], Flags], names: Sequence[str]
) -> pd.DataFrame:
    """How many debates of `rows` are in each event, by `keys` and case.

    `rows` has a count, `events` a flag for each of them; an event is called by a word for each of `names`.
    Columns: `keys`, case_id, `names`, count; what never happened has no row.
    """
    by = list(dict.fromkeys((*keys, "case_id")))
    happened = {str(place): flags * rows["count"].to_numpy() for place, flags in enumerate(events.values())}
    added = rows[by].assign(**happened).groupby(by, observed=True, sort=False).sum().reset_index()
    counts = added[list(happened)].to_numpy(np.int64)
    row, event = np.nonzero(counts)
    words = pd.DataFrame(list(events), columns=list(names)).astype("category")
    told = added[by].iloc[row].reset_index(drop=True)
    return told.join(words.iloc[event].reset_index(drop=True)).assign(count=counts[row, event])
