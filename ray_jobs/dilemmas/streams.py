"""Blocks of whole lines of a dump, one after another: no file is ever in memory.

A zstandard frame can only be decompressed from its beginning, so a dump is one sequential stream; there is
nothing in it that several workers could share.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import zstandard

COMPRESSED = 1 << 14  # bytes at a time: even where they are all zeros 32,768 times as many come out
PLAIN = 1 << 18
BLOCK = 1 << 20
LONGEST = 1 << 26  # bytes of a line
WINDOW = 1 << 31  # what `zstd --long=31` needs, with which dumps are published


class Torn(Exception):
    """The rest of a file cannot be read; the message says why."""


def chunks(file: Path) -> Iterator[bytes]:
    """The uncompressed bytes of a file in pieces. Raises `Torn` where they end before the file says so."""
    return _decompressed(file) if file.suffix.lower() == ".zst" else _plain(file)


def blocks(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes in blocks of whole lines, of a megabyte or one line; the last may lack its line break.

    Of a line longer than `LONGEST` only the beginning is in a block, without its end. When `pieces` raises
    `Torn`, the whole lines before come first, and what there is of a last one is dropped.
    """
    held: list[bytes] = []
    size = 0
    skipping = False
    torn: Torn | None = None
    try:
        for piece in pieces:
            if skipping:
                _, end, piece = piece.partition(b"\n")
                if not end:
                    continue
                held, size, skipping = [*held, b"\n"], size + 1, False
            held.append(piece)
            size += len(piece)
            if size > LONGEST or (size >= BLOCK and b"\n" in piece):
                lines, rest = _whole_lines(b"".join(held))
                if lines:
                    yield lines
                skipping = len(rest) > LONGEST
                rest = rest[: LONGEST + 1]
                held, size = [rest], len(rest)
    except Torn as error:
        torn = error
    lines, rest = _whole_lines(b"".join(held))
    if lines:
        yield lines
    if torn is not None:
        raise torn
    if rest:
        yield rest


def _whole_lines(block: bytes) -> tuple[bytes, bytes]:
    end = block.rfind(b"\n") + 1
    return block[:end], block[end:]


def _plain(file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        while piece := stream.read(PLAIN):
            yield piece


def _decompressed(file: Path) -> Iterator[bytes]:
    """All frames of the file. A frame that stops early raises `Torn`, as does what is no frame."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=WINDOW)
    frame = decompressor.decompressobj()
    begun = False
    with file.open("rb") as stream:
        while read := stream.read(COMPRESSED):
            while read:
                begun = True
                try:
                    piece = frame.decompress(read)
                except zstandard.ZstdError as error:
                    raise Torn(f"no zstandard from here on ({error})") from None
                if piece:
                    yield piece
                read = frame.unused_data if frame.eof else b""
                if frame.eof:
                    frame, begun = decompressor.decompressobj(), False
    if begun:
        raise Torn("truncated: the file ends within a zstandard frame")
