"""Designed arms as arrays: seats that are asked again alone, seats that hear a verdict the plan drew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from analysis.model.rows import Flags, Ints

NONE = -1
"""What stands for a verdict that could not be read, or that there is not."""

NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ReAsked:
    """N conversations of a seat that hears nobody and is asked T times for its verdict.

    `said`, N by T, is each verdict by its place in `labels`, or `NONE`; `case` and `model`, N each, are
    places in the tuples of names; `debate`, N, is a number for the debate: seats of one may have something in
    common, though none hears another. `unreadable` (turns) and `failed` (debates) count by model what is
    missing.
    """

    said: Ints
    case: Ints
    model: Ints
    debate: Ints
    labels: tuple[str, ...]
    cases: tuple[str, ...]
    models: tuple[str, ...]
    unreadable: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    failed: Mapping[str, int] = field(default_factory=lambda: NOTHING)

    def of(self, model: int) -> ReAsked:
        """The conversations of one model, all names kept."""
        own = self.model == model
        arrays = {name: getattr(self, name)[own] for name in ("said", "case", "model", "debate")}
        return replace(self, **arrays)


@dataclass(frozen=True, slots=True)
class Planted:
    """N first verdicts of seats that have just heard a verdict which the plan drew for a confederate.

    All are arrays of length N. `said` is the verdict, `planted` what was drawn, `before` the seat's own
    verdict of the round before (`NONE` in round 1), by their places in `labels`; `case` and `model` places in
    the tuples of names; `draw` a number for what was drawn at once: verdicts of one debate have one. `heard`
    is how many confederates were heard, `within` whether in the same round. Each label was as likely to be
    drawn as any other. `unreadable` and `failed` count by model what is missing, `unsaid` the debates in
    which a confederate did not say what was drawn.
    """

    said: Ints
    planted: Ints
    before: Ints
    case: Ints
    model: Ints
    draw: Ints
    heard: Ints
    within: Flags
    labels: tuple[str, ...]
    cases: tuple[str, ...]
    models: tuple[str, ...]
    unreadable: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    failed: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    unsaid: int = 0

    def where(self, kept: Flags) -> Planted:
        """Some of the verdicts, all names kept."""
        names = ("said", "planted", "before", "case", "model", "draw", "heard", "within")
        return replace(self, **{name: getattr(self, name)[kept] for name in names})

    @property
    def readable(self) -> Flags:
        """N flags: the verdicts that could be read."""
        flags: Flags = self.said != NONE
        return flags
