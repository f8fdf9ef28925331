"""Judges: what they are shown of a debate, and in which order."""

from itertools import permutations

import pytest

from protocols.answer_format import AnswerFormat
from protocols.case import Case, Seat
from protocols.dialogue import Ask, Reply
from protocols.judge import JUDGE, Judgment, Sees, judge, winners
from protocols.play import Play
from protocols.record import Record, replay
from protocols.transcript import Transcript
from tests.golden.what_followed import SEES, judge_dialogue
from tests.protocols.panels import BLOCKS, case, played
from tests.protocols.panels import question as questioned
from tests.protocols.scripts import saying

TURNS = played("synchronous", case("synchronous", 5)).outcome.turns
SEATS = [f"seat {number}" for number in range(1, 6)]
ANSWER = Reply("My current verdict: NTA\n\nFine.")


def question(play: Play[Judgment]) -> str:
    """The user message of the one ask."""
    [ask] = play.step
    return ask.messages[-1].content


def heads(text: str) -> list[str]:
    """The lines that say whose turn follows."""
    return [line for line in text.splitlines() if line.startswith("Agent ")]


def test_a_judge_of_the_transcript_is_shown_every_turn_once() -> None:
    text = question(judge_dialogue("transcript"))
    for turn in TURNS:
        label = turn.seat.replace("seat", "Agent")
        assert text.count(f"{label} in round {turn.round}:\n{turn.shown}") == 1
    assert len(heads(text)) == len(TURNS)


def test_a_judge_of_positions_is_shown_the_last_turn_of_every_seat() -> None:
    text = question(judge_dialogue("positions"))
    assert len(heads(text)) == 5
    assert all(turn.shown in text for turn in TURNS[-5:])


def test_a_judge_who_sees_nothing_is_asked_as_a_seat_alone_is() -> None:
    [solo, *_] = played("solo", case("solo", 1)).asks
    [ask] = judge_dialogue("nothing").step
    assert ask.messages == solo.messages
    assert ask.facts.seen == ()


@pytest.mark.parametrize("order", list(permutations(range(5)))[::17])
def test_display_orders_what_was_written_at_the_same_time_and_nothing_else(order: tuple[int, ...]) -> None:
    display = tuple(SEATS[place] for place in order)
    text = question(judge_dialogue("transcript", display))
    called = [seat.replace("seat", "Agent") for seat in display]
    assert heads(text) == [f"{label} in round {round}:" for round in (1, 2, 3) for label in called]


@pytest.mark.parametrize("sees", SEES)
def test_a_judgment_can_be_played_again_from_its_record(sees: Sees) -> None:
    first, second = judge_dialogue(sees), judge_dialogue(sees)
    assert first.step == second.step
    record = Record.of(0, 0, first.step[0], BLOCKS["alpha"], ANSWER)
    first.answer(0, ANSWER)
    replay(second, [record], BLOCKS)
    assert first.outcome == second.outcome
    assert (first.outcome.reading.label, first.outcome.round) == ("NTA", 3)


def test_an_unreadable_judgment_has_a_status_and_no_label() -> None:
    play = judge_dialogue("transcript")
    play.answer(0, Reply("Hard to say, either way."))
    assert (play.outcome.reading.status, play.outcome.reading.label) == ("missing", None)


def test_wordings_differ_by_what_a_judge_sees() -> None:
    assert len({judge_dialogue(sees).step[0].prompt_hash for sees in SEES}) == 3


AB = ["A", "B"]


def asked(
    on: Case,
    transcript: Transcript,
    sees: Sees = "transcript",
    display: tuple[str, ...] = (),
    named: bool = False,
) -> Play[Judgment]:
    """A judge of what was said on a question, ready to be asked."""
    form = AnswerFormat("text", "winner", winners(on, transcript)) if named else on.answer_format
    seat = Seat(JUDGE, "Judge", "alpha", "You judge.")
    return Play(judge(on, transcript, seat=seat, answer_format=form, sees=sees, display=display), seed=7)


def argued(protocol: str, n: int = 2, **options: object) -> tuple[Case, Transcript]:
    on = questioned(protocol, n)
    opened = ["A", "B", "C"][:n]
    return on, played(protocol, on, saying(opened, opened, opened), turns=2, **options).outcome


def reasons(ask: Ask) -> list[str]:
    """Seat and round of the turns that are shown, in order."""
    lines = ask.messages[-1].content.splitlines()
    return [line.removeprefix("Reason ").removesuffix(".") for line in lines if line.startswith("Reason ")]


@pytest.mark.parametrize(
    ("protocol", "options", "display", "shown"),
    [
        ("debate", {}, (), ["1.2", "2.2", "1.3", "2.3"]),
        ("debate", {}, ("seat 2", "seat 1"), ["2.2", "1.2", "2.3", "1.3"]),
        ("debate", {"form": "alternating"}, ("seat 2", "seat 1"), ["1.2", "2.2", "1.3", "2.3"]),
        ("double_consultancy", {}, (), ["1.2", "1.3", "2.2", "2.3"]),
        ("double_consultancy", {}, ("seat 2", "seat 1"), ["2.2", "2.3", "1.2", "1.3"]),
        ("consultancy", {}, ("seat 2", "seat 1"), ["1.2", "1.3"]),
        ("consultancy", {"consultant": 2}, (), ["2.2", "2.3"]),
        ("disagreement_resolution", {}, (), ["1.1", "2.1", "1.2", "2.2", "1.3", "2.3"]),
    ],
)
def test_openings_that_nobody_heard_are_not_shown(
    protocol: str, options: dict[str, object], display: tuple[str, ...], shown: list[str]
) -> None:
    """Where seats never heard each other, all that one has said comes before the next."""
    on, transcript = argued(protocol, **options)
    [ask] = asked(on, transcript, display=display).step
    assert reasons(ask) == shown
    assert [f"{turn.seat.removeprefix('seat ')}.{turn.round}" for turn in ask.facts.seen] == shown
    assert (ask.kind, ask.round, ask.facts.round) == ("judge", 3, 4)


@pytest.mark.parametrize("protocol", ["debate", "double_consultancy", "consultancy"])
def test_rounds_of_arguments_are_counted_from_their_first(protocol: str) -> None:
    on, transcript = argued(protocol)
    [ask] = asked(on, transcript).step
    rounds = [line.split()[-1] for line in heads(ask.messages[-1].content)]
    assert set(rounds) == {"1:", "2:"}


@pytest.mark.parametrize("protocol", ["debate", "double_consultancy", "disagreement_resolution"])
@pytest.mark.parametrize("n", [2, 3])
def test_positions_are_the_last_of_each_seat(protocol: str, n: int) -> None:
    on, transcript = argued(protocol, n)
    [ask] = asked(on, transcript, "positions").step
    assert reasons(ask) == [f"{seat}.3" for seat in range(1, n + 1)]


def test_the_position_of_a_seat_that_broke_the_rules_is_the_one_that_stands() -> None:
    on = questioned("disagreement_resolution")
    transcript = played("disagreement_resolution", on, saying(AB, ["C", "B"], ["", "B"]), turns=2).outcome
    [ask] = asked(on, transcript, "positions").step
    assert reasons(ask) == ["1.1", "2.3"]
    assert [seen.label for seen in ask.facts.seen] == ["A", "B"]


def test_a_debate_that_never_began_leaves_nothing_to_show() -> None:
    """A judge of two seats that agreed is asked all the same, as one is who sees nothing."""
    on = questioned("debate")
    transcript = played("debate", on, saying(["A", "A"])).outcome
    [ask], [alone] = asked(on, transcript).step, asked(on, transcript, "nothing").step
    assert ask.messages == alone.messages
    assert (ask.facts.seen, ask.round) == ((), 1)
    [named] = asked(on, transcript, named=True).step
    assert named.messages[-1].content.startswith("Decide now which of the agents is right")


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("decision", ["1", "2", "neither"])
def test_a_judge_may_be_asked_for_a_winner(n: int, decision: str) -> None:
    on, transcript = argued("debate", n)
    play = asked(on, transcript, named=True)
    [ask] = play.step
    assert ask.answer_format.labels == (*"123"[:n], "neither")
    assert "Decide now which of the agents is right" in ask.messages[-1].content
    assert "Give your own answer" not in ask.messages[-1].content
    play.answer(0, Reply(f"Winner: {decision}\n\nSo it is."))
    assert (play.outcome.reading.label, play.outcome.reading.status) == (decision, "ok")


@pytest.mark.parametrize("consultant", [1, 2])
def test_who_was_silent_cannot_win(consultant: int) -> None:
    on, transcript = argued("consultancy", consultant=consultant)
    [ask] = asked(on, transcript, named=True).step
    assert ask.answer_format.labels == (str(consultant), "neither")


def test_a_winner_that_is_no_seat_is_none() -> None:
    on, transcript = argued("debate")
    play = asked(on, transcript, named=True)
    play.answer(0, Reply("Winner: 3\n\nSo it is."))
    assert play.outcome.reading.label is None


def test_a_judge_of_one_consultant_is_told_of_no_others() -> None:
    on, transcript = argued("consultancy")
    [ask] = asked(on, transcript).step
    assert "Agent 2" not in ask.messages[-1].content
    assert "1 agents" not in ask.messages[-1].content
