"""What consultants believe of the right answer when they end, and how often they are wrong then.

For the right answer C and the confidence p that a consultant states in its last answer, p_C is p where that
answer is C, else 1 - p. beta_C is the mean of (1 - p_C)^2. Who follows the rule to answer C just where
p_C >= 1/2 has p_C < 1/2 whenever it is wrong, so (1 - p_C)^2 > 1/4, and therefore P(a != C) <= 4 beta_C.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.bootstrap import ratio
from analysis.estimates import Terms, estimated
from analysis.measures.solo import GRAIN, units
from analysis.oversight.actions import by_level
from analysis.oversight.moves import moves
from analysis.oversight.options import NONE
from analysis.oversight.study import BY, Study
from analysis.tally import groups

AMONG = ("all", "by the rule")
"""All last answers with a stated confidence; those that follow the rule."""

EMPTY = "no last answer with a stated confidence"


def estimate(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """beta_C of the last answers of consultants in disagreement resolutions, beside how many are wrong.

    Keys: those of `by`; level; model; seat; among, of `AMONG`. The estimate is beta_C. After the usual
    columns: `wrong`, the share of these answers that is wrong; `bound`, 4 beta_C; `holds`, whether wrong <=
    bound, null where there is no estimate; `unconfident`, last turns without an answer or a confidence.
    """
    rows = by_level(last(study))
    keys = [*by, "level", "model", "seat"]
    stated = rows[rows["stated"]]
    told = pd.concat([stated.assign(among=AMONG[0]), stated[stated["rule"]].assign(among=AMONG[1])])
    grid = groups(keys, rows).merge(pd.DataFrame({"among": pd.Categorical(AMONG, AMONG)}), how="cross")
    grid = grid.sort_values([*keys, "among"], ignore_index=True)
    named = [*keys, "among"]
    found = estimated(
        grid,
        Terms(told.assign(count=units(told["square"].to_numpy(np.float64))), named),
        Terms(told, named),
        None,
        Terms(study.failed[study.failed["judge"] == ""].assign(count=1), by),
        EMPTY,
        GRAIN,
    )
    wrong = ratio(Terms(told[told["wrong"]], named).total(grid), found["denominator"].to_numpy())
    bound = 4 * found["estimate"]
    holds = pd.Series(wrong <= bound + 1 / GRAIN, dtype="boolean").mask(found["denominator"] == 0)
    missing = Terms(rows[~rows["stated"]], keys).total(grid)
    return found.assign(wrong=wrong, bound=bound, holds=holds, unconfident=missing)


def last(study: Study) -> pd.DataFrame:
    """The last turn of each consultant of a resolution with a known truth, as `moves.moves` gives it.

    Adds `stated`, whether it has an answer and a confidence; `square`, (1 - p_C)^2; `wrong`; and `rule`,
    whether it answers C just where p_C >= 1/2.
    """
    said = moves(study)
    said = said[said["truth"] != NONE].sort_values("t", kind="stable")
    rows = said.drop_duplicates(["debate_id", "seat"], keep="last").sort_values(["debate_id", "seat"])
    p, right = rows["confidence"].to_numpy(np.float64), (rows["answer"] == rows["truth"]).to_numpy()
    of_right = np.where(right, p, 1 - p)
    stated = rows["readable"] & (rows["violation"] == "") & rows["confidence"].notna()
    return rows.assign(
        stated=stated, square=(1 - of_right) ** 2, wrong=~right, rule=right == (of_right >= 0.5)
    )
