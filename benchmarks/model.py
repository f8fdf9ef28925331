"""The multinomial model on the full design: seconds and memory of `fe` and `re`, beside pyfixest."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.model.features import rows_of
from analysis.model.fit import fit
from analysis.model.reading import read_debates
from analysis.model.rows import TERMS, Rows
from benchmarks.machine import machine
from benchmarks.published import write_published

TRIES = 3
GOALS = {"fe": (2.0, 300.0), "re": (6.0, 300.0)}
"""Seconds and further megabytes that a fit may take."""

POISSON = "pyfixest"

HEADING = """\
Debates of the published design (15,000 of 1,000 dilemmas) made up as tables; one thread; each in a process of
its own that has the verdicts as arrays. Seconds of a fit with errors and diagnostics, the best of {tries};
memory is what its peak adds to that of the process before it. pyfixest fits the same likelihood as `fe` by
Poisson regression, of the rows expanded to labels.

| fit | verdicts | seconds | memory, MB | of pyfixest's time | goal |
|---|---|---|---|---|---|"""


def measure(file: Path, name: str) -> None:
    """Prints verdicts, seconds and further megabytes of one kind of fit to the rows in a file."""
    rows = pickle.loads(file.read_bytes())
    work = _poisson if name == POISSON else lambda of: fit(of, name)
    if name == POISSON:
        import pyfixest  # noqa: F401  its import is not its fit
    before, seconds = _peak(), []
    for _ in range(TRIES):
        began = time.monotonic()
        work(rows)
        seconds.append(time.monotonic() - began)
    print(len(rows), min(seconds), _peak() - before)


def expanded(rows: Rows) -> pd.DataFrame:
    """A row for each verdict and label that its model ever gives and its case ever got, with the x."""
    seen = np.zeros((len(rows.cases), len(rows.labels)), bool)
    used = np.zeros((len(rows.models), len(rows.labels)), bool)
    seen[rows.case, rows.y], used[rows.model, rows.y] = True, True
    row, label = np.nonzero(seen[rows.case] & used[rows.model])
    columns = {
        "y": (label == rows.y[row]).astype(float),
        "row": row,
        "case": rows.case[row],
        "case_label": rows.case[row] * len(rows.labels) + label,
        "model_label": rows.model[row] * len(rows.labels) + label,
    }
    for term, x in zip(TERMS, rows.x, strict=True):
        for place in range(len(rows.models)):
            columns[f"{term}_{place}"] = np.where(rows.model[row] == place, x[label, row], 0.0)
    return pd.DataFrame(columns)


def _poisson(rows: Rows) -> object:
    import pyfixest

    slopes = " + ".join(f"{term}_{place}" for term in TERMS for place in range(len(rows.models)))
    formula = f"y ~ {slopes} | row + case_label + model_label"
    with warnings.catch_warnings(action="ignore"):  # of labels that a case got once
        return pyfixest.fepois(formula, expanded(rows), vcov={"CRV1": "case"})


def _peak() -> float:
    """The peak of the memory of this process, in megabytes; `getrusage` would count its parent's too."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    [peak] = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    return int(peak) / 1024


def main(*arguments: str) -> None:
    """Prints the table; one fit of rows in a file with `--measure FILE NAME`."""
    if arguments[:1] == ("--measure",):
        measure(Path(arguments[1]), arguments[2])
        return
    print(f"## The multinomial model\n\n{machine()}\n\n{HEADING.format(tries=TRIES)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        write_published(Path(folder))
        file = Path(folder, "rows.pickle")
        file.write_bytes(pickle.dumps(rows_of(read_debates(folder))))
        found = {name: _apart(file, name) for name in (POISSON, *GOALS)}
    for name, (verdicts, seconds, memory) in found.items():
        ratio = seconds / found[POISSON][1]
        goal = "" if name not in GOALS else f"{GOALS[name][0]:.0f} s, {GOALS[name][1]:.0f} MB"
        print(
            f"| {name} | {verdicts:,.0f} | {seconds:.2f} | {memory:.0f} | {ratio:.2f} | {goal} |", flush=True
        )
    missed = [name for name, goal in GOALS.items() if found[name][1] > goal[0] or found[name][2] > goal[1]]
    if missed:
        raise SystemExit(f"{' and '.join(missed)} took more than the goal")


def _apart(file: Path, name: str) -> tuple[float, ...]:
    command = [sys.executable, "-m", "benchmarks.model", "--measure", str(file), name]
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, **one_thread}
    )
    return tuple(map(float, done.stdout.splitlines()[-1].split()))


if __name__ == "__main__":
    main(*sys.argv[1:])
