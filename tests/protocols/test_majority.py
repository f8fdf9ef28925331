"""As many independent answers as a debate takes calls, and the label that wins."""

from __future__ import annotations

from collections import Counter

import pytest

from protocols.majority import winner
from tests.protocols.panels import case, played
from tests.protocols.scripts import UNREADABLE, saying


def test_it_takes_as_many_calls_as_a_debate_that_never_ends_early() -> None:
    for n, rounds in ((2, 4), (3, 2), (5, 1)):
        budget = len(played("synchronous", case("synchronous", n), rounds=rounds, stop="never").asks)
        assert len(played("majority", case("majority", n), rounds=rounds).asks) == budget == n * rounds


def test_every_question_is_that_of_solo() -> None:
    alone = {ask.messages for ask in played("solo", case("solo", 3)).asks}
    assert {ask.messages for ask in played("majority", case("majority", 3)).asks} == alone
    assert len(alone) == 1


def test_most_readable_answers_decide() -> None:
    said = saying(["NTA", "YTA"], [UNREADABLE, "YTA"], ["NTA", "YTA"], [UNREADABLE, "INFO"])
    outcome = played("majority", case("majority", 2), said).outcome
    assert (outcome.voted, outcome.decision, len(outcome.steps)) == (True, "YTA", 1)
    nobody = played("majority", case("majority", 2), saying(*[[UNREADABLE, ""]] * 4)).outcome
    assert (nobody.voted, nobody.decision) == (True, None)


@pytest.mark.parametrize(
    ("labels", "wins"), [(["A", "B", "A"], {"A"}), (["B", None, None], {"B"}), ([None], {None}), ([], {None})]
)
def test_the_winner_without_a_tie(labels: list[str | None], wins: set[str | None]) -> None:
    assert {winner(labels, seed) for seed in range(20)} == wins


def test_a_tie_is_drawn_by_the_seed_with_equal_chances() -> None:
    """In 3,000 draws among three each comes 1,000 times, give or take five standard deviations of 26."""
    drawn = Counter(winner(["C", "A", "B", "B", "A", "C", None, "D"], seed) for seed in range(3000))
    assert set(drawn) == {"A", "B", "C"}
    assert all(abs(count - 1000) < 130 for count in drawn.values())
    assert winner(["A", "B"], 3) == winner(["B", "A"], 3)
