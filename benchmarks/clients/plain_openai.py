"""The workload over OpenAI's own client, with the faster of its two transports."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from openai import AsyncOpenAI, DefaultAioHttpClient

from benchmarks.workload import Messages, play_all


async def main(url: str, number: int, out: Path) -> None:
    """Plays the debates."""
    async with AsyncOpenAI(base_url=url, api_key="none", http_client=DefaultAioHttpClient()) as client:

        async def ask(messages: Messages) -> str:
            answer = await client.chat.completions.create(model="mock", messages=messages)  # type: ignore[arg-type]
            return answer.choices[0].message.content or ""

        await play_all(number, out, ask)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])))
