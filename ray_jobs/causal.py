"""`moot causal`: what the designed arms of a run identify, beside Eq. 2's estimates from its debates."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from analysis.causal.page import page
from analysis.causal.reading import Arms, read_arms
from analysis.causal.study import NAIVE, causal
from analysis.model.features import NothingToFit, rows_of
from analysis.model.fit import Fit, fit
from analysis.model.reading import labels_of, read_debates, steered
from analysis.model.support import refuse
from ray_jobs.claims import refuse_labels
from ray_jobs.located import ExperimentError
from ray_jobs.store import Store
from ray_jobs.unfinished import unfinished


def causal_run(run: str, console: Console) -> None:
    """Prints the table of the arms of a run. Raises `ExperimentError` for a run without any."""
    refuse_labels(run)
    arms = read_arms(run)
    if arms == Arms(None, None, ()):
        raise ExperimentError(
            f"{run}: found no designed arm; expected debates of the protocol reask, or with a planted"
            " verdict; docs/validity.md tells how to design them"
        )
    fits, said = _debates(run)
    for note in [*unfinished(Store(run)), *said]:
        console.print(Text(note, style="yellow"))
    console.print(page(causal(arms, fits)))


def _debates(run: str) -> tuple[dict[str, Fit], list[str]]:
    """The fits of Eq. 2 that stand beside the arms, or why there are none."""
    try:
        turns, note = steered(read_debates(run))
        rows = rows_of(turns, labels=labels_of(turns))
        refuse(rows)
    except NothingToFit as lacks:
        return {}, [f"Beside the arms stands no estimate of Eq. 2: {lacks}."]
    return {name: fit(rows, name) for name in NAIVE}, [note] if note else []
