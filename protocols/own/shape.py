"""Whether a value is what its declared types say, down to its leaves: what can be sent, logged and stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from protocols.dialogue import Facts

LIMITS = {"round": 10_000, "position": 10_000, "confidence": 1}
"""The largest numbers of these names that a table is for."""

TAKEN = (Facts,)
"""Types that are not looked into: they are long, and neither sent nor stored."""


def misfits(value: object, kind: Any, place: str) -> Iterator[str]:
    """Where in a value, called `place` in messages, something is not of its declared type, and what it is."""
    options = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    found = [list(_misfits(value, option, place)) for option in options]
    if all(found):
        yield from found[0]


def _misfits(value: object, kind: Any, place: str) -> Iterator[str]:
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            yield _told(place, value, ", ".join(map(repr, get_args(kind))))
    elif get_origin(kind) is tuple:
        yield from _items(value, get_args(kind), place)
    elif kind in (int, float):
        yield from _number(value, kind, place)
    elif not isinstance(value, kind):
        yield _told(place, value, "None" if kind is NoneType else f"of the type {kind.__name__}")
    elif isinstance(value, str):
        if not value.isascii() and value.encode("utf-8", "replace").decode("utf-8") != value:
            yield f"{place} holds half a character (a lone surrogate), which cannot be sent or stored"
    elif (is_dataclass(kind) or hasattr(kind, "_fields")) and kind not in TAKEN:
        for name, of_field in _fields(kind).items():
            yield from misfits(getattr(value, name), of_field, f"{place}.{name}")


def _number(value: object, kind: type, place: str) -> Iterator[str]:
    most = LIMITS.get(place.rpartition(".")[2])
    if not isinstance(value, int | float) or type(value) not in ((int,) if kind is int else (int, float)):
        yield _told(place, value, "a whole number" if kind is int else "a number")
    elif most is not None and not 0 <= value <= most:
        yield _told(place, value, f"a number from 0 to {most:,}")


def _items(value: object, kinds: tuple[Any, ...], place: str) -> Iterator[str]:
    if not isinstance(value, tuple):
        yield _told(place, value, "a tuple")
        return
    every = kinds[:1] * len(value) if kinds[-1] is Ellipsis else kinds
    if len(every) != len(value):
        yield _told(place, value, f"a tuple of {len(every)}")
        return
    for at, (item, kind) in enumerate(zip(value, every, strict=True)):
        yield from misfits(item, kind, f"{place}[{at}]")


@cache
def _fields(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _told(place: str, value: object, allowed: str) -> str:
    found = repr(value)
    found = found if len(found) <= 60 else f"{found[:60]}..."
    return f"{place} is {found}, a {type(value).__name__}; allowed: {allowed}"
