"""An OpenAI-compatible server that fails as it is told to: by a script, or at random by a seed.

As a program it serves a mix of faults until it is terminated, and prints its address:
    python -m tests.serving.faulty_server SEED '{"reset": 0.05, "rate_limited": 0.1}' [PORT]
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

BILLED = ("none", "slow", "loud")  # what is answered whole
PAGE = "<!DOCTYPE html><html><body>Bad gateway</body></html>"
SLOW_SECONDS = 1.0  # between the head of a reply and its tail
HANG_SECONDS = 30.0

Choose = Callable[[int], str]


@dataclass
class Faulty:
    """What the server is told, and what it has seen: the fault that the n-th request meets, all requests."""

    choose: Choose
    base_url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    billed: list[str] = field(default_factory=list)

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """Answers one request, or fails."""
        body = await request.json()
        number = len(self.bodies)
        self.bodies.append(body)
        self.keys.append(request.headers.get("Authorization"))
        fault = self.choose(number)
        if fault in BILLED:
            self.billed.append(json.dumps([body["model"], body["messages"], body.get("seed")]))
        return await FAULTS[fault](request, body)

    async def count(self, _: web.Request) -> web.Response:
        """How many requests there have been."""
        return web.json_response(len(self.bodies))

    async def bill(self, _: web.Request) -> web.Response:
        """How many replies have been billed, each for the same usage, and to how many different questions."""
        return web.json_response({"replies": len(self.billed), "questions": len(set(self.billed))})


def script(*faults: str) -> Choose:
    """The n-th request meets the n-th fault; those after the last are answered."""
    return lambda number: faults[number] if number < len(faults) else "none"


def mix(seed: int, shares: Mapping[str, float]) -> Choose:
    """Each request meets a fault with the probability that it has in `shares`."""

    def choose(number: int) -> str:
        faults: Sequence[str] = [*shares, "none"]
        weights = [*shares.values(), 1.0 - sum(shares.values())]
        return random.Random(f"{seed} {number}").choices(faults, weights)[0]

    return choose


@asynccontextmanager
async def serving(choose: Choose, port: int = 0) -> AsyncIterator[Faulty]:
    """A server on this port, 0 for one that is free."""
    faulty = Faulty(choose)
    application = web.Application()
    application.router.add_post("/v1/chat/completions", faulty.chat)
    application.router.add_get("/count", faulty.count)
    application.router.add_get("/bill", faulty.bill)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.0, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    faulty.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        yield faulty
    finally:
        await runner.cleanup()


def completion(body: Mapping[str, Any]) -> dict[str, Any]:
    """A reply that depends on the question and its seed alone."""
    chance = random.Random(json.dumps([body["messages"], body.get("seed")]))
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    verdict = chance.choice(["NTA", "NTA", "YTA", "ESH"])
    why = f"Because of reason {chance.randrange(1000)}."
    text = (
        json.dumps({"verdict": verdict, "explanation": why}) if schema else f"My current verdict: {verdict}"
    )
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": f"{body['model']}-2026",
        "provider": "Somewhere",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text, "reasoning_content": "Let me think."},
                "logprobs": LOGPROBS if body.get("logprobs") else None,
            }
        ],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 20,
            "prompt_tokens_details": {"cached_tokens": 60},
        },
    }


LOGPROBS = {
    "content": [
        {
            "token": "NTA",
            "logprob": -0.1,
            "top_logprobs": [{"token": "NTA", "logprob": -0.1}, {"token": "YTA", "logprob": -2.5}],
        }
    ]
}


def refuses(status: int, headers: Mapping[str, str] | None = None, **error: object) -> Any:
    """A fault that answers by an error."""

    async def refuse(_: web.Request, __: Mapping[str, Any]) -> web.Response:
        return web.json_response({"error": error}, status=status, headers=headers)

    return refuse


async def answer(_: web.Request, body: Mapping[str, Any]) -> web.Response:
    return web.json_response(completion(body))


async def page(_: web.Request, __: Mapping[str, Any]) -> web.Response:
    return web.Response(status=500, text=PAGE, content_type="text/html")


async def hang(_: web.Request, __: Mapping[str, Any]) -> web.Response:
    await asyncio.sleep(HANG_SECONDS)
    return web.Response()


async def reset(request: web.Request, _: Mapping[str, Any]) -> web.Response:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def begun(request: web.Request, length: int) -> web.StreamResponse:
    """The head of a response of so many bytes."""
    response = web.StreamResponse(headers={"Content-Length": str(length), "Content-Type": "application/json"})
    await response.prepare(request)
    return response


async def truncated(request: web.Request, body: Mapping[str, Any]) -> web.StreamResponse:
    """Announces more than it sends."""
    text = json.dumps(completion(body)).encode()
    response = web.StreamResponse(
        headers={"Content-Length": str(len(text)), "Content-Type": "application/json"}
    )
    await response.prepare(request)
    await response.write(text[: len(text) // 2])
    assert request.transport is not None
    request.transport.close()
    return response


async def invalid(_: web.Request, body: Mapping[str, Any]) -> web.Response:
    """Half of a reply, announced as a whole."""
    text = json.dumps(completion(body))
    return web.Response(text=text[: len(text) // 2], content_type="application/json")


async def slow(request: web.Request, body: Mapping[str, Any]) -> web.StreamResponse:
    """A first byte at once, and a tail that takes its time."""
    text = json.dumps(completion(body)).encode()
    response = web.StreamResponse(
        headers={"Content-Length": str(len(text)), "Content-Type": "application/json"}
    )
    await response.prepare(request)
    for at in range(10):
        await response.write(text[at * len(text) // 10 : (at + 1) * len(text) // 10])
        await asyncio.sleep(SLOW_SECONDS / 10)
    return response


async def echo(request: web.Request, _: Mapping[str, Any]) -> web.Response:
    """An error that repeats the key."""
    key = request.headers.get("Authorization")
    return web.json_response({"error": {"message": f"cannot read {key}"}, "again": key}, status=400)


async def loud(request: web.Request, body: Mapping[str, Any]) -> web.Response:
    """A reply that repeats the key."""
    text = json.dumps(completion(body)).replace("verdict", f"{request.headers.get('Authorization')}")
    return web.Response(text=text, content_type="application/json")


FAULTS: dict[str, Callable[[web.Request, Mapping[str, Any]], Awaitable[web.StreamResponse]]] = {
    "none": answer,
    "rate_limited": refuses(429, {"Retry-After": "0.02"}, message="slow down", code="rate_limit_exceeded"),
    "later": refuses(429, {"Retry-After": "500"}, message="slow down"),
    "storm": refuses(429, message="slow down"),
    "quota": refuses(429, message="You exceeded your current quota", code="insufficient_quota"),
    "unpaid": refuses(402, message="Insufficient Balance"),
    "overloaded": refuses(529, {"Retry-After": "0.01"}, message="overloaded", type="overloaded_error"),
    "inside": refuses(200, message="the provider failed", code=503),
    "page": page,
    "hang": hang,
    "reset": reset,
    "truncated": truncated,
    "invalid": invalid,
    "slow": slow,
    "filtered": refuses(400, message="The response was filtered", code="content_filter"),
    "moderated": refuses(403, message="input flagged", metadata={"reasons": ["violence"]}),
    "no_model": refuses(404, message="The model `m` does not exist", code="model_not_found"),
    "bad_key": refuses(401, message="Incorrect API key provided", code="invalid_api_key"),
    "too_long": refuses(400, message="too much", code="context_length_exceeded"),
    "bad_request": refuses(400, message="Unsupported parameter: 'seed'", code="unsupported_parameter"),
    "moved": refuses(307, {"Location": "http://elsewhere.invalid/v1"}, message="moved"),
    "echo": echo,
    "loud": loud,
}


async def main() -> None:
    """Serves until the process is ended."""
    port = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    async with serving(mix(int(sys.argv[1]), json.loads(sys.argv[2])), port) as faulty:
        sys.stdout.write(f"{faulty.base_url}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
