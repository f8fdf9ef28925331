"""The estimators by name, and what each assumes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analysis.model.estimate import Estimate
from analysis.model.fixed import fe, l2, paper
from analysis.model.jackknife import jackknife
from analysis.model.mixed import re
from analysis.model.pairwise import pairwise, pairwise_same_model


@dataclass(frozen=True, slots=True)
class Estimator:
    """A way to the parameters: a function of design, weights of cases and a start; in words; assuming."""

    estimate: Callable[..., Estimate]
    words: str
    assumes: str


ESTIMATORS: dict[str, Estimator] = {
    "re": Estimator(
        re,
        "marginal maximum likelihood, phi normal over cases (Laplace)",
        "Phi is normal over cases and unrelated to the conditions they are played in."
        " It is integrated over, so few verdicts for each case bias little.",
    ),
    "fe": Estimator(
        fe,
        "maximum likelihood, a free phi for each case",
        "Nothing about phi, which is estimated for each case."
        " With few verdicts for each case slopes are biased towards 0, and intervals do not tell so.",
    ),
    "l2": Estimator(
        l2,
        "maximum likelihood, phi penalised",
        "Phi is near 0, as a normal prior of fixed width says."
        " The slopes depend on the penalty: a weak one is `fe` with its bias.",
    ),
    "paper": Estimator(
        paper,
        "posterior mode under the paper's normal priors",
        "Theta and phi are centred with standard deviation 1, slopes are around 0 with 0.5."
        " Large slopes are drawn towards 0.",
    ),
    "jackknife": Estimator(
        jackknife,
        "maximum likelihood, a free phi for each case, less the bias that leaving debates out shows",
        "Nothing about phi, and that bias goes with one over the verdicts of a case."
        " Its intervals are those of `fe`, around another estimate.",
    ),
    "pairwise": Estimator(
        pairwise,
        "conditional likelihood of pairs of verdicts from different debates",
        "Debates are independent given the case; phi may be anything and cancels."
        " A leaning that a model alone has on a case does not cancel.",
    ),
    "pairwise_same_model": Estimator(
        pairwise_same_model,
        "conditional likelihood of pairs of verdicts of one model from different debates",
        "Debates are independent given the case; phi and what a model alone leans to on a case may be"
        " anything. It uses the fewest comparisons.",
    ),
}
"""`re` is the default."""
