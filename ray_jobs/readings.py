"""How a running crew stands, for people: the gates of its remote models, and its budget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ray_jobs.agent import model_of
from ray_jobs.ledger import Accounts
from serving.limits.condition import Condition
from serving.purse import NANOS, Amount


@dataclass(frozen=True, slots=True)
class GateReading:
    """How the gate of one replica of a remote model stands."""

    model: str
    replica: int
    condition: Condition


@dataclass(frozen=True, slots=True)
class Spent:
    """US dollars and tokens."""

    usd: float
    tokens: int

    @classmethod
    def of(cls, amount: Amount) -> Spent:
        """The same as the ledger counts."""
        return cls(amount.nanos / NANOS, amount.tokens)


@dataclass(frozen=True, slots=True)
class BudgetReading:
    """What of a budget is `spent` over all starts, and `reserved` for calls under way.

    `usd` and `tokens` are the caps, None where there is none; `models` what each has spent in this start.
    """

    usd: float | None
    tokens: int | None
    spent: Spent
    reserved: Spent
    models: Mapping[str, Spent]

    @classmethod
    def of(cls, accounts: Accounts) -> BudgetReading:
        """What a treasury tells, by model."""
        models: defaultdict[str, Amount] = defaultdict(Amount)
        for agent, amount in accounts.of_agents.items():
            models[model_of(agent)] += amount
        return cls(
            None if accounts.cap.nanos is None else accounts.cap.nanos / NANOS,
            accounts.cap.tokens,
            Spent.of(accounts.spent),
            Spent.of(accounts.reserved),
            {model: Spent.of(amount) for model, amount in sorted(models.items())},
        )
