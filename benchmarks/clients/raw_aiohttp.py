"""The workload over aiohttp alone, with no client library."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import aiohttp

from benchmarks.workload import IN_FLIGHT, Messages, play_all


async def main(url: str, number: int, out: Path) -> None:
    """Plays the debates."""
    connector = aiohttp.TCPConnector(limit=IN_FLIGHT)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def ask(messages: Messages) -> str:
            body = {"model": "mock", "messages": messages}
            async with session.post(f"{url}/chat/completions", json=body) as response:
                response.raise_for_status()
                answer = json.loads(await response.read())
            return str(answer["choices"][0]["message"]["content"])

        await play_all(number, out, ask)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])))
