"""`moot doctor`: all checks that come before a run, and what of them to mend, as a table."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.storage import AddressError
from ray_jobs.cases import CaseRow, load_cases
from ray_jobs.cluster.findings import Finding
from ray_jobs.cluster.pins import pins, version_findings
from ray_jobs.cluster.preflight import cluster_findings
from ray_jobs.cluster.probing import probe_findings
from ray_jobs.connection import connected, joins_cluster
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.plan import Plan
from ray_jobs.preflight import preflight
from ray_jobs.run_directory import refuse_foreign
from ray_jobs.store import Store, reach
from ray_jobs.versions import versions
from serving.blocks import ModelBlock

STYLE = {"ok": "green", "warn": "yellow", "fail": "bold red"}


def examine(file: Path | None, out: str | None, address: str | None, console: Console) -> bool:
    """Prints what was found, as a table; False when anything is in the way of a run.

    Without an address Ray is started on this machine; at that of a job server, everything is looked at from a
    job on that cluster.
    """
    address = address or os.environ.get("RAY_ADDRESS")
    if address is not None and address.startswith(("http://", "https://")):
        from ray_jobs.submission.remote_doctor import examine_there

        return examine_there(file, out, address, console)
    findings = list(_findings(file, out, address))
    console.print(as_table(findings))
    counts = {level: sum(finding.level == level for finding in findings) for level in STYLE}
    console.print(f"{counts['ok']} ok, {counts['warn']} to think about, {counts['fail']} in the way of a run")
    return not counts["fail"]


def as_table(findings: list[Finding]) -> Table:
    """A row for each finding."""
    table = Table(box=None, pad_edge=False)
    for heading in ("", "what", "found", "what to do"):
        table.add_column(heading, overflow="fold")
    for finding in findings:
        level = Text(finding.level, STYLE[finding.level])
        table.add_row(level, *map(Text, (finding.what, finding.found, finding.do)))
    return table


def _findings(file: Path | None, out: str | None, address: str | None) -> Iterator[Finding]:
    yield from version_findings("here", versions(), pins())
    blocks: Mapping[str, ModelBlock] = {}
    if file is not None:
        experiment = load_experiment(file)
        cases = load_cases(experiment)
        plan = Plan(experiment, [case.id for case in cases])
        blocks = {name: block for name, block in experiment.models.items() if name in plan.models}
        out = out or f"runs/{experiment.name}"
        yield from (Finding("warn", f"experiment {experiment.name}", each) for each in cases.warnings)
        yield from _preflight(experiment, cases, address)
    try:
        with connected(address), _directory(out) as (store, trouble):
            yield from trouble
            yield from cluster_findings(store, blocks)
    except ExperimentError as error:
        yield Finding("fail", "Ray", str(error))
    yield from probe_findings(blocks)


def _preflight(experiment: Experiment, cases: Sequence[CaseRow], address: str | None) -> Iterator[Finding]:
    what = f"experiment {experiment.name}"
    try:
        warnings = preflight(experiment, cases, elsewhere=joins_cluster(address))
    except ExperimentError as error:
        yield Finding("fail", what, str(error))
        return
    yield from (Finding("warn", what, warning) for warning in warnings)
    if not warnings:
        yield Finding(
            "ok", what, f"{len(cases):,} cases, which fit into its models as far as can be told here"
        )


@contextmanager
def _directory(out: str | None) -> Iterator[tuple[Store | None, list[Finding]]]:
    """The run directory if one can be there, and else why not; one that was not there is not left behind."""
    if out is None:
        yield None, []
        return
    try:
        reach(out)
        store = Store(out)
        refuse_foreign(store)
    except (AddressError, ExperimentError, OSError) as error:
        yield None, [Finding("fail", f"run directory {out}", str(error))]
        return
    new = store.local and not Path(store.root).exists()
    try:
        yield store, []
    finally:
        if new:
            shutil.rmtree(store.root, ignore_errors=True)
