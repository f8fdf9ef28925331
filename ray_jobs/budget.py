"""What a run may cost."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ray_jobs.ledger import Cap
from serving.purse import nanos


class Budget(BaseModel):
    """The most that a run may cost over all its starts: US dollars, tokens (prompts and replies), or both."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    usd: Annotated[float, Field(strict=True, gt=0)] | None = None
    tokens: Annotated[int, Field(strict=True, gt=0)] | None = None

    @model_validator(mode="after")
    def _caps_something(self) -> Self:
        if self.usd is None and self.tokens is None:
            raise ValueError("found no limit in it; expected usd, tokens, or both")
        return self

    @property
    def cap(self) -> Cap:
        """The same as the ledger counts."""
        return Cap(None if self.usd is None else nanos(self.usd), self.tokens)
