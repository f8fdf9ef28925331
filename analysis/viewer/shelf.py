"""The runs that a viewer shows, by the names that stand for them in addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from analysis.listing import RunNotFound
from analysis.storage import Unreachable
from analysis.viewer.index import Index
from analysis.viewer.progress import Progress
from analysis.viewer.search import Searches

Ask = Callable[[str], Progress]
"""How a run stands, by its address: what its tables do not hold. It may take seconds for a large run."""


RESERVED = ("static", "compare")
"""How addresses begin that are of no run."""


@dataclass(frozen=True)
class Volume:
    """One run: `key` stands for it in addresses."""

    key: str
    run: str
    index: Index
    searches: Searches = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "searches", Searches(self.index))

    def refreshed(self) -> str:
        """Takes in what has been written since; why that cannot be, "" where it can.

        For pages of several runs: one that is gone must not hide the others.
        """
        try:
            self.index.refresh()
        except (RunNotFound, Unreachable) as error:
            return str(error)
        return ""


@dataclass(frozen=True)
class Shelf:
    """All runs of a viewer, in the order given."""

    volumes: Sequence[Volume]
    ask: Ask

    @classmethod
    def of(cls, runs: Sequence[str], ask: Ask) -> Shelf:
        """The runs at these addresses. Raises `RunNotFound` for a place that holds none."""
        volumes: list[Volume] = []
        for run in dict.fromkeys(runs):
            name = PurePosixPath(run.partition("?")[0].rstrip("/")).name
            key = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-") or "run"
            number = [*RESERVED, *(volume.key.partition("~")[0] for volume in volumes)].count(key)
            index = Index(run)
            index.refresh()
            volumes.append(Volume(f"{key}~{number + 1}" if number else key, run, index))
        return cls(volumes, ask)

    def volume(self, key: str) -> Volume | None:
        """The run of this name."""
        return next((volume for volume in self.volumes if volume.key == key), None)
