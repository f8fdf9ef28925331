"""What earlier writers left in the log: the replies of debates that were still open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from itertools import groupby
from operator import itemgetter

import pyarrow as pa

from ray_jobs.log import Row
from ray_jobs.store import Store


def batches(store: Store, name: str) -> tuple[list[pa.RecordBatch], str | None]:
    """The whole batches of a segment, and what was found torn at its end, in words (None: nothing)."""
    data = store.read(name)
    found: list[pa.RecordBatch] = []
    if not data:
        return found, None
    try:
        for batch in pa.ipc.open_stream(data):
            batch.validate(full=True)
            found.append(batch)
    except (pa.ArrowInvalid, OSError) as error:
        return found, f"{name}: cut after {len(found)} whole batches, the rest is torn ({error})"
    return found, None


def segments(store: Store) -> list[str]:
    """The files of the log, oldest writer first; anything else that lies there is left alone."""
    return [name for name in store.names("log") if name.endswith(".arrow")]


class OpenLog:
    """Rows of `replies` by debate, from every segment below `log/`.

    `torn` tells of each tail that was cut.
    """

    def __init__(self, store: Store) -> None:
        self.torn: list[str] = []
        self._batches: list[pa.RecordBatch] = []
        self._places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for name in segments(store):
            try:
                whole, torn = batches(store, name)
            except FileNotFoundError:  # its writer has just deleted it, for all its debates are in the tables
                continue
            self.torn += [torn] if torn else []
            for batch in whole:
                for row, debate in enumerate(batch["debate_id"].to_pylist()):
                    self._places[debate].append((len(self._batches), row))
                self._batches.append(batch)

    @property
    def replies(self) -> dict[str, int]:
        """How many replies it holds of each debate."""
        return {debate: len(places) for debate, places in self._places.items()}

    def rows(self, debate_id: str) -> list[Row]:
        """The logged rows of one debate by step and slot, as `succession` leaves them."""
        places = self._places.get(debate_id, [])
        return succession([self._batches[batch].slice(row, 1).to_pylist()[0] for batch, row in places])


def succession(rows: Sequence[Row]) -> list[Row]:
    """Of a debate that several claims have played on, the rows that the last of them stands on.

    Rows come claim by claim. A claim goes on from what it found in the log when it began; what an earlier
    one, thought dead, still wrote for a slot that the later asked anew, or for a step after that, is dropped.
    """
    kept: dict[tuple[int, int], Row] = {}
    for _, of_claim in groupby(rows, key=itemgetter("claim")):
        new = {(row["step"], row["slot"]): row for row in of_claim}
        first = min(step for step, _ in new)
        kept = {place: row for place, row in kept.items() if place[0] <= first} | new
    return [row for _, row in sorted(kept.items())]


def prune(store: Store, settled: Callable[[Collection[str]], bool]) -> None:
    """Deletes the segments whose debates are all `settled`, that is, in the tables.

    One of which nothing can be read stays.
    """
    for name in segments(store):
        whole, torn = batches(store, name)
        debates = {debate for batch in whole for debate in batch["debate_id"].to_pylist()}
        if settled(debates) and (whole or not torn):
            store.delete(name)
