"""`jackknife`: maximum likelihood with a free phi, its bias taken off by leaving debates out.

The bias of `fe` goes with one over the verdicts of a case. What is estimated without every k-th debate has
k / (k - 1) times as much of it, so k times the whole less k - 1 times the mean of these has none, up to what
goes with the square (Hahn and Newey 2004, by blocks that are independent given the case: debates).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.model.design import Design, part
from analysis.model.diagnostics import FEW_VERDICTS
from analysis.model.estimate import Estimate
from analysis.model.fixed import fe
from analysis.model.rows import Floats, Ints, Rows

FOLDS, FEW_FOLDS = 5, 2
"""Into how many folds debates are dealt; fewer where a case has few verdicts, of which folds leave enough."""

DEALS = 2
"""How often debates are dealt anew: the mean over deals is less a matter of chance."""

SEED = 20_251_010


def jackknife(design: Design, weights: Floats, start: Estimate | None = None) -> Estimate:
    """`fe` without its bias in the first order; its errors are those of `fe`.

    A slope that some fold does not identify is not identified.
    """
    whole = fe(design, weights, start)
    cases = len(np.unique(design.rows.case))
    folds = FOLDS if len(design.rows) >= FEW_VERDICTS * cases else FEW_FOLDS
    without = [
        fe(part(design, dealt != fold), weights, whole)
        for deal in range(DEALS)
        for dealt in [deals(design.rows, folds, deal)]
        for fold in range(folds)
    ]
    mean = np.mean([one.beta for one in without], axis=0)
    known = np.all([whole.inverse.identified, *(one.inverse.identified for one in without)], axis=0)
    slopes = np.arange(design.n_parameters) >= design.n_theta
    identified = np.where(slopes, known, whole.inverse.identified)
    return replace(
        whole,
        beta=np.where(known & slopes, folds * whole.beta - (folds - 1) * mean, whole.beta),
        inverse=replace(whole.inverse, identified=identified),
        converged=whole.converged and all(one.converged for one in without),
    )


def deals(rows: Rows, folds: int, deal: int) -> Ints:
    """The fold of each row: the debates of every case are dealt out evenly, in an order drawn by chance."""
    debates, first, place = np.unique(rows.debate, return_index=True, return_inverse=True)
    dice = np.random.default_rng([SEED, deal])
    order = np.lexsort((dice.random(len(debates)), rows.case[first]))
    fold = np.empty(len(debates), np.int64)
    fold[order] = np.arange(len(debates)) % folds
    dealt: Ints = fold[place.reshape(-1)]
    return dealt
