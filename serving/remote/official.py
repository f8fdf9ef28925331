"""The exchange through OpenAI's own client, over its aiohttp transport and without its retries."""

from __future__ import annotations

import asyncio

import aiohttp
import httpx2
from openai import APIConnectionError, APIStatusError, AsyncOpenAI, DefaultAioHttpClient, Omit, RequestOptions

from serving.errors import DeadlinePassed, ServingError
from serving.remote.answer import Answer
from serving.remote.body import ACCEPTED, read_body
from serving.remote.key import Key
from serving.remote.lost import lost, not_connected
from serving.remote.session import SESSION
from serving.remote_block import RemoteBlock

KEPT = 60.0  # seconds for which an idle connection is kept


class Official:
    """A transport: sends request bodies to one endpoint. Made inside a running event loop."""

    def __init__(self, block: RemoteBlock, key: Key) -> None:
        self._deadlines, self._key, self._most = block.deadlines, key, block.max_reply_bytes
        connect, first_byte = block.deadlines.connect, block.deadlines.first_byte
        limits = httpx2.Limits(max_connections=block.in_flight, keepalive_expiry=KEPT)
        self._client = AsyncOpenAI(
            api_key=key.secret or "none",  # which is then not sent either
            base_url=block.base_url,
            max_retries=0,
            timeout=httpx2.Timeout(connect=connect, read=first_byte, write=first_byte, pool=connect),
            default_headers={"Accept-Encoding": ACCEPTED},
            http_client=DefaultAioHttpClient(
                limits=limits, follow_redirects=False, event_hooks={"response": [self._read]}
            ),
        )
        self._unsigned: dict[str, str | Omit] = {} if key.secret else {"Authorization": Omit()}

    async def exchange(self, body: dict[str, object], session: str = "") -> Answer:
        """What the server answers, whatever it is. Raises `DeadlinePassed` and `TransportError`.

        `session` is named in a header by which servers keep what belongs together on one engine.
        """
        options: RequestOptions = {"headers": self._unsigned | ({SESSION: session} if session else {})}
        try:
            async with asyncio.timeout(self._deadlines.total):
                response = await self._client.post(
                    "/chat/completions", cast_to=httpx2.Response, body=body, options=options
                )
        except APIStatusError as error:
            response = error.response
        except TimeoutError:
            raise DeadlinePassed(f"no whole reply within {self._deadlines.total:g} s") from None
        except (APIConnectionError, aiohttp.ClientError, ConnectionError) as error:
            raise self._failure(_cause(error)) from None
        return Answer(response.status_code, response.headers, self._key.scrub(response.text))

    async def _read(self, response: httpx2.Response) -> None:
        """Reads a body before the client does, within bounds, and leaves it plain UTF-8."""
        stream, packed = response.stream, response.headers.get("Content-Encoding", "")
        assert isinstance(stream, httpx2.AsyncByteStream)
        try:
            text = await read_body(stream, packed, self._most)
        finally:
            await stream.aclose()
        response.stream = httpx2.ByteStream(text.encode("utf-8", "replace"))
        response.headers.pop("Content-Encoding", None)
        response.headers["Content-Type"] = "application/json; charset=utf-8"

    async def close(self) -> None:
        """Closes every connection; exchanges under way fail."""
        await self._client.close()

    def _failure(self, cause: BaseException) -> ServingError:
        if isinstance(cause, aiohttp.ConnectionTimeoutError):
            return not_connected(self._deadlines.connect)
        if isinstance(cause, aiohttp.ServerTimeoutError):
            return DeadlinePassed(f"no byte within {self._deadlines.first_byte:g} s")
        return lost(cause, self._key)


def _cause(error: BaseException) -> BaseException:
    """What aiohttp met: the client tells a refused connection and a slow one by the same error."""
    while not isinstance(error, aiohttp.ClientError) and error.__cause__ is not None:
        error = error.__cause__
    return error
