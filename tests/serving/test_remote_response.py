"""From a server's answer to a reply or an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from protocols.dialogue import Ask, Reply
from serving.errors import ServingError, TransportError
from serving.price import Price
from serving.remote.answer import Answer
from serving.remote.failures import YEAR, retry_after
from serving.remote.response import cost, read_reply
from serving.remote_block import RemoteBlock

WriteAsk = Callable[..., Ask]

BLOCK = RemoteBlock.model_validate(
    {
        "backend": "openai",
        "model": "m",
        "base_url": "https://host.example/v1",
        "price": {"input": 1, "output": 2},
    }
)


def read(ask: Ask, body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    text = body if isinstance(body, str) else json.dumps(body)
    return read_reply(BLOCK, ask, Answer(status, headers or {}, text), seconds=0.5)


def said(
    message: Mapping[str, object], finish_reason: str | None = "stop", **keys: object
) -> dict[str, object]:
    return {"choices": [{"message": message, "finish_reason": finish_reason}], **keys}


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        ({"content": "NTA"}, "NTA", ""),
        ({"content": "NTA", "reasoning_content": "hm"}, "NTA", "hm"),
        ({"content": "NTA", "reasoning": "hm", "reasoning_content": None}, "NTA", "hm"),
        ({"content": "<think>hm</think>NTA"}, "<think>hm</think>NTA", ""),
        ({"content": None, "refusal": "I cannot."}, "I cannot.", ""),
        ({"content": [{"type": "text", "text": "N"}, {"type": "text", "text": "TA"}]}, "NTA", ""),
        ({"content": None}, "", ""),
    ],
)
def test_text_and_reasoning_are_kept_apart(
    message: dict[str, object], text: str, reasoning: str, write_ask: WriteAsk
) -> None:
    reply = read(write_ask(), said(message))
    assert (reply.text, reply.reasoning) == (text, reasoning)


@pytest.mark.parametrize(
    ("reason", "is_read"),
    [
        ("stop", "stop"),
        ("eos", "stop"),
        ("end_turn", "stop"),
        ("length", "length"),
        ("MAX_TOKENS", "length"),
        ("content_filter", "content_filter"),
        ("SAFETY", "content_filter"),
        ("sensitive", "content_filter"),
        ("content_filter: PROHIBITED_CONTENT", "content_filter"),
    ],
)
def test_an_end_has_many_names(reason: str, is_read: str, write_ask: WriteAsk) -> None:
    assert read(write_ask(), said({"content": "NTA"}, reason)).finish_reason == is_read


@pytest.mark.parametrize("reason", [None, "error", "insufficient_system_resource"])
def test_a_reply_that_was_broken_off_is_lost(reason: str | None, write_ask: WriteAsk) -> None:
    with pytest.raises(TransportError, match="broke the reply off"):
        read(write_ask(), said({"content": "NT"}, reason))


def test_usage_is_known_or_unknown_and_never_zero_for_want_of_it(write_ask: WriteAsk) -> None:
    details = {"prompt_tokens": 10, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}}
    full = read(write_ask(), said({"content": ""}, usage=details))
    assert (full.prompt_tokens, full.cached_tokens, full.completion_tokens) == (10, 4, 3)
    other = {"prompt_tokens": 10, "completion_tokens": 3, "prompt_cache_hit_tokens": 8}
    assert read(write_ask(), said({"content": ""}, usage=other)).cached_tokens == 8
    for nothing in ({}, {"usage": None}, {"usage": {"prompt_tokens": "many"}}):
        reply = read(write_ask(), said({"content": ""}, **nothing))
        assert (reply.prompt_tokens, reply.cached_tokens, reply.completion_tokens) == (None, None, None)
        assert reply.cost_usd is None


def test_cost_is_usage_by_price_and_unknown_without_either() -> None:
    usage = {"prompt_tokens": 1_000_000, "completion_tokens": 500_000}
    cached = {**usage, "prompt_tokens_details": {"cached_tokens": 600_000}}
    assert cost(Price(input=2.0, output=8.0), usage) == pytest.approx(6.0)
    assert cost(Price(input=2.0, output=8.0), cached) == pytest.approx(6.0)
    assert cost(Price(input=2.0, cached=0.5, output=8.0), cached) == pytest.approx(0.8 + 0.3 + 4.0)
    assert cost(Price(input=2.0, output=8.0), {"prompt_tokens": 5}) is None
    assert cost(None, usage) is None


def test_who_answered_is_what_the_server_says_or_where_it_was_asked(write_ask: WriteAsk) -> None:
    told = read(write_ask(), said({"content": ""}, model="m-2026-01-01", provider="Somewhere"))
    untold = read(write_ask(), said({"content": ""}))
    assert (told.model, told.provider) == ("m-2026-01-01", "Somewhere")
    assert (untold.model, untold.provider) == ("m", "host.example")


def test_log_probabilities_are_candidates_by_token_itself_first(write_ask: WriteAsk) -> None:
    top = [{"token": "b", "logprob": -0.1}, {"token": "a", "logprob": -2.0}]
    content = [{"token": "a", "logprob": -2.0, "top_logprobs": top}, {"token": "c", "logprob": 0.0}]
    body = {"choices": [{"message": {}, "finish_reason": "stop", "logprobs": {"content": content}}]}
    logprobs = read(write_ask(), body).logprobs
    assert logprobs is not None
    assert json.loads(logprobs) == [[["a", -2.0], ["b", -0.1]], [["c", 0.0]]]


FAILED: list[tuple[int, object, type[ServingError] | str, str]] = [
    (
        400,
        {"object": "error", "message": "This model's maximum context length is 9", "code": 400},
        "too_long",
        "9",
    ),
    (400, {"error": {"message": "prompt is too long: 9 tokens > 8 maximum"}}, "too_long", "9 tokens > 8"),
    (413, "too big", "too_long", "too big"),
    (400, {"error": {"message": "m is not a valid model ID", "code": 400}}, "model", "not a valid model"),
    (404, "<html>nginx</html>", "model", "page of HTML"),
    (403, "<html>challenge</html>", "overloaded", "page of HTML"),
    (403, {"error": {"message": "Your account has been flagged"}}, "auth", "account"),
    (
        403,
        {"error": {"message": "Your account has been suspended for its content policy"}},
        "auth",
        "suspended",
    ),
    (403, {"error": {"message": "Key limit exceeded (total limit)", "code": 403}}, "quota", "Top up"),
    (400, {"error": {"message": "Your credit balance is too low to go on"}}, "quota", "Top up"),
    (400, {"error": {"message": "Access denied", "code": "Arrearage"}}, "quota", "Top up"),
    (429, {"error": {"message": "see billing", "type": "exceeded_current_quota_error"}}, "quota", "Top up"),
    (304, "", "transient", "HTTP 304"),
    (302, "", "transient", "HTTP 302"),
    (307, "moved", "model", "base_url"),
    (401, {"detail": "Unauthorized"}, "auth", "Unauthorized"),
    (400, [{"error": {"code": 400, "message": "bad"}}], "bad_request", "bad"),
    (422, {"detail": [{"loc": ["body", "seed"]}]}, "bad_request", "seed"),
    (400, "", "bad_request", "nothing"),
    (408, {}, "transient", "408"),
    (500, "<html>oops</html>", "overloaded", "page of HTML"),
    (503, {"error": "busy"}, "overloaded", "busy"),
    (200, {"error": {"message": "busy", "code": 429}}, "rate_limited", "busy"),
    (200, {"error": {"message": "odd"}}, "overloaded", "odd"),
    (200, "<html>sign in</html>", "overloaded", "HTML"),
    (200, "", "transient", "no chat completion"),
    (200, {"choices": []}, "transient", "no chat completion"),
    (200, "[1, 2]", "transient", "no chat completion"),
]


@pytest.mark.parametrize(("status", "body", "kind", "told"), FAILED)
def test_what_is_no_reply_is_an_error_of_its_kind(
    status: int, body: object, kind: str, told: str, write_ask: WriteAsk
) -> None:
    with pytest.raises(ServingError) as raised:
        read(write_ask(), body, status)
    assert raised.value.kind == kind
    assert told in str(raised.value)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"code": "content_filter", "innererror": {"code": "ResponsibleAIPolicyViolation"}}),
        (400, {"message": "Content Exists Risk"}),
        (400, {"message": "The input was flagged by the safety system"}),
        (403, {"message": "moderation", "code": 403, "metadata": {"reasons": ["violence"]}}),
    ],
)
def test_a_content_filter_is_a_reply_by_whatever_error_it_is_told(
    status: int, error: dict[str, object], write_ask: WriteAsk
) -> None:
    assert read(write_ask(), {"error": error}, status).finish_reason == "content_filter"


def test_retry_after_is_seconds_or_a_date() -> None:
    def wait(**headers: str) -> float | None:
        return retry_after(
            Answer(429, {name.replace("_", "-"): value for name, value in headers.items()}, "")
        )

    assert [wait(Retry_After="7"), wait(retry_after="0.5"), wait(retry_after_ms="250")] == [7.0, 0.5, 0.25]
    later = wait(Retry_After=format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True))
    assert later is not None
    assert 60 < later <= 90
    assert wait(Retry_After=format_datetime(datetime.now(UTC) - timedelta(seconds=90), usegmt=True)) == 0.0
    assert [wait(), wait(Retry_After="soon"), wait(Retry_After="-3"), wait(Retry_After="nan")] == [None] * 4
    assert [wait(Retry_After="1e300"), wait(retry_after_ms="1e300")] == [YEAR, YEAR]
    for day in ("99999999999999999999 Oct 2015 07:28:00 GMT", "21 Oct 2015 07:28:00 +99999999999999999999"):
        assert wait(Retry_After=f"Wed, {day}") is None
