"""Reading a reply: its status, its label and its explanation."""

from collections.abc import Sequence
from dataclasses import dataclass

from protocols.answer_format import Field
from protocols.reading.decision import decide
from protocols.reading.json_fields import explanation_member, unescaped
from protocols.reading.json_scan import JsonObject, JsonTree
from protocols.reading.labels import labels_of
from protocols.reading.option_texts import OptionTexts
from protocols.reading.question import Outcome, Question, Status
from protocols.reading.reasoning import split_reasoning
from protocols.reading.remains import without
from protocols.reading.statements import statements
from protocols.reading.surface import Surface, encodable, surface


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

    `labels` are the five verdicts, the letters of the options or the winners there may be, `option_texts` the
    options in the order of `labels`. Of several own answer lines the last decides, wherever it stands, so in
    an argument behind the answer too; quoted ones are not the writer's own.
    `finish_reason` matters if it is "length" (the reply was cut) or "content_filter".
    """
    reasoning, reply = split_reasoning(text)
    page = surface(reply)
    names = tuple(labels)
    texts = OptionTexts(names, option_texts or ())
    question = Question(field, labels_of(field, names), texts, finish_reason == "length")
    heard = statements(page, question)
    outcome = decide(page, question, heard)
    if outcome.label is None and finish_reason == "content_filter":
        outcome = Outcome("refusal")
    explanation = _explanation(page, outcome, heard.trees, [inner for inner, _ in heard.fields])
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
    return without(page, [*outcome.said, *(tree.span for tree in trees if deciding)])
