"""Critics: a draft, what a critic finds in it, and the turn that is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from protocols.case import Case
from protocols.critiqued import critiqued
from protocols.dialogue import Ask, Reply, Sampling
from protocols.play import Play
from protocols.transcript import NO_REPLY
from protocols.transformed import Assistant
from tests.protocols.panels import Played, Replier, case, dialogue, play_out, question

CRITIC = Assistant("beta", Sampling(temperature=0.0, max_tokens=9))
FIRST: Mapping[str, Assistant] = {"seat 1": CRITIC}


def revising(ask: Ask) -> Reply:
    """A draft for the first label, a critique, a revision for the second; seat 2 holds the third."""
    if ask.kind == "critique":
        return Reply("<think>hidden</think>The sum is wrong.")
    label = ask.answer_format.labels[2 if ask.seat == "seat 2" else ask.kind != "candidate"]
    text = f"{ask.kind} {ask.seat}.{ask.round}."
    return Reply("<think>hidden</think>" + ask.answer_format.write(label, text, {"reasoning": "unspoken"}))


def criticised(
    on: Case,
    reply_to: Replier = revising,
    protocol: str = "synchronous",
    seats: Mapping[str, Assistant] = FIRST,
    **options: Any,
) -> Played:
    told = dialogue(protocol, on, **{"rounds": 1, "turns": 1, **options})
    return play_out(Play(critiqued(told, on, seats), seed=7), reply_to)


def test_a_step_becomes_three() -> None:
    """Seat 2 speaks beside the draft of seat 1 and is asked nothing more."""
    game = criticised(question("synchronous"), rounds=2)
    places = [(record.step, ask.kind, ask.seat) for ask, record in zip(game.asks, game.records, strict=True)]
    assert places == [
        place
        for first in (0, 3)
        for place in (
            (first, "candidate", "seat 1"),
            (first, "turn", "seat 2"),
            (first + 1, "critique", "seat 1"),
            (first + 2, "turn", "seat 1"),
        )
    ]


def test_all_drafts_of_a_step_are_criticised_at_once() -> None:
    on = question("synchronous", 3)
    game = criticised(on, seats={"seat 1": CRITIC, "seat 3": CRITIC})
    assert [record.step for record in game.records] == [0, 0, 0, 1, 1, 2, 2]
    assert [turn.seat for turn in game.outcome.turns] == ["seat 1", "seat 2", "seat 3"]


def test_seats_that_speak_in_turn_are_criticised_in_turn() -> None:
    game = criticised(question("round_robin"), protocol="round_robin")
    assert [(ask.kind, ask.seat) for ask in game.asks] == [
        ("candidate", "seat 1"),
        ("critique", "seat 1"),
        ("turn", "seat 1"),
        ("turn", "seat 2"),
    ]


def test_the_revision_is_said_and_the_draft_is_not() -> None:
    game = criticised(question("synchronous"), rounds=2)
    assert [turn.label for turn in game.outcome.turns] == ["B", "C", "B", "C"]
    later = [ask for ask in game.asks if (ask.seat, ask.round) == ("seat 2", 2)]
    assert "Answer: B\n\nturn seat 1.1." in later[0].messages[-1].content
    assert "candidate" not in later[0].messages[-1].content


def test_what_seats_hear_is_what_it_would_be_without_a_critic() -> None:
    """The later asks of both seats begin with the messages that the revision alone leads to."""
    on = question("synchronous")
    game = criticised(on, rounds=2)
    plain = play_out(Play(dialogue("synchronous", on, rounds=2), seed=7), revising)
    drafts = [ask for ask in game.asks if ask.kind == "candidate" or ask.seat == "seat 2"]
    assert [ask.messages for ask in drafts] == [ask.messages for ask in plain.asks]
    assert [ask.facts for ask in drafts] == [ask.facts for ask in plain.asks]


def test_the_reviser_has_its_own_draft_before_it_and_the_critique() -> None:
    draft, _, critique, revision = criticised(question("synchronous")).asks
    assert revision.messages[: len(draft.messages)] == draft.messages
    written, told = revision.messages[len(draft.messages) :]
    assert (written.role, written.content) == ("assistant", "Answer: A\n\ncandidate seat 1.1.")
    assert told.role == "user"
    assert "The sum is wrong." in told.content
    assert (revision.model, revision.sampling, revision.facts) == (draft.model, draft.sampling, draft.facts)
    assert (critique.model, critique.sampling) == ("beta", CRITIC.sampling)


@pytest.mark.parametrize("protocol", ["synchronous", "debate", "disagreement_resolution"])
@pytest.mark.parametrize("make", [case, question])
def test_a_critic_sees_the_case_the_task_and_the_draft_as_others_would(protocol: str, make: Any) -> None:
    on = make(protocol, 2)
    game = criticised(on, protocol=protocol)
    critiques = [ask for ask in game.asks if ask.kind == "critique"]
    for ask in critiques:
        draft = next(other for other in game.asks if (other.kind, other.round) == ("candidate", ask.round))
        text = ask.messages[-1].content
        assert on.text in text
        assert draft.messages[-1].content in text
        assert text.count(f"candidate seat 1.{ask.round}.") == 1
        assert ask.facts == draft.facts
        assert "unspoken" not in text
    assert len(critiques) == (1 if protocol == "synchronous" else 2)
    assert not [ask for ask in game.asks for message in ask.messages if "hidden" in message.content]


@pytest.mark.parametrize(
    ("critique", "shown"), [("", NO_REPLY), ("<think>nothing", NO_REPLY), ("Fine.", "Fine.")]
)
def test_a_silent_critic_is_quoted_as_silent(critique: str, shown: str) -> None:
    def reply_to(ask: Ask) -> Reply:
        return Reply(critique) if ask.kind == "critique" else revising(ask)

    revision = criticised(question("synchronous"), reply_to).asks[-1]
    assert f"writes:\n\n{shown}\n\n" in revision.messages[-1].content


def test_a_silent_draft_is_shown_as_one() -> None:
    def reply_to(ask: Ask) -> Reply:
        return Reply("") if ask.kind == "candidate" else revising(ask)

    game = criticised(question("synchronous"), reply_to)
    assert f"The draft:\n\n{NO_REPLY}" in game.asks[2].messages[-1].content
    assert game.asks[3].messages[-2].content == NO_REPLY
    assert game.outcome.turns[0].label == "B"


def test_an_unreadable_revision_is_the_turn_all_the_same() -> None:
    def reply_to(ask: Ask) -> Reply:
        return Reply("Well.") if (ask.kind, ask.seat) == ("turn", "seat 1") else revising(ask)

    turn = criticised(question("synchronous"), reply_to).outcome.turns[0]
    assert (turn.label, turn.reading.status, turn.shown) == (None, "missing", "Well.")
