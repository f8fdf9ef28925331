"""Published verdict strings, read again: what is read, and which difference that makes."""

from __future__ import annotations

import pytest

from ray_jobs.design import Cell
from ray_jobs.published.debates import differences, transcript_of
from ray_jobs.published.row_lists import published
from ray_jobs.published.verdicts import KINDS, difference_in_end, difference_in_turn, read_again

CELL = Cell("synchronous", "{}", ("a", "b"), (1, 2), ("default", "default"), "text", "fixed")


@pytest.mark.parametrize(
    ("string", "label", "kind"),
    [
        ("NTA", "NTA", None),
        ("** NTA", "NTA", "misread"),
        ("**NTA**", "NTA", "misread"),
        ("NTA, BECAUSE IT IS HERS", "NTA", "misread"),
        ("YWBTA", "YTA", "misread"),
        ("YWNBTA", "NTA", "misread"),
        ("NOT THE ASSHOLE", "NTA", "misread"),
        ("NTA/NAH", None, "no verdict"),
        ("I DO NOT KNOW", None, "no verdict"),
        (None, None, None),
        ("", None, "no verdict"),
    ],
)
def test_a_string_is_read_as_a_verdict(string: str | None, label: str | None, kind: str | None) -> None:
    reading = read_again(None, string, "messages")
    assert reading.label == label
    assert difference_in_turn(string, reading) == kind


@pytest.mark.parametrize(
    ("message", "string", "label", "kind"),
    [
        ("My current verdict: ESH\n\nBoth did.", "ESH", "ESH", None),
        ("**My current verdict: ESH**\n\nBoth did.", "ESH**", "ESH", "misread"),
        ("Verdict: NAH\n\nNobody did.", None, "NAH", "unread"),
        ("My current verdict: YTA\n\nNo.\n\nMy current verdict: NTA", "YTA", "NTA", "another"),
        ("My current verdict: NTA or YTA", "NTA", None, "no verdict"),
        ("", "NTA", "NTA", None),
    ],
)
def test_a_message_goes_before_its_string(
    message: str, string: str | None, label: str | None, kind: str | None
) -> None:
    reading = read_again(message, string, "messages")
    assert reading.label == label
    assert difference_in_turn(string, reading) == kind


@pytest.mark.parametrize(
    ("final", "consensus", "kind"),
    [
        (None, None, None),
        ("NTA", "NTA", None),
        ("NTA", None, "no consensus"),
        (None, "NTA", "consensus"),
        ("YTA", "NTA", "another"),
        ("NTA**", "NTA", "misread"),
    ],
)
def test_the_end_of_a_debate(final: str | None, consensus: str | None, kind: str | None) -> None:
    assert difference_in_end(final, consensus) == kind


@pytest.mark.parametrize(
    ("strings", "final", "found"),
    [
        ([("NTA", "NTA")], "NTA", []),
        ([(None, None)], None, [("ended early", 1)]),
        (
            [("MAYBE", "MAYBE")],
            "MAYBE",
            [("no verdict", 1), ("no verdict", 1), ("no consensus", None), ("ended early", 1)],
        ),
        ([("NTA", "**NTA"), ("NTA", "NTA")], "NTA", [("misread", 1), ("went on", 1)]),
        ([("NTA", None)] * 4, "NTA", [("no consensus", None)]),
    ],
)
def test_a_debate(
    strings: list[tuple[str | None, str | None]], final: str | None, found: list[tuple[str, int | None]]
) -> None:
    """Two that cannot be read were a consensus to the authors' rule, which ended the debate."""
    row: dict[str, object] = {"n_rounds": len(strings), "final_verdict": final}
    row |= {f"Agent_{agent}_verdicts": [both[agent - 1] for both in strings] for agent in (1, 2)}
    debate = published(row, 2)
    told = [
        (each.kind, each.round) for each in differences(debate, transcript_of(debate, CELL, "messages"), 4)
    ]
    assert told == found
    assert {kind for kind, _ in told} <= KINDS.keys()
