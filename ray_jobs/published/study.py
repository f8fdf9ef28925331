"""The experiment that a published study amounts to, and the cell of its plan that each file holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ray_jobs.design import Cell
from ray_jobs.experiment import Experiment
from ray_jobs.published.debate_files import DebateFile

ROUNDS = 4
"""The most rounds of a debate in the study of interaction protocols."""

Models = tuple[str, ...]


def experiment_of(
    name: str, files: Sequence[DebateFile], called: Mapping[str, str], cases: Mapping[str, object]
) -> Experiment:
    """The experiment whose plan has exactly the debates of these files, on `cases`.

    `called` tells what the study calls each model. Raises `ExperimentError` for a `name` that is none.
    """
    models = dict.fromkeys(model for file in files for model in file.models)
    return Experiment.thawed(
        {
            "name": name,
            "cases": dict(cases),
            "models": {
                model: {"backend": "published", "model": called.get(model, model)} for model in models
            },
            "designs": [*_synchronous(files), *_one_after_another(files)],
            "labels": "fixed",
            "rounds": max(ROUNDS, *(file.most_rounds for file in files)),
        }
    )


def cell_of(file: DebateFile, cells: Sequence[Cell]) -> int:
    """The place in the plan's cells of the one that the file's debates are of."""
    return next(
        place
        for place, cell in enumerate(cells)
        if cell.protocol == file.protocol and _speaking(cell) == file.models
    )


def _speaking(cell: Cell) -> Models:
    return tuple(cell.panel[seat - 1] for seat in cell.order)


def _synchronous(files: Iterable[DebateFile]) -> list[dict[str, object]]:
    panels = [list(file.models) for file in files if file.protocol == "synchronous"]
    return [{"panels": panels, "protocols": ["synchronous"]}] if panels else []


def _one_after_another(files: Sequence[DebateFile]) -> list[dict[str, object]]:
    """A design for each panel, with the orders that there are files of.

    A panel stands in the order in which a synchronous debate has it, or else in that of the alphabet.
    """
    known = {
        tuple(sorted(file.models)): file.models for file in reversed(files) if file.protocol == "synchronous"
    }
    orders: dict[Models, list[list[int]]] = {}
    for file in files:
        if file.protocol == "round_robin":
            members = tuple(sorted(file.models))
            panel = known.get(members, members)
            orders.setdefault(panel, []).append(_seats(file.models, panel))
    return [
        {"panels": [list(panel)], "protocols": [{"round_robin": {"orders": spoken}}]}
        for panel, spoken in orders.items()
    ]


def _seats(models: Models, panel: Models) -> list[int]:
    """The seats of the panel, from 1, in the order in which these models speak; the same model sits twice."""
    left = list(enumerate(panel, start=1))
    seats: list[int] = []
    for model in models:
        taken = next(place for place, (_, member) in enumerate(left) if member == model)
        seats.append(left.pop(taken)[0])
    return seats
