"""Whatever agents do and in whatever order, the ledger never lets its cap be passed, and nothing is stuck."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ray_jobs import purse
from ray_jobs.ledger import Cap, Decisions, Ledger, Settlement
from ray_jobs.purse import TreasuryPurse
from serving.errors import BudgetSpent
from serving.purse import NOTHING, Amount, paying

AMOUNTS = st.builds(Amount, st.integers(0, 50), st.integers(0, 50))
CAPS = st.builds(Cap, st.none() | st.integers(0, 200), st.none() | st.integers(0, 200))
MOVES = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.sampled_from(["ask", "ask", "settle", "die"]), AMOUNTS, st.floats(0, 1)
    ),
    max_size=60,
)


@given(CAPS, AMOUNTS, MOVES)
def test_no_order_of_moves_passes_the_cap(cap: Cap, before: Amount, moves: Sequence[Any]) -> None:
    """What is granted fits, what is refused never would, and at last nothing is reserved."""
    ledger = Ledger(cap, before)
    held: dict[str, list[Amount]] = {"a": [], "b": [], "c": []}
    gone: set[str] = set()
    due = before
    for agent, move, amount, share in moves:
        if move == "ask":
            room = cap.holds(ledger.spent + amount)
            [decision] = ledger.transact(agent, [], [amount])
            assert (decision == "refused") == (agent in gone or not room)
            if decision == "granted":
                held[agent].append(amount)
            elif decision == "later":
                assert any(held.values())
        elif move == "settle" and held[agent]:
            reserved = held[agent].pop()
            used = Amount(int(reserved.nanos * share), int(reserved.tokens * share))
            ledger.transact(agent, [Settlement(reserved, used)], [])
            due += used
        elif move == "die":
            ledger.forfeit(agent)
            gone.add(agent)
            due += sum(held[agent], NOTHING)
            held[agent] = []
        assert ledger.spent == due == sum(ledger.accounts().of_agents.values(), before)
        assert ledger.reserved == sum((each for of in held.values() for each in of), NOTHING)
        assert cap.holds(ledger.spent + ledger.reserved) or ledger.spent + ledger.reserved == before
    for agent, amounts in held.items():
        ledger.transact(agent, [Settlement(each, NOTHING) for each in amounts], [])
    assert (ledger.spent, ledger.reserved) == (due, NOTHING)


def test_what_costs_more_than_was_reserved_is_counted_as_it_is() -> None:
    ledger = Ledger(Cap(tokens=10))
    assert ledger.transact("a", [], [Amount(0, 10)]) == ["granted"]
    assert ledger.transact("a", [Settlement(Amount(0, 10), Amount(0, 25))], [Amount(0, 0)]) == ["refused"]
    assert ledger.told() == "25 of 10 tokens are spent"


def test_an_agent_that_is_gone_settles_nothing_more() -> None:
    """Its last letter may come after its death was heard of."""
    ledger = Ledger(Cap(nanos=100))
    ledger.transact("a", [], [Amount(60)])
    assert ledger.transact("b", [], [Amount(60)]) == ["later"]
    ledger.forfeit("a")
    assert ledger.transact("a", [Settlement(Amount(60), NOTHING)], [Amount(1)]) == ["refused"]
    assert ledger.transact("b", [], [Amount(60), Amount(40)]) == ["refused", "granted"]


class Till:
    """The treasury's actor without Ray. It answers after a moment, and dies at call `dies`."""

    def __init__(self, cap: Cap, chance: random.Random, dies: int = -1) -> None:
        self.ledger, self._chance, self.cap, self._dies = Ledger(cap), chance, cap, dies
        self.calls = 0
        self.transact = SimpleNamespace(remote=self._transact)

    async def _transact(self, agent: str, settlements: list[Settlement], needs: list[Amount]) -> Decisions:
        self.calls += 1
        if self.calls == self._dies:
            raise ConnectionError("the treasury has died")
        await asyncio.sleep(self._chance.choice([0.0, 0.0005]))
        decisions = self.ledger.transact(agent, settlements, needs)
        assert self.cap.holds(self.ledger.spent + self.ledger.reserved)
        await asyncio.sleep(self._chance.choice([0.0, 0.0005]))
        return Decisions(decisions, self.ledger.told())


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Purses wait but moments."""
    monkeypatch.setattr(purse, "LINGER_SECONDS", 0.0)
    monkeypatch.setattr(purse, "AGAIN_SECONDS", 0.001)


class Shop:
    """Calls of several agents, some of which are given up, and what became of them."""

    def __init__(self, till: Till, chance: random.Random) -> None:
        self.till, self.chance = till, chance
        self.paid, self.refused = NOTHING, 0

    async def call(self, purse: TreasuryPurse, worst: Amount) -> None:
        used = Amount(self.chance.randint(0, worst.nanos), self.chance.randint(0, worst.tokens))
        try:
            async with paying(purse, worst) as bill:
                await asyncio.sleep(self.chance.choice([0.0, 0.001]))
                bill.used = used
            self.paid += used
        except BudgetSpent:
            self.refused += 1
            assert not self.till.cap.holds(self.till.ledger.spent + worst)
        except asyncio.CancelledError:
            self.paid += worst  # at most: what was never granted is not spent
            raise

    async def open(self, calls: Sequence[Amount], agents: int, given_up: int) -> None:
        purses = [TreasuryPurse(str(number), self.till) for number in range(agents)]
        tasks = [asyncio.create_task(self.call(self.chance.choice(purses), worst)) for worst in calls]
        for task in self.chance.sample(tasks, min(given_up, len(tasks))):
            asyncio.get_running_loop().call_later(self.chance.random() / 500, task.cancel)
        async with asyncio.timeout(20):
            await asyncio.gather(*tasks, return_exceptions=True)
            for each in purses:
                await each.close()


@settings(max_examples=25, deadline=None)
@given(
    st.builds(Cap, st.none() | st.integers(0, 400), st.integers(0, 400)),
    st.lists(AMOUNTS, max_size=30),
    st.integers(1, 3),
    st.integers(0, 4),
    st.integers(0, 1000),
)
def test_purses_come_to_an_end_with_nothing_reserved(
    cap: Cap, calls: list[Amount], agents: int, given_up: int, seed: int
) -> None:
    """No deadlock, no reservation left, and spent is what was paid."""
    chance = random.Random(seed)
    till = Till(cap, chance)
    shop = Shop(till, chance)
    asyncio.run(shop.open(calls, agents, given_up))
    assert till.ledger.reserved == NOTHING
    if not given_up:
        assert till.ledger.spent == shop.paid
    assert Cap(shop.paid.nanos, shop.paid.tokens).holds(till.ledger.spent)


def test_calls_that_come_together_share_a_letter() -> None:
    async def play() -> Till:
        till = Till(Cap(tokens=1000), random.Random(0))
        each = TreasuryPurse("a", till)
        await asyncio.gather(*(each.reserve(Amount(0, 1)) for _ in range(100)))
        for _ in range(100):
            each.settle(Amount(0, 1), Amount(0, 1))
        await each.close()
        return till

    till = asyncio.run(play())
    assert (till.calls, till.ledger.spent) == (2, Amount(0, 100))


@pytest.mark.parametrize("dies", [1, 2])
def test_without_its_treasury_a_purse_pays_for_nothing(dies: int) -> None:
    """Whether its death is met by a need or by a settlement; those who wait hear of it."""

    async def play() -> None:
        till = Till(Cap(tokens=10), random.Random(0), dies)
        each = TreasuryPurse("a", till)
        if dies == 2:
            await each.reserve(Amount(0, 1))
        waiting = [asyncio.create_task(each.reserve(Amount(0, 9))) for _ in range(2)]
        for task in waiting:
            with pytest.raises(BudgetSpent, match=r"keeps the budget is gone \(the treasury has died"):
                await task
        with pytest.raises(BudgetSpent, match="The same command goes on"):
            await each.reserve(Amount(0, 1))
        each.settle(Amount(0, 1), NOTHING)
        await each.close()

    asyncio.run(play())
