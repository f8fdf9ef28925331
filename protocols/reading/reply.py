"""Reading a reply: its status, its label and its explanation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from protocols.answer_format import Field
from protocols.reading.answer_lines import answer_lines
from protocols.reading.decision import decide
from protocols.reading.json_fields import deciding_objects, explanation_member, own_trees, unescaped
from protocols.reading.json_scan import JsonObject, JsonTree
from protocols.reading.labels import labels_of
from protocols.reading.mentions import mentioned
from protocols.reading.option_texts import OptionTexts
from protocols.reading.question import Outcome, Question, Status
from protocols.reading.quotations import quotations
from protocols.reading.reasoning import split_reasoning
from protocols.reading.surface import Surface, encodable, surface

_EMPTY_FENCE = re.compile(r"```\w*\s*```")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says.

    `label` is one of the labels asked for if `status` is "ok" or "repaired", else None. `explanation` is the
    reply in the writer's own characters without its reasoning and its verdict line, or the explanation of a
    structured reply; without a label it is the reply as written, but for its reasoning. `reasoning` is what
    stood in think tags. Both are "" if there is none, and can always be encoded as UTF-8.
    """

    status: Status
    label: str | None
    explanation: str
    reasoning: str


def read(
    text: str,
    finish_reason: str,
    field: Field,
    labels: Sequence[str],
    option_texts: Sequence[str] | None = None,
) -> Reading:
    """Read a reply of any length and content; nothing is guessed and nothing raises.

    `labels` are the five verdicts or the letters of the options, `option_texts` the options in the order of
    `labels`. `finish_reason` matters if it is "length" (the reply was cut) or "content_filter".
    """
    reasoning, reply = split_reasoning(text)
    page = surface(reply)
    names = tuple(labels)
    texts = OptionTexts(names, option_texts or ())
    question = Question(field, labels_of(field, names), texts, finish_reason == "length")
    quoted = quotations(page.text)
    trees = own_trees(page.text, quoted)
    found = list(question.labels.mentions(page.text))
    lines = list(answer_lines(page.text, question.labels, found, quoted, [tree.span for tree in trees]))
    fields = list(deciding_objects(trees, field))
    outcome = decide(page, question, fields, lines, mentioned(page.text, found, quoted))
    if outcome.label is None and finish_reason == "content_filter":
        outcome = Outcome("refusal")
    explanation = _explanation(page, outcome, trees, [inner for inner, _ in fields])
    return Reading(outcome.status, outcome.label, encodable(explanation), encodable(reasoning))


def _explanation(
    page: Surface, outcome: Outcome, trees: Sequence[JsonTree], deciding: Sequence[JsonObject]
) -> str:
    if outcome.label is None:
        return page.raw.strip()
    objects = deciding or [inner for tree in trees for inner in tree.objects]
    if member := explanation_member(objects):
        written = page.written(*member.span)
        return unescaped(written, member.kind == "cut").strip() if member.kind in ("text", "cut") else ""
    return _without(page, [*outcome.said, *(tree.span for tree in trees if deciding)])


def _without(page: Surface, spans: Sequence[tuple[int, int]]) -> str:
    """The writer's text with `spans` cut out, and the lines, fences and bold marks that this leaves empty."""
    kept: list[str] = []
    place = 0
    cut = ""
    for start, end in [*sorted(spans), (len(page.text), len(page.text))]:
        following = page.written(place, max(place, start)).replace("**", "", cut.count("**") % 2)
        if kept and kept[-1].endswith("\n"):
            following = following.lstrip("\r\n")
        kept += filter(None, [following])
        cut = page.written(start, end)
        place = max(place, end)
    return _EMPTY_FENCE.sub("", "".join(kept)).strip()
