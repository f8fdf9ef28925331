"""An OpenAI-compatible server that thinks for so many seconds: `python -m benchmarks.mock_server 0.5`.

What it replies depends on the texts of the messages alone, so whoever asks the same questions plays the same
debates. Two seats agree in six of ten rounds, so a debate of two seats and at most four rounds takes
3.25 calls. It listens on `--port`, else on a free one, and prints its address; `GET /count` tells what it
was asked, `POST /reset` forgets that.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import accumulate

from aiohttp import web

VERDICTS = ("NTA", "YTA", "ESH", "NAH", "INFO")
UP_TO = tuple(accumulate((0.75, 0.15, 0.05, 0.03, 0.02)))  # the squares of the parts sum to 0.59
REASONS = (
    "the promise was plain and nobody took it back",
    "the cost fell on someone who had not been asked",
    "there was time to say no and it was not used",
    "the sum was small, and the trust it stood for was not",
    "both knew of the rule and one of them kept it",
    "an apology came late, but it came without a condition",
    "what was expected had never been said aloud",
    "the harm could be seen coming for weeks",
)
CHARACTERS = 4  # to a token


@dataclass
class Counts:
    """What was asked since the last reset: first ask and last reply in seconds since the epoch."""

    calls: int = 0
    answered: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    first: float = 0.0
    last: float = 0.0
    questions: set[bytes] = field(default_factory=set)

    def begin(self, question: bytes) -> None:
        """One more ask."""
        self.first = self.first or time.time()
        self.calls += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        self.questions.add(question)

    def end(self) -> None:
        """One more reply."""
        self.answered += 1
        self.in_flight -= 1
        self.last = time.time()

    def told(self) -> dict[str, float | str]:
        """For `/count`; `which` is the same for the same set of questions, in any order."""
        which = 0
        for question in self.questions:
            which ^= int.from_bytes(question, "big")
        named = {
            name: getattr(self, name) for name in ("calls", "answered", "most_in_flight", "first", "last")
        }
        return {**named, "distinct": len(self.questions), "which": f"{which:032x}"}


def question_of(messages: Sequence[Mapping[str, object]]) -> bytes:
    """16 bytes that stand for the texts of a request."""
    texts = (str(message.get("content")).strip() for message in messages)
    return blake2b("\x1f".join(texts).encode(), digest_size=16).digest()


def reply_to(question: bytes) -> str:
    """A verdict, then six reasons, about sixty words."""
    place = int.from_bytes(question[:8], "big") / 2**64
    verdict = next((name for name, end in zip(VERDICTS, UP_TO, strict=True) if place < end), VERDICTS[-1])
    reasons = (REASONS[byte % len(REASONS)] for byte in question[8:14])
    return f"My current verdict: {verdict}\n\nIt weighs most that " + ", and that ".join(reasons) + "."


class MockServer:
    """Answers every ask after `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._counts = seconds, Counts()

    def app(self) -> web.Application:
        """Its routes."""
        app = web.Application(client_max_size=2**24)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/count", self._count)
        app.router.add_post("/reset", self._reset)
        return app

    async def _chat(self, request: web.Request) -> web.Response:
        messages = json.loads(await request.read())["messages"]
        question = question_of(messages)
        counts = self._counts
        counts.begin(question)
        text = reply_to(question)
        prompt = sum(len(str(message.get("content"))) for message in messages) // CHARACTERS
        await asyncio.sleep(self._seconds)
        counts.end()
        return web.json_response(completion(question, text, prompt, len(text) // CHARACTERS))

    async def _count(self, _: web.Request) -> web.Response:
        return web.json_response(self._counts.told())

    async def _reset(self, _: web.Request) -> web.Response:
        self._counts = Counts()
        return web.json_response({})


def completion(question: bytes, text: str, prompt: int, written: int) -> dict[str, object]:
    """The body of a reply."""
    message = {"role": "assistant", "content": text, "refusal": None}
    return {
        "id": f"chatcmpl-{question.hex()}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": "mock",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": written,
            "total_tokens": prompt + written,
        },
    }


async def main(seconds: float, port: int) -> None:
    """Serves until it is ended."""
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)  # clients are killed while they send
    runner = web.AppRunner(MockServer(seconds).app(), access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
    await site.start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = ArgumentParser(description="An OpenAI-compatible server that thinks for a set time.")
    parser.add_argument("seconds", type=float, help="from each ask to its reply")
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    given = parser.parse_args()
    asyncio.run(main(given.seconds, given.port))
