"""What gates and a budget say in `moot status`, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from analysis.money import dollars
from ray_jobs.readings import BudgetReading, GateReading, Spent
from serving.limits.condition import Condition


def gate_lines(gates: Sequence[GateReading], model: str) -> Iterator[Text]:
    """Three lines for each replica of the model."""
    own = [gate for gate in gates if gate.model == model]
    for gate in own:
        name = f"replica {gate.replica}: " if len(own) > 1 else ""
        one = gate.condition
        yield Text(f"    {name}{_flight(one)}; {_line(one)}")
        yield Text(f"    {_minute(one)}")
        yield Text(f"    {_circuit(one)}", style="yellow" if one.circuit != "closed" or one.held else "")


def budget_lines(budget: BudgetReading) -> Iterator[Text]:
    """What is spent, and a line for each model that has spent some."""
    parts = []
    if budget.usd is not None:
        usd = f"{dollars(budget.spent.usd)} of {dollars(budget.usd)}"
        parts.append(f"{usd}, {dollars(budget.reserved.usd)} reserved")
    if budget.tokens is not None:
        tokens = f"{budget.spent.tokens:,} of {budget.tokens:,} tokens"
        parts.append(f"{tokens}, {budget.reserved.tokens:,} reserved")
    yield Text(f"budget: {'; '.join(parts)}")
    for model, spent in budget.models.items():
        yield Text(f"  {model} has spent {_amount(spent)} since that start")


def _amount(spent: Spent) -> str:
    return f"{dollars(spent.usd)} and {spent.tokens:,} tokens"


def _flight(one: Condition) -> str:
    cuts = f", after {one.cuts:,} cuts" if one.cuts else ""
    return f"{one.in_flight:,} in flight, now {one.limit:,} at a time of at most {one.ceiling:,}{cuts}"


def _line(one: Condition) -> str:
    if not one.waiting:
        return "none waiting"
    return f"{one.waiting:,} waiting, the first for {one.waited:,.0f} s"


def _minute(one: Condition) -> str:
    requests = f"{one.requests:,}{_of(one.requests_per_minute)} requests"
    return f"in the last minute {requests}, {one.tokens:,}{_of(one.tokens_per_minute)} tokens"


def _of(per_minute: float | None) -> str:
    return "" if per_minute is None else f" of {per_minute:,.0f}"


def _circuit(one: Condition) -> str:
    state = {
        "closed": "circuit closed",
        "open": f"circuit open, tried again in {one.retry_in or 0.0:,.0f} s",
        "probing": "circuit open, being tried with one call",
    }[one.circuit]
    answered = "no answer yet" if one.answered_ago is None else f"answered {one.answered_ago:,.0f} s ago"
    parts = [state, answered]
    if one.held:
        parts.append(f"told to wait for {one.held:,.0f} s more")
    if one.failure is not None:
        parts.append(f"failed {one.failed_ago:,.0f} s ago: {one.failure}")
    return "; ".join(parts)
