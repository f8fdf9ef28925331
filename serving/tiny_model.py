"""A tiny llama with random weights and SmolLM2's tokenizer: a real engine in seconds, for tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from serving.gguf_model import Weights, config, open_gguf, read_metadata, write_config, write_weights
from serving.gguf_tokenizer import write_tokenizer
from serving.smollm2 import smollm2_gguf

WIDTH, INNER, LAYERS, HEADS, KEY_VALUE_HEADS = 64, 128, 2, 2, 1
HEAD = WIDTH // HEADS
SPREAD = 0.05  # standard deviation of the weights


def build_tiny(folder: Path) -> None:
    """Writes the model into `folder`, always the same. Raises `ModelError` as smollm2 does."""
    metadata = read_metadata(open_gguf(smollm2_gguf()))
    settings = config(metadata, tied=True) | {
        "hidden_size": WIDTH,
        "intermediate_size": INNER,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": KEY_VALUE_HEADS,
        "head_dim": HEAD,
    }
    write_weights(random_weights(int(str(settings["vocab_size"]))), folder)
    write_config(settings, folder)
    write_tokenizer(metadata, folder)


def random_weights(vocabulary: int) -> dict[str, Weights]:
    """Normal weights from a fixed seed; norms are 1."""
    random = np.random.default_rng(0)
    weights: dict[str, Weights] = {}
    for name, shape in shapes(vocabulary).items():
        weights[name] = random.normal(0.0, SPREAD, shape) if len(shape) == 2 else np.ones(shape)
    return weights


def shapes(vocabulary: int) -> dict[str, tuple[int, ...]]:
    """Every tensor's shape, as (outputs, inputs)."""
    outside: dict[str, tuple[int, ...]] = {
        "model.embed_tokens.weight": (vocabulary, WIDTH),
        "model.norm.weight": (WIDTH,),
    }
    layer: dict[str, tuple[int, ...]] = {
        "input_layernorm": (WIDTH,),
        "self_attn.q_proj": (HEADS * HEAD, WIDTH),
        "self_attn.k_proj": (KEY_VALUE_HEADS * HEAD, WIDTH),
        "self_attn.v_proj": (KEY_VALUE_HEADS * HEAD, WIDTH),
        "self_attn.o_proj": (WIDTH, HEADS * HEAD),
        "post_attention_layernorm": (WIDTH,),
        "mlp.gate_proj": (INNER, WIDTH),
        "mlp.up_proj": (INNER, WIDTH),
        "mlp.down_proj": (WIDTH, INNER),
    }
    layers = {
        f"model.layers.{number}.{part}.weight": shape
        for number in range(LAYERS)
        for part, shape in layer.items()
    }
    return outside | layers
