"""`moot fit`: inertia and conformity of the debates of a run, by the multinomial model."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from analysis.model.convention import Convention
from analysis.model.features import rows_of
from analysis.model.fit import fit
from analysis.model.nested import nested
from analysis.model.page import protocols_page, tests_page
from analysis.model.protocols import by_protocol
from analysis.model.reading import labels_of, read_debates, steered
from analysis.model.support import refuse, thin
from ray_jobs.claims import refuse_labels
from ray_jobs.store import Store
from ray_jobs.unfinished import unfinished


def fit_run(
    run: str,
    estimator: str,
    convention: Convention,
    steering: str | None,
    protocols: bool,
    console: Console,
) -> None:
    """Prints the fit, its tests against smaller models and, with `protocols`, slopes told apart by protocol.

    Raises `ExperimentError` for what is no run, `NothingToFit` for one that the model has nothing to say of.
    """
    refuse_labels(run)
    turns = read_debates(run)
    turns, note = steered(turns, steering) if len(turns) else (turns, "")
    rows = rows_of(turns, convention, labels_of(turns))
    refuse(rows)
    for said in filter(None, [*unfinished(Store(run)), note, *thin(rows)]):
        console.print(Text(said, style="yellow"))
    found = fit(rows, estimator)
    console.print(found.summary(), highlight=False, markup=False, soft_wrap=True)
    console.print(tests_page(nested(found)))
    if protocols:
        console.print(protocols_page(by_protocol(rows, estimator)))
