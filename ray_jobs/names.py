"""Names in experiment files."""

from __future__ import annotations

from protocols.names import NAME
from ray_jobs.problems import not_allowed


def check_name(name: str) -> str:
    """`name` itself. Raises an error for pydantic unless it is a plain name."""
    if NAME.fullmatch(name):
        return name
    raise not_allowed(
        "a name of up to 100 letters, digits, '.', '_' and '-' that begins with a letter or digit"
    )
