"""Judges: what they are shown of a debate, and in which order."""

from itertools import permutations

import pytest

from protocols.dialogue import Reply
from protocols.judge import Judgment, Sees
from protocols.play import Play
from protocols.record import Record, replay
from tests.golden.what_followed import SEES, judge_dialogue
from tests.protocols.panels import BLOCKS, case, played

TURNS = played("synchronous", case("synchronous", 5)).outcome.turns
SEATS = [f"seat {number}" for number in range(1, 6)]
ANSWER = Reply("My current verdict: NTA\n\nFine.")


def question(play: Play[Judgment]) -> str:
    """The user message of the one ask."""
    [ask] = play.step
    return ask.messages[-1].content


def heads(text: str) -> list[str]:
    """The lines that say whose turn follows."""
    return [line for line in text.splitlines() if line.startswith("Agent ")]


def test_a_judge_of_the_transcript_is_shown_every_turn_once() -> None:
    text = question(judge_dialogue("transcript"))
    for turn in TURNS:
        label = turn.seat.replace("seat", "Agent")
        assert text.count(f"{label} in round {turn.round}:\n{turn.shown}") == 1
    assert len(heads(text)) == len(TURNS)


def test_a_judge_of_positions_is_shown_the_last_turn_of_every_seat() -> None:
    text = question(judge_dialogue("positions"))
    assert len(heads(text)) == 5
    assert all(turn.shown in text for turn in TURNS[-5:])


def test_a_judge_who_sees_nothing_is_asked_as_a_seat_alone_is() -> None:
    [solo, *_] = played("solo", case("solo", 1)).asks
    [ask] = judge_dialogue("nothing").step
    assert ask.messages == solo.messages
    assert ask.facts.seen == ()


@pytest.mark.parametrize("order", list(permutations(range(5)))[::17])
def test_display_orders_what_was_written_at_the_same_time_and_nothing_else(order: tuple[int, ...]) -> None:
    display = tuple(SEATS[place] for place in order)
    text = question(judge_dialogue("transcript", display))
    called = [seat.replace("seat", "Agent") for seat in display]
    assert heads(text) == [f"{label} in round {round}:" for round in (1, 2, 3) for label in called]


@pytest.mark.parametrize("sees", SEES)
def test_a_judgment_can_be_played_again_from_its_record(sees: Sees) -> None:
    first, second = judge_dialogue(sees), judge_dialogue(sees)
    assert first.step == second.step
    record = Record.of(0, 0, first.step[0], BLOCKS["alpha"], ANSWER)
    first.answer(0, ANSWER)
    replay(second, [record], BLOCKS)
    assert first.outcome == second.outcome
    assert (first.outcome.reading.label, first.outcome.round) == ("NTA", 3)


def test_an_unreadable_judgment_has_a_status_and_no_label() -> None:
    play = judge_dialogue("transcript")
    play.answer(0, Reply("Hard to say, either way."))
    assert (play.outcome.reading.status, play.outcome.reading.label) == ("missing", None)


def test_wordings_differ_by_what_a_judge_sees() -> None:
    assert len({judge_dialogue(sees).step[0].prompt_hash for sees in SEES}) == 3
