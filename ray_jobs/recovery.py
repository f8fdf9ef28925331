"""Before a run goes on: what a crash left half done is cleared away, and told."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ray_jobs.open_log import OpenLog, prune
from ray_jobs.parts import remove_leftovers
from ray_jobs.run_directory import debates_in, id_numbers
from ray_jobs.store import Store


def recover(store: Store) -> Iterator[str]:
    """Removes leftover parts and settled log segments; yields a line for each thing lost or removed."""
    for name in remove_leftovers(store):
        yield f"{name}: left over from a crash and removed; its debates are rebuilt from the log"
    clear_log(store)
    yield from OpenLog(store).torn


def clear_log(store: Store) -> None:
    """Deletes the segments of the log whose debates are all finished."""
    finished = debates_in(store, "debates")
    prune(store, lambda debates: bool(np.isin(id_numbers(debates), finished).all()))
