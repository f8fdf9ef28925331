"""What calls may cost: a purse is asked before every call, and told afterwards what the call has cost."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from protocols.dialogue import Reply
from serving.errors import (
    AskRefused,
    AuthError,
    ModelError,
    PromptTooLong,
    QuotaExhausted,
    RateLimited,
    ServingError,
)

NANOS = 1_000_000_000  # to the dollar
UNBILLED = (AskRefused, AuthError, ModelError, PromptTooLong, QuotaExhausted, RateLimited)


@dataclass(frozen=True, slots=True)
class Amount:
    """Dollars, counted in whole billionths so that sums come out even, and tokens of prompt and reply."""

    nanos: int = 0
    tokens: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.nanos + other.nanos, self.tokens + other.tokens)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.nanos - other.nanos, self.tokens - other.tokens)


NOTHING = Amount()


def nanos(usd: float) -> int:
    """Billionths of a dollar, rounded up but for what is an error of the arithmetic."""
    return math.ceil(round(usd * NANOS, 3))


class Purse(Protocol):
    """What pays for calls. Of everything it has let be reserved it is told, once, what was used."""

    async def reserve(self, amount: Amount) -> None:
        """Returns once so much is set aside. Raises `BudgetSpent` where it never can be."""
        ...

    def settle(self, reserved: Amount, used: Amount) -> None:
        """Takes `used` of what was reserved and gives back the rest."""
        ...


class Free:
    """A purse without bottom."""

    async def reserve(self, amount: Amount) -> None:
        """Whatever it is, at once."""

    def settle(self, reserved: Amount, used: Amount) -> None:
        """Keeps no accounts."""


FREE = Free()


@dataclass
class Bill:
    """What one call costs: the worst case, until more is known."""

    used: Amount


@asynccontextmanager
async def paying(purse: Purse, worst: Amount) -> AsyncIterator[Bill]:
    """Sets aside what a call may cost at `worst`; the block makes the call and writes the bill.

    A call that fails or is given up is charged in full where the server may have billed it, and not at all
    where it never arrived or was refused. Raises `BudgetSpent` without entering the block.
    """
    await purse.reserve(worst)
    bill = Bill(worst)
    try:
        yield bill
    except ServingError as error:
        if error.unsent or isinstance(error, UNBILLED):
            bill.used = NOTHING
        raise
    finally:
        purse.settle(worst, bill.used)


def charge(reply: Reply, worst: Amount) -> Amount:
    """What a reply has cost; whatever is not known of it counts as the worst case."""
    tokens = worst.tokens
    if reply.prompt_tokens is not None and reply.completion_tokens is not None:
        tokens = reply.prompt_tokens + reply.completion_tokens
    return Amount(worst.nanos if reply.cost_usd is None else nanos(reply.cost_usd), tokens)
