"""The body of an answer: read up to a bound, unpacked and decoded, whatever the server says it is."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterable

from serving.errors import Unreadable

ACCEPTED = "gzip, deflate"
PACKED = frozenset({"gzip", "x-gzip", "deflate"})
ANY_HEADER = 32 + zlib.MAX_WBITS  # gzip's or zlib's, whichever is there


async def read_body(chunks: AsyncIterable[bytes], encoding: str, most: int) -> str:
    """The text of a body that comes in `chunks` and is packed by `encoding`, a Content-Encoding.

    Neither what comes nor what is in it may have more than `most` bytes, and not much more than that is
    ever held. The text is UTF-8, UTF-16 or UTF-32, as JSON is, told by its first bytes and never by a header;
    what cannot be decoded is replaced. Raises `Unreadable` for what is too large or cannot be unpacked.
    """
    data = bytearray()
    async for chunk in chunks:
        data += chunk
        if len(data) > most:
            raise _too_large(most)
    body = bytes(data)
    for name in reversed(encoding.split(",")):
        if name.strip().lower() in PACKED and body:
            body = _unpacked(body, most)
    return body.decode(json.detect_encoding(body), "replace")


def _unpacked(packed: bytes, most: int) -> bytes:
    unpacking = zlib.decompressobj(ANY_HEADER)
    try:
        body = unpacking.decompress(packed, most + 1)
    except zlib.error as error:
        raise Unreadable(f"the answer cannot be unpacked ({error})") from None
    if len(body) > most:
        raise _too_large(most)
    if not unpacking.eof:
        raise Unreadable("the answer was broken off, for what is packed has no end")
    return body


def _too_large(most: int) -> Unreadable:
    return Unreadable(
        f"the answer has more than the {most} bytes that max_reply_bytes allows; raise it if replies"
        " are so long, or ask for fewer log-probabilities"
    )
