"""The ledger of a budget: what is spent, what is set aside for calls under way, and what may still be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from analysis.money import dollars
from serving.purse import NANOS, NOTHING, Amount

Decision = Literal["granted", "refused", "later"]


@dataclass(frozen=True, slots=True)
class Cap:
    """The most that may be spent, in billionths of a dollar and in tokens; None is no limit."""

    nanos: int | None = None
    tokens: int | None = None

    def holds(self, amount: Amount) -> bool:
        """Whether so much is within the limits."""
        usd = self.nanos is None or amount.nanos <= self.nanos
        return usd and (self.tokens is None or amount.tokens <= self.tokens)


class Settlement(NamedTuple):
    """Of one reservation, what was used; the rest is free again."""

    reserved: Amount
    used: Amount


class Decisions(NamedTuple):
    """What became of each need, and what is spent, in words."""

    decisions: list[Decision]
    told: str


class Accounts(NamedTuple):
    """How a budget stands: what is spent in all, what is reserved, and what each agent has spent."""

    cap: Cap
    spent: Amount
    reserved: Amount
    of_agents: Mapping[str, Amount]


class Ledger:
    """What agents have `spent` and reserved, together never more than the cap.

    That holds as long as nothing costs more than was reserved for it; what does is counted as it is, and then
    nothing further is granted.
    """

    def __init__(self, cap: Cap, spent: Amount = NOTHING) -> None:
        self._cap = cap
        self.spent, self.reserved = spent, NOTHING
        self._of_agent: defaultdict[str, Amount] = defaultdict(Amount)
        self._spent_by: defaultdict[str, Amount] = defaultdict(Amount)
        self._gone: set[str] = set()

    def transact(
        self, agent: str, settlements: Sequence[Settlement], needs: Sequence[Amount]
    ) -> list[Decision]:
        """Settles, then decides on each need in turn.

        It is refused where even everything that is reserved would not make room for it, and may be asked for
        again `later` where that might. An agent that is gone settles nothing and is granted nothing.
        """
        if agent in self._gone:
            return ["refused" for _ in needs]
        for reserved, used in settlements:
            self._take(agent, NOTHING - reserved)
            self._spend(agent, used)
        return [self._decide(agent, need) for need in needs]

    def forfeit(self, agent: str) -> None:
        """The agent is gone: what it had reserved may have been billed, and counts as spent."""
        self._gone.add(agent)
        reserved = self._of_agent[agent]
        self._take(agent, NOTHING - reserved)
        self._spend(agent, reserved)

    @property
    def charged(self) -> Amount:
        """What may be billed should all die now: what is reserved counts, too."""
        return self.spent + self.reserved

    def accounts(self) -> Accounts:
        """How it stands."""
        return Accounts(self._cap, self.spent, self.reserved, dict(self._spent_by))

    def told(self) -> str:
        """What is spent, for people."""
        parts = []
        if self._cap.nanos is not None:
            parts.append(f"{dollars(self.spent.nanos / NANOS)} of {dollars(self._cap.nanos / NANOS)}")
        if self._cap.tokens is not None:
            parts.append(f"{self.spent.tokens:,} of {self._cap.tokens:,} tokens")
        return f"{' and '.join(parts)} are spent"

    def _decide(self, agent: str, need: Amount) -> Decision:
        if not self._cap.holds(self.spent + need):
            return "refused"
        if not self._cap.holds(self.charged + need):
            return "later"
        self._take(agent, need)
        return "granted"

    def _spend(self, agent: str, amount: Amount) -> None:
        self.spent += amount
        self._spent_by[agent] += amount

    def _take(self, agent: str, amount: Amount) -> None:
        self.reserved += amount
        self._of_agent[agent] += amount
