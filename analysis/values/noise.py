"""What judges do to the figures: one figure from every judge and pass, and an interval over all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.bootstrap import DRAWS, SEED
from analysis.values.frames import Columns, interval
from analysis.values.means import Draws, Floats
from analysis.values.sets import Ints

COLUMNS = (
    *("labellings", "judges", "estimate", "low", "high", "lowest", "highest"),
    *("within", "between", "between_judges", "between_passes", "total", "stable", "rank"),
)
"""The last columns of a frame of noise.

`estimate` is the mean over `labellings`, each a judge in one pass under one name, of so many `judges`; `low`
and `high` are its 95% interval by bootstrap over cases of which every draw is from a labelling drawn at
random. `lowest` and `highest` are the estimates of single labellings. `within` is the mean variance of a
labelling's draws, `between` that of the estimates of labellings, `total` = within + (1 + 1 / labellings)
between, as Rubin (1987) combines them; `between_judges` is the variance of the means of judges,
`between_passes` that of passes of one judge, labels of it under other names included. `stable` is the share
of labellings whose estimate has the sign of the mean. `rank` goes by the size of the estimate, from 1, among
those of one family. Null where it takes more labellings.
"""


def noise(
    keys: Columns, judges: Sequence[str], estimates: Sequence[Floats], drawn: Sequence[Draws], cases: Ints
) -> Columns:
    """`keys`, a row for each figure of one family, with `COLUMNS`.

    `judges` says who is behind each of the `estimates` and their draws: figures for each labelling.
    """
    found, n = np.stack(estimates), len(judges)
    mean = found.mean(axis=0)
    low, high = interval(mixed(drawn), cases)
    within = np.mean([np.var(one, axis=1, dtype=np.float64) for one in drawn], axis=0)
    between = np.var(found, axis=0, ddof=1)
    order = np.argsort(-np.abs(np.nan_to_num(mean)), kind="stable")
    return {
        **keys,
        **{"labellings": np.full(len(mean), n), "judges": np.full(len(mean), len(set(judges)))},
        **{"estimate": mean, "low": low, "high": high},
        **{"lowest": found.min(axis=0), "highest": found.max(axis=0)},
        **{"within": within, "between": between},
        **dict(zip(("between_judges", "between_passes"), _between(judges, found), strict=True)),
        "total": within + (1 + 1 / n) * between,
        "stable": np.where(np.isnan(mean), np.nan, (np.sign(found) == np.sign(mean)).mean(axis=0)),
        "rank": np.argsort(order) + 1,
    }


def mixed(drawn: Sequence[Draws]) -> Draws:
    """Draws each of which is from one of the labellings, at random, always the same ones."""
    of = np.random.default_rng([SEED, len(drawn)]).integers(0, len(drawn), DRAWS)
    whole = np.empty_like(drawn[0])
    for number, one in enumerate(drawn):
        whole[:, of == number] = one[:, of == number]
    return whole


def _between(judges: Sequence[str], found: Floats) -> tuple[Floats, Floats]:
    """The variance between means of judges, and the mean one between passes of those with several."""
    nothing = np.full(found.shape[1], np.nan)
    by_judge = [found[[one == judge for one in judges]] for judge in dict.fromkeys(judges)]
    several = [own.var(axis=0, ddof=1) for own in by_judge if len(own) > 1]
    means = np.stack([own.mean(axis=0) for own in by_judge])
    return (
        means.var(axis=0, ddof=1) if len(means) > 1 else nothing,
        np.mean(several, axis=0) if several else nothing,
    )
