"""Agents that say what a table tells them to."""

from __future__ import annotations

import time

from protocols.dialogue import Ask, Reply
from serving.blocks import ScriptedBlock
from serving.errors import AskRefused
from serving.reply_table import by_place, describe, find


class Scripted:
    """A backend that looks each reply up by case, seat and round."""

    def __init__(self, block: ScriptedBlock) -> None:
        self._table = by_place(block.replies)
        self._in_flight = block.in_flight

    @property
    def in_flight(self) -> int:
        """As declared."""
        return self._in_flight

    @property
    def condition(self) -> None:
        """Nothing lies on the way to it."""

    async def answer(self, ask: Ask) -> Reply:
        """The reply of the most specific row that fits. Raises `AskRefused` where none does."""
        row = find(self._table, ask)
        if row is None:
            place = describe((ask.facts.case_id, ask.seat, ask.round))
            raise AskRefused(
                f"no scripted reply for {place}; the table has {len(self._table)} rows."
                " Add one, or one with '*'"
            )
        return Reply(
            text=row.text,
            reasoning=row.reasoning,
            finish_reason=row.finish_reason,
            model=ask.model,
            provider="scripted",
            seed_sent=False,
            time=time.time(),
        )

    async def probe(self) -> None:
        """A table is always there."""

    async def close(self) -> None:
        """Nothing to give back."""
