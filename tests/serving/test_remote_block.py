"""The block of a remote model: what is refused and how, what identifies the model, what is never repeated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from protocols.dialogue import Sampling
from serving.blocks import ModelBlock, RemoteBlock
from serving.remote.request import max_tokens_name, not_sent

Read = Callable[..., ModelBlock]

PLAIN: dict[str, Any] = {"backend": "openai", "model": "gpt-x"}
KEYS = [
    "sk-proj-abcdefghijklmnop0123",
    "gsk_abcdefghij0123456789",
    "0123456789abcdef0123456789abcdef",
    "ABCDEF0123456789ABCDEF0123456789",
    12345678901234567890,
    ["sk-hidden"],
]

REFUSED = [
    ({"base_url": "api.openai.com/v1"}, "expected one like https://api.openai.com/v1"),
    ({"base_url": "ftp://host/v1"}, "expected one like"),
    ({"base_url": "https://"}, "expected one like"),
    ({"base_url": "https://host:port/v1"}, "expected one like"),
    ({"base_url": "https://.../v1"}, "expected one like"),
    ({"base_url": "https://a..b/v1"}, "expected one like"),
    ({"base_url": f"https://{'a' * 64}.example/v1"}, "expected one like"),
    ({"accepts": {"seeds": False}}, "accepts.seeds\n  Extra inputs are not permitted"),
    ({"accepts": {"temperature": False}, "temperature": 0.2}, "it would not be sent; leave it out"),
    ({"sampling": {"max_completion_tokens": 3}}, "own key 'max_tokens'"),
    ({"sampling": {"seed": 3}}, "set for every ask"),
    ({"sampling": {"stop": ["a", "b"]}}, "expected one number, string"),
    ({"sampling": {"stop": {"a": 1}}}, "'stop' is a mapping; expected one number"),
    ({"sampling": {"max_new_tokens": 3}, "accepts": {"max_tokens": "max_new_tokens"}}, "under 'sampling'"),
    ({"base_url": "https://host /v1"}, "white space"),
    ({"base_url": "https://host/\nv1"}, "white space"),
    ({"context": 512}, "no room for a prompt"),
    ({"max_reply_bytes": 0}, "greater than or equal to 1024"),
    ({"replicas": 3, "in_flight": 2}, "expected at least one for each"),
    ({"deadlines": {"total": 0}}, "greater than 0"),
    ({"price": {"input": 1.0}}, "output\n  Field required"),
    ({"price": {"input": -1.0, "output": 1.0}}, "greater than or equal to 0"),
    ({"tries": 0}, "greater than or equal to 1"),
    ({"transport": "fast"}, "'official' or 'lean'"),
]


@pytest.mark.parametrize(("keys", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_a_bad_block_is_refused_by_a_message_that_says_what_is_expected(
    keys: dict[str, object], message: str, read_block: Read
) -> None:
    with pytest.raises(ValidationError) as refusal:
        read_block(**{**PLAIN, **keys})
    assert message in str(refusal.value)


NUMBERS = [
    *(("price", name) for name in ("input", "output", "cached")),
    *(("limits", name) for name in ("requests_per_minute", "tokens_per_minute", "patience", "cut_to")),
    *(("deadlines", name) for name in ("connect", "first_byte", "total")),
    *((name,) for name in ("temperature", "top_p", "max_tokens", "context", "tries", "max_reply_bytes")),
]


@pytest.mark.parametrize("place", NUMBERS, ids=".".join)
@pytest.mark.parametrize("value", [True, "0.5", "1"], ids=repr)
def test_what_is_to_be_a_number_is_one(place: tuple[str, ...], value: object, read_block: Read) -> None:
    """Neither what YAML reads as a boolean nor a number in quotes."""
    *above, name = place
    others = {"input": 1, "output": 1} if above == ["price"] else {}
    keys = {above[0]: {**others, name: value}} if above else {name: value}
    with pytest.raises(ValidationError) as refusal:
        read_block(**{**PLAIN, **keys})
    assert {problem["loc"][-1] for problem in refusal.value.errors()} == {name}


def test_what_is_accepted_is_yes_or_no(read_block: Read) -> None:
    for name in ("seed", "response_format", "logprobs", "system", "temperature", "top_p"):
        for value in (0, 1, "no"):
            with pytest.raises(ValidationError, match="valid boolean"):
                read_block(**{**PLAIN, "accepts": {name: value}})


@pytest.mark.parametrize(
    "name", ["messages", "seed", "model", "stream", "temperature", "provider", "n", "top_logprobs"]
)
def test_max_tokens_goes_by_no_name_of_another_field(name: str, read_block: Read) -> None:
    with pytest.raises(ValidationError, match=f"'{name}' is another field of the request"):
        read_block(**{**PLAIN, "accepts": {"max_tokens": name}})


@pytest.mark.parametrize(
    "name", "api_key api-key apiKey key access_token Authorization extra_headers headers cookie".split()
)
def test_what_looks_like_a_key_among_parameters_is_refused_and_not_repeated(
    name: str, read_block: Read
) -> None:
    secret = "sk-planted-0123456789"
    for value in (secret, {"Authorization": secret}, [secret]):
        for keys in ({"sampling": {name: value}}, {"provider": {"only": [{name: value}]}}):
            with pytest.raises(ValidationError) as refusal:
                read_block(**{**PLAIN, **keys})
            [problem] = refusal.value.errors()
            assert f"'{name}' looks like a key" in problem["msg"]
            assert secret not in problem["msg"]


def test_parameters_that_only_sound_like_keys_are_taken(read_block: Read) -> None:
    names = ("max_output_tokens", "prompt_cache_key", "min_tokens", "skip_special_tokens", "stop_token_ids")
    extra = dict.fromkeys(names, 1)
    assert read_block(**PLAIN, sampling=extra).sampling().extra == tuple(sorted(extra.items()))


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_a_key_in_place_of_its_name_is_refused_and_not_repeated(
    key: object, tmp_path: Path, read_block: Read
) -> None:
    with pytest.raises(ValidationError) as refusal:
        read_block(**{**PLAIN, "key": key})
    [problem] = refusal.value.errors()
    assert "a name like OPENAI_API_KEY" in problem["msg"]
    assert str(key) not in problem["msg"]


@pytest.mark.parametrize(
    "url", ["https://me:secret@host/v1", "https://host/v1?key=secret", "https://h/v1#secret"]
)
def test_what_may_be_secret_in_an_address_is_refused_and_not_repeated(url: str, read_block: Read) -> None:
    with pytest.raises(ValidationError) as refusal:
        read_block(**{**PLAIN, "base_url": url})
    [problem] = refusal.value.errors()
    assert "expected a plain address" in problem["msg"]
    assert "secret" not in problem["msg"]


def test_a_block_that_is_written_down_and_read_again_is_the_same(read_block: Read) -> None:
    full = {
        **PLAIN,
        "base_url": "http://localhost:8000/v1/",
        "key": None,
        "sampling": {"top_k": 5},
        "accepts": {"seed": False, "max_tokens": "max_completion_tokens"},
        "provider": {"order": ["a", "b"], "allow_fallbacks": False},
        "limits": {"requests_per_minute": 60},
        "price": {"input": 1.0, "cached": 0.1, "output": 2.0},
        "context": 8192,
    }
    first = read_block(**full)
    assert read_block(**first.model_dump(mode="json")) == first


def test_deadlines_that_are_not_given_are_no_longer_than_the_whole(read_block: Read) -> None:
    def deadlines(**keys: float) -> tuple[float, float, float]:
        block = read_block(**PLAIN, deadlines=keys)
        assert isinstance(block, RemoteBlock)
        return block.deadlines.connect, block.deadlines.first_byte, block.deadlines.total

    assert deadlines() == (10, 120, 300)
    assert deadlines(total=60) == (10, 60, 60)
    assert deadlines(total=5) == (5, 5, 5)
    assert deadlines(total=600, first_byte=600) == (10, 600, 600)


def test_identity_is_who_answers_and_what_is_read_there(read_block: Read) -> None:
    def identity(**keys: object) -> dict[str, str | None]:
        return read_block(**{**PLAIN, **keys}).identity()

    assert identity() == {
        "backend": "openai",
        "model": "gpt-x",
        "revision": None,
        "base_url": "https://api.openai.com/v1",
    }
    same = {"key": "OTHER", "transport": "lean", "in_flight": 2, "replicas": 2, "tries": 1, "context": 999}
    assert identity(**same, price={"input": 1, "output": 1}, limits={"tokens_per_minute": 9000}) == identity()
    assert identity(base_url="https://api.openai.com/v1/") == identity()
    pins = [{"order": ["a", "b"]}, {"order": ["b", "a"]}]
    others = [*({"provider": pin} for pin in pins), {"accepts": {"system": False}}, {"model": "gpt-y"}]
    assert len({str(identity(**keys)) for keys in others} | {str(identity())}) == 5
    pin = {"only": ["a"], "sort": "price"}
    assert identity(provider=pin) == identity(provider=dict(reversed(pin.items())))


def test_sampling_is_what_the_block_declares(read_block: Read) -> None:
    block = read_block(**PLAIN, max_tokens=60, temperature=0.5, sampling={"top_k": 5, "min_p": 0.1})
    assert block.sampling() == Sampling(0.5, 60, 1.0, (("min_p", 0.1), ("top_k", 5)))


def test_an_endpoint_is_told_max_tokens_by_its_own_name() -> None:
    def name(**keys: object) -> str:
        return max_tokens_name(RemoteBlock.model_validate({**PLAIN, **keys}))

    assert name() == "max_completion_tokens"
    assert name(base_url="http://localhost:8000/v1") == "max_tokens"
    assert name(accepts={"max_tokens": "max_new_tokens"}) == "max_new_tokens"


def test_what_is_not_sent_is_known() -> None:
    keys = {"accepts": {"seed": False, "logprobs": False}, "sampling": {"logprobs": True}}
    assert not_sent(RemoteBlock.model_validate({**PLAIN, **keys})) == ("seed", "logprobs")
