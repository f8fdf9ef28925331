"""Which cells of a design can be simulated, and as what; the others are told and left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.model.plan import Condition
from ray_jobs.checks import ORDERED
from ray_jobs.design import Cell
from ray_jobs.located import ExperimentError, one_of
from ray_jobs.planting import PLANTED, planted_by
from ray_jobs.stages import Judging, Labelling, Stage

SIMULATED = ("solo", "synchronous", "round_robin")
"""Protocols that the simulator knows."""

KNOWN = ("rounds", "stop")
"""Parameters of them that it knows."""

ALONE = "none"
"""The steering of a seat that is alone."""


@dataclass(frozen=True, slots=True)
class Simulable:
    """The conditions that are simulated, and what is not, in sentences."""

    conditions: tuple[Condition, ...]
    left_out: tuple[str, ...]


def simulable(cells: Sequence[Cell], stages: Sequence[Stage], steering: str | None) -> Simulable:
    """What the simulator makes of a design.

    Agents that follow Eq. 2 know neither steering nor answer formats nor labels. Verdicts under another
    steering or format are fitted apart, so one steering (by default that of the first cell in which seats
    debate) and one format are simulated; cells that differ in labels alone are plays of one condition. Raises
    `ExperimentError` where no cell is left, or no cell has this steering.
    """
    known = [cell for cell in cells if cell.protocol in SIMULATED and not _strange(cell)]
    debates = [cell for cell in known if _debates(cell)]
    if not debates:
        raise ExperimentError(
            f"the design has no cell that can be simulated: found {_protocols(cells)}; allowed:"
            " synchronous (of at least two rounds) or round_robin debates of at least two seats"
        )
    steerings = list(dict.fromkeys(map(_steering, debates)))
    chosen = steerings[0] if steering is None else steering
    if chosen not in steerings:
        raise ExperimentError(f"--steering: found '{chosen}'; allowed: {one_of(steerings, chosen)}")
    answer = next(cell.answer_format for cell in debates if _steering(cell) == chosen)
    kept = [
        cell
        for cell in known
        if cell.answer_format == answer
        and (_steering(cell) == chosen or (not _debates(cell) and _steering(cell) == ALONE))
    ]
    told = [*_unknown(cells), *_apart(len(kept), len(known), chosen, answer)]
    return Simulable(tuple(map(_condition, kept)), (*told, *map(_stage, stages)))


def _debates(cell: Cell) -> bool:
    """Whether seats of the cell hear each other: at the same time, that is from the second round on."""
    return len(cell.panel) > 1 and (cell.protocol in ORDERED or cell.rounds > 1)


def _apart(kept: int, known: int, steering: str, answer: str) -> Iterator[str]:
    if kept < known:
        yield (
            f"{kept} of {known} cells are simulated, those of steering {steering} and answer {answer}: the"
            " others are fitted apart, and as precise where they have the same panels, for Eq. 2 knows no"
            " steering"
        )


def _condition(cell: Cell) -> Condition:
    order = tuple(cell.panel[seat - 1] for seat in cell.order)
    return Condition(cell.protocol, order, cell.rounds, cell.params.get("stop", "consensus") == "consensus")


def _steering(cell: Cell) -> str:
    return "+".join(dict.fromkeys(cell.steering))


def _strange(cell: Cell) -> set[str]:
    planted = {PLANTED} if planted_by(cell.variant) else set()
    return planted | set(cell.params) - set(KNOWN)


def _unknown(cells: Sequence[Cell]) -> list[str]:
    """A sentence for each protocol, or parameter, that the simulator does not know."""
    unknown = Counter(
        cell.protocol
        if cell.protocol not in SIMULATED
        else f"{cell.protocol} with {', '.join(sorted(_strange(cell)))}"
        for cell in cells
        if cell.protocol not in SIMULATED or _strange(cell)
    )
    return [
        f"{count} {'cell' if count == 1 else 'cells'} of {what} left out: Eq. 2 does not say how they go"
        for what, count in unknown.items()
    ]


def _protocols(cells: Sequence[Cell]) -> str:
    return ", ".join(f"{name} ({count} cells)" for name, count in Counter(c.protocol for c in cells).items())


def _stage(stage: Stage) -> str:
    """A sentence on a stage, none of which is simulated."""
    cell = stage.cells[0]
    makes = (
        "its judgments" if isinstance(cell, Judging)
        else "its labels" if isinstance(cell, Labelling)
        else "debates that go on"
    )  # fmt: skip
    return f"stage {stage.name} is left out: {makes} are not simulated, though its calls are counted"
