"""Openings: what every seat holds before it hears anyone, and what it is to argue for from then on."""

from __future__ import annotations

from collections.abc import Sequence

from protocols.answer_format import PHRASES, AnswerFormat, render
from protocols.case import Case, Seat
from protocols.dialogue import Ask, Dialogue, Facts
from protocols.reading import Reading
from protocols.transcript import Transcript, Turn
from protocols.view import merged


def opened(case: Case, transcript: Transcript) -> Dialogue[Transcript]:
    """The transcript to go on from; where it is empty the openings of the case, asked if it brings none."""
    if transcript.steps:
        return transcript
    if case.openings:
        return assigned(case)
    step = tuple(_ask(case, position) for position in range(1, len(case.seats) + 1))
    replies = yield step
    return transcript.then(step, replies)


def assigned(case: Case) -> Transcript:
    """The openings that the data assigns to the seats, as round 1."""
    return Transcript(steps=(tuple(map(_assigned, [case] * len(case.seats), case.seats)),))


def stances(case: Case, transcript: Transcript) -> dict[str, str]:
    """What each seat that has an opening argues for: its last label, or with a swap that of the seat after.

    Seats come in the order of the panel.
    """
    panel = case.panel
    after = [*panel[1:], panel[0]] if case.stance_swap else panel
    labels = [(seat.name, transcript.final(other.name)) for seat, other in zip(panel, after, strict=True)]
    return {name: label for name, label in labels if label is not None}


def described(form: AnswerFormat, label: str) -> str:
    """A label with the text of its option, where it has one."""
    if form.option_texts is None:
        return label
    return f"{label}. {form.option_texts[form.labels.index(label)]}"


def form_section(case: Case, kind: str, limit: int = 0) -> str:
    """The section that tells the form of a turn of this `kind`; `limit` in words, 0 for none."""
    form = case.answer_format
    most = case.prompts.fill("argument_limit" if limit else "argument_length", words=limit)
    return case.prompts.fill(
        f"{kind}_{form.name}",
        phrase=PHRASES[form.field],
        field=form.field,
        labels=", ".join(form.labels),
        limit=f" {most}",
    )


def instruct_opening(case: Case) -> str:
    """The instruction for an opening."""
    alone = case.prompts.fill(case.prompts.worded("turn_alone", case.answer_format.field))
    return f"{alone}\n\n{form_section(case, 'opening')}"


def _ask(case: Case, position: int) -> Ask:
    seat = case.seats[position - 1]
    return Ask(
        seat=seat.name,
        model=seat.model,
        messages=merged([("system", seat.system), ("user", instruct_opening(case))]),
        sampling=seat.sampling,
        answer_format=case.answer_format,
        position=position,
        prompt_hash=seat.prompt_hash,
        facts=Facts(case.id),
    )


def _assigned(case: Case, seat: Seat) -> Turn:
    label, argument = case.openings[seat.number - 1]
    shown = render(case.answer_format.field, label, argument)
    return Turn(
        round=1,
        position=case.seats.index(seat) + 1,
        seat=seat.name,
        model=seat.model,
        reading=Reading("ok", label, argument, ""),
        text=shown,
        shown=shown,
    )


def opposed(labels: Sequence[str | None]) -> bool:
    """Whether there is a disagreement: not all hold one and the same label."""
    return len(set(labels)) > 1
