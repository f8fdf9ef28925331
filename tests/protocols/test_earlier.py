"""Rounds that had another form than those of the debate which goes on from them."""

import pytest

from protocols.earlier import otherwise
from protocols.play import Play
from protocols.transcript import Transcript
from tests.protocols.panels import case, dialogue, play_out
from tests.protocols.shapes import ragged


def gone_on(*protocols: tuple[str, int]) -> Transcript:
    """A debate of three seats that goes through these protocols, up to these rounds."""
    transcript = Transcript()
    for protocol, rounds in protocols:
        told = dialogue(protocol, case(protocol), rounds=rounds, stop="never", transcript=transcript)
        transcript = play_out(Play(told, seed=1), ragged).outcome
    return transcript


@pytest.mark.parametrize(
    ("went", "protocol", "said"),
    [
        ([("synchronous", 3)], "synchronous", ""),
        ([("round_robin", 3)], "round_robin", ""),
        ([("round_robin", 1)], "synchronous", "Round 1"),
        ([("synchronous", 3)], "round_robin", "Rounds 1 to 3"),
        ([("synchronous", 2), ("round_robin", 4)], "synchronous", "Rounds 3 to 4"),
        ([("synchronous", 2), ("round_robin", 3), ("synchronous", 4)], "round_robin", "Rounds 1 to 2 and 4"),
    ],
)
def test_rounds_of_another_form_are_named(went: list[tuple[str, int]], protocol: str, said: str) -> None:
    assert otherwise(gone_on(*went), protocol) == said


def test_a_seat_is_told_how_earlier_rounds_were_held() -> None:
    [first, *_] = case("synchronous", earlier="Rounds 1 to 2").seats
    assert "Rounds 1 to 2 of this debate went by other rules: the agents wrote one after" in first.system
    [first, *_] = case("round_robin", earlier="Round 1").seats
    assert "Round 1 of this debate went by other rules: all agents wrote at the same time" in first.system
    assert "other rules" not in case("round_robin").seats[0].system
