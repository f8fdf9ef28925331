"""What a check has found: that something is right, may go wrong, or cannot go well."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from ray_jobs.located import ExperimentError

Level = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`what` was looked at, what was `found`, and, unless that is `ok`, what to `do`."""

    level: Level
    what: str
    found: str
    do: str = ""

    def __str__(self) -> str:
        return "; ".join(filter(None, (f"{self.what}: {self.found}", self.do)))


def refuse(findings: Iterable[Finding], warn: Callable[[str], None]) -> None:
    """Warns of what may go wrong. Raises `ExperimentError` with all that cannot go well."""
    found = list(findings)
    for finding in found:
        if finding.level == "warn":
            warn(str(finding))
    if failed := [str(finding) for finding in found if finding.level == "fail"]:
        raise ExperimentError("\n".join(failed))
