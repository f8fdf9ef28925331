"""What a model block says of a vLLM engine, wherever the engine runs."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field, field_validator

from protocols.dialogue import Sampling
from serving.block import Block, SamplingExtra, Temperature, TopP, identity_of
from serving.vllm_names import check_engine_names, check_sampling_names

Workers: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=1_000)]
"""Of one engine, each on a GPU of its own where there are any."""


class EngineBlock(Block):
    """A model on vLLM.

    `model` is a name that moot builds itself, a local folder or a Hugging Face name. `sampling_extra` (in
    the file: `sampling`) holds further parameters of vLLM's SamplingParams, `engine` further arguments of
    its AsyncEngineArgs; both are passed through, unknown names are refused. `in_flight` defaults to
    the engine's max_num_seqs. `tokens_per_second` is what one replica is known to write, for `moot plan`.
    """

    backend: str
    model: str = Field(min_length=1)
    revision: str | None = None
    max_tokens: int = Field(512, strict=True, ge=1, le=1_000_000)
    temperature: Temperature = 1.0
    top_p: TopP = 1.0
    sampling_extra: SamplingExtra = Field({}, alias="sampling")
    tensor_parallel: Workers = 1
    in_flight: int | None = Field(None, strict=True, ge=1, le=10_000)
    tokens_per_second: float | None = Field(None, strict=True, ge=0.01, le=10_000_000.0)
    engine: dict[str, object] = Field({})

    @field_validator("sampling_extra")
    @classmethod
    def _known_sampling(cls, extra: SamplingExtra) -> SamplingExtra:
        check_sampling_names(extra)
        return extra

    @field_validator("engine")
    @classmethod
    def _known_arguments(cls, engine: dict[str, object]) -> dict[str, object]:
        check_engine_names(engine)
        return engine

    def sampling(self) -> Sampling:
        """As declared in the block."""
        extra = tuple(sorted(self.sampling_extra.items()))
        return Sampling(self.temperature, self.max_tokens, self.top_p, extra)

    def identity(self) -> dict[str, str | None]:
        """What a reply's fingerprint holds of the model."""
        return identity_of(self.backend, self.model, self.revision)
