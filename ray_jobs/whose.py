"""Whose failure it is: the table of failures names no model, so each message begins with it."""

from __future__ import annotations

import re

from protocols.judge import JUDGE

_NAMED = re.compile(r"(judge|model) '(.*?)': ")


def named(seat: str, model: str, message: str) -> str:
    """The message of a failure, beginning with the model of the seat by its name in the experiment."""
    return f"{'judge' if seat == JUDGE else 'model'} '{model}': {message}"


def whose(seat: str, message: str) -> str:
    """In words, the model or judge that a row of `failures` names; empty where it names none."""
    found = _NAMED.match(message)
    if found is None or (found[1] == "judge") != (seat == JUDGE):
        return ""
    return f"{found[1]} {found[2]}"


def unnamed(message: str) -> str:
    """The message without the name that it begins with."""
    return _NAMED.sub("", message, count=1) if _NAMED.match(message) else message
