"""A debate played with made-up replies, to know what it will ask before any model is there."""

from __future__ import annotations

from collections.abc import Iterator

from protocols.dialogue import Ask, Reply
from protocols.play import Play
from ray_jobs.cases import CaseRow
from ray_jobs.casting import cast, dialogue
from ray_jobs.design import Cell
from ray_jobs.experiment import Experiment
from ray_jobs.plan import Debate

WORD = " any"  # one token of most tokenizers, and four characters


def rehearse(
    experiment: Experiment, cell: Cell, row: CaseRow, agree: bool, full: bool = True
) -> Iterator[Ask]:
    """Every ask of a debate in which all seats always agree, or never do.

    Replies are as long as max_tokens allows, or with `full=False` a single word.
    """
    case = cast(experiment, cell, row, Debate("", row.id, 1, 0, 0))
    places = {seat.name: place for place, seat in enumerate(case.seats)}
    play = Play(dialogue(case, cell), seed=0)
    while not play.done:
        step = play.step
        yield from step
        for slot, ask in enumerate(step):
            verdict = 0 if agree else places[ask.seat]
            play.answer(slot, _reply(ask, verdict, ask.sampling.max_tokens if full else 1))


def characters(ask: Ask) -> int:
    """The length of what is sent, in characters."""
    return sum(len(message.content) for message in ask.messages)


def _reply(ask: Ask, verdict: int, words: int) -> Reply:
    labels = ask.answer_format.labels
    return Reply(ask.answer_format.write(labels[verdict % len(labels)], WORD * words))
