"""Documents with places: plain data, and the line on which every key and value of it stands."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

KeyPath = tuple[str | int, ...]


class ExperimentError(ValueError):
    """An experiment that cannot be played as it is written; the message is meant for its author."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong at one key: what was found there and what is allowed, or one sentence that says both."""

    path: KeyPath
    found: str
    allowed: str = ""


@dataclass(frozen=True)
class Located:
    """A document as plain data. `lines` (from 1) and `written` (scalars as they stand) go by key path.

    `called` is the key in the document by the path that it was given when the document was read.
    """

    file: str
    data: object
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    written: Mapping[KeyPath, str] = field(default_factory=dict)
    called: dict[KeyPath, str] = field(default_factory=dict)

    def path(self, path: KeyPath) -> KeyPath:
        """`path` without the parts that are not in the document, such as the tag of a union."""
        at, kept = self.data, []
        for depth, read in enumerate(path):
            part = self.called.get(path[: depth + 1], read)
            if (isinstance(at, dict) and part in at) or _is_index(at, part):
                at = at[part]  # type: ignore[index]
                kept.append(part)
        return tuple(kept)

    def value(self, path: KeyPath) -> object:
        """What stands at a path of the document."""
        at: object = self.data
        for part in path:
            at = at[part]  # type: ignore[index]
        return at

    def error(self, problems: Iterable[Problem]) -> ExperimentError:
        """One error that lists every problem as `FILE:LINE: key.path: found X; allowed: Y`."""
        return ExperimentError("\n".join(dict.fromkeys(map(self._text, problems))))

    def _text(self, problem: Problem) -> str:
        path = self.path(problem.path)
        line = f":{self.lines[path]}" if path in self.lines else ""
        key = f" {dotted(path)}:" if path else ""
        what = f"found {problem.found}; allowed: {problem.allowed}" if problem.allowed else problem.found
        return f"{self.file}{line}:{key} {what}"


def dotted(path: KeyPath) -> str:
    """A key path in words: `designs[0].panels`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(parts).removeprefix(".")


def one_of(known: Iterable[str], found: object = None) -> str:
    """The allowed names, and which of them `found` may have been meant to be."""
    names = list(known)
    near = difflib.get_close_matches(str(found), names, n=1)
    return ", ".join(names) + (f" (did you mean '{near[0]}'?)" if near else "")


def reading(value: object) -> str:
    """What YAML takes an unquoted word for, in words."""
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, int | float):
        return "a number"
    return "nothing" if value is None else f"a {type(value).__name__}"


def _is_index(at: object, part: str | int) -> bool:
    return isinstance(at, list) and isinstance(part, int) and part < len(at)
