"""Whether values are inherited from this opponent: a permutation test.

Under the null hypothesis what a seat newly names has nothing to do with what its opponents had said of this
case, beyond what they say of any. So opponents' round-1 sets are reassigned across cases, among the events
of one model and panel, and inherited values are counted again. With one event per case their number is
hypergeometric, and p is exact. Where cases have several events, cases are reassigned as a whole, `DRAWS`
times: each event takes the sets of its new case in turn.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.values.sets import Bools, Ints

DRAWS = 10_000
"""How often opponents are reassigned."""

SEED = 20_251_011

_AT_ONCE = 2**18
"""Entries looked up at once."""

Floats = npt.NDArray[np.float64]


def p_values(new: Bools, heard: Bools, cases: Ints, draws: int = DRAWS) -> Floats:
    """For each value the one-sided p that as many events or more inherit it as did.

    `new` says which values an event newly names, `heard` which its opponents had named in round 1: both
    events by values. `cases` are the cases of the events. p is null where no event newly names the value,
    where no opponent named it, and where there is one case only.
    """
    p = np.full(new.shape[1], np.nan)
    tested = np.flatnonzero(new.any(axis=0) & heard.any(axis=0))
    alone = len(np.unique(cases)) == len(cases)
    if len(np.unique(cases)) > 1 and len(tested):
        p[tested] = (_exact if alone else _drawn)(new[:, tested], heard[:, tested], cases, draws)
    return p


def _exact(new: Bools, heard: Bools, _cases: Ints, _draws: int) -> Floats:
    """The chance that as many events or more that newly name a value meet one who had named it."""
    from scipy.stats import hypergeom

    seen = (new & heard).sum(axis=0)
    return np.asarray(hypergeom.sf(seen - 1, len(new), heard.sum(axis=0), new.sum(axis=0)), np.float64)


def _drawn(new: Bools, heard: Bools, cases: Ints, draws: int) -> Floats:
    """The share of draws, what happened counted as one of them, in which as many inherit a value or more."""
    order = np.lexsort((*heard.T, *new.T, cases))
    new, heard = new[order], heard[order]
    _, start, size = np.unique(cases[order], return_index=True, return_counts=True)
    longest = int(size.max())
    in_turn = heard[start[:, None] + np.arange(longest) % size[:, None]]  # by case, turn and value
    said = np.ascontiguousarray(np.moveaxis(in_turn, 2, 0), np.uint8).reshape(-1)
    value, event = np.nonzero(new.T)
    first = np.flatnonzero(np.diff(value, prepend=-1))
    seen = np.add.reduceat(heard[event, value], first, dtype=np.int64)
    of = np.repeat(np.arange(len(start)), size)[event]
    place = (value * len(start) * longest + event - start[of])[:, None]
    dice, reached = np.random.default_rng([SEED, *new.shape]), np.zeros(new.shape[1], np.int64)
    step = max(1, _AT_ONCE // max(len(event), len(start)))
    for begin in range(0, draws, step):
        dealt = np.tile(np.arange(len(start)) * longest, (min(step, draws - begin), 1))
        source = np.ascontiguousarray(dice.permuted(dealt, axis=1).T)[of]
        source += place
        hits = np.add.reduceat(said[source], first, axis=0, dtype=np.int32)
        reached += (hits >= seen[:, None]).sum(axis=1)
    return (reached + 1) / (draws + 1)
