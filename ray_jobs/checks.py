"""What must hold across the keys of an experiment, beyond the shape of each."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import ValidationError

from protocols import PROTOCOLS
from protocols.debate import FORMS
from protocols.disagreement_resolution import HISTORIES as RESOLVED
from protocols.exposure import EXPOSURES
from protocols.own.signature import NOT_SET
from protocols.own.structure import is_own, structure
from protocols.prompts import BUILTIN, GOALS, PromptError, Prompts
from protocols.sections import VALUE, check_steering
from protocols.stopping import STOPS
from protocols.view import HISTORIES
from ray_jobs.assistance import ASSISTANCE, OPPONENT, SITS_IN, BestOfN, Critiqued
from ray_jobs.design_block import MOST_ROUNDS, MOST_SEATS, Product, ProtocolEntry, Variant
from ray_jobs.located import KeyPath, Located, Problem, one_of
from ray_jobs.order_checks import MOST_PERMUTED, orders_problems
from ray_jobs.own_parameters import own_parameter_problems
from ray_jobs.planting import PLANTABLE, PLANTED
from ray_jobs.problems import problems
from ray_jobs.view_checks import planted_problems, view_problems

ORDERED = ("round_robin", "hybrid")
CHOICES: dict[str, Collection[str]] = {
    "stop": STOPS,
    "form": FORMS,
    "first": FORMS,
    "exposure": EXPOSURES,
    "history": HISTORIES,
}
OF_RESOLUTION = {"history": RESOLVED}
NUMBERS = {
    "rounds": (1, MOST_ROUNDS),
    "turns": (1, MOST_ROUNDS),
    "consultant": (1, MOST_SEATS),
    "words": (0, 10_000),
}
"""What the parameters of protocols may be: one of several names, or a whole number from one to another."""


@cache
def parameters(protocol: str) -> Mapping[str, inspect.Parameter]:
    """The parameters of a protocol that an experiment may set, by name."""
    signature = inspect.signature(structure(protocol), eval_str=True)
    return {name: each for name, each in signature.parameters.items() if name not in NOT_SET}


def wording_problems(prompts: Mapping[str, str]) -> Iterator[Problem]:
    """Sections that do not exist, or that use placeholders nobody fills."""
    for name, text in prompts.items():
        if name not in BUILTIN:
            yield Problem(("prompts", name), f"the unknown section '{name}'", one_of(BUILTIN, name))
            continue
        try:
            Prompts({name: text})
        except PromptError as error:
            yield Problem(("prompts", name), str(error))


def product_problems(product: Product, models: Collection[str]) -> Iterator[Problem]:
    """What is wrong with one design: models, protocols, parameters, and steerings."""
    for at, panel in enumerate(product.panels):
        for seat, model in enumerate(panel):
            if model not in models:
                path = (*product.places["panels"], at, seat)
                yield Problem(path, f"the unknown model '{model}'", one_of(models, model))
        if product.labels == "crossed" and len(panel) > MOST_PERMUTED:
            found = f"all labels of the {len(panel)} seats of the panel {list(panel)}"
            yield Problem(product.places["labels"], found, f"crossed for up to {MOST_PERMUTED} seats")
    for at, variant in enumerate(product.steering):
        yield from steering_problems((*product.places["steering"], at), variant, product.panels)
    for at, entry in enumerate(product.protocols):
        yield from _entry_problems((*product.places["protocols"], at), entry, product, models)


def steering_problems(
    path: KeyPath, variant: Variant, panels: Collection[tuple[str, ...]]
) -> Iterator[Problem]:
    """What is wrong with a steering of the seats of these panels."""
    for seat, steering in enumerate([variant] if isinstance(variant, str) else variant):
        try:
            check_steering(steering)
        except PromptError:
            allowed = one_of([*GOALS, f"{VALUE}<label>"], steering)
            yield Problem((*path, seat), f"the unknown steering '{steering}'", allowed)
        if "+" in steering:
            yield Problem((*path, seat), f"'{steering}'", "a value without '+', which joins steerings")
    for panel in panels:
        if not isinstance(variant, str) and len(variant) != len(panel):
            found = f"{len(variant)} steerings for the {len(panel)} seats of the panel {list(panel)}"
            yield Problem(path, found, "one steering for all seats, or a list with one for each seat")


def _entry_problems(
    path: KeyPath, entry: ProtocolEntry, product: Product, models: Collection[str]
) -> Iterator[Problem]:
    ordered = entry.name in ORDERED or entry.params.get("form") == "alternating"
    own = [entry.name] if is_own(entry.name) else []
    further = [*(["orders"] if ordered or own else []), *([PLANTED] if entry.name in PLANTABLE else [])]
    yield from entry_problems(path, entry, [*PROTOCOLS, *own], further, models)
    yield from seat_problems(path, entry, product.panels)
    if ordered or (own and "orders" in entry.params):
        rule = entry.params.get("orders", "all")
        yield from orders_problems((*path, entry.name, "orders"), rule, product)
    if entry.name in PLANTABLE and PLANTED in entry.params:
        yield from planted_problems(path, entry, product.panels)


def entry_problems(
    path: KeyPath,
    entry: ProtocolEntry,
    protocols: Collection[str],
    further: Sequence[str],
    models: Collection[str],
) -> Iterator[Problem]:
    """What is wrong with a protocol and its parameters; `further` are names besides the protocol's own."""
    if entry.name not in protocols:
        unknown = "" if entry.name in PROTOCOLS else "unknown "
        yield Problem(
            (*path, entry.name), f"the {unknown}protocol '{entry.name}'", one_of(protocols, entry.name)
        )
        return
    known = [*parameters(entry.name), *further, *ASSISTANCE]
    for key, value in entry.params.items():
        place = (*path, entry.name, key)
        if key not in known:
            allowed = one_of(known, key) or "none"
            yield Problem(place, f"the unknown parameter '{key}' of {entry.name}", allowed)
        elif is_own(entry.name) and key in parameters(entry.name):
            default = parameters(entry.name)[key].default
            yield from own_parameter_problems(place, default, value, CHOICES.get(key, ()))
        elif key == "first" and _parameter(entry, "form") == "simultaneous":
            found = "first where all seats argue at the same time in every turn (form: simultaneous)"
            yield Problem(place, found, "first beside form: alternating; leave it out, or write that form")
        elif key in CHOICES and value not in list(choices := _choices(entry.name)[key]):
            yield Problem(place, repr(value), one_of(choices, value))
        elif key == SITS_IN and value not in models:
            yield Problem(place, f"the unknown model '{value}'", one_of(models, value))
        elif key in NUMBERS and not (type(value) is int and NUMBERS[key][0] <= value <= NUMBERS[key][1]):
            yield Problem(place, repr(value), "a number from {} to {}".format(*NUMBERS[key]))
        elif key in ASSISTANCE:
            yield from _assistance_problems(place, ASSISTANCE[key], value, models)


def _parameter(entry: ProtocolEntry, name: str) -> Any:
    """A parameter of a protocol as the entry gives it, else as the protocol has it."""
    return entry.params.get(name, parameters(entry.name)[name].default)


def _choices(protocol: str) -> dict[str, Collection[str]]:
    return CHOICES | OF_RESOLUTION if protocol == "disagreement_resolution" else CHOICES


def seat_problems(
    path: KeyPath, entry: ProtocolEntry, panels: Collection[tuple[str, ...]]
) -> Iterator[Problem]:
    """Seats that a protocol names and that no panel, or for a consultant not every panel, has."""
    yield from view_problems(path, entry, panels)
    sizes = [len(panel) for panel in panels]
    consultant = entry.params.get("consultant")
    if type(consultant) is int and consultant > min(sizes):
        allowed = f"a seat of every panel, from 1 to {min(sizes)}"
        yield Problem((*path, entry.name, "consultant"), str(consultant), allowed)
    for name in ASSISTANCE:
        given = entry.params.get(name)
        seats = given.get("seats") if isinstance(given, dict) else None
        for at, seat in enumerate(seats if isinstance(seats, list) else ()):
            if type(seat) is int and seat > max(sizes):
                place = (*path, entry.name, name, "seats", at)
                yield Problem(place, str(seat), f"a seat of a panel, from 1 to {max(sizes)}")


def _assistance_problems(
    path: KeyPath, kind: type[BestOfN | Critiqued], value: object, models: Collection[str]
) -> Iterator[Problem]:
    try:
        given = kind.model_validate(value)
    except ValidationError as error:
        for each in problems(Located("", value), error, kind):
            yield replace(each, path=(*path, *each.path))
        return
    name = given.preference if isinstance(given, BestOfN) else given.critic
    allowed = [*models, OPPONENT] if isinstance(given, BestOfN) else [*models]
    if name not in allowed:
        key = "preference" if isinstance(given, BestOfN) else "critic"
        yield Problem((*path, key), f"the unknown model '{name}'", one_of(allowed, name))
