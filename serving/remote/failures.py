"""What an answer that holds no reply means: the error of ours that it is, by status, code and wording.

Codes are looked at before statuses, for servers agree on them more; wordings last, where servers give
nothing else to tell an over-long prompt, an unknown model or a content filter by.
"""

from __future__ import annotations

import math
import re
import time
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from serving.errors import (
    AskRefused,
    AuthError,
    ModelError,
    Overloaded,
    PromptTooLong,
    QuotaExhausted,
    RateLimited,
    ServingError,
    TransportError,
)
from serving.remote.answer import Answer, Json, mapping, string
from serving.remote_block import RemoteBlock

SHOWN = 500  # characters of what a server said
YEAR = 366 * 86_400.0  # seconds; nobody waits longer

QUOTA = frozenset(
    {
        "insufficient_quota",
        "insufficient_balance",
        "billing_hard_limit_reached",
        "billing_not_active",
        "exceeded_current_quota_error",
        "arrearage",
    }
)
RATE = frozenset({"rate_limit_exceeded", "rate_limit_error", "too_many_requests", "rate_limited"})
FILTER = frozenset(
    {
        "content_filter",
        "content_policy_violation",
        "responsibleaipolicyviolation",
        "data_inspection_failed",
        "moderation_error",
    }
)
TOO_LONG = frozenset({"context_length_exceeded", "string_above_max_length", "request_too_large"})
NO_MODEL = frozenset({"model_not_found", "model_not_available", "deploymentnotfound"})

QUOTA_WORDS = re.compile(
    r"credit balance is too low|account balance is (insufficient|not enough)|^key limit exceeded", re.I
)
ACCOUNT_WORDS = re.compile(
    r"\b(your|this|the) (account|organi[sz]ation|project|(api )?key|access)\b.{0,40}"
    r"\b(suspended|deactivated|disabled|banned|terminated|blocked|restricted|revoked)\b",
    re.I,
)
FILTER_WORDS = re.compile(
    r"content (management )?policy|content exists risk|\b(input|prompt|content)\b.{0,40}\bflagged", re.I
)
TOO_LONG_WORDS = re.compile(
    r"context (length|window)|maximum context|max_model_len|reduce the length"
    r"|\b(prompt|input|messages?|request)\b.{0,40}\btoo (long|large|many tokens)",
    re.I,
)
NO_MODEL_WORDS = re.compile(r"not a valid model|model.{0,80}(does not exist|not exist|not found)", re.I)

LOST = (304, 408, 409, 425)  # the request did not arrive whole or crossed another one, or a cache is confused
NOTHING = "nothing"


class Problem(NamedTuple):
    """What a server said had gone wrong: its status, its codes in lower case, its words."""

    status: int
    codes: frozenset[str]
    said: str
    is_html: bool
    retry_after: float | None


def problem(answer: Answer, body: Json) -> Problem | None:
    """What went wrong; None where the answer holds no error. An error inside a success counts as one.

    `body` is what could be read of the answer's body.
    """
    error = body.get("error") or ({} if answer.status < 400 else body)
    if answer.status < 300 and not error:
        return None
    details = mapping(error)
    inner = mapping(details.get("innererror"))
    names = (details.get("code"), details.get("type"), inner.get("code"), *_reasons(details))
    said = string(details.get("message")) or string(details.get("detail")) or string(error) or answer.text
    return Problem(
        status=answer.status if answer.status >= 300 else _status_inside(details),
        codes=frozenset(name.lower() for name in names if isinstance(name, str)),
        said=" ".join(said.split())[:SHOWN] or NOTHING,
        is_html=answer.is_html,
        retry_after=retry_after(answer),
    )


def is_content_filter(found: Problem) -> bool:
    """Whether the provider refuses the content, which is a reply and no failure (law 3)."""
    if found.codes & FILTER:
        return True
    if found.status not in (400, 403, 422) or found.is_html or ACCOUNT_WORDS.search(found.said):
        return False
    return bool(FILTER_WORDS.search(found.said))


def failure(block: RemoteBlock, found: Problem, max_tokens: int) -> ServingError:
    """The error that a problem is."""
    said = "a page of HTML" if found.is_html else found.said.rstrip(".")
    story = f"HTTP {found.status}: {said}"
    if found.codes & QUOTA or found.status == 402 or _is_unpaid(found):
        return QuotaExhausted(f"{story}. Top up the account or raise its limit, then run again")
    if found.status == 429 or found.codes & RATE:
        return RateLimited(story, found.retry_after)
    if found.status >= 500 or (found.is_html and found.status not in (401, 404)):
        return Overloaded(story, found.retry_after)
    return _of_the_ask(block, found, max_tokens, story)


def _of_the_ask(block: RemoteBlock, found: Problem, max_tokens: int, story: str) -> ServingError:
    if found.codes & TOO_LONG or found.status == 413:
        return PromptTooLong(block.model, None, max_tokens, None, found.said)
    if found.status in (401, 403):
        return AuthError(f"{story}. Check the key, and whether it may use this model")
    if found.status in LOST or (found.status < 400 and found.said == NOTHING):
        return TransportError(story)
    if found.status == 404 or found.status < 400 or found.codes & NO_MODEL:
        return ModelError(f"POST {block.address}: {story}. Check model and base_url")
    if TOO_LONG_WORDS.search(found.said):
        return PromptTooLong(block.model, None, max_tokens, None, found.said)
    if NO_MODEL_WORDS.search(found.said):
        return ModelError(f"POST {block.address}: {story}. Check model and base_url")
    return AskRefused(f"{story}. If a parameter is not known there, say so under accepts")


def _is_unpaid(found: Problem) -> bool:
    """Whether a server has only words for it that there is no credit left."""
    return found.status in (400, 403, 429) and not found.is_html and bool(QUOTA_WORDS.search(found.said))


def retry_after(answer: Answer) -> float | None:
    """The wait that the server asks for, in seconds; None where there is none or it cannot be read.

    A header gives it in seconds, in milliseconds, or as an HTTP date; what is more than a year is a year.
    """
    headers = {name.lower(): value for name, value in answer.headers.items()}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _seconds(headers.get(name, ""))
        if seconds is not None:
            return min(YEAR, seconds * unit)
    try:
        moment = parsedate_to_datetime(headers["retry-after"]).timestamp()
    except (KeyError, ValueError, TypeError, OverflowError):  # of a date of no calendar
        return None
    return min(YEAR, max(0.0, moment - time.time()))


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _reasons(details: object) -> tuple[str, ...]:
    """A router's own way to say that its moderation stopped a prompt."""
    return ("moderation_error",) if "reasons" in mapping(mapping(details).get("metadata")) else ()


def _status_inside(details: object) -> int:
    """The status that an error inside a successful answer names; 502 where it names none."""
    code = mapping(details).get("code")
    return code if isinstance(code, int) and 400 <= code < 600 else 502
