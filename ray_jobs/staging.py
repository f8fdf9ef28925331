"""Staging: from a debate of the plan to the dialogue that plays it, and to the rows of its outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from protocols.answer_format import AnswerFormat
from protocols.case import Case, Seat
from protocols.dialogue import Dialogue, Sampling
from protocols.earlier import otherwise
from protocols.judge import JUDGE, Judgment, judge, winners
from protocols.label import Labelled, label, labeller
from protocols.own.structure import structure
from protocols.planted import planted
from protocols.sections import ASKING, Place, prompt_hash
from protocols.system_prompt import system_prompt
from protocols.transcript import Transcript
from protocols.transformed import Assistant
from ray_jobs.assistance import SITS_IN, assisted
from ray_jobs.cases import CaseRow
from ray_jobs.casting import cast
from ray_jobs.debate import Debate
from ray_jobs.design_row import display
from ray_jobs.experiment import Experiment
from ray_jobs.listing import listing, right_label
from ray_jobs.log import Row
from ray_jobs.parts import Rows
from ray_jobs.plan import Plan
from ray_jobs.rows import debate_rows, judgment_rows, label_rows
from ray_jobs.stages import Judging, Labelling

NOTHING = Transcript()


@dataclass(frozen=True, slots=True)
class Scene:
    """A dialogue that is ready to be played, and what turns its design row, outcome and replies into rows.

    `listed` are the numbers of the options in the order of their letters, none for a moral case.
    """

    dialogue: Dialogue[Any]
    rows: Callable[[Row, Any, Sequence[Row]], Rows]
    listed: tuple[int, ...]


def stage(
    experiment: Experiment, plan: Plan, row: CaseRow, debate: Debate, before: Transcript = NOTHING
) -> Scene:
    """The scene of a debate on the case `row`; `before` is what was said in the debate that it comes from."""
    own, cell = plan.stage_cell(debate), plan.cell(debate)
    listed = listing(cell.listing, experiment.seed, row, debate.repetition)
    if isinstance(own, Judging) and debate.parent is not None:
        return _judgment(experiment, plan, row, debate, debate.parent, own, before, listed)
    if isinstance(own, Labelling) and debate.parent is not None:
        return _labels(experiment, plan, debate, debate.parent, own, before, listed)
    case = cast(experiment, cell, row, debate, otherwise(before, cell.protocol) if debate.parent else "")
    further = {"transcript": before.opening()} if debate.parent is not None else {}
    source = debate.parent.debate_id if debate.parent else None
    assistants = {name: Assistant(name, block.sampling()) for name, block in experiment.models.items()}

    def rows(design: Row, transcript: Transcript, replies: Sequence[Row]) -> Rows:
        right = right_label(case.answer_format, row.truth)
        return debate_rows(design, case, transcript, replies, source, right)

    params = cell.params
    if SITS_IN in cell.further:
        params[SITS_IN] = sitting_judge(case, params[SITS_IN], experiment)
    dialogue = structure(cell.protocol)(case, **params, **further)
    if any(seat.planted for seat in case.seats):
        dialogue = planted(dialogue, case)
    return Scene(assisted(dialogue, case, cell.further, assistants), rows, listed)


def _judgment(
    experiment: Experiment,
    plan: Plan,
    row: CaseRow,
    debate: Debate,
    judged: Debate,
    judging: Judging,
    transcript: Transcript,
    listed: tuple[int, ...],
) -> Scene:
    case = cast(experiment, plan.cell(judged), row, judged)
    form = replace(case.answer_format, name=judging.answer_format)
    named = winners(case, transcript) if judging.answers == "winner" else ()
    dialogue = judge(
        case,
        transcript,
        seat=judge_seat(case, judging, experiment.models[judging.model].sampling(), named),
        answer_format=AnswerFormat(judging.answer_format, "winner", named) if named else form,
        sees=judging.sees,
        display=[f"seat{seat}" for seat in display(judging, plan, debate)],
    )
    source: Row = {
        "kind": "judge",
        "judge": judging.model,
        "pass": judging.number,
        "source_debate": judged.debate_id,
        "sees": judging.sees,
        "answers": judging.answers,
    }

    def rows(design: Row, outcome: Judgment, replies: Sequence[Row]) -> Rows:
        return judgment_rows(design, source, outcome, replies)

    return Scene(dialogue, rows, listed)


def judge_seat(case: Case, judging: Judging, sampling: Sampling, named: tuple[str, ...] = ()) -> Seat:
    """The judge's seat before the case: nobody else sits there, so no debate is described to it.

    `named` is what it may answer with, where that is who was right.
    """
    form = replace(case.answer_format, name=judging.answer_format)
    place = Place(f"judge_{judging.sees}", ["Judge"], 1, 1, winners=named)
    return Seat(
        name=JUDGE,
        label="Judge",
        model=judging.model,
        system=system_prompt(case.prompts, case.title, case.text, place, "none", form),
        sampling=sampling,
        steering="none",
        prompt_hash=prompt_hash(case.prompts, place, "none", form.field, form.name),
    )


def sitting_judge(case: Case, model: str, experiment: Experiment) -> Seat:
    """The seat of a judge who sits in: before the case as the panel, and not told how to decide."""
    place, form = Place(ASKING, ["Judge"], 1, 1), case.answer_format
    return Seat(
        name=JUDGE,
        label="Judge",
        model=model,
        system=system_prompt(case.prompts, case.title, case.text, place, "none", form),
        sampling=experiment.models[model].sampling(),
        steering="none",
        prompt_hash=prompt_hash(case.prompts, place, "none", form.field, form.name),
    )


def _labels(
    experiment: Experiment,
    plan: Plan,
    debate: Debate,
    labelled: Debate,
    labelling: Labelling,
    transcript: Transcript,
    listed: tuple[int, ...],
) -> Scene:
    values = plan.stages[debate.stage].values
    sampling = experiment.models[labelling.model].sampling()
    seat = labeller(labelling.model, sampling, values, experiment.wording)
    dialogue = label(labelled.case_id, transcript, seat=seat, values=values, prompts=experiment.wording)
    source: Row = {
        "kind": "label",
        "judge": labelling.model,
        "pass": labelling.number,
        "source_debate": labelled.debate_id,
        "sees": "explanation",
        "answer_format": plan.cell(labelled).answer_format,
    }

    def rows(design: Row, outcome: Sequence[Labelled], replies: Sequence[Row]) -> Rows:
        return label_rows(design, source, outcome, replies)

    return Scene(dialogue, rows, listed)
