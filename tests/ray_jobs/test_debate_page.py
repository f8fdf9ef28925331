"""The page of a debate: made to be read, whatever models and cases have written."""

import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from ray_jobs.case_panel import plain
from ray_jobs.debate_page import debate_page
from ray_jobs.log import Row
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study

GOLDEN = Path(__file__).parent / "debate_page.txt"
CASE: Row = {
    "case_id": "case1",
    "title": "The ladder",
    "text": "A ladder was borrowed.\n\nIt never came back.",
}
DEBATE: Row = {
    "debate_id": "0123456789abcdef",
    "protocol": "round_robin",
    "panel": "a+b",
    "order": "2-1",
    "labels": "2-1",
    "steering": "default+default",
    "outcome": "no_consensus",
    "consensus_label": None,
    "consensus_round": None,
    "final_labels": ["NTA", None],
    "rounds": 1,
    "prompt_tokens": 1000,
    "completion_tokens": None,
    "calls": 2,
}
HOSTILE = {
    "markup": "[bold red]loud[/] [link=https://example.org]here[/link] [/nothing]",
    "escape": "\x1b[31mred\x1b]0;title\x07 and \x9b2J",
    "bidi": "\u202eesrever\u202c \u2066isolated\u2069",
    "erase": "gone\r\b\b\b\b\x7f",
    "nul": "a\0b",
    "emoji": ":warning: :smile:",
}


def page(case: Row = CASE, turns: list[Row] | None = None, **debate: Any) -> str:
    """The page as a terminal with colours shows it."""
    console = Console(width=100, force_terminal=True, color_system="truecolor", legacy_windows=False)
    with console.capture() as shown:
        console.print(debate_page(case, {**DEBATE, **debate}, turns or []))
    return shown.get()


def turn(said: str, **others: Any) -> Row:
    return {
        "round": 1,
        "position": 1,
        "seat": "seat1",
        "model": "a",
        "label": "NTA",
        "status": "ok",
        "explanation": said,
        "shown": said,
        "opening": False,
        "stance": None,
        **others,
    }


def test_the_page_of_a_debate_is_as_it_was(request: pytest.FixtureRequest) -> None:
    """A change of this page is seen in its golden file; write it anew and read it."""
    experiment = study(panels=[["a", "b"]], protocols=["synchronous"], rounds=3, seed=4)
    [row] = case_rows(1)
    [rows] = played(experiment, [row])
    [debate] = rows["debates"]
    console = Console(width=120, force_terminal=False)
    with console.capture() as shown:
        console.print(
            debate_page({"case_id": row.id, "title": row.title, "text": row.text}, debate, rows["turns"])
        )
    found = "\n".join(line.rstrip() for line in shown.get().splitlines()) + "\n"
    assert found == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("place", ["title", "text", "explanation", "shown"])
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_is_shown_harmlessly(kind: str, place: str) -> None:
    """What reaches the terminal has the page's own escapes alone, and markup as it was written."""
    hostile = HOSTILE[kind]
    case = {**CASE, place: hostile} if place in CASE else CASE
    turns = [turn(hostile)] if place == "explanation" else []
    turns += [turn(hostile, label=None, status="missing")] if place == "shown" else []
    shown, harmless = page(case, turns), page({**CASE, "title": "x"}, [turn("x")] if turns else [])
    for control in "\x07\x08\x7f\x9b\0\r\u202e\u202c\u2066\u2069":
        assert control not in shown
    assert "\x1b]" not in shown
    assert "\x1b[31m" not in shown or "\x1b[31m" in harmless
    if kind == "markup":
        assert "[bold red]loud[/]" in shown
        assert "[/nothing]" in shown
    if kind == "emoji":
        assert ":warning: :smile:" in shown


def test_spaces_of_every_kind_keep_words_apart() -> None:
    assert plain("a\u00a0b\u202fc\u2009d\u3000e\u2028f\tg\nh") == "a b c d e f\tg\nh"
    assert plain("żółw 龟 🐢 naïve \ufffd") == "żółw 龟 🐢 naïve \ufffd"


@pytest.mark.parametrize(
    ("debate", "says"),
    [
        ({}, "No consensus after 1 rounds: NTA, unreadable."),
        (
            {"outcome": "consensus", "consensus_label": "ESH", "consensus_round": 2},
            "Consensus on ESH in round 2.",
        ),
        ({"outcome": "verdict", "final_labels": ["NAH"]}, "Verdict: NAH."),
        ({"outcome": "unreadable", "final_labels": [None]}, "No readable verdict."),
    ],
)
def test_the_page_tells_how_it_ended(debate: dict[str, Any], says: str) -> None:
    assert says in page(**debate)


def test_a_line_stands_where_a_debate_goes_on_from_another() -> None:
    turns = [turn("One.", opening=True), turn("Two.", round=2), turn("Three.", round=3)]
    shown = page(turns=turns, stage="longer")
    assert shown.count("from here on: stage longer") == 1
    assert shown.index("One.") < shown.index("from here on") < shown.index("Two.")
    assert "from here on" not in page(turns=[turn("One."), turn("Two.", round=2)], stage="debate")


def test_a_change_of_verdict_is_pointed_out_and_silence_is_named() -> None:
    shown = page(
        turns=[turn("One."), turn("", round=2, label="YTA"), turn("", round=3, label=None, shown="")]
    )
    assert "changed from NTA" in shown
    assert "(no explanation)" in shown


QUESTION: Row = {**CASE, "options": ["tea", "ale", "mead"], "truth": "ale"}
RESOLVED: Row = {
    "protocol": "disagreement_resolution",
    "variant": '{"after":"solo","turns":4}',
    "listing": "3-2-1",
    "stage": "argued",
    "final_labels": ["A", "B"],
    "rounds": 3,
    "exit_mode": "turn_limit",
}


def words(shown: str) -> str:
    """The page without its colours, as one line."""
    return " ".join(re.sub("[│╭╮╰╯─]", " ", re.sub(r"\x1b\[[0-9;]*m", "", shown)).split())


def test_options_stand_as_they_were_listed_with_the_right_one_marked() -> None:
    shown = words(page(QUESTION, **RESOLVED))
    assert "A mead B ale ← right C tea" in shown
    assert "after solo, turns 4" in shown
    assert "options listed 3-2-1" in shown
    unknown = words(page({**QUESTION, "truth": None}, **RESOLVED))
    assert "The right answer is not known." in unknown
    assert "right)" not in unknown
    assert "stances exchanged" in words(page(QUESTION, **{**RESOLVED, "stance_swap": True}))


def test_rounds_and_turns_are_both_told() -> None:
    said = [turn("x", label="A", opening=True), *(turn("x", label="A", round=r) for r in (2, 3))]
    shown = words(page(QUESTION, said, **RESOLVED))
    places = [
        shown.index(one) for one in ("round 1, openings", "round 2, turn 1 of 4", "round 3, turn 2 of 4")
    ]
    assert places == sorted(places)
    alone = words(page(QUESTION, said[1:], **{**RESOLVED, "protocol": "debate", "variant": "{}"}))
    assert "round 2, turn 1 of 3" in alone
    assert "round 2, turn" not in words(page(turns=said[1:]))


def test_what_a_turn_states_stands_below_its_label() -> None:
    stated = {"confidence": 0.75, "action": "retain", "stated_action": "adopt", "crux": "The\x07 crux."}
    shown = words(page(QUESTION, [turn("x", label="B", **stated)], **RESOLVED))
    assert "confidence 0.75 · action retain · stated action adopt" in shown
    assert "crux: The crux." in shown
    argued = turn("x", label="B", stance="B", violation="over_limit")
    shown = words(page(QUESTION, [argued], **{**RESOLVED, "protocol": "debate"}))
    assert "argues for B" in shown
    assert "breaks a rule (over_limit): is longer than the limit" in shown


def test_an_answer_outside_changes_nothing_and_is_no_agreement() -> None:
    said = [
        turn("x", label="A", opening=True),
        turn("x", label="C", round=2, violation="outside"),
        turn("x", label="A", round=3),
    ]
    shown = words(page(QUESTION, said, **RESOLVED))
    assert "C A stands breaks a rule (outside): answers what neither side held" in shown
    assert "changed from" not in shown


def test_drafts_choices_and_critiques_stand_before_their_turn() -> None:
    own = {"round": 1, "seat": "seat1", "model": "a", "slot": 0}
    replies = [
        {**own, "step": 1, "kind": "preference", "text": "The second."},
        {**own, "step": 0, "kind": "candidate", "text": "A [b]draft[/b]."},
        {**own, "step": 2, "kind": "turn", "text": "Said."},
    ]
    console = Console(width=100)
    with console.capture() as shown:
        console.print(debate_page(CASE, DEBATE, [turn("Said.")], replies))
    found = words(shown.get())
    assert found.index("draft · seat1 · a A [b]draft[/b].") < found.index("choice of a draft · seat1 · a")
    assert found.index("choice of a draft") < found.index("Agent 2 · seat1 · a NTA Said.")
    assert found.count("Said.") == 1


@pytest.mark.parametrize(
    ("debate", "says"),
    [
        ({}, "No consensus after 3 rounds: A, B (right). The turns were used up."),
        ({"exit_mode": "swapped"}, "B (right). In the last turn they exchanged their answers."),
        (
            {"outcome": "consensus", "exit_mode": "consensus", "consensus_label": "B", "consensus_round": 3},
            "Consensus on B (right) in round 3, turn 2 of 4. ",
        ),
        ({"protocol": "debate", "exit_mode": None}, "Argued for: A, B (right)."),
        ({"protocol": "debate", "exit_mode": None, "final_labels": [None, "B"]}, "Argued for: B (right)."),
    ],
)
def test_the_end_tells_what_came_of_a_question(debate: dict[str, Any], says: str) -> None:
    said = [turn("x", label="A", opening=True)]
    assert says in words(page(QUESTION, said, **{**RESOLVED, **debate})) + " "


def test_a_confederate_is_pointed_out_and_nobody_else() -> None:
    other = turn("Two.", seat="seat2", model="b", position=2)
    shown = page(turns=[turn("One.", stance="NTA", planted="NTA"), {**other, "planted": "NTA"}])
    assert shown.count("confederate, planted NTA") == 1
    assert "confederate" not in page(turns=[turn("One.", stance="NTA")])  # it argues for a stance


def test_questions_of_a_judge_stand_after_their_round() -> None:
    other = {"step": 0, "slot": 0, "round": 1, "text": "Not shown.", "finish_reason": "stop"}
    replies = [
        {
            **{"step": 1, "slot": 0, "kind": "judge", "seat": "judge"},
            "round": 1,
            "text": "<think>Hm.</think>Argument: Why\x1b[31m?",
            "finish_reason": "stop",
        },
        {**other, "kind": "turn", "seat": "seat1"},
        {**other, "kind": "judge", "seat": "seat2"},
    ]
    console = Console(width=100)
    with console.capture() as said:
        console.print(debate_page(CASE, DEBATE, [turn("One."), turn("Two.", round=2)], replies))
    shown = said.get()
    assert "Hm." not in shown
    assert "Not shown." not in shown
    assert (
        shown.index("One.") < shown.index("The judge asks") < shown.index("Why[31m?") < shown.index("round 2")
    )


def test_independent_answers_of_a_vote_change_nothing() -> None:
    turns = [turn("One."), turn("Two.", round=2, label="YTA")]
    voted = {"outcome": "verdict", "consensus_label": "YTA"}
    assert "changed from" in page(turns=turns, **voted)
    shown = page(turns=turns, protocol="majority", **voted)
    assert "changed from" not in shown
    assert "Decided by vote: YTA." in shown
