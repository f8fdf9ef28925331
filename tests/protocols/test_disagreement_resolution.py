"""Disagreement resolution: positions that stand, how it ends, and what is recorded of a turn."""

from __future__ import annotations

import json

import pytest

from protocols.answer_format import FormatName
from protocols.case import Case
from protocols.dialogue import Ask, Reply
from protocols.transcript import Transcript, Turn
from tests.protocols.panels import Played, case, played, question
from tests.protocols.scripts import UNREADABLE, saying

DR = "disagreement_resolution"


def resolved(*rounds: list[str], form: FormatName = "text", **options: object) -> Played:
    """A question before as many seats as speak; at most as many turns as there are rounds after the first."""
    on = question(DR, len(rounds[0]), form=form)
    return played(DR, on, saying(*rounds), **{"turns": len(rounds) - 1, **options})


def finals(transcript: Transcript) -> list[str | None]:
    return [transcript.final(seat) for seat in sorted({turn.seat for turn in transcript.turns})]


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("history", ["last", "full"])
@pytest.mark.parametrize(
    ("rounds", "ended", "mode", "labels"),
    [
        ([["A", "A"]], 1, "consensus", ["A", "A"]),
        ([["A", "B"], ["B", "B"]], 2, "consensus", ["B", "B"]),
        ([["A", "B"], ["A", "B"], ["A", "A"], ["A", "A"]], 3, "consensus", ["A", "A"]),
        ([["A", "B"], ["B", "A"]], 2, "swapped", ["B", "A"]),
        ([["A", "B"], ["B", "A"], ["B", "B"]], 3, "consensus", ["B", "B"]),
        ([["A", "B"], ["B", "A"], ["B", "A"]], 3, "turn_limit", ["B", "A"]),
        ([["A", "B"], ["B", "A"], ["A", "B"]], 3, "swapped", ["A", "B"]),
        ([["A", "B"], ["A", "B"]], 2, "turn_limit", ["A", "B"]),
        ([["A", "B"], ["C", "B"]], 2, "turn_limit", ["A", "B"]),
        ([["A", "B"], ["C", "C"], ["C", "B"]], 3, "turn_limit", ["A", "B"]),
        ([["A", "B"], ["C", "A"]], 2, "consensus", ["A", "A"]),
        ([["A", "B"], ["", "A"]], 2, "consensus", ["A", "A"]),
        ([["A", "B"], [UNREADABLE, "B"], ["B", "B"]], 3, "consensus", ["B", "B"]),
        ([["A", "B"], ["B", "A"], ["C", ""]], 3, "turn_limit", ["B", "A"]),
        ([["A", UNREADABLE], ["A", "A"]], 2, "consensus", ["A", "A"]),
        ([["A", UNREADABLE], ["A", "B"]], 2, "turn_limit", ["A", None]),
        ([["A", UNREADABLE], ["A", ""]], 2, "turn_limit", ["A", None]),
        ([[UNREADABLE, ""]], 1, None, [None, None]),
        ([["A", "B", "C"], ["B", "C", "A"]], 2, "turn_limit", ["B", "C", "A"]),
        ([["A", "B", "C"], ["B", "B", "D"], ["B", "B", "B"]], 3, "consensus", ["B", "B", "B"]),
        ([["A", "B", "B"], ["B", "A", "A"], ["A", "A", ""]], 3, "consensus", ["A", "A", "A"]),
        ([["A"]], 1, "consensus", ["A"]),
    ],
)
def test_how_it_ends(
    rounds: list[list[str]],
    ended: int,
    mode: str | None,
    labels: list[str | None],
    history: str,
    form: FormatName,
) -> None:
    outcome = resolved(*rounds, history=history, form=form).outcome
    assert (outcome.rounds, outcome.exit_mode, finals(outcome)) == (ended, mode, labels)


def test_it_lasts_five_turns_by_default() -> None:
    assert resolved(*[["A", "B"]] * 9, turns=5).outcome.rounds == 6
    on = question(DR)
    assert played(DR, on, saying(*[["A", "B"]] * 9)).outcome.rounds == 6


def test_an_answer_that_nobody_holds_is_a_violation_and_changes_nothing() -> None:
    """The answer is recorded; the position before it is what everyone is shown and judged by."""
    game = resolved(["A", "B"], ["C", "B"], ["C", "A"], ["A", "A"])
    first, second = (game.outcome.in_round(number)[0] for number in (2, 3))
    for turn in (first, second):
        assert (turn.label, turn.stated.violation, turn.stated.action) == ("C", "outside", None)
        assert turn.stated.stated_action == "adopt"
    for ask in game.asks[4:6]:
        assert "Reason 1.1." in ask.messages[-1].content
        assert "Reason 1.2." not in ask.messages[-1].content
    assert game.asks[4].facts.own_last == "A"
    assert finals(game.outcome) == ["A", "A"]


def test_what_was_held_two_turns_ago_is_outside() -> None:
    """Both have adopted B; of three seats one still holds C, and A is open to nobody any more."""
    game = resolved(["A", "B", "C"], ["B", "B", "C"], ["A", "B", "C"])
    assert game.outcome.in_round(3)[0].stated.violation == "outside"
    assert finals(game.outcome) == ["B", "B", "C"]


def test_an_unreadable_turn_leaves_the_position_standing_and_is_no_violation() -> None:
    game = resolved(["A", "B"], ["", "B"], ["A", "B"])
    turn = game.outcome.in_round(2)[0]
    assert (turn.label, turn.stated.violation, turn.stated.action) == (None, None, None)
    assert "Your own position so far:\nAnswer: A\n\nReason 1.1." in game.asks[4].messages[-1].content
    assert "The position of Agent 1:\nAnswer: A\n\nReason 1.1." in game.asks[5].messages[-1].content


def test_an_unreadable_opening_is_shown_as_written_and_adopting_is_open() -> None:
    game = resolved(["A", UNREADABLE], ["A", "A"])
    assert f"The position of Agent 2:\n{UNREADABLE}" in game.asks[2].messages[-1].content
    assert f"Your own position so far:\n{UNREADABLE}" in game.asks[3].messages[-1].content
    assert game.asks[3].facts.own_last is None
    assert game.outcome.in_round(2)[1].stated.action == "adopt"


@pytest.mark.parametrize("own", [["A", "A"], ["A", "B"], ["B", "A"]])
def test_the_answer_decides_not_the_stated_action(own: list[str]) -> None:
    """Seat 1 says that it retains and seat 2 that it adopts, whatever they answer."""

    def reply_to(ask: Ask) -> Reply:
        if ask.round == 1:
            return saying(["A", "B"])(ask)
        action = ("retain", "adopt")[ask.position - 1]
        return Reply(ask.answer_format.write(own[ask.position - 1], "So.", {"action": action}))

    turns = played(DR, question(DR), reply_to, turns=1).outcome.in_round(2)
    assert [turn.stated.stated_action for turn in turns] == ["retain", "adopt"]
    moved = ["retain" if label == held else "adopt" for label, held in zip(own, ["A", "B"], strict=True)]
    assert [turn.stated.action for turn in turns] == moved


TEXT = (
    "Crux: Which one.\nConcession: Some.\nConfidence: {confidence}\nAction: adopt\nAnswer: B\n"
    "Argument: It is five."
)
MEMBERS = {
    "crux": "Which one.",
    "concession": "Some.",
    "action": "adopt",
    "answer": "B",
    "argument": "It is five.",
}


def first_position(text: str, form: FormatName = "text") -> Turn:
    def reply_to(ask: Ask) -> Reply:
        return saying(["A", "B"])(ask) if ask.round == 1 else Reply(text)

    return played(DR, question(DR, form=form), reply_to, turns=1).outcome.in_round(2)[0]


@pytest.mark.parametrize(
    ("said", "confidence"), [("low", 0.25), ("medium", 0.5), ("High", 0.75), ("0.9", 0.9), ("?", None)]
)
def test_what_is_recorded_of_a_position(said: str, confidence: float | None) -> None:
    """The same from text and from JSON; others are shown the answer and the argument alone."""
    written = json.dumps({**MEMBERS, "confidence": said})
    for turn in (first_position(TEXT.format(confidence=said)), first_position(written, "json")):
        assert turn.shown == "Answer: B\n\nIt is five."
        assert (turn.stated.crux, turn.stated.confidence) == ("Which one.", confidence)
        assert (turn.stated.stated_action, turn.stated.action) == ("adopt", "adopt")
        assert turn.stated.stance is None


def test_an_argument_that_is_not_marked_is_what_remains() -> None:
    turn = first_position("Crux: Which one.\nAnswer: B\n\nIt is five, for sure.")
    assert (turn.label, turn.stated.crux, turn.stated.confidence) == ("B", "Which one.", None)
    assert turn.shown == "Answer: B\n\nIt is five, for sure."


@pytest.mark.parametrize("on", [case(DR, 2), question(DR, 2)], ids=["situation", "question"])
def test_it_works_on_situations_and_questions(on: Case) -> None:
    first, second = on.answer_format.labels[:2]
    outcome = played(DR, on, saying([first, second], [first, second], [first, first]), turns=4).outcome
    assert (outcome.rounds, outcome.exit_mode, finals(outcome)) == (3, "consensus", [first, first])


def test_last_shows_positions_alone_and_full_all_that_was_said() -> None:
    rounds = [["A", "B"], ["A", "B"], ["A", "B"]]
    last, full = (resolved(*rounds, history=history).asks[-1] for history in ("last", "full"))
    assert [message.role for message in last.messages] == ["system", "user"]
    assert [message.role for message in full.messages] == ["system", *["user", "assistant"] * 2, "user"]
    text = "\n".join(message.content for message in full.messages)
    assert text.count("Agent 1, before the first round:\nAnswer: A\n\nReason 1.1.") == 1
    assert text.count("Agent 1 in round 1:\nAnswer: A\n\nReason 1.2.") == 1
    assert [seen.round for seen in full.facts.seen] == [1, 2]
    assert [seen.round for seen in last.facts.seen] == [2]


def test_three_seats_are_shown_each_others_positions_in_speaking_order() -> None:
    (ask, *_) = [ask for ask in resolved(["A", "B", "C"], ["A", "B", "C"]).asks if ask.round == 2]
    heads = [
        line for line in ask.messages[-1].content.split("\n") if line.endswith(":") and "osition" in line
    ]
    assert heads == ["Your own position so far:", "The position of Agent 2:", "The position of Agent 3:"]
