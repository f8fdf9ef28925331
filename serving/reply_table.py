"""A table of replies, for agents that say what they are told to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, PositiveInt

from protocols.dialogue import Ask, FinishReason

ANY = "*"

Place: TypeAlias = tuple[str, str, int | str]


class ScriptedReply(BaseModel):
    """One row: the reply of `seat` in `round` (from 1) for the case `case_id`; "*" stands for any of them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    case_id: str = ANY
    seat: str = ANY
    round: PositiveInt | Literal["*"] = "*"
    text: str
    reasoning: str = ""
    finish_reason: FinishReason = "stop"

    @property
    def place(self) -> Place:
        """Where the row applies."""
        return (self.case_id, self.seat, self.round)


def by_place(replies: Iterable[ScriptedReply]) -> dict[Place, ScriptedReply]:
    """The table by place. Raises `ValueError` for two rows of one place."""
    table: dict[Place, ScriptedReply] = {}
    for reply in replies:
        if reply.place in table:
            raise ValueError(f"two replies for {describe(reply.place)}; one is allowed")
        table[reply.place] = reply
    return table


def find(table: Mapping[Place, ScriptedReply], ask: Ask) -> ScriptedReply | None:
    """The most specific row that fits: a named case counts most, then the seat, then the round."""
    places: list[Place] = [
        (case, seat, round)
        for case in (ask.facts.case_id, ANY)
        for seat in (ask.seat, ANY)
        for round in (ask.round, ANY)
    ]
    return next((table[place] for place in places if place in table), None)


def describe(place: Place) -> str:
    """A place in words."""
    case, seat, round = place
    return f"case '{case}', seat '{seat}', round {round}"
