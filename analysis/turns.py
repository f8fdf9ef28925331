"""The turns of one part as a frame to count in: one row per turn, strings as categories.

A debate that goes on from another begins with the turns said there, its `opening`. Measures of a debate
read its transcript whole: rounds go on counting, so its round 1 is that of the first debate, and what it
has changed or agreed on may have been changed or agreed on before. Only a measure of turns leaves openings
out, which would count twice.
"""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

from analysis.tally import DESIGN

COLUMNS = (
    *("debate_id", *DESIGN, "round", "position", "seat", "model"),
    *("label", "status", "opening", "violation"),
)
"""What the measures read of `turns`."""


def frame(rows: pa.Table) -> pd.DataFrame:
    """Turns with `COLUMNS`, made ready for counting. A part holds its debates whole.

    `opening` is true or false; null counts as false. Adds `debate`, a number for the debate; `slot`, a
    number for the seat in it; `code`, a number for the label, null where the turn is unreadable.
    """
    names = pa.schema([(name, pa.dictionary(pa.int32(), pa.string())) for name in ("debate_id", "label")])
    at = rows.column_names.index("opening")
    rows = rows.set_column(at, "opening", rows["opening"].fill_null(False))
    for field in names:
        at = rows.column_names.index(field.name)
        rows = rows.set_column(at, field, rows[field.name].cast(field.type))
    turns: pd.DataFrame = rows.to_pandas()
    codes = turns["label"].cat.codes
    turns = turns.assign(debate=turns["debate_id"].cat.codes, code=codes.where(codes >= 0))
    slot = turns.groupby(["debate", "seat"], observed=True, sort=False).ngroup()
    return turns.assign(slot=slot)


def designs(turns: pd.DataFrame) -> pd.DataFrame:
    """One row per debate, its number as the index: the columns of `DESIGN`."""
    return turns.drop_duplicates("debate").set_index("debate")[list(DESIGN)]
