"""What is known of stages before anything starts: which keep nothing, and which lack right answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ray_jobs.cases import CaseRow
from ray_jobs.plan import Plan
from ray_jobs.stages import Judging


def stage_warnings(plan: Plan, cases: Sequence[CaseRow]) -> list[str]:
    """What may be other than is meant, a sentence each."""
    return [*_kept_by_nobody(plan), *_without_truth(plan, cases)]


def _kept_by_nobody(plan: Plan) -> Iterator[str]:
    """Stages that keep debates by consensus, from some in which there is nobody to agree with."""
    alone = dict.fromkeys("+".join(cell.panel) for cell in plan.cells if len(cell.panel) == 1)
    for stage in plan.stages.values():
        if alone and stage.keep != "all":
            yield (
                f"stage '{stage.name}' keeps debates that end with {stage.keep}: none of the panels"
                f" {', '.join(alone)}, whose one seat has nobody to agree with. For these a stage with 'keep:"
                " all' is needed"
            )


def _without_truth(plan: Plan, cases: Sequence[CaseRow]) -> Iterator[str]:
    """Judges of questions without any right answer; stages that keep debates by it where some have none."""
    unknown = sum(case.truth is None for case in cases)
    judging = [stage.name for stage in plan.stages.values() if isinstance(stage.cells[0], Judging)]
    if judging and unknown == len(cases) and all(case.options for case in cases):
        yield (
            f"no question has a right answer (truth), so whether the judges of stage '{judging[0]}' are right"
            f" cannot be told: name the column of the right answers, cases: {{columns: {{truth: NAME}}}}, if"
            " there is one"
        )
    for stage in plan.stages.values():
        if stage.keep == "one_right" and unknown:
            yield (
                f"stage '{stage.name}' keeps debates in which exactly one seat is right, and {unknown:,} of"
                f" {len(cases):,} cases have no right answer (truth): of these it keeps none. 'keep:"
                " disagree' needs none"
            )
