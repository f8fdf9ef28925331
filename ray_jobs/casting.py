"""Casting: from a cell of the design and a case to the seats of a debate."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from protocols.answer_format import LETTERS
from protocols.case import Case, Seat
from protocols.hearing import heard
from protocols.openings import described
from protocols.own.structure import is_own
from protocols.sections import Place, prompt_hash
from protocols.system_prompt import system_prompt
from ray_jobs.assistance import SITS_IN
from ray_jobs.cases import CaseRow
from ray_jobs.debate import Debate
from ray_jobs.design import Cell
from ray_jobs.experiment import Experiment
from ray_jobs.labels import numbers
from ray_jobs.listing import listing, question_format
from ray_jobs.planting import planted_by


def cast(experiment: Experiment, cell: Cell, row: CaseRow, debate: Debate, earlier: str = "") -> Case:
    """The case before its panel; `earlier` as in `Place`.

    Seats stand in the order of their numbers, which is the speaking order where there is one. A seat's
    name tells its place on the declared panel ("seat1", "seat2", ...), its label its number.
    """
    called = numbers(cell, experiment.seed, row.id, debate.repetition)
    labels = [f"Agent {number}" for number in sorted(called)]
    listed = listing(cell.listing, experiment.seed, row, debate.repetition)
    answer_format = question_format(cell.answer_format, row, listed)
    structure = _structure(cell)
    planted = planted_by(cell.variant)
    label = planted.label(debate.seed, answer_format.labels) if planted else ""
    hears = heard(cell.params.get("hears", "full"), len(called))

    def seat(at: int) -> Seat:
        model, steering = cell.panel[at], cell.steering[at]
        confederate = label if planted and at + 1 in planted.seats else ""
        place = Place(
            structure,
            labels,
            called[at],
            cell.rounds,
            earlier,
            hears=_positions(hears[at], called),
            exposure=cell.params.get("exposure", "all"),
            planted=described(answer_format, confederate) if confederate else "",
            inquired=SITS_IN in cell.params,
        )
        return Seat(
            name=f"seat{at + 1}",
            label=place.label,
            model=model,
            system=system_prompt(experiment.wording, row.title, row.text, place, steering, answer_format),
            sampling=experiment.models[model].sampling(),
            steering=steering,
            prompt_hash=prompt_hash(
                experiment.wording, place, steering, answer_format.field, answer_format.name
            ),
            planted=confederate,
            script=planted.script(confederate) if planted and confederate else None,
        )

    return Case(
        id=row.id,
        text=row.text,
        seats=tuple(map(seat, sorted(range(len(called)), key=called.__getitem__))),
        title=row.title,
        answer_format=answer_format,
        prompts=experiment.wording,
        seed=debate.seed,
        openings=tuple(
            (LETTERS[listed.index(row.options.index(answer) + 1)], argument)
            for answer, argument in row.openings or ()
            if row.options
        ),
        stance_swap=bool(cell.stance_swap),
    )


def _positions(hears: Collection[int], called: Sequence[int]) -> tuple[int, ...] | None:
    """The positions of the seats that one hears; None where these are all the others."""
    return None if len(hears) == len(called) - 1 else tuple(sorted(called[seat - 1] for seat in hears))


def _structure(cell: Cell) -> str:
    """What prompts call the protocol: a debate goes by its form, one of somebody's own is `own`."""
    if is_own(cell.protocol):
        return "own"
    if cell.protocol != "debate" or not cell.in_turn:
        return cell.protocol
    return "debate_first_together" if cell.params.get("first") == "simultaneous" else "debate_alternating"
