"""The design: a union of products, expanded into distinct cells in a fixed order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, Literal

from protocols.own.structure import is_own
from protocols.sections import ALONE, ARGUING, VALUE
from ray_jobs.assistance import ASSISTANCE, SITS_IN
from ray_jobs.checks import ORDERED, parameters
from ray_jobs.design_block import LabelRule, Listing, Product, ProtocolEntry, SwapRule, seat_steerings
from ray_jobs.orders import expand_orders
from ray_jobs.planting import PLANTED, confederates, each_planted

Labels = Literal["balanced", "fixed", "speaking"] | tuple[int, ...]
UNNAMED = (*ALONE, "reask")
"""The protocols in which no seat hears of another, so that it does not matter how they are called."""

LATER = {"listing": "drawn", "stance_swap": None, "steering": None, "answers": "option"}
LISTINGS: dict[str, list[Listing]] = {
    "drawn": ["drawn"],
    "given": ["given"],
    "crossed": ["drawn", "reversed"],
}


if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the design: all that its debates have in common but case, repetition and seed.

    `panel` names the models in the seats, `order` the seats (from 1) in the sequence in which they
    speak, `steering` that of each seat of the panel. `variant` holds the protocol's parameters as
    canonical JSON: its rounds, and others where they differ from the protocol's own defaults. `stance_swap`
    is None where nobody argues for a stance.
    """

    protocol: str
    variant: str
    panel: tuple[str, ...]
    order: tuple[int, ...]
    steering: tuple[str, ...]
    answer_format: str
    labels: Labels
    listing: Listing = "drawn"
    stance_swap: bool | None = None

    @property
    def params(self) -> dict[str, Any]:
        """The parameters to call the protocol with."""
        params: dict[str, Any] = json.loads(self.variant)
        for further in ("after", PLANTED, *ASSISTANCE):  # where it goes on from, and what is put around it
            params.pop(further, None)
        return params

    @property
    def further(self) -> dict[str, Any]:
        """What is put around the protocol, by name."""
        return further(self.variant)

    @property
    def in_turn(self) -> bool:
        """Whether seats speak one after another, in the order of the cell."""
        return in_turn(self.protocol, self.params)

    @property
    def rounds(self) -> int:
        """The most rounds that a debate of this cell may take, or turns after its openings."""
        known = parameters(self.protocol)
        name = "turns" if "turns" in known else "rounds"
        return int(self.params.get(name, known[name].default if name in known else 1))

    def canonical(self) -> str:
        """The cell as text, equal in every process: what the ids of its debates are made of."""
        return identity(self)


def further(variant: str) -> dict[str, Any]:
    """Of a protocol's parameters, what they put around it, by name."""
    return {name: value for name, value in json.loads(variant).items() if name in (SITS_IN, *ASSISTANCE)}


def identity(cell: DataclassInstance) -> str:
    """A cell as text, without what is as it was before there was a choice: so ids stay what they were."""
    fields = asdict(cell).items()
    return canonical({name: value for name, value in fields if name not in LATER or value != LATER[name]})


def canonical(data: object) -> str:
    """Plain data as JSON that is equal in every process."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def cells(products: Iterable[Product]) -> list[Cell]:
    """The distinct cells of all products; a cell that several of them have stands where it comes first."""
    return list(dict.fromkeys(cell for each in products for cell in _cells(each)))


def _cells(design: Product) -> Iterator[Cell]:
    entries = [each for entry in design.protocols for each in each_planted(entry)]
    for entry, panel, steerings, answer in product(entries, design.panels, design.steering, design.answer):
        steering = told_steering(entry.name, seat_steerings(steerings, len(panel)))
        orders = _orders(entry, panel, steering)
        labels = _labels(entry, design.labels, len(panel))
        swaps = stance_swaps(entry.name, design.stance_swap, len(panel))
        for order, called, listed, swap in product(orders, labels, LISTINGS[design.listing], swaps):
            played = variant(entry, design.rounds)
            yield Cell(entry.name, played, panel, order, steering, answer, called, listed, swap)


def stance_swaps(protocol: str, rule: SwapRule, seats: int) -> list[bool | None]:
    """Whether stances are exchanged, where seats argue for any and there is more than one."""
    if protocol not in ARGUING or seats == 1:
        return [None]
    return [False, True] if rule == "crossed" else [rule]


def told_steering(protocol: str, steering: tuple[str, ...]) -> tuple[str, ...]:
    """What a seat is really told.

    One that is alone, or argues for a stance, has no goals but a value, so no other steering; one that is
    asked again without hearing anyone has the default too. Where a disagreement is to be resolved the default
    adds nothing, which is called vanilla.
    """
    if protocol == "disagreement_resolution":
        return tuple("vanilla" if each in ("default", "none") else each for each in steering)
    if protocol in ARGUING:
        return tuple(each if each.startswith(VALUE) else "none" for each in steering)
    if protocol == "reask":
        return tuple(each if each == "default" or each.startswith(VALUE) else "none" for each in steering)
    if protocol not in ALONE and len(steering) > 1:
        return steering
    return tuple(each if each.startswith(VALUE) else "none" for each in steering)


def _orders(entry: ProtocolEntry, panel: tuple[str, ...], steering: tuple[str, ...]) -> list[tuple[int, ...]]:
    rule = entry.params.get("orders", "all") if in_turn(entry.name, entry.params) else "given"
    return expand_orders(rule, list(zip(panel, steering, _places(entry, len(panel)), strict=True)))


def _places(entry: ProtocolEntry, seats: int) -> list[int]:
    """What tells seats apart beside model and steering: whom they hear, and whether they are confederates."""
    if entry.params.get("hears", "full") != "full":
        return [*range(seats)]
    return [int(seat in confederates(entry)) for seat in range(1, seats + 1)]


def in_turn(protocol: str, params: Mapping[str, Any]) -> bool:
    """Whether seats speak one after another; in a protocol of one's own, where `orders` are given."""
    own = is_own(protocol) and "orders" in params
    return own or protocol in ORDERED or params.get("form") == "alternating"


def _labels(entry: ProtocolEntry, rule: LabelRule, seats: int) -> list[Labels]:
    if in_turn(entry.name, entry.params):
        return ["speaking"]
    if entry.name in UNNAMED or seats == 1:
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
    params |= {name: entry.params[name] for name in (PLANTED, *ASSISTANCE) if name in entry.params}
    return canonical(params)
