"""What has failed and has not been played since, in words."""

from __future__ import annotations

from collections import Counter

from ray_jobs.judge_failure import judge_in
from ray_jobs.parts import read_parts
from ray_jobs.store import Store

Failed = tuple[str, str | None]  # the class of error, and the judge's model if one failed


def failed(store: Store, done: set[int]) -> str:
    """Debates by class of error, judgments by judge too; `done` are the ids of what has finished."""
    return _told(_last(store, done))


def failed_judgments(store: Store, done: set[int]) -> str:
    """The same of judgments alone."""
    return _told([each for each in _last(store, done) if each[1]])


def _last(store: Store, done: set[int]) -> list[Failed]:
    """The last failure of each."""
    last: dict[str, Failed] = {}
    for part in read_parts(store, "failures", ["debate_id", "error_class", "seat", "message"]):
        for row in part.to_pylist():
            last[row["debate_id"]] = row["error_class"], judge_in(row["seat"], row["message"])
    return [each for debate, each in last.items() if int(debate, 16) not in done]


def _told(failures: list[Failed]) -> str:
    return ", ".join(
        f"{count:,} {error}" + (f" of judge {judge}" if judge else "")
        for (error, judge), count in Counter(failures).most_common()
    )
