"""Turns that argue for a stance: their labels, what breaks the rules, what others are shown of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.answer_format import FormatName
from protocols.argument import cut
from protocols.dialogue import Ask, FinishReason, Reply
from protocols.transcript import NO_REPLY, Turn
from tests.protocols.panels import orderly, played, question


def argued(text: str, finish: FinishReason = "stop", words: int = 0, form: FormatName = "text") -> Turn:
    """The first argument of a consultant for C who replies so."""

    def reply_to(ask: Ask) -> Reply:
        return orderly(ask) if ask.round == 1 else Reply(text, finish)

    game = played("consultancy", question("consultancy", 2, form=form), reply_to, turns=1, words=words)
    (turn,) = game.outcome.in_round(2)
    return turn


GOOD = "Reasoning: I doubt it.\n\nArgument: It is fifteen."


@pytest.mark.parametrize(
    ("text", "finish", "status", "shown", "violation"),
    [
        (GOOD, "stop", "ok", "Answer: C\n\nIt is fifteen.", None),
        ("It is fifteen.", "stop", "repaired", "Answer: C\n\nIt is fifteen.", None),
        ("Reasoning: x\nArgument: It is fif", "length", "ok", "Answer: C\n\nIt is fif", None),
        (f"{GOOD}\n\nAnswer: C", "stop", "ok", None, None),
        ("Reasoning: It is five.\nAnswer: B\nArgument: It is five.", "stop", "ok", None, "left_stance"),
        (
            "Reasoning: Answer: B\n\nArgument: It is fifteen.",
            "stop",
            "ok",
            "Answer: C\n\nIt is fifteen.",
            None,
        ),
        ("", "stop", "missing", NO_REPLY, None),
        ("Reasoning: I doubt it.", "stop", "missing", NO_REPLY, None),
        ("Reasoning: I doubt", "length", "truncated", NO_REPLY, None),
        ("I am sorry, but as an AI I cannot help with that.", "stop", "refusal", None, None),
        ("", "content_filter", "refusal", NO_REPLY, None),
    ],
)
def test_what_a_reply_makes(
    text: str, finish: FinishReason, status: str, shown: str | None, violation: str | None
) -> None:
    """The label is the stance wherever there is an argument, whatever else the reply states."""
    turn = argued(text, finish)
    readable = status in ("ok", "repaired")
    assert (turn.reading.status, turn.label) == (status, "C" if readable else None)
    assert (turn.stated.stance, turn.stated.violation) == ("C", violation)
    assert shown is None or turn.shown == shown
    assert turn.text == text


def test_a_refusal_is_shown_as_written() -> None:
    text = "I am sorry, but as an AI I cannot help with that."
    assert argued(text).shown == text
    assert argued(f"Reasoning: Hm.\n\n{text}").shown == NO_REPLY  # all of it stands in the private part


def test_json_has_the_same_parts() -> None:
    text = json.dumps({"reasoning": "I doubt it.", "argument": "It is fifteen."})
    turn = argued(text, form="json")
    assert (turn.reading.status, turn.label, turn.shown) == ("ok", "C", "Answer: C\n\nIt is fifteen.")
    assert turn.reading.reasoning == "I doubt it."
    assert argued('{"reasoning": "I doubt it and', "length", form="json").shown == NO_REPLY


@given(before=st.text(), after=st.text(), form=st.sampled_from(["text", "json"]))
def test_private_reasoning_is_never_shown(before: str, after: str, form: FormatName) -> None:
    """What stands in the part that is called private is not shown, whatever stands in it or after it."""
    if form == "json":
        text = json.dumps({"reasoning": f"{before} secret-7 {after}", "argument": after})
    else:
        text = f"Reasoning: {before.replace('secret', '')[:5].strip()} secret-7.\n\nArgument: {after}"
    assert "secret-7" not in argued(text, form=form).shown


@pytest.mark.parametrize(
    ("words", "shown", "violation"),
    [
        (0, "one two  three\nfour", None),
        (4, "one two  three\nfour", None),
        (3, "one two  three", "over_limit"),
    ],
)
def test_a_limit_cuts_what_is_shown(words: int, shown: str, violation: str | None) -> None:
    """Words are what white space parts; what is between them stays. The text stays as received."""
    turn = argued("Reasoning: x\nArgument: one two  three\nfour", words=words)
    assert (turn.shown, turn.stated.violation) == (f"Answer: C\n\n{shown}", violation)
    assert turn.text.endswith("four")


def test_whoever_leaves_the_stance_and_goes_over_has_left_the_stance() -> None:
    turn = argued("Answer: B\nArgument: one two three", words=2)
    assert (turn.stated.violation, turn.label) == ("left_stance", "C")


@pytest.mark.parametrize("limit", [0, 120])
def test_a_limit_is_told_where_there_is_one(limit: int) -> None:
    asks = played("debate", question("debate"), turns=1, words=limit).asks
    told = [ask.messages[-1].content.count("at most 120 words") for ask in asks]
    assert told == [0, 0, *([1, 1] if limit else [0, 0])]


@given(words=st.integers(0, 12), text=st.text(alphabet="ab \n\t", max_size=30))
def test_cutting_keeps_a_beginning_of_so_many_words(words: int, text: str) -> None:
    left, over = cut(text, words)
    assert text.startswith(left)
    assert over == (0 < words < len(text.split()))
    assert left.split() == (text.split()[:words] if words else text.split())
