"""Stages: what is made of every debate that has ended, as cells of their own.

A stage is a pure function from one ended debate to the next things to play: for each debate of its
`source` that it keeps, every one of its cells.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Any, Literal

from protocols.answer_format import FormatName
from protocols.judge import Sees
from protocols.values import Value
from ray_jobs.design import Cell, canonical, further, identity, in_turn, stance_swaps, told_steering, variant
from ray_jobs.design_block import Variant, seat_steerings
from ray_jobs.experiment import Experiment
from ray_jobs.stage_block import Answers, Judges, Keep, StageBlock

Order = Literal["drawn", "given"] | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Judging:
    """A judge model, in its `number`th pass (from 1).

    `display` is the order of the seats of the panel (by number) in which a judge is shown what they
    wrote at the same time, or how that order comes about.
    """

    model: str
    number: int
    sees: Sees
    answer_format: FormatName
    display: Order
    answers: Answers


@dataclass(frozen=True, slots=True)
class Labelling:
    """A model that labels the explanations of a debate, in its `number`th pass (from 1)."""

    model: str
    number: int


@dataclass(frozen=True, slots=True)
class Onward:
    """A protocol in which the same seats go on from what they have said.

    Their steering is another where one is given.
    """

    protocol: str
    variant: str
    steering: Variant | None = None
    stance_swap: bool | None = None

    @property
    def further(self) -> dict[str, Any]:
        """What is put around the protocol, by name."""
        return further(self.variant)

    def cell(self, before: Cell, numbers: tuple[int, ...]) -> Cell:
        """The cell of a debate that goes on from one of the cell `before`, its seats called by `numbers`.

        The order is that in which seats have spoken or will speak, where they do one after another. The
        variant tells the protocols `after` which it comes, so that debates of different origin stay apart.
        """
        seats = range(1, len(numbers) + 1)
        speaking = tuple(sorted(seats, key=lambda seat: numbers[seat - 1]))
        own = json.loads(self.variant)
        order = speaking if in_turn(self.protocol, own) or before.in_turn else tuple(seats)
        earlier = json.loads(before.variant).get("after")
        after = f"{earlier}+{before.protocol}" if earlier else before.protocol
        steering = before.steering if self.steering is None else seat_steerings(self.steering, len(numbers))
        return replace(
            before,
            protocol=self.protocol,
            variant=canonical({**own, "after": after}),
            order=order,
            labels=numbers,
            steering=told_steering(self.protocol, steering),
            stance_swap=self.stance_swap,
        )


KEPT: dict[Keep, tuple[str, ...]] = {
    "consensus": ("agree",),
    "no_consensus": ("disagree", "one_right", "unreadable"),
    "disagree": ("disagree", "one_right"),
    "one_right": ("one_right",),
}
"""The standings that each rule keeps."""

StageCell = Judging | Labelling | Onward


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage by name: from which other it comes, which of its debates it keeps, what it makes of each.

    `values` are those that its labellers look for.
    """

    name: str
    source: str
    keep: Keep
    cells: tuple[StageCell, ...]
    values: tuple[Value, ...] = ()

    def canonical(self, cell: StageCell) -> str:
        """The cell as text, equal in every process: what the ids of this stage are made of."""
        return f"{self.name}\x1f{identity(cell)}"

    def keeps(self, standing: str) -> bool:
        """Whether a debate with this standing goes on into the stage."""
        return self.keep == "all" or standing in KEPT[self.keep]


def stages(experiment: Experiment) -> list[Stage]:
    """The stages of the experiment, each after the one it comes from."""
    return [
        Stage(
            block.name,
            block.source,
            block.keep,
            tuple(dict.fromkeys(_cells(experiment, block))),
            block.labels.taxonomy if block.labels else (),
        )
        for block in experiment.stages
    ]


def _cells(experiment: Experiment, block: StageBlock) -> Iterator[StageCell]:
    for entry, wanted in product(block.protocols or (), block.steering or (None,)):
        steering = None if wanted is None else _told(entry.name, wanted)
        for swap in stance_swaps(entry.name, block.stance_swap, _seats(experiment)):
            yield Onward(entry.name, variant(entry, block.rounds or experiment.rounds), steering, swap)
    if block.judges is not None:
        yield from _judging(experiment, block.judges)
    if block.labels is not None:
        for number, model in product(range(1, block.labels.passes + 1), block.labels.models):
            yield Labelling(model, number)


def _judging(experiment: Experiment, judges: Judges) -> Iterator[Judging]:
    passes = range(1, judges.passes + 1)
    for number, model, display in product(passes, judges.models, _displays(experiment, judges)):
        yield Judging(model, number, judges.sees, judges.answer, display, judges.answers)


def _displays(experiment: Experiment, judges: Judges) -> list[Order]:
    if judges.display != "crossed":
        return [judges.display]
    (seats,) = {len(panel) for each in experiment.products for panel in each.panels}
    return list(permutations(range(1, seats + 1)))


def _told(protocol: str, steering: Variant) -> Variant:
    """A steering as seats of a further debate are told it; one word where all are told the same."""
    both = (steering, steering) if isinstance(steering, str) else steering
    told = told_steering(protocol, both)
    return told[0] if len(set(told)) == 1 else told


def _seats(experiment: Experiment) -> int:
    """The most seats of any panel."""
    return max(len(panel) for each in experiment.products for panel in each.panels)
