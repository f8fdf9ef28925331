"""Questions of one's own: what is added to the question for a turn, and what is asked beside the turns."""

from __future__ import annotations

from dataclasses import replace

from protocols.answer_format import AnswerFormat
from protocols.case import Case, Seat
from protocols.dialogue import Ask, Facts, Kind
from protocols.exposure import seen, told
from protocols.system_prompt import case_section
from protocols.transcript import Transcript
from protocols.view import merged


def also(ask: Ask, text: str) -> Ask:
    """The question with a further paragraph at its end."""
    return replace(ask, messages=merged([*ask.messages, ("user", text)]))


def aside(
    case: Case, transcript: Transcript, seat: Seat, text: str, form: AnswerFormat, kind: Kind = "judge"
) -> Ask:
    """A question beside the turns, to a seat that is shown the case and all that was said, and told no more.

    Its reply stands in the table of replies, as one of this `kind`; it is no turn of the debate.
    """
    said = told(case, transcript.turns)
    return Ask(
        seat=seat.name,
        model=seat.model,
        messages=merged([("system", case_section(case)), ("user", "\n\n".join(filter(None, (said, text))))]),
        sampling=seat.sampling,
        answer_format=form,
        kind=kind,
        round=max(1, transcript.rounds),
        position=case.seats.index(seat) + 1,
        prompt_hash=seat.prompt_hash,
        facts=Facts(case.id, max(1, transcript.rounds), seen=seen(transcript.turns)),
    )
