"""What an experiment may wrap around the turns of a protocol: drafts to choose from, and critics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from protocols.best_of_n import MOST, best_of_n
from protocols.case import Case
from protocols.critiqued import critiqued
from protocols.dialogue import Dialogue
from protocols.transcript import Transcript
from protocols.transformed import Assistant
from ray_jobs.design_block import MOST_SEATS, listed

OPPONENT = "opponent"
Place = Annotated[int, Field(strict=True, ge=1, le=MOST_SEATS)]
Seats = Annotated[tuple[Place, ...], listed("seats of the panel, e.g. [1]", MOST_SEATS)]


class BestOfN(BaseModel):
    """`n` drafts of every turn of `seats` (numbers on the panel, all by default), one picked by `preference`.

    That is a model, or "opponent": the model of the seat that comes next on the panel.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    n: Annotated[int, Field(strict=True, ge=2, le=MOST)]
    preference: Annotated[str, Field(strict=True)] = OPPONENT
    seats: Seats | None = None

    def assistants(self, panel: Sequence[str]) -> dict[int, str]:
        """The model that picks for each seat, by its number on the panel."""
        following = [*panel[1:], panel[0]]
        return {
            seat: following[seat - 1] if self.preference == OPPONENT else self.preference
            for seat in self.seats or range(1, len(panel) + 1)
            if seat <= len(panel)
        }


class Critiqued(BaseModel):
    """A `critic`, by model, of the draft of every turn of `seats` (all by default), which is then revised."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    critic: Annotated[str, Field(strict=True)]
    seats: Seats | None = None

    def assistants(self, panel: Sequence[str]) -> dict[int, str]:
        """The critic of each seat, by its number on the panel."""
        seats = self.seats or range(1, len(panel) + 1)
        return {seat: self.critic for seat in seats if seat <= len(panel)}


ASSISTANCE: dict[str, type[BestOfN | Critiqued]] = {"critiqued": Critiqued, "best_of_n": BestOfN}
"""Parameters of any protocol, in the order in which they are put around it."""


SITS_IN = "sits_in"
"""The parameter that names the model of a judge who asks between the turns."""


def assistance(params: Mapping[str, Any]) -> list[BestOfN | Critiqued]:
    """What the parameters of a protocol put around it, innermost first."""
    return [kind.model_validate(params[name]) for name, kind in ASSISTANCE.items() if name in params]


def assisting(params: Mapping[str, Any], panel: Sequence[str]) -> set[str]:
    """The models that are asked though they need not sit on the panel."""
    sitting = {params[SITS_IN]} if SITS_IN in params else set()
    return sitting.union(*(each.assistants(panel).values() for each in assistance(params)))


def assisted(
    dialogue: Dialogue[Transcript],
    case: Case,
    params: Mapping[str, Any],
    models: Mapping[str, Assistant],
) -> Dialogue[Transcript]:
    """The dialogue with all that its parameters put around it; `models` may assist, by name."""
    panel = case.panel
    for each in assistance(params):
        by_number = each.assistants([seat.model for seat in panel])
        seats = {panel[number - 1].name: models[model] for number, model in by_number.items()}
        match each:
            case BestOfN():
                dialogue = best_of_n(dialogue, case, each.n, seats)
            case Critiqued():
                dialogue = critiqued(dialogue, case, seats)
    return dialogue
