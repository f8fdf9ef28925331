"""Staging: from a debate of the plan to the dialogue that plays it, and to the rows of its outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from protocols import PROTOCOLS
from protocols.answer_format import AnswerFormat
from protocols.case import Seat
from protocols.dialogue import Dialogue
from protocols.earlier import otherwise
from protocols.judge import JUDGE, judge
from protocols.label import label, labeller
from protocols.system_prompt import Place, prompt_hash, system_prompt
from protocols.transcript import Transcript
from ray_jobs.cases import CaseRow
from ray_jobs.casting import cast
from ray_jobs.debate import Debate
from ray_jobs.design_row import display
from ray_jobs.experiment import Experiment
from ray_jobs.log import Row
from ray_jobs.parts import Rows
from ray_jobs.plan import Plan
from ray_jobs.rows import debate_rows, judgment_rows, label_rows
from ray_jobs.stages import Judging, Labelling

NOTHING = Transcript()


@dataclass(frozen=True, slots=True)
class Scene:
    """A dialogue that is ready to be played, and what turns its design row, outcome and replies into rows."""

    dialogue: Dialogue[Any]
    rows: Callable[[Row, Any, Sequence[Row]], Rows]


def stage(
    experiment: Experiment, plan: Plan, row: CaseRow, debate: Debate, before: Transcript = NOTHING
) -> Scene:
    """The scene of a debate on the case `row`; `before` is what was said in the debate that it comes from."""
    own = plan.stage_cell(debate)
    if isinstance(own, Judging) and debate.parent is not None:
        return _judgment(experiment, plan, row, debate, debate.parent, own, before)
    if isinstance(own, Labelling) and debate.parent is not None:
        return _labels(experiment, plan, debate, debate.parent, own, before)
    cell = plan.cell(debate)
    case = cast(experiment, cell, row, debate, otherwise(before, cell.protocol) if debate.parent else "")
    further = {"transcript": before.opening()} if debate.parent is not None else {}
    source = debate.parent.debate_id if debate.parent else None

    def rows(design: Row, transcript: Transcript, replies: Sequence[Row]) -> Rows:
        return debate_rows(design, case, transcript, replies, source)

    return Scene(PROTOCOLS[cell.protocol](case, **cell.params, **further), rows)


def _judgment(
    experiment: Experiment,
    plan: Plan,
    row: CaseRow,
    debate: Debate,
    judged: Debate,
    judging: Judging,
    transcript: Transcript,
) -> Scene:
    case = cast(experiment, plan.cell(judged), row, judged)
    dialogue = judge(
        case,
        transcript,
        seat=judge_seat(experiment, row, judging),
        answer_format=AnswerFormat(judging.answer_format),
        sees=judging.sees,
        display=[f"seat{seat}" for seat in display(judging, plan, debate)],
    )
    source: Row = {
        "kind": "judge",
        "judge": judging.model,
        "pass": judging.number,
        "source_debate": judged.debate_id,
        "sees": judging.sees,
        "answers": "option",
    }
    return Scene(dialogue, lambda design, outcome, replies: judgment_rows(design, source, outcome, replies))


def _labels(
    experiment: Experiment,
    plan: Plan,
    debate: Debate,
    labelled: Debate,
    labelling: Labelling,
    transcript: Transcript,
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
    return Scene(dialogue, lambda design, outcome, replies: label_rows(design, source, outcome, replies))


def judge_seat(experiment: Experiment, row: CaseRow, judging: Judging) -> Seat:
    """The judge's seat before the case: nobody else sits there, so no debate is described to it."""
    answer_format = AnswerFormat(judging.answer_format)
    place = Place(f"judge_{judging.sees}", ["Judge"], 1, 1)
    return Seat(
        name=JUDGE,
        label="Judge",
        model=judging.model,
        system=system_prompt(experiment.wording, row.title, row.text, place, "none", answer_format),
        sampling=experiment.models[judging.model].sampling(),
        steering="none",
        prompt_hash=prompt_hash(experiment.wording, place, "none", answer_format),
    )
