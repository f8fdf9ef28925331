"""A token in the run directory, by which nodes tell whether they share it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from ray_jobs.store import Store


@contextmanager
def token(store: Store) -> Iterator[str]:
    """The name of a file that is in the run directory, hidden from listings, until the block is left.

    Raises the `OSError` of `Store.write`, which says what to do, where nothing can be written.
    """
    name = f"lease/.seen-{uuid4().hex}"
    store.write(name, b"")
    try:
        yield name
    finally:
        store.delete(name)
