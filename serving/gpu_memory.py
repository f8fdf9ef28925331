"""How much memory of a GPU a model takes, and so on how many it fits. Arithmetic on what its config states.

Bytes of one GPU: its share of the weights, of the KV cache, and `OVERHEAD` for activations, CUDA graphs and
the communication between GPUs, a round figure of ours. Weights are shared by tensor and pipeline
parallelism; so is the KV cache, but that a head cannot be split, and that the one latent head of MLA
(DeepSeek V3) is on every GPU of a stage. Layers with sliding windows count as full ones, which is too much.
"""

from __future__ import annotations

import math

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt

GPU = 80e9  # bytes
UTILIZATION = 0.9  # of them, which vLLM takes unless told otherwise
OVERHEAD = 4e9  # bytes
KV_BYTES = 2  # of each value, in 16 bits


class Size(BaseModel):
    """A model's size.

    `parameters` in billions, each of `bytes_each` bytes; `layers`, and in each of them for every token
    `kv_heads` heads of `kv_values` cached values (keys and values together).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    parameters: PositiveFloat
    bytes_each: float = Field(2.0, gt=0.0, le=4.0)
    layers: PositiveInt
    kv_heads: PositiveInt
    kv_values: PositiveInt

    @property
    def weights(self) -> float:
        """Bytes of all weights."""
        return self.parameters * 1e9 * self.bytes_each


def kv_bytes(size: Size, tensor_parallel: int = 1, pipeline_parallel: int = 1) -> int:
    """Bytes that one token takes in the cache of one GPU."""
    layers = math.ceil(size.layers / pipeline_parallel)
    heads = math.ceil(size.kv_heads / tensor_parallel)
    return layers * heads * size.kv_values * KV_BYTES


def cache_tokens(size: Size, tensor_parallel: int, pipeline_parallel: int = 1, gpu: float = GPU) -> int:
    """Tokens that fit into the KV cache beside the weights; 0 where not even these fit."""
    share = size.weights / (tensor_parallel * pipeline_parallel)
    room = gpu * UTILIZATION - OVERHEAD - share
    return max(0, int(room / kv_bytes(size, tensor_parallel, pipeline_parallel)))
