"""The oversight study that a run holds, for its pages."""

from __future__ import annotations

from functools import partial

from analysis.oversight.options import OptionError
from analysis.oversight.study import Study, read_study
from ray_jobs.connection import connected
from ray_jobs.located import ExperimentError


def studied(run: str) -> Study:
    """What the measures of oversight read. Raises `ExperimentError` for a right answer that is no option."""
    try:
        return read_study(run, partial(connected, None))
    except OptionError as error:
        raise ExperimentError(f"{run}: {error}") from None
