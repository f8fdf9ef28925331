"""Parameters of a protocol of one's own: each must be of the kind of its default."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ray_jobs.design_block import MOST_ROUNDS
from ray_jobs.located import KeyPath, Problem, one_of

LIMITED = ("rounds", "turns")
KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
"""What a parameter may be, by the type of its default."""


def own_parameter_problems(
    place: KeyPath, default: object, value: object, choices: Collection[str]
) -> Iterator[Problem]:
    """What is wrong with the value of one parameter.

    `choices` are those of the built-in parameter of this name: they hold where the default is one of them.
    """
    if default in choices:
        if value not in choices:
            yield Problem(place, repr(value), one_of(choices, value))
    elif place[-1] in LIMITED and type(default) is int:
        if not (type(value) is int and 1 <= value <= MOST_ROUNDS):
            yield Problem(place, repr(value), f"a number from 1 to {MOST_ROUNDS}")
    elif type(value) is not type(default) and (type(default), type(value)) != (float, int):
        yield Problem(place, repr(value), f"{KINDS[type(default)]}, as its default {default!r}")
