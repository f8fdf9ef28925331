"""The laws of who sees what and when it ends, over every protocol, on fixed and on random scripts.

1. A seat is shown exactly the turns its structure grants it, each of them once; its own are assistant
   messages, those of others stand in user messages. Where only last positions are shown, all stand in one
   user message. Where less than all of a turn is exposed nothing more is shown; in the history of the
   published study the round before each own turn stands there again, one's own text included.
2. Roles: one system message, then user and assistant by turns, a user message last; none is empty, none
   has a gap or a placeholder left open.
3. A seat's messages only grow: those of its former ask, its own turn, and one new user message. Not so
   where only last positions are shown; and a seat that argues is not shown an opening that it does not
   argue for, nor one that it is to debate.
4. Nobody is ever shown reasoning.
5. The facts of an ask say what its messages show.
6. A debate ends as its structure says. Unreadable turns agree with nothing.
7. Whatever is one step was composed before any of its replies; what the structure orders is not one step.
"""

from __future__ import annotations

import re
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols import PROTOCOLS
from protocols.answer_format import FormatName
from protocols.dialogue import Ask, Reply, Seen
from protocols.laws.laws import private, roles
from protocols.transcript import NO_REPLY, Turn
from tests.laws.granted import ARGUED, ROUNDS, STRUCTURES, TURNS, Matter, Structure, game, held, stances
from tests.protocols.panels import Played, case, orderly, played
from tests.protocols.shapes import disputed, mark, ragged, shaped

READABLE = ("ok", "repaired")
OPEN = re.compile(r"\$\{?[a-z]")


def granted(structure: Structure, game: Played, ask: Ask) -> list[Turn]:
    return [turn for turn in game.outcome.turns if structure.sees(game, ask, turn)]


def law_1_exactly_what_is_granted_and_once(structure: Structure, game: Played) -> None:
    for ask in game.asks:
        seen = granted(structure, game, ask)
        said = [message.content for message in ask.messages if message.role == "assistant"]
        assert said == [turn.shown for turn in seen if turn.seat == ask.seat and structure.grows]
        heard = "\n".join(message.content for message in ask.messages if message.role != "assistant")
        told = [turn for turn in seen if turn.seat != ask.seat or not structure.grows]
        if structure.repeats:
            told = [turn for turn in seen for _ in range(_recalled(structure, game, ask, turn))]
        texts = [_exposed(structure, turn) for turn in told]
        for turn in game.outcome.turns:
            word = mark(turn.seat, turn.round)
            assert heard.count(word) == sum(text.count(word) for text in texts)
        assert heard.count(NO_REPLY) == texts.count(NO_REPLY)


def _recalled(structure: Structure, game: Played, ask: Ask, turn: Turn) -> int:
    """How often it stands before turns of the seat, up to this one, in the round after it or its own."""
    own = [each for each in game.asks if each.seat == ask.seat and each.round <= ask.round]
    return sum(structure.sees(game, each, turn) and each.round - turn.round <= 1 for each in own)


def _exposed(structure: Structure, turn: Turn) -> str:
    """What of a turn others are shown."""
    if structure.exposure in ("verdicts", "counts"):
        return ""
    if structure.exposure == "reasons" and turn.label is not None:
        return turn.reading.explanation
    return turn.shown


def law_2_roles(_: Structure, game: Played) -> None:
    assert list(roles(game.asks)) == []
    for ask in game.asks:
        told = [message.content for message in ask.messages if message.role != "assistant"]
        assert not [text for text in told if OPEN.search(text) or "\n\n\n" in text or "  " in text]


def law_3_messages_only_grow(structure: Structure, game: Played) -> None:
    for seat in {ask.seat for ask in game.asks}:
        for former, ask in pairwise([ask for ask in game.asks if ask.seat == seat]):
            (own,) = [turn for turn in game.outcome.own(seat) if turn.round == former.round]
            if not structure.grows:
                assert [message.role for message in ask.messages] == ["system", "user"]
            elif not structure.sees(game, ask, own):
                assert (former.round, structure.protocol in ARGUED) == (1, True)
                assert ask.messages[0] == former.messages[0]
            else:
                assert ask.messages[: len(former.messages)] == former.messages
                said, asked = ask.messages[len(former.messages) :]
                assert (said.role, said.content, asked.role) == ("assistant", own.shown, "user")


def law_4_reasoning_is_private(_: Structure, game: Played) -> None:
    assert list(private(game.asks)) == []


def law_5_facts_agree_with_messages(structure: Structure, game: Played) -> None:
    for ask in game.asks:
        seen = granted(structure, game, ask)
        others = tuple(
            Seen(turn.round, turn.seat, None if structure.exposure == "reasons" else turn.label)
            for turn in seen
            if turn.seat != ask.seat
        )
        assert (ask.facts.case_id, ask.facts.round, ask.facts.seen) == ("ladder", ask.round, others)
        own = [turn.label for turn in seen if turn.seat == ask.seat]
        stance = None
        if structure.protocol in ARGUED and ask.round > 1:
            stance = stances(game, structure.swap)[ask.seat]
            own = [stance]
        if structure.protocol == "disagreement_resolution":
            own = [held(game.outcome, ask.round - 1).get(ask.seat)]
        assert (ask.facts.own_last, ask.facts.stance) == (own[-1] if own else None, stance)


def law_6_the_end(structure: Structure, game: Played) -> None:
    outcome = game.outcome
    if structure.protocol in ARGUED:
        _argued_to_the_end(structure, game)
    elif structure.protocol == "disagreement_resolution":
        _resolved_or_not(game)
    else:
        for number in range(1, outcome.rounds + 1):
            turns = outcome.in_round(number)
            readable = all(turn.reading.status in READABLE for turn in turns)
            agreed = readable and len({turn.label for turn in turns}) == 1
            stops = agreed and structure.protocol not in ("reask", "majority")
            over = stops or number == (1 if structure.protocol == "solo" else ROUNDS)
            assert (number == outcome.rounds) == over
        assert outcome.exit_mode is None
        assert (outcome.voted, outcome.apart) == (
            structure.protocol == "majority",
            structure.protocol in ("reask", "majority"),
        )


def _argued_to_the_end(structure: Structure, game: Played) -> None:
    """Every seat that has something to argue for does so in every turn, or nobody does."""
    holding = stances(game, structure.swap)
    if structure.protocol == "consultancy":
        number = structure.options.get("consultant", 1)
        arguing = [seat for seat in holding if seat == f"seat {number}"]
    elif structure.protocol == "debate" and len(set(holding.values())) < 2:
        arguing = []
    else:
        arguing = list(holding)
    for number in range(2, 2 + TURNS):
        turns = game.outcome.in_round(number)
        assert [turn.seat for turn in turns] == arguing
        for turn in turns:
            readable = turn.reading.status in READABLE
            assert (turn.label, turn.stated.stance) == (
                holding[turn.seat] if readable else None,
                holding[turn.seat],
            )
    assert game.outcome.rounds == (1 + TURNS if arguing else 1)


def _resolved_or_not(game: Played) -> None:
    """It ends as soon as all hold one label, or at the last turn; without any label it never begins."""
    rounds = game.outcome.rounds
    labels = [list(held(game.outcome, number).values()) for number in range(rounds + 1)]
    for number in range(1, rounds + 1):
        over = len(set(labels[number])) == 1 or number == ROUNDS
        assert (number == rounds) == over
    if set(labels[-1]) == {None}:
        ended = None
    elif len(set(labels[-1])) == 1:
        ended = "consensus"
    else:
        swapped = len(labels[-1]) == 2 and labels[-1] == labels[-2][::-1]
        ended = "swapped" if swapped else "turn_limit"
    assert game.outcome.exit_mode == ended
    assert {seat: game.outcome.final(seat) for seat in held(game.outcome, rounds)} == held(
        game.outcome, rounds
    )


def law_7_steps(structure: Structure, game: Played) -> None:
    """Seats that write in turn stand one in a step; the others of a round stand together."""
    for step in game.outcome.steps:
        whole = game.outcome.in_round(step[0].round)
        if structure.protocol == "majority":
            whole = game.outcome.turns
        first = structure.options.get("first") == "simultaneous" and step[0].round == 2
        in_turn = structure.protocol == "round_robin" or "form" in structure.options
        alone = in_turn and not first and (structure.protocol == "round_robin" or step[0].round > 1)
        alone = alone or (structure.protocol == "hybrid" and step[0].round > 1)
        assert (len(step) == 1) if alone else (step == whole)


LAWS = [
    law_1_exactly_what_is_granted_and_once,
    law_2_roles,
    law_3_messages_only_grow,
    law_4_reasoning_is_private,
    law_5_facts_agree_with_messages,
    law_6_the_end,
    law_7_steps,
]


def test_every_protocol_is_under_the_laws() -> None:
    assert {structure.protocol for structure in STRUCTURES.values()} == set(PROTOCOLS)


@pytest.mark.parametrize(("name", "n"), list(product(STRUCTURES, (1, 2, 3, 5))))
@pytest.mark.parametrize(("matter", "form"), list(product(("situation", "question"), ("text", "json"))))
def test_views(name: str, n: int, matter: Matter, form: FormatName) -> None:
    """Every law holds for well-formed and for ragged replies."""
    for reply_to in (orderly, ragged, disputed):
        played = game(name, n, matter, form, reply_to)
        for law in LAWS:
            law(STRUCTURES[name], played)


@pytest.mark.parametrize("name", STRUCTURES)
@given(
    shapes=st.lists(st.integers(0, 79), min_size=20, max_size=20),
    n=st.integers(1, 5),
    matter=st.sampled_from(["situation", "question"]),
)
@settings(max_examples=40)
def test_views_of_random_scripts(name: str, shapes: list[int], n: int, matter: Matter) -> None:
    """Every law holds whatever the seats reply."""

    def reply_to(ask: Ask) -> Reply:
        return shaped(shapes[(ask.round - 1) * n + ask.position - 1], ask)

    structure = STRUCTURES[name]
    game = structure.played(structure.case(n, matter), reply_to)
    for law in LAWS:
        law(structure, game)


@pytest.mark.parametrize(("name", "consultant"), list(product(("consultancy",), (1, 2, 3))))
def test_any_seat_of_the_panel_may_be_the_consultant(name: str, consultant: int) -> None:
    structure = Structure(name, STRUCTURES[name].sees, {"consultant": consultant})
    game = structure.played(structure.case(3, "question"), orderly)
    for law in LAWS:
        law(structure, game)
    assert {turn.seat for turn in game.outcome.turns if turn.round > 1} == {f"seat {consultant}"}


@pytest.mark.parametrize("first", ["synchronous", "round_robin", "hybrid"])
@pytest.mark.parametrize("then", ["synchronous", "round_robin", "hybrid"])
def test_a_structure_goes_on_from_another_transcript(first: str, then: str) -> None:
    """A debate that one structure ended in round 3 is carried into round 4, messages only growing."""
    on = case(first, 3, rounds=ROUNDS)
    before = played(first, on)
    after = played(then, on, transcript=before.outcome)
    assert before.outcome.rounds == 3
    assert after.outcome.steps[: len(before.outcome.steps)] == before.outcome.steps
    assert after.outcome.rounds == ROUNDS
    joined = Played((*before.asks, *after.asks), (), after.outcome)
    law_2_roles(STRUCTURES[then], joined)
    law_3_messages_only_grow(STRUCTURES[then], joined)


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("protocol", ["synchronous", "round_robin"])
def test_formats_differ_in_nothing_that_is_said(protocol: str, n: int) -> None:
    """The same replies in either format make the same turns and the same messages after the system's."""
    games = [played(protocol, case(protocol, n, form=form)) for form in ("text", "json")]
    said = [[(turn.label, turn.shown) for turn in game.outcome.turns] for game in games]
    asked = [[ask.messages[1:] for ask in game.asks] for game in games]
    assert said[0] == said[1]
    assert asked[0] == asked[1]
