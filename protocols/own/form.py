"""An answer format of one's own: a function from the usual format of a case to another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import get_args

from protocols.answer_format import AnswerFormat, FormatName, PartName
from protocols.own.bound import begin
from protocols.own.module import function, source_of, what_broke
from protocols.own.source import SEP, SourceError

EXAMPLE = "def my_format(form: AnswerFormat) -> AnswerFormat: return replace(form, labels=('RIGHT', 'WRONG'))"


@cache
def own_form(name: str) -> Callable[[AnswerFormat], AnswerFormat]:
    """The answer format called `function@hash`, whose source has been imported in this process.

    What it returns is checked. Raises `SourceError` where there is none, or it returns no such format.
    """
    called, _, hash = name.partition(SEP)
    source = source_of(hash)
    if source is None:
        raise SourceError(
            f"the answer format {name} is nobody's: no source with the hash {hash} is known here"
        )
    make = function(source, called)
    place = source.at(make.__code__.co_firstlineno, called)

    def form(usual: AnswerFormat) -> AnswerFormat:
        begin()
        try:
            made: AnswerFormat = make(usual)
        except (Exception, SystemExit) as error:
            raise SourceError(what_broke(source, error)) from error
        if wrong := list(_wrong(made, usual)):
            raise SourceError("\n".join(f"{place}: {each}" for each in wrong))
        return made

    form(AnswerFormat())
    return form


def _wrong(made: object, usual: AnswerFormat) -> Iterator[str]:
    if not isinstance(made, AnswerFormat):
        yield f"it returned a {type(made).__name__}; allowed: an AnswerFormat, as {EXAMPLE}"
        return
    if made.name not in get_args(FormatName):
        yield f"found the name {made.name!r}; allowed: {' or '.join(get_args(FormatName))}"
    if made.field != usual.field:
        yield f"found the field {made.field!r} of a case that asks for {usual.field!r}; leave it as it is"
    if usual.option_texts is not None and (made.labels, made.option_texts) != (
        usual.labels,
        usual.option_texts,
    ):
        yield "found other labels for a question, whose letters stand for its options; leave them as they are"
    labels = made.labels
    if (
        not labels
        or len(set(labels)) < len(labels)
        or not all(isinstance(label, str) and label for label in labels)
    ):
        yield f"found the labels {labels!r}; allowed: texts, each once"
    if strange := [part for part in made.parts if part not in get_args(PartName)]:
        yield f"found the part {strange[0]!r}; allowed: {', '.join(get_args(PartName))}"
