"""The block of a model that Ray Serve LLM serves."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    field_validator,
    model_validator,
)

from serving.block import Replicas, SamplingExtra, identity_of
from serving.engine_block import EngineBlock, Workers
from serving.limits.limits_block import Limits
from serving.remote_block import plain_url
from serving.vllm_names import check_served_names

Seconds: TypeAlias = Annotated[float, Field(strict=True, ge=0.1, le=86_400.0)]
"""At most a day."""

MAX_NUM_SEQS = 256  # asks in one batch of an engine, where the block's `engine` does not say


class Scale(BaseModel):
    """Replicas between `min` and `max`, as many as the queue needs."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    min: Replicas
    max: Replicas

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.min > self.max:
            raise ValueError(f"'min' is {self.min} and 'max' {self.max}; expected at most 'max'")
        return self


Count: TypeAlias = Annotated[
    Annotated[Replicas, Tag("number")] | Annotated[Scale, Tag("scale")],
    Discriminator(lambda given: "scale" if isinstance(given, dict | Scale) else "number"),
]
"""How many replicas there are: a number, or as many as the queue needs."""


class Place(BaseModel):
    """Where a model is served already: the Serve `application` of this cluster, or a server's `url`.

    `name` is what the server calls the model, where that is not the block's `model`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    application: str | None = Field(None, min_length=1)
    url: Annotated[str, AfterValidator(plain_url)] | None = None
    name: str | None = Field(None, min_length=1)

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.application is None) == (self.url is None):
            raise ValueError(
                "expected one of 'application', a Serve application of this cluster, and 'url', a server's"
                " address like http://host:8000/llama/v1; without either leave 'serve' out: the run then"
                " deploys the model itself"
            )
        return self


class ServeBlock(EngineBlock):
    """A model on Ray Serve LLM: an application of vLLM engines, deployed by the run unless `serve` says
    where it is already.

    One replica spans `tensor_parallel` × `pipeline_parallel` GPUs, on several nodes where one has too few.
    Deploying may take `start_seconds`, and an attempt at an ask `reply_seconds`; an ask has `tries` of them
    while the server fails. `in_flight` is of all replicas together.
    """

    backend: Literal["serve"]
    replicas: Count = 1
    pipeline_parallel: Workers = 1
    serve: Place | None = None
    start_seconds: Seconds = 1800.0
    reply_seconds: Seconds = 600.0
    tries: int = Field(10, strict=True, ge=1, le=100)

    @field_validator("sampling_extra")
    @classmethod
    def _taken_by_the_server(cls, extra: SamplingExtra) -> SamplingExtra:
        check_served_names(extra)
        return extra

    @property
    def max_num_seqs(self) -> int:
        """Asks in one batch of one engine."""
        given = self.engine.get("max_num_seqs")
        return given if isinstance(given, int) and given > 0 else MAX_NUM_SEQS

    @property
    def least(self) -> int:
        """The replicas that there are at least."""
        return self.replicas.min if isinstance(self.replicas, Scale) else self.replicas

    @property
    def most(self) -> int:
        """The replicas that there are at most."""
        return self.replicas.max if isinstance(self.replicas, Scale) else self.replicas

    @property
    def gpus(self) -> int:
        """GPUs of one replica, where there are any."""
        return self.tensor_parallel * self.pipeline_parallel

    @property
    def asks(self) -> int:
        """Asks with the application at a time: as declared, else as many as its engines put into batches."""
        return min(10_000, self.in_flight or self.max_num_seqs * self.most)

    @property
    def limits(self) -> Limits:
        """How fast the application may be asked: as many asks at once as its engines can use, at once."""
        return Limits(start=self.asks)

    @property
    def served_name(self) -> str:
        """What the server calls the model. Ray reads a colon as the name of an adapter."""
        if self.serve is not None and self.serve.name is not None:
            return self.serve.name
        return re.sub(r"[^\w./-]", "-", self.model)

    def at(self, url: str) -> ServeBlock:
        """The block of the model where it is now served."""
        return self.model_copy(update={"serve": Place(url=url, name=self.served_name)})

    def identity(self) -> dict[str, str | None]:
        """What a reply's fingerprint holds of the model.

        As of a vLLM engine; where a server's `url` is given, that too, for nobody here knows what engine it
        has. The name of an application is only where the engine is.
        """
        url = None if self.serve is None else self.serve.url
        return identity_of(self.backend, self.model, self.revision, url)
