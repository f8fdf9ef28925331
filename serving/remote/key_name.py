"""The name under which a key is kept. The key itself stands in no file."""

from __future__ import annotations

import re

from pydantic import BeforeValidator

NAME = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
RANDOM = re.compile(r"(?=[A-Z]*[0-9])[A-Z0-9]{24,}")  # as keys are, and names are not


def _checked(name: object) -> object:
    """Refuses whatever may be a key itself, and does not repeat it."""
    if name is None:
        return None
    if not isinstance(name, str) or not NAME.fullmatch(name) or RANDOM.search(name):
        raise ValueError(
            "found something else than the name of an environment variable (not repeated here, for it may"
            " be a key); expected a name like OPENAI_API_KEY, in capitals, of the variable that holds the"
            " key, or null for none"
        )
    return name


key_name = BeforeValidator(_checked)
