"""What every model block has, and what identifies the model that it declares."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from protocols.dialogue import Sampling
from serving.credentials import check_no_credential

SamplingValue: TypeAlias = bool | int | float | str
Temperature: TypeAlias = Annotated[float, Field(strict=True, ge=0.0, le=2.0)]
TopP: TypeAlias = Annotated[float, Field(strict=True, gt=0.0, le=1.0)]


def _one_number(count: object) -> object:
    if isinstance(count, dict):
        raise ValueError("found a mapping; expected one number: {min, max} is for models with backend: serve")
    return count


Replicas: TypeAlias = Annotated[int, BeforeValidator(_one_number), Field(strict=True, ge=1, le=1_000)]
"""How many of a model answer side by side."""


class Block(BaseModel):
    """What every block is: one that is written down and read again is the same block.

    Every block has `replicas` of its model, each of which is given at most `in_flight` asks at once.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, serialize_by_alias=True)

    def sampling(self) -> Sampling:
        """How a seat's replies are drawn unless it says otherwise."""
        return Sampling()


def identity_of(
    backend: str, model: str, revision: str | None, base_url: str | None = None
) -> dict[str, str | None]:
    """What a reply's fingerprint holds of a model."""
    return {"backend": backend, "model": model, "revision": revision, "base_url": base_url}


def _plain_values(extra: object) -> object:
    check_no_credential(extra)
    for name, value in extra.items() if isinstance(extra, dict) else ():
        if not isinstance(value, bool | int | float | str):
            raise ValueError(f"'{name}' is {_shape(value)}; expected one number, string, true or false")
    return extra


def _shape(value: object) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "a mapping" if isinstance(value, dict) else "nothing" if value is None else "a date"


SamplingExtra: TypeAlias = Annotated[dict[str, SamplingValue], BeforeValidator(_plain_values)]
"""Further parameters of the engine or server by name, each one number, string, true or false."""
