"""The plan: every debate of an experiment, in a fixed order, enumerated and never held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from protocols.seeds import debate_seed
from ray_jobs.assistance import assisting
from ray_jobs.debate import Debate, Debates
from ray_jobs.design import UNNAMED, Cell, cells
from ray_jobs.experiment import Experiment
from ray_jobs.labels import numbers
from ray_jobs.stage_block import DEBATES
from ray_jobs.stages import Onward, Stage, StageCell, stages


class Plan:
    """The debates of an experiment over the cases of these ids, and what its stages make of them.

    Debates come by repetition, then case, then cell. An id depends on the cell, the case and the
    repetition alone, or on the stage, its cell and the debate it comes from, so a plan with more of any
    of them holds the same debates and further ones.
    """

    def __init__(self, experiment: Experiment, case_ids: Sequence[str]) -> None:
        self.cells = cells(experiment.products)
        self.stages = {stage.name: stage for stage in stages(experiment)}
        self.case_ids = case_ids
        self.repetitions = experiment.repetitions
        self.seed = experiment.seed
        self.labels = experiment.labels
        self._hashes = [_hash(f"{DEBATES}\x1f{cell.canonical()}") for cell in self.cells]
        self._stage_hashes = {
            name: [_hash(stage.canonical(cell)) for cell in stage.cells]
            for name, stage in self.stages.items()
        }

    def __len__(self) -> int:
        return self.repetitions * len(self.case_ids) * len(self.cells)

    def __iter__(self) -> Iterator[Debate]:
        return map(self.debate, range(len(self)))

    @property
    def models(self) -> set[str]:
        """The models that are asked anything."""
        return self.models_from(DEBATES)

    def models_from(self, stage: str) -> set[str]:
        """The models that are asked anything in the stage and in all that follow from it."""
        own = self.stages[stage].cells if stage != DEBATES else ()
        names = {cell.model for cell in own if not isinstance(cell, Onward)}
        if stage == DEBATES or any(isinstance(cell, Onward) for cell in own):
            names |= {model for cell in self.cells for model in cell.panel}
            further = [each.further for each in own if isinstance(each, Onward)]
            names |= {
                model
                for cell in self.cells
                for params in (further or [cell.further])
                for model in assisting(params, cell.panel)
            }
        return names.union(*(self.models_from(each.name) for each in self.following(stage)))

    def debate(self, index: int) -> Debate:
        """The debate at `index` (from 0) of the order."""
        rest, cell = divmod(index, len(self.cells))
        repetition, case = divmod(rest, len(self.case_ids))
        case_id = self.case_ids[case]
        number = _number(self._hashes[cell], f"{repetition + 1}\x1f{case_id}")
        return self._debate(number, case_id, repetition + 1, cell, DEBATES, None)

    def one_of_each(self) -> list[Debate]:
        """A debate of every cell: the first repetition on the first case."""
        return [self.debate(cell) for cell in range(len(self.cells))]

    def debates(self) -> Debates:
        """All debates in order."""
        every = (
            _number(digest, f"{repetition}\x1f{case_id}")
            for repetition in range(1, self.repetitions + 1)
            for case_id in self.case_ids
            for digest in self._hashes
        )
        return Debates(DEBATES, np.fromiter(every, np.uint64, len(self)), self.debate)

    def onward(self, stage: Stage, parents: Debates) -> Debates:
        """What the stage makes of these debates: for each of them, every cell of the stage."""
        hashes, size = self._stage_hashes[stage.name], len(stage.cells)
        every = (_number(digest, f"{id:016x}") for id in parents.numbers.tolist() for digest in hashes)
        made: npt.NDArray[np.uint64] = np.fromiter(every, np.uint64, len(parents) * size)

        def at(index: int) -> Debate:
            parent = parents.at(index // size)
            cell = index % size
            number = int(made[index])
            return self._debate(number, parent.case_id, parent.repetition, cell, stage.name, parent)

        return Debates(stage.name, made, at)

    def following(self, stage: str) -> list[Stage]:
        """The stages that come from this one."""
        return [each for each in self.stages.values() if each.source == stage]

    def after(self, debate: Debate, standing: str) -> list[Debate]:
        """What follows from a debate that has ended with this standing."""
        alone = Debates.of([debate])
        return [
            child
            for stage in self.following(debate.stage)
            if stage.keeps(standing)
            for child in self.onward(stage, alone)
        ]

    def stage_cell(self, debate: Debate) -> StageCell | None:
        """The cell of its stage that the debate is of; None where it is of the designs."""
        return self.stages[debate.stage].cells[debate.cell] if debate.parent else None

    def cell(self, debate: Debate) -> Cell:
        """The cell of the design that the debate is of; of a judgment, that of the debate judged."""
        if debate.parent is None:
            return self.cells[debate.cell]
        before, own = self.cell(debate.parent), self.stage_cell(debate)
        return own.cell(before, self._called_on(debate.parent)) if isinstance(own, Onward) else before

    def asked(self, debate: Debate) -> set[str]:
        """The models that are asked anything in the debate."""
        own = self.stage_cell(debate)
        if own is not None and not isinstance(own, Onward):
            return {own.model}
        cell = self.cell(debate)
        return {*cell.panel, *assisting(cell.further, cell.panel)}

    def called(self, debate: Debate) -> tuple[int, ...]:
        """The number that each seat is called by, in the order of the panel."""
        return numbers(self.cell(debate), self.seed, debate.case_id, debate.repetition)

    def _called_on(self, debate: Debate) -> tuple[int, ...]:
        """How seats are called that go on from a debate; those that were alone in it had no names yet."""
        cell = self.cell(debate)
        if cell.protocol not in UNNAMED:
            return self.called(debate)
        named = replace(cell, labels="fixed" if self.labels == "fixed" else "balanced")
        return numbers(named, self.seed, debate.case_id, debate.repetition)

    def _debate(
        self, number: int, case_id: str, repetition: int, cell: int, stage: str, parent: Debate | None
    ) -> Debate:
        debate_id = f"{number:016x}"
        seed = debate_seed(self.seed, debate_id)
        return Debate(debate_id, case_id, repetition, cell, seed, stage, parent)


def _hash(text: str) -> blake2b:
    return blake2b(text.encode(), digest_size=8)


def _number(beginning: blake2b, text: str) -> int:
    """A hash of 64 bits over what `beginning` has taken in, and `text`."""
    digest = beginning.copy()
    digest.update(f"\x1f{text}".encode())
    return int.from_bytes(digest.digest(), "big")
