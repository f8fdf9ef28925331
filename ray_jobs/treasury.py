"""The treasury: one small Ray actor that keeps the ledger of a run's budget for all its agents."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from ray_jobs.ledger import Accounts, Cap, Decisions, Ledger, Settlement
from ray_jobs.log import FLUSH_SECONDS
from ray_jobs.spending import write_spending
from ray_jobs.store import Store
from serving.blocks import ModelBlock
from serving.purse import Amount
from serving.remote_block import RemoteBlock

CALLS = 10_000  # from all agents at once; each makes one at a time


@dataclass(frozen=True, slots=True)
class Funds:
    """The cap of a run, what it has `spent` before, where it is, and the claim under which it goes on."""

    cap: Cap
    spent: Amount
    run: str
    claim: str

    def pays(self, block: ModelBlock) -> bool:
        """Whether the calls of such a model count: those of our own engines cost no dollars."""
        return self.cap.tokens is not None or isinstance(block, RemoteBlock)


class Treasury:
    """What runs in the actor. What this claim may have cost so far stands in the run directory, too."""

    def __init__(self, funds: Funds) -> None:
        self._funds, self._store = funds, Store(funds.run)
        self._ledger = Ledger(funds.cap, funds.spent)
        self._closing = asyncio.Event()
        self._written = Amount()

    async def open(self) -> None:
        """Begins to keep its record."""
        self._keeping = asyncio.create_task(self._write_again_and_again())

    async def transact(
        self, agent: str, settlements: Sequence[Settlement], needs: Sequence[Amount]
    ) -> Decisions:
        """Settles and decides as the ledger does. Raises what keeps the record from being written."""
        if self._keeping.done():
            self._keeping.result()
        decisions = self._ledger.transact(agent, settlements, needs)
        return Decisions(decisions, self._ledger.told())

    async def accounts(self) -> Accounts:
        """How the budget stands."""
        return self._ledger.accounts()

    async def forfeit(self, agent: str) -> None:
        """The agent has died; what it had reserved counts as spent."""
        self._ledger.forfeit(agent)

    async def close(self) -> None:
        """Completes the record."""
        self._closing.set()
        await self._keeping

    async def _write_again_and_again(self) -> None:
        while not self._closing.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(FLUSH_SECONDS[self._store.local]):
                    await self._closing.wait()
            await self._write()

    async def _write(self) -> None:
        """What is reserved counts, too: should all die now, it may be billed."""
        charged = self._ledger.spent + self._ledger.reserved - self._funds.spent
        if charged != self._written:
            await asyncio.to_thread(write_spending, self._store, self._funds.claim, charged)
            self._written = charged
