"""An agent's purse: it reserves and settles with the treasury, in letters of many."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from analysis.money import dollars
from ray_jobs.ledger import Decisions, Settlement
from serving.errors import BudgetSpent
from serving.purse import NANOS, NOTHING, Amount

LINGER_SECONDS = 0.003  # what comes this close together shares a call
AGAIN_SECONDS = 0.2  # after which is asked again for what others may have made room for
CLOSE_SECONDS = 10.0  # for the last settlements to arrive

Need = tuple[Amount, asyncio.Future[None]]


class TreasuryPurse:
    """The purse of `agent`, made inside its event loop. Without its treasury it pays for nothing."""

    def __init__(self, agent: str, treasury: Any) -> None:
        self._agent, self._treasury = agent, treasury
        self._needs: list[Need] = []
        self._settlements: list[Settlement] = []
        self._changed = asyncio.Event()
        self._gone: str | None = None
        self._closing = False
        self._trading = asyncio.create_task(self._trade())

    async def reserve(self, amount: Amount) -> None:
        """Returns once so much is set aside. Raises `BudgetSpent` where it never can be."""
        if self._gone is not None:
            raise BudgetSpent(self._gone)
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._needs.append((amount, granted))
        self._changed.set()
        try:
            await granted
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled() and granted.exception() is None:
                self.settle(amount, NOTHING)
            raise

    def settle(self, reserved: Amount, used: Amount) -> None:
        """Tells the treasury, shortly after, what was used of a reservation."""
        self._settlements.append(Settlement(reserved, used))
        self._changed.set()

    async def close(self) -> None:
        """Settles what is left to settle; one whose treasury is gone has nobody to tell."""
        self._closing = True
        self._changed.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._trading, CLOSE_SECONDS)

    async def _trade(self) -> None:
        """One call at a time, until closed or until the treasury does not answer."""
        while self._gone is None and not (self._closing and not self._settlements):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), AGAIN_SECONDS if self._needs else None)
            await asyncio.sleep(LINGER_SECONDS)
            self._changed.clear()
            await self._exchange()

    async def _exchange(self) -> None:
        settlements, self._settlements = self._settlements, []
        asked, self._needs = [need for need in self._needs if not need[1].done()], []
        if not settlements and not asked:
            return
        amounts = [amount for amount, _ in asked]
        try:
            answer: Decisions = await self._treasury.transact.remote(self._agent, settlements, amounts)
        except Exception as error:  # noqa: BLE001 - whatever it was, those who wait must hear of it
            self._lose(asked, error)
            return
        for (amount, granted), decision in zip(asked, answer.decisions, strict=True):
            if decision == "later":
                self._needs.append((amount, granted))
            elif granted.done():  # whoever asked has given up meanwhile
                if decision == "granted":
                    self.settle(amount, NOTHING)
            elif decision == "granted":
                granted.set_result(None)
            else:
                granted.set_exception(BudgetSpent(_refusal(amount, answer.told)))

    def _lose(self, asked: list[Need], error: Exception) -> None:
        cause = getattr(error, "cause", None) or error  # what Ray wraps says more than the wrapping
        reason = (str(cause).strip().splitlines() or [type(cause).__name__])[0]
        self._gone = (
            f"the actor that keeps the budget is gone ({reason}), and nothing is asked without it. The same"
            " command goes on with the run"
        )
        for _, granted in [*asked, *self._needs]:
            if not granted.done():
                granted.set_exception(BudgetSpent(self._gone))
        self._needs = []


def _refusal(need: Amount, told: str) -> str:
    usd = f"{dollars(need.nanos / NANOS)} and " if need.nanos else ""
    return f"{told}, and the next call may take {usd}{need.tokens:,} tokens. Raise the budget"
