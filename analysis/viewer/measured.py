"""The main measures of a run, counted in a process of its own: pages are answered meanwhile.

The process ends with the viewer. What it found is kept until the run has grown.
"""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what it brings along is not needed to open a page
    from analysis.report.document import Section


@dataclass(frozen=True, slots=True)
class Found:
    """Sections of a report, `ready` once they have been counted; `problem` says why they cannot be."""

    ready: bool
    sections: list[Section] = field(default_factory=list)
    problem: str = ""


_LOCK = Lock()
_COUNTED: dict[str, tuple[int, Future[list[Section]]]] = {}
_POOL: list[ProcessPoolExecutor] = []


def measured(run: str, extent: int) -> Found:
    """The measures of a run of which so many parts have been read, begun to be counted if they were not."""
    with _LOCK:
        known = _COUNTED.get(run)
        if known is None or (known[0] != extent and known[1].done()):
            if not _POOL:
                _POOL.append(ProcessPoolExecutor(1, mp_context=get_context("spawn")))
            known = extent, _POOL[0].submit(_sections, run)
            _COUNTED[run] = known
    found = known[1]
    if not found.done():
        return Found(False)
    if error := found.exception():
        return Found(True, problem=str(error))
    return Found(True, found.result())


def _sections(run: str) -> list[Section]:
    """Counts all parts, one after another, in this process."""
    from analysis.viewer.measures import sections

    return sections(run)
