"""What an experiment file says of a remote model's limits."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, model_validator


class Limits(BaseModel):
    """The limits of one model over the whole cluster. What is not declared is found out from refusals.

    `requests_per_minute` and `tokens_per_minute` (prompt and reply together) are what the provider grants.
    `burst` is the number of requests that may start at once: 1 spaces them evenly, as providers want that
    count queries per second; unset, it is what one second grants. `start` is the number of asks in flight
    with which adaptive concurrency begins, and `patience` how long, in seconds, a model that answers
    nothing but "too many requests" is asked again; also the longest Retry-After that is waited out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    requests_per_minute: PositiveFloat | None = None
    tokens_per_minute: PositiveFloat | None = None
    burst: int | None = Field(None, strict=True, ge=1, le=10_000)
    start: int = Field(8, strict=True, ge=1, le=10_000)
    patience: PositiveFloat = 600.0

    @model_validator(mode="after")
    def _burst_of_a_rate(self) -> Limits:
        if self.burst is not None and self.requests_per_minute is None:
            raise ValueError(
                "'burst' is given without 'requests_per_minute'; give both, or leave 'burst' out"
            )
        return self

    def share(self, replicas: int) -> Limits:
        """The limits of one of `replicas` replicas, which together stay within these."""
        return self.model_copy(
            update={
                "requests_per_minute": self.requests_per_minute and self.requests_per_minute / replicas,
                "tokens_per_minute": self.tokens_per_minute and self.tokens_per_minute / replicas,
                "burst": self.burst and max(1, self.burst // replicas),
                "start": max(1, self.start // replicas),
            }
        )
