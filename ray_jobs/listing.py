"""The order in which the options of a question are listed to everyone, and what it makes of the question."""

from __future__ import annotations

from dataclasses import replace

from protocols.answer_format import LETTERS, AnswerFormat
from protocols.own.form import own_form
from protocols.own.structure import is_own
from protocols.seeds import draw
from ray_jobs.cases import CaseRow
from ray_jobs.design_block import Listing
from ray_jobs.orders import permutation_drawn


def listing(rule: Listing, seed: int, row: CaseRow, repetition: int) -> tuple[int, ...]:
    """The numbers of the options (from 1) in the order of their letters; empty for a case without options.

    The order drawn from the run's `seed` is the same for all debates of a case and repetition.
    """
    options = len(row.options or ())
    given = tuple(range(1, options + 1))
    if rule == "given" or not options:
        return given
    drawn = permutation_drawn(options, draw(seed, f"listing {row.id} {repetition}"))
    return drawn[::-1] if rule == "reversed" else drawn


def question_format(name: str, row: CaseRow, listed: tuple[int, ...]) -> AnswerFormat:
    """The format of an answer to the case: a verdict, or the letter of an option as `listed`.

    One of somebody's own is made of the usual one in text. Raises `SourceError` where it cannot be.
    """
    form = AnswerFormat("json" if name == "json" else "text")
    if row.options:
        texts = tuple(row.options[number - 1] for number in listed)
        form = replace(form, field="answer", labels=LETTERS[: len(texts)], option_texts=texts)
    return own_form(name)(form) if is_own(name) else form


def right_label(form: AnswerFormat, truth: str | None) -> str | None:
    """The label of the right answer; None where that is not known. For what comes after a debate alone."""
    if form.option_texts is None:
        return truth if truth in form.labels else None
    return form.labels[form.option_texts.index(truth)] if truth in form.option_texts else None
