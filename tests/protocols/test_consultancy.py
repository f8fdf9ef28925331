"""Consultancies: one seat argues, or all of them, never hearing each other."""

from __future__ import annotations

import pytest

from tests.protocols.panels import Played, played, question
from tests.protocols.scripts import UNREADABLE, saying

OPEN = ["A", "B", "C"]
ARGUE = [OPEN, OPEN, OPEN]


def turns(game: Played) -> list[tuple[int, str, str | None]]:
    return [(turn.round, turn.seat, turn.label) for turn in game.outcome.turns if turn.round > 1]


@pytest.mark.parametrize("consultant", [1, 2, 3])
def test_one_seat_argues_so_many_turns(consultant: int) -> None:
    on = question("consultancy", 3)
    game = played("consultancy", on, saying(*ARGUE), consultant=consultant, turns=2)
    seat = f"seat {consultant}"
    assert turns(game) == [(2, seat, OPEN[consultant - 1]), (3, seat, OPEN[consultant - 1])]
    assert [len(step) for step in game.outcome.steps] == [3, 1, 1]
    assert [ask.position for ask in game.asks] == [1, 2, 3, consultant, consultant]


def test_all_seats_argue_a_turn_in_one_step() -> None:
    game = played("double_consultancy", question("double_consultancy", 3), saying(*ARGUE), turns=2)
    assert [len(step) for step in game.outcome.steps] == [3, 3, 3]
    assert game.outcome.apart
    assert game.outcome.unheard == 1


@pytest.mark.parametrize(("consultant", "finals"), [(1, ["A", None]), (2, [None, "B"])])
def test_who_is_not_the_consultant_holds_nothing(consultant: int, finals: list[str | None]) -> None:
    game = played(
        "consultancy", question("consultancy"), saying(["A", "B"], ["A", "B"]), consultant=consultant, turns=1
    )
    seats = ["seat 1", "seat 2"]
    assert [game.outcome.final(seat) for seat in seats] == finals
    assert game.outcome.silent == tuple(seats[:1] if consultant == 2 else seats[1:])
    assert [game.outcome.opening().final(seat) for seat in seats] == ["A", "B"]


@pytest.mark.parametrize("protocol", ["double_consultancy", "debate"])
@pytest.mark.parametrize("swap", [False, True])
def test_a_last_argument_that_cannot_be_read_leaves_the_stance(protocol: str, swap: bool) -> None:
    on = question(protocol, stance_swap=swap)
    game = played(protocol, on, saying(["A", "B"], ["A", "B"], ["", "B"]), turns=2)
    assert [turn.label for turn in game.outcome.in_round(3)] == [None, "A" if swap else "B"]
    assert [game.outcome.final(seat) for seat in ("seat 1", "seat 2")] == (["B", "A"] if swap else ["A", "B"])


@pytest.mark.parametrize("protocol", ["consultancy", "double_consultancy"])
def test_without_a_readable_opening_there_is_nothing_to_argue_for(protocol: str) -> None:
    game = played(protocol, question(protocol, 2), saying([UNREADABLE, UNREADABLE]), turns=2)
    assert turns(game) == []


def test_of_two_the_one_with_an_opening_argues() -> None:
    script = saying([UNREADABLE, "B"], ["", "B"])
    on = question("double_consultancy", 2)
    assert turns(played("double_consultancy", on, script, turns=1)) == [(2, "seat 2", "B")]
    assert turns(played("consultancy", on, script, turns=1)) == []
    assert turns(played("consultancy", on, script, turns=1, consultant=2)) == [(2, "seat 2", "B")]


def test_they_argue_on_though_they_agree() -> None:
    game = played(
        "double_consultancy", question("double_consultancy"), saying(["A", "A"], ["A", "A"]), turns=1
    )
    assert turns(game) == [(2, "seat 1", "A"), (2, "seat 2", "A")]


def test_a_consultant_is_shown_its_opening_where_it_is_for_its_stance() -> None:
    for swap, shown in ((False, ["Answer: A\n\nReason 1.1."]), (True, [])):
        on = question("consultancy", 2, stance_swap=swap)
        (ask,) = [
            ask
            for ask in played("consultancy", on, saying(["A", "B"], ["A", "B"]), turns=1).asks
            if ask.round == 2
        ]
        assert [message.content for message in ask.messages if message.role == "assistant"] == shown
        assert ask.facts.stance == ask.facts.own_last == ("B" if swap else "A")
        assert f"You argue for this answer: {'B. $5' if swap else 'A. $10'}\n" in ask.messages[-1].content


def test_a_swap_between_equal_openings_changes_nothing() -> None:
    games = [
        played(
            "double_consultancy",
            question("double_consultancy", stance_swap=swap),
            saying(["A", "A"], ["A", "A"]),
            turns=1,
        )
        for swap in (False, True)
    ]
    assert games[0].asks == games[1].asks


def test_later_turns_are_asked_for_more_and_not_for_answers_to_others() -> None:
    asks = played("double_consultancy", question("double_consultancy"), saying(*ARGUE), turns=2).asks
    texts = [ask.messages[-1].content for ask in asks if ask.round > 1]
    assert [text.split(".")[0] for text in texts] == ["Round 1 of 2"] * 2 + ["Round 2 of 2"] * 2
    assert ["Make the best honest case" in text for text in texts] == [True, True, False, False]
    assert ["Do not repeat" in text for text in texts] == [False, False, True, True]
    assert not [text for text in texts if "other side" in text]
