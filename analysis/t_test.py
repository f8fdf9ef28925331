"""The t test of an estimate by how cases move it: for ratios and differences of them, with any number of
debates in a case."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.bootstrap import Floats, ratio

T_TEST = "t of the difference, by case"
"""How differences of ratios are tested: linearised, with errors clustered by case."""

ALIKE = "all cases say the same: no test"
"""Why there is no p where there is more than one case."""

_ROUNDING = 1e-14


def p_values(shifts: Floats, estimate: Floats, cases: NDArray[np.int64]) -> Floats:
    """Two-sided p that an estimate is 0; a column each.

    `shifts`, cases (or groups of them) by estimates, is by how much each moves the estimate, in the first
    order: for a ratio A / B of sums (a - A / B b) / B, for a difference of ratios that of the one less that
    of the other. Where each case has one debate on each side it is the t test of paired samples. `cases`,
    how many count, less one are the degrees of freedom. Not a number where no case moves the estimate, or
    where there is one case only.
    """
    from scipy.stats import t

    moved = np.where(np.abs(shifts) * max(len(shifts), 1) < _ROUNDING, 0, shifts)
    groups = np.minimum(cases, len(shifts)).astype(np.float64)
    spread = np.sqrt((moved**2).sum(axis=0) * ratio(groups, groups - 1))
    return np.asarray(2 * t.sf(np.abs(ratio(estimate, spread)), np.maximum(groups - 1, 1)), np.float64)
