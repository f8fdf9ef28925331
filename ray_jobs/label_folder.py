"""Where labels of a run lie: RUN/judgments/NAME, a run directory of its own that holds no debates.

Those of a stage of the run lie in its own tables, and the list of values that they are of in RUN/values/.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from protocols.values import write_taxonomy
from ray_jobs.stages import Stage
from ray_jobs.store import Store

FOLDER = "judgments"
VALUES = "values.csv"  # there, the list that its labels are of

ANOTHER = "other labels another name with --name"  # where those of a name are being written


def label_store(run: Store, name: str) -> Store:
    """The store of the labels of this name."""
    address, mark, parameters = run.uri.partition("?")
    return Store(f"{address.rstrip('/')}/{FOLDER}/{name}{mark}{parameters}")


def label_names(run: Store) -> list[str]:
    """The names under which the run has labels."""
    return sorted({PurePosixPath(file).parts[1] for file in run.names(FOLDER)})


def run_of(labels: Store) -> Store:
    """The run whose debates are labelled there."""
    scheme, colons, rest = labels.place.rpartition("://")
    path, mark, parameters = rest.partition("?")
    return Store(f"{scheme}{colons}{PurePosixPath(path.rstrip('/')).parent.parent}{mark}{parameters}")


def keep_values(run: Store, stages: Iterable[Stage]) -> None:
    """Writes to the run the list of values that each of its stages labels by, as values/STAGE.csv."""
    for stage in stages:
        if stage.values:
            run.write(f"values/{stage.name}.csv", write_taxonomy(stage.values).encode())
