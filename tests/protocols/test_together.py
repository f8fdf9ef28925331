"""`together`: two dialogues on one clock, neither seeing the other."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import Any

import pytest

from protocols import PROTOCOLS
from protocols.dialogue import Dialogue, Message
from protocols.play import Play
from protocols.record import Record, replay
from protocols.seeds import ask_seed
from protocols.together import together
from tests.protocols.panels import BLOCKS, Order, case, dialogue, played
from tests.protocols.shapes import ragged

PAIRS = list(product(PROTOCOLS, PROTOCOLS))


def pair(first: str, second: str) -> Play[object]:
    return Play(together(dialogue(first, case(first, 2)), dialogue(second, case(second, 3))), seed=7)


def play_pair(play: Play[object], order: Order = list) -> list[Record]:
    records = []
    while not play.done:
        index, step = play.index, play.step
        assert [ask.seed for ask in step] == [ask_seed(7, index, slot) for slot in range(len(step))]
        for slot in order(play.open):
            records.append(Record.of(index, slot, step[slot], BLOCKS[step[slot].model], ragged(step[slot])))
            play.answer(slot, records[-1].reply)
    return records


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_each_branch_is_played_as_if_alone(first: str, second: str) -> None:
    """The outcomes are those of two separate plays, in as many steps as the longer one takes."""
    alone = played(first, case(first, 2), ragged), played(second, case(second, 3), ragged)
    play = pair(first, second)
    records = play_pair(play)
    assert play.outcome == (alone[0].outcome, alone[1].outcome)
    assert len(records) == len(alone[0].asks) + len(alone[1].asks)
    assert records[-1].step == max(game.records[-1].step for game in alone)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_slots_stand_in_branch_order(first: str, second: str) -> None:
    """In each joined step the first branch's asks come first, and messages are those of separate plays."""
    alone = played(first, case(first, 2), ragged), played(second, case(second, 3), ragged)
    logs: defaultdict[tuple[int, int], list[tuple[Message, ...]]] = defaultdict(list)
    for branch, game in enumerate(alone):
        for record in game.records:
            logs[record.step, branch].append(record.messages)
    joined = [messages for key in sorted(logs) for messages in logs[key]]
    assert [record.messages for record in play_pair(pair(first, second))] == joined


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_joined_dialogue_resumes_like_any_other(first: str, second: str) -> None:
    records = play_pair(pair(first, second), order=lambda slots: slots[::-1])
    for answered in range(len(records) + 1):
        again = pair(first, second)
        replay(again, records[:answered], BLOCKS)
        assert records[:answered] + play_pair(again, order=lambda slots: slots[::-1]) == records


def test_pairs_may_be_joined_again() -> None:
    """All dialogues that there are, joined one to the others, end as they do alone."""
    alone = [played(name, case(name, 2), ragged).outcome for name in PROTOCOLS]
    joined: Dialogue[Any] = dialogue("solo", case("solo", 2))
    outcome: Any = alone[0]
    for name, other in list(zip(PROTOCOLS, alone, strict=True))[1:]:
        joined, outcome = together(joined, dialogue(name, case(name, 2))), (outcome, other)
    play: Play[object] = Play(joined, seed=7)
    play_pair(play)
    assert play.outcome == outcome
