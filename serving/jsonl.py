"""Lines of JSON, one object on each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path


def objects(file: Path, what: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Each object of a file in UTF-8 with its place, such as "replies.jsonl, line 3".

    Lines end with a line feed alone, as texts may hold other breaks; blank ones are passed over. Raises
    `ValueError` that names the place, or says that `what` stands in the file cannot be read.
    """
    try:
        text = file.read_text("utf-8-sig")
    except OSError as error:
        raise ValueError(f"cannot read the {what} in '{file}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"cannot read the {what} in '{file}': expected text in UTF-8") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = f"{file}, line {number}"
            yield place, _object(place, line)


def _object(place: str, line: str) -> dict[str, object]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:  # also for numbers of too many digits, and deep nests
        raise ValueError(f"{place}: not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{place}: found {line.strip()[:40]}; expected an object")
    return found
