"""What answers asks."""

from __future__ import annotations

from typing import Protocol

from protocols.dialogue import Ask, Reply
from serving.limits.condition import Condition


class Backend(Protocol):
    """One replica of one model. `answer` may be awaited many times at once, up to `in_flight` to any use."""

    @property
    def in_flight(self) -> int:
        """How many asks this replica can work on at the same time; further ones wait inside it."""
        ...

    @property
    def condition(self) -> Condition | None:
        """How the way to a remote model stands, for people; None where there is none."""
        ...

    async def answer(self, ask: Ask) -> Reply:
        """The reply to one ask. Raises a `ServingError`; cancelling gives the ask up."""
        ...

    async def probe(self) -> None:
        """Returns once the model has really written one token. Raises a `ServingError`; has no deadline."""
        ...

    async def close(self) -> None:
        """Gives back all that the backend holds; asks still in flight fail. May be called twice."""
        ...
