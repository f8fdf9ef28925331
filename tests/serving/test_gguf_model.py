"""The conversion from GGUF: names, order of rows, values, tokenizer; and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFWriter
from safetensors.numpy import load_file

from serving.errors import ModelError
from serving.gguf_model import convert, hub_name, unpermuted
from serving.gguf_tokenizer import write_tokenizer
from serving.smollm2 import smollm2_gguf

WIDTH, INNER, HEADS = 8, 12, 2
TOKENS = ["<|end|>", "<|begin|>", "a", "b", "ab"]


def write_gguf(file: Path, architecture: str = "llama") -> dict[str, np.ndarray]:
    """Writes a one-layer model of full precision; returns its tensors by their GGUF names."""
    writer = GGUFWriter(file, architecture)
    writer.add_context_length(64)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_block_count(1)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(len(TOKENS))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(TOKENS)
    writer.add_token_types([3, 3, 1, 1, 1])
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(0)
    writer.add_chat_template("{{ messages[0].content }}")
    random = np.random.default_rng(0)
    shapes: dict[str, tuple[int, ...]] = {
        "attn_q": (WIDTH, WIDTH),
        "attn_k": (WIDTH // 2, WIDTH),
        "attn_v": (WIDTH // 2, WIDTH),
        "attn_output": (WIDTH, WIDTH),
        "ffn_gate": (INNER, WIDTH),
        "ffn_up": (INNER, WIDTH),
        "ffn_down": (WIDTH, INNER),
        "attn_norm": (WIDTH,),
        "ffn_norm": (WIDTH,),
    }
    named = {f"blk.0.{part}.weight": shape for part, shape in shapes.items()}
    named |= {"token_embd.weight": (len(TOKENS), WIDTH), "output_norm.weight": (WIDTH,)}
    tensors = {name: random.normal(size=shape).astype(np.float32) for name, shape in named.items()}
    for name, tensor in tensors.items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return tensors


def test_every_weight_arrives_under_its_name_with_its_value(tmp_path: Path) -> None:
    tensors = write_gguf(tmp_path / "model.gguf")
    convert(tmp_path / "model.gguf", tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    assert weights.keys() == {hub_name(name) for name in tensors}
    for name, tensor in tensors.items():
        if "attn_q" in name:
            tensor = unpermuted(tensor, HEADS)
        elif "attn_k" in name:
            tensor = unpermuted(tensor, 1)
        np.testing.assert_array_equal(weights[hub_name(name)], tensor.astype(np.float16))


def test_configuration_is_that_of_the_file(tmp_path: Path) -> None:
    write_gguf(tmp_path / "model.gguf")
    convert(tmp_path / "model.gguf", tmp_path)
    settings = json.loads((tmp_path / "config.json").read_text())
    assert (settings["hidden_size"], settings["head_dim"], settings["num_key_value_heads"]) == (8, 4, 1)
    assert (settings["max_position_embeddings"], settings["vocab_size"]) == (64, 5)
    assert (settings["bos_token_id"], settings["eos_token_id"]) == (1, 0)
    assert settings["tie_word_embeddings"] is True


def test_unpermuting_separates_the_halves_of_each_rotary_head() -> None:
    rows = np.array([[0], [2], [1], [3], [10], [12], [11], [13]])  # halves of two heads, interleaved
    assert unpermuted(rows, 2)[:, 0].tolist() == [0, 1, 2, 3, 10, 11, 12, 13]


def test_another_architecture_is_refused(tmp_path: Path) -> None:
    write_gguf(tmp_path / "model.gguf", architecture="gemma")
    with pytest.raises(ModelError, match="architecture 'gemma'; expected 'llama'"):
        convert(tmp_path / "model.gguf", tmp_path)


def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"not a model at all" * 10)
    with pytest.raises(ModelError, match="cannot be read as GGUF"):
        convert(tmp_path / "model.gguf", tmp_path)


def test_an_unknown_tensor_is_refused() -> None:
    with pytest.raises(ModelError, match=r"tensor 'blk\.0\.ssm_in\.weight'"):
        hub_name("blk.0.ssm_in.weight")


def test_another_tokenizer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="tokenizer 'llama', pre-tokenizer 'default'"):
        write_tokenizer({"tokenizer.ggml.model": "llama", "tokenizer.ggml.pre": "default"}, tmp_path)


def test_the_package_with_the_model_is_found_without_importing_it() -> None:
    assert smollm2_gguf().suffix == ".gguf"
