"""All measures of oversight studies: what each is called, how it is defined, and where it is from."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pandas as pd

from analysis.counting import Connect
from analysis.measure import HERE, Measure
from analysis.oversight import losses
from analysis.oversight.of_judges import JUDGES
from analysis.oversight.of_protocols import PROTOCOLS
from analysis.oversight.of_resolutions import RESOLUTIONS
from analysis.oversight.study import Study, read_study

OversightMeasure = Measure[[Study]]

LOST: tuple[OversightMeasure, ...] = (
    Measure(
        "lost",
        "What failed",
        "The share of debates, and of judgments, that were given up; they are in no other figure.",
        HERE,
        "debates of questions",
        lambda study: losses.failures(study),
    ),
    Measure(
        "violations",
        "Rules broken and turns not read",
        "The share of turns that broke a rule of their protocol, by rule, and of those that could not be"
        " read.",
        HERE,
        "debates of questions",
        lambda study: losses.violations(study),
    ),
)

OVERSIGHT: tuple[OversightMeasure, ...] = (*JUDGES, *PROTOCOLS, *RESOLUTIONS, *LOST)
"""Every measure of oversight studies."""


def oversight_measures(run: str | Path, connect: Connect = nullcontext) -> dict[str, pd.DataFrame]:
    """All of `OVERSIGHT` by name. Raises as `study.read_study`."""
    study = read_study(run, connect)
    return {measure.name: measure.estimate(study) for measure in OVERSIGHT}
