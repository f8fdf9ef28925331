"""Turns and transcripts: what was said, and how it is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.answer_format import VERDICTS
from protocols.dialogue import FinishReason, Reply
from protocols.transcript import NO_REPLY, Transcript, turn
from tests.protocols.panels import case, played
from tests.protocols.shapes import ragged

ASK = played("solo", case("solo", 1)).asks[0]


@pytest.mark.parametrize(
    ("text", "finish_reason", "label", "shown"),
    [
        ("My current verdict: NTA\n\nHe asked.", "stop", "NTA", "My current verdict: NTA\n\nHe asked."),
        (
            '{"verdict": "NTA", "explanation": "He asked."}',
            "stop",
            "NTA",
            "My current verdict: NTA\n\nHe asked.",
        ),
        ("My current verdict: NTA", "stop", "NTA", "My current verdict: NTA"),
        ("I weigh both and come to no end.", "stop", None, "I weigh both and come to no end."),
        ("It begins with", "length", None, "It begins with"),
        ("<think>Hm, NTA</think>  ", "stop", None, NO_REPLY),
        ("", "content_filter", None, NO_REPLY),
        (" \n", "stop", None, NO_REPLY),
    ],
)
def test_how_a_turn_is_shown(text: str, finish_reason: FinishReason, label: str | None, shown: str) -> None:
    """A readable turn is rendered one way, an unreadable one is shown as written, a silent one by a word."""
    made = turn(ASK, Reply(text, finish_reason))
    assert (made.label, made.shown, made.text) == (label, shown, text)


@given(text=st.text(), finish_reason=st.sampled_from(["stop", "length", "content_filter"]))
def test_any_reply_makes_a_turn(text: str, finish_reason: FinishReason) -> None:
    """Whatever comes back is shown as something, and has a label exactly when it could be read."""
    made = turn(ASK, Reply(text, finish_reason))
    assert made.shown.strip() == made.shown != ""
    assert (made.label in VERDICTS) == (made.reading.status in ("ok", "repaired"))


def test_a_turn_stands_where_it_was_asked() -> None:
    made = turn(ASK, Reply("My current verdict: NTA"))
    assert (made.round, made.position, made.seat, made.model) == (1, 1, "seat 1", ASK.model)


@pytest.mark.parametrize(("protocol", "widths"), [("synchronous", [3] * 4), ("round_robin", [1] * 12)])
def test_one_record_by_step_round_and_seat(protocol: str, widths: list[int]) -> None:
    transcript = played(protocol, case(protocol, 3), ragged).outcome
    assert [len(step) for step in transcript.steps] == widths
    assert transcript.rounds == 4
    assert [turn.seat for turn in transcript.in_round(2)] == ["seat 1", "seat 2", "seat 3"]
    assert [turn.round for turn in transcript.own("seat 2")] == [1, 2, 3, 4]
    assert len(transcript.turns) == 12


def test_before_any_turn() -> None:
    assert (Transcript().turns, Transcript().rounds, Transcript().in_round(1)) == ((), 0, ())
