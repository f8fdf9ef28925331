"""Failures of judges: the seat is the same for all of them, so the message names the model."""

from __future__ import annotations

import re

from protocols.judge import JUDGE
from ray_jobs.line import AskFailed

_NAMED = re.compile(r"judge '(.*?)': ")


def naming_judge(error: BaseException, model: str) -> BaseException:
    """The same error; where it is that a judge's model failed, its message names the model."""
    if not isinstance(error, AskFailed) or error.seat != JUDGE:
        return error
    message = f"judge '{model}': {error.message}"
    return AskFailed(error.seat, error.error_class, message, error.wait_seconds, error.attempts)


def judge_in(seat: str, message: str) -> str | None:
    """The judge's model that a row of `failures` names; None for the failure of a debate."""
    found = _NAMED.match(message) if seat == JUDGE else None
    return found.group(1) if found else None
