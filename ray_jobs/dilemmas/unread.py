"""Comments without exactly one verdict in words, as questions for a judge: which verdict does each give?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from protocols.answer_format import VERDICTS
from ray_jobs.dilemmas.accounts import whose
from ray_jobs.dilemmas.cleaning import names_in, plain, without_names
from ray_jobs.dilemmas.comments import Vote
from ray_jobs.dilemmas.fields import Fields, text

HELD = 2_000
SCHEMA = pa.schema({"comment": pa.int64(), "post": pa.int32(), "body": pa.string()})
MEANINGS = {
    "NTA": "the author of the post is not in the wrong, somebody else is",
    "YTA": "the author of the post is in the wrong",
    "ESH": "the author and somebody else are both in the wrong",
    "NAH": "nobody is in the wrong",
    "INFO": "something that the post does not tell would have to be known first",
}
OPTIONS = (*(f"{verdict}: {MEANINGS[verdict]}" for verdict in VERDICTS), "None of these, or more than one")
"""The answers to choose from, in the order of `VERDICTS`."""

_ACCOUNT = re.compile(r"[A-Za-z0-9_-]{3,20}")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class UnreadFile:
    """Comments that wait for a judge, in an Arrow file; copies of one may be among them.

    `heard` are the verdicts that judges have given already, by comment: places in `VERDICTS`. The others are
    held only if they are `wanted`.
    """

    def __init__(self, folder: Path, heard: Mapping[int, int], wanted: bool) -> None:
        self._heard = heard
        self._wanted = wanted
        self._file = folder / "unread"
        self._writer = pa.ipc.new_file(self._file, SCHEMA)
        self._held: list[tuple[int, int, str]] = []

    def __enter__(self) -> UnreadFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    def judged(self, vote: Vote, row: Fields, by: int) -> Vote:
        """The vote as judges have read it; one that they have not read waits, and is returned as it is.

        `row` is the comment, and `by` whose post it is on: neither's name is kept.
        """
        if vote.comment in self._heard:
            return replace(vote, outcome=self._heard[vote.comment], judged=True)
        if self._wanted:
            self._held.append((vote.comment, vote.post, _anonymous(row, by)))
        if len(self._held) >= HELD:
            self._write()
        return vote

    def questions(
        self, posts: Mapping[int, tuple[str, str]], unread: NDArray[np.int64], subreddit: str
    ) -> Iterator[dict[str, Any]]:
        """A question for each comment on these posts that is among the `unread`, which are sorted ids.

        `posts` gives id and title by number. Of copies of a comment the first is taken.
        """
        self._write()
        self._writer.close()
        taken = np.zeros(len(unread), np.bool_)
        with pa.OSFile(str(self._file)) as source:
            batches = pa.ipc.open_file(source)
            for at in range(batches.num_record_batches):
                for row in batches.get_batch(at).to_pylist():
                    place = int(np.searchsorted(unread, row["comment"]))
                    waits = place < len(unread) and unread[place] == row["comment"] and not taken[place]
                    if waits and row["post"] in posts:
                        taken[place] = True
                        yield _question(row["comment"], row["body"], *posts[row["post"]], subreddit)

    def _write(self) -> None:
        if self._held:
            columns = zip(*self._held, strict=True)
            arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
            self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=SCHEMA))
            self._held.clear()


def _anonymous(row: Fields, by: int) -> str:
    """What a comment says, without the names of its author, of that of the post, and of those it mentions."""
    said = plain(text(row, "body"))
    addressed = {word for word in set(_ACCOUNT.findall(said.replace("\\_", "_"))) if whose(word) == by}
    return without_names(said, names_in(text(row, "author"), said) | addressed)


def _question(comment: int, body: str, post: str, title: str, subreddit: str) -> dict[str, Any]:
    asked = (
        f"A post in which somebody asks who is in the wrong is called “{title}”. A comment on it"
        f" says:\n\n{body}\n\nWhich verdict does this comment give?"
    )
    return {
        "id": _base36(comment),
        "title": "",
        "text": asked,
        "options": list(OPTIONS),
        "source": f"r/{subreddit} / comment on {post}",
    }


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits
