"""Thinking that the chat template begins, so that the reply does not show where it began."""

from __future__ import annotations

import re

OPEN = "<think>"
OPENS = re.compile(r"<think(?:ing)?>\s*\Z", re.IGNORECASE)


def opens_thinking(prompt: str) -> bool:
    """Whether a prompt ends in a thought that the model is to go on with."""
    return OPENS.search(prompt) is not None


def opened(text: str) -> str:
    """The reply with the tag before it that stands in its prompt: all up to a closing tag is thought.

    Without it, a reply that was cut off while the model was thinking would look like something said.
    """
    return f"{OPEN}\n{text}"
