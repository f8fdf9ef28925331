"""What was counted beside the estimates of oversight studies, in a sentence each."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from analysis.report.units import several


def notes(name: str, frame: pd.DataFrame) -> list[str]:
    """What was counted beside the estimates of a measure, in a sentence; none where that is nothing."""
    return NOTES[name](frame) if name in NOTES and len(frame) else []


def _said(parts: dict[str, int]) -> list[str]:
    told = [f"{number:,} {words}" for words, number in parts.items() if number]
    return [f"Counted apart: {', '.join(told)}."] if told else []


def _accuracy(frame: pd.DataFrame) -> list[str]:
    neither, unknown = int(frame["neither"].sum()), int(frame["unknown"].sum())
    wrong = [f"Of those counted as wrong, {several(neither, 'judgment')} called for neither agent."]
    left = [f"{several(unknown, 'judgment')} of questions without a known truth left out."]
    return [*wrong * bool(neither), *left * bool(unknown)]


def _adoption(frame: pd.DataFrame) -> list[str]:
    one = frame[frame["what"] == "agreement"]
    return _said({"judgments of debates in which a seat has no answer": int(one["unanswered"].sum())})


def _actions(frame: pd.DataFrame) -> list[str]:
    one = frame[(frame["level"] == "seat") & (frame["action"] == "persistence")]
    return _said(
        {
            "turns that broke a rule": int(one["violation"].sum()),
            "turns that could not be read": int(one["unreadable"].sum()),
            "turns before which no consultant was right": int(one["neither_right"].sum()),
            "turns of questions without a known truth": int(one["truth_unknown"].sum()),
            "turns before which a consultant had no answer": int(one["unanswered"].sum()),
        }
    )


def _calibration(frame: pd.DataFrame) -> list[str]:
    one = frame[(frame["level"] == "seat") & (frame["score"] == "chosen")]
    return _said({"actions without a stated confidence": int(one["unconfident"].sum())})


def _beliefs(frame: pd.DataFrame) -> list[str]:
    one = frame[(frame["level"] == "seat") & (frame["among"] == "all")]
    return _said({"last turns without an answer or a confidence": int(one["unconfident"].sum())})


def _balanced(frame: pd.DataFrame) -> list[str]:
    most = int(frame["outside"].max())
    return _said({"instances of a difference, at most, in which not just one consultant was right": most})


NOTES: dict[str, Callable[[pd.DataFrame], list[str]]] = {
    "accuracy": _accuracy,
    "accuracy_consultancies": _accuracy,
    "adoption": _adoption,
    "actions": _actions,
    "calibration": _calibration,
    "beliefs": _beliefs,
    "balanced": _balanced,
}
"""By the name of the measure."""
