"""The plan: every debate of an experiment, in a fixed order, enumerated and never held."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from protocols.columns import DESIGN
from protocols.seeds import debate_seed
from ray_jobs.design import cells
from ray_jobs.experiment import Experiment
from ray_jobs.labels import numbers

STAGE = "debate"


@dataclass(frozen=True, slots=True)
class Debate:
    """One debate of a plan: which case, which cell (by index in the plan), which repetition (from 1)."""

    debate_id: str
    case_id: str
    repetition: int
    cell: int
    seed: int


class Plan:
    """The debates of an experiment over the cases of these ids: by repetition, then case, then cell.

    An id depends on the cell, the case and the repetition alone, so a plan with more of any of them
    holds the same debates and further ones.
    """

    def __init__(self, experiment: Experiment, case_ids: Sequence[str]) -> None:
        self.cells = cells(experiment.products)
        self.case_ids = case_ids
        self.repetitions = experiment.repetitions
        self.seed = experiment.seed

    def __len__(self) -> int:
        return self.repetitions * len(self.case_ids) * len(self.cells)

    def __iter__(self) -> Iterator[Debate]:
        texts = [cell.canonical() for cell in self.cells]
        for repetition in range(1, self.repetitions + 1):
            for case_id in self.case_ids:
                for index, text in enumerate(texts):
                    debate_id = debate_hash(text, case_id, repetition)
                    yield Debate(debate_id, case_id, repetition, index, debate_seed(self.seed, debate_id))

    def columns(self, debate: Debate) -> dict[str, object]:
        """The design columns of a debate of this plan, all but the run's id; what it has not is None."""
        cell = self.cells[debate.cell]
        called = numbers(cell, self.seed, debate.case_id, debate.repetition)
        known: dict[str, object] = {
            "stage": STAGE,
            "debate_id": debate.debate_id,
            "case_id": debate.case_id,
            "protocol": cell.protocol,
            "variant": cell.variant,
            "panel": "+".join(cell.panel),
            "order": "-".join(map(str, cell.order)),
            "n_seats": len(cell.panel),
            "steering": "+".join(cell.steering),
            "answer_format": cell.answer_format,
            "labels": "-".join(map(str, called)),
            "repetition": debate.repetition,
            "seed": debate.seed,
        }
        return {name: known.get(name) for name, _, _ in DESIGN if name != "run_id"}


def debate_hash(cell: str, case_id: str, repetition: int) -> str:
    """The id of a debate: 16 hexadecimal digits over stage, `cell` (canonical text), case and repetition."""
    text = json.dumps([STAGE, cell, case_id, repetition])
    return blake2b(text.encode(), digest_size=8).hexdigest()
