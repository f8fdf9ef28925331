"""Where a reply speaks of its label, before it is decided which of these counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from protocols.reading.answer_lines import AnswerLine, answer_lines
from protocols.reading.json_fields import deciding_objects, own_trees
from protocols.reading.json_scan import JsonObject, JsonTree, Member
from protocols.reading.labels import Found
from protocols.reading.question import Question
from protocols.reading.quotations import Quotations, quotations
from protocols.reading.surface import Surface


@dataclass(frozen=True, slots=True)
class Statements:
    """The JSON of a reply, the members of it that hold the label, the own answer lines outside of it, and
    all labels that stand anywhere."""

    quoted: Quotations
    trees: Sequence[JsonTree]
    fields: Sequence[tuple[JsonObject, Sequence[Member]]]
    lines: Sequence[AnswerLine]
    mentions: Sequence[Found]


def statements(page: Surface, question: Question) -> Statements:
    """All that `page` says in answer to `question`."""
    quoted = quotations(page.text)
    trees = own_trees(page.text, quoted)
    mentions = list(question.labels.mentions(page.text))
    lines = answer_lines(page.text, question.labels, mentions, quoted, [tree.span for tree in trees])
    return Statements(quoted, trees, list(deciding_objects(trees, question.field)), list(lines), mentions)
