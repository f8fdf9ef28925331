"""Values that are not of their declared types are found, down to the leaves, and called by their place."""

from dataclasses import replace
from typing import Any

import pytest

from protocols.dialogue import Ask, Facts, Message, Sampling
from protocols.laws.panels import case, play_out
from protocols.own.shape import misfits
from protocols.play import Play
from protocols.synchronous import synchronous
from protocols.transcript import Transcript

GAME = play_out(Play(synchronous(case()), seed=7))
ASK = GAME.asks[0]
TURN = GAME.outcome.turns[0]


def test_what_built_in_protocols_ask_and_return_fits() -> None:
    assert [told for ask in GAME.asks for told in misfits(ask, Ask, "ask")] == []
    assert list(misfits(GAME.outcome, Transcript, "transcript")) == []


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"seat": 5}, "ask.seat is 5, a int; allowed: of the type str"),
        ({"round": True}, "ask.round is True, a bool; allowed: a whole number"),
        (
            {"round": 10**30},
            "ask.round is 1000000000000000000000000000000, a int; allowed: a number from 0 to 10,000",
        ),
        ({"position": 1.0}, "ask.position is 1.0, a float; allowed: a whole number"),
        ({"messages": [*ASK.messages]}, "ask.messages is [Message(role="),
        (
            {"messages": (("user", "Hi."),)},
            "ask.messages[0] is ('user', 'Hi.'), a tuple; allowed: of the type Message",
        ),
        (
            {"messages": (Message("me", "Hi."),)},
            "ask.messages[0].role is 'me', a str; allowed: 'system', 'user'",
        ),  # type: ignore[arg-type]
        ({"messages": (Message("user", "\ud800"),)}, "ask.messages[0].content holds half a character"),
        (
            {"sampling": Sampling(temperature="hot")},
            "ask.sampling.temperature is 'hot', a str; allowed: a number",
        ),  # type: ignore[arg-type]
        (
            {"sampling": Sampling(extra=(("k",),))},
            "ask.sampling.extra[0] is ('k',), a tuple; allowed: a tuple of 2",
        ),  # type: ignore[arg-type]
        ({"kind": "chat"}, "ask.kind is 'chat', a str; allowed: 'turn', 'candidate'"),
        ({"facts": None}, "ask.facts is None, a NoneType; allowed: of the type Facts"),
    ],
)
def test_an_ask_of_wrong_types(changed: dict[str, Any], says: str) -> None:
    [told] = misfits(replace(ASK, **changed), Ask, "ask")
    assert told.startswith(says)


def test_whole_numbers_are_numbers_and_facts_are_not_looked_into() -> None:
    ask = replace(
        ASK, sampling=Sampling(temperature=1, extra=(("k", True), ("p", 0.5))), facts=Facts(round="x")
    )  # type: ignore[arg-type]
    assert list(misfits(ask, Ask, "ask")) == []


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"text": None}, "turn.text is None, a NoneType; allowed: of the type str"),
        ({"reading": "NTA"}, "turn.reading is 'NTA', a str; allowed: of the type Reading"),
        (
            {"stated": replace(TURN.stated, confidence=float("nan"))},
            "turn.stated.confidence is nan, a float; allowed",
        ),
        (
            {"stated": replace(TURN.stated, confidence=1.5)},
            "turn.stated.confidence is 1.5, a float; allowed: a number",
        ),
        (
            {"stated": replace(TURN.stated, action="keep")},
            "turn.stated.action is 'keep', a str; allowed: 'retain'",
        ),  # type: ignore[arg-type]
        (
            {"reading": replace(TURN.reading, label=5)},
            "turn.reading.label is 5, a int; allowed: of the type str",
        ),  # type: ignore[arg-type]
    ],
)
def test_a_turn_of_wrong_types(changed: dict[str, Any], says: str) -> None:
    [told] = misfits(replace(TURN, **changed), type(TURN), "turn")
    assert told.startswith(says)


def test_a_long_value_is_cut() -> None:
    [told] = misfits(replace(ASK, kind="x" * 500), Ask, "ask")  # type: ignore[arg-type]
    assert len(told.partition("; allowed")[0]) < 120
