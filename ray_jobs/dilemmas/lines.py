"""Objects of one subreddit from lines of JSON; what is of another is discarded before it is parsed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from ray_jobs.dilemmas import tally as reasons
from ray_jobs.dilemmas.streams import LONGEST, Torn, blocks, chunks
from ray_jobs.dilemmas.tally import Tally

BOM = b"\xef\xbb\xbf"

Placed = tuple[str, dict[str, Any]]
"""A place, such as "RC_2025-01.zst:17", and what stands there."""


def json_rows(file: Path, subreddit: str, tally: Tally) -> Iterator[Placed]:
    """The objects of the lines in which the subreddit's name stands as a JSON string, in any case.

    Other lines are counted without being parsed. Lines that are no JSON object, not UTF-8 or too long are
    counted with their places; so is the end of a file that is torn.
    """
    needle = f'"{subreddit.lower()}"'.encode()
    first = 1
    try:
        for block in blocks(chunks(file)):
            yield from _of_block(block, file, first, needle, tally)
            first += block.count(b"\n")
    except Torn as error:
        tally.stopped[str(file)] = f"{error}, after {first - 1:,} whole lines"


def _of_block(block: bytes, file: Path, first: int, needle: bytes, tally: Tally) -> Iterator[Placed]:
    numbered = (
        _searched(block, first, needle, tally)
        if _is_framed(block)
        else _split(block, file, first, needle, tally)
    )
    for number, line in numbered:
        try:
            yield f"{file}:{number}", orjson.loads(line)
        except orjson.JSONDecodeError as error:
            _unreadable(line, f"{error.msg} at character {error.pos + 1}", f"{file}:{number}", tally)


def _is_framed(block: bytes) -> bool:
    """Whether every line of the block looks like an object, which is quickly counted."""
    breaks = block.count(b"\n") - block.endswith(b"\n")
    return block.startswith(b"{") and block.endswith((b"}\n", b"}")) and block.count(b"}\n{") == breaks


def _searched(block: bytes, first: int, needle: bytes, tally: Tally) -> Iterator[tuple[int, bytes]]:
    """The lines of a block with the needle, numbered, found without looking at the others."""
    lowered = block.lower()
    number, counted, found = first, 0, 0
    at = lowered.find(needle)
    while at >= 0:
        found += 1
        start = block.rfind(b"\n", 0, at) + 1
        end = block.find(b"\n", at)
        end = len(block) if end < 0 else end
        number += block.count(b"\n", counted, start)
        counted = start
        yield number, block[start:end]
        at = lowered.find(needle, end)
    lines = block.count(b"\n") + (not block.endswith(b"\n"))
    tally.lines += lines
    tally.left_out[reasons.OTHER_SUBREDDIT] += lines - found


def _split(block: bytes, file: Path, first: int, needle: bytes, tally: Tally) -> Iterator[tuple[int, bytes]]:
    """The same of a block in which some lines are no objects, or end otherwise."""
    lowered = block.lower().split(b"\n")
    for number, (line, low) in enumerate(zip(block.split(b"\n"), lowered, strict=True), start=first):
        if line[:1] != b"{" or line[-1:] != b"}":
            line = (line.removeprefix(BOM) if number == 1 else line).strip()
            if not line:
                continue
        tally.lines += 1
        if len(line) > LONGEST:
            tally.unreadable(reasons.TOO_LONG, f"{file}:{number}")
        elif line[:1] != b"{" or line[-1:] != b"}":
            _unreadable(line, "not from { to }", f"{file}:{number}", tally)
        elif needle in low:
            yield number, line
        else:
            tally.left_out[reasons.OTHER_SUBREDDIT] += 1


def _unreadable(line: bytes, why: str, place: str, tally: Tally) -> None:
    """Counts a line that is no JSON object. What stands in it is not told, for there may be names in it."""
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        tally.unreadable(reasons.NOT_UTF8, place, f"found {line[error.start]:#04x} at byte {error.start + 1}")
    else:
        tally.unreadable(reasons.NO_JSON, place, why)
