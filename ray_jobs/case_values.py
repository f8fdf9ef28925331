"""What may stand in the columns of a case file, and how it is read."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from ray_jobs.located import ExperimentError

SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a case file: where it stands, in which column, and what it is."""

    place: str
    column: str
    found: object

    def refuse(self, allowed: str) -> ExperimentError:
        """The error that says what was found and what is allowed."""
        shown = json.dumps(self.found, default=str)
        shown = shown if len(shown) <= 60 else f"{shown[:60]}..."
        return ExperimentError(f"{self.place}: {self.column}: found {shown}; allowed: {allowed}")


def text(value: Value) -> str:
    """Text with something in it."""
    found = value.found
    if not isinstance(found, str) or not found.strip():
        raise value.refuse("text that is not blank")
    if not _is_unicode(found):
        raise value.refuse("valid Unicode, without half of a surrogate pair")
    return found


def identifier(value: Value) -> str:
    """An id: text, or a whole number, which is taken as text."""
    if isinstance(value.found, int) and not isinstance(value.found, bool):
        return str(value.found)
    found = value.found
    if not isinstance(found, str) or found != found.strip() or not found or not _is_unicode(found):
        raise value.refuse("an id: text without blanks at its ends, or a whole number")
    return found


def optional_text(value: Value) -> str | None:
    """Text; None where there is none."""
    if value.found is None or value.found == "":
        return None
    if isinstance(value.found, int) and not isinstance(value.found, bool):
        return str(value.found)
    if isinstance(value.found, str) and _is_unicode(value.found):
        return value.found
    raise value.refuse("text, or nothing")


def optional_number(value: Value) -> float | None:
    """A finite number, also written out as in CSV; None where there is none."""
    found = value.found
    if found is None or found == "":
        return None
    try:
        number = math.nan if isinstance(found, bool) else float(found)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise value.refuse("a number, or nothing")
    return number


def elements(value: Value) -> list[Value] | None:
    """The elements of a list, which in CSV is JSON, each with its place; None where there is none."""
    found = value.found
    if found is None or found == "":
        return None
    if isinstance(found, str):
        found = _json(found)
    if not isinstance(found, list):
        raise value.refuse('a list, as JSON in a CSV file: ["one", "other"]')
    return [Value(value.place, f"{value.column}[{at}]", element) for at, element in enumerate(found)]


def _json(written: str) -> object:
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return None


def _is_unicode(found: str) -> bool:
    return SURROGATE.search(found) is None
