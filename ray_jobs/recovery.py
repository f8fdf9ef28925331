"""Before a run goes on: what a crash left half done is cleared away, and told."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from analysis.part import Part, PartError, load
from protocols.columns import TABLES
from ray_jobs.ended import debates_in
from ray_jobs.ids import among, id_numbers
from ray_jobs.open_log import OpenLog, prune
from ray_jobs.parts import remove_leftovers
from ray_jobs.store import Store


def recover(store: Store) -> Iterator[str]:
    """Removes leftover parts and settled log segments; yields a line for each thing lost or removed.

    Raises `PartError` for a part that is damaged or foreign.
    """
    store.remove_unfinished()
    for table in TABLES:
        for name in store.names(f"tables/{table}"):
            store.ask(name, partial(load, store.fs, Part(table, store.path(name)), []))
    check_replies(store)
    for name in remove_leftovers(store):
        yield f"{name}: left over from a crash and removed; its debates go on from what the log has of them"
    yield from OpenLog(store).torn
    clear_log(store)


def check_replies(store: Store) -> None:
    """Raises `PartError` when a part of `debates` is without its replies: what follows is made of these."""
    ended = store.names("tables/debates")  # looked at first, for it is written last
    there = {name.rsplit("/", 1)[1] for name in store.names("tables/replies")}
    for name in ended:
        if name.rsplit("/", 1)[1] not in there:
            missing = store.path(name.replace("tables/debates", "tables/replies"))
            raise PartError(f"{missing} is missing, with the replies of the debates in {name}; restore it")


def clear_log(store: Store) -> None:
    """Deletes the segments of the log whose debates are all finished. Nobody may be writing to it."""
    finished = np.sort(debates_in(store, "debates"))
    prune(store, lambda debates: bool(among(id_numbers(debates), finished).all()))
    store.remove_empty("log")
