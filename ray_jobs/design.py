"""The design: a union of products, expanded into distinct cells in a fixed order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import permutations, product
from typing import Any, Literal

from protocols.answer_format import FormatName
from protocols.system_prompt import VALUE
from ray_jobs.checks import ORDERED, parameters
from ray_jobs.design_block import LabelRule, Product, ProtocolEntry, seat_steerings
from ray_jobs.orders import expand_orders

Labels = Literal["balanced", "fixed", "speaking"] | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the design: all that its debates have in common but case, repetition and seed.

    `panel` names the models in the seats, `order` the seats (from 1) in the sequence in which they
    speak, `steering` that of each seat of the panel. `variant` holds the protocol's parameters as
    canonical JSON: its rounds, and others where they differ from the protocol's own defaults.
    """

    protocol: str
    variant: str
    panel: tuple[str, ...]
    order: tuple[int, ...]
    steering: tuple[str, ...]
    answer_format: FormatName
    labels: Labels

    @property
    def params(self) -> dict[str, Any]:
        """The parameters to call the protocol with."""
        params: dict[str, Any] = json.loads(self.variant)
        params.pop("after", None)  # where a debate goes on from is no parameter
        return params

    @property
    def rounds(self) -> int:
        """The most rounds that a debate of this cell may take."""
        return int(self.params.get("rounds", 1))

    def canonical(self) -> str:
        """The cell as text, equal in every process: what the ids of its debates are made of."""
        return canonical(asdict(self))


def canonical(data: object) -> str:
    """Plain data as JSON that is equal in every process."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def cells(products: Iterable[Product]) -> list[Cell]:
    """The distinct cells of all products; a cell that several of them have stands where it comes first."""
    return list(dict.fromkeys(cell for each in products for cell in _cells(each)))


def _cells(design: Product) -> Iterator[Cell]:
    for entry, panel, steerings, answer in product(
        design.protocols, design.panels, design.steering, design.answer
    ):
        steering = _steering(entry.name, seat_steerings(steerings, len(panel)))
        orders = _orders(entry, panel, steering)
        for order, labels in product(orders, _labels(entry.name, design.labels, len(panel))):
            yield Cell(entry.name, variant(entry, design.rounds), panel, order, steering, answer, labels)


def _steering(protocol: str, steering: tuple[str, ...]) -> tuple[str, ...]:
    """What a seat is really told: one that is alone has no goals but a value, so no other steering."""
    if protocol != "solo" and len(steering) > 1:
        return steering
    return tuple(each if each.startswith(VALUE) else "none" for each in steering)


def _orders(entry: ProtocolEntry, panel: tuple[str, ...], steering: tuple[str, ...]) -> list[tuple[int, ...]]:
    rule = entry.params.get("orders", "all") if entry.name in ORDERED else "given"
    return expand_orders(rule, list(zip(panel, steering, strict=True)))


def _labels(protocol: str, rule: LabelRule, seats: int) -> list[Labels]:
    if protocol in ORDERED:
        return ["speaking"]
    if protocol == "solo" or seats == 1:
        return ["fixed"]
    return list(permutations(range(1, seats + 1))) if rule == "crossed" else [rule]


def variant(entry: ProtocolEntry, rounds: int) -> str:
    """The parameters of a protocol as canonical JSON, with `rounds` where it does not give its own."""
    known = parameters(entry.name)
    params = {
        key: value for key, value in entry.params.items() if key in known and value != known[key].default
    }
    if "rounds" in known:
        params["rounds"] = entry.params.get("rounds", rounds)
    return canonical(params)
