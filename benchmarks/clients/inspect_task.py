"""The workload as a task of inspect_ai, a sample for each debate; `eval_set` goes on where it was killed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from inspect_ai import Task, eval_set, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from benchmarks.workload import IN_FLIGHT, Messages, case_rows, debate, play_one

MESSAGES: dict[str, type[ChatMessageAssistant] | type[ChatMessageSystem] | type[ChatMessageUser]] = {
    "assistant": ChatMessageAssistant,
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
}


@solver
def debating() -> Solver:
    """Plays the debate of a sample; what was said stands in its metadata."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - inspect_ai's form
        model: Model = get_model()

        async def ask(messages: Messages) -> str:
            said: list[ChatMessage] = [MESSAGES[each["role"]](content=each["content"]) for each in messages]
            return (await model.generate(said)).completion

        row = {name: state.metadata[name] for name in ("id", "title", "text")}
        state.metadata["turns"] = await play_one(debate(row), ask)
        return state

    return solve


@task
def debates(number: int) -> Task:
    """All debates."""
    samples = [Sample(id=row["id"], input=row["text"], metadata=row) for row in case_rows(number)]
    return Task(dataset=MemoryDataset(samples), solver=debating())


def main(url: str, number: int, out: Path) -> None:
    """Plays the debates."""
    os.environ.setdefault("MOCK_API_KEY", "none")
    ended, _ = eval_set(
        debates(number),
        log_dir=str(out.with_suffix(".logs")),
        model="openai-api/mock/mock",
        model_base_url=url,
        max_connections=IN_FLIGHT,
        adaptive_connections=False,
        display="none",
        log_level="warning",
    )
    if not ended:
        raise SystemExit("the debates did not all end")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
