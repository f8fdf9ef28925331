"""What a model's tokens cost."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat

MILLION = 1_000_000


class Price(BaseModel):
    """USD per million tokens. Cached tokens of the prompt cost as much as others unless `cached` is given."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)

    input: NonNegativeFloat = Field(description="USD per million tokens of prompts")
    output: NonNegativeFloat = Field(description="USD per million tokens of replies")
    cached: NonNegativeFloat | None = None

    def usd(self, prompt: int, completion: int, cached: int = 0) -> float:
        """Of one call, `cached` of whose prompt's tokens were in the provider's cache."""
        hit = min(prompt, cached)
        hit_price = self.input if self.cached is None else self.cached
        return ((prompt - hit) * self.input + hit * hit_price + completion * self.output) / MILLION

    def at_most(self, prompt: int, completion: int) -> float:
        """Of one call, however much of its prompt is cached."""
        return max(self.usd(prompt, completion), self.usd(prompt, completion, prompt))
