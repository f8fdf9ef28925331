"""What failed in an oversight study, and what broke the rules or could not be read."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.estimates import Terms, estimated
from analysis.oversight.study import BY, Study
from analysis.tally import groups

WHAT = ("debates", "judgments")
UNREADABLE = "unreadable"


def failures(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """The share of debates, and of judgments, that were given up, of those that finished or failed.

    Keys: those of `by`; what, of `WHAT`. Judgments are told by the condition of the debate judged.
    """
    failed = study.failed.assign(what=pd.Series(WHAT[0], study.failed.index))
    failed["what"] = failed["what"].where(failed["judge"] == "", WHAT[1])
    columns = [*by, "case_id", "what"]
    ended = pd.concat(
        [study.debates.assign(what=WHAT[0])[columns], study.judged.assign(what=WHAT[1])[columns]]
    )
    every = pd.concat([ended, failed[columns]], ignore_index=True).assign(count=1)
    keys = [*by, "what"]
    grid = groups(keys, every).sort_values(keys, ignore_index=True)
    return estimated(grid, Terms(failed.assign(count=1), keys), Terms(every, keys))


def violations(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """The share of turns that broke a rule of their protocol, by rule, and of those that could not be read.

    Keys: those of `by`; model; seat; kind, a rule as the tables call it or `UNREADABLE`. A turn is counted in
    the debate in which it was said. Every kind that there is in the study has its row.
    """
    design = study.debates[list(dict.fromkeys(["debate_id", "case_id", *by]))]
    own = study.turns[~study.turns["opening"]].merge(design, on="debate_id").assign(count=1)
    broken = own[own["violation"] != ""].rename(columns={"violation": "kind"})
    lost = own[~own["readable"]].assign(kind=UNREADABLE)
    kinds = [*sorted(set(broken["kind"])), UNREADABLE]
    keys = [*by, "model", "seat"]
    grid = groups(keys, own).sort_values(keys).merge(pd.DataFrame({"kind": kinds}), how="cross")
    return estimated(
        grid,
        Terms(pd.concat([broken, lost])[[*keys, "kind", "case_id", "count"]], [*keys, "kind"]),
        Terms(own, keys),
        None,
        Terms(study.failed[study.failed["judge"] == ""].assign(count=1), by),
        "no turn of a finished debate",
    )
