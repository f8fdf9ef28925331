"""From a server's answer to a reply."""

from __future__ import annotations

import json
import re
import time
from urllib.parse import urlsplit

from protocols.dialogue import Ask, FinishReason, Reply
from serving.errors import Overloaded, TransportError
from serving.price import Price
from serving.remote.answer import Answer, Json, mapping, string
from serving.remote.failures import failure, is_content_filter, problem
from serving.remote_block import RemoteBlock

LENGTH = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
FILTER = re.compile(r"content.?filter|safety|sensitive|recitation|blocklist|prohibited|spii|moderation")
BROKEN = frozenset({"error", "abort", "cancelled", "insufficient_system_resource"})

MOST_TOKENS = 2**31 - 1  # a larger count is none
LONGEST_NAME = 200  # characters of a model's or provider's name


def read_reply(block: RemoteBlock, ask: Ask, answer: Answer, seconds: float) -> Reply:
    """The reply in an answer, or that the content was filtered. Raises the `ServingError` that it is else."""
    body = answer.json()
    wrong = problem(answer, body or {})
    if wrong is not None and is_content_filter(wrong):
        return _reply(block, {}, {}, "content_filter", seconds)
    if wrong is not None:
        raise failure(block, wrong, ask.sampling.max_tokens)
    if body is None and answer.is_html:
        raise Overloaded("a page of HTML in place of a reply")
    choices = None if body is None else body.get("choices")
    if body is None or not isinstance(choices, list) or not choices:
        raise TransportError(f"the answer is no chat completion: {answer.text[:200]!r}")
    choice = mapping(choices[0])
    return _reply(block, body, choice, _finish_reason(choice), seconds)


def _reply(block: RemoteBlock, body: Json, choice: Json, finish: FinishReason, seconds: float) -> Reply:
    usage, message = mapping(body.get("usage")), mapping(choice.get("message"))
    return Reply(
        text=_text(message),
        finish_reason=finish,
        reasoning=string(message.get("reasoning_content")) or string(message.get("reasoning")),
        model=string(body.get("model"))[:LONGEST_NAME] or block.model,
        provider=string(body.get("provider"))[:LONGEST_NAME] or str(urlsplit(block.base_url).hostname),
        prompt_tokens=_count(usage.get("prompt_tokens")),
        cached_tokens=_cached(usage),
        completion_tokens=_count(usage.get("completion_tokens")),
        logprobs=_logprobs(mapping(choice.get("logprobs"))),
        seed_sent=block.accepts.seed,
        seconds=seconds,
        cost_usd=cost(block.price, usage),
        time=time.time(),
    )


def cost(price: Price | None, usage: Json) -> float | None:
    """USD of one reply; None where the price or the usage is not known."""
    prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if price is None or prompt is None or completion is None:
        return None
    return price.usd(prompt, completion, _cached(usage) or 0)


def _finish_reason(choice: Json) -> FinishReason:
    """Whatever is no limit, filter or breakdown is an end that the model chose, under one of many names."""
    reason = string(choice.get("finish_reason")).lower()
    if not reason or reason in BROKEN:
        raise TransportError(f"the server broke the reply off (finish_reason '{reason[:LONGEST_NAME]}')")
    if reason in LENGTH:
        return "length"
    return "content_filter" if FILTER.search(reason) else "stop"


def _text(message: Json) -> str:
    """What the model said; a refusal that stands in a field of its own is what it said, too."""
    content = message.get("content")
    if isinstance(content, list):
        parts = (mapping(part) for part in content)
        content = "".join(string(part.get("text")) for part in parts if part.get("type") == "text")
    return string(content) or string(message.get("refusal"))


def _logprobs(logprobs: Json) -> str | None:
    """Per token written, its candidates as [text, log-probability], itself first; None without any."""
    tokens = logprobs.get("content")
    return json.dumps([_candidates(mapping(token)) for token in tokens]) if isinstance(tokens, list) else None


def _candidates(token: Json) -> list[list[object]]:
    others = token.get("top_logprobs")
    candidates = [token, *map(mapping, others if isinstance(others, list) else ())]
    values = {string(each.get("token")): _log_probability(each.get("logprob")) for each in candidates}
    return [[text, value] for text, value in values.items()]


def _cached(usage: Json) -> int | None:
    details = mapping(usage.get("prompt_tokens_details"))
    found = _count(details.get("cached_tokens"))
    return _count(usage.get("prompt_cache_hit_tokens")) if found is None else found


def _count(value: object) -> int | None:
    """A count of tokens; None for all that is none."""
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None


def _log_probability(value: object) -> float | None:
    """At most 0, but for what is an error of the arithmetic; None for all that is none."""
    if isinstance(value, bool) or not isinstance(value, float | int) or not -MOST_TOKENS < value < 1:
        return None
    return float(value)
