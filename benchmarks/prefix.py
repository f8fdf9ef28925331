"""How much of what an engine could have found in its prefix cache it did find, with two replicas."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.run import play, replies
from benchmarks.study import write_synchronous
from benchmarks.workload import write_cases
from protocols.dialogue import Message
from serving.catalogue import resolve
from serving.chat import Chat
from serving.folder_chat import folder_chat

DEBATES = 100
REPLICAS = 2
BLOCK = 128  # tokens; vLLM's own choice on CPUs
MODEL = {
    "backend": "vllm",
    "model": "tiny",
    "max_tokens": 48,
    "replicas": REPLICAS,
    "engine": {"block_size": BLOCK, "max_model_len": 8192, "max_num_batched_tokens": 8192},
}


def main(debates: int = DEBATES) -> None:
    """Plays the debates and prints the cached share of the prompts over the best possible one.

    Every debate has a case of its own, so nothing but the sections before the case is shared between debates,
    and it makes no difference on which replica another debate was: what any earlier ask held counts as
    possible, which is a little more than one replica can have.
    """
    print(f"## Prefix cache\n\n{machine()}\n", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = write_synchronous(folder, MODEL, cases=write_cases(folder / "cases.jsonl", debates))
        rows = replies(play(file), "messages", "text", "prompt_tokens", "cached_tokens")
    chat = folder_chat(Path(resolve("tiny")))
    if chat is None:
        raise SystemExit("the model's tokenizer cannot be read")
    prompts = [_prompt(chat, row) for row in rows]
    for row, prompt in zip(rows, prompts, strict=True):
        if len(prompt) != row["prompt_tokens"]:
            raise SystemExit(f"expected a prompt of {row['prompt_tokens']} tokens; found {len(prompt)}")
    total = sum(row["prompt_tokens"] for row in rows)
    cached = sum(row["cached_tokens"] for row in rows)
    best = possible(rows, prompts, [chat.encode(row["text"]) for row in rows])
    print(
        f"{debates} synchronous debates on {REPLICAS} replicas of the tiny model, {len(rows):,} prompts of"
        f" {total:,} tokens: {cached / total:.3f} of them were found in the cache; at best, in whole blocks"
        f" of {BLOCK}, {best / total:.3f}: **{cached / best:.3f}** of what is possible (goal 0.95)."
    )


def possible(rows: Sequence[dict[str, Any]], prompts: list[list[int]], texts: list[list[int]]) -> int:
    """Tokens of the prompts that an earlier prompt, or one with its reply, begins with, in whole blocks.

    A prompt is there once the engine has begun with it, its reply once it has ended. The last token of a
    prompt is always computed.
    """
    moments = [(row["began"], 1, number) for number, row in enumerate(rows)]
    moments += [(row["ended"], 0, number) for number, row in enumerate(rows)]
    there: set[tuple[int, ...]] = set()
    found = 0
    for _, is_begin, number in sorted(moments):
        prompt = prompts[number]
        if is_begin:
            found += BLOCK * _shared(prompt[:-1], there)
        there.update(_beginnings(prompt if is_begin else prompt + texts[number]))
    return found


def _shared(prompt: list[int], there: set[tuple[int, ...]]) -> int:
    """Blocks at the head of the prompt that are there."""
    return sum(beginning in there for beginning in _beginnings(prompt))


def _beginnings(tokens: list[int]) -> Iterator[tuple[int, ...]]:
    return (tuple(tokens[:end]) for end in range(BLOCK, len(tokens) + 1, BLOCK))


def _prompt(chat: Chat, row: dict[str, Any]) -> list[int]:
    return chat.prompt([Message(each["role"], each["content"]) for each in row["messages"]])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
