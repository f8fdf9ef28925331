"""The laws of who sees what and when it ends, over every protocol, on fixed and on random scripts.

1. A seat is shown exactly the turns its structure grants it, each of them once; its own are assistant
   messages, those of others stand in user messages.
2. Roles: one system message, then user and assistant by turns, a user message last; none is empty.
3. A seat's messages only grow: those of its former ask, its own turn, and one new user message.
4. Nobody is ever shown reasoning.
5. The facts of an ask say what its messages show.
6. A debate ends with the first round in which all labels are readable and equal, or with the last
   round. Unreadable turns agree with nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols import PROTOCOLS
from protocols.answer_format import FormatName
from protocols.dialogue import Ask, Reply, Seen
from protocols.transcript import NO_REPLY, Turn
from tests.protocols.panels import (
    RAGGED,
    Played,
    Replier,
    case,
    mark,
    orderly,
    played,
    ragged,
    shaped,
)

ROUNDS = 4

GRANTED: dict[str, Callable[[Ask, Turn], bool]] = {
    "solo": lambda _ask, _turn: False,
    "synchronous": lambda ask, turn: turn.round < ask.round,
    "round_robin": lambda ask, turn: (turn.round, turn.position) < (ask.round, ask.position),
}
"""Whether the seat of an ask is to see a turn, as the table of structures says."""


def granted(protocol: str, game: Played, ask: Ask) -> list[Turn]:
    return [turn for turn in game.outcome.turns if GRANTED[protocol](ask, turn)]


def law_1_exactly_what_is_granted_and_once(protocol: str, game: Played) -> None:
    for ask in game.asks:
        seen = granted(protocol, game, ask)
        own = [turn.shown for turn in seen if turn.seat == ask.seat]
        assert [message.content for message in ask.messages if message.role == "assistant"] == own
        heard = "\n".join(message.content for message in ask.messages if message.role != "assistant")
        for turn in game.outcome.turns:
            visible = turn in seen and turn.seat != ask.seat
            word = mark(turn.seat, turn.round)
            assert heard.count(word) == (turn.shown.count(word) if visible else 0)
        silent = [turn for turn in seen if turn.seat != ask.seat and turn.shown == NO_REPLY]
        assert heard.count(NO_REPLY) == len(silent)


def law_2_roles(_: str, game: Played) -> None:
    for ask in game.asks:
        system, *rest = ask.messages
        assert system.role == "system"
        assert [message.role for message in rest] == ["user", "assistant"] * (len(rest) // 2) + ["user"]
        assert all(message.content.strip() == message.content != "" for message in ask.messages)


def law_3_messages_only_grow(protocol: str, game: Played) -> None:
    for seat in {ask.seat for ask in game.asks}:
        for former, ask in pairwise([ask for ask in game.asks if ask.seat == seat]):
            (own,) = [turn for turn in game.outcome.own(seat) if turn.round == former.round]
            assert ask.messages[: len(former.messages)] == former.messages
            said, asked = ask.messages[len(former.messages) :]
            assert (said.role, said.content, asked.role) == ("assistant", own.shown, "user")


def law_4_reasoning_is_private(_: str, game: Played) -> None:
    assert not [ask for ask in game.asks for message in ask.messages if "secret" in message.content]


def law_5_facts_agree_with_messages(protocol: str, game: Played) -> None:
    for ask in game.asks:
        seen = granted(protocol, game, ask)
        own = [turn.label for turn in seen if turn.seat == ask.seat]
        others = tuple(Seen(turn.round, turn.seat, turn.label) for turn in seen if turn.seat != ask.seat)
        assert (ask.facts.round, ask.facts.seen) == (ask.round, others)
        assert ask.facts.own_last == (own[-1] if own else None)


def law_6_the_end(protocol: str, game: Played) -> None:
    last = game.outcome.rounds
    for number in range(1, last + 1):
        turns = game.outcome.in_round(number)
        readable = all(turn.reading.status in ("ok", "repaired") for turn in turns)
        agreed = readable and len({turn.label for turn in turns}) == 1
        over = agreed or number == (1 if protocol == "solo" else ROUNDS)
        assert (number == last) == over


LAWS = [
    law_1_exactly_what_is_granted_and_once,
    law_2_roles,
    law_3_messages_only_grow,
    law_4_reasoning_is_private,
    law_5_facts_agree_with_messages,
    law_6_the_end,
]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("protocol", "n"), list(product(PROTOCOLS, (1, 2, 3, 5))))
@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("reply_to", [orderly, ragged])
def test_views(
    law: Callable[[str, Played], None], protocol: str, n: int, form: FormatName, reply_to: Replier
) -> None:
    """Every law holds for well-formed and for ragged replies."""
    law(protocol, played(protocol, case(protocol, n, form=form, rounds=ROUNDS), reply_to, rounds=ROUNDS))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(shapes=st.lists(st.integers(0, len(RAGGED) - 1), min_size=20, max_size=20), n=st.integers(1, 5))
@settings(max_examples=40)
def test_views_of_random_scripts(protocol: str, shapes: list[int], n: int) -> None:
    """Every law holds whatever the seats reply."""

    def reply_to(ask: Ask) -> Reply:
        return shaped(shapes[(ask.round - 1) * n + ask.position - 1], ask.seat, ask.round)

    game = played(protocol, case(protocol, n, rounds=ROUNDS), reply_to, rounds=ROUNDS)
    for law in LAWS:
        law(protocol, game)


@pytest.mark.parametrize("first", ["synchronous", "round_robin"])
@pytest.mark.parametrize("then", ["synchronous", "round_robin"])
def test_a_structure_goes_on_from_another_transcript(first: str, then: str) -> None:
    """A debate that one structure ended in round 3 is carried into round 4, messages only growing."""
    on = case(first, 3, rounds=ROUNDS)
    before = played(first, on)
    after = played(then, on, transcript=before.outcome)
    assert before.outcome.rounds == 3
    assert after.outcome.steps[: len(before.outcome.steps)] == before.outcome.steps
    assert after.outcome.rounds == ROUNDS
    joined = Played((*before.asks, *after.asks), (), after.outcome)
    law_2_roles(then, joined)
    law_3_messages_only_grow(then, joined)


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("protocol", ["synchronous", "round_robin"])
def test_formats_differ_in_nothing_that_is_said(protocol: str, n: int) -> None:
    """The same replies in either format make the same turns and the same messages after the system's."""
    games = [played(protocol, case(protocol, n, form=form)) for form in ("text", "json")]
    said = [[(turn.label, turn.shown) for turn in game.outcome.turns] for game in games]
    asked = [[ask.messages[1:] for ask in game.asks] for game in games]
    assert said[0] == said[1]
    assert asked[0] == asked[1]
