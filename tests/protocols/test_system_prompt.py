"""System prompts: shared parts first, so that engines share prefixes; steering changes the goals alone."""

from __future__ import annotations

import pytest

from protocols.answer_format import Field, FormatName
from protocols.prompts import BUILTIN, GOALS, PromptError, Prompts
from protocols.sections import ARGUING, DESCRIPTIONS, Place, check_steering, prompt_hash, system_sections
from tests.protocols.panels import OPTIONS, QUESTION, TEXT, TITLE, case, question

DEBATES = ("synchronous", "round_robin")
STEERINGS = (*GOALS, "value:Fairness")
SILENT = ("none", "vanilla")


@pytest.mark.parametrize("protocol", DEBATES)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_seats_share_all_that_stands_before_their_own_place(protocol: str, n: int) -> None:
    """Two seats' prompts are equal up to the end of the case, and on to the words 'You are'."""
    first, *others = [seat.system for seat in case(protocol, n).seats]
    shared = first[: first.index(f"You are {case(protocol, n).seats[0].label}")]
    assert TEXT in shared
    assert all(other.startswith(shared) for other in others)


@pytest.mark.parametrize("protocol", DEBATES)
@pytest.mark.parametrize("form", ["text", "json"])
def test_sections_stand_in_order(protocol: str, form: str) -> None:
    names = ["task", "verdicts", f"format_{form}", "criteria", "case", f"debate_{protocol}", "goals_default"]
    system = case(protocol, form="json" if form == "json" else "text").seats[0].system
    places = [system.index(BUILTIN[name].split("$")[0]) for name in names]
    assert places == sorted(places)


@pytest.mark.parametrize("protocol", DEBATES)
@pytest.mark.parametrize("steering", STEERINGS)
def test_steering_changes_the_goals_alone(protocol: str, steering: str) -> None:
    """Without its last paragraph, every steered prompt is the one without goals."""
    for bare, steered in zip(
        case(protocol, steering="none").seats, case(protocol, steering=steering).seats, strict=True
    ):
        before, goals = steered.system[: len(bare.system)], steered.system[len(bare.system) :]
        assert before == bare.system
        assert (goals == "") == (steering in SILENT)
        assert goals.count("\n\n") == (steering not in SILENT)


def test_whoever_is_alone_is_told_of_no_debate() -> None:
    alone = [case("solo", 3), case("synchronous", 1), case("round_robin", 1)]
    prompts = {seat.system for on in alone for seat in on.seats}
    assert len(prompts) == 1
    assert "debate" not in prompts.pop()


def test_a_value_steers_those_who_are_alone_too() -> None:
    assert case("solo", 1, steering="value:Fairness").seats[0].system.endswith(": Fairness.")


@pytest.mark.parametrize(
    ("n", "words"),
    [
        (2, "You are Agent 2. You debate with Agent 1."),
        (3, "You are Agent 2. You debate with Agent 1 and Agent 3."),
        (5, "You are Agent 2. You debate with Agent 1, Agent 3, Agent 4 and Agent 5."),
    ],
)
def test_the_others_are_named_in_words(n: int, words: str) -> None:
    assert words in case("synchronous", n).seats[1].system


def test_the_case_is_put_as_it_stands() -> None:
    """Dollar signs, braces and blank lines of a case are its own."""
    text = "He owed me $20 ($text, ${seats}, $$).\n\n{rounds}? 100% sure."
    seat = case(text=text, title="About $title").seats[0]
    assert f"About $title\n\n{text}\n\n" in seat.system


def test_an_overridden_section_reaches_every_seat() -> None:
    on = case(prompts=Prompts({"criteria": "Be brief.", "verdicts": ""}))
    for seat in on.seats:
        assert "Be brief." in seat.system
        assert BUILTIN["verdicts"] not in seat.system
        assert "\n\n\n" not in seat.system
    assert TITLE in on.seats[0].system


@pytest.mark.parametrize("steering", ["", "value:", "value: ", "Default", "fair"])
def test_unknown_steering_is_refused(steering: str) -> None:
    with pytest.raises(
        PromptError, match=f"^unknown steering '{steering}'; allowed: default, none, .*value:"
    ):
        check_steering(steering)


USED: dict[str, tuple[str, ...]] = {
    "solo": ("turn_alone",),
    "synchronous": ("turn_first", "turn_heard", "turn_later", "heard"),
    "debate": ("turn_alone", "opening_text", "heard", "argue_first", "argue_heard", "argument_text"),
    "double_consultancy": ("turn_alone", "opening_text", "argue_first", "argue_later", "argument_text"),
    "disagreement_resolution": (
        *("turn_alone", "opening_text", "position_own", "position_other", "position_turn", "position_text"),
        *("heard", "heard_before"),
    ),
    "judge_transcript": ("judge_transcript", "heard", "judge_turn", "turn_alone"),
}
"""The texts that a seat may be sent beside its system prompt."""


@pytest.mark.parametrize("field", ["verdict", "answer"])
@pytest.mark.parametrize("protocol", USED)
def test_the_prompt_hash_covers_system_sections_and_turns(protocol: str, field: Field) -> None:
    """It is the same for all cases and seats of a cell, and another after any change of a text in use."""

    def of(prompts: Prompts, position: int = 1) -> str:
        return prompt_hash(prompts, Place(protocol, ("A", "B"), position, 3), "default", field, "text")

    used = system_sections(Place(protocol, ("A", "B"), 1, 3), "default", field, "text")
    texts = {Prompts().worded(name, field) for name in (*used, *USED[protocol])}
    changed = {of(Prompts({name: f"{BUILTIN[name]} Indeed."})) for name in texts}
    assert of(Prompts(), 1) == of(Prompts(), 2)
    assert len(changed | {of(Prompts())}) == len(texts) + 1
    assert of(Prompts({"debate_round_robin": "Speak."})) == of(Prompts())


def test_a_panel_of_one_is_hashed_with_the_turns_it_is_given() -> None:
    place = Place("synchronous", ("A",), 1, 3)
    hashes = [
        prompt_hash(prompts, place, "none", "verdict", "text")
        for prompts in (Prompts(), Prompts({"turn_first": "Judge."}))
    ]
    assert hashes[0] != hashes[1]


def test_a_judge_of_winners_is_hashed_with_what_it_may_answer() -> None:
    """It is asked for a winner in the form of one, and no explanation is described to it."""
    place = Place("judge_transcript", ("Judge",), 1, 1, winners=("1", "2", "neither"))
    names = system_sections(place, "none", "answer", "json")
    assert names == ["task", "winner_format_json", "case"]
    hashes = {
        prompt_hash(prompts, place, "none", "answer", "json")
        for prompts in (
            Prompts(),
            Prompts({"winner_turn": "Who?"}),
            Prompts({"winner_format_json": "$labels"}),
            Prompts({"question_judge_transcript": "$debate"}),
        )
    }
    assert len(hashes) == 4
    other = Prompts({"question_judge_turn": "Answer."})
    assert prompt_hash(other, place, "none", "answer", "json") in hashes


@pytest.mark.parametrize("protocol", DESCRIPTIONS)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_question_is_put_in_words_of_questions(protocol: str, n: int) -> None:
    """Options stand under their letters; nothing is said of verdicts or narrators, no gap is left."""
    for seat in question(protocol, n, steering="default").seats:
        assert f"The question:\n\n{QUESTION}\n\nThe options:\nA. $10\nB. $5\nC. $15\nD. $100" in seat.system
        assert len(OPTIONS) == 4
        assert not [word for word in ("verdict", "narrator", "situation") if word in seat.system]
        assert "\n\n\n" not in seat.system
        assert seat.system.count(f"You are {seat.label}") == (protocol != "reask")


@pytest.mark.parametrize("protocol", DESCRIPTIONS)
def test_a_situation_is_put_in_words_of_situations(protocol: str) -> None:
    for seat in case(protocol, 2).seats:
        assert not [word for word in ("question", "answer ", "an verdict") if word in seat.system]


@pytest.mark.parametrize("protocol", ["debate", "debate_alternating", "debate_first_together"])
def test_whoever_debates_alone_is_told_of_no_debate(protocol: str) -> None:
    """Nobody would be named against whom it debates."""
    assert "debate" not in question(protocol, 1).seats[0].system


@pytest.mark.parametrize("protocol", [*ARGUING, "disagreement_resolution"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_where_turns_have_several_forms_the_system_prompt_tells_none(protocol: str, form: FormatName) -> None:
    assert "Form of" not in question(protocol, 2, form=form).seats[0].system


def test_a_consultant_is_told_of_nobody() -> None:
    for seat in question("double_consultancy", 3).seats:
        assert sum(f"Agent {number}" in seat.system for number in (1, 2, 3)) == 1
