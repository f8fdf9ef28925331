"""What a function must be to be a protocol: a generator of a case, and parameters with defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from protocols.own.source import Source, SourceError

NOT_SET = ("case", "transcript")
"""Parameters of a protocol that no experiment sets: what is put before the panel, and what was said."""

TAKEN = ("orders", "after", "planted", "critiqued", "best_of_n")
"""What an experiment says around a protocol, beside its parameters; it would set none of such a name."""

EXAMPLE = "def my_protocol(case: Case, *, rounds: int = 4) -> Dialogue[Transcript]"
PLAIN = (bool, int, float, str)


def refuse_no_protocol(source: Source, function: Callable[..., Any]) -> None:
    """Raises `SourceError` with all that keeps the function from being a protocol."""
    line = function.__code__.co_firstlineno
    wrong = [source.at(line, f"{function.__name__}: {what}") for what in _wrong(function)]
    if wrong:
        raise SourceError("\n".join(wrong))


def _wrong(function: Callable[..., Any]) -> Iterator[str]:
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        yield f"found an async function; a protocol is a plain one, as in {EXAMPLE}"
    elif not inspect.isgeneratorfunction(function):
        yield (
            "found a function without a yield; a protocol yields steps and is sent their replies:"
            " replies = yield step"
        )
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters or parameters[0].name != "case":
        found = f"the first parameter {parameters[0].name}" if parameters else "no parameter"
        yield f"found {found}; allowed: {EXAMPLE}"
        return
    for each in parameters[1:]:
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            yield f"found the parameter *{each.name}; allowed: parameters with names of their own"
        elif each.name in TAKEN:
            yield (
                f"found the parameter {each.name}, a name that an experiment uses for something else;"
                f" allowed: any but {', '.join(TAKEN)}"
            )
        elif each.default is each.empty:
            yield (
                f"found the parameter {each.name} without a default; give it one, as rounds: int = 4 (helpers"
                " begin with an underscore)"
            )
        elif each.name not in NOT_SET and not isinstance(each.default, PLAIN):
            yield (
                f"found the default {each.default!r} of {each.name}; allowed: a number, a text, or True or"
                " False, which can stand in an experiment file"
            )
