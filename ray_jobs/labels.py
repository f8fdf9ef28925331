"""Labels: which number each seat of a panel is called by ("Agent 2") in a debate."""

from __future__ import annotations

from protocols.seeds import draw
from ray_jobs.design import Cell
from ray_jobs.orders import permutation_drawn


def numbers(cell: Cell, seed: int, case_id: str, repetition: int) -> tuple[int, ...]:
    """The number of each seat, in the order of the panel.

    Where seats speak one after another the numbers follow the speaking order. Otherwise `fixed` counts
    along the panel, a permutation stands for itself, and `balanced` begins at a permutation drawn for
    the case from the run's `seed` and goes on to the next with every repetition.
    """
    seats = len(cell.panel)
    match cell.labels:
        case "speaking":
            return tuple(cell.order.index(seat) + 1 for seat in range(1, seats + 1))
        case "balanced":
            return permutation_drawn(seats, draw(seed, f"labels {case_id}") + repetition)
        case "fixed":
            return tuple(range(1, seats + 1))
    return cell.labels
