"""What every answer format must keep to: what is written in it is read as it was meant."""

from __future__ import annotations

from collections.abc import Iterator

from protocols.answer_format import LETTERS, PHRASES, AnswerFormat
from protocols.reading import read

USUAL = (AnswerFormat(), AnswerFormat("text", "answer", LETTERS[:4], ("$10", "$5", "$15", "$100")))
"""The usual formats: of a dilemma, and of a question."""

PROSE = "The other side could not know of it, and was not asked."


def form_problems(form: AnswerFormat) -> Iterator[str]:
    """The labels that are not read in a reply which gives them, in the form itself or in plain words."""
    phrase = PHRASES.get(form.field, "Answer")
    for label in form.labels:
        for text in (
            form.write(label, PROSE),
            f"{phrase}: {label}.\n\n{PROSE}",
            f"**{phrase}:** {label} - {PROSE}",
        ):
            found = read(text, "stop", form.field, form.labels, form.option_texts)
            if found.label != label:
                what = f"as {found.label}" if found.label else f"as {found.status}"
                yield (
                    f"the label {label!r} is read {what} in {text!r}; take one word, which is no part of"
                    " another label and no common word of an argument"
                )
                break
