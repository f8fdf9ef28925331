"""What must hold for what seats are shown of each other, and for those that are confederates."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from protocols.hearing import HEARS, LEAST
from ray_jobs.design_block import ProtocolEntry
from ray_jobs.located import KeyPath, Located, Problem, one_of
from ray_jobs.planting import EVERY_LABEL, PLANTED, Planted
from ray_jobs.problems import problems

LISTS = "for each seat a list of those it hears, e.g. [[2], [1, 3], [2]]"


def view_problems(
    path: KeyPath, entry: ProtocolEntry, panels: Collection[tuple[str, ...]]
) -> Iterator[Problem]:
    """What is wrong with whom seats hear and how that is shown, for these panels."""
    place, params = (*path, entry.name), entry.params
    if "hears" in params:
        yield from _hearing_problems((*place, "hears"), params["hears"], panels)
    usual = {"hears": "full", "exposure": "all"}
    beside = [name for name, plain in usual.items() if params.get(name, plain) != plain]
    if params.get("history") == "paper" and beside:
        found = f"history: paper beside {' and '.join(beside)}"
        yield Problem((*place, "history"), found, "paper where everybody is shown everything, as published")


def _hearing_problems(path: KeyPath, hears: Any, panels: Collection[tuple[str, ...]]) -> Iterator[Problem]:
    if isinstance(hears, str):
        if hears not in HEARS:
            yield Problem(path, repr(hears), f"{one_of(HEARS, hears)}, or {LISTS}")
            return
        for panel in panels:
            if len(panel) < LEAST[hears]:
                found = f"'{hears}' for the {len(panel)} seats of the panel {list(panel)}"
                least = f"{hears} for panels of {LEAST[hears]} seats or more; with fewer it is full"
                yield Problem(path, found, least)
        return
    if not isinstance(hears, list) or not all(isinstance(each, list) for each in hears):
        yield Problem(path, repr(hears), f"{one_of(HEARS)}, or {LISTS}")
        return
    for panel in panels:
        if len(hears) != len(panel):
            found = f"{len(hears)} lists for the {len(panel)} seats of the panel {list(panel)}"
            yield Problem(path, found, "a list for each seat of every panel")
        for at, each in enumerate(hears[: len(panel)]):
            others = [seat for seat in range(1, len(panel) + 1) if seat != at + 1]
            if not all(type(seat) is int and seat in others for seat in each) or len(set(each)) < len(each):
                allowed = f"other seats of the panel {list(panel)}, each once, from {others}"
                yield Problem((*path, at), repr(each), allowed)


def planted_problems(
    path: KeyPath, entry: ProtocolEntry, panels: Collection[tuple[str, ...]]
) -> Iterator[Problem]:
    """What is wrong with the confederates of a protocol that may have some."""
    place = (*path, entry.name, PLANTED)
    try:
        planted = Planted.model_validate(entry.params[PLANTED])
    except ValidationError as error:
        for each in problems(Located("", entry.params[PLANTED]), error, Planted):
            yield replace(each, path=(*place, *each.path))
        return
    for panel in panels:
        unknown = [seat for seat in planted.seats if seat > len(panel)]
        if unknown or len(set(planted.seats)) >= len(panel):
            found = f"{list(planted.seats)} on the panel {list(panel)}"
            yield Problem((*place, "seats"), found, f"seats from 1 to {len(panel)}, and not all of them")
    for label in planted.text if isinstance(planted.text, dict) else ():
        if label not in EVERY_LABEL:
            yield Problem((*place, "text", label), f"the unknown label '{label}'", one_of(EVERY_LABEL, label))
