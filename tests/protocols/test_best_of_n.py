"""Best of n: drafts of a turn, the order in which they are shown, and the one that is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from protocols.best_of_n import best_of_n
from protocols.case import Case
from protocols.dialogue import Ask, Reply, Sampling
from protocols.play import Play
from protocols.transcript import NO_REPLY
from protocols.transformed import Assistant
from tests.protocols.panels import BLOCKS, Played, Replier, case, dialogue, orderly, play_out, question

COLD = Assistant("beta", Sampling(temperature=0.0, max_tokens=9))
FIRST: Mapping[str, Assistant] = {"seat 1": COLD}


class Drafting:
    """Replies in which no two drafts are alike; every preference is answered by `choice`."""

    def __init__(self, choice: str) -> None:
        self.choice = choice
        self.drafts: Counter[tuple[str, int]] = Counter()

    def __call__(self, ask: Ask) -> Reply:
        """A draft is numbered among those of its turn."""
        if ask.kind == "preference":
            return Reply(self.choice)
        number = self.drafts[ask.seat, ask.round]
        self.drafts[ask.seat, ask.round] += 1
        text = f"Draft {ask.seat}.{ask.round}.{number}."
        return Reply(
            ask.answer_format.write(
                ask.answer_format.labels[ask.position - 1], text, {"reasoning": f"Secret of {text}"}
            )
        )


def drafted(
    on: Case,
    reply_to: Replier,
    n: int = 3,
    protocol: str = "debate",
    seats: Mapping[str, Assistant] = FIRST,
    **options: Any,
) -> Played:
    told = dialogue(protocol, on, **{"turns": 1, "rounds": 2, **options})
    return play_out(Play(best_of_n(told, on, n, seats), seed=7), reply_to)


def order(game: Played, round: int = 2) -> list[int]:
    """The numbers of the drafts of a round in the order in which the preference shows them."""
    (ask,) = [ask for ask in game.asks if (ask.kind, ask.round) == ("preference", round)]
    shown = [line for line in ask.messages[-1].content.split("\n") if line.startswith("Draft ")]
    return [int(line.split(".")[-2]) for line in shown]


def test_a_step_becomes_drafts_and_then_preferences() -> None:
    """Three drafts of seat 1 beside the turn of seat 2; then one preference; and so for the arguments."""
    game = drafted(question(), Drafting("Answer: A"))
    places = [(record.step, ask.kind, ask.seat) for ask, record in zip(game.asks, game.records, strict=True)]
    round = [*[("candidate", "seat 1")] * 3, ("turn", "seat 2")]
    assert places == [
        *((0, *each) for each in round),
        (1, "preference", "seat 1"),
        *((2, *each) for each in round),
        (3, "preference", "seat 1"),
    ]


def test_every_seat_may_be_drafted_for() -> None:
    game = drafted(question(), Drafting("Answer: A"), n=2, seats={"seat 1": COLD, "seat 2": COLD})
    kinds = Counter((ask.kind, ask.seat, ask.round) for ask in game.asks)
    assert kinds == {
        **{("candidate", seat, round): 2 for seat in ("seat 1", "seat 2") for round in (1, 2)},
        **{("preference", seat, round): 1 for seat in ("seat 1", "seat 2") for round in (1, 2)},
    }


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_draft_that_is_picked_is_said_whole(place: int) -> None:
    game = drafted(question(), Drafting(f"Answer: {'ABC'[place]}"))
    turn = game.outcome.in_round(2)[0]
    number = order(game)[place]
    assert turn.shown == f"Answer: A\n\nDraft seat 1.2.{number}."
    assert turn.reading.reasoning == f"Secret of Draft seat 1.2.{number}."
    assert sorted(order(game)) == [0, 1, 2]


@pytest.mark.parametrize("choice", ["", "Both are good.", "Answer: Z", "Answer: A or B"])
def test_an_unreadable_preference_picks_what_was_shown_first(choice: str) -> None:
    game = drafted(question(), Drafting(choice))
    assert game.outcome.in_round(2)[0].shown.endswith(f"1.2.{order(game)[0]}.")


def test_the_order_of_drafts_is_drawn_from_the_seed() -> None:
    """The same for one seed, every order for many; another for each turn."""
    orders = [tuple(order(drafted(question(seed=seed), Drafting("")))) for seed in range(60)]
    again = [tuple(order(drafted(question(seed=seed), Drafting("")))) for seed in range(3)]
    assert orders[:3] == again
    assert len(set(orders)) == 6
    games = [drafted(question(seed=seed), Drafting("")) for seed in range(12)]
    assert any(order(game, 1) != order(game, 2) for game in games)


def test_other_seats_are_untouched() -> None:
    """Seat 2 is asked what it would be asked if seat 1 had said at once what was picked."""
    on = question()
    game = drafted(on, Drafting("Answer: A"), turns=2)
    said = {turn.round: turn.text for turn in game.outcome.own("seat 1")}

    def reply_to(ask: Ask) -> Reply:
        if ask.seat == "seat 1":
            return Reply(said[ask.round])
        return Reply(ask.answer_format.write("B", f"Draft seat 2.{ask.round}.0."))

    plain = play_out(Play(dialogue("debate", on, turns=2), seed=7), reply_to)
    asked = [
        [ask.messages for ask in each.asks if (ask.kind, ask.seat) == ("turn", "seat 2")]
        for each in (game, plain)
    ]
    assert asked[0] == asked[1]
    assert [turn.shown for turn in game.outcome.turns] == [turn.shown for turn in plain.outcome.turns]


def test_a_draft_is_asked_for_as_the_turn_would_be() -> None:
    on = question()
    game = drafted(on, Drafting("Answer: A"))
    (turn, _) = play_out(Play(dialogue("debate", on, turns=1), seed=7), orderly).asks[:2]
    for ask in game.asks[:3]:
        assert (ask.messages, ask.sampling, ask.model, ask.facts) == (
            turn.messages,
            turn.sampling,
            turn.model,
            turn.facts,
        )
    assert len({ask.seed for ask in game.asks}) == len(game.asks)


@pytest.mark.parametrize("make", [case, question])
def test_a_preference_sees_the_case_the_task_and_what_others_would_be_shown(make: Any) -> None:
    game = drafted(make("debate", 2), Drafting("Answer: A"), n=2)
    preferences = [ask for ask in game.asks if ask.kind == "preference"]
    assert len(preferences) == 2
    for ask in preferences:
        draft = next(other for other in game.asks if (other.kind, other.round) == ("candidate", ask.round))
        text = ask.messages[-1].content
        assert (ask.model, ask.sampling, ask.seat) == ("beta", COLD.sampling, "seat 1")
        assert ask.answer_format.labels == ("A", "B")
        assert (ask.facts.case_id, ask.facts.round) == ("ladder", ask.round)
        assert draft.messages[-1].content in text
        assert text.count("Version A:\n") == text.count("Version B:\n") == 1
        assert "ecret" not in text
        assert "exactly one of A, B, and nothing more" in text
        assert ask.model in BLOCKS


def test_drafts_with_different_answers_are_shown_with_them() -> None:
    """Where the side is free in its answer, a draft says which one it gives."""
    labels = iter("ABC")

    def reply_to(ask: Ask) -> Reply:
        if ask.kind == "candidate":
            return Reply(f"Answer: {next(labels)}\n\nSo.")
        return Reply("Answer: A")

    game = drafted(question("solo", 1), reply_to, protocol="solo")
    text = game.asks[-1].messages[-1].content
    assert all(text.count(f"\nAnswer: {label}\n\nSo.") == 1 for label in "ABC")


def test_a_silent_draft_is_shown_as_one() -> None:
    game = drafted(question(), lambda ask: Reply("") if ask.kind == "candidate" else orderly(ask), n=2)
    assert game.asks[3].messages[-1].content.count(NO_REPLY) == 2
