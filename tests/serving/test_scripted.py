"""Scripted agents: which row answers, and what happens where none does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from protocols.dialogue import Ask, Facts
from serving.blocks import ModelBlock, ScriptedBlock
from serving.errors import AskRefused
from serving.scripted import Scripted

TABLE = [
    {"text": "anything"},
    {"round": 2, "text": "any second round"},
    {"seat": "a", "text": "a"},
    {"seat": "a", "round": 2, "text": "a in round 2"},
    {"case_id": "c1", "text": "c1"},
    {"case_id": "c1", "seat": "a", "round": 1, "text": "all named", "finish_reason": "length"},
]
EXPECTED = [
    (("c1", "a", 1), "all named"),
    (("c1", "a", 2), "c1"),
    (("c1", "b", 1), "c1"),
    (("c2", "a", 1), "a"),
    (("c2", "a", 2), "a in round 2"),
    (("c2", "b", 1), "anything"),
    (("c2", "b", 2), "any second round"),
]


@pytest.mark.parametrize(("place", "text"), EXPECTED)
def test_the_most_specific_row_answers_and_the_case_counts_most(
    place: tuple[str, str, int],
    text: str,
    read_block: Callable[..., ModelBlock],
    write_ask: Callable[..., Ask],
) -> None:
    case, seat, round = place
    block = read_block(backend="scripted", replies=TABLE)
    assert isinstance(block, ScriptedBlock)
    ask = write_ask(seat=seat, round=round, facts=Facts(case_id=case, round=round))
    reply = asyncio.run(Scripted(block).answer(ask))
    assert (reply.text, reply.finish_reason) == (text, "length" if text == "all named" else "stop")


def test_an_ask_that_no_row_fits_is_refused_and_named(
    read_block: Callable[..., ModelBlock], write_ask: Callable[..., Ask]
) -> None:
    block = read_block(backend="scripted", replies=[{"seat": "a", "text": "NTA"}])
    assert isinstance(block, ScriptedBlock)
    with pytest.raises(AskRefused, match="no scripted reply for case 'c9', seat 'b', round 3"):
        asyncio.run(Scripted(block).answer(write_ask(seat="b", round=3, facts=Facts("c9", 3))))
