"""The treasury over kills: whatever was granted stands written, so no number of starts passes the cap."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ray_jobs import treasury
from ray_jobs.headroom import CALLS, SHARE, Headroom
from ray_jobs.ledger import Cap, Settlement
from ray_jobs.treasury import Funds, Treasury
from serving.purse import NOTHING, Amount

pytestmark = pytest.mark.long

CAPS = st.builds(Cap, st.none() | st.integers(1, 50_000), st.integers(1, 50_000))
DEAREST = st.integers(1, 3000)


@dataclass
class Disk:
    """Stands for the run directory: what each claim has written, and how often. Some writes fail."""

    chance: random.Random
    faulty: float = 0.0
    records: dict[str, Amount] = field(default_factory=dict)
    writes: int = 0

    def write(self, _: object, claim: str, charged: Amount) -> None:
        """One that fails may have arrived all the same."""
        self.writes += 1
        fails = self.chance.random() < self.faulty
        if not fails or self.chance.random() < 0.5:
            self.records[claim] = charged
        if fails:
            raise OSError("the disk is full")

    @property
    def spent(self) -> Amount:
        return sum(self.records.values(), NOTHING)


@dataclass
class Server:
    """Bills what agents send: at once, and all that was granted where they die before they settle."""

    keeper: Treasury
    chance: random.Random
    billed: Amount = NOTHING
    under_way: int = 0

    async def agent(self, name: str, needs: Sequence[Amount]) -> None:
        """Asks for some calls at a time, makes those that are granted, and settles with the next letter."""
        settlements: list[Settlement] = []
        for need in needs:
            letter = [need] * self.chance.randint(1, 3)
            try:
                answer = await self.keeper.transact(name, settlements, letter)
            except OSError:
                return  # its purse pays for nothing more
            settlements = []
            for decision in answer.decisions:
                if decision == "granted":
                    used = Amount(self.chance.randint(0, need.nanos), self.chance.randint(0, need.tokens))
                    self.billed += used
                    settlements.append(Settlement(need, used))
            await asyncio.sleep(self.chance.choice([0.0, 0.0002]))
        await self.keeper.transact(name, settlements, [])


async def killed(server: Server, plans: Sequence[Sequence[Amount]], after: float) -> None:
    """A start that dies after so many seconds, whatever it is doing."""
    agents = [asyncio.create_task(server.agent(str(n), needs)) for n, needs in enumerate(plans)]
    await asyncio.wait(agents, timeout=after)
    for agent in agents:
        agent.cancel()
    await asyncio.gather(*agents, return_exceptions=True)


def needs(chance: random.Random, dearest: int) -> list[list[Amount]]:
    return [
        [Amount(chance.randint(0, dearest), chance.randint(1, dearest)) for _ in range(20)] for _ in range(3)
    ]


@settings(max_examples=40, deadline=None)
@given(CAPS, DEAREST, st.integers(1, 4), st.sampled_from([0.0, 0.2]), st.integers(0, 10_000))
def test_no_number_of_kills_passes_the_cap(
    cap: Cap, dearest: int, starts: int, faulty: float, seed: int
) -> None:
    """What the server has billed in all is within what stands written, and that within the cap."""
    chance = random.Random(seed)
    disk, billed = Disk(chance, faulty), NOTHING
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(treasury, "write_spending", disk.write)
        for start in range(starts):
            server = Server(Treasury(Funds(cap, disk.spent, "run", str(start))), chance)
            asyncio.run(killed(server, needs(chance, dearest), chance.random() / 100))
            billed += server.billed
            assert Cap(disk.spent.nanos, disk.spent.tokens).holds(billed)
            assert cap.holds(disk.spent)


@settings(max_examples=40, deadline=None)
@given(CAPS, DEAREST, st.integers(0, 10_000))
def test_a_kill_costs_two_blocks_and_a_clean_end_nothing(cap: Cap, dearest: int, seed: int) -> None:
    """Beyond what is spent and reserved, which may be billed."""
    chance = random.Random(seed)
    disk = Disk(chance)

    async def play() -> Amount:
        keeper = Treasury(Funds(cap, NOTHING, "run", "claim"))
        server = Server(keeper, chance)
        for [need, *_] in needs(chance, dearest) * 10:
            await server.agent("a", [need])
            accounts = await keeper.accounts()
            charged = accounts.spent + accounts.reserved
            headroom = disk.spent - charged
            for at, amount, extra in (
                (cap.nanos, charged.nanos, headroom.nanos),
                (cap.tokens, charged.tokens, headroom.tokens),
            ):
                left = amount if at is None else at - amount
                assert 0 <= extra <= 2 * max(left // SHARE, CALLS * dearest)
        await keeper.close()
        return server.billed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(treasury, "write_spending", disk.write)
        assert asyncio.run(play()) == disk.spent


def test_a_write_is_paid_by_the_block_and_not_by_the_call() -> None:
    """A thousand calls of a thousandth of the cap: ln(1000 / 80) / ln(20 / 19) blocks of a twentieth of
    what is left, and for the last eighty calls one for every four.
    """
    headroom, written, charged, writes = Headroom(Cap(tokens=1000), Amount(0, 1)), NOTHING, NOTHING, 0
    for _ in range(1000):
        charged += Amount(0, 1)
        allowance = headroom.allowance(charged, written)
        writes += allowance != written
        written = allowance
    assert 60 <= writes <= 49 + 20
    assert written.tokens == 1000


def test_what_nothing_could_be_written_of_is_not_granted() -> None:
    disk = Disk(random.Random(0), faulty=1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(treasury, "write_spending", disk.write)
        keeper = Treasury(Funds(Cap(tokens=100), NOTHING, "run", "claim"))
        for _ in range(3):
            with pytest.raises(OSError, match="the disk is full"):
                asyncio.run(keeper.transact("a", [], [Amount(0, 1)]))
