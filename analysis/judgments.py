"""What judges decided, by model.

A judgment is of the debate that it judges: its condition is that of the debate, but for the stage, which
is the one of the judges, and the answer format, in which the judge was asked to reply.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pyarrow as pa

from analysis.estimates import Terms, estimated
from analysis.failures import failed_judgments
from analysis.labels import UNREADABLE, due, items
from analysis.readings import READABLE
from analysis.tally import CONDITION, DESIGN, groups, pick, tally

COLUMNS = (*DESIGN, "kind", "judge", "decision", "status")
"""What is read of `judgments`."""


def count(rows: pa.Table) -> pa.Table:
    """Tallies the decisions of judges by model; one that could not be read is among them."""
    at = rows.column_names.index("decision")
    encoded = rows.set_column(at, "decision", rows["decision"].cast(pa.dictionary(pa.int32(), pa.string())))
    given: pd.DataFrame = encoded.to_pandas()
    given = given[given["kind"] == "judge"]
    decided = items(given["decision"].where(given["status"].isin(READABLE)))
    return tally("judgments", given[list(DESIGN)].assign(model=given["judge"], item=decided))


def estimate(tallies: pa.Table, by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """Shares of each decision among the readable ones, by judge, in each condition.

    Keys: those of `by`; judge, its model; decision. `unreadable` are judgments that could not be read,
    `failed` those of the condition by any judge that were given up. Every decision has its row, also with
    numerator 0. Sorted by `by`, judge and decision.
    """
    rows = pick(tallies, "judgments").rename(columns={"model": "judge", "item": "decision"})
    readable, lost = (rows[(rows["decision"] == UNREADABLE) == unread] for unread in (False, True))
    keys = [*by, "judge"]
    grid = groups(keys, rows).sort_values(keys)
    return estimated(
        grid.merge(pd.DataFrame({"decision": due(readable["decision"])}), how="cross"),
        Terms(readable, [*keys, "decision"]),
        Terms(readable, keys),
        Terms(lost, keys),
        Terms(failed_judgments(tallies), by),
        "no readable judgment",
    )
