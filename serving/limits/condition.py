"""How the way to a remote model stands, for people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """The state of one gate; times are seconds.

    `limit` asks may be in flight now and `ceiling` at most, `in_flight` are, after `cuts` of the limit.
    `waiting` asks stand in line, the first of them for `waited`. The `circuit` is closed, open (a probe may
    pass after `retry_in`) or probing; `failure` is the class and message of the last call that counts
    against it, `failed_ago` its age; `answered_ago` is that of the last answer. `held` is left of a
    Retry-After. `requests` and `tokens` are those of the last minute, of at most so many per minute where
    that is declared. What has not been yet is None.
    """

    limit: int
    ceiling: int
    in_flight: int
    cuts: int
    waiting: int
    waited: float
    circuit: str
    retry_in: float | None
    failure: str | None
    failed_ago: float | None
    answered_ago: float | None
    held: float
    requests: int
    requests_per_minute: float | None
    tokens: int
    tokens_per_minute: float | None
