"""What seats are told of a limited view, and what of a turn is exposed, word for word."""

from __future__ import annotations

import pytest

from protocols.exposure import told
from protocols.play import Play
from protocols.prompts import BUILTIN, Prompts
from protocols.sections import Place, prompt_hash
from tests.protocols.panels import case, dialogue, play_out, played, question
from tests.protocols.scripts import UNREADABLE, saying

SAID = saying(["NTA", UNREADABLE, "YTA", "NTA"], ["YTA", "YTA", "YTA", "YTA"])


def heard_in_round_2(exposure: str) -> str:
    """What the first of four seats is told before its second turn."""
    game = played("synchronous", case("synchronous", 4), SAID, exposure=exposure)
    return game.asks[4].messages[-1].content


def test_verdicts_alone_are_shown_line_by_line() -> None:
    assert heard_in_round_2("verdicts") == (
        "Agent 2 in round 1:\n(no readable verdict)\n\n"
        "Agent 3 in round 1:\nMy current verdict: YTA\n\n"
        "Agent 4 in round 1:\nMy current verdict: NTA\n\n"
        "Round 2 of at most 4. Give your current verdict, whether or not it has changed, and explain it."
    )


def test_counts_are_in_the_order_of_the_labels() -> None:
    beginning = "Given in round 1: NTA 1, YTA 1, unreadable 1\n\nRound 2 of at most 4. Give your current"
    assert heard_in_round_2("counts").startswith(beginning)


def test_reasons_come_without_their_verdicts() -> None:
    assert heard_in_round_2("reasons").startswith(
        f"Agent 2 in round 1:\n{UNREADABLE}\n\nAgent 3 in round 1:\nReason 3.1.\n\n"
        "Agent 4 in round 1:\nReason 4.1.\n\nRound 2 of at most 4. Give your current verdict, whether or not"
        " it has changed, and explain it. Begin the explanation with the points made since your last turn"
    )


def test_a_verdict_without_reasons_says_so() -> None:
    on = case("synchronous", 2)
    (first, _) = played("synchronous", on, saying(["My current verdict: NTA", "NTA"])).outcome.turns
    assert told(on, [first], exposure="reasons") == "Agent 1 in round 1:\n(no explanation)"


def test_simulated_agents_see_a_label_where_one_is_shown() -> None:
    on = case("round_robin", 2)
    said = saying(["NTA", "YTA"], ["YTA", "YTA"])
    seen = {
        exposure: played("round_robin", on, said, exposure=exposure).asks[2].facts.seen[0].label
        for exposure in ("all", "verdicts", "counts", "reasons")
    }
    assert seen == {"all": "YTA", "verdicts": "YTA", "counts": "YTA", "reasons": None}


@pytest.mark.parametrize(
    ("how", "sentences"),
    [
        ({}, [0, 0, 0]),
        ({"hears": "star"}, [0, 1, 1]),
        ({"hears": [[2, 3], [], [1]]}, [0, 1, 1]),
        ({"exposure": "counts"}, [1, 1, 1]),
        ({"hears": "star", "exposure": "verdicts"}, [1, 2, 2]),
    ],
)
def test_whoever_is_shown_less_is_told_so(how: dict[str, object], sentences: list[int]) -> None:
    """One paragraph for each limit, between what the debate is and the goals."""
    plain = case("synchronous", 3).seats
    for seat, full, more in zip(case("synchronous", 3, **how).seats, plain, sentences, strict=True):
        paragraphs = seat.system.split("\n\n")
        assert [each for each in paragraphs if each not in full.system] == paragraphs[-1 - more : -1][:more]
        assert (seat.prompt_hash == full.prompt_hash) == (more == 0)


def test_the_words_name_whom_one_hears() -> None:
    system = [seat.system for seat in case("synchronous", 5, hears=[[2, 3, 5], [1], [], [1, 2], [4]]).seats]
    assert "you see only what comes from Agent 2, Agent 3 and Agent 5." in system[0]
    assert "you see only what comes from Agent 1." in system[1]
    assert "of what the others write you are shown nothing." in system[2]


def test_questions_have_answers_in_place_of_verdicts() -> None:
    told_of = {
        exposure: question("synchronous", 3, steering="default", exposure=exposure).seats[0].system
        for exposure in ("verdicts", "counts", "reasons")
    }
    assert "you see only the answer, without" in told_of["verdicts"]
    assert "how many of them gave which answer." in told_of["counts"]
    assert "without the answer." in told_of["reasons"]


def test_a_seat_that_is_asked_again_is_told_nothing_of_a_debate() -> None:
    game = played("reask", case("reask", 3))
    assert not [ask for ask in game.asks if "debate" in ask.messages[0].content.replace("this debate", "")]
    assert not [ask for ask in game.asks if "Agent" in "".join(message.content for message in ask.messages)]


def test_the_words_of_a_reask_are_those_of_a_debate_without_the_points() -> None:
    """Round 1 is asked for in the same words; later rounds in the first two sentences of a debate's."""
    debate, alone = (played(name, case(name, 2)) for name in ("synchronous", "reask"))
    assert alone.asks[0].messages[1] == debate.asks[0].messages[1]
    assert BUILTIN["turn_later"].startswith(BUILTIN["turn_again"])
    again = alone.asks[2].messages[-1].content
    assert again in debate.asks[2].messages[-1].content


def test_a_reask_goes_on_from_answers_given_alone() -> None:
    on = case("reask", 2)
    before = played("solo", on, SAID).outcome
    game = play_out(Play(dialogue("reask", on, rounds=3, transcript=before.opening()), seed=7), SAID_AGAIN)
    assert [(turn.round, turn.seat) for turn in game.outcome.turns] == [
        (round, f"seat {seat}") for round in (1, 2, 3) for seat in (1, 2)
    ]
    assert len(game.asks) == 4


SAID_AGAIN = saying(["NTA", "YTA"], ["NTA", "YTA"], ["YTA", "YTA"])


def test_the_hash_of_a_full_view_is_what_it_was() -> None:
    """A limited view adds the sections that it is told by; without one nothing is added."""
    place = Place("synchronous", ["Agent 1", "Agent 2", "Agent 3"], 1, 4)
    limited = Place("synchronous", ["Agent 1", "Agent 2", "Agent 3"], 1, 4, hears=(2,))
    hashes = {prompt_hash(Prompts(), each, "default", "verdict", "text") for each in (place, limited)}
    assert len(hashes) == 2
    assert (place.views, limited.views) == ([], ["view_hears"])
