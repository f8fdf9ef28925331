"""The design columns of a debate: what stands before its own in every row of every table."""

from __future__ import annotations

from protocols.columns import DESIGN
from protocols.seeds import draw
from ray_jobs.debate import Debate
from ray_jobs.labels import permutation_drawn
from ray_jobs.log import Row
from ray_jobs.plan import Plan
from ray_jobs.stages import Judging


def design_row(plan: Plan, debate: Debate, run_id: str) -> Row:
    """The design columns of a debate of the plan; what it has not is None.

    A judgment has those of the debate judged, but for its stage, id, seed and answer format.
    """
    cell, judging = plan.cell(debate), plan.judging(debate)
    known: Row = {
        "run_id": run_id,
        "stage": debate.stage,
        "debate_id": debate.debate_id,
        "case_id": debate.case_id,
        "protocol": cell.protocol,
        "variant": cell.variant,
        "panel": "+".join(cell.panel),
        "order": "-".join(map(str, cell.order)),
        "n_seats": len(cell.panel),
        "steering": "+".join(cell.steering),
        "answer_format": judging.answer_format if judging else cell.answer_format,
        "labels": "-".join(map(str, plan.called(debate))),
        "display": "-".join(map(str, display(judging, plan, debate))) if judging else None,
        "repetition": debate.repetition,
        "seed": debate.seed,
    }
    return {name: known.get(name) for name, _, _ in DESIGN}


def display(judging: Judging, plan: Plan, debate: Debate) -> tuple[int, ...]:
    """The seats of the panel in the order in which the judge is shown what they wrote at the same time."""
    numbers = plan.called(debate)
    match judging.display:
        case "drawn":
            return permutation_drawn(len(numbers), draw(debate.seed, "display"))
        case "given":
            seats = range(1, len(numbers) + 1)
            return tuple(sorted(seats, key=lambda seat: numbers[seat - 1]))
    return judging.display
