"""The plan: every debate of an experiment, in a fixed order, enumerated and never held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

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
        texts = [f"{STAGE}\x1f{cell.canonical()}" for cell in self.cells]
        self._hashes = [blake2b(text.encode(), digest_size=8) for text in texts]

    def __len__(self) -> int:
        return self.repetitions * len(self.case_ids) * len(self.cells)

    def __iter__(self) -> Iterator[Debate]:
        return map(self.debate, range(len(self)))

    def debate(self, index: int) -> Debate:
        """The debate at `index` (from 0) of the order."""
        rest, cell = divmod(index, len(self.cells))
        repetition, case = divmod(rest, len(self.case_ids))
        case_id = self.case_ids[case]
        debate_id = f"{self._number(cell, case_id, repetition + 1):016x}"
        return Debate(debate_id, case_id, repetition + 1, cell, debate_seed(self.seed, debate_id))

    def numbers(self) -> npt.NDArray[np.uint64]:
        """The ids of all debates in order, as the numbers that they spell: 8 bytes each."""
        cells = range(len(self.cells))
        every = (
            self._number(cell, case_id, repetition)
            for repetition in range(1, self.repetitions + 1)
            for case_id in self.case_ids
            for cell in cells
        )
        return np.fromiter(every, np.uint64, len(self))

    def _number(self, cell: int, case_id: str, repetition: int) -> int:
        """A hash, 64 bits, over stage, cell, repetition and case."""
        digest = self._hashes[cell].copy()
        digest.update(f"\x1f{repetition}\x1f{case_id}".encode())
        return int.from_bytes(digest.digest(), "big")

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
