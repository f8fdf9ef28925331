"""A backend whose tokens are counted against a purse."""

from __future__ import annotations

from protocols.dialogue import Ask, Reply
from serving.backend import Backend
from serving.limits.condition import Condition
from serving.purse import Purse, charge, paying
from serving.worst_case import worst_case


class Metered:
    """A backend that costs no dollars, such as an engine of our own, and whose tokens a purse pays for."""

    def __init__(self, backend: Backend, purse: Purse) -> None:
        self._backend, self._purse = backend, purse

    @property
    def in_flight(self) -> int:
        """As many as the backend itself."""
        return self._backend.in_flight

    @property
    def condition(self) -> Condition | None:
        """As the backend says."""
        return self._backend.condition

    async def answer(self, ask: Ask) -> Reply:
        """The backend's reply. Raises `BudgetSpent` where the purse does not pay for it, unasked."""
        worst = worst_case(ask.messages, ask.sampling.max_tokens)
        async with paying(self._purse, worst) as bill:
            reply = await self._backend.answer(ask)
            bill.used = charge(reply, worst)
        return reply

    async def probe(self) -> None:
        """As the backend does; one token is not counted."""
        await self._backend.probe()

    async def close(self) -> None:
        """Closes the backend."""
        await self._backend.close()
