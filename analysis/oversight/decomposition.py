"""What the accuracy of a judge is made of, as an identity, and the bound below it.

With a the share of debates at whose end the consultants agree and d of those at whose end they differ, u of
those in which one has no answer at all, a + d + u = 1:

    accuracy = a (r f + (1 - r) g) + d (s q + (1 - s) h) + u z

r is the share of agreements on the right answer, f that of these which the judge follows, g that of wrong
agreements from which it departs to the right answer; s the share of disagreements in which it takes one side,
q that of these in which it takes the right one, h that of the others in which it is right nevertheless, which
takes two wrong consultants; z is the share right without answers. Each product is the weight of judgments
that are right in one way, and every right judgment is so in just one.

If consultants end with the beliefs of `beliefs`, each is wrong with probability 4 beta_C at most, so both are
right, and agree, with 1 - 8 beta_C at least; a judge that follows agreements with 1 - eps_agr, and right ones
no less than wrong ones, is then right with at least (1 - eps_agr)(1 - 8 beta_C). That says nothing from
beta_C = 1/8 on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.bootstrap import ratio
from analysis.estimates import lookup, plain
from analysis.oversight import beliefs
from analysis.oversight.options import NONE
from analysis.oversight.scores import scored
from analysis.oversight.study import BY, OF_JUDGE, Study
from analysis.tally import groups

PARTS = (
    "right agreement followed",
    "wrong agreement left",
    "right side taken",
    "both sides left",
    "without answers",
)
"""The five ways in which a judgment is right: a r f, a (1 - r) g, d s q, d (1 - s) h and u z."""

FACTORS = ("a", "r", "f", "g", "d", "s", "q", "h", "u", "z")

VACUOUS = 0.125
"""The beta_C from which on the bound says nothing."""

EMPTY = "no judgment of a debate of two with a known truth"


def estimate(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """The share of instances decided rightly in each way: the shares of a judge sum to its accuracy.

    Keys: those of `by`; judge; sees; answers; part, of `PARTS`. Other columns are as in `accuracy.estimate`.
    """
    keys = [*by, *OF_JUDGE]
    known = _ways(_judged(study))
    found = scored(known, keys)
    parts = pd.DataFrame({"part": pd.Categorical(PARTS, PARTS)})
    grid = groups(keys, known).merge(parts, how="cross").sort_values([*keys, "part"], ignore_index=True)
    return found.estimate(grid, found.rows["right"], ["part"], study.lost(by), EMPTY)


def factors(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """The factors of the identity and the bound, beside the accuracy.

    Keys: those of `by`; judge; sees; answers. Columns: `FACTORS`, null where their condition does not occur;
    accuracy; `composed`, what the identity makes of the factors; `followed`, 1 - eps_agr; `beta`, beta_C
    over the last answers of both consultants; `bound`, null where beta or `followed` is; `vacuous`, whether
    beta is 1/8 or more; instances; reason, why there is no bound.
    """
    keys = [*by, *OF_JUDGE]
    found = scored(_judged(study), keys)
    rows = plain(found.rows)
    flags = _flags(rows)
    sums = rows[keys].assign(**{name: flag * rows["count"] for name, flag in flags.items()})
    told = sums.groupby(keys, sort=True).sum().reset_index()
    shares = {
        name: ratio(told[above].to_numpy(), told[below].to_numpy())
        for name, (above, below) in _SHARES.items()
    }
    whole = told[keys].assign(**shares)
    composed = _composed(whole)
    beta = _beta(study, whole, by)
    bound = whole["followed"] * (1 - 8 * beta)
    why = np.select([np.isnan(beta), whole["followed"].isna()], [beliefs.EMPTY, "no agreement"], "")
    return whole.assign(
        composed=composed,
        beta=beta,
        bound=bound,
        vacuous=pd.Series(beta >= VACUOUS, dtype="boolean").mask(np.isnan(beta)),
        instances=told["all"] // found.grain,
        reason=pd.Series(why, dtype="str"),
    )


_SHARES = {
    "a": ("agreed", "all"),
    "r": ("agreed right", "agreed"),
    "f": ("right agreement followed", "agreed right"),
    "g": ("wrong agreement left", "agreed wrong"),
    "d": ("apart", "all"),
    "s": ("sided", "apart"),
    "q": ("right side taken", "sided"),
    "h": ("both sides left", "unsided"),
    "u": ("unanswered", "all"),
    "z": ("without answers", "unanswered"),
    "accuracy": ("right", "all"),
    "followed": ("followed", "agreed"),
}
"""Each share by what is above and below its line."""


def _judged(study: Study) -> pd.DataFrame:
    return study.of_two[study.of_two["truth"] != NONE]


def _flags(rows: pd.DataFrame) -> dict[str, pd.Series[bool]]:
    """Which judgments are in which event."""
    answered = (rows["first"] != NONE) & (rows["second"] != NONE)
    agreed = answered & (rows["first"] == rows["second"])
    apart, unanswered = answered & ~agreed, ~answered
    inside = (rows["chosen"] == rows["first"]) | (rows["chosen"] == rows["second"])
    on_right, right = rows["first"] == rows["truth"], rows["right"]
    sided, unsided = apart & inside, apart & ~inside
    return {
        "all": answered | unanswered,
        "right": right,
        "agreed": agreed,
        "agreed right": agreed & on_right,
        "agreed wrong": agreed & ~on_right,
        "followed": agreed & inside,
        "apart": apart,
        "sided": sided,
        "unsided": unsided,
        "unanswered": unanswered,
        PARTS[0]: agreed & on_right & right,
        PARTS[1]: agreed & ~on_right & right,
        PARTS[2]: sided & right,
        PARTS[3]: unsided & right,
        PARTS[4]: unanswered & right,
    }


def _ways(rows: pd.DataFrame) -> pd.DataFrame:
    """The judgments with the `part` that they are right in, "" for wrong ones."""
    flags = _flags(rows)
    return rows.assign(part=np.select([flags[name] for name in PARTS], PARTS, ""))


def _composed(whole: pd.DataFrame) -> pd.Series[float]:
    """The right side of the identity; what does not occur has weight 0."""
    known = whole[list(FACTORS)].fillna(0.0)
    agreed = known["a"] * (known["r"] * known["f"] + (1 - known["r"]) * known["g"])
    apart = known["d"] * (known["s"] * known["q"] + (1 - known["s"]) * known["h"])
    return agreed + apart + known["u"] * known["z"]


def _beta(study: Study, whole: pd.DataFrame, by: Sequence[str]) -> np.ndarray:
    """beta_C over the last answers of both consultants in the condition of each row."""
    last = beliefs.last(study)
    told = last[last["stated"]].groupby(list(by), sort=True)["square"].mean().reset_index()
    known = np.append(told["square"].to_numpy(np.float64), np.nan)
    return known[lookup(whole, told, by)]
