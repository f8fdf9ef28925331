"""When debates end, and what counts as consensus."""

from __future__ import annotations

import pytest

from protocols.dialogue import Ask, Reply
from protocols.stopping import consensus, consensus_label
from protocols.transcript import Transcript
from tests.protocols.panels import Replier, case, orderly, played

SILENT = Reply("")
REFUSAL = Reply("As an AI I cannot judge people.")
NTA, YTA = Reply("My current verdict: NTA\n\nHe asked."), Reply("My current verdict: YTA\n\nHe did not.")


def saying(*replies: Reply) -> Replier:
    """Each seat says the same in every round."""

    def reply_to(ask: Ask) -> Reply:
        return replies[ask.position - 1]

    return reply_to


@pytest.mark.parametrize(
    ("replies", "label"),
    [
        ([NTA, NTA], "NTA"),
        ([NTA, YTA], None),
        ([NTA, SILENT], None),
        ([SILENT, SILENT], None),
        ([REFUSAL, REFUSAL], None),
        ([NTA, NTA, NTA], "NTA"),
        ([NTA, SILENT, NTA], None),
        ([NTA], "NTA"),
        ([SILENT], None),
    ],
)
@pytest.mark.parametrize("protocol", ["synchronous", "round_robin"])
def test_only_readable_and_equal_labels_agree(protocol: str, replies: list[Reply], label: str | None) -> None:
    transcript = played(protocol, case(protocol, len(replies)), saying(*replies), rounds=3).outcome
    assert transcript.rounds == (1 if label else 3)
    assert consensus_label(transcript, transcript.rounds) == label
    assert consensus(transcript) == (label is not None)


def test_agreement_of_a_former_round_does_not_last() -> None:
    """Consensus is that of the latest round."""
    transcript = played(
        "synchronous", case(), lambda ask: NTA if ask.round == 1 else orderly(ask), stop="never"
    )
    assert consensus_label(transcript.outcome, 1) == "NTA"
    assert consensus_label(transcript.outcome, 2) is None
    assert not consensus(transcript.outcome)


@pytest.mark.parametrize("protocol", ["synchronous", "round_robin"])
def test_never_plays_every_round(protocol: str) -> None:
    assert played(protocol, case(protocol), saying(NTA, NTA, NTA), rounds=3, stop="never").outcome.rounds == 3


@pytest.mark.parametrize("protocol", ["synchronous", "round_robin"])
def test_an_unknown_stop_rule_fails_before_the_first_question(protocol: str) -> None:
    with pytest.raises(KeyError, match="concensus"):
        played(protocol, case(protocol), stop="concensus")


def test_no_round_before_any_turn_has_a_consensus() -> None:
    assert not consensus(Transcript())
