"""What is submitted: which experiment into which run directory, and how it is called on the cluster."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from ray_jobs.experiment import Experiment
from ray_jobs.submission.shipment import STUDY

PREFIX = "moot"


@dataclass(frozen=True, slots=True)
class Order:
    """An experiment to be played in `out`, with the further `words` of `moot run`.

    Its driver is given so many `cpus` and bytes of `memory`; without either, Ray starts it on the head node.
    Attempts to play the same share a `name`; each has an id of its own.
    """

    experiment: Experiment
    out: str
    words: tuple[str, ...] = ()
    cpus: float = 0.0
    memory: int = 0

    @property
    def name(self) -> str:
        """Of all attempts: that of the experiment, and a fingerprint of what is to be played, and where."""
        return f"{PREFIX}-{self.experiment.name}-{self.fingerprint}"

    @property
    def fingerprint(self) -> str:
        """Of the experiment with its cases, the run directory, and how it is to be gone on with."""
        frozen = self.experiment.frozen()
        if (file := self.experiment.cases.file) is not None:
            frozen["cases"]["file"] = blake2b(Path(file).read_bytes(), digest_size=16).hexdigest()
        whole = json.dumps([frozen, self.out, self.words], sort_keys=True)
        return blake2b(whole.encode(), digest_size=5).hexdigest()

    def id(self, attempt: int) -> str:
        """The submission id of an attempt, counted from 1."""
        return f"{self.name}-{attempt}"

    @property
    def entrypoint(self) -> str:
        """What the job runs, as it could be given to `ray job submit`."""
        return shlex.join(["python", "-m", "ray_jobs.run", STUDY, "--out", self.out, *self.words])

    def metadata(self, attempt: int) -> dict[str, str]:
        """What Ray keeps with the job; it is shown to all who can see the cluster."""
        return {
            "moot": version("moot"),
            "experiment": self.experiment.name,
            "run": self.out,
            "attempts": self.name,
            "attempt": str(attempt),
        }


def complete(out: str) -> str:
    """A run directory as every node would name it: a folder in full, an address as it stands."""
    return out if "://" in out else str(Path(out).absolute())


def attempt_of(submission_id: str, name: str) -> int | None:
    """Which attempt of that name a job is; None if it is none of them."""
    front, _, number = submission_id.rpartition("-")
    return int(number) if front == name and number.isdigit() else None
