"""What stands in one row of a published file, by agent, or what of it cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ray_jobs.design_block import MOST_ROUNDS
from ray_jobs.log import Row
from ray_jobs.published.debate_files import FINAL, ROUNDS, column


class UnusableRow(Exception):
    """A row that holds no debate; the message says in which column, what was found and what is allowed."""


@dataclass(frozen=True, slots=True)
class Agent:
    """What an agent said, an entry for each round: `messages` and `values` are None where not published."""

    verdicts: Sequence[str | None]
    messages: Sequence[str | None] | None
    values: Sequence[object] | None
    name: str | None

    def message(self, round: int) -> str | None:
        """What it wrote in a round, from 1."""
        return self.messages[round - 1] if self.messages else None


@dataclass(frozen=True, slots=True)
class Published:
    """A debate of so many rounds, as it was published: its final verdict, and its agents by number."""

    rounds: int
    final: str | None
    agents: Sequence[Agent]


def published(row: Row, agents: int) -> Published:
    """The debate of a row. Raises `UnusableRow`."""
    rounds = _rounds(row[ROUNDS])
    final = row[FINAL]
    if final is not None and not isinstance(final, str):
        raise UnusableRow(f"{FINAL}: found {final!r}; allowed: a text, or nothing")
    return Published(rounds, final, [_agent(row, number, rounds) for number in range(1, agents + 1)])


def _rounds(found: object) -> int:
    if isinstance(found, int | float) and 1 <= found <= MOST_ROUNDS and found == int(found):
        return int(found)
    raise UnusableRow(f"{ROUNDS}: found {found!r}; allowed: a whole number from 1 to {MOST_ROUNDS}")


def _agent(row: Row, number: int, rounds: int) -> Agent:
    verdicts = _texts(row, column(number, "verdicts"), rounds)
    if verdicts is None:
        raise UnusableRow(f"{column(number, 'verdicts')}: found nothing; allowed: a list")
    name = row.get(column(number, "name"))
    return Agent(
        verdicts,
        _texts(row, column(number, "messages"), rounds),
        _entries(row, column(number, "values"), rounds),
        name if isinstance(name, str) else None,
    )


def _texts(row: Row, name: str, rounds: int) -> Sequence[str | None] | None:
    entries = _entries(row, name, rounds)
    for place, entry in enumerate(entries or (), start=1):
        if entry is not None and not isinstance(entry, str):
            raise UnusableRow(f"{name}: found {entry!r} in round {place}; allowed: a text, or nothing")
    return entries


def _entries(row: Row, name: str, rounds: int) -> list[str | None] | None:
    entries = row.get(name)
    if entries is None:
        return None
    if not isinstance(entries, list):
        raise UnusableRow(f"{name}: found {entries!r}; allowed: a list with an entry for each round")
    if len(entries) != rounds:
        raise UnusableRow(
            f"{name}: found a list of {len(entries)}; allowed: one of {rounds}, as {ROUNDS} says"
        )
    return entries
