"""A judge who sits in: between the rounds it puts a question, which the seats answer in their next turns."""

from __future__ import annotations

from dataclasses import replace

from protocols.case import Case, Seat
from protocols.critiqued import PROSE
from protocols.dialogue import Ask, Dialogue, Facts, Message
from protocols.exposure import seen
from protocols.judge import debated
from protocols.transcript import Question, Transcript
from protocols.transformed import said


def inquiry(case: Case, transcript: Transcript, judge: Seat, rounds: int) -> Dialogue[Transcript]:
    """One ask to the `judge`, who is shown all that was said so far and who asks what it wants to know.

    `rounds` are those still to come. The reply is a question to all who hear of the debate, whatever it says.
    """
    shown = [turn for step in transcript.heard for turn in step]
    told = debated(case, transcript, shown, transcript.questions)
    ask = Ask(
        seat=judge.name,
        model=judge.model,
        messages=(
            Message("system", judge.system),
            Message("user", case.prompts.fill("judge_asks", debate=told, left=rounds)),
        ),
        sampling=judge.sampling,
        answer_format=PROSE,
        kind="judge",
        round=transcript.rounds,
        prompt_hash=judge.prompt_hash,
        facts=Facts(
            case.id, transcript.rounds + 1, seen=seen(shown), options=case.answer_format.option_texts or ()
        ),
    )
    (reply,) = yield (ask,)
    question = Question(transcript.rounds, said(ask, reply))
    return replace(transcript, questions=(*transcript.questions, question))
