"""A chat-completions exchange over aiohttp: one session, connections kept, nothing else."""

from __future__ import annotations

import asyncio
import json
from urllib.request import getproxies, proxy_bypass

import aiohttp
from yarl import URL

from serving.errors import DeadlinePassed
from serving.remote.answer import Answer
from serving.remote.body import ACCEPTED, read_body
from serving.remote.key import Key
from serving.remote.lost import lost, not_connected
from serving.remote.session import SESSION
from serving.remote_block import RemoteBlock

KEPT = 60.0  # seconds for which an idle connection is kept
HEADERS = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": ACCEPTED}


class Lean:
    """A transport: sends request bodies to one endpoint. Made inside a running event loop."""

    def __init__(self, block: RemoteBlock, key: Key) -> None:
        self._deadlines, self._key, self._most = block.deadlines, key, block.max_reply_bytes
        self._url = URL(block.address)
        authorization = {"Authorization": f"Bearer {key.secret}"} if key.secret else {}
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEPT),
            headers=HEADERS | authorization,
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(total=None, connect=self._deadlines.connect),
            proxy=_proxy(self._url),
        )

    async def exchange(self, body: dict[str, object], session: str = "") -> Answer:
        """What the server answers, whatever it is. Raises `DeadlinePassed` and `TransportError`.

        `session` is named in a header by which servers keep what belongs together on one engine.
        """
        data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        try:
            async with asyncio.timeout(self._deadlines.total) as whole:
                return await self._send(data, {SESSION: session} if session else {})
        except aiohttp.ConnectionTimeoutError:
            raise not_connected(self._deadlines.connect) from None
        except TimeoutError:
            within = self._deadlines.total if whole.expired() else self._deadlines.first_byte
            limit = f"{'no whole reply' if whole.expired() else 'no byte'} within {within:g} s"
        except (aiohttp.ClientError, ConnectionError) as error:
            raise lost(error, self._key) from None
        raise DeadlinePassed(limit) from None

    async def _send(self, data: bytes, headers: dict[str, str]) -> Answer:
        async with asyncio.timeout(self._deadlines.first_byte):
            response = await self._session.post(self._url, data=data, headers=headers, allow_redirects=False)
        async with response:
            packed = response.headers.get("Content-Encoding", "")
            text = await read_body(response.content.iter_any(), packed, self._most)
        return Answer(response.status, response.headers, self._key.scrub(text))

    async def close(self) -> None:
        """Closes every connection; exchanges under way fail."""
        await self._session.close()


def _proxy(url: URL) -> str | None:
    """The proxy that the environment names for such addresses, looked up once."""
    if proxy_bypass(str(url.host)):
        return None
    return getproxies().get(url.scheme)
