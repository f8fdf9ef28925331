"""The votes of comments on their way to totals, on disk, so that their number does not matter to memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from protocols.answer_format import VERDICTS
from ray_jobs.dilemmas.comments import OUTCOMES, UNREAD, Vote

RECORD = np.dtype(
    [("comment", "<i8"), ("outcome", "u1"), ("post", "<i4"), ("score", "<i4"), ("judged", "u1")]
)
PARTS = 32
HELD = 50_000  # votes in memory before they are written

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Totals:
    """By post: comments of each of `OUTCOMES`, and the score that verdicts have, by `VERDICTS`.

    A comment whose score is below zero weighs nothing. `judged` are, by post, the verdicts that a judge has
    read, `unread` the sorted ids of comments without exactly one verdict, and `again` the copies of comments
    that were there.
    """

    counts: Counts
    weights: Counts
    judged: Counts
    unread: Counts
    again: int


class VoteFile:
    """Votes in files by the id of their comment, so that copies of one comment meet in one file."""

    def __init__(self, folder: Path) -> None:
        self._files = [(folder / f"votes-{part}").open("w+b") for part in range(PARTS)]
        self._held: list[tuple[int, int, int, int, bool]] = []

    def __enter__(self) -> VoteFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files:
            file.close()

    def add(self, vote: Vote) -> None:
        """Adds one vote; copies of a comment may come in any order."""
        self._held.append((vote.comment, vote.outcome, vote.post, vote.score, vote.judged))
        if len(self._held) >= HELD:
            self._write()

    def totals(self, posts: int) -> Totals:
        """The totals of so many posts. Of copies of one comment the last by outcome and score counts."""
        self._write()
        counts = np.zeros((posts, len(OUTCOMES)), np.int64)
        weights = np.zeros((posts, len(VERDICTS)), np.int64)
        judged = np.zeros(posts, np.int64)
        unread = [np.empty(0, np.int64)]
        again = 0
        for file in self._files:
            file.seek(0)
            votes = np.frombuffer(file.read(), RECORD)
            votes = votes[
                np.lexsort([votes[name] for name in ("judged", "post", "score", "outcome", "comment")])
            ]
            last = np.append(votes["comment"][1:] != votes["comment"][:-1], True)[: len(votes)]
            again += int(len(votes) - last.sum())
            votes = votes[last]
            np.add.at(counts, (votes["post"], votes["outcome"]), 1)
            np.add.at(judged, votes["post"], votes["judged"])
            unread.append(votes["comment"][np.isin(votes["outcome"], UNREAD)])
            votes = votes[votes["outcome"] < len(VERDICTS)]
            np.add.at(weights, (votes["post"], votes["outcome"]), np.maximum(votes["score"], 0))
        return Totals(counts, weights, judged, np.sort(np.concatenate(unread)), again)

    def _write(self) -> None:
        votes = np.array(self._held, RECORD)
        self._held.clear()
        parts = votes["comment"] % PARTS
        for part, file in enumerate(self._files):
            file.write(votes[parts == part].tobytes())
