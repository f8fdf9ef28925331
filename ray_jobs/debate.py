"""What a run plays, one by one: debates, and what stages make of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ray_jobs.ids import Numbers, id_numbers
from ray_jobs.stage_block import DEBATES


@dataclass(frozen=True, slots=True)
class Debate:
    """One dialogue of a plan: a debate, or what a stage makes of its ended `parent`, a judgment say.

    `cell` is an index into the cells of its stage, `repetition` counts from 1.
    """

    debate_id: str
    case_id: str
    repetition: int
    cell: int
    seed: int
    stage: str = DEBATES
    parent: Debate | None = None


@dataclass(frozen=True, slots=True)
class Debates:
    """Debates of one stage in order: their ids as the `numbers` they spell, and the debate `at` an index.

    8 bytes each; a debate is made when it is asked for.
    """

    stage: str
    numbers: Numbers
    at: Callable[[int], Debate]

    @classmethod
    def of(cls, debates: Sequence[Debate]) -> Debates:
        """These, all of one stage; at least one."""
        return cls(debates[0].stage, id_numbers(debate.debate_id for debate in debates), debates.__getitem__)

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Debate]:
        return map(self.at, range(len(self)))

    def where(self, chosen: npt.NDArray[np.bool_]) -> Debates:
        """Those for which `chosen`, as long as they are many, is true."""
        places = np.flatnonzero(chosen)
        return Debates(self.stage, self.numbers[places], lambda index: self.at(int(places[index])))
