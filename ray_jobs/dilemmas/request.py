"""What is asked of `moot dilemmas build`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from ray_jobs.dilemmas.submissions import Bounds
from ray_jobs.located import ExperimentError, one_of
from ray_jobs.whole_folder import refuse_used

ENDINGS = (".zst", ".ndjson", ".jsonl", ".json", ".parquet")
DAY = 86_400  # seconds
_SUBREDDIT = re.compile(r"\w{2,24}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Request:
    """Dumps, the subreddit, its days (UTC, both included), how many cases, and where they go.

    A post takes part with at least `words` words and `verdicts` verdicts. `judged` is a run of judges that
    have read comments, and `unread` says that the others are to be written for such a run.
    """

    submissions: tuple[Path, ...]
    comments: tuple[Path, ...]
    subreddit: str
    first: date
    last: date
    top: int
    out: Path
    words: int = 50
    verdicts: int = 10
    judged: str | None = None
    unread: bool = False

    @property
    def bounds(self) -> Bounds:
        """Which posts are of interest."""
        return Bounds(_midnight(self.first), _midnight(self.last) + DAY, self.words)

    def check(self) -> None:
        """Raises `ExperimentError` for files that are not there or of no known kind, and what cannot be."""
        for option, files in (("--submissions", self.submissions), ("--comments", self.comments)):
            for file in files:
                if file.suffix.lower() not in ENDINGS:
                    raise ExperimentError(
                        f"{option} {file}: found the ending '{file.suffix}'; allowed:"
                        f" {one_of(ENDINGS, file.suffix)}"
                    )
                if not file.is_file():
                    raise ExperimentError(f"{option} {file}: found no such file; allowed: a dump of Reddit")
            if twice := sorted({str(file) for file in files if files.count(file) > 1}):
                raise ExperimentError(f"{option}: found {', '.join(twice)} twice; allowed: every file once")
        if not _SUBREDDIT.fullmatch(self.subreddit):
            raise ExperimentError(
                f"--subreddit: found '{self.subreddit}'; allowed: its name without r/, such as AmItheAsshole"
            )
        if self.first > self.last:
            raise ExperimentError(f"--from: found {self.first}; allowed: a day up to --to, {self.last}")
        refuse_used(self.out)


def dumps(places: Iterable[Path]) -> tuple[Path, ...]:
    """The files that are meant: of a folder all below it that end like a dump, by name; others as they are.

    Raises `ExperimentError` for a folder without any.
    """
    found: list[Path] = []
    for place in places:
        if not place.is_dir():
            found.append(place)
            continue
        within = sorted(
            file for file in place.rglob("*") if file.suffix.lower() in ENDINGS and file.is_file()
        )
        if not within:
            raise ExperimentError(f"{place}: found no file in it that ends with {' or '.join(ENDINGS)}")
        found += within
    return tuple(found)


def _midnight(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
