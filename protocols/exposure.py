"""What of a turn others are shown: all, its verdict, how many gave which verdict, or its reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from protocols.answer_format import render
from protocols.case import Case
from protocols.dialogue import Seen
from protocols.transcript import Question, Turn

EXPOSURES = ("all", "verdicts", "counts", "reasons")
POINTS = ("all", "reasons")
"""The exposures that show more than verdicts, so that there are points to answer."""

NO_REASONS = "(no explanation)"


def told(case: Case, turns: Iterable[Turn], unheard: int = 0, exposure: str = "all") -> str:
    """Turns as others hear of them, labelled by seat and by round after the `unheard` rounds.

    By `exposure`, one of `EXPOSURES`, an unreadable turn has no verdict to be shown, and counts as such; its
    reasons are all that was written.
    """
    if exposure == "counts":
        return "\n\n".join(_counted(case, turns))
    labels = {seat.name: seat.label for seat in case.seats}

    def one(turn: Turn) -> str:
        section = "heard" if turn.round > unheard else "heard_before"
        shown = _shown(case, turn, exposure)
        return case.prompts.fill(section, label=labels[turn.seat], round=turn.round - unheard, shown=shown)

    return "\n\n".join(map(one, turns))


def questioned(case: Case, question: Question, unheard: int = 0) -> str:
    """A question of the judge as the seats hear of it."""
    return case.prompts.fill("judge_asked", round=question.round - unheard, shown=question.shown)


def seen(turns: Iterable[Turn], exposure: str = "all") -> tuple[Seen, ...]:
    """Turns as simulated agents are told of them, who see no label where no verdict is shown."""
    return tuple(Seen(turn.round, turn.seat, None if exposure == "reasons" else turn.label) for turn in turns)


def _shown(case: Case, turn: Turn, exposure: str) -> str:
    if exposure == "verdicts":
        field = case.answer_format.field
        return f"(no readable {field})" if turn.label is None else render(field, turn.label, "")
    if exposure == "reasons" and turn.label is not None:
        return turn.reading.explanation.strip() or NO_REASONS
    return turn.shown


def _counted(case: Case, turns: Iterable[Turn]) -> Iterator[str]:
    """How many of the turns gave which label, round by round; labels that nobody gave are left out."""
    for round, said in groupby(turns, key=lambda turn: turn.round):
        given = Counter(turn.label for turn in said)
        labels = [label for label in case.answer_format.labels if given[label]]
        counts = [f"{label} {given[label]}" for label in labels]
        counts += [f"unreadable {given[None]}"] if given[None] else []
        yield case.prompts.fill("heard_counts", round=round, counts=", ".join(counts))
