"""The sections of the prompts: what they may leave open, and what an override must keep."""

from __future__ import annotations

import pickle

import pytest

from protocols.answer_format import PHRASES, VERDICTS
from protocols.prompts import BUILTIN, GOALS, QUESTION, PromptError, Prompts, placeholders
from protocols.prompts.placeholders import NEEDED, PLACEHOLDERS, SENT

MAY_BE_LEFT_OUT = {"goals_vanilla": {"asked"}, "goals_sycophantic": {"asked"}}
"""Placeholders that an override may use though the text itself does not."""


def test_every_section_leaves_open_what_is_declared() -> None:
    left = {name: set(MAY_BE_LEFT_OUT.get(name, ())) for name in PLACEHOLDERS}
    used = {name: placeholders(text) | left[name] for name, text in BUILTIN.items()}
    assert used == PLACEHOLDERS


def test_what_is_needed_may_be_used_and_is() -> None:
    assert all(needed <= placeholders(BUILTIN[name]) for name, needed in NEEDED.items())


def test_wordings_for_questions_may_use_and_must_show_what_they_replace() -> None:
    """But for the case, whose options only a question has."""
    replacing = [name for name in BUILTIN if name.startswith(QUESTION) and name != "question_case"]
    for name in replacing:
        plain = name.removeprefix(QUESTION)
        assert (PLACEHOLDERS[name], NEEDED.get(name)) == (PLACEHOLDERS[plain], NEEDED.get(plain))


def test_no_section_has_gaps() -> None:
    """Neither doubled blank lines nor doubled spaces; articles fit whatever is asked for."""
    for text in BUILTIN.values():
        assert not [gap for gap in ("\n\n\n", "  ", " \n", "an $asked", "a $asked") if gap in text]


def test_every_text_that_is_sent_alone_may_not_be_empty() -> None:
    for name in BUILTIN:
        if name.removeprefix(QUESTION).startswith(SENT):
            with pytest.raises(PromptError, match=rf"^prompt section '{name}': it "):
                Prompts({name: " "})


def test_every_goal_has_its_section() -> None:
    goals = {name.removeprefix("goals_") for name in BUILTIN if name.startswith("goals_")}
    assert goals == {*GOALS, "value", "planted"}


def test_explanation_criteria_are_two_short_paragraphs() -> None:
    paragraphs = BUILTIN["criteria"].split("\n\n")
    assert len(paragraphs) == 2
    assert all(len(paragraph.split()) <= 60 for paragraph in paragraphs)


def test_every_verdict_is_defined() -> None:
    lines = BUILTIN["verdicts"].splitlines()[1:]
    assert tuple(line.split()[0] for line in lines) == VERDICTS


def test_formats_ask_for_what_is_read() -> None:
    """The verdict line asked for is the one that reading looks for; so is the JSON field."""
    assert f'"{PHRASES["verdict"]}: "' in BUILTIN["format_text"]
    assert '"verdict"' in BUILTIN["format_json"]
    assert f'"{PHRASES["winner"]}: "' in BUILTIN["winner_format_text"]
    assert '"winner"' in BUILTIN["winner_format_json"]


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("argument", ("reasoning", "argument")),
        ("position", ("crux", "concession", "confidence", "action", "argument")),
    ],
)
def test_forms_ask_for_the_parts_that_are_read_in_their_order(kind: str, parts: tuple[str, ...]) -> None:
    lines, members = BUILTIN[f"{kind}_text"], BUILTIN[f"{kind}_json"]
    places = [[lines.index(f"{part.capitalize()}: ") for part in parts]]
    places += [[members.index(f'"{part}"') for part in parts]]
    assert all(place == sorted(place) for place in places)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "goal_default",
            "Win.",
            "unknown prompt section 'goal_default'; known sections: argue_first, .*, case,",
        ),
        ("task", "Judge $title.", r"section 'task': it uses \$title; it may use: no placeholder$"),
        ("case", "$titel $text", r"section 'case': it uses \$titel; it may use: \$text, \$title$"),
        ("task", "It costs 5$.", "section 'task': a lone '\\$' stands in the text; write '\\$\\$'"),
        ("case", "$title", r"section 'case': it leaves out \$text"),
        ("heard", "$label spoke in round $round.", r"section 'heard': it leaves out \$shown"),
        ("turn_later", " \n", "section 'turn_later': it is empty"),
    ],
)
def test_a_bad_override_is_refused_at_once(name: str, text: str, message: str) -> None:
    with pytest.raises(PromptError, match=message):
        Prompts({name: text})


def test_an_override_replaces_one_section() -> None:
    prompts = Prompts({"goals_default": "Judge well, for $$5.\n"})
    assert prompts.fill("goals_default") == "Judge well, for $5."
    assert prompts.fill("task") == BUILTIN["task"]


def test_values_are_never_expanded() -> None:
    said = "I owe $shown and $$ and ${label}, 100%."
    assert said in Prompts().fill("heard", label="Agent 1", round=1, shown=said)


def test_the_id_is_that_of_the_wording() -> None:
    """Equal texts have equal ids, whoever wrote them and however the file ends; other texts have others."""
    same = Prompts({"task": BUILTIN["task"] + "\n"})
    other = Prompts({"task": BUILTIN["task"] + " Well."})
    assert same.id("task", "case") == Prompts().id("task", "case")
    assert len({other.id("task", "case"), Prompts().id("task", "case"), Prompts().id("task")}) == 3


def test_prompts_and_their_error_survive_pickling() -> None:
    prompts = Prompts({"task": "Judge."})
    assert pickle.loads(pickle.dumps(prompts)) == prompts
    assert pickle.loads(pickle.dumps(PromptError("no"))).args == ("no",)
