"""Designs as an experiment file states them: each is a product of panels, protocols and further axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    model_serializer,
    model_validator,
)

from protocols.answer_format import FormatName
from protocols.own.structure import is_own
from ray_jobs.located import KeyPath, one_of
from ray_jobs.problems import not_allowed

LabelRule = Literal["balanced", "fixed", "crossed"]
ListingRule = Literal["drawn", "given", "crossed"]
Listing = Literal["drawn", "reversed", "given"]
SwapRule: TypeAlias = Literal[True, False, "crossed"]
Variant: TypeAlias = str | tuple[str, ...]
MOST_SEATS = 50
MOST_ROUNDS = 20
AXES = ("panels", "protocols", "steering", "answer", "labels", "listing", "stance_swap", "rounds")


def listed(what: str, most: int = 1000, least: int = 1) -> BeforeValidator:
    """Requires a list of `least` to `most`; `what` says of what."""

    def check(value: object) -> object:
        if not isinstance(value, list | tuple) or len(value) < least:
            raise not_allowed(f"a list of {what}")
        if len(value) > most:
            raise not_allowed(f"at most {most}")
        return value

    return BeforeValidator(check)


def one_or_list(value: object) -> object:
    """A single value is a list of one."""
    return value if isinstance(value, list | tuple) else (value,)


def answer_name(value: object) -> object:
    """Text, JSON, or a format of one's own by its name."""
    if value in get_args(FormatName) or (isinstance(value, str) and is_own(value)):
        return value
    raise not_allowed(f"{one_of(get_args(FormatName), value)}; or FILE.py:NAME, one of one's own")


def steering_variant(value: object) -> object:
    """One steering for all seats, or a list with one for each seat."""
    seats = value if isinstance(value, list | tuple) else (value,)
    if seats and all(isinstance(seat, str) for seat in seats):
        return value
    raise not_allowed("a steering, or a list with one steering for each seat")


Seats: TypeAlias = Annotated[
    tuple[Annotated[str, Field(strict=True)], ...], listed("model names, e.g. [a, b]", MOST_SEATS)
]
Panels: TypeAlias = Annotated[
    tuple[Seats, ...], listed("panels, each a list of model names, e.g. [[a, b], [b, b]]")
]
Steerings: TypeAlias = Annotated[
    tuple[Annotated[Variant, BeforeValidator(steering_variant)], ...],
    listed("steerings"),
    BeforeValidator(one_or_list),
]
Answers: TypeAlias = Annotated[
    tuple[Annotated[str, BeforeValidator(answer_name)], ...],
    listed("answer formats"),
    BeforeValidator(one_or_list),
]
Rounds: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=MOST_ROUNDS)]


class ProtocolEntry(BaseModel):
    """A protocol by name, with parameters where they differ from its defaults.

    In the file it is `name` or `{name: {parameter: value}}`.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    params: dict[str, JsonValue] = {}

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        if isinstance(value, str):
            return {"name": value}
        if isinstance(value, dict) and len(value) == 1:
            [(name, params)] = value.items()
            if isinstance(params, dict | None):
                return {"name": name, "params": params or {}}
        raise not_allowed("the name of a protocol, or {name: {parameter: value}}")

    @model_serializer
    def _write(self) -> dict[str, JsonValue]:
        return {self.name: self.params}


Protocols: TypeAlias = Annotated[tuple[ProtocolEntry, ...], listed("protocols, e.g. [solo, synchronous]")]


class Design(BaseModel):
    """One product of axes; an axis that it leaves out is as the top level of the file has it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    panels: Panels
    protocols: Protocols
    steering: Steerings | None = None
    answer: Answers | None = None
    labels: LabelRule | None = None
    listing: ListingRule | None = None
    stance_swap: SwapRule | None = None
    rounds: Rounds | None = None


@dataclass(frozen=True, slots=True)
class Product:
    """A design with no axis left open; `places` says where in the file each axis stands."""

    panels: tuple[tuple[str, ...], ...]
    protocols: tuple[ProtocolEntry, ...]
    steering: tuple[Variant, ...]
    answer: tuple[str, ...]
    labels: LabelRule
    listing: ListingRule
    stance_swap: SwapRule
    rounds: int
    places: Mapping[str, KeyPath]


def seat_steerings(variant: Variant, seats: int) -> tuple[str, ...]:
    """The steering of each seat of a panel of `seats`."""
    return (variant,) * seats if isinstance(variant, str) else variant
