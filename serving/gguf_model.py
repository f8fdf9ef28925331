"""From a GGUF file of the llama architecture to a model folder in the form of Hugging Face.

Quantised weights are written as float16, which holds the products of GGUF's half-precision scales more
closely than bfloat16 would. The formats are described in the GGUF specification of the ggml project.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from serving.errors import ModelError
from serving.gguf_tokenizer import write_tokenizer

if TYPE_CHECKING:
    from gguf import GGUFReader, ReaderTensor

Weights: TypeAlias = NDArray[np.floating]
Metadata: TypeAlias = dict[str, object]

OUTSIDE_LAYERS = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
IN_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def convert(file: Path, folder: Path) -> None:
    """Writes weights, configuration and tokenizer into `folder`. Raises `ModelError` for other formats."""
    reader = open_gguf(file)
    metadata = read_metadata(reader)
    weights = {hub_name(tensor.name): _dequantised(tensor, metadata) for tensor in reader.tensors}
    write_weights(weights, folder)
    write_config(config(metadata, tied="lm_head.weight" not in weights), folder)
    write_tokenizer(metadata, folder)


def open_gguf(file: Path) -> GGUFReader:
    """The file, opened. Raises `ModelError` where it is no GGUF file or the package gguf is not installed."""
    try:
        from gguf import GGUFReader
    except ImportError:
        raise ModelError(
            "the package gguf is not installed; it comes with moot's extras 'cpu' and 'gpu'"
        ) from None
    try:
        return GGUFReader(file)
    except (OSError, ValueError) as error:
        raise ModelError(f"'{file}' cannot be read as GGUF: {error}") from None


def read_metadata(reader: GGUFReader) -> Metadata:
    """The file's key-value pairs. Raises `ModelError` unless its architecture is llama."""
    metadata = {key: field.contents() for key, field in reader.fields.items()}
    architecture = metadata.get("general.architecture")
    if architecture != "llama":
        raise ModelError(f"the GGUF file holds a model of architecture '{architecture}'; expected 'llama'")
    return metadata


def config(metadata: Metadata, tied: bool) -> dict[str, object]:
    """The configuration of the model; `tied` says that it writes with its embedding matrix."""

    def llama(key: str) -> int:
        return int(str(metadata[f"llama.{key}"]))

    heads, width = llama("attention.head_count"), llama("embedding_length")
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "torch_dtype": "float16",
        "hidden_size": width,
        "intermediate_size": llama("feed_forward_length"),
        "num_hidden_layers": llama("block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": llama("attention.head_count_kv"),
        "head_dim": width // heads,
        "max_position_embeddings": llama("context_length"),
        "rope_theta": metadata["llama.rope.freq_base"],
        "rms_norm_eps": metadata["llama.attention.layer_norm_rms_epsilon"],
        "hidden_act": "silu",
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": tied,
        "vocab_size": llama("vocab_size"),
        "bos_token_id": metadata["tokenizer.ggml.bos_token_id"],
        "eos_token_id": metadata["tokenizer.ggml.eos_token_id"],
    }


def hub_name(name: str) -> str:
    """What Hugging Face calls the tensor that GGUF calls `name`. Raises `ModelError` for an unknown one."""
    if name in OUTSIDE_LAYERS:
        return OUTSIDE_LAYERS[name]
    match name.split("."):
        case ["blk", layer, part, "weight"] if part in IN_LAYER:
            return f"model.layers.{layer}.{IN_LAYER[part]}.weight"
    raise ModelError(f"the GGUF file has a tensor '{name}' that a llama model is not known to have")


def unpermuted(weights: Weights, heads: int) -> Weights:
    """Rows of a projection in Hugging Face's order: GGUF interleaves the two halves of each rotary head."""
    rows, columns = weights.shape
    return weights.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def write_weights(weights: dict[str, Weights], folder: Path) -> None:
    """Writes all tensors into one safetensors file, as float16."""
    from safetensors.numpy import save

    halves = {name: np.ascontiguousarray(tensor, dtype=np.float16) for name, tensor in weights.items()}
    (folder / "model.safetensors").write_bytes(save(halves, metadata={"format": "pt"}))


def write_config(settings: dict[str, object], folder: Path) -> None:
    """Writes the model's configuration and which tokens begin and end its texts."""
    (folder / "config.json").write_text(json.dumps(settings, indent=1))
    tokens = {key: settings[key] for key in ("bos_token_id", "eos_token_id")}
    (folder / "generation_config.json").write_text(json.dumps(tokens, indent=1))


def _dequantised(tensor: ReaderTensor, metadata: Metadata) -> Weights:
    from gguf.quants import dequantize

    shape = tuple(int(size) for size in reversed(tensor.shape))
    weights: Weights = dequantize(tensor.data, tensor.tensor_type).reshape(shape)
    if ".attn_q." in tensor.name:
        return unpermuted(weights, int(str(metadata["llama.attention.head_count"])))
    if ".attn_k." in tensor.name:
        return unpermuted(weights, int(str(metadata["llama.attention.head_count_kv"])))
    return weights
