"""Models that are known by name: their blocks are blocks, and fit the GPUs that they ask for."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from serving.blocks import RemoteBlock
from serving.engine_block import EngineBlock
from serving.gpu_memory import Size, cache_tokens, kv_bytes
from serving.known_models import block_of, expanded, known_models

OWN = [name for name, known in known_models().items() if known.size is not None]
HOSTED = [name for name in known_models() if name not in OWN]
LLAMA_8B = Size(parameters=8.0, layers=32, kv_heads=8, kv_values=256)


def test_a_token_takes_the_cache_that_hand_arithmetic_says() -> None:
    """32 layers of 8 heads, keys and values of 128 numbers each, two bytes a number: 131,072 bytes."""
    assert kv_bytes(LLAMA_8B) == 131_072
    assert kv_bytes(LLAMA_8B, tensor_parallel=4) == 32_768
    assert kv_bytes(LLAMA_8B, tensor_parallel=16) == 16_384  # a head cannot be split
    assert kv_bytes(LLAMA_8B, tensor_parallel=1, pipeline_parallel=2) == 65_536


def test_the_latent_of_mla_is_on_every_gpu_of_a_stage() -> None:
    """61 layers in two stages of at most 31, 576 values of two bytes."""
    deepseek = Size(parameters=685, bytes_each=1, layers=61, kv_heads=1, kv_values=576)
    assert kv_bytes(deepseek, tensor_parallel=8, pipeline_parallel=2) == 31 * 576 * 2


def test_what_the_weights_leave_is_the_cache() -> None:
    """Of 80 GB 72 are taken, 4 for everything else and 16 for the weights: 52 GB of 131,072 bytes a token."""
    assert cache_tokens(LLAMA_8B, 1) == int(52e9 / 131_072)
    llama_70b = Size(parameters=70.6, layers=80, kv_heads=8, kv_values=256)
    assert cache_tokens(llama_70b, 1) == cache_tokens(llama_70b, 2) == 0  # the weights alone do not fit
    assert cache_tokens(llama_70b, 4) > 32_768
    full = Size(parameters=685, bytes_each=1, layers=61, kv_heads=1, kv_values=576)
    assert cache_tokens(full, 8) == 0  # which is why DeepSeek V3 needs two nodes of eight


@pytest.mark.parametrize("name", OWN)
def test_a_model_fits_its_gpus_with_room_for_a_context_and_not_half_of_them(name: str) -> None:
    known = known_models()[name]
    block = block_of(name)
    assert isinstance(block, EngineBlock)
    assert known.size is not None
    assert known.cache is not None
    context = block.engine["max_model_len"]
    assert isinstance(context, int)
    assert context <= known.context
    assert known.cache >= 2 * context
    across, along = known.parallelism
    if across * along > 1:
        half = (across // 2, along) if along == 1 else (across, along // 2)
        assert cache_tokens(known.size, *half) < 2 * context, "half as many GPUs would do"


@pytest.mark.parametrize("name", OWN)
def test_a_model_that_thinks_names_a_parser_that_vllm_has(name: str) -> None:
    known = known_models()[name]
    parser = known.block["engine"].get("reasoning_parser")
    assert (parser is not None) == (known.reasoning != "no")
    spec = find_spec("vllm")
    if parser and spec and spec.origin:
        source = Path(spec.origin).parent.joinpath("reasoning", "__init__.py").read_text("utf-8")
        assert parser in re.findall(r'"(\w+)": \(', source)


@pytest.mark.parametrize("name", HOSTED)
def test_a_hosted_model_leaves_room_for_a_prompt_and_names_its_key(name: str) -> None:
    block = block_of(name)
    assert isinstance(block, RemoteBlock)
    assert block.key is not None
    assert block.context == known_models()[name].context > block.max_tokens


def test_every_model_says_where_its_figures_are_from() -> None:
    assert all(known.source for known in known_models().values())


def test_what_stands_beside_from_stands_above_it_and_engine_is_merged() -> None:
    given = {"from": "llama-3.1-70b", "backend": "serve", "max_tokens": 99, "engine": {"max_model_len": 4096}}
    block = expanded(given)
    assert "from" not in block
    assert (block["backend"], block["max_tokens"], block["tensor_parallel"]) == ("serve", 99, 4)
    assert block["engine"] == {"dtype": "bfloat16", "max_model_len": 4096}
    assert known_models()["llama-3.1-70b"].block["engine"]["max_model_len"] == 32_768  # left as it was


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"did you mean 'llama-3\.1-8b'\?"):
        expanded({"from": "llama-3.1-8"})
