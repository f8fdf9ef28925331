"""Model blocks: what is accepted, what is refused and how, and what identifies a model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from protocols.dialogue import Sampling
from serving.blocks import ModelBlock, SimulatedBlock, VllmBlock

Read = Callable[..., ModelBlock]

REFUSED = [
    ({"backend": "magic"}, "'vllm', 'serve', 'openai', 'simulated', 'scripted'"),
    ({"model": "tiny"}, "Unable to extract tag using discriminator 'backend'"),
    ({"backend": "vllm"}, "model\n  Field required"),
    ({"backend": "vllm", "model": "tiny", "modle": "x"}, "modle\n  Extra inputs are not permitted"),
    ({"backend": "vllm", "model": "tiny", "temperature": -1}, "greater than or equal to 0"),
    ({"backend": "vllm", "model": "tiny", "max_tokens": 0}, "greater than or equal to 1"),
    ({"backend": "vllm", "model": "tiny", "replicas": 0}, "greater than or equal to 1"),
    ({"backend": "vllm", "model": "tiny", "engine": {"max_model_length": 9}}, "did you mean max_model_len"),
    (
        {"backend": "vllm", "model": "tiny", "engine": {"tensor_parallel_size": 2}},
        "own key 'tensor_parallel'",
    ),
    ({"backend": "vllm", "model": "tiny", "sampling": {"topk": 3}}, "did you mean top_k"),
    ({"backend": "vllm", "model": "tiny", "sampling": {"temperature": 1}}, "own key 'temperature'"),
    ({"backend": "vllm", "model": "tiny", "sampling": {"seed": 1}}, "set for every ask"),
    ({"backend": "vllm", "model": "tiny", "sampling": {"stop": ["a", "b"]}}, "expected one number, string"),
    ({"backend": "simulated", "phi_sd": -1}, "greater than or equal to 0"),
    ({"backend": "simulated", "alpha": float("nan")}, "finite number"),
    ({"backend": "simulated", "temperature": 1}, "Extra inputs are not permitted"),
    ({"backend": "simulated", "latency": {"median": 0, "sigma": 1}}, "greater than 0"),
    ({"backend": "scripted", "replies": []}, "at least 1 item"),
    ({"backend": "scripted", "replies": [{"text": "a"}, {"text": "b"}]}, "two replies for case '*'"),
    ({"backend": "scripted", "replies": [{"text": "a", "round": 0}]}, "greater than 0"),
    ({"backend": "scripted", "replies": [{"text": "a"}], "file": "x"}, "give one of them"),
    ({"backend": "scripted", "file": "missing.jsonl"}, "cannot read the replies in 'missing.jsonl'"),
]


@pytest.mark.parametrize(("block", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_a_bad_block_is_refused_by_a_message_that_says_what_is_expected(
    block: dict[str, object], message: str, read_block: Read
) -> None:
    with pytest.raises(ValidationError) as refusal:
        read_block(**block)
    assert message in str(refusal.value)


def test_sampling_is_what_the_block_declares(read_block: Read) -> None:
    block = read_block(
        backend="vllm", model="tiny", max_tokens=60, temperature=0.5, sampling={"top_k": 5, "min_p": 0.1}
    )
    assert block.sampling() == Sampling(0.5, 60, 1.0, (("min_p", 0.1), ("top_k", 5)))


@pytest.mark.parametrize(
    "block",
    [
        {"backend": "vllm", "model": "tiny", "sampling": {"top_k": 5}, "engine": {"max_model_len": 512}},
        {"backend": "simulated", "latency": {"median": 0.5, "sigma": 1.0}, "in_flight": 8},
        {"backend": "scripted", "replies": [{"seat": "a", "round": 2, "text": "NTA"}]},
    ],
    ids=lambda block: str(block["backend"]),
)
def test_a_block_that_is_written_down_and_read_again_is_the_same(
    block: dict[str, object], read_block: Read
) -> None:
    first = read_block(**block)
    assert read_block(**first.model_dump(mode="json")) == first


def test_identity_of_a_simulated_model_is_its_law_and_not_its_speed() -> None:
    plain = SimulatedBlock(backend="simulated")
    slow = SimulatedBlock(backend="simulated", latency=3.0, replicas=4, in_flight=2)
    other = SimulatedBlock(backend="simulated", alpha=0.0)
    assert plain.identity() == slow.identity() != other.identity()


def test_identity_of_an_engine_is_model_and_revision_and_not_how_it_runs() -> None:
    plain = VllmBlock(backend="vllm", model="org/name", revision="abc")
    wide = VllmBlock(backend="vllm", model="org/name", revision="abc", replicas=4, tensor_parallel=2)
    expected = {"backend": "vllm", "model": "org/name", "revision": "abc", "base_url": None}
    assert plain.identity() == wide.identity() == expected


def test_identity_of_a_script_is_its_table_wherever_it_stands(tmp_path: Path, read_block: Read) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text('{"seat": "a", "text": "NTA"}\n\n{"text": "YTA"}\n')
    inline = [{"seat": "a", "text": "NTA"}, {"text": "YTA"}]
    from_file = read_block(backend="scripted", file=str(file))
    assert from_file.identity() == read_block(backend="scripted", replies=inline).identity()
    assert from_file.identity() != read_block(backend="scripted", replies=inline[:1]).identity()


@pytest.mark.parametrize(("line", "message"), [("{", "line 2: not JSON"), ("[1]", "line 2: found [1]")])
def test_a_bad_line_of_a_reply_file_is_named(
    line: str, message: str, tmp_path: Path, read_block: Read
) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text(f'{{"text": "NTA"}}\n{line}\n')
    with pytest.raises(ValidationError, match=r"replies\.jsonl") as refusal:
        read_block(backend="scripted", file=str(file))
    assert message in str(refusal.value)
