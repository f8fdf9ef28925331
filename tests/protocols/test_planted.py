"""Confederates: seats that give the label planted in them."""

from __future__ import annotations

from dataclasses import replace

from protocols.dialogue import Ask, Reply
from protocols.planted import planted
from protocols.play import Play
from protocols.transcript import NO_REPLY
from tests.protocols.panels import Played, Replier, case, dialogue, orderly, play_out, question

SURE = "I am sure of it."


def game(
    protocol: str = "synchronous",
    n: int = 2,
    script: str | None = None,
    reply_to: Replier = orderly,
    form: str = "text",
) -> Played:
    """Two rounds in which the second seat is a confederate for INFO, the last label."""
    on = case(protocol, n, planted={2: script}, form="json" if form == "json" else "text")
    return play_out(Play(planted(dialogue(protocol, on, rounds=2, stop="never"), on), seed=7), reply_to)


def defending(ask: Ask) -> Reply:
    """Whoever has a stance gives it."""
    return Reply(ask.answer_format.write(ask.facts.stance or "NTA", f"Reason of {ask.seat}."))


def test_a_script_is_said_without_anybody_being_asked() -> None:
    for protocol in ("synchronous", "round_robin", "hybrid"):
        for form in ("text", "json"):
            played = game(protocol, 3, SURE, form=form)
            assert {ask.seat for ask in played.asks} == {"seat 1", "seat 3"}
            own = played.outcome.own("seat 2")
            assert [(turn.label, turn.shown) for turn in own] == [
                ("INFO", f"My current verdict: INFO\n\n{SURE}")
            ] * 2


def test_a_step_of_confederates_alone_is_not_asked() -> None:
    played = game("round_robin", 2, SURE)
    assert [(record.step, record.slot, record.seat) for record in played.records] == [
        (0, 0, "seat 1"),
        (1, 0, "seat 1"),
    ]


def test_a_model_defends_what_is_planted() -> None:
    played = game(reply_to=defending)
    asks = [ask for ask in played.asks if ask.seat == "seat 2"]
    assert [ask.facts.stance for ask in asks] == ["INFO", "INFO"]
    assert "and no other: INFO\n" in asks[0].messages[0].content
    assert "INFO" not in played.asks[0].messages[1].content
    own = played.outcome.own("seat 2")
    assert [(turn.label, turn.stated.stance, turn.stated.violation) for turn in own] == [
        ("INFO", "INFO", None)
    ] * 2


def test_other_seats_have_no_stance_and_are_asked_as_ever() -> None:
    plain = case("synchronous", 2)
    free = play_out(Play(dialogue("synchronous", plain, rounds=2, stop="never"), seed=7), orderly)
    sown = game()
    assert sown.asks[0] == free.asks[0]
    assert {turn.stated.stance for turn in sown.outcome.own("seat 1")} == {None}


def test_another_label_is_a_violation_and_the_planted_one_is_shown() -> None:
    played = game()  # orderly replies give NTA, YTA or ESH
    own = played.outcome.own("seat 2")
    assert [(turn.label, turn.stated.violation) for turn in own] == [("INFO", "left_stance")] * 2
    assert own[0].shown == "My current verdict: INFO\n\nReason of seat 2 in round 1."
    heard = played.asks[2].messages[-1].content
    assert heard.startswith("Agent 2 in round 1:\nMy current verdict: INFO\n\nReason of seat 2 in round 1.")


def test_what_cannot_be_read_keeps_its_status_and_is_no_reply_to_others() -> None:
    def refusing(ask: Ask) -> Reply:
        if ask.seat == "seat 1":
            return orderly(ask)
        text = "As an AI I cannot judge people." if ask.round == 1 else "INFO or NTA"
        return Reply(text)

    own = game(reply_to=refusing).outcome.own("seat 2")
    assert [(turn.label, turn.shown, turn.stated.stance) for turn in own] == [(None, NO_REPLY, "INFO")] * 2
    assert [turn.reading.status for turn in own] == ["refusal", "invalid"]


def test_the_consensus_may_be_with_a_confederate() -> None:
    on = case("synchronous", 2, planted={2: SURE})
    agreeing = play_out(Play(planted(dialogue("synchronous", on), on), seed=7), lambda _: Reply("INFO"))
    assert agreeing.outcome.rounds == 1


def test_a_question_is_planted_an_option_in_words() -> None:
    on = question("synchronous", 2, planted={2: None})
    assert "and no other: D. $100\n" in on.seats[1].system
    assert on.seats[0].system == question("synchronous", 2).seats[0].system


def test_a_case_without_confederates_is_played_as_it_is() -> None:
    on = case("hybrid", 3)
    plain, wrapped = (
        play_out(Play(told, seed=7), orderly)
        for told in (dialogue("hybrid", on), planted(dialogue("hybrid", on), on))
    )
    assert plain == wrapped
    assert not any(seat.planted for seat in on.seats)
    assert replace(on.seats[0], planted="NTA").script is None
