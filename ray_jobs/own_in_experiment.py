"""A protocol of one's own as an experiment has it: on its panels, with its parameters, on its cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from protocols.dialogue import Ask
from protocols.laws.replies import SCRIPTS
from protocols.own.played import ProtocolError
from protocols.play import Play
from ray_jobs.cases import CaseRow, load_cases
from ray_jobs.debate import Debate
from ray_jobs.design import Cell
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.plan import Plan
from ray_jobs.staging import stage

CASES = 3  # of an experiment, on which its debates are played without their right answers


@dataclass(frozen=True)
class Use:
    """One way in which an experiment uses a protocol: panels of these sizes, these parameters."""

    params: dict[str, Any]
    rounds: int
    sizes: tuple[int, ...]


def uses(file: Path, protocol: str) -> list[Use]:
    """How the designs of an experiment use the protocol. Raises `ExperimentError` where they do not."""
    experiment = load_experiment(file)
    own = [cell for cell in Plan(experiment, ()).cells if cell.protocol == protocol]
    if not own:
        raise ExperimentError(f"{file}: found no design with the protocol {protocol}, as its file is now")
    kinds: dict[str, list[Cell]] = {}
    for cell in own:
        kinds.setdefault(cell.variant, []).append(cell)
    return [
        Use(cells[0].params, cells[0].rounds, tuple(sorted({len(cell.panel) for cell in cells})))
        for cells in kinds.values()
    ]


def truth_problems(file: Path, protocol: str) -> Iterator[str]:
    """That a question to a seat depends on the right answer of the case, which no protocol may know."""
    experiment = load_experiment(file)
    cases = list(load_cases(experiment))[:CASES]
    plan = Plan(experiment, [case.id for case in cases])
    by_id = {case.id: case for case in cases}
    for debate in plan:
        row = by_id[debate.case_id]
        if plan.cell(debate).protocol == protocol:
            try:
                told, blind = (
                    _asks(experiment, plan, each, debate) for each in (row, replace(row, truth=None))
                )
            except ProtocolError as error:
                yield f"plays: {file}, case {row.id}: {error}"
                return
            if told != blind:
                yield f"no truth: {file}, case {row.id}: its questions depend on the right answer"
                return


def _asks(experiment: Experiment, plan: Plan, row: CaseRow, debate: Debate) -> list[Ask]:
    """All that is asked in the debate, answered by a script."""
    play: Play[Any] = Play(stage(experiment, plan, row, debate).dialogue, debate.seed)
    asks: list[Ask] = []
    while not play.done:
        asks += play.step
        for slot, ask in enumerate(play.step):
            play.answer(slot, SCRIPTS["disputed"](ask))
    return asks
