"""Names that may stand in columns, file names and messages without quotes."""

from __future__ import annotations

import re

from ray_jobs.problems import not_allowed

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def check_name(name: str) -> str:
    """`name` itself. Raises an error for pydantic unless it is a plain name."""
    if NAME.fullmatch(name):
        return name
    raise not_allowed(
        "a name of up to 100 letters, digits, '.', '_' and '-' that begins with a letter or digit"
    )
