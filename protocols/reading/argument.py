"""Reading an argument: a reply that is asked for no label."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from protocols.answer_format import PartName
from protocols.reading.decision import stated
from protocols.reading.labels import labels_of
from protocols.reading.option_texts import OptionTexts
from protocols.reading.parts import parts_of, said
from protocols.reading.question import Outcome, Question, Status
from protocols.reading.reasoning import split_reasoning
from protocols.reading.refusals import refuses
from protocols.reading.remains import without
from protocols.reading.statements import statements
from protocols.reading.surface import encodable, surface

_NAMES: tuple[PartName, ...] = ("reasoning", "argument")
_NOT_BEGUN = re.compile(r"[\s*_#-]*+(?:```\w*\s*)?+\{.*|\W*+[a-z]{0,9}+[\W_]*+", re.IGNORECASE | re.DOTALL)
_OBJECT_BEGUN = re.compile(r"\{\s*+[\"'“]?\w{0,20}[\"'”]?\s*+\Z")
_FIRST_PARAGRAPH = re.compile(r"(?:(?!\n[ \t]*\n).){0,1000}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ArgumentReading:
    """What a reply argues.

    `argument` is what its author shows to others, "" unless `status` is "ok" or "repaired"; `reasoning` is
    private: what stood in think tags and in a part of that name. `stated` is the label of an own answer
    line or field, if there is one outside the reasoning. All can be encoded as UTF-8.
    """

    status: Status
    argument: str
    reasoning: str
    stated: str | None


def read_argument(
    text: str, finish_reason: str, labels: Sequence[str], option_texts: Sequence[str] | None = None
) -> ArgumentReading:
    """Read an argument of any length and content; nothing is guessed and nothing raises.

    The part "argument" is "ok"; where nothing marks one, the whole reply without its reasoning is the
    argument, "repaired". One that was cut stays readable, as far as it goes. `finish_reason` matters if it
    is "length" (the reply was cut) or "content_filter".
    """
    thought, reply = split_reasoning(text)
    page = surface(reply)
    cut = finish_reason == "length"
    parts, spans = parts_of(page, _NAMES)
    question = Question(
        "answer", labels_of("answer", tuple(labels)), OptionTexts(labels, option_texts or ()), cut
    )
    rest = encodable(without(page, spans))
    argument = said(parts).get("argument")
    if argument is None:
        behind = page.text[max((end for _, end in spans), default=0) :]
        status = _unmarked(rest, behind, question)
        argument = rest
    else:
        status = "ok" if argument else "truncated" if cut else "missing"
    if status not in ("ok", "repaired"):
        argument = ""
        status = "refusal" if finish_reason == "content_filter" else status
    private = [part for part in parts if part.name == "reasoning"]
    reasoning = "\n\n".join(filter(None, (thought, *(part.said for part in private))))
    spoken = without(page, [part.span for part in private])
    own = _stated(spoken, question) or _stated(argument, question)
    return ArgumentReading(status, argument, encodable(reasoning), own.label if own else None)


def _unmarked(rest: str, behind: str, question: Question) -> Status:
    """The status of a reply in which nothing marks an argument, by what it says beside its reasoning.

    `behind` is what stands behind the last piece of reasoning. An answer line alone argues nothing.
    """
    if question.cut and (_NOT_BEGUN.fullmatch(behind) or _OBJECT_BEGUN.search(rest[-60:])):
        return "truncated"
    first = _FIRST_PARAGRAPH.match(rest)
    if first and refuses(first[0]):
        return "refusal"
    own = _stated(rest, question)
    argued = without(surface(rest), own.said) if own else rest
    if argued:
        return "repaired"
    return "truncated" if question.cut else "missing"


def _stated(text: str, question: Question) -> Outcome | None:
    """What `text` says in an answer field or an own answer line."""
    page = surface(text)
    return stated(page, question, statements(page, question))
