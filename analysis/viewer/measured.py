"""The main measures of a run, counted in a process of its own: pages are answered meanwhile.

What it found is kept until the run has grown. The process ends with the viewer.
"""

from __future__ import annotations

import atexit
import pickle
import subprocess
import sys
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what it brings along is not needed to open a page
    from analysis.report.document import Section


@dataclass(frozen=True, slots=True)
class Found:
    """Sections of a report, `ready` once they have been counted; `problem` says why they cannot be."""

    ready: bool
    sections: list[Section] = field(default_factory=list)
    problem: str = ""


class Count:
    """A count of a run of which so many parts were there, begun; what it `found`, once it has."""

    def __init__(self, run: str, extent: int) -> None:
        self.extent = extent
        self.found = Found(False)
        command = [sys.executable, "-m", "analysis.viewer.measures", run]
        self._process = subprocess.Popen(  # not in the group of the viewer, which an interrupt is sent to
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        atexit.register(self._process.kill)
        Thread(target=self._wait, daemon=True).start()

    def _wait(self) -> None:
        said, complaint = self._process.communicate()
        atexit.unregister(self._process.kill)
        if self._process.returncode == 0:
            self.found = Found(True, pickle.loads(said))
        else:
            self.found = Found(True, problem=complaint.decode("utf-8", "replace").strip())


_LOCK = Lock()
_COUNTS: dict[str, Count] = {}


def measured(run: str, extent: int) -> Found:
    """The measures of a run of which so many parts have been read, begun to be counted if they were not."""
    with _LOCK:
        known = _COUNTS.get(run)
        if known is None or (known.found.ready and known.extent != extent):
            known = _COUNTS[run] = Count(run, extent)
        return known.found
