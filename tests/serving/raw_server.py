"""A server that sends bytes as they are, whatever it is asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

HEAD_END = b"\r\n\r\n"


def answer(
    body: bytes | str | object, status: int = 200, content: str = "application/json", **headers: str
) -> bytes:
    """A whole answer; a body that is neither bytes nor text is sent as JSON. In names, _ stands for -."""
    data = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    lines = [f"HTTP/1.1 {status} x", f"Content-Type: {content}", f"Content-Length: {len(data)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "Connection: close"]).encode() + HEAD_END + data


def reply(content: str = "NTA") -> dict[str, object]:
    """A chat completion."""
    return {"choices": [{"finish_reason": "stop", "message": {"content": content}}]}


@asynccontextmanager
async def raw_server(
    send: Callable[[], bytes], hear: Callable[[bytes], None] = lambda _: None
) -> AsyncIterator[str]:
    """The base URL of a server that answers every request by what `send` gives.

    `hear` is given the head of each in lower case.
    """

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(HEAD_END)).lower()
        await reader.readexactly(int(head.split(b"content-length:")[1].split()[0]))
        hear(head)
        writer.write(send())
        with suppress(ConnectionError):  # the client may have had enough of it
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
