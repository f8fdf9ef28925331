"""How a start of a run ended, seen from its directory when nobody plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def ending(left: int, failed: int, stopped: Mapping[str, str]) -> Sequence[str]:
    """Why it is not being played: `left` are not finished, `failed` of these have failed."""
    if stopped:
        return [_stopped(model, reason) for model, reason in stopped.items()]
    if left > failed:
        return ["interrupted; the same command goes on with it"]
    return [f"all has ended, {failed:,} have failed"] if failed else []


def _stopped(model: str, reason: str) -> str:
    if reason.endswith("Raise the budget"):
        return f"{reason} (budget.usd or budget.tokens) and run the same command again"
    return f"stopped: {model}: {reason}"
