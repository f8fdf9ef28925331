"""Which of the things a reply says decides on its status and label."""

import re
from collections.abc import Sequence

from protocols.reading.answer_lines import AnswerLine
from protocols.reading.json_fields import unescaped
from protocols.reading.json_scan import Kind, Member
from protocols.reading.marks import CLOSING
from protocols.reading.mentions import mentioned
from protocols.reading.question import Outcome, Question
from protocols.reading.refusals import refuses
from protocols.reading.statements import Statements
from protocols.reading.surface import Surface, surface

_BEHIND_LABEL = re.compile(rf"{CLOSING}[.,;:!|]*+{CLOSING}(?:[ \t]*[–—-](?=\s))?[ \t|]*")
_ALONE = re.compile(r"[\s*_`\"“”'()\[\]{}$.#|]*")


def decide(page: Surface, question: Question, heard: Statements) -> Outcome:
    """Take the rules in their order: structured field, verdict line, cut, single mention, refusal."""
    if own := stated(page, question, heard):
        return own
    if question.cut:
        return Outcome("truncated")
    mention = mentioned(page.text, heard.mentions, heard.quoted)
    if mention.found:
        said = _own_line(page.text, mention.found.start, mention.found.end)
        return Outcome("repaired", mention.found.label, said)
    if mention.state == "several":
        return Outcome("invalid")
    return Outcome("refusal" if refuses(page.text) else "missing")


def stated(page: Surface, question: Question, heard: Statements) -> Outcome | None:
    """What a structured field or an own verdict line says; None if there is neither.

    A field and a line outside of it that give two labels are invalid.
    """
    by_line = _by_line(page, question, heard.lines)
    if heard.fields:
        by_field = _by_field(page, question, [member for _, members in heard.fields for member in members])
        contradicted = by_line is not None and by_line.label not in (None, by_field.label)
        return Outcome("invalid") if contradicted else by_field
    return None if question.cut and all(line.loose for line in heard.lines) else by_line


def _by_field(page: Surface, question: Question, members: Sequence[Member]) -> Outcome:
    """What all verdict fields of a reply say; fields that disagree are invalid."""
    said = {(member.kind, page.written(*member.span)) for member in members}
    outcomes = [_member(question, kind, written) for kind, written in sorted(said)]
    if len({outcome.label for outcome in outcomes}) > 1:
        return Outcome("invalid")
    return next((outcome for outcome in outcomes if outcome.status != "ok"), outcomes[0])


def _member(question: Question, kind: Kind, written: str) -> Outcome:
    if kind == "null":
        return Outcome("missing")
    if kind == "other":
        number = question.field == "winner" and question.labels.at(written, 0)
        return Outcome("repaired", number.label) if number else Outcome("invalid")
    whole = Question(question.field, question.labels, question.texts, cut=False)
    readings = [whole.value(surface(form), 0) for form in dict.fromkeys((unescaped(written), written))]
    outcome = next((reading for reading in readings if reading.label), readings[0])
    return Outcome(outcome.status, outcome.label)


def _by_line(page: Surface, question: Question, lines: Sequence[AnswerLine]) -> Outcome | None:
    """The last line decides; one that only speaks of the verdict gives way to any other."""
    if not lines:
        return None
    deciding = ([line for line in lines if not line.loose] or lines)[-1]
    outcome = question.value(page, deciding.value)
    if outcome.label is None:
        return outcome
    (_, end) = outcome.said[0]
    repeated = [
        (line.start, line.end) for line in lines if line.label == outcome.label and line is not deciding
    ]
    said = tuple(_with_marks(page.text, *span) for span in [*repeated, (deciding.start, end)])
    return Outcome(outcome.status, outcome.label, said)


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    behind = _BEHIND_LABEL.match(text, end)
    return start, behind.end() if behind else end


def _own_line(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The line of a label that has it to itself."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    alone = _ALONE.fullmatch(text, first, start) and _ALONE.fullmatch(text, end, last)
    return ((first, last),) if alone else ()
