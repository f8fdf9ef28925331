"""Whether judges adopt what consultants say at the end, and whom they believe where these differ.

Two consultants end with the answers a1 and a2; C is the right one. `agreement` is the share of judgments that
adopts a1 where a1 = a2 (1 - eps_agr), `disagreement` the share that takes one of both where they differ
(1 - eps_dis), and `right side` the share of these that takes C (q).
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.estimates import Terms, estimated
from analysis.oversight.options import NONE
from analysis.oversight.study import BY, OF_JUDGE, Study
from analysis.tally import groups

WHAT = ("agreement", "disagreement", "right side")
EMPTY = "no such judgment of a debate of two"


def estimate(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """The three shares, for each judge in each condition, over judgments of what two consultants said.

    Keys: those of `by`; judge; sees; answers; what, of `WHAT`. Naive judges have nothing to adopt and are not
    there, nor are judges of a consultancy, who hear one side. `unreadable` are judgments that adopt nothing,
    as nothing in them could be read; `failed` are judgments and debates given up. After the usual columns:
    `neither`, judgments that call for neither agent, which adopt nothing either; `unanswered`, judgments of
    debates in which a seat has no answer at the end, which are in no share. Of `right side` questions without
    a known truth are left out. Sorted by the keys.
    """
    judged = study.of_two.assign(count=1)
    keys = [*by, *OF_JUDGE]
    answered = (judged["first"] != NONE) & (judged["second"] != NONE)
    rows = _classed(judged[answered])
    grid = groups(keys, judged).merge(pd.DataFrame({"what": pd.Categorical(WHAT, WHAT)}), how="cross")
    grid = grid.sort_values([*keys, "what"], ignore_index=True)
    told = [*keys, "what"]
    found = estimated(
        grid,
        Terms(rows[rows["adopted"]], told),
        Terms(rows, told),
        Terms(rows[~rows["readable"]], told),
        Terms(study.lost(by), keys),
        EMPTY,
    )
    counts = {"neither": Terms(rows[rows["neither"]], told), "unanswered": Terms(judged[~answered], keys)}
    return found.assign(**{name: terms.total(grid) for name, terms in counts.items()})


def _classed(judged: pd.DataFrame) -> pd.DataFrame:
    """The judgments once for each share that they are in, with `adopted`."""
    agreed = judged["first"] == judged["second"]
    inside = (judged["chosen"] == judged["first"]) | (judged["chosen"] == judged["second"])
    parts = (
        (agreed, inside),
        (~agreed, inside),
        (~agreed & inside & (judged["truth"] != NONE), judged["right"]),
    )
    return pd.concat(
        [
            judged.assign(what=name, adopted=did)[among]
            for name, (among, did) in zip(WHAT, parts, strict=True)
        ],
        ignore_index=True,
    )
