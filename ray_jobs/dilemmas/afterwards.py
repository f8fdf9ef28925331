"""What became of a post or comment after it was first archived.

Since November 2023 Arctic Shift looks at everything a second time, 36 hours later. It keeps the first text,
and notes in `_meta` what has changed: `was_deleted_later`, or that what was gone at first had come back
(`was_initially_deleted`), each with a `removal_type` (file_content_explanations.md in its repository).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import orjson

from ray_jobs.dilemmas.fields import Fields, Unusable, flag

META = "_meta"
BY_AUTHOR = ("deleted", "author")
"""What `removal_type` and `removed_by_category` are where an author took a post away."""

Fate: TypeAlias = Literal["deleted", "removed"]


def later(row: Fields) -> Fate | None:
    """Whether it was deleted or removed later; None where it was not, or nobody looked."""
    meta = _meta(row)
    if not flag(meta, "was_deleted_later"):
        return None
    return "deleted" if meta.get("removal_type") in (None, *BY_AUTHOR) else "removed"


def came_back(row: Fields) -> bool:
    """Whether it was gone at first and there later, as what a filter held up until a moderator saw it."""
    return bool(flag(_meta(row), "was_initially_deleted"))


def _meta(row: Fields) -> Fields:
    found = row.get(META)
    if found is None:
        return {}
    if isinstance(found, str):
        found = _object(found)
    if not isinstance(found, Mapping):
        raise Unusable(f"'{META}' that is no object", f"found a {type(found).__name__}")
    return found


def _object(written: str) -> object:
    """What a column of JSON texts has there, as Parquet files that were made from lines may."""
    try:
        return orjson.loads(written)
    except orjson.JSONDecodeError:
        return written
