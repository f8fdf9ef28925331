"""The fingerprint: equal for equal questions, different for any difference that an answer may depend on."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Message, Sampling
from protocols.fingerprint import fingerprint, question
from tests.protocols.panels import BLOCKS, case, played

ASK = played("synchronous", case()).asks[0]
BLOCK = BLOCKS["alpha"]

OTHERS: dict[str, list[Ask]] = {
    "messages": [
        replace(ASK, messages=ASK.messages[:-1]),
        replace(ASK, messages=(ASK.messages[0], Message("user", "Another question."))),
        replace(ASK, messages=(ASK.messages[0], Message("assistant", ASK.messages[1].content))),
    ],
    "sampling": [
        replace(ASK, sampling=Sampling(temperature=0.5)),
        replace(ASK, sampling=Sampling(max_tokens=60)),
        replace(ASK, sampling=Sampling(top_p=0.9)),
        replace(ASK, sampling=Sampling(extra=(("min_p", 0.1),))),
    ],
    "answer_format": [
        replace(ASK, answer_format=AnswerFormat(name="json")),
        replace(ASK, answer_format=AnswerFormat(field="answer")),
        replace(ASK, answer_format=AnswerFormat(labels=("A", "B"))),
        replace(ASK, answer_format=AnswerFormat(option_texts=("yes", "no"))),
    ],
    "seed": [replace(ASK, seed=ASK.seed + 1)],
}
BOOKKEEPING = {"seat", "model", "kind", "round", "position", "prompt_hash", "facts", "conversation"}


def test_every_field_of_an_ask_is_question_or_bookkeeping() -> None:
    """Whoever adds a field to `Ask` decides here whether an answer may depend on it."""
    assert {field.name for field in fields(Ask)} == OTHERS.keys() | BOOKKEEPING
    assert question(ASK, BLOCK).keys() == OTHERS.keys() | {"model"}


def test_equal_questions_have_equal_fingerprints() -> None:
    again = played("synchronous", case()).asks[0]
    assert fingerprint(again, dict(reversed(BLOCK.items()))) == fingerprint(ASK, BLOCK)


def test_any_difference_in_the_question_shows() -> None:
    asks = [ASK, *(ask for others in OTHERS.values() for ask in others)]
    blocks = [{**BLOCK, key: "another"} for key in BLOCK]
    prints = [fingerprint(ask, BLOCK) for ask in asks] + [fingerprint(ASK, block) for block in blocks]
    assert len(set(prints)) == len(prints)


@pytest.mark.parametrize(
    "other",
    [
        replace(ASK, seat="seat 9"),
        replace(ASK, model="another name"),
        replace(ASK, kind="re-ask"),
        replace(ASK, round=9),
        replace(ASK, position=9),
        replace(ASK, prompt_hash="0"),
        replace(ASK, conversation="another"),
        replace(ASK, facts=replace(ASK.facts, case_id="another")),
    ],
)
def test_bookkeeping_does_not_show(other: Ask) -> None:
    """What a model is never told is no part of its question; its name is not, its block is."""
    assert fingerprint(other, BLOCK) == fingerprint(ASK, BLOCK)


def test_a_fingerprint_is_the_same_in_every_release_and_process() -> None:
    """Logs are read by later versions: the hash of this fixed question must never change."""
    ask = Ask("s", "m", (Message("user", "Ünïcode?"),), Sampling(), AnswerFormat(), seed=1)
    block = {"backend": "scripted", "model": "m", "revision": None, "base_url": None}
    assert fingerprint(ask, block) == "2584d5742ee0d06eff1e2ae374728329"
