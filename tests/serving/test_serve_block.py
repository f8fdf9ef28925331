"""The block of a served model: what is accepted, what identifies it, how much it takes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import ValidationError

from serving.blocks import ModelBlock, VllmBlock
from serving.serve_block import Scale, ServeBlock

SERVE = {"backend": "serve", "model": "org/name"}

REFUSED = [
    ({"replicas": 0}, "greater than or equal to 1"),
    ({"replicas": {"min": 3, "max": 2}}, "'min' is 3 and 'max' 2"),
    ({"replicas": {"min": {"min": 1}, "max": 2}}, "found a mapping; expected one number"),
    *(
        ({key: value}, message)
        for key in ("start_seconds", "reply_seconds", "tokens_per_second")
        for value, message in ((True, "a valid number"), (1e-300, "greater than"), (1e300, "less than"))
    ),
    *(
        ({key: value}, message)
        for key in ("tensor_parallel", "pipeline_parallel")
        for value, message in ((True, "a valid integer"), (0, "greater than"), (10**6, "less than"))
    ),
    ({"replicas": {"min": 1}}, "replicas.scale.max\n  Field required"),
    ({"serve": {}}, "expected one of 'application'"),
    ({"serve": {"application": "a", "url": "http://host/v1"}}, "expected one of 'application'"),
    ({"serve": {"url": "host:8000"}}, "no http:// or https:// address"),
    ({"serve": {"url": "http://host/v1/chat/completions"}}, "'http://host/v1'"),
    ({"engine": {"pipeline_parallel_size": 2}}, "own key 'pipeline_parallel (backend: serve)'"),
    ({"sampling": {"skip_reading_prefix_cache": True}}, "cannot be passed to a served model"),
    ({"sampling": {"topk": 3}}, "did you mean top_k"),
]


@pytest.mark.parametrize(("keys", "message"), REFUSED, ids=[str(keys) for keys, _ in REFUSED])
def test_a_bad_block_is_refused_by_a_message_that_says_what_is_expected(
    keys: dict[str, object], message: str, read_block: Callable[..., ModelBlock]
) -> None:
    with pytest.raises(ValidationError) as refusal:
        read_block(**SERVE, **keys)
    assert message in str(refusal.value)


@pytest.mark.parametrize("backend", ["vllm", "simulated", "scripted", "openai"])
def test_a_scale_is_for_served_models_only(backend: str, read_block: Callable[..., ModelBlock]) -> None:
    with pytest.raises(ValidationError, match="min, max} is for models with backend: serve"):
        read_block(backend=backend, replicas={"min": 1, "max": 3})


def test_where_a_model_is_served_is_no_part_of_it_but_a_server_of_others_is() -> None:
    plain = ServeBlock(**SERVE, revision="abc")
    assert plain.identity() == {"backend": "serve", "model": "org/name", "revision": "abc", "base_url": None}
    same = [
        {"replicas": 3},
        {"replicas": {"min": 1, "max": 8}},
        {"tensor_parallel": 4, "pipeline_parallel": 2},
        {"serve": {"application": "shared", "name": "other"}},
        {"engine": {"max_num_seqs": 4}, "start_seconds": 10, "tries": 2},
    ]
    assert all(
        ServeBlock(**SERVE, revision="abc", **keys).identity() == plain.identity()  # type: ignore[arg-type]
        for keys in same
    )
    elsewhere = ServeBlock(**SERVE, serve={"url": "http://host/v1/"})
    assert elsewhere.identity()["base_url"] == "http://host/v1"


def test_sampling_is_that_of_a_model_on_an_engine_of_ours() -> None:
    keys = {"max_tokens": 60, "temperature": 0.5, "sampling": {"top_k": 5, "logprobs": 2}}
    here = VllmBlock(backend="vllm", model="org/name", **keys)
    assert ServeBlock(**SERVE, **keys).sampling() == here.sampling()


def test_asks_are_as_many_as_all_engines_put_into_batches() -> None:
    assert ServeBlock(**SERVE).asks == 256
    assert ServeBlock(**SERVE, replicas=Scale(min=1, max=3), engine={"max_num_seqs": 8}).asks == 24
    assert ServeBlock(**SERVE, replicas=2, in_flight=5).asks == 5


def test_a_served_name_holds_nothing_that_servers_read_otherwise() -> None:
    """Ray takes what stands behind a colon for the name of an adapter."""
    assert ServeBlock(backend="serve", model="/models/my model:v2").served_name == "/models/my-model-v2"
    named = ServeBlock(**SERVE, serve={"url": "http://host/v1", "name": "llama:latest"})
    assert named.served_name == "llama:latest"


def test_a_block_keeps_its_name_at_the_address_where_it_is_deployed() -> None:
    there = ServeBlock(**SERVE).at("http://127.0.0.1:8000/llama/v1")
    assert there.serve is not None
    assert (there.serve.url, there.served_name) == ("http://127.0.0.1:8000/llama/v1", "org/name")
