"""The design columns of a debate: what stands before its own in every row of every table."""

from __future__ import annotations

from collections.abc import Sequence

from protocols.answer_format import LETTERS, VERDICTS
from protocols.columns import DESIGN
from protocols.seeds import draw
from ray_jobs.debate import Debate
from ray_jobs.design import Cell
from ray_jobs.log import Row
from ray_jobs.orders import permutation_drawn
from ray_jobs.plan import Plan
from ray_jobs.planting import planted_by
from ray_jobs.stages import Judging, Labelling, StageCell


def design_row(plan: Plan, debate: Debate, run_id: str, listed: Sequence[int] = ()) -> Row:
    """The design columns of a debate of the plan, its options `listed` so; what it has not is None.

    A judgment has those of the debate judged, but for its stage, id, seed and answer format.
    """
    cell, own = plan.cell(debate), plan.stage_cell(debate)
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
        "answer_format": _answer_format(cell, own),
        "labels": "-".join(map(str, plan.called(debate))),
        "stance_swap": cell.stance_swap,
        "listing": "-".join(map(str, listed)) or None,
        "display": _shown(own, plan, debate),
        "planted": _planted(cell, debate if own is None else debate.parent or debate, len(listed)),
        "repetition": debate.repetition,
        "seed": debate.seed,
    }
    return {name: known.get(name) for name, _, _ in DESIGN}


def _answer_format(cell: Cell, own: StageCell | None) -> str:
    if isinstance(own, Labelling):
        return "json"
    return own.answer_format if isinstance(own, Judging) else cell.answer_format


def _planted(cell: Cell, debate: Debate, options: int) -> str | None:
    """The label planted in the debate, or in the one that is judged in it."""
    planted = planted_by(cell.variant)
    return planted.label(debate.seed, LETTERS[:options] or VERDICTS) if planted else None


def _shown(own: StageCell | None, plan: Plan, debate: Debate) -> str | None:
    return "-".join(map(str, display(own, plan, debate))) if isinstance(own, Judging) else None


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
