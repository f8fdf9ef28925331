"""What a reply was asked, and how the text that stands in the place of a label is read."""

import re
from dataclasses import dataclass
from typing import Literal

from protocols.answer_format import Field
from protocols.reading.answer_lines import label_after
from protocols.reading.labels import Labels
from protocols.reading.option_texts import OptionTexts
from protocols.reading.surface import Surface

Status = Literal["ok", "repaired", "missing", "invalid", "refusal", "truncated"]

_MARKS_ONLY = re.compile(r"[\s*_`\"”'()\[\]{}$|.]*(?:</\w{1,20}>\s*)?")
_SENTENCE = re.compile(r"[^\n]*?[.!?](?=\s)")
_WORDS = ("a", "i")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A status, its label if it has one, and the spans of the reply that state it."""

    status: Status
    label: str | None = None
    said: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """The labels asked for, the options' texts where there are any, and whether the reply was cut."""

    field: Field
    labels: Labels
    texts: OptionTexts
    cut: bool

    def value(self, page: Surface, place: int) -> Outcome:
        """Read what stands at `place`: an option's whole text, else a label, else a text with a comment."""
        text = page.text
        place += len(text[place:]) - len(text[place:].lstrip())
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        last = self.cut and not text[end:].strip()
        stated = label_after(text, place, self.labels)
        bare = stated.state == "label" and _MARKS_ONLY.fullmatch(text, stated.end, end)
        if not bare and (outcome := self._by_text(page, place, end, stated.state == "none")):
            return Outcome("truncated") if last else outcome
        if last and not bare and self.texts.begins(page.written(place, end)):
            return Outcome("truncated")
        if stated.state == "several":
            return Outcome("invalid")
        if stated.state == "none":
            return Outcome("truncated" if last else "invalid")
        if self.cut and (stated.dangling or self._may_go_on(text, stated.end)):
            return Outcome("truncated")
        return Outcome("ok", stated.label, ((place, stated.end),))

    def _may_go_on(self, text: str, end: int) -> bool:
        """Whether the letter before `end` may be the first word of a sentence that was cut there."""
        return self.field == "answer" and end == len(text) and text[end - 1].casefold() in _WORDS

    def _by_text(self, page: Surface, place: int, end: int, prefix: bool) -> Outcome | None:
        """The option whose text is the line, all that follows or (with `prefix`) the sentence."""
        sentence = _SENTENCE.match(page.text, place, end) if prefix else None
        closing = page.text.find("</", place, end)
        for stop in (len(page.text), end, closing, sentence.end() if sentence else -1):
            said = page.written(place, max(place, stop))
            for form in (said, said.strip(" \t\n*_`|")):
                if label := self.texts.label(form):
                    return Outcome("repaired", label, ((place, stop),))
        return None
