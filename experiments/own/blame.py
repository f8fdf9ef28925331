"""Two verdicts in place of five: whether the narrator is to blame."""

from __future__ import annotations

from dataclasses import replace

from protocols.answer_format import AnswerFormat


def blame(form: AnswerFormat) -> AnswerFormat:
    """BLAME or NONE for a dilemma, as one JSON object; questions are answered as ever."""
    return form if form.field == "answer" else replace(form, name="json", labels=("BLAME", "NONE"))
