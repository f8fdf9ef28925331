"""Whatever JSON a server sends, what comes of it is a reply that the log takes, or an error."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pyarrow as pa
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis.schema import schema
from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Facts, Message, Reply, Sampling
from protocols.record import Record
from ray_jobs.agent import failure
from ray_jobs.rows import SUMS, reply_row
from serving.errors import ServingError
from serving.purse import charge
from serving.remote.answer import Answer
from serving.remote.response import LONGEST_NAME, MOST_TOKENS, read_reply
from serving.remote_block import RemoteBlock
from serving.worst_case import worst_case

ASK = Ask("s1", "m", (Message("user", "Who?"),), Sampling(), AnswerFormat(), facts=Facts())
BLOCK = RemoteBlock.model_validate({"backend": "openai", "model": "m", "price": {"input": 1, "output": 2}})

STRINGS = st.text(st.characters(exclude_categories=()) | st.sampled_from("\ud800\udfff\0"), max_size=12)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([2**31 - 1, 2**31, 2**63 - 1, 2**63, -(2**70), 10**400, 10**4200]),
    st.floats(),
    STRINGS,
    STRINGS.map(lambda text: text * 1000),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=6,
)
TOKEN = {"token": "NTA", "logprob": -0.1, "top_logprobs": [{"token": "YTA", "logprob": -2.0}]}
COMPLETION: dict[str, Any] = {
    "model": "m-1",
    "provider": "P",
    "error": None,
    "choices": [
        {
            "finish_reason": "stop",
            "message": {"content": "NTA", "reasoning_content": "", "reasoning": "", "refusal": None},
            "logprobs": {"content": [TOKEN]},
        }
    ],
    "usage": {
        "prompt_tokens": 10,
        "completion_tokens": 3,
        "prompt_tokens_details": {"cached_tokens": 1},
        "prompt_cache_hit_tokens": 1,
    },
}
ERROR: dict[str, Any] = {
    "detail": "",
    "error": {
        "code": 3,
        "type": "x",
        "message": "no",
        "innererror": {"code": ""},
        "metadata": {"reasons": []},
    },
}


def places(value: object, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to everything in a JSON value, itself left out."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, each in inside for place in ((*way, key), *places(each, (*way, key)))]


def with_values(body: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """`body` with anything at up to three places in it."""

    def put(changes: list[tuple[tuple[Any, ...], object]]) -> dict[str, Any]:
        changed = deepcopy(body)
        for (*way, last), value in sorted(changes, key=lambda change: -len(change[0])):
            at = changed
            for key in way:
                at = at[key]
            at[last] = value
        return changed

    change = st.tuples(st.sampled_from(places(body)), VALUES)
    return st.lists(change, min_size=1, max_size=3, unique_by=lambda each: each[0]).map(put)


def is_logged(reply: Reply) -> bool:
    """Whether the log and the tables take a reply, and give it back as it was."""
    row = reply_row({}, ASK, Record(0, 0, "s1", "", (), "", "", 0, reply), "")
    for name, value in row.items():
        array = pa.array([value], schema("replies").field(name).type)
        array.validate(full=True)
        if name != "time" and array.to_pylist() != [value]:
            return False
    return True


def comes_to(status: int, body: object) -> Reply | ServingError:
    try:
        return read_reply(BLOCK, ASK, Answer(status, {}, json.dumps(body)), seconds=0.1)
    except ServingError as error:
        return error


@settings(max_examples=80)
@given(with_values(COMPLETION))
@example({**COMPLETION, "model": "\ud800"})
@example({**COMPLETION, "provider": "m\udfff\ud83d" * 1000})
@example({**COMPLETION, "usage": {"prompt_tokens": True, "completion_tokens": 2**63}})
def test_any_value_anywhere_makes_a_reply_that_is_logged_or_an_error(body: dict[str, Any]) -> None:
    reply = comes_to(200, body)
    if isinstance(reply, ServingError):
        failure(reply, 0.0).message.encode()
        return
    assert is_logged(reply)
    assert max(len(reply.model), len(reply.provider)) <= LONGEST_NAME
    for name in SUMS:
        value = getattr(reply, name)
        assert value is None or (type(value) is not bool and 0 <= value <= MOST_TOKENS)
    charge(reply, worst_case(ASK.messages, 10, BLOCK.price))


@settings(max_examples=40)
@given(st.sampled_from([200, 302, 304, 400, 401, 403, 404, 413, 429, 500, 999]), with_values(ERROR))
def test_any_value_anywhere_in_an_error_makes_an_error_that_can_be_told(
    status: int, body: dict[str, Any]
) -> None:
    error = comes_to(status, body)
    if isinstance(error, Reply):
        assert error.finish_reason == "content_filter"
    else:
        failure(error, 0.0).message.encode()
        assert len(str(error)) < 1000
