"""What an experiment file says of a remote model's limits."""

from __future__ import annotations

import math

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, model_validator

from serving.limits.share import Share


class CircuitLimits(BaseModel):
    """When a model that fails is left alone, and for how long.

    `failures` is the share of a `window` of calls that must fail for it (0 to 1), `cooldown` how many
    seconds it is left alone then; twice as long each time that it fails its probe, up to `longest`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)

    failures: float = Field(0.5, gt=0.0, le=1.0)
    window: int = Field(20, strict=True, ge=1, le=10_000)
    cooldown: float = Field(5.0, gt=0.0, le=3600.0)
    longest: float = Field(60.0, gt=0.0, le=86_400.0)

    @property
    def enough(self) -> int:
        """The failures among the last `window` calls that open the circuit."""
        return math.ceil(round(self.failures * self.window, 9))  # so that 0.1 of 30 is 3

    @model_validator(mode="after")
    def _longest_is_longest(self) -> CircuitLimits:
        if self.longest < self.cooldown:
            raise ValueError(
                f"'longest' is {self.longest:g}, less than the 'cooldown' of {self.cooldown:g} seconds; raise"
                " it, or lower 'cooldown'"
            )
        return self


class Limits(BaseModel):
    """The limits of one model over the whole cluster. What is not declared is found out from refusals.

    `requests_per_minute` and `tokens_per_minute` (prompt and reply together) are what the provider grants.
    `burst` is the number of requests that may start at once: 1 spaces them evenly, as providers want that
    count queries per second; unset, it is what one second grants. `start` is the number of asks in flight
    with which adaptive concurrency begins, `cut_to` what is left of it after "too many requests" (a share,
    0 to 1), `cut_cooldown` the seconds after such a cut in which there is no other, and `patience` how long,
    in seconds, a model that answers nothing else is asked again; also the longest Retry-After that is waited
    out. `unreached` is for how many seconds one is tried from which nothing has ever come back. The `circuit`
    is for a model that fails.

    Replicas share the rates, `burst` and `start`, and each keeps to its share for itself: it is granted
    nothing for the time before it began, and where `burst` has less than a request for each, requests go in
    turns, by the clocks of the nodes. What is found out is not shared: a refusal with its Retry-After, and a
    circuit that opens, hold only the replica that met them; the others learn it from their own asks.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)

    requests_per_minute: PositiveFloat | None = None
    tokens_per_minute: PositiveFloat | None = None
    burst: int | None = Field(None, strict=True, ge=1, le=10_000)
    start: int = Field(8, strict=True, ge=1, le=10_000)
    cut_to: float = Field(0.7, gt=0.0, lt=1.0)
    cut_cooldown: float = Field(1.0, ge=0.0, le=3600.0)
    circuit: CircuitLimits = CircuitLimits()
    patience: PositiveFloat = 600.0
    unreached: float = Field(60.0, gt=0.0, le=86_400.0)

    @model_validator(mode="after")
    def _burst_of_a_rate(self) -> Limits:
        if self.burst is not None and self.requests_per_minute is None:
            raise ValueError(
                "'burst' is given without 'requests_per_minute'; give both, or leave 'burst' out"
            )
        return self

    @property
    def at_once(self) -> int:
        """Requests that may start at once: as declared, or what one second grants, at least one.

        Of a share it is 0 where not every replica has one.
        """
        if self.burst is not None:
            return self.burst
        return max(1, int((self.requests_per_minute or 0.0) / 60.0))

    def shared(self, share: Share) -> Limits:
        """The limits of one replica; all replicas together stay within these."""
        at_once = share.of(self.at_once) if self.at_once >= share.replicas else 0
        return self.model_copy(
            update={
                "requests_per_minute": self.requests_per_minute and self.requests_per_minute / share.replicas,
                "tokens_per_minute": self.tokens_per_minute and self.tokens_per_minute / share.replicas,
                "burst": at_once,
                "start": max(1, share.of(self.start)),
            }
        )
