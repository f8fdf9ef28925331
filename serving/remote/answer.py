"""What a server answered, before anyone knows what it means."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from protocols.reading.surface import encodable

Json: TypeAlias = Mapping[str, object]

HTML = ("<!doctype", "<html", "<head", "<body")


class Answer(NamedTuple):
    """Status, headers and body of an HTTP response, with the key taken out of the body."""

    status: int
    headers: Mapping[str, str]
    text: str

    def json(self) -> Json | None:
        """The body, read as a JSON object; None where it is none, or nested beyond reading."""
        try:
            body = json.loads(self.text)
        except (ValueError, RecursionError):
            return None
        if isinstance(body, list) and len(body) == 1:  # as one provider wraps its errors
            [body] = body
        return body if isinstance(body, dict) else None

    @property
    def is_html(self) -> bool:
        """Whether the body is a page for people, as proxies send them."""
        return self.text.lstrip()[:20].lower().startswith(HTML)


def mapping(value: object) -> Json:
    """`value` where it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def string(value: object) -> str:
    """`value` where it is a string, as it can be stored; else an empty one."""
    return encodable(value) if isinstance(value, str) else ""
