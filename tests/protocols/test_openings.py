"""Openings: asked once of every seat alone, taken from an earlier debate, or brought by the case."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols import PROTOCOLS
from protocols.openings import described, opposed, stances
from protocols.transcript import Transcript
from tests.protocols.panels import Played, case, played, question
from tests.protocols.scripts import UNREADABLE, saying

OPENED = ("consultancy", "double_consultancy", "debate", "disagreement_resolution")
OPENINGS = (("A", "Ten, as it says."), ("B", "Five and a hundred and five."))


def opening_turns(game: Played) -> list[tuple[str, str | None, str]]:
    return [(turn.seat, turn.label, turn.shown) for turn in game.outcome.in_round(1)]


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("protocol", OPENED)
def test_openings_are_asked_as_a_seat_alone_is_asked(protocol: str, form: str) -> None:
    """In one step, of every seat, in words that are those of `solo`, its form told in the message."""
    on = question(protocol, 3, form=form)
    asks = [ask for ask in played(protocol, on, turns=1).asks if ask.round == 1]
    alone = played("solo", question("solo", 3, form=form)).asks
    assert [ask.seat for ask in asks] == ["seat 1", "seat 2", "seat 3"]
    for ask, solo in zip(asks, alone, strict=True):
        instruction, told = ask.messages[1].content.split("\n\n")
        assert instruction == solo.messages[1].content
        assert told.startswith("Form of this reply: ")
        assert ask.answer_format == solo.answer_format == on.answer_format


@pytest.mark.parametrize("protocol", OPENED)
def test_openings_of_an_earlier_debate_are_not_asked_again(protocol: str) -> None:
    """They stand as round 1, inherited; the rest goes as if they had been given here."""
    before = played("solo", question("solo", 2)).outcome
    on = question(protocol, 2)
    after = played(protocol, on, turns=2, transcript=before.opening())
    whole = played(protocol, on, turns=2)
    assert after.outcome.openings == 2
    assert after.outcome.turns == whole.outcome.turns
    assert [ask.messages for ask in after.asks] == [ask.messages for ask in whole.asks[2:]]


@pytest.mark.parametrize("protocol", ["solo", *OPENED])
def test_openings_that_the_case_brings_stand_unasked(protocol: str) -> None:
    game = played(protocol, question(protocol, 2, openings=OPENINGS), turns=1)
    assert opening_turns(game) == [
        ("seat 1", "A", "Answer: A\n\nTen, as it says."),
        ("seat 2", "B", "Answer: B\n\nFive and a hundred and five."),
    ]
    assert not [ask for ask in game.asks if ask.round == 1]
    assert {turn.reading.status for turn in game.outcome.in_round(1)} == {"ok"}
    assert [turn.position for turn in game.outcome.in_round(1)] == [1, 2]


def test_solo_asks_nobody_where_the_case_brings_openings() -> None:
    assert played("solo", question("solo", 2, openings=OPENINGS)).asks == ()


def test_openings_belong_to_places_on_the_panel_not_to_the_order_of_speaking() -> None:
    on = question("debate", 2, openings=OPENINGS)
    turned = replace(on, seats=on.seats[::-1])
    game = played("solo", turned)
    assert [(turn.seat, turn.label, turn.position) for turn in game.outcome.turns] == [
        ("seat 2", "B", 1),
        ("seat 1", "A", 2),
    ]


def test_openings_of_an_earlier_debate_go_before_those_of_the_case() -> None:
    before = played("solo", question("solo", 2)).outcome
    on = question("debate", 2, openings=OPENINGS)
    assert opening_turns(played("debate", on, transcript=before.opening(), turns=1)) == [
        (turn.seat, turn.label, turn.shown) for turn in before.turns
    ]


def test_stances_are_what_seats_opened_with() -> None:
    on = question("debate", 3)
    transcript = played("solo", on, saying(["A", UNREADABLE, "C"])).outcome
    assert stances(on, transcript) == {"seat 1": "A", "seat 3": "C"}


def test_swapped_stances_are_those_of_the_seat_after() -> None:
    """A seat with an opening of its own argues for nothing where the seat after it has none."""
    on = question("debate", 3, stance_swap=True)
    transcript = played("solo", on, saying(["A", UNREADABLE, "C"])).outcome
    assert stances(on, transcript) == {"seat 2": "C", "seat 3": "A"}


def test_before_any_opening_nobody_has_a_stance() -> None:
    assert stances(question("debate", 2), Transcript()) == {}


def test_a_label_is_described_by_its_option() -> None:
    assert described(question("debate").answer_format, "B") == "B. $5"
    assert described(case("debate").answer_format, "ESH") == "ESH"


@pytest.mark.parametrize(
    ("labels", "are"),
    [(["A", "B"], True), (["A", "A"], False), (["A", None], True), ([None, None], False), ([], False)],
)
def test_a_disagreement_is_more_than_one_label(labels: list[str | None], are: bool) -> None:
    assert opposed(labels) == are


def test_every_structure_with_openings_is_here() -> None:
    """The others give no opening; a protocol that is added takes its side here."""
    others = {"solo", "synchronous", "round_robin", "hybrid", "reask", "majority"}
    assert {*OPENED, *others} == set(PROTOCOLS)
