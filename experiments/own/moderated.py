"""A debate with a moderator: the last model of the panel, who may end it after any round."""

from __future__ import annotations

from protocols.answer_format import AnswerFormat
from protocols.asking import aside
from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.reading import read
from protocols.transcript import Transcript
from protocols.view import ask_turn

ENDS = AnswerFormat("text", "answer", ("A", "B"), ("The debate goes on.", "The debate ends."))
ASKED = (
    "You moderate this debate and take no side. Is there anything left to be said that could change a mind?\n"
    "A. The debate goes on.\nB. The debate ends.\n"
    'Your reply begins with "Answer: A" or "Answer: B"; then say why.'
)


def moderated(case: Case, *, rounds: int = 4) -> Dialogue[Transcript]:
    """All but the moderator write at the same time; the moderator has heard all of it."""
    transcript = Transcript()
    moderator = case.panel[-1]
    debating = [place for place, seat in enumerate(case.seats, start=1) if seat != moderator]
    for round in range(1, rounds + 1):
        step = tuple(ask_turn(case, transcript, place, round, rounds) for place in debating)
        replies = yield step
        transcript = transcript.then(step, replies)
        if round < rounds:
            (reply,) = yield (aside(case, transcript, moderator, ASKED, ENDS),)
            if read(reply.text, reply.finish_reason, "answer", ENDS.labels, ENDS.option_texts).label == "B":
                break
    return transcript
