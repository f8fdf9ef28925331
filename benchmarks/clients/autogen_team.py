"""Round-robin debates on the same cases by AutoGen's RoundRobinGroupChat: its own turns, our wording.

One ask of a debate is under way at a time, so `IN_FLIGHT` debates are open.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.base import TerminationCondition
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.messages import BaseAgentEvent, BaseChatMessage, StopMessage, TextMessage
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_ext.models.openai import OpenAIChatCompletionClient

from benchmarks.clients.autogen_client import ABOUT
from benchmarks.workload import IN_FLIGHT, LABELS, ROUNDS, left
from protocols.answer_format import AnswerFormat
from protocols.prompts import Prompts
from protocols.sections import Place
from protocols.system_prompt import system_prompt

VERDICT = re.compile(r"^My current verdict: (\w+)$", re.MULTILINE)
TASK = "Give your verdict on this situation and explain it."


class Agreement(TerminationCondition):
    """Ends a debate at the end of a round in which both gave the same verdict."""

    def __init__(self) -> None:
        self._verdicts: list[str] = []
        self._met = False

    @property
    def terminated(self) -> bool:
        """Whether they agreed."""
        return self._met

    async def __call__(self, messages: Sequence[BaseAgentEvent | BaseChatMessage]) -> StopMessage | None:
        """Reads the newest turns."""
        for message in messages:
            found = VERDICT.search(message.content) if isinstance(message, TextMessage) else None
            self._verdicts += [found[1]] if found else []
        both = self._verdicts[-2:]
        self._met = len(self._verdicts) % 2 == 0 and len(both) == 2 and both[0] == both[1]
        return StopMessage(content="They agree.", source="agreement") if self._met else None

    async def reset(self) -> None:
        """Forgets the debate."""
        self._verdicts, self._met = [], False


def team(row: dict[str, str], client: OpenAIChatCompletionClient) -> RoundRobinGroupChat:
    """Two agents before one case."""
    prompts, form = Prompts(), AnswerFormat()
    agents = []
    for position in (1, 2):
        place = Place("round_robin", LABELS, position, ROUNDS)
        system = system_prompt(prompts, row["title"], row["text"], place, "default", form)
        agents.append(AssistantAgent(f"agent_{position}", client, system_message=system))
    most = MaxMessageTermination(1 + len(agents) * ROUNDS)  # the task is the first message
    return RoundRobinGroupChat(agents, termination_condition=Agreement() | most)


async def main(url: str, number: int, out: Path) -> None:
    """Plays the debates."""
    client = OpenAIChatCompletionClient(model="mock", base_url=url, api_key="none", model_info=ABOUT)
    places = asyncio.Semaphore(IN_FLIGHT)
    with out.open("a", encoding="utf-8") as file:

        async def play(row: dict[str, str]) -> None:
            async with places:
                ended = await team(row, client).run(task=TASK)
            turns = [message.content for message in ended.messages if isinstance(message, TextMessage)]
            file.write(json.dumps({"id": row["id"], "turns": turns[1:]}) + "\n")
            file.flush()

        await asyncio.gather(*map(play, left(number, out)))
    await client.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])))
