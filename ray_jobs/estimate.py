"""What a plan will take: debates, calls and tokens, as ranges, before anything is played."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from protocols.dialogue import Ask
from ray_jobs.cases import CaseRow
from ray_jobs.debate import Debate
from ray_jobs.design import Cell, in_turn
from ray_jobs.experiment import Experiment
from ray_jobs.plan import Plan
from ray_jobs.rehearsal import characters, rehearse
from ray_jobs.stage_block import DEBATES
from ray_jobs.stages import Onward, Stage
from serving.blocks import ModelBlock
from serving.context import prompt_tokens
from serving.errors import ModelError
from serving.remote.request import expected_tokens

CHARACTERS_PER_TOKEN = 4.0


@dataclass(frozen=True, slots=True)
class Range:
    """From the `least`, all seats agreeing at once, to the `most`, never agreeing."""

    least: int = 0
    most: int = 0

    def __add__(self, other: Range) -> Range:
        return Range(self.least + other.least, self.most + other.most)

    def __str__(self) -> str:
        least, most = f"{self.least:,}", f"{self.most:,}"
        return least if least == most else f"{least} to {most}"


@dataclass(frozen=True, slots=True)
class CellEstimate:
    """The debates of one cell, and the calls that they take together."""

    cell: Cell
    debates: int
    calls: Range


@dataclass(frozen=True, slots=True)
class StageEstimate:
    """What one stage makes of the debates it comes from, and the calls that this takes."""

    stage: Stage
    debates: Range
    calls: Range


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """What one model is asked in the whole plan, if every reply is as long as its max_tokens allows.

    `longest_call` are the tokens of the longest prompt and its reply together, as its limits count them.
    `counted` says whether the model's own tokenizer stands behind the figures, or four characters a token.
    """

    model: str
    calls: Range
    prompt_tokens: Range
    completion_tokens: Range
    longest_call: int
    counted: bool


@dataclass(frozen=True, slots=True)
class Estimate:
    """A plan in figures: by cell and stage in the order of the plan, by model in that of the experiment."""

    cells: tuple[CellEstimate, ...]
    stages: tuple[StageEstimate, ...]
    models: tuple[ModelEstimate, ...]

    @property
    def debates(self) -> int:
        """Debates of the whole plan."""
        return sum(each.debates for each in self.cells)

    @property
    def calls(self) -> Range:
        """Calls of all debates, without those of the stages that follow."""
        return sum((each.calls for each in self.cells), Range())


def estimate(experiment: Experiment, plan: Plan, cases: Sequence[CaseRow]) -> Estimate:
    """Rehearses every cell with the case of `cases` whose length is nearest to their mean.

    `cases` holds at least one. A model that is not there yet is no error: its tokens are not counted.
    """
    mean = sum(len(case.text) for case in cases) / len(cases)
    case = min(cases, key=lambda case: abs(len(case.text) - mean))
    debates = plan.repetitions * len(plan.case_ids)
    alone = Plan(experiment, [case.id])
    later = any(_in_turn(stage) for stage in plan.stages.values())
    loads: dict[Hashable, _Load] = {}
    for cell, debate in zip(alone.cells, alone.one_of_each(), strict=True):
        kind = _kind(cell, later)
        if kind not in loads:
            loads[kind] = _Load(experiment, alone, case, debate)
    all_loads = [loads[_kind(cell, later)] for cell in plan.cells]
    return Estimate(
        cells=tuple(
            CellEstimate(cell, debates, load.range("calls", DEBATES, debates))
            for cell, load in zip(plan.cells, all_loads, strict=True)
        ),
        stages=tuple(
            StageEstimate(
                stage,
                sum((load.range("debates", name, debates) for load in all_loads), Range()),
                sum((load.range("calls", name, debates) for load in all_loads), Range()),
            )
            for name, stage in plan.stages.items()
        ),
        models=tuple(_of_model(experiment, name, all_loads, debates) for name in experiment.models),
    )


class _Asked:
    """Of one rehearsed debate and what follows from it: debates and calls by stage, what models are asked."""

    def __init__(self, rehearsed: Iterable[tuple[Debate, Ask]]) -> None:
        pairs = list(rehearsed)
        self.calls = Counter(debate.stage for debate, _ in pairs)
        self.debates = Counter(debate.stage for debate in {debate for debate, _ in pairs})
        self.of_model = Counter(ask.model for _, ask in pairs)
        self.characters: Counter[str] = Counter()
        self.longest: Counter[str] = Counter()
        for _, ask in pairs:
            self.characters[ask.model] += characters(ask)
            self.longest[ask.model] = max(self.longest[ask.model], expected_tokens(ask))
        self.example = {ask.model: ask for _, ask in pairs}


class _Load:
    """The shortest and the longest debate of a cell."""

    def __init__(self, experiment: Experiment, plan: Plan, case: CaseRow, debate: Debate) -> None:
        self.least = _Asked(rehearse(experiment, plan, case, debate, agree=True))
        self.most = _Asked(rehearse(experiment, plan, case, debate, agree=False))

    def range(self, what: Literal["calls", "debates"], stage: str, times: int) -> Range:
        """So many times what the shortest and the longest debate take of this in the stage."""
        least, most = getattr(self.least, what), getattr(self.most, what)
        return Range(*sorted((times * least[stage], times * most[stage])))


def _of_model(experiment: Experiment, name: str, loads: Sequence[_Load], debates: int) -> ModelEstimate:
    block = experiment.models[name]
    example = next((load.most.example[name] for load in loads if name in load.most.example), None)
    tokens = _counted(block, example) if example else None
    ratio = characters(example) / tokens if example and tokens else CHARACTERS_PER_TOKEN
    calls = Range(
        debates * sum(load.least.of_model[name] for load in loads),
        debates * sum(load.most.of_model[name] for load in loads),
    )
    prompt = Range(
        round(debates * sum(load.least.characters[name] for load in loads) / ratio),
        round(debates * sum(load.most.characters[name] for load in loads) / ratio),
    )
    most = block.sampling().max_tokens
    return ModelEstimate(
        name,
        calls,
        prompt,
        Range(calls.least * most, calls.most * most),
        longest_call=max((load.most.longest[name] for load in loads), default=0),
        counted=tokens is not None,
    )


def _counted(block: ModelBlock, ask: Ask) -> int | None:
    """Tokens of the prompt by the model's own tokenizer; None where it is not at hand."""
    try:
        return prompt_tokens(block, ask.messages)
    except ModelError:
        return None


def _in_turn(stage: Stage) -> bool:
    onward = [cell for cell in stage.cells if isinstance(cell, Onward)]
    return any(in_turn(cell.protocol, json.loads(cell.variant)) for cell in onward)


def _kind(cell: Cell, later: bool) -> Hashable:
    """Cells of one kind take as much of each model.

    It matters who sits where, as parameters name seats by their place: a consultant, a side that drafts.
    Where seats speak one after another, here or `later` in a stage that follows, who is earlier hears less:
    then the order matters too. Where balanced labels decide who speaks when in a stage, those of one case
    stand for all.
    """
    order = cell.order if cell.in_turn or later else ()
    labels = cell.labels if later else ""
    seats = cell.panel, cell.steering, order, labels
    return cell.protocol, cell.variant, seats, cell.stance_swap, cell.answer_format
