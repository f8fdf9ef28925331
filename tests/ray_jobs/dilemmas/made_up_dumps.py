"""Dumps of Reddit in the form in which they are published, of any size, made up from a seed.

Of every post and comment its `kind` is known, so that a test knows what should become of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import orjson
import zstandard

from tests.ray_jobs.dilemmas.made_up_rows import SUBREDDIT, comment, post_id, submission

__all__ = ["SUBREDDIT", "comments", "post_id", "submissions", "write_dump"]

POST_KINDS = {
    **{"kept": 60, "outside the dates": 3, "by a moderator or bot": 2, "deleted": 5, "removed": 8},
    **{"crosspost": 2, "no text": 2, "meta": 2, "update of an earlier post": 2, "no dilemma": 3},
    **{"too short": 3, "of another subreddit": 20, "no JSON object": 1, "bytes that are not UTF-8": 1},
    **{"missing column 'title'": 1, "'created_utc' that is no time": 1},
}
"""What is made of a post, and how often for each other."""

COMMENT_KINDS = {
    **{"NTA": 30, "YTA": 20, "ESH": 8, "NAH": 6, "INFO": 4, "no verdict": 10, "several verdicts": 4},
    **{"deleted or removed": 4, "reply to a comment": 25, "by a moderator or bot": 2},
    **{"by the post's author": 3, "of another subreddit": 30, "no JSON object": 1},
    **{"bytes that are not UTF-8": 1, "missing column 'score'": 1},
}


def submissions(seed: int, posts: int, first: int = 0) -> Iterator[tuple[str, bytes]]:
    """The kind and the line of each post, without line break, from the `first`; n has the id `post_id(n)`."""
    for number in range(first, first + posts):
        draw = Random(f"post {seed} {number}")
        kind = _kind(draw, POST_KINDS)
        yield kind, _broken(kind, submission(draw, number, kind))


def comments(seed: int, posts: int, each: int, first: int = 0) -> Iterator[tuple[int, str, bytes]]:
    """The number of the post, the kind and the line of each comment, `each` on every post."""
    for number in range(first, first + posts):
        for at in range(each):
            draw = Random(f"comment {seed} {number} {at}")
            kind = _kind(draw, COMMENT_KINDS)
            yield number, kind, _broken(kind, comment(draw, number, number * each + at, kind))


def write_dump(file: Path, lines: Iterable[bytes], window_log: int = 0) -> Path:
    """Writes lines as a dump: zstandard where the file's name says so, with a window of so many bits."""
    if file.suffix != ".zst":
        with file.open("wb") as plain:
            plain.writelines(line + b"\n" for line in lines)
        return file
    settings = zstandard.ZstdCompressionParameters.from_level(
        3, window_log=window_log, enable_ldm=window_log > 27
    )
    compressor = zstandard.ZstdCompressor(compression_params=settings)
    with file.open("wb") as raw, compressor.stream_writer(raw) as stream:
        for line in lines:
            stream.write(line + b"\n")
    return file


def _kind(draw: Random, kinds: dict[str, int]) -> str:
    return draw.choices(list(kinds), list(kinds.values()))[0]


def _broken(kind: str, row: dict[str, Any]) -> bytes:
    if kind.startswith("missing column"):
        del row[kind.split("'")[1]]
    line = orjson.dumps(row)
    if kind == "no JSON object":
        return line[: len(line) // 2]
    if kind == "bytes that are not UTF-8":
        return line.replace(b'"author":"', b'"author":"\xff\xfe')
    return line
