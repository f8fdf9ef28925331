"""`critiqued`: a side drafts its turn, a critic reads the draft, and the side writes it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from protocols.answer_format import AnswerFormat
from protocols.case import Case
from protocols.dialogue import Ask, Dialogue, Message, Replies, Reply, Step
from protocols.reading.reasoning import split_reasoning
from protocols.system_prompt import case_section
from protocols.transcript import NO_REPLY
from protocols.transformed import Assistant, said, transformed

T = TypeVar("T")
PROSE = AnswerFormat(field="argument", labels=())


def critiqued(dialogue: Dialogue[T], case: Case, critics: Mapping[str, Assistant]) -> Dialogue[T]:
    """The dialogue with every turn of the seats in `critics` drafted, criticised and revised.

    Three steps of one: drafts of all seats at once (a seat without a critic speaks in it), critiques,
    revisions. The revision goes into the dialogue, whatever it takes from the critique.
    """

    def answered(step: Step) -> Dialogue[Replies]:
        drafting = [ask.kind == "turn" and ask.seat in critics for ask in step]
        drafts = yield tuple(
            replace(ask, kind="candidate") if draft else ask
            for ask, draft in zip(step, drafting, strict=True)
        )
        again = [at for at, draft in enumerate(drafting) if draft]
        if not again:
            return drafts
        critiques = yield tuple(_critique(case, step[at], drafts[at], critics) for at in again)
        revised = yield tuple(
            _revision(case, step[at], drafts[at], critique)
            for at, critique in zip(again, critiques, strict=True)
        )
        final = dict(zip(again, revised, strict=True))
        return tuple(final.get(at, draft) for at, draft in enumerate(drafts))

    return transformed(dialogue, answered)


def _critique(case: Case, ask: Ask, draft: Reply, critics: Mapping[str, Assistant]) -> Ask:
    fill = case.prompts.fill
    question = fill(
        "critique_turn", case=case_section(case), task=ask.messages[-1].content, draft=said(ask, draft)
    )
    return replace(
        ask,
        model=critics[ask.seat].model,
        sampling=critics[ask.seat].sampling,
        messages=(Message("system", fill("critique_task")), Message("user", question)),
        answer_format=PROSE,
        kind="critique",
        prompt_hash=case.prompts.id("critique_task", "critique_turn"),
    )


def _revision(case: Case, ask: Ask, draft: Reply, critique: Reply) -> Ask:
    told = case.prompts.fill("revision_turn", critique=said(replace(ask, answer_format=PROSE), critique))
    written = split_reasoning(draft.text)[1].strip() or NO_REPLY
    return replace(ask, messages=(*ask.messages, Message("assistant", written), Message("user", told)))
