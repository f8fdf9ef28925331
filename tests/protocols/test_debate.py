"""Debates: fixed stances, simultaneous or alternating, and when there is nothing to debate."""

from __future__ import annotations

import pytest

from tests.protocols.panels import Played, played, question
from tests.protocols.scripts import UNREADABLE, saying

IN_TURN = {"form": "alternating"}
AB = ["A", "B"]


def steps(game: Played) -> list[list[str]]:
    return [[f"{turn.position}.{turn.round - 1}" for turn in step] for step in game.outcome.steps[1:]]


@pytest.mark.parametrize(
    ("options", "order"),
    [
        ({}, [["1.1", "2.1"], ["1.2", "2.2"]]),
        ({"form": "simultaneous", "first": "alternating"}, [["1.1", "2.1"], ["1.2", "2.2"]]),
        (IN_TURN, [["1.1"], ["2.1"], ["1.2"], ["2.2"]]),
        (IN_TURN | {"first": "simultaneous"}, [["1.1", "2.1"], ["1.2"], ["2.2"]]),
    ],
)
def test_who_writes_when(options: dict[str, str], order: list[list[str]]) -> None:
    game = played("debate", question(), saying(AB, AB, AB), turns=2, **options)
    assert steps(game) == order
    assert game.outcome.unheard == 1
    assert not game.outcome.apart
    assert game.outcome.exit_mode is None


def test_it_goes_on_whatever_they_say() -> None:
    """Whoever gives in has left the stance; its label stays the stance, and the debate does not end."""
    script = saying(AB, ["Answer: B\n\nFine, it is five.", "B"], ["A", "B"])
    game = played("debate", question(), script, turns=2)
    first, *_ = game.outcome.in_round(2)
    assert (first.label, first.stated.violation) == ("A", "left_stance")
    assert game.outcome.rounds == 3


@pytest.mark.parametrize("opened", [["A", "A"], ["A", UNREADABLE], [UNREADABLE, UNREADABLE]])
@pytest.mark.parametrize("swap", [False, True])
def test_where_nobody_holds_another_label_nobody_argues(opened: list[str], swap: bool) -> None:
    game = played("debate", question(stance_swap=swap), saying(opened), turns=2)
    assert steps(game) == []
    assert len(game.asks) == 2


def test_of_three_those_with_an_opening_debate() -> None:
    script = saying(["A", UNREADABLE, "B"], ["A", "", "B"])
    assert steps(played("debate", question(n=3), script, turns=1)) == [["1.1", "3.1"]]
    assert steps(played("debate", question(n=3), script, turns=1, **IN_TURN)) == [["1.1"], ["3.1"]]


def test_two_of_three_may_hold_one_label() -> None:
    script = saying(["A", "A", "B"], ["A", "A", "B"])
    game = played("debate", question(n=3), script, turns=1)
    assert [turn.stated.stance for turn in game.outcome.in_round(2)] == ["A", "A", "B"]


@pytest.mark.parametrize("swap", [False, True])
def test_stances_are_told_with_the_texts_of_their_options(swap: bool) -> None:
    game = played("debate", question(stance_swap=swap), saying(AB, AB), turns=1)
    told = [ask.messages[-1].content.split("\n")[0] for ask in game.asks if ask.round == 2]
    first, second = ("B. $5", "A. $10") if swap else ("A. $10", "B. $5")
    assert told == [f"Round 1 of 1. You argue for this answer: {stance}" for stance in (first, second)]
    assert [ask.facts.stance for ask in game.asks] == [None, None, *(["B", "A"] if swap else AB)]


def test_openings_are_private() -> None:
    """No opening is in any later message, not even its author's."""
    asks = played("debate", question(), saying(AB, AB, AB), turns=2).asks
    assert not [ask for ask in asks for message in ask.messages if ".1." in message.content]


def test_what_is_heard_is_numbered_as_rounds_of_the_debate() -> None:
    asks = played("debate", question(), saying(AB, AB, AB), turns=2).asks
    assert (
        asks[-1]
        .messages[-1]
        .content.startswith("Agent 1 in round 1:\nAnswer: A\n\nReason 1.2.\n\nRound 2 of 2.")
    )


def test_whoever_has_heard_an_argument_is_asked_to_meet_it() -> None:
    alternating = played("debate", question(), saying(AB, AB, AB), turns=2, **IN_TURN).asks[2:]
    together = played("debate", question(), saying(AB, AB, AB), turns=2).asks[2:]
    meets = [
        ["Meet the strongest point" in ask.messages[-1].content for ask in asks]
        for asks in (alternating, together)
    ]
    assert meets == [[False, True, True, True], [False, False, True, True]]


def test_a_silent_turn_is_heard_as_one() -> None:
    game = played("debate", question(), saying(AB, ["", "B"], AB), turns=2)
    assert game.outcome.in_round(2)[0].label is None
    assert "Agent 1 in round 1:\n(no reply)\n\n" in game.asks[-1].messages[-1].content
