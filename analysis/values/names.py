"""The names that labels are under, as their column `stage`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from analysis.values.codes import coded, combined


def named(rows: pa.Table, name: str) -> pa.Table:
    """The labels under this name."""
    names = pa.DictionaryArray.from_arrays(pa.array(np.zeros(len(rows), np.int32)), pa.array([name]))
    return rows.set_column(rows.column_names.index("stage"), "stage", names)


def shared_out(stages: Sequence[pa.Table]) -> Iterator[pa.Table]:
    """The labels of stages, a judge a table. Where no two stages have its labels of one debate, these are
    pieces of one labelling, and are under the name of the first stage; else each stays under its own.
    """
    whole = pa.concat_tables(stages)
    judge_of, judges = coded(whole["judge"])
    for number in range(len(judges)):
        own = whole.filter(pa.array(judge_of == number))
        (stage, names), (debate, debates) = coded(own["stage"]), coded(own["source_debate"])
        both = np.unique(combined([(stage, len(names)), (debate, len(debates))]))
        yield named(own, names[0]) if len(both) == len(debates) else own
