"""What has failed and has not been played since, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from shlex import quote

from protocols.judge import JUDGE
from ray_jobs.ended import Ended
from ray_jobs.log import Row
from ray_jobs.parts import read_parts
from ray_jobs.store import Store
from ray_jobs.whose import unnamed, whose

SHOWN = 300  # characters of a message


class DebatesFailed(RuntimeError):
    """A run that has ended, with debates or judgments that failed."""


def failed(store: Store, done: set[int]) -> str:
    """Debates and judgments by class of error and model; `done` are the ids of what has finished."""
    return _told(last_failures(store, done))


def failed_judgments(store: Store, done: set[int]) -> str:
    """The same of judgments alone."""
    return _told(row for row in last_failures(store, done) if row["seat"] == JUDGE)


def reasons(store: Store, done: set[int]) -> Iterator[str]:
    """Of each class of error and model, the message of the first debate that failed so."""
    told: set[str] = set()
    for row in last_failures(store, done):
        kind = _kind(row)
        if kind not in told:
            told.add(kind)
            yield f"{kind}: {unnamed(row['message'])[:SHOWN]}"


def last_failures(store: Store, done: set[int]) -> list[Row]:
    """The last failure of each debate or judgment that has not finished since."""
    last: dict[str, Row] = {}
    for part in read_parts(store, "failures", ["debate_id", "error_class", "seat", "message"]):
        for row in part.to_pylist():
            last[row["debate_id"]] = row
    return [row for debate, row in last.items() if int(debate, 16) not in done]


def still_failed(store: Store) -> list[Row]:
    """The last failure of each debate or judgment that has not finished by now."""
    if not store.names("tables/failures"):
        return []
    return last_failures(store, set(Ended.of(store, failed_by=()).finished.tolist()))


def summary_of(failures: Sequence[Row], run: str) -> str:
    """How many have failed, of what, and where to read more."""
    one = f"moot show {quote(run)} {failures[0]['debate_id']}"
    return (
        f"{len(failures):,} debates and judgments have failed: {_told(failures)}. To read of one: {one};"
        " `moot run` with --retry-failed plays them again"
    )


def _told(failures: Iterable[Row]) -> str:
    return ", ".join(f"{count:,} {kind}" for kind, count in Counter(map(_kind, failures)).most_common())


def _kind(row: Row) -> str:
    """The class of error, and whose it is."""
    model = whose(row["seat"], row["message"])
    return f"{row['error_class']} of {model}" if model else str(row["error_class"])
