"""An answer format of one's own: what it may return, and that what is written in it is read."""

import pytest

from protocols.answer_format import LETTERS, AnswerFormat
from protocols.laws.forms import USUAL, form_problems
from protocols.own.form import own_form
from protocols.own.module import imported
from protocols.own.source import Source, SourceError

QUESTION = AnswerFormat("text", "answer", LETTERS[:2], ("yes", "no"))


def form(body: str) -> str:
    source = Source("own.py", f"from dataclasses import replace\n\n\ndef mine(form):\n    return {body}\n")
    imported(source)
    return f"mine@{source.hash}"


def test_other_labels_in_json() -> None:
    make = own_form(form("replace(form, name='json', labels=('GUILTY', 'NOT GUILTY'))"))
    made = make(AnswerFormat())
    assert (made.name, made.field, made.labels) == ("json", "verdict", ("GUILTY", "NOT GUILTY"))
    assert list(form_problems(made)) == []
    with pytest.raises(SourceError, match=r"own\.py:4: mine: found other labels for a question"):
        make(QUESTION)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("'json'", "own.py:4: mine: it returned a str; allowed: an AnswerFormat"),
        ("replace(form, name='xml')", "found the name 'xml'; allowed: text or json"),
        ("replace(form, field='winner')", "found the field 'winner' of a case that asks for 'verdict'"),
        ("replace(form, labels=('A', 'A'))", r"found the labels \('A', 'A'\); allowed: texts, each once"),
        ("replace(form, labels=())", r"found the labels \(\); allowed: texts, each once"),
        ("replace(form, labels=(1, 2))", r"found the labels \(1, 2\); allowed: texts, each once"),
        ("replace(form, parts=('mood',))", "found the part 'mood'; allowed: reasoning, crux"),
        ("form.nothing", "own.py:5: AttributeError: .*nothing"),
    ],
)
def test_what_it_must_not_return(body: str, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        own_form(form(body))


def test_a_name_that_is_not_known() -> None:
    with pytest.raises(SourceError, match="no source"):
        own_form("mine@00000000")


@pytest.mark.parametrize("usual", USUAL, ids=lambda usual: usual.field)
def test_the_usual_formats_keep_to_the_law(usual: AnswerFormat) -> None:
    assert list(form_problems(usual)) == []


def test_labels_that_cannot_be_read_are_found() -> None:
    [found] = form_problems(AnswerFormat(labels=("YES", "YES, BUT")))
    assert found.startswith("the label 'YES, BUT' is read as YES in 'My current verdict: YES, BUT")
