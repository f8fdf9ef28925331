"""The treasury: one small Ray actor that keeps the ledger of a run's budget for all its agents."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from ray_jobs.headroom import Headroom, least, most
from ray_jobs.ledger import Accounts, Cap, Decisions, Ledger, Settlement
from ray_jobs.spending import write_spending
from ray_jobs.store import Store
from serving.blocks import ModelBlock
from serving.purse import NOTHING, Amount
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
    """What runs in the actor. It grants nothing before it stands in the run directory that it may be billed.

    What is written is ahead of what is granted by a block of headroom, so that most calls wait for no write.
    A start after a kill counts all of it as spent; a clean end gives back what was not.
    """

    def __init__(self, funds: Funds) -> None:
        self._funds, self._store = funds, Store(funds.run)
        self._ledger = Ledger(funds.cap, funds.spent)
        self._dearest, self._written = NOTHING, funds.spent
        self._writing = asyncio.Lock()

    async def transact(
        self, agent: str, settlements: Sequence[Settlement], needs: Sequence[Amount]
    ) -> Decisions:
        """Settles and decides as the ledger does. Raises what keeps the record from being written."""
        decisions = self._ledger.transact(agent, settlements, needs)
        async with self._writing:
            self._dearest = reduce(most, needs, self._dearest)
            headroom = Headroom(self._funds.cap, self._dearest)
            await self._write(headroom.allowance(self._ledger.charged, self._written))
        return Decisions(decisions, self._ledger.told())

    async def accounts(self) -> Accounts:
        """How the budget stands."""
        return self._ledger.accounts()

    async def forfeit(self, agent: str) -> None:
        """The agent has died; what it had reserved counts as spent."""
        self._ledger.forfeit(agent)

    async def close(self) -> None:
        """Completes the record, which gives back the headroom."""
        async with self._writing:
            await self._write(self._ledger.charged)

    async def _write(self, allowance: Amount) -> None:
        """Where the write fails, the record may hold what was in it or what was to be."""
        if allowance == self._written:
            return
        self._written = least(self._written, allowance)
        await asyncio.to_thread(write_spending, self._store, self._funds.claim, allowance - self._funds.spent)
        self._written = allowance
