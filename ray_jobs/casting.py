"""Casting: from a cell of the design and a case to the seats of a debate."""

from __future__ import annotations

from protocols.answer_format import AnswerFormat
from protocols.case import Case, Seat
from protocols.system_prompt import Place, prompt_hash, system_prompt
from ray_jobs.cases import CaseRow
from ray_jobs.debate import Debate
from ray_jobs.design import Cell
from ray_jobs.experiment import Experiment
from ray_jobs.labels import numbers


def cast(experiment: Experiment, cell: Cell, row: CaseRow, debate: Debate, earlier: str = "") -> Case:
    """The case before its panel; `earlier` as in `Place`.

    Seats stand in the order of their numbers, which is the speaking order where there is one. A seat's
    name tells its place on the declared panel ("seat1", "seat2", ...), its label its number.
    """
    called = numbers(cell, experiment.seed, row.id, debate.repetition)
    labels = [f"Agent {number}" for number in sorted(called)]
    answer_format = AnswerFormat(cell.answer_format)

    def seat(at: int) -> Seat:
        model, steering = cell.panel[at], cell.steering[at]
        place = Place(cell.protocol, labels, called[at], cell.rounds, earlier)
        return Seat(
            name=f"seat{at + 1}",
            label=place.label,
            model=model,
            system=system_prompt(experiment.wording, row.title, row.text, place, steering, answer_format),
            sampling=experiment.models[model].sampling(),
            steering=steering,
            prompt_hash=prompt_hash(experiment.wording, place, steering, answer_format),
        )

    return Case(
        id=row.id,
        text=row.text,
        seats=tuple(map(seat, sorted(range(len(called)), key=called.__getitem__))),
        title=row.title,
        answer_format=answer_format,
        prompts=experiment.wording,
        seed=debate.seed,
    )
