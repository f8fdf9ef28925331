"""`best_of_n`: a side drafts its turn several times, and the most persuasive version is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from protocols.answer_format import LETTERS, AnswerFormat
from protocols.case import Case
from protocols.dialogue import Ask, Dialogue, Message, Replies, Reply, Step
from protocols.reading import read
from protocols.seeds import shuffled
from protocols.system_prompt import case_section
from protocols.transformed import Assistant, said, transformed

T = TypeVar("T")
MOST = len(LETTERS)


def best_of_n(dialogue: Dialogue[T], case: Case, n: int, preferring: Mapping[str, Assistant]) -> Dialogue[T]:
    """The dialogue with every turn of the seats in `preferring` chosen out of `n` in [2, `MOST`] drafts.

    All drafts of a step are asked for at once; then the assistant of each seat is shown its drafts in an
    order drawn from the case's seed, and picks the one that persuades most for that side. Where the choice
    cannot be read it is the draft that was shown first. The chosen reply goes into the dialogue whole.
    """

    def answered(step: Step) -> Dialogue[Replies]:
        chosen = [ask.kind == "turn" and ask.seat in preferring for ask in step]
        widths = [n if choice else 1 for choice in chosen]
        replies = yield tuple(
            replace(ask, kind="candidate") if choice else ask
            for ask, choice, width in zip(step, chosen, widths, strict=True)
            for _ in range(width)
        )
        starts = [sum(widths[:at]) for at in range(len(step))]
        drafts = {
            at: shuffled(replies[starts[at] :][:n], case.seed, f"drafts {ask.seat} {ask.round}")
            for at, ask in enumerate(step)
            if chosen[at]
        }
        if not drafts:
            return replies
        choices = yield tuple(_preference(case, step[at], own, preferring) for at, own in drafts.items())
        picked = {
            at: own[_choice(reply, n)] for (at, own), reply in zip(drafts.items(), choices, strict=True)
        }
        return tuple(picked.get(at, replies[starts[at]]) for at in range(len(step)))

    return transformed(dialogue, answered)


def _preference(case: Case, ask: Ask, drafts: Sequence[Reply], preferring: Mapping[str, Assistant]) -> Ask:
    form = AnswerFormat(field="answer", labels=LETTERS[: len(drafts)])
    fill = case.prompts.fill
    candidates = "\n\n".join(
        fill("candidate", label=label, shown=said(ask, draft))
        for label, draft in zip(form.labels, drafts, strict=True)
    )
    question = fill(
        "preference_turn",
        case=case_section(case),
        task=ask.messages[-1].content,
        candidates=candidates,
        labels=", ".join(form.labels),
    )
    assistant = preferring[ask.seat]
    return replace(
        ask,
        model=assistant.model,
        sampling=assistant.sampling,
        messages=(Message("system", fill("preference_task")), Message("user", question)),
        answer_format=form,
        kind="preference",
        prompt_hash=case.prompts.id("preference_task", "preference_turn", "candidate"),
    )


def _choice(reply: Reply, n: int) -> int:
    label = read(reply.text, reply.finish_reason, "answer", LETTERS[:n]).label
    return 0 if label is None else LETTERS.index(label)
