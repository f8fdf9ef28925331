"""A judge who sits in and asks between the turns."""

from __future__ import annotations

import pytest

from protocols.case import Case
from protocols.dialogue import Ask, Reply
from protocols.judge import judge
from protocols.play import Play
from protocols.record import replay
from protocols.transcript import NO_REPLY, Question, Transcript
from tests.golden.views import asking, sitting_judge
from tests.protocols.panels import BLOCKS, Played, Replier, case, dialogue, play_out


def game(protocol: str, turns: int = 3, reply_to: Replier = asking, **options: object) -> Played:
    on = case(protocol, 2, inquired=True)
    told = dialogue(protocol, on, turns=turns, sits_in=sitting_judge(on), **options)
    return play_out(Play(told, seed=7), reply_to)


def judged(game: Played) -> list[Ask]:
    return [ask for ask in game.asks if ask.kind == "judge"]


@pytest.mark.parametrize("protocol", ["consultancy", "debate"])
def test_a_question_stands_between_turns_alone(protocol: str) -> None:
    """None before the first turn, none after the last; openings are not asked about."""
    for turns in (1, 2, 3):
        played = game(protocol, turns)
        assert [ask.round for ask in judged(played)] == list(range(2, turns + 1))
        assert played.outcome.questions == tuple(
            Question(round, f"What of point {round}?") for round in range(2, turns + 1)
        )


def test_every_seat_hears_the_question_once_and_in_its_place() -> None:
    played = game("debate")
    for ask in played.asks:
        if ask.kind == "turn" and ask.round > 2:
            heard = "\n".join(message.content for message in ask.messages[1:])
            assert [heard.count(f"What of point {round}?") for round in (2, 3)] == [1, int(ask.round == 4)]
            assert heard.index("Agent" if ask.seat == "seat 2" else "Round 1") < heard.index(
                "The judge, after round 1:"
            )
            assert "The judge sits in:" in ask.messages[0].content


def test_in_an_alternating_debate_it_comes_after_the_round() -> None:
    played = game("debate", 2, form="alternating")
    kinds = [(ask.kind, ask.round, ask.position) for ask in played.asks if ask.round > 1]
    assert kinds == [("turn", 2, 1), ("turn", 2, 2), ("judge", 2, 1), ("turn", 3, 1), ("turn", 3, 2)]


def test_the_judge_is_shown_what_was_argued_and_its_own_questions() -> None:
    first, second = judged(game("debate"))
    assert "What of point" not in first.messages[1].content
    shown = second.messages[1].content
    assert (
        shown.index("Agent 1 in round 1:")
        < shown.index("What of point 2?")
        < shown.index("Agent 1 in round 2:")
    )
    assert "Rounds to come: 1." in shown
    assert not [turn for turn in first.facts.seen if turn.round == 1]  # openings are heard by nobody


def test_a_silent_judge_is_heard_to_be_silent() -> None:
    played = game("consultancy", reply_to=lambda ask: Reply("") if ask.kind == "judge" else asking(ask))
    assert {question.shown for question in played.outcome.questions} == {NO_REPLY}


def test_whoever_decides_reads_the_questions_in_their_places() -> None:
    played, on = game("debate"), case("debate", 2)
    play = Play(judge(on, played.outcome, seat=sitting_judge(on), answer_format=on.answer_format), seed=1)
    read = play.step[0].messages[1].content
    places = [
        read.index(text) for text in ("in round 1:", "point 2?", "in round 2:", "point 3?", "in round 3:")
    ]
    assert places == sorted(places)
    positions = judge(
        on, played.outcome, seat=sitting_judge(on), answer_format=on.answer_format, sees="positions"
    )
    assert "point 2?" not in Play(positions, seed=1).step[0].messages[1].content


@pytest.mark.parametrize("protocol", ["consultancy", "debate"])
def test_it_resumes_from_any_question(protocol: str) -> None:
    played = game(protocol)
    for answered in range(len(played.records) + 1):
        on: Case = case(protocol, 2, inquired=True)
        play: Play[Transcript] = Play(dialogue(protocol, on, turns=3, sits_in=sitting_judge(on)), seed=7)
        replay(play, played.records[:answered], BLOCKS)
        assert play_out(play, asking).outcome == played.outcome
