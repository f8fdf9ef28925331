"""The player: what it stamps, and what it refuses."""

from __future__ import annotations

import pytest

from protocols.dialogue import Dialogue, Reply
from protocols.play import Play, PlayError
from protocols.seeds import ask_seed
from protocols.transcript import Transcript
from tests.protocols.panels import case, dialogue

REPLY = Reply("My current verdict: NTA")


def fresh(protocol: str = "synchronous", n: int = 2) -> Play[Transcript]:
    return Play(dialogue(protocol, case(protocol, n)), seed=7)


def test_seeds_come_from_the_debate_and_the_place() -> None:
    play = fresh()
    assert [ask.seed for ask in play.step] == [ask_seed(7, 0, 0), ask_seed(7, 0, 1)]
    assert all(0 <= ask.seed < 2**31 for ask in play.step)


def test_a_step_goes_on_when_its_last_reply_is_there() -> None:
    play = fresh()
    assert (play.index, play.open, play.done) == (0, [0, 1], False)
    assert play.answer(1, REPLY) is False
    assert (play.open, play.replies) == ([0], {1: REPLY})
    assert play.answer(0, REPLY) is True
    assert (play.done, play.step, play.open) == (True, (), [])
    assert play.outcome.rounds == 1


def test_the_outcome_of_an_unfinished_play_is_refused() -> None:
    with pytest.raises(PlayError, match=r"waits for slots \[0, 1\] of step 0"):
        _ = fresh().outcome


@pytest.mark.parametrize("slot", [1, 2, -1])
def test_a_slot_that_is_not_open_is_refused(slot: int) -> None:
    """A second reply, a slot that does not exist, and a negative one; what is there stays."""
    play = fresh()
    play.answer(1, REPLY)
    with pytest.raises(PlayError, match=rf"slot {slot} of step 0 is not open; open: \[0\]"):
        play.answer(slot, Reply("other"))
    assert play.replies == {1: REPLY}


def test_a_reply_after_the_end_is_refused() -> None:
    play = fresh("solo", 1)
    play.answer(0, REPLY)
    with pytest.raises(PlayError, match=r"slot 0 of step 0 is not open; open: \[\]"):
        play.answer(0, REPLY)


def test_an_empty_step_is_refused() -> None:
    """A dialogue that asks nothing could never be answered."""

    def idle() -> Dialogue[None]:
        yield ()

    with pytest.raises(PlayError, match="empty step"):
        Play(idle(), seed=7)


def test_a_dialogue_without_questions_is_over_at_once() -> None:
    done = fresh("solo", 2)
    for slot in done.open:
        done.answer(slot, REPLY)
    again = Play(dialogue("synchronous", case(), rounds=1, transcript=done.outcome), seed=7)
    assert again.done
    assert again.outcome == done.outcome
