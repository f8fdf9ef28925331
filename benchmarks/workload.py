"""The debates that every client of the mock server plays; needs nothing but `protocols`.

A client that is not moot imports this in an environment of its own, and brings only its way to ask. All that
is said is moot's wording, so that every client asks the very same questions.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from protocols.answer_format import AnswerFormat
from protocols.case import Case, Seat
from protocols.dialogue import Reply
from protocols.play import Play
from protocols.prompts import Prompts
from protocols.sections import Place
from protocols.synchronous import synchronous
from protocols.system_prompt import system_prompt

IN_FLIGHT = 100
ROUNDS = 4
LABELS = ("Agent 1", "Agent 2")
WHO = (
    "my brother",
    "a colleague",
    "our neighbour",
    "my oldest friend",
    "her aunt",
    "the landlord",
    "my boss",
)
DID = ("asked to borrow", "promised to return", "sold", "gave away", "wanted to share", "forgot about")
WHAT = (
    "the car",
    "a cello",
    "the garden tools",
    "my late father's watch",
    "the deposit",
    "two train tickets",
)
WHEN = ("the week before the wedding", "on a Sunday", "while I was ill", "after the move", "in front of all")

Messages = list[dict[str, str]]
Asking = Callable[[Messages], Awaitable[str]]


def case_rows(number: int) -> Iterator[dict[str, str]]:
    """So many made-up cases of about 150 words, each unlike all others from its first word on."""
    for each in range(number):
        chance = random.Random(each)
        sentences = (
            " ".join(chance.choice(words) for words in (WHO, DID, WHAT, WHEN)).capitalize() + "."
            for _ in range(12)
        )
        text = f"{each:05d} is the number of this story. {' '.join(sentences)} I said no. Was I wrong?"
        yield {"id": f"case-{each:05d}", "title": f"Story {each:05d}", "text": text}


def write_cases(file: Path, number: int) -> Path:
    """Writes the cases for moot; returns the file."""
    file.write_text("".join(json.dumps(row) + "\n" for row in case_rows(number)), "utf-8")
    return file


def debate(row: dict[str, str]) -> Play[object]:
    """The debate on a case, as moot plays it."""
    prompts, form = Prompts(), AnswerFormat()

    def seat(position: int) -> Seat:
        place = Place("synchronous", LABELS, position, ROUNDS)
        system = system_prompt(prompts, row["title"], row["text"], place, "default", form)
        return Seat(name=f"seat{position}", label=place.label, model="mock", system=system)

    case = Case(row["id"], row["text"], (seat(1), seat(2)), row["title"], form, prompts)
    return Play(synchronous(case, rounds=ROUNDS), seed=0)


def left(number: int, out: Path) -> Iterator[dict[str, str]]:
    """The cases whose debates do not stand in `out` yet."""
    lines = out.read_text("utf-8").splitlines(keepends=True) if out.exists() else []
    done = {json.loads(line)["id"] for line in lines if line.endswith("\n")}
    return (row for row in case_rows(number) if row["id"] not in done)


async def play_all(number: int, out: Path, ask: Asking) -> None:
    """Plays all debates at once, `IN_FLIGHT` asks at a time, and writes a line for each that has ended.

    Begun again with the same `out`, it plays what is not there.
    """
    free = asyncio.Semaphore(IN_FLIGHT)

    async def asked(messages: Messages) -> str:
        async with free:
            return await ask(messages)

    with out.open("a", encoding="utf-8") as file:

        async def play(row: dict[str, str]) -> None:
            turns = await play_one(debate(row), asked)
            file.write(json.dumps({"id": row["id"], "turns": turns}) + "\n")
            file.flush()

        await asyncio.gather(*map(play, left(number, out)))


async def play_one(play: Play[object], ask: Asking) -> list[list[str]]:
    """Plays a debate to its end; returns what was said, round by round."""
    turns: list[list[str]] = []
    while not play.done:
        asks = [[{"role": m.role, "content": m.content} for m in each.messages] for each in play.step]
        turns.append(await asyncio.gather(*map(ask, asks)))
        for slot, text in enumerate(turns[-1]):
            play.answer(slot, Reply(text))
    return turns
