"""What a viewer is told of a run that its tables do not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stage:
    """How many debates or judgments of a stage are finished, `of` at most how many."""

    name: str
    finished: int
    of: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How a run stands.

    `name` is the experiment's. `state` says in words who plays it, `live` whether anybody does; `told` is
    what that process last told, a line each. `models` has what each model is, by name; `facts` are sentences
    on what holds for all debates, `unfinished` on what is still to be played.
    """

    name: str
    state: str
    live: bool
    stages: Sequence[Stage] = ()
    told: Sequence[str] = ()
    models: Sequence[Mapping[str, str]] = ()
    facts: Sequence[str] = ()
    unfinished: Sequence[str] = ()
