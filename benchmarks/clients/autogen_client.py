"""The workload over AutoGen's model client."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from autogen_core.models import AssistantMessage, LLMMessage, SystemMessage, UserMessage
from autogen_ext.models.openai import OpenAIChatCompletionClient

from benchmarks.workload import Messages, play_all

ABOUT = {
    "family": "unknown",
    "vision": False,
    "function_calling": False,
    "json_output": False,
    "structured_output": False,
}


def autogen_message(role: str, content: str) -> LLMMessage:
    """A message in AutoGen's terms."""
    if role == "system":
        return SystemMessage(content=content)
    if role == "user":
        return UserMessage(content=content, source="user")
    return AssistantMessage(content=content, source="agent")


async def main(url: str, number: int, out: Path) -> None:
    """Plays the debates."""
    client = OpenAIChatCompletionClient(model="mock", base_url=url, api_key="none", model_info=ABOUT)

    async def ask(messages: Messages) -> str:
        answer = await client.create([autogen_message(**message) for message in messages])
        return str(answer.content)

    await play_all(number, out, ask)
    await client.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])))
