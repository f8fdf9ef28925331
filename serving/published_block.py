"""A model of somebody else's study, of which the replies are known and nothing else."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from serving.block import Block, Replicas, identity_of


class PublishedBlock(Block):
    """The model that a published study calls `model`. It has answered, and answers nothing more."""

    backend: Literal["published"]
    model: Annotated[str, Field(strict=True, min_length=1)]
    replicas: Replicas = 1
    in_flight: int = Field(1, strict=True, ge=1, le=1)

    def identity(self) -> dict[str, str | None]:
        """What a reply's fingerprint holds of the model."""
        return identity_of(self.backend, self.model, None)
