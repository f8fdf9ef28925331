"""The posts of a dump: titles and texts on disk, of each post a few numbers in memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from types import TracebackType

import pyarrow as pa

from ray_jobs.dilemmas.submissions import KEPT, Post

HELD = 2_000
SCHEMA = pa.schema(
    {
        "id": pa.string(),
        "created": pa.int64(),
        "score": pa.int32(),
        "comments": pa.int32(),
        "flair": pa.string(),
        "edited": pa.bool_(),
        "words": pa.int32(),
        "why": pa.string(),
        "title": pa.string(),
        "text": pa.string(),
    }
)
"""A post as it is held on disk: the fields of `Post`, but for whose it is."""


class PostFile:
    """Posts in an Arrow file, each with a number. Of copies of one post one stands for it.

    That is a copy that is not kept, for what is deleted in one dump must not come back from another; of
    several such the one with the highest score, then the largest digest. So the order of copies is no matter.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / "posts"
        self._writer = pa.ipc.new_file(self._file, SCHEMA)
        self._held: list[Post] = []
        self._rows: dict[int, int] = {}
        self._refused = bytearray()
        self._scores = array("i")
        self._digests = array("Q")
        self._authors = array("Q")

    def __enter__(self) -> PostFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    @property
    def copies(self) -> int:
        """How many were added, copies of one post included. Their numbers are below that."""
        return len(self._refused)

    @property
    def again(self) -> int:
        """How many of them are copies of one that was there."""
        return self.copies - len(self._rows)

    def add(self, post: Post) -> None:
        """Adds a post, or a copy of one."""
        row, number = self.copies, int(post.id, 36)
        self._refused.append(post.why != KEPT)
        self._scores.append(post.score)
        self._digests.append(_digest(post))
        self._authors.append(post.by)
        before = self._rows.setdefault(number, row)
        if before != row and self._rank(row) > self._rank(before):
            self._rows[number] = row
        self._held.append(post)
        if len(self._held) >= HELD:
            self._write()

    def kept(self) -> Mapping[int, int]:
        """The numbers of the posts that are kept, by id."""
        return {id: row for id, row in self._rows.items() if not self._refused[row]}

    @property
    def authors(self) -> Sequence[int]:
        """Whose each post is, by its number, as `accounts.whose` tells."""
        return self._authors

    def end(self) -> None:
        """Says that all have been added."""
        self._write()
        self._writer.close()

    def read(self) -> Iterator[tuple[list[int], pa.Table]]:
        """The posts, one copy of each: their numbers, and a table of `SCHEMA`, some thousands at a time."""
        stand = bytearray(self.copies)
        for row in self._rows.values():
            stand[row] = True
        with pa.OSFile(str(self._file)) as source:
            batches = pa.ipc.open_file(source)
            first = 0
            for at in range(batches.num_record_batches):
                batch = batches.get_batch(at)
                mask = pa.array(map(bool, stand[first : first + batch.num_rows]), pa.bool_())
                rows = [row for row in range(first, first + batch.num_rows) if stand[row]]
                yield rows, pa.Table.from_batches([batch]).filter(mask)
                first += batch.num_rows

    def _rank(self, row: int) -> tuple[int, int, int]:
        return self._refused[row], self._scores[row], self._digests[row]

    def _write(self) -> None:
        columns = ([getattr(post, field.name) for post in self._held] for field in SCHEMA)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
        self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=SCHEMA))
        self._held.clear()


def _digest(post: Post) -> int:
    fields = repr([getattr(post, name) for name in SCHEMA.names])
    return int.from_bytes(blake2b(fields.encode("utf-8"), digest_size=8).digest(), "big")
